"""The feedback log: searches, what they showed and what people said of it. In the user's own data folder.

Only ever added to; what holds now follows from the latest events. When `append` returns an event is on the disk twice:
in a SQLite database, which answers questions, and in a journal of checksummed lines beside it (`copies`), from which
a damaged database is made again. Must not know the window, nor what exports make of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

from filelock import FileLock, Timeout

from briefbank import __version__
from briefbank.errors import BankDamagedError, BankInUseError, BankNewerError, BriefBankError, UsageError
from briefbank.judgements.feedback import copies, saved_searches, schema
from briefbank.judgements.feedback.events import Event, new_id, utc_now
from briefbank.judgements.feedback.exchange import LoggedEvent, logged, rows_of
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import make_folder, require_regular
from briefbank.platform.layout import own_place

HISTORY_LIMIT = 200
_BUSY_TIMEOUT_S = 5.0
_OF_THE_SYSTEM = (
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT,
)  # fmt: skip
_SPACE_ADVICE = "Free some space on that disk. What could not be written yet is kept and written then."
_BUSY_ADVICE = "Close the other BriefBank window, or try again in a moment."
_WRITE_ADVICE = "Make the file and its folder writable for your account, or name another file in BRIEFBANK_FEEDBACK."


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


def default_log() -> Path:
    """The log in the user's data folder, or where BRIEFBANK_FEEDBACK points."""
    return own_place("BRIEFBANK_FEEDBACK", "feedback.sqlite")


