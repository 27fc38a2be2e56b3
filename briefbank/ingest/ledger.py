"""The ledger: what became of every source file. SQLite, one row a file, committed file by file.

Must not know how files are read; it survives a crash between any two statements.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar

from briefbank.errors import BankDamagedError, BankNewerError
from briefbank.platform import versions
from briefbank.platform.disk import is_damage

T = TypeVar("T")

_SCHEMA = """
CREATE TABLE file (
    path TEXT PRIMARY KEY,
    size_bytes INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    sha256 TEXT,
    error_code TEXT,
    error TEXT,
    advice TEXT,
    note TEXT NOT NULL DEFAULT '',
    overrides TEXT NOT NULL DEFAULT '{}',
    read_at TEXT NOT NULL
) STRICT;
"""
_DAMAGED = (
    "Remove that file and index the folder again, or run briefbank check --repair; everything already read is found in "
    "the cache."
)
_NO_OVERRIDES = "{}"
_COLUMNS = "path, size_bytes, mtime_ns, sha256, error_code, error, advice, note, overrides, read_at"


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One source file: read (`error_code` None) or failed. `overrides` is the metadata that IT gave for it."""

    path: str
    size_bytes: int
    mtime_ns: int
    sha256: str | None
    error_code: str | None = None
    error: str | None = None
    advice: str | None = None
    note: str = ""
    """What is missing from a file that was read all the same: "OCR gave up on page 3"."""
    overrides: Mapping[str, str] = field(default_factory=dict)
    read_at: str = ""

    @property
    def is_failed(self) -> bool:
        return self.error_code is not None


class Ledger:
    """The open ledger of one bank. Used from one thread.

    It keeps SQLite's rollback journal: a write-ahead log could not be read on a read-only disk.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("PRAGMA synchronous=FULL")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                self._db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version={versions.LEDGER}; COMMIT;")
        except sqlite3.DatabaseError as error:
            _name_damage(error, path)
            raise
        if version > versions.LEDGER:
            raise BankNewerError(
                f"The ledger has version {version}; this program reads up to {versions.LEDGER}.",
                "Install the newer BriefBank that wrote it.",
            )

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def entries(self) -> dict[str, LedgerEntry]:
        """Return the entries by path, in the order of their paths.

        Raises:
            BankDamagedError: they cannot be read.
        """
        with self._guard():
            rows = self._db.execute(f"SELECT {_COLUMNS} FROM file ORDER BY path")  # noqa: S608  # a constant
            try:
                entries = [_entry(*row) for row in rows]
            except ValueError as error:
                raise BankDamagedError(f"The ledger {self._path} is damaged.", _DAMAGED) from error
        return {each.path: each for each in entries}

    def record(self, entry: LedgerEntry) -> None:
        """Write one file's outcome; it is on the disk when this returns.

        Raises:
            BankDamagedError: the ledger is damaged.
        """
        values = (
            entry.path, entry.size_bytes, entry.mtime_ns, entry.sha256, entry.error_code, entry.error, entry.advice,
            entry.note, json.dumps(dict(entry.overrides), sort_keys=True), entry.read_at,
        )  # fmt: skip
        marks = ",".join("?" * len(values))
        with self._guard():
            self._db.execute(f"INSERT OR REPLACE INTO file ({_COLUMNS}) VALUES ({marks})", values)  # noqa: S608

    def forget(self, paths: Iterable[str]) -> None:
        """Drop files that are gone from their folder."""
        gone = [(path,) for path in paths]
        with self._guard(), self._db:  # `with` a connection rolls back what fails
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("DELETE FROM file WHERE path = ?", gone)

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Name a damaged file; what is no damage (locked, no space, a failing disk) is passed on."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            _name_damage(error, self._path)
            raise


def _name_damage(error: sqlite3.DatabaseError, path: Path) -> None:
    """Raise BankDamagedError, without what a row holds, unless the error is of no damage."""
    if is_damage(error) or not isinstance(error, sqlite3.OperationalError):
        raise BankDamagedError(f"The ledger {path} is damaged.", _DAMAGED) from error


def below(entries: Mapping[str, T], folder: Path) -> dict[str, T]:
    """Return those of the entries, or of other values by path, that lie below a folder, in their order."""
    start = os.path.normcase(os.path.join(folder, ""))  # noqa: PTH118  # a Path of each of thousands takes its time
    return {path: entry for path, entry in entries.items() if os.path.normcase(path).startswith(start)}


def _entry(*row: Any) -> LedgerEntry:
    path, size, mtime, sha256, code, error, advice, note, overridden, read_at = row
    overrides = json.loads(overridden) if overridden != _NO_OVERRIDES else {}
    return LedgerEntry(path, size, mtime, sha256, code, error, advice, note, overrides, read_at)
