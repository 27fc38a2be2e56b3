"""One export of feedback, in whichever form; anonymised in two steps, with a person's approval between them.

Never holds what a language model wrote. Must not know the command line. The bank is known by the few questions that it
is asked.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec.structs import replace

from briefbank.errors import UsageError
from briefbank.judgements.export.collection import Key, collect, write_beir_folder, write_trec
from briefbank.judgements.feedback.exchange import LoggedEvent, encode_event
from briefbank.judgements.feedback.merge import temporary_log
from briefbank.platform.files import new_file, require_new
from briefbank.platform.progress import Progress, Reporter, counting, silent
from briefbank.platform.visible import table
from briefbank.values.records import FACT_FILTERS, Document, Passage

if TYPE_CHECKING:
    from briefbank.law.anonymise import Anonymiser

_COLUMNS = (
    "search_id device_id at query like_passage generation position rank score passage_id document_id text_sha256 "
    "is_relevant stars comment"
).split()
_TABLE = """
    SELECT search.event_id AS search_id, event.device_id, event.at, search.text AS "query",
           coalesce(json_extract(search.parameters, '$.like_passage'), '') AS like_passage, shown.generation,
           shown.position, shown.rank, shown.score, shown.passage_id, shown.document_id, shown.text_sha256,
           judged.is_relevant, rated.stars, coalesce(said.text, '') AS comment
    FROM search JOIN event ON event.id = search.event_id JOIN shown ON shown.search_id = search.event_id
         LEFT JOIN current_judgement AS judged
                ON judged.search_id = shown.search_id AND judged.passage_id = shown.passage_id
         LEFT JOIN current_rating AS rated
                ON rated.search_id = shown.search_id AND rated.passage_id = shown.passage_id
         LEFT JOIN current_comment AS said ON said.search_id = search.event_id
    ORDER BY event.seq, shown.position"""

_ISSUE = "an issue"
_NAMING_FILTERS = frozenset({"dockets", *(each.field for each in FACT_FILTERS if each.names_people)})
_REPORTED_EVERY = 256
"""Events."""

Format = Literal["beir", "trec", "csv", "jsonl"]


class Library(Protocol):
    """What an export asks of a bank."""

    def passages_as_shown(self, shown: Collection[Key]) -> dict[Key, Passage]:
        """The passages that still read as they did when they were shown."""

    def passages_of(self, document_id: str) -> tuple[Passage, ...]:
        """All passages of a document, in order."""

    def documents(self) -> tuple[Document, ...]:
        """Every document."""

    def case_names(self) -> frozenset[str]:
        """The cases that any document cites with their reporter, as `state v carty`."""


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """What to export, and where to. With `approved`, what that list names is removed."""

    out: Path
    format: Format
    first_day: date | None = None
    by_stars: bool = False
    approved: Path | None = None


def export(
    events: Sequence[LoggedEvent], plan: ExportPlan, library: Library | None, reporter: Reporter = silent
) -> dict[str, object]:
    """Write feedback as planned, and return what was written, in counts. BEIR needs the `library`.

    Raises:
        UsageError: there is nothing to export, or something at `out` already.
        SourceError: the approved list cannot be read, or `out` cannot be written.
    """
    chosen = _chosen(events, plan)
    passages = _passages(chosen, plan, library)
    texts = {passage.id: passage.text for passage in passages.values()}
    told: dict[str, object] = {"out": str(plan.out)}
    if plan.approved:
        anonymiser = _anonymiser(chosen, plan, library, passages, reporter)
        chosen = rewritten(chosen, anonymiser.rewrite)
        texts = {each.id: anonymiser.rewrite(each.text, each.document_id) for each in passages.values()}
        told["removed_unseen"] = anonymiser.unseen(_exported(passages))
    if plan.format == "jsonl":
        write_jsonl(chosen, plan.out)
        return {**told, "events": len(chosen)}
    report = counting(reporter, Progress("sorting feedback"), len(chosen))
    with temporary_log(chosen, lambda done: None if done % _REPORTED_EVERY else report(done)) as database:
        reporter(Progress("writing"))
        if plan.format == "csv":
            return {**told, "rows": write_csv(database, plan.out)}
        collection = collect(database, by_stars=plan.by_stars)
        if plan.format == "trec":
            written = write_trec(collection, plan.out, by_stars=plan.by_stars)
        else:
            written = write_beir_folder(collection, passages, texts, plan.out, by_stars=plan.by_stars)
    return {**told, **asdict(written)}


def write_review(
    events: Sequence[LoggedEvent], plan: ExportPlan, library: Library | None, review: Path, reporter: Reporter = silent
) -> int:
    """Write the list of what anonymising would remove, for a person to approve; returns how many lines it has.

    Raises as `export`.
    """
    require_new(review)
    _require_anonymiser()
    chosen = _chosen(events, plan)
    passages = _passages(chosen, plan, library)
    from briefbank.law.anonymise import review_table

    lines = _anonymiser(chosen, plan, library, passages, reporter).review(_exported(passages))
    with new_file(review) as temporary:
        temporary.write_bytes(review_table(lines))
    return len(lines)


def _chosen(events: Sequence[LoggedEvent], plan: ExportPlan) -> list[LoggedEvent]:
    chosen = since(events, plan.first_day) if plan.first_day else list(events)
    if not chosen:
        raise UsageError("There is no feedback to export.", "Give an earlier --since, or name another --log.")
    return chosen


def _passages(events: Sequence[LoggedEvent], plan: ExportPlan, library: Library | None) -> dict[Key, Passage]:
    if plan.format != "beir":
        return {}
    if library is None:
        raise UsageError("A BEIR folder holds passages, and so needs the bank.", "Name it with --bank.")
    return library.passages_as_shown({(each.passage_id, each.text_sha256) for event in events for each in event.shown})


def _exported(passages: Mapping[Key, Passage]) -> set[tuple[str, str]]:
    return {(each.document_id, each.text) for each in passages.values()}


def _anonymiser(
    events: Sequence[LoggedEvent],
    plan: ExportPlan,
    library: Library | None,
    passages: dict[Key, Passage],
    reporter: Reporter,
) -> Anonymiser:
    """An anonymiser that has read every document of which a passage is exported, whole: captions tell the names."""
    _require_anonymiser()
    from briefbank.law.anonymise import Anonymiser, read_review

    documents = {
        document_id: [passage.text for passage in library.passages_of(document_id)]
        for document_id in dict.fromkeys(passage.document_id for passage in passages.values())
        if library
    }
    return Anonymiser(
        documents,
        list(texts_in(events)),
        known=_named_in(library.documents()) if library else (),
        case_names=library.case_names() if library else frozenset(),
        approval=read_review(plan.approved) if plan.approved else None,
        on_document=counting(reporter, Progress("anonymising", files_total=len(documents)), len(documents)),
    )


def _require_anonymiser() -> None:
    """Refuse where the anonymiser is absent: nothing but this export needs it, and an office may leave it out.

    Raises:
        UsageError: this BriefBank was built without it.
    """
    try:
        import briefbank.law.anonymise  # noqa: F401
    except ModuleNotFoundError as error:
        advice = "Export on a machine whose BriefBank has it, or without --anonymise and --approved."
        raise UsageError("This BriefBank was built without the anonymiser.", advice) from error


def _named_in(documents: Sequence[Document]) -> list[str]:
    """The people whom the records of documents name: authors, and parties in titles."""
    authors = [document.metadata.author.value for document in documents if document.metadata.author]
    titles = (document.metadata.title.value for document in documents)
    return [*authors, *(title.split(" v. ", 1)[1].partition(",")[0] for title in titles if " v. " in title)]


def since(events: Sequence[LoggedEvent], first: date) -> list[LoggedEvent]:
    """The events from a day (UTC) on, with the searches that they are about and all that these showed."""
    wanted = {event.id for event in events if event.at.date() >= first}
    about = {search_id for event in events if event.id in wanted for search_id in event.search_ids}
    return [
        event
        for event in events
        if event.id in wanted or event.id in about or (event.shown and not about.isdisjoint(event.search_ids))
    ]


def write_jsonl(events: Sequence[LoggedEvent], out: Path) -> None:
    """Write events line by line, for `merge`. Raises UsageError where there is something at `out`."""
    with new_file(out) as temporary:
        temporary.write_bytes(b"".join(encode_event(event) + b"\n" for event in events))


def write_csv(database: sqlite3.Connection, out: Path) -> int:
    """Write a row for each passage that a search showed, with what is said of it now; returns the number of rows.

    What a person says of a passage stands with the search in which they said it last. A cell that a spreadsheet would
    take for a formula begins with an apostrophe. Raises UsageError where there is something at `out`.
    """
    rows = database.execute(_TABLE).fetchall()
    with new_file(out) as temporary:
        cells = ([row[name] for name in _COLUMNS] for row in rows)
        temporary.write_text(table([_COLUMNS, *cells]), encoding="utf-8", newline="")
    return len(rows)


def texts_in(events: Iterable[LoggedEvent]) -> Iterator[str]:
    """Yield every text that a person wrote: queries, remarks, names of saved searches."""
    for event in events:
        contents = (event.search, event.comment, event.saved)
        yield from (each.text for each in contents if each and each.text)
        if event.saved:
            yield event.saved.name
        for each in (event.search, event.saved):
            if each and each.parameters:
                yield from each.parameters.get("refused_hints", ())


def rewritten(events: Iterable[LoggedEvent], rewrite: Callable[[str], str]) -> list[LoggedEvent]:
    """Return the events with each of those texts rewritten, and without the authors, dockets and issues asked for."""
    return [_rewritten(event, lambda text: rewrite(text) if text else text) for event in events]


def _rewritten(event: LoggedEvent, rewrite: Callable[[str], str]) -> LoggedEvent:
    if event.search:
        search = replace(
            event.search, text=rewrite(event.search.text), parameters=_parameters(event.search.parameters, rewrite)
        )
        return replace(event, search=search)
    if event.comment:
        return replace(event, comment=replace(event.comment, text=rewrite(event.comment.text)))
    if event.saved:
        saved = event.saved
        text = saved.text and rewrite(saved.text)
        parameters = _parameters(saved.parameters, rewrite) if saved.parameters else saved.parameters
        return replace(event, saved=replace(saved, name=rewrite(saved.name), text=text, parameters=parameters))
    return event


def _parameters(parameters: dict[str, Any], rewrite: Callable[[str], str]) -> dict[str, Any]:
    filters = {name: [] if name in _NAMING_FILTERS else value for name, value in parameters.get("filters", {}).items()}
    hints = [rewrite(hint) for hint in parameters.get("refused_hints", ())]
    # What people call an issue is left out whole: it tells others nothing, and may be the name of a client.
    issue = {"profile": _ISSUE} if parameters.get("profile") else {}
    return {**parameters, "filters": filters, "refused_hints": hints, **issue}
