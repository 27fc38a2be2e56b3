"""Events as rows of the log's tables, and as lines of JSON that logs hand to one another, each complete by itself.

Says what was written, not what holds now. Must not know where the lines come from or go to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec

from briefbank.judgements.feedback.events import (
    Commented,
    Event,
    Judged,
    Rated,
    SavedForgotten,
    Searched,
    SearchSaved,
    Shown,
    ShownMore,
    SummaryOpened,
)
from briefbank.judgements.feedback.saved_searches import parameters_of

Row = tuple[str, tuple[Any, ...]]
"""A table's name and a value for each of its columns."""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of a newer program that says more than this one knows is refused rather than cut down."""


class SearchRow(_Table, frozen=True):
    """The query of a search, and what it was asked with."""

    text: str
    parameters: dict[str, Any]
    generation: str
    took_ms: float


class ShownRow(_Table, frozen=True):
    """A passage that a search showed."""

    search_id: str
    position: int
    rank: int
    score: float
    passage_id: str
    document_id: str
    text_sha256: str
    generation: str


class JudgementRow(_Table, frozen=True):
    """Whether a passage helps; null withdraws."""

    search_id: str
    passage_id: str
    is_relevant: bool | None


class RatingRow(_Table, frozen=True):
    """Stars of a passage; null withdraws."""

    search_id: str
    passage_id: str
    stars: int | None


class CommentRow(_Table, frozen=True):
    """What was written about a search."""

    search_id: str
    text: str


class SummaryOpenedRow(_Table, frozen=True):
    """That a summary was looked at."""

    search_id: str
    passage_id: str


class SavedRow(_Table, frozen=True):
    """A query kept under a name; both null forget it."""

    name: str
    text: str | None
    parameters: dict[str, Any] | None


class LoggedEvent(_Table, frozen=True):
    """One event of one machine. `device_id` tells machines apart and names nobody."""

    id: str
    device_id: str
    at: Annotated[datetime, msgspec.Meta(tz=True)]
    program: str
    search: SearchRow | None = None
    shown: tuple[ShownRow, ...] = ()
    judgement: JudgementRow | None = None
    rating: RatingRow | None = None
    comment: CommentRow | None = None
    summary_opened: SummaryOpenedRow | None = None
    saved: SavedRow | None = None

    @property
    def search_ids(self) -> tuple[str, ...]:
        """The searches that the event is about, itself left out."""
        about = (*self.shown, self.judgement, self.rating, self.comment, self.summary_opened)
        return tuple(dict.fromkeys(each.search_id for each in about if each and each.search_id != self.id))


TABLES: dict[str, type[_Table]] = {
    "search": SearchRow,
    "shown": ShownRow,
    "judgement": JudgementRow,
    "rating": RatingRow,
    "comment": CommentRow,
    "summary_opened": SummaryOpenedRow,
    "saved": SavedRow,
}
"""The tables of the log that hold events, in an order in which each row follows those that it refers to."""

_JSON_COLUMN = "parameters"

_decoder = msgspec.json.Decoder(LoggedEvent)


def encode_event(event: LoggedEvent) -> bytes:
    """Return the event's line, without its line end."""
    return msgspec.json.encode(event)


def decode_event(line: bytes) -> LoggedEvent:
    """Read a line. Raises msgspec.DecodeError or msgspec.ValidationError where it is none."""
    event = _decoder.decode(line)
    return msgspec.structs.replace(event, at=event.at.astimezone(UTC))


def logged(event: LoggedEvent, rows: Iterable[Row]) -> LoggedEvent:
    """Return an event with what these rows of its tables say."""
    fields: dict[str, Any] = {}
    for table, (_, *values) in rows:
        named = dict(zip(TABLES[table].__struct_fields__, values, strict=True))
        if named.get(_JSON_COLUMN) is not None:
            named[_JSON_COLUMN] = msgspec.json.decode(named[_JSON_COLUMN])
        row = TABLES[table](**named)
        fields[table] = (*fields.get(table, ()), row) if table == "shown" else row
    return msgspec.structs.replace(event, **fields)


def rows_of_logged(event: LoggedEvent) -> Iterator[Row]:
    """Yield the event's rows for the tables of a log, each after those that it refers to."""
    for table in TABLES:
        value = getattr(event, table)
        for each in value if isinstance(value, tuple) else (value,) if value else ():
            values = msgspec.structs.astuple(each)
            yield table, (event.id, *(values if table == "shown" else map(_stored, values)))


def _stored(value: Any) -> Any:
    return msgspec.json.encode(value).decode() if isinstance(value, dict) else value


def rows_of(event: Event) -> Iterator[Row]:
    """Yield the rows that an event adds to its own, each after those that it refers to."""
    match event.content:
        case Searched(query, generation, took_ms, shown):
            yield "search", (event.id, query.text, parameters_of(query), generation, took_ms)
            yield from _shown_rows(event.id, event.id, generation, shown)
        case ShownMore(search_id, generation, shown):
            yield from _shown_rows(event.id, search_id, generation, shown)
        case Judged(search_id, passage_id, is_relevant):
            yield "judgement", (event.id, search_id, passage_id, is_relevant)
        case Rated(search_id, passage_id, stars):
            yield "rating", (event.id, search_id, passage_id, stars)
        case Commented(search_id, text):
            yield "comment", (event.id, search_id, text)
        case SummaryOpened(search_id, passage_id):
            yield "summary_opened", (event.id, search_id, passage_id)
        case SearchSaved(name, query):
            yield "saved", (event.id, name, query.text, parameters_of(query))
        case SavedForgotten(name):
            yield "saved", (event.id, name, None, None)


def _shown_rows(event_id: str, search_id: str, generation: str, shown: Iterable[Shown]) -> Iterator[Row]:
    for each in shown:
        place = (each.position, each.rank, each.score)
        passage = (each.passage_id, each.document_id, each.text_sha256)
        yield "shown", (event_id, search_id, *place, *passage, generation)
