"""An append-only log of events in the user's own data folder: opened, mended and written to.

When `append` returns an event is on the disk twice: in a SQLite database, which answers questions, and in a journal of
checksummed lines beside it (`copies`), from which a damaged database is made again. Must not know what an event means.
"""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from filelock import FileLock, Timeout

from briefbank.errors import BankDamagedError, BankInUseError, BankNewerError, BriefBankError, UsageError
from briefbank.platform.disk import disk_guard
from briefbank.platform.event_log.copies import Copies, EventRows, Identified
from briefbank.platform.event_log.database import LogFormat, is_wal, journal_of, keep_private, leave_wal
from briefbank.platform.files import make_folder, require_regular

BUSY_TIMEOUT_S = 5.0
_OF_THE_SYSTEM = (
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT,
)  # fmt: skip
_SPACE_ADVICE = "Free some space on that disk. What could not be written yet is kept and written then."
_MOVED_ADVICE = "Try again: what was kept stands in the one that took its place."
_BUSY_ADVICE = "Close the other BriefBank window, or try again in a moment."

Told = TypeVar("Told")
Kept = TypeVar("Kept", bound=Identified)


def new_id() -> str:
    """Return an id that no other event on any machine has: 32 hexadecimal digits."""
    return uuid.uuid4().hex


def utc_now() -> datetime:
    """Return the time of an event that happens now."""
    return datetime.now(UTC)


def is_kept_at(path: Path) -> bool:
    """Whether there is a log, or a copy from which opening makes it again. Opening makes an empty one anywhere else,
    which those ask before who only read.
    """
    return path.exists() or journal_of(path).exists()


