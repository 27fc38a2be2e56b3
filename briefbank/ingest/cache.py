"""The bank's cache: OCR results, passages and embeddings, each under the digest of what it was made from.

Everything in it can be made again from the source files, so a damaged cache is put aside, never repaired. Must not
know where its contents come from.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec
import numpy as np
import zstandard

from briefbank.errors import BankDamagedError
from briefbank.models.encoders.port import Embeddings
from briefbank.platform.files import put_aside
from briefbank.records import Page

T = TypeVar("T")

_LOG = logging.getLogger(__name__)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS item (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS embedding (key BLOB PRIMARY KEY, vector BLOB NOT NULL) STRICT;
"""
# SQLite takes 999 variables in a statement in the builds that allow the fewest.
_LOOKUP_BATCH = 500


class Cache:
    """The open cache of one bank. Used by one thread at a time; LanceDB draws what it writes from a thread of its own.

    Every method raises BankDamagedError where the file turns out to be damaged.
    """

    def __init__(self, path: Path) -> None:
        self._compress = zstandard.ZstdCompressor(level=3, write_checksum=True).compress
        self._decompress = zstandard.ZstdDecompressor().decompress
        self._path = path
        try:
            self._db = _connect(path)
        except sqlite3.OperationalError:  # locked, or no space: no damage
            raise
        except sqlite3.DatabaseError:
            put_aside(path)
            self._db = _connect(path)

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, key: str, of: type[T]) -> T | None:
        """Return the item under `key`, or None where there is none; one that cannot be decoded is dropped."""
        rows = self._rows("SELECT value FROM item WHERE key = ?", (key,))
        if not rows:
            return None
        try:
            return msgspec.msgpack.decode(self._decompress(rows[0][0]), type=of)
        except (msgspec.DecodeError, zstandard.ZstdError):
            self._rows("DELETE FROM item WHERE key = ?", (key,))
            return None

    def put(self, key: str, item: object) -> None:
        blob = self._compress(msgspec.msgpack.encode(item))
        self._rows("INSERT OR REPLACE INTO item (key, value) VALUES (?, ?)", (key, blob))

    def holds(self, key: str) -> bool:
        return bool(self._rows("SELECT 1 FROM item WHERE key = ?", (key,)))

    def forget(self, sha256s: Collection[str]) -> None:
        """Drop what was read from these contents, so that no text stays of files that left the bank."""
        for (key,) in self._rows("SELECT key FROM item", ()) if sha256s else ():
            kind, _, rest = str(key).partition(":")
            if kind in ("document", "notes", "ocr") and rest.partition(":")[0] in sha256s:
                self._rows("DELETE FROM item WHERE key = ?", (key,))

    def embeddings(self, keys: Sequence[bytes]) -> dict[bytes, Embeddings]:
        """Return the vectors that are there, by key, each of shape (dimension,)."""
        found: dict[bytes, Embeddings] = {}
        for start in range(0, len(keys), _LOOKUP_BATCH):
            batch = keys[start : start + _LOOKUP_BATCH]
            marks = ",".join("?" * len(batch))
            rows = self._rows(f"SELECT key, vector FROM embedding WHERE key IN ({marks})", batch)  # noqa: S608
            found.update((key, np.frombuffer(blob, dtype=np.float32)) for key, blob in rows)
        return found

    def put_embeddings(self, vectors: Mapping[bytes, Embeddings]) -> None:
        """Keep all of the vectors or none."""
        rows: Iterable[tuple[bytes, bytes]] = ((key, vector.tobytes()) for key, vector in vectors.items())
        with self._guard():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany("INSERT OR REPLACE INTO embedding (key, vector) VALUES (?, ?)", rows)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # SQLite ends it by itself where the disk is full
                    self._db.execute("ROLLBACK")
                raise

    def _rows(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        with self._guard():
            return self._db.execute(statement, values).fetchall()

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Put the file aside where it turns out to be damaged."""
        try:
            yield
        except sqlite3.OperationalError:  # locked, no space, a failing disk: no damage
            raise
        except sqlite3.DatabaseError as error:
            self.close()
            put_aside(self._path)
            advice = "Run the same command again; the files are read again, the bank searches meanwhile as before."
            message = f"The cache of this bank, {self._path}, is damaged and was put aside."
            raise BankDamagedError(message, advice) from error


def ocr_key(sha256: str, number: int, reading: str) -> str:
    """Under what a page that OCR has read is kept. `reading` names the engines, the resolution and the languages."""
    return f"ocr:{sha256}:{number}:{reading}"


def stored_ocr_pages(path: Path, sha256: str, readings: Sequence[str] = ()) -> dict[int, Page]:
    """Return the pages of a file that OCR has read, by number, without writing anything; none where there is no cache.

    Of several readings of a page (other engines, other resolutions) that of the index is taken: the first of
    `readings` that is there. Where the index does not name its readings (one written before 0.1.0 was released), it is
    the last by key.
    """
    pages: dict[int, Page] = {}
    ranks: dict[int, int] = {}
    decompress = zstandard.ZstdDecompressor().decompress
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            low, high = f"ocr:{sha256}:", f"ocr:{sha256};"
            statement = "SELECT key, value FROM item WHERE key > ? AND key < ? ORDER BY key"
            for key, blob in database.execute(statement, (low, high)):
                reading = key.split(":", 3)[3]
                if readings and reading not in readings:
                    continue
                page = msgspec.msgpack.decode(decompress(blob), type=Page)
                rank = readings.index(reading) if readings else 0
                if rank <= ranks.get(page.number, rank):
                    pages[page.number], ranks[page.number] = page, rank
    except (sqlite3.Error, msgspec.DecodeError, zstandard.ZstdError) as error:
        _LOG.warning("stored OCR pages cannot be read: %s", type(error).__name__)
    return pages


def _connect(path: Path) -> sqlite3.Connection:
    """Open the file. It keeps SQLite's write-ahead log, which is quicker for large items: the writer's lock lets one
    connection write at a time, so that the fault of SQLite before 3.51.3 is not met, and all of it can be made again.
    """
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute("PRAGMA secure_delete=ON")
        database.executescript(_SCHEMA)
    except sqlite3.DatabaseError:
        database.close()
        raise
    return database
