"""The two copies of the feedback log, a database and a journal of checksummed lines, held against each other.

Whatever one flipped bit does to either, the other holds every event that was acknowledged: a damaged database is made
again from the journal, a damaged journal from the database, and what was damaged is put aside, never deleted. Must not
know what an event means.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from briefbank.errors import BankDamagedError
from briefbank.judgements.feedback import schema
from briefbank.judgements.feedback.exchange import TABLES, LoggedEvent, decode_event, encode_event, rows_of_logged
from briefbank.judgements.feedback.merge import fill, insert_or_refuse
from briefbank.judgements.feedback.sources import events_of
from briefbank.platform.files import sync_file, sync_folder, temporary_folder, write_atomic
from briefbank.platform.journal import BadLine, Journal, Record

_HEADER = 0
"""The number of the journal's record that says whose log it is; events have the number of their row, from 1."""
_JSON_COLUMNS = {"search": 2, "saved": 3}
"""Which value of a table's rows is JSON text, counted from 0; spelt anew, it is still the same."""


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


def version_in(journal: Journal) -> int | None:
    """Return the layout of the database that the journal tells of; None where there is no journal, or it is damaged."""
    header = _scan(journal).header
    return header.version if header else None


def agree(database: sqlite3.Connection, path: Path, now: datetime) -> BankDamagedError | None:
    """Bring database and journal to hold the same events, and return what has to be told if the journal was damaged.

    The database may have gained events through a program that knows no journal, the journal one that was interrupted
    before the database had it: each gets what it lacks.

    Raises:
        sqlite3.DatabaseError: the database does not say what was written.
    """
    database.execute("BEGIN IMMEDIATE")
    try:
        problem = _agree(database, path, now)
        database.execute("COMMIT")
    finally:
        if database.in_transaction:
            database.execute("ROLLBACK")
    return problem


def _agree(database: sqlite3.Connection, path: Path, now: datetime) -> BankDamagedError | None:
    journal = schema.journal_of(path)
    copy, header, here = _scan(journal), _header_of(database), fingerprints(database)
    if copy.header and copy.header.device_id != header.device_id:
        raise sqlite3.DatabaseError("it does not say whose log it is")
    if any(copy.events.get(event_id, value) != value for event_id, value in here.items()):
        raise sqlite3.DatabaseError("it differs from its second copy")
    fresh = _take_over(database, journal, copy.events.keys() - here.keys())
    problem = None
    if copy.damaged:
        aside = schema.put_aside(journal.path, now, ("",))
        problem = schema.damaged(
            sqlite3.DatabaseError(f"{copy.damaged} lines of its second copy"), aside, "Nothing was lost."
        )
    if copy.damaged or copy.is_cut_off or copy.header != header:
        journal.replace(_records(database))
    elif missing := (here.keys() - copy.events.keys()) | fresh:
        journal.append(_records(database, missing))
    return problem


def _take_over(database: sqlite3.Connection, journal: Journal, ids: Collection[str]) -> set[str]:
    """Add to the database those events of the journal, in their order; returns the ids that it did not refuse."""
    fresh = set()
    for event in _events(journal) if ids else ():
        if event.id in ids and event.id not in fresh:
            (seq,) = database.execute("SELECT coalesce(max(seq), 0) + 1 FROM event").fetchone()
            if not insert_or_refuse(database, seq, event):
                fresh.add(event.id)
    return fresh


def restore(path: Path, now: datetime, problem: Exception) -> BankDamagedError:
    """Move a damaged database aside, whole, make it again from the journal, and return the error that says so.

    Of the damaged one nothing is believed that a whole journal does not hold; where that is damaged too, or missing,
    what can be read is taken over. Where neither can be read the next opening makes an empty log.
    """
    journal = schema.journal_of(path)
    copy = _scan(journal)
    aside = schema.put_aside(path, now)
    header, salvaged = _salvage(aside / path.name)
    header = copy.header or header
    if header is None:
        return schema.damaged(problem, aside, "Feedback goes on in a new log.")
    is_whole = copy.header is not None and not copy.damaged
    chosen = {} if is_whole else {event.id: event for event in salvaged}
    for event in _events(journal):
        chosen.pop(event.id, None)
        chosen[event.id] = event
    refused = _make_again(path, header, list(chosen.values()), aside if copy.damaged else None)
    if not copy.events:
        outcome = f"{len(chosen) - refused} of its entries could be read and were taken over; feedback goes on."
    elif lost := copy.damaged + refused:
        outcome = f"{len(chosen) - refused} entries were restored; {lost} lines can be read in neither copy."
    else:
        outcome = f"All {len(chosen)} entries were restored from the second copy, and feedback goes on."
    return schema.damaged(problem, aside, outcome)


