"""The tables of the feedback log and their versions: made whole, migrated forward after a copy, put aside if damaged.

The log is the only thing that a user cannot make again, so nothing here deletes. Must not know what an event means.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from briefbank import __version__
from briefbank.errors import BankDamagedError, BankNewerError, UsageError
from briefbank.platform.files import sync_folder

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

STEPS: tuple[str, ...] = (_TABLES + _VIEWS + _REFUSALS,)
"""Step i brings a log of version i to version i + 1. A released step is never changed."""


def create(path: Path, device_id: str, now: datetime) -> None:
    """Make an empty log, readable by its owner only. It appears under its name when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f".{path.name}.new")
    try:
        temporary.unlink(missing_ok=True)
        temporary.touch(mode=0o600)
        with closing(sqlite3.connect(temporary, isolation_level=None)) as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute(f"PRAGMA application_id={APPLICATION_ID}")
            _step_up(database, 0, STEPS)
            database.execute("INSERT INTO log VALUES (1, ?, ?, ?)", (device_id, now.isoformat(), __version__))
        temporary.replace(path)
    finally:
        for suffix in ("", "-wal", "-shm"):
            temporary.with_name(temporary.name + suffix).unlink(missing_ok=True)
    sync_folder(path.parent)


def keep_private(path: Path) -> None:
    """Take a log that was copied here with wider permissions from everyone but its owner."""
    mode = path.stat().st_mode
    if os.name != "nt" and mode & 0o077:
        path.chmod(mode & 0o700)


def require_sound(path: Path, steps: Sequence[str] = STEPS) -> None:
    """Read the whole file without changing it: closing a connection that can write drops what is only in the -wal.

    Raises:
        UsageError: it is another program's database.
        BankNewerError: a newer program wrote it.
        sqlite3.DatabaseError: it is damaged.
    """
    if path.stat().st_size == 0:
        raise sqlite3.DatabaseError("the file is empty")
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        if database.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise UsageError(f"{path} is a database of another program.", "Name another file in BRIEFBANK_FEEDBACK.")
        version = _version(database)
        if version > len(steps):
            raise BankNewerError(
                f"The feedback log {path} has version {version}; this program, briefbank {__version__}, reads up to "
                f"{len(steps)}.",
                "Install the newer BriefBank that wrote it.",
            )
        finding = database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if finding != "ok":
            raise sqlite3.DatabaseError(finding)


def migrate(database: sqlite3.Connection, path: Path, steps: Sequence[str] = STEPS) -> None:
    """Bring a log to the newest version in one transaction, after a copy of it was written beside it."""
    version = _version(database)
    if version < len(steps):
        _copy(database, path.with_name(f"{path.stem}.version-{version}{path.suffix}"))
        _step_up(database, version, steps)


def put_aside(path: Path, now: datetime, problem: sqlite3.DatabaseError) -> BankDamagedError:
    """Move a damaged log, whole, into a folder beside it and return the error that says so.

    What was committed last may stand in the write-ahead log, so that goes along, and goes first: left beside a new log
    it would be read as a part of that.
    """
    aside = path.with_name(f"{path.stem}.damaged-{now:%Y%m%dT%H%M%S%f}")
    aside.mkdir(mode=0o700)
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.replace(aside / part.name)
    sync_folder(path.parent)
    advice = "Feedback goes on in a new log. Keep that folder: IT can recover its feedback (sqlite3 FILE .recover)."
    error = BankDamagedError(f"The feedback log is damaged ({problem}) and was moved to {aside}.", advice)
    error.__cause__ = problem
    return error


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
