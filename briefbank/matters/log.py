"""The log of matters in the user's own data folder, beside the feedback log and kept like it (`platform.event_log`).

Never in a bank: banks are replaced, matters are kept. Must not know the window, nor what exports make of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from briefbank import __version__
from briefbank.errors import UsageError
from briefbank.matters.events import Event, Stamped
from briefbank.matters.state import Matter, matters_of
from briefbank.platform.event_log.database import LogFormat, refusals
from briefbank.platform.event_log.log import EventLog, is_kept_at
from briefbank.platform.layout import own_place

TABLES = """
CREATE TABLE log (
    one INTEGER PRIMARY KEY CHECK (one = 1), device_id TEXT NOT NULL, made_at TEXT NOT NULL, made_by TEXT NOT NULL
) STRICT;
CREATE TABLE event (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, device_id TEXT NOT NULL, at TEXT NOT NULL, program TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
"""
_NAME = "log of matters"
STEPS: tuple[str, ...] = (TABLES + refusals(_NAME, ("log", "event")), "", "")
"""Step i brings a log of version i to version i + 1. A released step is never changed. The second and third change no
table: a program that does not know quotations, or bold words, would refuse the events that tell them."""
FORMAT = LogFormat(
    name=_NAME,
    goes_on="matters go on",
    variable="BRIEFBANK_MATTERS",
    application_id=0x42426D61,  # "BBma"
    steps=STEPS,
)
_INSERT = "INSERT INTO event (seq, id, device_id, at, program, body) VALUES (?, ?, ?, ?, ?, ?)"


def default_log() -> Path:
    """The log in the user's data folder, or where BRIEFBANK_MATTERS points."""
    return own_place("BRIEFBANK_MATTERS", "matters.sqlite")


class LoggedEvent(msgspec.Struct, frozen=True):
    """An event with the machine and program that wrote it; `body` is the event in JSON, as it was written."""

    id: str
    device_id: str
    at: str
    program: str
    body: str


E = TypeVar("E", bound=Stamped)


class JsonRows(Generic[E]):
    """Rows of events in JSON, as `platform.event_log.copies.EventRows` asks for them."""

    def __init__(self, decoder: msgspec.json.Decoder[E]) -> None:
        self.decoder = decoder

    def encode(self, event: LoggedEvent) -> bytes:
        return msgspec.json.encode(event)

    def decode(self, line: bytes) -> LoggedEvent:
        return msgspec.json.decode(line, type=LoggedEvent)

    def read(self, database: sqlite3.Connection) -> Iterator[tuple[int, LoggedEvent]]:
        for seq, *row in database.execute("SELECT seq, id, device_id, at, program, body FROM event ORDER BY seq"):
            yield seq, LoggedEvent(*row)

    def fill(self, database: sqlite3.Connection, events: Sequence[LoggedEvent]) -> int:
        """Write events in one transaction; none is refused that is sound."""
        database.execute("BEGIN IMMEDIATE")
        refused = sum(not self.insert(database, seq, event) for seq, event in enumerate(events, start=1))
        database.execute("COMMIT")
        return refused

    def insert(self, database: sqlite3.Connection, seq: int, event: LoggedEvent) -> bool:
        """Write one event; false where its words make none."""
        try:
            self.decoder.decode(event.body)
        except msgspec.MsgspecError:
            return False
        database.execute(_INSERT, (seq, *msgspec.structs.astuple(event)))
        return True

    def fingerprint(self, seq: int, event: LoggedEvent) -> int:
        """Python's own hash: the same for equal values within one process."""
        return hash((seq, *msgspec.structs.astuple(event)))

    def fingerprints(self, database: sqlite3.Connection) -> dict[str, int]:
        """Return the fingerprint of every event, by id; sqlite3.DatabaseError where one is no event."""
        found = {}
        try:
            for seq, event in self.read(database):
                if self.decoder.decode(event.body).id != event.id:
                    raise sqlite3.DatabaseError("an event does not bear its own id")
                found[event.id] = self.fingerprint(seq, event)
        except msgspec.MsgspecError as error:
            raise sqlite3.DatabaseError("it holds what no program wrote") from error
        return found


class JsonEventLog(EventLog[E, LoggedEvent]):
    """An open log whose events are kept in JSON."""

    rows: ClassVar[JsonRows[Any]]

    def events(self) -> list[E]:
        """Return all events in the order in which they were written."""
        return [self.rows.decoder.decode(body) for (body,) in self._select("SELECT body FROM event ORDER BY seq")]

    def _insert(self, event: E) -> tuple[int, LoggedEvent] | None:
        body = msgspec.json.encode(event).decode()
        try:
            self.rows.decoder.decode(body)
        except msgspec.MsgspecError as error:
            raise UsageError(f"The {self.log_format.name} refuses an event that makes no sense.") from error
        logged = LoggedEvent(event.id, self.device_id, event.at.isoformat(), __version__, body)
        if self._db.execute("SELECT 1 FROM event WHERE id = ?", (event.id,)).fetchone():
            return None
        (seq,) = self._db.execute("SELECT coalesce(max(seq), 0) + 1 FROM event").fetchone()
        self._db.execute(_INSERT, (seq, *msgspec.structs.astuple(logged)))
        return seq, logged


class MatterLog(JsonEventLog[Event]):
    """The open log of matters."""

    log_format = FORMAT
    rows = JsonRows(msgspec.json.Decoder(Event))

    def matters(self) -> tuple[Matter, ...]:
        """Return all matters as they are now, in the order in which they were made."""
        return matters_of(self.events())


def matters_in(log: Path) -> tuple[Matter, ...]:
    """Return the matters of a log, none where there is no log; raises as `EventLog`."""
    if not is_kept_at(log):
        return ()
    with MatterLog(log) as opened:
        return opened.matters()
