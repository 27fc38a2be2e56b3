"""One export of feedback, in whichever form; anonymised in two steps, with a person's approval between them.

Must not know the command line. The bank is known by the few questions that it is asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from briefbank.errors import UsageError
from briefbank.judgements.evaluate.feedback_collection import Key, collect, write_beir, write_trec
from briefbank.judgements.feedback.exchange import LoggedEvent
from briefbank.judgements.feedback.export import rewritten, since, texts_in, write_csv, write_jsonl
from briefbank.judgements.feedback.merge import log_of
from briefbank.platform.files import new_file, require_new
from briefbank.platform.progress import Progress, Reporter, silent, time_left
from briefbank.values.records import Document, Passage

if TYPE_CHECKING:
    from briefbank.law.anonymise import Anonymiser

_TOLD_EVERY = 256
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
    with log_of(chosen, _telling(reporter, Progress("sorting feedback"), len(chosen))) as database:
        reporter(Progress("writing"))
        if plan.format == "csv":
            return {**told, "rows": write_csv(database, plan.out)}
        collection = collect(database, by_stars=plan.by_stars)
        if plan.format == "trec":
            report = write_trec(collection, plan.out, by_stars=plan.by_stars)
        else:
            report = write_beir(collection, passages, texts, plan.out, by_stars=plan.by_stars)
    return {**told, **asdict(report)}


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
        on_document=_telling(reporter, Progress("anonymising", files_total=len(documents))),
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


def _telling(reporter: Reporter, progress: Progress, events: int = 0) -> Callable[[int], None]:
    """Who tells, with the time left, how many files are done, or, where there are none, events."""
    began = time.monotonic()
    every, total = (1, progress.files_total) if progress.files_total else (_TOLD_EVERY, events)

    def tell(done: int) -> None:
        if done % every == 0:
            elapsed = time.monotonic() - began
            left = time_left(elapsed, done, total)
            reporter(replace(progress, files_done=done, elapsed_s=elapsed, seconds_left=left))

    return tell


def _named_in(documents: Sequence[Document]) -> list[str]:
    """The people whom the records of documents name: authors, and parties in titles."""
    authors = [document.metadata.author.value for document in documents if document.metadata.author]
    titles = (document.metadata.title.value for document in documents)
    return [*authors, *(title.split(" v. ", 1)[1].partition(",")[0] for title in titles if " v. " in title)]