class FeedbackLog:
    """The open log. Used from one thread; several programs may have it open at once.

    Every method raises NoSpaceError, BankInUseError (another program has been writing for too long), BankDamagedError,
    or plain BriefBankError where the file cannot be written.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], datetime] = utc_now,
        make_id: Callable[[], str] = new_id,
        busy_timeout_s: float = _BUSY_TIMEOUT_S,
    ) -> None:
        """Open a log, making an empty one where there is none.

        Raises:
            BankDamagedError: a copy of the log was damaged. It was moved aside, whole, and made again from the other
                one; the next opening succeeds. The message says what became of the entries.
            BankNewerError: a newer program wrote it.
            UsageError: the file is another program's database.
        """
        self._path = path
        self._journal = schema.journal_of(path)
        self._clock = clock
        self._busy_timeout_s = busy_timeout_s
        with self._guard("opening the feedback log"):
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

    def append(self, events: Iterable[Event]) -> None:
        """Write all of the events or none; they are on the disk when this returns. One that is there is skipped.

        Raises:
            UsageError: an event makes no sense (it is about a search or passage never shown, or has six stars).
        """
        with self._guard("writing down feedback"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                written = [each for event in events if (each := self._insert(event))]
                if written:
                    copies.append(self._journal, written)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

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
        return dict(self._rows("SELECT search_id, text FROM current_comment WHERE text <> ''"))

    def history(self, limit: int = HISTORY_LIMIT) -> list[str]:
        """Return what was searched for on this machine, each text once, newest first."""
        with self._guard("reading the feedback log"):
            return saved_searches.history(self._db, self.device_id, limit)

    def saved_searches(self) -> list[saved_searches.SavedSearch]:
        """Return the searches saved on this machine, by name."""
        with self._guard("reading the feedback log"):
            return saved_searches.saved_searches(self._db, self.device_id)

    def event_ids(self) -> list[str]:
        """Return the ids of all events in the order in which they were written."""
        return [event_id for (event_id,) in self._rows("SELECT id FROM event ORDER BY seq")]

    def _current(self, table: str, value: str) -> Iterator[tuple[MarkKey, int]]:
        columns = ", ".join(MarkKey._fields)
        statement = f"SELECT {columns}, {value} FROM current_{table} WHERE device_id = ? AND {value} IS NOT NULL"  # noqa: S608
        for *key, mark in self._rows(statement, (self.device_id,)):
            yield MarkKey(*key), mark

    def _rows(self, statement: str, values: tuple[str, ...] = ()) -> list[tuple[Any, ...]]:
        with self._guard("reading the feedback log"):
            return self._db.execute(statement, values).fetchall()

    def _insert(self, event: Event) -> tuple[int, LoggedEvent] | None:
        """Add the event's rows, and return it with the number of its row; None where it is there already."""
        values = (event.id, self.device_id, event.at.isoformat(), __version__)
        statement = "INSERT INTO event (id, device_id, at, program) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"
        added = self._db.execute(statement, values)
        if added.rowcount == 0 or added.lastrowid is None:
            return None
        rows = [row for row in rows_of(event) if self._insert_row(*row)]
        return added.lastrowid, logged(LoggedEvent(event.id, self.device_id, event.at, __version__), rows)

    def _insert_row(self, table: str, row: tuple[Any, ...]) -> bool:
        """Add a row; false for a passage that the search had shown already."""
        marks = ", ".join("?" * len(row))
        again = " ON CONFLICT (search_id, passage_id) DO NOTHING" if table == "shown" else ""
        return bool(self._db.execute(f"INSERT INTO {table} VALUES ({marks}){again}", row).rowcount)  # noqa: S608

    def _open(self, make_id: Callable[[], str]) -> sqlite3.Connection:
        """Open the file while no other program opens it, so that two of them never make or move it at once."""
        make_folder(self._path.parent)
        lock = self._path.with_name(f".{self._path.name}.lock")
        try:
            with FileLock(lock, timeout=self._busy_timeout_s, mode=0o600):
                return self._open_alone(make_id)
        except Timeout as error:
            raise BankInUseError("Another program has been opening the feedback log for long.", _BUSY_ADVICE) from error

    def _open_alone(self, make_id: Callable[[], str]) -> sqlite3.Connection:
        left_behind = self._path.with_name(f"{self._path.name}-wal")
        if not self._path.exists():
            if left_behind.exists() or self._journal.exists():
                raise copies.restore(self._path, self._clock(), sqlite3.DatabaseError("its main file is gone"))
            schema.create(self._path, make_id(), self._clock())
        schema.keep_private(self._path)
        try:
            return self._sound_database()
        except (UsageError, BankNewerError) as error:
            version = copies.version_in(self._journal)
            if version is None or version > len(schema.STEPS):
                raise
            raise copies.restore(self._path, self._clock(), error) from error  # its header is not as it was written
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # SQLite quotes a spoilt layout in its message
            if _is_of_the_system(error):
                raise
            raise copies.restore(self._path, self._clock(), error) from error

    def _sound_database(self) -> sqlite3.Connection:
        """Open a log that says what was written. Raises sqlite3.DatabaseError where it does not."""
        schema.require_sound(self._path)
        database = sqlite3.connect(self._path, isolation_level=None, timeout=self._busy_timeout_s)
        try:
            database.text_factory = partial(str, encoding="utf-8", errors="replace")
            database.execute("PRAGMA foreign_keys=ON")
            database.execute("PRAGMA synchronous=FULL")
            if schema.is_wal(self._path):
                schema.leave_wal(database, self._path)
            else:
                database.execute("PRAGMA journal_mode=TRUNCATE")
            schema.migrate(database, self._path)
            if problem := copies.agree(database, self._path, self._clock()):
                raise problem
        except BaseException:
            database.close()
            raise
        return database

    @contextmanager
    def _guard(self, what: str) -> Iterator[None]:
        """Turn what SQLite and the disk say into errors that tell what to do."""
        try:
            with disk_guard(self._path.parent, what, _SPACE_ADVICE):
                yield
        except sqlite3.OperationalError as error:
            if _primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise BankInUseError("Another program has been writing feedback for long.", _BUSY_ADVICE) from error
            raise BriefBankError(f"{what.capitalize()} failed: {error} ({self._path}).", _WRITE_ADVICE) from error
        except OSError as error:
            raise BriefBankError(f"{what.capitalize()} failed: {error}.", _WRITE_ADVICE) from error
        except (sqlite3.IntegrityError, UnicodeEncodeError) as error:
            raise UsageError(f"The feedback log refuses an event: {error}.") from error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            advice = "It is moved aside, whole, when it is opened next, and made again from its second copy."
            raise BankDamagedError(f"The feedback log {self._path} is damaged: {error}.", advice) from error


def _primary_code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)) & 0xFF


def _is_of_the_system(error: Exception) -> bool:
    """Whether the error tells of another program, the disk or permissions, and nothing of what is in the file."""
    return _primary_code(error) in _OF_THE_SYSTEM
