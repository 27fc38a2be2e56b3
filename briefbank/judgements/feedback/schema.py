"""The tables of the feedback log and their versions: made whole, migrated forward after a copy, put aside if damaged.

The log is the only thing that a user cannot make again, so nothing here deletes. Must not know what an event means.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from briefbank import __version__
from briefbank.errors import BankDamagedError, BankNewerError, UsageError
from briefbank.platform.files import make_folder, sync_folder
from briefbank.platform.journal import Journal

APPLICATION_ID = 0x42424662
"""Stands in the file's header ("BBFb"), so that another program's database is never taken for a log."""

_TABLES = """
CREATE TABLE log (
    one INTEGER PRIMARY KEY CHECK (one = 1), device_id TEXT NOT NULL, made_at TEXT NOT NULL, made_by TEXT NOT NULL
) STRICT;
CREATE TABLE event (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, device_id TEXT NOT NULL, at TEXT NOT NULL, program TEXT NOT NULL
) STRICT;
CREATE TABLE search (
    event_id TEXT PRIMARY KEY REFERENCES event (id),
    text TEXT NOT NULL, parameters TEXT NOT NULL, generation TEXT NOT NULL, took_ms REAL NOT NULL
) STRICT;
CREATE TABLE shown (
    event_id TEXT NOT NULL REFERENCES event (id), search_id TEXT NOT NULL REFERENCES search (event_id),
    position INTEGER NOT NULL CHECK (position >= 1), rank INTEGER NOT NULL CHECK (rank >= 1), score REAL NOT NULL,
    passage_id TEXT NOT NULL, document_id TEXT NOT NULL, text_sha256 TEXT NOT NULL, generation TEXT NOT NULL,
    PRIMARY KEY (search_id, passage_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE judgement (
    event_id TEXT PRIMARY KEY REFERENCES event (id), search_id TEXT NOT NULL, passage_id TEXT NOT NULL,
    is_relevant INTEGER CHECK (is_relevant IN (0, 1)),
    FOREIGN KEY (search_id, passage_id) REFERENCES shown (search_id, passage_id)
) STRICT;
CREATE TABLE rating (
    event_id TEXT PRIMARY KEY REFERENCES event (id), search_id TEXT NOT NULL, passage_id TEXT NOT NULL,
    stars INTEGER CHECK (stars BETWEEN 1 AND 5),
    FOREIGN KEY (search_id, passage_id) REFERENCES shown (search_id, passage_id)
) STRICT;
CREATE TABLE comment (
    event_id TEXT PRIMARY KEY REFERENCES event (id), search_id TEXT NOT NULL REFERENCES search (event_id),
    text TEXT NOT NULL
) STRICT;
CREATE TABLE summary_opened (
    event_id TEXT PRIMARY KEY REFERENCES event (id), search_id TEXT NOT NULL, passage_id TEXT NOT NULL,
    FOREIGN KEY (search_id, passage_id) REFERENCES shown (search_id, passage_id)
) STRICT;
CREATE TABLE saved (
    event_id TEXT PRIMARY KEY REFERENCES event (id), name TEXT NOT NULL, text TEXT, parameters TEXT,
    CHECK ((text IS NULL) = (parameters IS NULL))
) STRICT;
CREATE INDEX search_by_text ON search (text);
"""
# SQLite takes the bare columns of a query with max() from the row that holds the maximum.
_CURRENT = """
CREATE VIEW current_{table} AS
SELECT event.device_id, search.text, json_extract(search.parameters, '$.like_passage') AS like_passage,
       shown.passage_id, shown.document_id, shown.text_sha256, {table}.{value}, {table}.search_id, event.at,
       max(event.seq) AS seq
FROM {table} JOIN event ON event.id = {table}.event_id JOIN search ON search.event_id = {table}.search_id
     JOIN shown ON shown.search_id = {table}.search_id AND shown.passage_id = {table}.passage_id
GROUP BY event.device_id, search.text, like_passage, shown.passage_id, shown.text_sha256;
"""
_VIEWS = (
    _CURRENT.format(table="judgement", value="is_relevant")
    + _CURRENT.format(table="rating", value="stars")
    + """
CREATE VIEW current_comment AS
SELECT event.device_id, comment.search_id, comment.text, event.at, max(event.seq) AS seq
FROM comment JOIN event ON event.id = comment.event_id GROUP BY comment.search_id;
CREATE VIEW current_saved AS
SELECT event.device_id, saved.name, saved.text, saved.parameters, event.at, max(event.seq) AS seq
FROM saved JOIN event ON event.id = saved.event_id GROUP BY event.device_id, saved.name;
"""
)
_REFUSAL = """
CREATE TRIGGER {table}_{verb} BEFORE {verb} ON {table}
BEGIN SELECT raise(ABORT, 'the feedback log is only ever added to'); END;
"""
_TABLE_NAMES = "log event search shown judgement rating comment summary_opened saved".split()
_REFUSALS = "".join(_REFUSAL.format(table=table, verb=verb) for table in _TABLE_NAMES for verb in ("UPDATE", "DELETE"))

_SUFFIXES = ("-wal", "-shm", "-journal")
_FORMATS = slice(18, 20)
"""Where SQLite's header says how the file is read and written."""
_ROLLBACK, _WAL = 1, 2

STEPS: tuple[str, ...] = (_TABLES + _VIEWS + _REFUSALS,)
"""Step i brings a log of version i to version i + 1. A released step is never changed."""


def create(path: Path, device_id: str, now: datetime) -> None:
    """Make an empty log, readable by its owner only. It appears under its name when it is whole."""
    make_folder(path.parent)
    temporary = path.with_name(f".{path.name}.new")
    try:
        temporary.unlink(missing_ok=True)
        temporary.touch(mode=0o600)
        with closing(sqlite3.connect(temporary, isolation_level=None)) as database:
            database.execute("PRAGMA synchronous=FULL")
            database.execute(f"PRAGMA application_id={APPLICATION_ID}")
            _step_up(database, 0, STEPS)
            database.execute("INSERT INTO log VALUES (1, ?, ?, ?)", (device_id, now.isoformat(), __version__))
        temporary.replace(path)
    finally:
        for suffix in ("", *_SUFFIXES):
            temporary.with_name(temporary.name + suffix).unlink(missing_ok=True)
    sync_folder(path.parent)


def keep_private(path: Path) -> None:
    """Take a log that was copied here with wider permissions from everyone but its owner."""
    mode = path.stat().st_mode
    if os.name != "nt" and mode & 0o077:
        path.chmod(mode & 0o700)


def journal_of(log: Path) -> Journal:
    """The second copy of a log, beside it: feedback.journal.jsonl beside feedback.sqlite."""
    return Journal(log.with_name(f"{log.stem}.journal.jsonl"))


def is_wal(path: Path) -> bool:
    """Whether an earlier program left the log with a write-ahead log, whose tail is lost with one flipped bit."""
    with path.open("rb") as file:
        return file.read(_FORMATS.stop)[_FORMATS] == bytes((_WAL, _WAL))


def require_sound(path: Path, steps: Sequence[str] = STEPS) -> None:
    """Read the whole file. One with a write-ahead log is not changed: closing it would drop what is only in there.

    Raises:
        UsageError: it is another program's database.
        BankNewerError: a newer program wrote it.
        sqlite3.DatabaseError: it is damaged.
    """
    with path.open("rb") as file:
        formats = set(file.read(_FORMATS.stop)[_FORMATS])
    if not formats:
        raise sqlite3.DatabaseError("the file is empty")
    if not formats <= {_ROLLBACK, _WAL}:  # SQLite would take it for one that may only be read
        raise sqlite3.DatabaseError("its header is not as it was written")
    mode = "ro" if _WAL in formats else "rw"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)) as database:
        _require_ours(database, path, steps)
        finding = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if finding != "ok":
            raise sqlite3.DatabaseError(finding)