class EventLog(Generic[Told, Kept]):
    """An open log. Used from one thread; several programs may have it open at once.

    A kind of log names its `log_format` and `rows`, and says in `_insert` how what it is told (`Told`) becomes rows and
    a line of the journal (`Kept`). Every method raises NoSpaceError, BankInUseError (another program has been writing
    for too long), BankDamagedError, or plain BriefBankError where the file cannot be written.
    """

    log_format: ClassVar[LogFormat]
    rows: ClassVar[EventRows[Any]]

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], datetime] = utc_now,
        make_id: Callable[[], str] = new_id,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
    ) -> None:
        """Open a log, making an empty one where there is none.

        Raises:
            BankDamagedError: a copy of the log was damaged. It was moved aside, whole, and made again from the other
                one; the next opening succeeds. The message says what became of the entries.
            BankNewerError: a newer program wrote it.
            UsageError: the file is another program's database.
        """
        self._path = path
        self._copies = Copies(self.log_format, self.rows)
        self._journal = journal_of(path)
        self._clock = clock
        self._busy_timeout_s = busy_timeout_s
        with self._guard(f"opening the {self.log_format.name}"):
            for copy in (path, self._journal.path):
                if copy.exists():
                    require_regular(copy)
            self._db = self._open(make_id)
            self.device_id = str(self._db.execute("SELECT device_id FROM log").fetchone()[0])
            """Made with the log; tells apart the laptops whose logs are merged, and names nobody."""

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, events: Iterable[Told]) -> None:
        """Write all of the events or none; they are on the disk when this returns. One that is there is skipped.

        Raises:
            UsageError: an event makes no sense.
        """
        with self._guard(f"writing to the {self.log_format.name}"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                written = [each for event in events if (each := self._insert(event))]
                if written:
                    self._copies.append(self._journal, written)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def event_ids(self) -> list[str]:
        """Return the ids of all events in the order in which they were written."""
        return [event_id for (event_id,) in self._select("SELECT id FROM event ORDER BY seq")]

    def _insert(self, event: Told) -> tuple[int, Kept] | None:
        """Add an event's rows, and return it with the number of its row; None where it is there already."""
        raise NotImplementedError

    def _select(self, statement: str, values: tuple[str, ...] = ()) -> list[tuple[Any, ...]]:
        with self._guard(f"reading the {self.log_format.name}"):
            return self._db.execute(statement, values).fetchall()

    def _open(self, make_id: Callable[[], str]) -> sqlite3.Connection:
        """Open the file while no other program opens it, so that two of them never make or move it at once."""
        make_folder(self._path.parent)
        lock = self._path.with_name(f".{self._path.name}.lock")
        try:
            with FileLock(lock, timeout=self._busy_timeout_s, mode=0o600):
                return self._open_alone(make_id)
        except Timeout as error:
            message = f"Another program has been opening the {self.log_format.name} for long."
            raise BankInUseError(message, _BUSY_ADVICE) from error

    def _open_alone(self, make_id: Callable[[], str]) -> sqlite3.Connection:
        left_behind = self._path.with_name(f"{self._path.name}-wal")
        if not self._path.exists():
            if left_behind.exists() or self._journal.exists():
                raise self._copies.restore(self._path, self._clock(), sqlite3.DatabaseError("its main file is gone"))
            self.log_format.create(self._path, make_id(), self._clock())
        keep_private(self._path)
        try:
            return self._sound_database()
        except (UsageError, BankNewerError) as error:
            version = self._copies.version_in(self._journal)
            if version is None or version > len(self.log_format.steps):
                raise
            raise self._copies.restore(self._path, self._clock(), error) from error  # its header was spoilt
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # SQLite quotes a spoilt layout in its message
            if _is_of_the_system(error):
                raise
            raise self._copies.restore(self._path, self._clock(), error) from error

    def _sound_database(self) -> sqlite3.Connection:
        """Open a log that says what was written. Raises sqlite3.DatabaseError where it does not."""
        self.log_format.require_sound(self._path)
        database = sqlite3.connect(self._path, isolation_level=None, timeout=self._busy_timeout_s)
        try:
            database.text_factory = partial(str, encoding="utf-8", errors="replace")
            database.execute("PRAGMA foreign_keys=ON")
            database.execute("PRAGMA synchronous=FULL")
            if is_wal(self._path):
                leave_wal(database, self._path)
            else:
                database.execute("PRAGMA journal_mode=TRUNCATE")
            self.log_format.migrate(database, self._path)
            if problem := self._copies.agree(database, self._path, self._clock()):
                raise problem
        except BaseException:
            database.close()
            raise
        return database

    @contextmanager
    def _guard(self, what: str) -> Iterator[None]:
        """Turn what SQLite and the disk say into errors that tell what to do."""
        name, variable = self.log_format.name, self.log_format.variable
        advice = f"Make the file and its folder writable for your account, or name another in {variable}."
        try:
            with disk_guard(self._path.parent, what, _SPACE_ADVICE):
                yield
        except sqlite3.OperationalError as error:
            if _primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                message = f"Another program has been writing to the {name} for long."
                raise BankInUseError(message, _BUSY_ADVICE) from error
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_READONLY_DBMOVED:
                # Damage for whoever has it open: only a new opening finds the one that took its place.
                message = f"The {name} {self._path} was moved by another program, which found it damaged."
                raise BankDamagedError(message, _MOVED_ADVICE) from error
            raise BriefBankError(f"{what.capitalize()} failed: {error} ({self._path}).", advice) from error
        except OSError as error:
            raise BriefBankError(f"{what.capitalize()} failed: {error}.", advice) from error
        except (sqlite3.IntegrityError, UnicodeEncodeError) as error:
            raise UsageError(f"The {name} refuses an event: {error}.") from error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            mended = "It is moved aside, whole, when it is opened next, and made again from its second copy."
            raise BankDamagedError(f"The {name} {self._path} is damaged: {error}.", mended) from error


def _primary_code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)) & 0xFF


def _is_of_the_system(error: Exception) -> bool:
    """Whether the error tells of another program, the disk or permissions, and nothing of what is in the file."""
    return _primary_code(error) in _OF_THE_SYSTEM
