"""The file of a log of events: made whole, migrated forward after a copy, put aside if it is damaged.

Such a log is what a user cannot make again, so nothing here deletes. Must not know what an event means.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from briefbank import __version__
from briefbank.errors import BankDamagedError, BankNewerError, UsageError
from briefbank.platform.files import make_folder, replace, sync_folder, touch_private
from briefbank.platform.journal import Journal

_SUFFIXES = ("-wal", "-shm", "-journal")
_FORMATS = slice(18, 20)
"""Where SQLite's header says how the file is read and written."""
_ROLLBACK, _WAL = 1, 2
_REFUSAL = """
CREATE TRIGGER {table}_{verb} BEFORE {verb} ON {table}
BEGIN SELECT raise(ABORT, 'the {name} is only ever added to'); END;
"""


def refusals(name: str, tables: Iterable[str]) -> str:
    """Return the SQL that keeps the rows of these tables from being changed or deleted."""
    return "".join(
        _REFUSAL.format(table=table, verb=verb, name=name) for table in tables for verb in ("UPDATE", "DELETE")
    )


@dataclass(frozen=True, slots=True)
class LogFormat:
    """One kind of log: how people call it, and the tables of its database.

    Each has the tables `log` (one row: device_id, made_at, made_by) and `event` (seq, id, device_id, at, program and
    what else the kind has).
    """

    name: str
    """As errors call it: "feedback log"."""
    goes_on: str
    """What is not interrupted by damage, as a sentence without its capital: "feedback goes on"."""
    variable: str
    """The environment variable that names another place for it."""
    application_id: int
    """Stands in the file's header, so that another program's database is never taken for a log."""
    steps: tuple[str, ...]
    """Step i brings a log of version i to version i + 1."""

    def create(self, path: Path, device_id: str, now: datetime) -> None:
        """Make an empty log, readable by its owner only. It appears under its name when it is whole."""
        make_folder(path.parent)
        temporary = path.with_name(f".{path.name}.new")
        try:
            temporary.unlink(missing_ok=True)
            touch_private(temporary)
            with closing(sqlite3.connect(temporary, isolation_level=None)) as database:
                database.execute("PRAGMA synchronous=FULL")
                database.execute(f"PRAGMA application_id={self.application_id}")
                _step_up(database, 0, self.steps)
                database.execute("INSERT INTO log VALUES (1, ?, ?, ?)", (device_id, now.isoformat(), __version__))
            replace(temporary, path)
        finally:
            for suffix in ("", *_SUFFIXES):
                temporary.with_name(temporary.name + suffix).unlink(missing_ok=True)
        sync_folder(path.parent)

    def require_sound(self, path: Path) -> None:
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
            self._require_ours(database, path)
            finding = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if finding != "ok":
                raise sqlite3.DatabaseError(finding)

    def migrate(self, database: sqlite3.Connection, path: Path) -> None:
        """Bring a log to the newest version in one transaction, after a copy of it was written beside it."""
        version = version_of(database)
        if version < len(self.steps):
            _copy(database, path.with_name(f"{path.stem}.version-{version}{path.suffix}"))
            _step_up(database, version, self.steps)

    def damaged(self, problem: Exception, aside: Path, outcome: str) -> BankDamagedError:
        """Say what was damaged, where it is now, and what became of its entries."""
        advice = (
            f"{outcome} Keep that folder until IT has looked at the disk: a disk that spoils one file spoils others."
        )
        return BankDamagedError(f"The {self.name} is damaged ({problem}) and was moved to {aside}.", advice)

    def _require_ours(self, database: sqlite3.Connection, path: Path) -> None:
        version = version_of(database)
        has_tables = _layout(database) == _expected(self.steps[: max(1, version)])
        if database.execute("PRAGMA application_id").fetchone()[0] != self.application_id:
            if has_tables:
                raise sqlite3.DatabaseError("its header is not as it was written")
            raise UsageError(f"{path} is a database of another program.", f"Name another file in {self.variable}.")
        if version > len(self.steps):
            raise BankNewerError(
                f"The {self.name} {path} has version {version}; this program, briefbank {__version__}, reads up to "
                f"{len(self.steps)}.",
                "Install the newer BriefBank that wrote it.",
            )
        if version < 1 or not has_tables:
            raise sqlite3.DatabaseError("its tables are not those that were made")


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


def leave_wal(database: sqlite3.Connection, path: Path) -> None:
    """Give a log of an earlier program a rollback journal, after a copy; while that program has it open, do nothing.

    SQLite before 3.51.3 can corrupt a database in write-ahead mode that two connections write to (its release notes
    of March 2026), and Python brings such a one on most systems.
    """
    _copy(database, path.with_name(f"{path.stem}.before-journal{path.suffix}"))
    with suppress(sqlite3.OperationalError):
        database.execute("PRAGMA journal_mode=TRUNCATE")


def put_aside(path: Path, now: datetime, parts: Sequence[str] = ("-wal", "-shm", "-journal", "")) -> Path:
    """Move a damaged log, or the named parts of it, whole, into a folder beside it, and return that folder.

    What was committed last may stand in SQLite's own logs, so that these go along, and go first: left beside a new
    database they would be read as a part of it.
    """
    aside = path.with_name(f"{path.stem}.damaged-{now:%Y%m%dT%H%M%S%f}")
    make_folder(aside)
    for part in (path.with_name(path.name + suffix) for suffix in parts):
        if part.exists():
            replace(part, aside / part.name)
    sync_folder(aside)
    sync_folder(path.parent)
    return aside


def version_of(database: sqlite3.Connection) -> int:
    """Return how many steps of its schema a database has taken."""
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _layout(database: sqlite3.Connection) -> set[tuple[str, str, str]]:
    return set(database.execute("SELECT type, name, sql FROM sqlite_schema"))


def _expected(steps: Sequence[str]) -> set[tuple[str, str, str]]:
    """The layout that a sound log has after these steps."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript("".join(steps))
        return _layout(database)


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
    touch_private(temporary)
    with closing(sqlite3.connect(temporary)) as copy:
        database.backup(copy)
    with temporary.open("rb+") as file:
        os.fsync(file.fileno())
    replace(temporary, target)
    sync_folder(target.parent)
