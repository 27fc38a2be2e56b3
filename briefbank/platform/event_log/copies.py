"""The two copies of a log of events, a database and a journal of checksummed lines, held against each other.

Whatever one flipped bit does to either, the other holds every event that was acknowledged: a damaged database is made
again from the journal, a damaged journal from the database, and what was damaged is put aside, never deleted. Must not
know what an event means.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec

from briefbank.errors import BankDamagedError
from briefbank.platform.event_log.database import LogFormat, journal_of, put_aside
from briefbank.platform.files import replace, sync_file, sync_folder, temporary_folder, write_atomic
from briefbank.platform.journal import BadLine, Journal, Record

_HEADER = 0
"""The number of the journal's record that says whose log it is; events have the number of their row, from 1."""


class Identified(Protocol):
    """What every event has: an id that no other event on any machine has."""

    @property
    def id(self) -> str: ...


E = TypeVar("E", bound=Identified)


class EventRows(Protocol[E]):
    """How the events of one kind of log stand in its tables, and in a line of its journal."""

    def encode(self, event: E, /) -> bytes: ...

    def decode(self, line: bytes, /) -> E: ...

    def read(self, database: sqlite3.Connection, /) -> Iterable[tuple[int, E]]:
        """Yield each event with the number of its row, in order."""

    def fill(self, database: sqlite3.Connection, events: Sequence[E], /) -> int:
        """Write events into a new database, numbered from 1, and return how many of them it refused."""

    def insert(self, database: sqlite3.Connection, seq: int, event: E, /) -> bool:
        """Write one event inside a transaction; false where the database refuses it."""

    def fingerprint(self, seq: int, event: E, /) -> int:
        """Return a sum over all that an event says."""

    def fingerprints(self, database: sqlite3.Connection, /) -> dict[str, int]:
        """Return that sum of each event in the database, by id; sqlite3.DatabaseError where it holds what none says."""


class Header(msgspec.Struct, frozen=True):
    """Whose log it is. `version` is the newest layout of the database that a program gave it."""

    device_id: str
    made_at: str
    made_by: str
    version: int


@dataclass(slots=True)
class _Copy:
    """What a journal holds: each event's number and fingerprint, by id, and how many of its lines are damaged."""

    header: Header | None = None
    events: dict[str, int] = field(default_factory=dict)
    damaged: int = 0
    is_cut_off: bool = False


