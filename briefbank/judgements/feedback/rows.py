"""How the events of the feedback log stand in its tables: what `platform.event_log` must know of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import msgspec

from briefbank.judgements.feedback.exchange import TABLES, LoggedEvent, decode_event, encode_event, rows_of_logged
from briefbank.judgements.feedback.merge import fill, insert_or_refuse
from briefbank.judgements.feedback.sources import events_of

_JSON_COLUMNS = {"search": 2, "saved": 3}
"""Which value of a table's rows is JSON text, counted from 0; spelt anew, it is still the same."""


class FeedbackRows:
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
        return _sum("event", row) + sum(_sum(table, values) for table, values in rows_of_logged(event))

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
        except (KeyError, ValueError, TypeError, msgspec.DecodeError) as error:
            raise sqlite3.DatabaseError("it holds what no program wrote") from error
        return found


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
