"""Whether the SQLite files of a bank are sound, and saving what can still be read of one that is not.

Knows what SQLite, Zstandard and the checksums of kept vectors verify, not what the rows mean.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from briefbank.ingest.cache import embedding_checksum
from briefbank.platform.compressed import decompress, is_compressed


def problem_of(database: Path) -> str:
    """What is wrong with a database, in words; empty where nothing is. The file is not changed."""
    try:
        with closing(_opened(database)) as opened:
            found = [row[0] for row in opened.execute("PRAGMA integrity_check(1)")]
            if found != ["ok"]:
                return str(found[0]).splitlines()[0]
            tables = _tables(opened)
            spoilt = sum(not _is_whole(row) for table in tables for row in _rows(opened, table))
    except sqlite3.DatabaseError as error:
        return str(error)
    if not tables:
        return "its tables are gone"
    return f"{spoilt} of its entries are not as they were written" if spoilt else ""


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
                saved += target.execute(insert, tuple(row)).rowcount
        target.execute(f"PRAGMA user_version={source.execute('PRAGMA user_version').fetchone()[0]:d}")
        target.execute("COMMIT")
    return saved


def _opened(database: Path) -> sqlite3.Connection:
    """Open for reading only. One with a write-ahead log that nobody has open is opened without making that log.

    Raises:
        sqlite3.DatabaseError: it is no database, or what has its name is no file.
    """
    if not database.is_file():  # before it is opened: opening a pipe waits for whoever writes to it
        raise sqlite3.DatabaseError("it is a folder, a pipe or a device, not a file")
    with database.open("rb") as file:
        has_log = file.read(20)[18:] == b"\x02\x02"
    is_idle = has_log and not database.with_name(f"{database.name}-wal").exists()
    options = "immutable=1" if is_idle else "mode=ro"
    return sqlite3.connect(f"{database.absolute().as_uri()}?{options}", uri=True)


def _tables(opened: sqlite3.Connection) -> dict[str, str]:
    rows = opened.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return {str(name): str(sql) for name, sql in rows}


def _readable_rows(opened: sqlite3.Connection, table: str) -> Iterator[sqlite3.Row]:
    """Read a table from its start to the damage, and from its end back to it."""
    for direction in ("ASC", "DESC"):
        with suppress(sqlite3.DatabaseError):
            for row in _rows(opened, table, f" ORDER BY 1 {direction}"):
                if _is_whole(row):
                    yield row


def _rows(opened: sqlite3.Connection, table: str, order: str = "") -> Iterator[sqlite3.Row]:
    cursor = opened.cursor()
    cursor.row_factory = sqlite3.Row
    yield from cursor.execute(f"SELECT * FROM {_quoted(table)}{order}")  # noqa: S608


def _is_whole(row: sqlite3.Row) -> bool:
    """Whether all of a row that carries a checksum agrees with it."""
    if "checksum" in row.keys() and row["checksum"] is not None:  # noqa: SIM118
        key, vector = row["key"], row["vector"]
        if not isinstance(key, bytes) or not isinstance(vector, bytes):
            return False  # SQLite keeps values of any type in any column
        if row["checksum"] != embedding_checksum(key, vector):
            return False
    return all(map(_can_be_unpacked, row))


def _can_be_unpacked(value: object) -> bool:
    """Whether a value can be unpacked, if it is packed; frames carry a checksum of their content."""
    if not is_compressed(value):
        return True
    try:
        decompress(value)
    except ValueError:
        return False
    return True


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