class Copies(Generic[E]):
    """Database and journal of one kind of log."""

    def __init__(self, log_format: LogFormat, rows: EventRows[E]) -> None:
        self._format = log_format
        self._rows = rows

    def version_in(self, journal: Journal) -> int | None:
        """Return the layout of the database that the journal tells of; None where there is none, or it is damaged."""
        header = self._scan(journal).header
        return header.version if header else None

    def append(self, journal: Journal, events: Iterable[tuple[int, E]]) -> None:
        """Add events, each under the number of its row, to the journal; they are on the disk when this returns."""
        journal.append([Record(seq, self._rows.encode(event)) for seq, event in events])

    def agree(self, database: sqlite3.Connection, path: Path, now: datetime) -> BankDamagedError | None:
        """Bring database and journal to hold the same events; return what has to be told if the journal was damaged.

        The database may have gained events through a program that knows no journal, the journal one that was
        interrupted before the database had it: each gets what it lacks.

        Raises:
            sqlite3.DatabaseError: the database does not say what was written.
        """
        database.execute("BEGIN IMMEDIATE")
        try:
            problem = self._agree(database, path, now)
            database.execute("COMMIT")
        finally:
            if database.in_transaction:
                database.execute("ROLLBACK")
        return problem

    def _agree(self, database: sqlite3.Connection, path: Path, now: datetime) -> BankDamagedError | None:
        journal = journal_of(path)
        copy, header, here = self._scan(journal), _header_of(database), self._rows.fingerprints(database)
        if copy.header and copy.header.device_id != header.device_id:
            raise sqlite3.DatabaseError("it does not say whose log it is")
        if any(copy.events.get(event_id, value) != value for event_id, value in here.items()):
            raise sqlite3.DatabaseError("it differs from its second copy")
        fresh = self._take_over(database, journal, copy.events.keys() - here.keys())
        problem = None
        if copy.damaged:
            aside = put_aside(journal.path, now, ("",))
            found = sqlite3.DatabaseError(f"{copy.damaged} lines of its second copy")
            problem = self._format.damaged(found, aside, "Nothing was lost.")
        if copy.damaged or copy.is_cut_off or copy.header != header:
            journal.replace(self._records(database))
        elif missing := (here.keys() - copy.events.keys()) | fresh:
            journal.append(self._records(database, missing))
        return problem

    def _take_over(self, database: sqlite3.Connection, journal: Journal, ids: Collection[str]) -> set[str]:
        """Add to the database those events of the journal, in their order; returns the ids that it did not refuse."""
        fresh = set()
        for event in self._events(journal) if ids else ():
            if event.id in ids and event.id not in fresh:
                (seq,) = database.execute("SELECT coalesce(max(seq), 0) + 1 FROM event").fetchone()
                if self._rows.insert(database, seq, event):
                    fresh.add(event.id)
        return fresh

    def restore(self, path: Path, now: datetime, problem: Exception) -> BankDamagedError:
        """Move a damaged database aside, whole, make it again from the journal, and return the error that says so.

        Of the damaged one nothing is believed that a whole journal does not hold; where that is damaged too, or
        missing, what can be read is taken over. Where neither can be read the next opening makes an empty log.
        """
        journal = journal_of(path)
        copy = self._scan(journal)
        aside = put_aside(path, now)
        header, salvaged = self._salvage(aside / path.name)
        header = copy.header or header
        if header is None:
            goes_on = self._format.goes_on
            return self._format.damaged(problem, aside, f"{goes_on[0].upper()}{goes_on[1:]} in a new file.")
        is_whole = copy.header is not None and not copy.damaged
        chosen = {} if is_whole else {event.id: event for event in salvaged}
        for event in self._events(journal):
            chosen.pop(event.id, None)
            chosen[event.id] = event
        refused = self._make_again(path, header, list(chosen.values()), aside if copy.damaged else None)
        outcome = self._outcome(copy, len(chosen), refused)
        return self._format.damaged(problem, aside, outcome)

    def _outcome(self, copy: _Copy, chosen: int, refused: int) -> str:
        goes_on = self._format.goes_on
        if not copy.events:
            return f"{chosen - refused} of its entries could be read and were taken over; {goes_on}."
        if lost := copy.damaged + refused:
            return f"{chosen - refused} entries were restored; {lost} lines can be read in neither copy."
        return f"All {chosen} entries were restored from the second copy, and {goes_on}."

    def _make_again(self, path: Path, header: Header, events: list[E], aside: Path | None) -> int:
        """Make database and journal from these events, and return how many of them make no sense.

        The database gets its name last: without it, the journal is believed, and the work is done again.
        """
        journal = journal_of(path)
        with temporary_folder(path) as folder:
            made = folder / path.name
            self._format.create(made, header.device_id, datetime.fromisoformat(header.made_at))
            with closing(sqlite3.connect(made, isolation_level=None)) as database:
                database.execute("PRAGMA foreign_keys=ON")
                refused = self._rows.fill(database, events)
                if aside:
                    write_atomic(aside / journal.path.name, journal.path.read_bytes())
                journal.replace(self._records(database))
            sync_file(made)
            replace(made, path)
        sync_folder(path.parent)
        return refused

    def _salvage(self, damaged: Path) -> tuple[Header | None, list[E]]:
        """What a damaged database still says of itself, and its events, if they can be read at all."""
        header: Header | None = None
        events: list[E] = []
        uri = f"{damaged.absolute().as_uri()}?mode=ro&immutable=1"
        with (
            suppress(sqlite3.DatabaseError, msgspec.MsgspecError, ValueError, TypeError, KeyError),
            closing(sqlite3.connect(uri, uri=True)) as database,
        ):
            database.text_factory = partial(str, encoding="utf-8", errors="replace")
            header = _header_of(database)
            events = [event for _, event in self._rows.read(database)]
        return header, events

    def _scan(self, journal: Journal) -> _Copy:
        copy = _Copy()
        for each in journal.read():
            if isinstance(each, BadLine):
                copy.is_cut_off |= each.is_cut_off
                copy.damaged += not each.is_cut_off
            elif each.number == _HEADER:
                copy.header = msgspec.json.decode(each.payload, type=Header)
            else:
                event = self._rows.decode(each.payload)
                copy.events[event.id] = self._rows.fingerprint(each.number, event)
        return copy

    def _events(self, journal: Journal) -> Iterator[E]:
        for each in journal.read():
            if isinstance(each, Record) and each.number != _HEADER:
                yield self._rows.decode(each.payload)

    def _records(self, database: sqlite3.Connection, ids: Collection[str] | None = None) -> Iterator[Record]:
        """The lines of a whole journal of what the database holds, or only those of some events."""
        if ids is None:
            yield Record(_HEADER, msgspec.json.encode(_header_of(database)))
        for seq, event in self._rows.read(database):
            if ids is None or event.id in ids:
                yield Record(seq, self._rows.encode(event))


def _header_of(database: sqlite3.Connection) -> Header:
    device_id, made_at, made_by = database.execute("SELECT device_id, made_at, made_by FROM log").fetchone()
    return Header(device_id, made_at, made_by, database.execute("PRAGMA user_version").fetchone()[0])
