"""Whether the SQLite files of a bank are sound, and saving what can still be read of one that is not.

Knows what SQLite and Zstandard verify, not what the rows mean.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import zstandard

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


def problem_of(database: Path) -> str:
    """What is wrong with a database, in words; empty where nothing is. The file is not changed."""
    try:
        with closing(_opened(database)) as opened:
            found = [row[0] for row in opened.execute("PRAGMA integrity_check(1)")]
            if found != ["ok"]:
                return str(found[0]).splitlines()[0]
            tables = _tables(opened)
            unreadable = sum(1 for table in tables for _ in _unreadable_rows(opened, table))
    except sqlite3.DatabaseError as error:
        return str(error)
    if not tables:
        return "its tables are gone"
    return f"{unreadable} of its entries cannot be unpacked" if unreadable else ""


def save_readable(damaged: Path, fresh: Path) -> int:
    """Copy all rows that can still be read, and are whole, into a new database of the same shape; return how many."""
    saved = 0
    with closing(sqlite3.connect(fresh, isolation_level=None)) as target, closing(_opened(damaged)) as source:
        target.execute("BEGIN")
        for name, sql in _tables(source).items():
            target.execute(sql)
            marks = ",".join("?" * len(source.execute(f"SELECT * FROM {_quoted(name)} LIMIT 0").description))  # noqa: S608
            for row in _readable_rows(source, name):
                insert = f"INSERT OR IGNORE INTO {_quoted(name)} VALUES ({marks})"  # noqa: S608
                saved += target.execute(insert, row).rowcount
        target.execute(f"PRAGMA user_version={source.execute('PRAGMA user_version').fetchone()[0]:d}")
        target.execute("COMMIT")
    return saved


def _opened(database: Path) -> sqlite3.Connection:
    """Open for reading only. One with a write-ahead log that nobody has open is opened without making that log."""
    with database.open("rb") as file:
        has_log = file.read(20)[18:] == b"\x02\x02"
    is_idle = has_log and not database.with_name(f"{database.name}-wal").exists()
    options = "immutable=1" if is_idle else "mode=ro"
    return sqlite3.connect(f"{database.absolute().as_uri()}?{options}", uri=True)


def _tables(opened: sqlite3.Connection) -> dict[str, str]:
    rows = opened.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return {str(name): str(sql) for name, sql in rows}


def _readable_rows(opened: sqlite3.Connection, table: str) -> Iterator[tuple[object, ...]]:
    """Read a table from its start to the damage, and from its end back to it."""
    for direction in ("ASC", "DESC"):
        with suppress(sqlite3.DatabaseError):
            for row in opened.execute(f"SELECT * FROM {_quoted(table)} ORDER BY 1 {direction}"):  # noqa: S608
                if all(_is_whole(value) for value in row):
                    yield row


def _unreadable_rows(opened: sqlite3.Connection, table: str) -> Iterator[tuple[object, ...]]:
    for row in opened.execute(f"SELECT * FROM {_quoted(table)}"):  # noqa: S608
        if not all(_is_whole(value) for value in row):
            yield row


def _is_whole(value: object) -> bool:
    """Whether a value can be unpacked, if it is packed; frames carry a checksum of their content."""
    if not isinstance(value, bytes) or not value.startswith(_ZSTD_MAGIC):
        return True
    try:
        zstandard.ZstdDecompressor().decompress(value)
    except zstandard.ZstdError:
        return False
    return True


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
