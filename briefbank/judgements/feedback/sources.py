"""Reads logs that may be anyone's: SQLite files as programs write them, and exported JSON lines. Changes none of them.

What cannot be read is named, and costs only itself. Must not know what is made of the events.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from briefbank.errors import BankDamagedError, SourceError, UsageError
from briefbank.judgements.feedback.exchange import TABLES, LoggedEvent, decode_event, event_of
from briefbank.judgements.feedback.schema import FORMAT
from briefbank.platform.event_log.database import is_wal
from briefbank.platform.files import COLLECTION_BYTES, read_bounded, require_regular
from briefbank.platform.journal import JOURNAL_START, record_of
from briefbank.platform.scratch import scratch_folder

_SQLITE_MAGIC = b"SQLite format 3\0"
_COPIES = 3
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_NAME_ONE = "Name a feedback.sqlite, or a file that `briefbank feedback export --format jsonl` wrote."


@dataclass(frozen=True, slots=True)
class Problem:
    """What could not be taken over, and why; `where` is a file, or a file and line or event."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class EventSource:
    """The events of one file in the order in which they were written, and what of it could not be read."""

    path: Path
    events: tuple[LoggedEvent, ...]
    problems: tuple[Problem, ...] = ()


def summaries_opened(log: Path, since: date | None) -> tuple[date, Counter[str]]:
    """Return the day from which on a log tells, that of its first entry or `since`, and how many summaries were opened
    by model. Raises as `read_source`, and SourceError where no entry, or not every one, can be read.
    """
    source = read_source(log)
    if source.problems or not source.events:
        raise SourceError(f"{log} is empty, or not all of it can be read.", _NAME_ONE)
    begun = source.events[0].at.astimezone().date()
    first = max(begun, since or begun)
    opened = (each.summary_opened for each in source.events if each.at.astimezone().date() >= first)
    return first, Counter(each.model for each in opened if each)


def read_source(path: Path) -> EventSource:
    """Read a log or exported JSON lines.

    Raises:
        SourceError: there is no such file, or it cannot be read at all.
        UsageError: it is another program's database.
        BankNewerError: a newer program wrote it.
        BankDamagedError: the log is damaged.
    """
    try:
        require_regular(path, COLLECTION_BYTES)
        with path.open("rb") as file:
            is_database = file.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC
        return _of_database(path) if is_database else _of_lines(path)
    except FileNotFoundError as error:
        raise SourceError(f"There is no file {path}.", _NAME_ONE) from error
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.", _NAME_ONE) from error


def _of_lines(path: Path) -> EventSource:
    events, problems = [], []
    for number, line in enumerate(read_bounded(path, COLLECTION_BYTES).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            if event := _of_line(line):
                events.append(event)
        except _UNREADABLE as error:
            problems.append(Problem(f"{path}, line {number}", f"{error}"))
    return EventSource(path, tuple(events), tuple(problems))


def _of_line(line: bytes) -> LoggedEvent | None:
    """The event of an exported line, or of a line of a log's journal; None for the one that says whose log it is."""
    if not line.startswith(JOURNAL_START):
        return decode_event(line)
    record = record_of(line)
    if record is None:
        raise msgspec.DecodeError("it is not as it was written: its checksum is another one")
    return decode_event(record.payload) if record.number else None


def _of_database(path: Path) -> EventSource:
    """The events of a log, read from a copy: merely opening a log where it lies leaves files beside it."""
    events, problems = [], []
    with scratch_folder() as folder:
        copy = _sound_copy(path, folder)
        with closing(sqlite3.connect(copy, isolation_level=None)) as database:
            database.text_factory = partial(str, encoding="utf-8", errors="replace")
            database.row_factory = sqlite3.Row
            FORMAT.migrate(database, copy)
            for table in _tables_of(database):
                try:
                    events.append(event_of(table))
                except _UNREADABLE as error:
                    problems.append(Problem(f"{path}, event {table['id']}", f"{error}"))
    return EventSource(path, tuple(events), tuple(problems))


def _sound_copy(path: Path, folder: Path) -> Path:
    """Copy a log with what is only in SQLite's own logs; once more where a program wrote to it meanwhile."""
    copy = folder / "feedback.sqlite"
    for attempt in range(_COPIES):
        for part in folder.iterdir():
            part.unlink()
        with _kept_still(path):
            shutil.copyfile(path, copy)
            for suffix in ("-wal", "-journal"):
                with suppress(FileNotFoundError):
                    shutil.copyfile(path.with_name(path.name + suffix), folder / f"{copy.name}{suffix}")
        try:
            FORMAT.require_sound(copy)
        except UsageError as error:
            raise UsageError(f"{path} is a database of another program.", "Name a feedback.sqlite.") from error
        except sqlite3.DatabaseError as error:
            if attempt == _COPIES - 1:
                advice = (
                    "Recover what can be read with `sqlite3 FILE .recover`; the other files can be used without it."
                )
                raise BankDamagedError(f"The feedback log {path} is damaged: {error}.", advice) from error
        else:
            break
    return copy


@contextmanager
def _kept_still(path: Path) -> Iterator[None]:
    """Let no program write to a log in the block, where it has a rollback journal and nobody died over it."""
    with ExitStack() as stack:
        with suppress(sqlite3.Error):
            if not is_wal(path):
                uri = f"{path.absolute().as_uri()}?mode=ro"
                reader = stack.enter_context(closing(sqlite3.connect(uri, uri=True, isolation_level=None)))
                reader.execute("BEGIN")
                reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        yield


def events_of(database: sqlite3.Connection) -> Iterator[LoggedEvent]:
    """Yield the events of an open log in the order in which they were written. Its rows must come as `sqlite3.Row`."""
    return map(event_of, _tables_of(database))


def _tables_of(database: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """The values of each event's rows, by table."""
    by_table = {name: _rows_by_event(database, name) for name in TABLES}
    for event in database.execute("SELECT id, device_id, at, program FROM event ORDER BY seq"):
        table: dict[str, Any] = dict(event)
        for name, rows in by_table.items():
            if found := rows.get(event["id"]):
                table[name] = found if name == "shown" else found[0]
        yield table


def _rows_by_event(database: sqlite3.Connection, table: str) -> dict[str, list[dict[str, Any]]]:
    order = "position, passage_id" if table == "shown" else "event_id"
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in database.execute(f"SELECT * FROM {table} ORDER BY {order}"):  # noqa: S608  # our own names
        values = dict(row)
        rows.setdefault(values.pop("event_id"), []).append(values)
    return rows
