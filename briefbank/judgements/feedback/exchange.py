"""Events as rows of the log's tables, and as lines of JSON that logs hand to one another, each complete by itself.

Says what was written, not what holds now. Must not know where the lines come from or go to.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec

from briefbank.judgements.feedback.events import (
    Commented,
    Event,
    Judged,
    Rated,
    Row,
    SavedForgotten,
    Searched,
    SearchSaved,
    Shown,
    ShownMore,
    SummaryOpened,
)
from briefbank.values.records import Query


class SearchRow(Row, frozen=True):
    """The query of a search, and what it was asked with."""

    text: str
    parameters: dict[str, Any]
    generation: str
    took_ms: float


class ShownRow(Row, frozen=True):
    """A passage that a search showed."""

    search_id: str
    position: int
    rank: int
    score: float
    passage_id: str
    document_id: str
    text_sha256: str
    generation: str


class SavedRow(Row, frozen=True):
    """A query kept under a name; both null forget it."""

    name: str
    text: str | None
    parameters: dict[str, Any] | None


class LoggedEvent(Row, frozen=True):
    """One event of one machine. `device_id` tells machines apart and names nobody."""

    id: str
    device_id: str
    at: Annotated[datetime, msgspec.Meta(tz=True)]
    program: str
    search: SearchRow | None = None
    shown: tuple[ShownRow, ...] = ()
    judgement: Judged | None = None
    rating: Rated | None = None
    comment: Commented | None = None
    summary_opened: SummaryOpened | None = None
    saved: SavedRow | None = None

    @property
    def search_ids(self) -> tuple[str, ...]:
        """The searches that the event is about, itself left out."""
        about = (*self.shown, self.judgement, self.rating, self.comment, self.summary_opened)
        return tuple(dict.fromkeys(each.search_id for each in about if each and each.search_id != self.id))


TABLES: dict[str, type[Row]] = {
    "search": SearchRow,
    "shown": ShownRow,
    "judgement": Judged,
    "rating": Rated,
    "comment": Commented,
    "summary_opened": SummaryOpened,
    "saved": SavedRow,
}
"""The tables of the log that hold events, in an order in which each row follows those that it refers to."""

_decoder = msgspec.json.Decoder(LoggedEvent)


class _Asked(msgspec.Struct):
    """What is looked at of a search's parameters."""

    filters: dict[str, Any] = {}
    refused_hints: tuple[str, ...] = ()
    like_passage: str = ""
    profile: str = ""


def encode_event(event: LoggedEvent) -> bytes:
    """Return the event's line, without its line end."""
    return msgspec.json.encode(event)


def decode_event(line: bytes) -> LoggedEvent:
    """Read a line. Raises msgspec.DecodeError or msgspec.ValidationError where it is none."""
    return _sound(_decoder.decode(line))


def event_of(table: dict[str, Any]) -> LoggedEvent:
    """Read an event from the values of its rows, `parameters` in JSON among them. Raises as `decode_event`."""
    for row in (table.get("search"), table.get("saved")):
        if row and row["parameters"] is not None:
            row["parameters"] = msgspec.json.decode(row["parameters"])
    return _sound(msgspec.convert(table, LoggedEvent, strict=False))


def _sound(event: LoggedEvent) -> LoggedEvent:
    """The event with its time in UTC. Raises msgspec.ValidationError where time or parameters make no sense."""
    for each in (event.search, event.saved):
        msgspec.convert((each and each.parameters) or {}, _Asked)
    try:
        return msgspec.structs.replace(event, at=event.at.astimezone(UTC))
    except OverflowError as error:
        raise msgspec.ValidationError("no calendar has its time") from error


def logged(event: Event, device_id: str, program: str) -> LoggedEvent:
    """Return an event as the log of a machine has it."""
    rows: dict[str, Any] = {}
    match event.content:
        case Searched(query, generation, took_ms, shown):
            rows["search"] = SearchRow(query.text, parameters_of(query), generation, took_ms)
            rows["shown"] = _shown_rows(event.id, generation, shown)
        case ShownMore(search_id, generation, shown):
            rows["shown"] = _shown_rows(search_id, generation, shown)
        case Judged() as judgement:
            rows["judgement"] = judgement
        case Rated() as rating:
            rows["rating"] = rating
        case Commented() as comment:
            rows["comment"] = comment
        case SummaryOpened() as opened:
            rows["summary_opened"] = opened
        case SearchSaved(name, query):
            rows["saved"] = SavedRow(name, query.text, parameters_of(query))
        case SavedForgotten(name):
            rows["saved"] = SavedRow(name, None, None)
    return LoggedEvent(event.id, device_id, event.at, program, **rows)


def _shown_rows(search_id: str, generation: str, shown: Iterable[Shown]) -> tuple[ShownRow, ...]:
    rows = []
    for each in shown:
        place, passage = (each.position, each.rank, each.score), (each.passage_id, each.document_id, each.text_sha256)
        rows.append(ShownRow(search_id, *place, *passage, generation))
    return tuple(rows)


def parameters_of(query: Query) -> dict[str, Any]:
    """Return all of a query but its text, as JSON has it."""
    table: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(query))
    del table["text"]
    return table


def query_of(text: str, parameters: str) -> Query:
    """Return the query of this text and these parameters in JSON; what an older program did not know is default."""
    return msgspec.convert({**msgspec.json.decode(parameters), "text": text}, Query)


def table_rows(event: LoggedEvent) -> list[tuple[str, tuple[Any, ...]]]:
    """Return the rows that an event adds to the tables of a log, by their names, each after those it refers to."""
    return [
        (table, (event.id, *map(_stored, msgspec.structs.astuple(each))))
        for table in TABLES
        for each in (event.shown if table == "shown" else filter(None, (getattr(event, table),)))
    ]


def _stored(value: Any) -> Any:
    return msgspec.json.encode(value).decode() if isinstance(value, dict) else value


def insert_event(database: sqlite3.Connection, event: LoggedEvent, seq: int | None = None) -> tuple[int, LoggedEvent]:
    """Write an event and its rows, under the next number where none is given. Return the number, and the event without
    the passages that its search had shown already.

    Raises:
        sqlite3.IntegrityError: the event is there already, or is about what is not there.
    """
    values = (seq, event.id, event.device_id, event.at.isoformat(), event.program)
    number = database.execute(
        "INSERT INTO event (seq, id, device_id, at, program) VALUES (?, ?, ?, ?, ?)", values
    ).lastrowid
    again = set()
    for table, row in table_rows(event):
        marks = ", ".join("?" * len(row))
        ignoring = " ON CONFLICT (search_id, passage_id) DO NOTHING" if table == "shown" else ""
        if not database.execute(f"INSERT INTO {table} VALUES ({marks}){ignoring}", row).rowcount:  # noqa: S608
            again.add(row[1:])
    if again:
        kept = tuple(each for each in event.shown if msgspec.structs.astuple(each) not in again)
        event = msgspec.structs.replace(event, shown=kept)
    return int(number or 0), event
