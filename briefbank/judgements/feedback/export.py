"""Feedback as files for other programs: JSON lines, which can be merged again, and a flat table for spreadsheets.

A log can be written with the texts that people wrote rewritten, as anonymising asks.
Never holds what a language model wrote, nor any text of a brief. Must not know collections or metrics.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from briefbank.judgements.feedback.exchange import LoggedEvent, encode_event
from briefbank.platform.files import new_file
from briefbank.platform.visible import table

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
_NAMING_FILTERS = ("authors", "dockets")


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
