"""The feedback log: searches, what they showed and what people said of it. In the user's own data folder.

Only ever added to; what holds now follows from the latest events. How it is kept: `platform.event_log`. Must not know
the window, nor what exports make of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from briefbank import __version__
from briefbank.judgements.feedback.events import Event
from briefbank.judgements.feedback.exchange import (
    TABLES,
    LoggedEvent,
    decode_event,
    encode_event,
    insert_event,
    logged,
    query_of,
    table_rows,
)
from briefbank.judgements.feedback.merge import fill, insert_or_refuse
from briefbank.judgements.feedback.schema import FORMAT
from briefbank.judgements.feedback.sources import events_of
from briefbank.platform.event_log.log import EventLog
from briefbank.platform.layout import own_place
from briefbank.values.records import Query

HISTORY_LIMIT = 200
_JSON_COLUMNS = {"search": 2, "saved": 3}
"""Which value of a table's rows is JSON text, counted from 0; spelt anew, it is still the same."""


class QuestionKey(NamedTuple):
    """What was asked: a text, or the passage that more like it was asked for."""

    text: str
    like_passage: str


class QuestionComment(NamedTuple):
    """What a person wrote of a question, and the search of which they wrote it."""

    search_id: str
    text: str


class MarkKey(NamedTuple):
    """What a mark is about: a query (its text, or the passage it asks for more like), and a passage as it read then."""

    text: str
    like_passage: str
    passage_id: str
    text_sha256: str


@dataclass(frozen=True, slots=True)
class Mark:
    """What a person says now of a passage; None where nothing was said or it was withdrawn."""

    is_relevant: bool | None = None
    stars: int | None = None


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A query that was given a name."""

    name: str
    query: Query


def default_log() -> Path:
    """The log in the user's data folder, or where BRIEFBANK_FEEDBACK points."""
    return own_place("BRIEFBANK_FEEDBACK", "feedback.sqlite")


class _Rows:
    """Rows of the feedback log, as `platform.event_log.copies.EventRows` asks for them."""

    def encode(self, event: LoggedEvent) -> bytes:
        return encode_event(event)

    def decode(self, line: bytes) -> LoggedEvent:
        return decode_event(line)

    def read(self, database: sqlite3.Connection) -> Iterator[tuple[int, LoggedEvent]]:
        """Yield each event with the number of its row, in order."""
        numbers = dict(database.execute("SELECT id, seq FROM event").fetchall())
        with _named_columns(database):
            for event in events_of(database):
                yield numbers[event.id], event

    def fill(self, database: sqlite3.Connection, events: Sequence[LoggedEvent]) -> int:
        """Write events into a new log, and return how many it refused."""
        return len(fill(database, events))

    def insert(self, database: sqlite3.Connection, seq: int, event: LoggedEvent) -> bool:
        """Write one event; false where the log refuses it."""
        return insert_or_refuse(database, seq, event) is None

    def fingerprint(self, seq: int, event: LoggedEvent) -> int:
        """Return a sum over all that an event says."""
        row = (event.id, seq, event.device_id, event.at.isoformat(), event.program)
        return _sum("event", row) + sum(_sum(table, values) for table, values in table_rows(event))

    def fingerprints(self, database: sqlite3.Connection) -> dict[str, int]:
        """Return a sum over all that each event wrote, by id; it does not depend on the order of rows.

        Raises:
            sqlite3.DatabaseError: a row belongs to no event, or holds what no program writes.
        """
        found: dict[str, int] = {}
        try:
            for seq, event_id, device_id, at, program in database.execute(
                "SELECT seq, id, device_id, at, program FROM event"
            ):
                moment = datetime.fromisoformat(at).astimezone(UTC).isoformat()
                found[event_id] = _sum("event", (event_id, seq, device_id, moment, program))
            for table in TABLES:
                for row in database.execute(f"SELECT * FROM {table}"):  # noqa: S608  # our own names
                    found[row[0]] += _sum(table, row)
        except (KeyError, ValueError, TypeError, OverflowError, msgspec.DecodeError) as error:
            raise sqlite3.DatabaseError("it holds what no program wrote") from error
        return found