def _require_ours(database: sqlite3.Connection, path: Path, steps: Sequence[str]) -> None:
    version = _version(database)
    has_tables = _layout(database) == _expected(steps[: max(1, version)])
    if database.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        if has_tables:
            raise sqlite3.DatabaseError("its header is not as it was written")
        raise UsageError(f"{path} is a database of another program.", "Name another file in BRIEFBANK_FEEDBACK.")
    if version > len(steps):
        raise BankNewerError(
            f"The feedback log {path} has version {version}; this program, briefbank {__version__}, reads up to "
            f"{len(steps)}.",
            "Install the newer BriefBank that wrote it.",
        )
    if version < 1 or not has_tables:
        raise sqlite3.DatabaseError("its tables are not those that were made")


def _layout(database: sqlite3.Connection) -> set[tuple[str, str, str]]:
    return set(database.execute("SELECT type, name, sql FROM sqlite_schema"))


def _expected(steps: Sequence[str]) -> set[tuple[str, str, str]]:
    """The layout that a sound log has after these steps."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript("".join(steps))
        return _layout(database)


def leave_wal(database: sqlite3.Connection, path: Path) -> None:
    """Give a log of an earlier program a rollback journal, after a copy; while that program has it open, do nothing.

    SQLite before 3.51.3 can corrupt a database in write-ahead mode that two connections write to (its release notes
    of March 2026), and Python brings such a one on most systems.
    """
    _copy(database, path.with_name(f"{path.stem}.before-journal{path.suffix}"))
    with suppress(sqlite3.OperationalError):
        database.execute("PRAGMA journal_mode=TRUNCATE")


def migrate(database: sqlite3.Connection, path: Path, steps: Sequence[str] = STEPS) -> None:
    """Bring a log to the newest version in one transaction, after a copy of it was written beside it."""
    version = _version(database)
    if version < len(steps):
        _copy(database, path.with_name(f"{path.stem}.version-{version}{path.suffix}"))
        _step_up(database, version, steps)


def put_aside(path: Path, now: datetime, parts: Sequence[str] = ("-wal", "-shm", "-journal", "")) -> Path:
    """Move a damaged log, or the named parts of it, whole, into a folder beside it, and return that folder.

    What was committed last may stand in SQLite's own logs, so that these go along, and go first: left beside a new
    database they would be read as a part of it.
    """
    aside = path.with_name(f"{path.stem}.damaged-{now:%Y%m%dT%H%M%S%f}")
    make_folder(aside)
    for part in (path.with_name(path.name + suffix) for suffix in parts):
        if part.exists():
            part.replace(aside / part.name)
    sync_folder(aside)
    sync_folder(path.parent)
    return aside


def damaged(problem: Exception, aside: Path, outcome: str) -> BankDamagedError:
    """Say what was damaged, where it is now, and what became of its entries."""
    advice = f"{outcome} Keep that folder until IT has looked at the disk: a disk that spoils one file spoils others."
    return BankDamagedError(f"The feedback log is damaged ({problem}) and was moved to {aside}.", advice)


def _version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _step_up(database: sqlite3.Connection, version: int, steps: Sequence[str]) -> None:
    script = "".join(steps[version:])
    try:
        database.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version={len(steps)}; COMMIT;")
    except sqlite3.Error:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def _copy(database: sqlite3.Connection, target: Path) -> None:
    temporary = target.with_name(f".{target.name}.new")
    temporary.unlink(missing_ok=True)
    temporary.touch(mode=0o600)
    with closing(sqlite3.connect(temporary)) as copy:
        database.backup(copy)
    with temporary.open("rb+") as file:
        os.fsync(file.fileno())
    temporary.replace(target)
    sync_folder(target.parent)