def _make_again(path: Path, header: Header, events: list[LoggedEvent], aside: Path | None) -> int:
    """Make database and journal from these events, and return how many of them make no sense.

    The database gets its name last: without it, the journal is believed, and the work is done again.
    """
    journal = schema.journal_of(path)
    with temporary_folder(path) as folder:
        made = folder / path.name
        schema.create(made, header.device_id, datetime.fromisoformat(header.made_at))
        with closing(sqlite3.connect(made, isolation_level=None)) as database:
            database.execute("PRAGMA foreign_keys=ON")
            refused = len(fill(database, events))
            if aside:
                write_atomic(aside / journal.path.name, journal.path.read_bytes())
            journal.replace(_records(database))
        sync_file(made)
        made.replace(path)
    sync_folder(path.parent)
    return refused


def _salvage(damaged: Path) -> tuple[Header | None, list[LoggedEvent]]:
    """What a damaged database still says of itself, and its events, if they can be read at all."""
    header, events = None, []
    uri = f"{damaged.absolute().as_uri()}?mode=ro&immutable=1"
    with (
        suppress(sqlite3.DatabaseError, msgspec.MsgspecError, ValueError, TypeError, KeyError),
        closing(sqlite3.connect(uri, uri=True)) as database,
    ):
        database.text_factory = partial(str, encoding="utf-8", errors="replace")
        header = _header_of(database)
        with _named_columns(database):
            events = list(events_of(database))
    return header, events


def append(journal: Journal, events: Iterable[tuple[int, LoggedEvent]]) -> None:
    """Add events, each under the number of its row, to the journal; they are on the disk when this returns."""
    journal.append([Record(seq, encode_event(event)) for seq, event in events])


def fingerprints(database: sqlite3.Connection) -> dict[str, int]:
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


def _fingerprint(seq: int, event: LoggedEvent) -> int:
    row = (event.id, seq, event.device_id, event.at.isoformat(), event.program)
    return _sum("event", row) + sum(_sum(table, values) for table, values in rows_of_logged(event))


def _sum(table: str, row: tuple[Any, ...]) -> int:
    """Python's own hash: the same for equal values within one process, and ten times quicker than a digest of bytes."""
    column = _JSON_COLUMNS.get(table)
    if column is not None and row[column] is not None:
        row = (*row[:column], msgspec.json.encode(msgspec.json.decode(row[column])), *row[column + 1 :])
    return hash((table, row))


def _scan(journal: Journal) -> _Copy:
    copy = _Copy()
    for each in journal.read():
        if isinstance(each, BadLine):
            copy.is_cut_off |= each.is_cut_off
            copy.damaged += not each.is_cut_off
        elif each.number == _HEADER:
            copy.header = msgspec.json.decode(each.payload, type=Header)
        else:
            event = decode_event(each.payload)
            copy.events[event.id] = _fingerprint(each.number, event)
    return copy


def _events(journal: Journal) -> Iterator[LoggedEvent]:
    for each in journal.read():
        if isinstance(each, Record) and each.number != _HEADER:
            yield decode_event(each.payload)


def _records(database: sqlite3.Connection, ids: Collection[str] | None = None) -> Iterator[Record]:
    """The lines of a whole journal of what the database holds, or only those of some events."""
    if ids is None:
        yield Record(_HEADER, msgspec.json.encode(_header_of(database)))
    numbers = dict(database.execute("SELECT id, seq FROM event").fetchall())
    with _named_columns(database):
        for event in events_of(database):
            if ids is None or event.id in ids:
                yield Record(numbers[event.id], encode_event(event))


def _header_of(database: sqlite3.Connection) -> Header:
    device_id, made_at, made_by = database.execute("SELECT device_id, made_at, made_by FROM log").fetchone()
    return Header(device_id, made_at, made_by, database.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def _named_columns(database: sqlite3.Connection) -> Iterator[None]:
    """Let rows tell their columns' names, as `events_of` wants them."""
    before, database.row_factory = database.row_factory, sqlite3.Row
    try:
        yield
    finally:
        database.row_factory = before