class FeedbackLog(EventLog[Event, LoggedEvent]):
    """The open log; `append` refuses what is about a search or passage never shown, and six stars."""

    log_format = FORMAT
    rows = _Rows()

    def marks(self) -> dict[MarkKey, Mark]:
        """Return what is said now on this machine, without what was withdrawn."""
        marks: dict[MarkKey, Mark] = {}
        for key, is_relevant in self._current("judgement", "is_relevant"):
            marks[key] = Mark(is_relevant=bool(is_relevant))
        for key, stars in self._current("rating", "stars"):
            marks[key] = replace(marks.get(key, Mark()), stars=stars)
        return marks

    def comments(self) -> dict[str, str]:
        """Return what is written now about searches, by search id, without what was withdrawn."""
        return dict(self._select("SELECT search_id, text FROM current_comment WHERE text <> ''"))

    def question_comments(self) -> dict[QuestionKey, QuestionComment]:
        """Return what was written last of each question on this machine; an empty text where that was withdrawn."""
        statement = """
            SELECT search.text, json_extract(search.parameters, '$.like_passage'), said.search_id, said.text
            FROM current_comment AS said JOIN search ON search.event_id = said.search_id
            WHERE said.device_id = ? ORDER BY said.seq"""
        rows = self._select(statement, (self.device_id,))
        return {QuestionKey(text, like or ""): QuestionComment(*said) for text, like, *said in rows}

    def history(self, limit: int = HISTORY_LIMIT) -> list[str]:
        """Return what was searched for on this machine, each text once, newest first."""
        statement = """
            SELECT search.text FROM search JOIN event ON event.id = search.event_id
            WHERE search.text <> '' AND event.device_id = ? GROUP BY search.text ORDER BY max(event.seq) DESC LIMIT ?"""
        return [text for (text,) in self._select(statement, (self.device_id, str(limit)))]

    def saved_searches(self) -> list[SavedSearch]:
        """Return the searches saved on this machine, by name, without those that only another program understands."""
        statement = "SELECT name, text, parameters FROM current_saved WHERE device_id = ? AND text IS NOT NULL"
        saved = []
        for name, *rest in self._select(statement, (self.device_id,)):
            with suppress(msgspec.ValidationError):
                saved.append(SavedSearch(name, query_of(*rest)))
        return sorted(saved, key=lambda each: (each.name.casefold(), each.name))

    def _current(self, table: str, value: str) -> Iterator[tuple[MarkKey, int]]:
        columns = ", ".join(MarkKey._fields)
        statement = f"SELECT {columns}, {value} FROM current_{table} WHERE device_id = ? AND {value} IS NOT NULL"  # noqa: S608
        for *key, mark in self._select(statement, (self.device_id,)):
            yield MarkKey(*key), mark

    def _insert(self, event: Event) -> tuple[int, LoggedEvent] | None:
        """Add the event's rows, and return it with the number of its row; None where it is there already."""
        if self._db.execute("SELECT 1 FROM event WHERE id = ?", (event.id,)).fetchone():
            return None
        return insert_event(self._db, logged(event, self.device_id, __version__))


def _sum(table: str, row: tuple[Any, ...]) -> int:
    """Python's own hash: the same for equal values within one process, and ten times quicker than a digest of bytes."""
    column = _JSON_COLUMNS.get(table)
    if column is not None and row[column] is not None:
        row = (*row[:column], msgspec.json.encode(msgspec.json.decode(row[column])), *row[column + 1 :])
    return hash((table, row))


@contextmanager
def _named_columns(database: sqlite3.Connection) -> Iterator[None]:
    """Let rows tell their columns' names, as `events_of` wants them."""
    before, database.row_factory = database.row_factory, sqlite3.Row
    try:
        yield
    finally:
        database.row_factory = before
