"""The bank's cache: OCR results, passages and embeddings, each under the digest of what it was made from.

Everything in it can be made again from the source files, so nothing that is wrong with it stops a run: a value that is
not as it was kept is as good as none, and a damaged file is deleted and a new one begun. Must not know where its
contents come from.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec
import numpy as np

from briefbank.models.encoders.port import Embeddings
from briefbank.platform.compressed import compress, decompress
from briefbank.platform.disk import is_damage
from briefbank.platform.files import remove_damaged
from briefbank.values.records import Page

T = TypeVar("T")

_LOG = logging.getLogger(__name__)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS item (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS embedding (key BLOB PRIMARY KEY, vector BLOB NOT NULL, checksum BLOB) STRICT;
"""
_ADD_CHECKSUM = "ALTER TABLE embedding ADD COLUMN checksum BLOB"
"""For a cache of an earlier program, which goes on using one that has it."""
_INSERT_EMBEDDING = "INSERT OR REPLACE INTO embedding (key, vector, checksum) VALUES (?, ?, ?)"
OF_A_CONTENT = frozenset({"document", "notes", "directive", "ocr"})
"""The kinds of items that were read from a content, whose SHA-256 is the next part of their key; earlier programs kept
`directive`."""
_SYNCHRONOUS = "PRAGMA synchronous=NORMAL"
"""What a power cut takes of it is made again."""
_CHECKSUM_BYTES = 8
_LENGTH_TOLERANCE = 1e-5
"""How far from 1 the length of a vector without a checksum may be. Encoders of either precision make it 1 in float32,
which leaves at most 2e-7 (60,000 drawn vectors of 256 to 768 numbers). Of single flipped bits in vectors of 384 numbers
it finds 94 % of those in an exponent and 24 % of those in a mantissa, but none of a sign.
"""
_spoilt_letters_replaced = partial(str, encoding="utf-8", errors="replace")
"""Reads a key in which a bit has flipped, which then fits nothing, rather than fail."""
# SQLite takes 999 variables in a statement in the builds that allow the fewest.
_LOOKUP_BATCH = 500


class Cache:
    """The open cache of one bank. Used by one thread at a time; LanceDB draws what it writes from a thread of its own.

    Where the file turns out to be damaged, whatever was in it is missing from then on.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._spoilt_vectors = 0
        try:
            self._db = _connect(path)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self._db = _begin_anew(path)

    def close(self) -> None:
        self._db.close()
        if self._spoilt_vectors:
            _LOG.warning("%d kept vectors were not as they had been written", self._spoilt_vectors)
            self._spoilt_vectors = 0

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
            return decoded(rows[0][0], of)
        except ValueError:
            self._rows("DELETE FROM item WHERE key = ?", (key,))
            return None

    def put(self, key: str, item: object) -> None:
        blob = compress(msgspec.msgpack.encode(item))
        self._rows("INSERT OR REPLACE INTO item (key, value) VALUES (?, ?)", (key, blob))

    def holds(self, key: str) -> bool:
        return bool(self._rows("SELECT 1 FROM item WHERE key = ?", (key,)))

    def forget(self, sha256s: Collection[str]) -> None:
        """Drop what was read from these contents, so that no text stays of files that left the bank: nor in a damaged
        cache, which earlier programs put aside.
        """
        aside = self._path.with_name(f"{self._path.name}.damaged")
        if aside.is_file():
            aside.unlink()
        for (key,) in self._rows("SELECT key FROM item", ()) if sha256s else ():
            kind, _, rest = str(key).partition(":")
            if kind in OF_A_CONTENT and rest.partition(":")[0] in sha256s:
                self._rows("DELETE FROM item WHERE key = ?", (key,))

    def drop(self, keys: Iterable[str]) -> None:
        """Drop the items under these keys."""
        for key in keys:
            self._rows("DELETE FROM item WHERE key = ?", (key,))

    def keys(self, start: str) -> list[str]:
        """The keys of items that start so; the last letter of `start` is in ASCII."""
        end = start[:-1] + chr(ord(start[-1]) + 1)
        return [str(key) for (key,) in self._rows("SELECT key FROM item WHERE key >= ? AND key < ?", (start, end))]

    def contents(self) -> tuple[list[tuple[str, bytes]], list[tuple[bytes, bytes, bytes]]]:
        """Return everything as it is kept, to be taken into another cache: items, and vectors with their checksums."""
        items = self._rows("SELECT key, value FROM item ORDER BY key", ())
        vectors = self._rows("SELECT key, vector, checksum FROM embedding ORDER BY key", ())
        return (
            [(str(key), bytes(value)) for key, value in items],
            [(bytes(key), bytes(vector), bytes(checksum)) for key, vector, checksum in vectors],
        )

    def take(self, items: Iterable[tuple[str, bytes]], vectors: Iterable[tuple[bytes, bytes, bytes]]) -> None:
        """Keep what another cache held, all or none; it is on the disk when this returns, for who read it removes it.

        Raises ValueError where a vector is not as it was kept there.
        """
        rows, kept = list(items), list(vectors)
        if any(checksum != embedding_checksum(key, vector) for key, vector, checksum in kept):
            raise ValueError("a vector is not as it was kept")
        self._mended(lambda: self._take(rows, kept))

    def _take(self, items: list[tuple[str, bytes]], vectors: list[tuple[bytes, bytes, bytes]]) -> None:
        self._db.execute("PRAGMA synchronous=FULL")
        try:
            with self._all_or_none():
                self._db.executemany("INSERT OR REPLACE INTO item (key, value) VALUES (?, ?)", items)
                self._db.executemany(_INSERT_EMBEDDING, vectors)
        finally:
            self._db.execute(_SYNCHRONOUS)

    def clear(self) -> None:
        """Drop everything."""
        for table in ("item", "embedding"):
            self._rows(f"DELETE FROM {table}", ())  # noqa: S608  # a constant

    def renew_if_damaged(self) -> None:
        """Have SQLite verify the whole file, and begin a new one where it finds fault: what is put into a damaged one
        may not be found again.
        """
        if self._rows("PRAGMA integrity_check(1)", ()) != [("ok",)]:
            self._renew()

    def embeddings(self, keys: Sequence[bytes]) -> dict[bytes, Embeddings]:
        """Return the vectors that are there, by key, each of shape (dimension,), without those that are not as they
        were kept.
        """
        found: dict[bytes, Embeddings] = {}
        unverified: dict[bytes, Embeddings] = {}
        # Copies of a text share a key: asked for in two batches, it would come back twice and count as spoilt.
        rows = self._embedding_rows(list(dict.fromkeys(keys)))
        for key, vector, checksum in rows:
            if checksum == embedding_checksum(key, vector):
                found[key] = np.frombuffer(vector, dtype=np.float32)
            elif checksum is None and _has_length_one(vector):
                unverified[key] = np.frombuffer(vector, dtype=np.float32)
        self._spoilt_vectors += len(rows) - len(found) - len(unverified)
        if unverified:  # an earlier program kept them; from now on they can be verified
            self.put_embeddings(unverified)
        return found | unverified

    def _embedding_rows(self, keys: Sequence[bytes]) -> list[tuple[bytes, bytes, bytes | None]]:
        rows: list[tuple[Any, ...]] = []
        for start in range(0, len(keys), _LOOKUP_BATCH):
            batch = keys[start : start + _LOOKUP_BATCH]
            marks = ",".join("?" * len(batch))
            rows += self._rows(f"SELECT key, vector, checksum FROM embedding WHERE key IN ({marks})", batch)  # noqa: S608
        return rows

    def put_embeddings(self, vectors: Mapping[bytes, Embeddings]) -> None:
        """Keep all of the vectors or none."""
        self._mended(lambda: self._insert_embeddings(vectors))

    def _insert_embeddings(self, vectors: Mapping[bytes, Embeddings]) -> None:
        blobs = ((key, vector.tobytes()) for key, vector in vectors.items())
        rows = ((key, blob, embedding_checksum(key, blob)) for key, blob in blobs)
        with self._all_or_none():
            self._db.executemany(_INSERT_EMBEDDING, rows)

    @contextmanager
    def _all_or_none(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # SQLite ends it by itself where the disk is full
                self._db.execute("ROLLBACK")
            raise

    def _rows(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        return self._mended(lambda: self._db.execute(statement, values).fetchall())

    def _mended(self, do: Callable[[], T]) -> T:
        """Do it; where the file turns out to be damaged, do it once more in a new one."""
        try:
            return do()
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self._renew()
            return do()

    def _renew(self) -> None:
        self.close()
        self._db = _begin_anew(self._path)


def decoded(blob: bytes, of: type[T]) -> T:
    """Return an item as the cache keeps it. Raises ValueError where it is none of that type."""
    return msgspec.msgpack.decode(decompress(blob), type=of)


def embedding_checksum(key: bytes, vector: bytes) -> bytes:
    """What is kept with a vector, to tell whether both are still as they were."""
    return hashlib.blake2b(key + vector, digest_size=_CHECKSUM_BYTES).digest()


def _has_length_one(vector: bytes) -> bool:
    """All that can be verified of a vector without a checksum: encoders make no other."""
    if len(vector) % np.dtype(np.float32).itemsize:
        return False
    return bool(
        abs(np.linalg.norm(np.frombuffer(vector, dtype=np.float32).astype(np.float64)) - 1.0) < _LENGTH_TOLERANCE
    )


def _opened_to_read(path: Path) -> sqlite3.Connection:
    """Raises sqlite3.Error where it is none."""
    if not path.is_file():  # opening a pipe waits for whoever writes to it
        raise sqlite3.OperationalError(f"{path.name} is no file")
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        database.execute("SELECT 1 FROM item LIMIT 1")
    except sqlite3.OperationalError:
        # With no run at work, SQLite wants to put its index of changes beside the file, which a confined process and a
        # share that is only read do not allow. There are no changes then, so that the file alone will do.
        database.close()
        return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    return database


def stored(path: Path, keys: Iterable[str], of: type[T]) -> Iterator[tuple[str, T]]:
    """Yield the items under these keys without writing anything; those that are not there or cannot be read are left
    out.
    """
    try:
        with closing(_opened_to_read(path)) as database:
            for key in keys:
                for (blob,) in database.execute("SELECT value FROM item WHERE key = ?", (key,)):
                    with suppress(ValueError):
                        yield key, decoded(blob, of)
    except sqlite3.Error as error:
        _LOG.warning("stored items cannot be read: %s", type(error).__name__)


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
    try:
        with closing(_opened_to_read(path)) as database:
            database.text_factory = _spoilt_letters_replaced
            low, high = f"ocr:{sha256}:", f"ocr:{sha256};"
            statement = "SELECT key, value FROM item WHERE key > ? AND key < ? ORDER BY key"
            for key, blob in database.execute(statement, (low, high)):
                number, _, reading = key.removeprefix(low).partition(":")
                if readings and reading not in readings:
                    continue
                page = _stored_page(blob, number)
                rank = readings.index(reading) if readings else 0
                if page and rank <= ranks.get(page.number, rank):
                    pages[page.number], ranks[page.number] = page, rank
    except sqlite3.Error as error:
        _LOG.warning("stored OCR pages cannot be read: %s", type(error).__name__)
    return pages


def _stored_page(blob: bytes, number: str) -> Page | None:
    """The page, if it can be decoded and is the one that its key names, in which a bit may have flipped."""
    try:
        page = msgspec.msgpack.decode(decompress(blob), type=Page)
    except ValueError as error:
        _LOG.warning("a stored OCR page cannot be read: %s", type(error).__name__)
        return None
    return page if str(page.number) == number else None


def _begin_anew(path: Path) -> sqlite3.Connection:
    _LOG.warning("the cache is damaged and was deleted; what was in it is made again")
    remove_damaged(path)  # not kept: nothing would ever take the text of briefs that left the bank out of it
    return _connect(path)


def _connect(path: Path) -> sqlite3.Connection:
    """Open the file. It keeps SQLite's write-ahead log, which is quicker for large items: the writer's lock lets one
    connection write at a time, so that the fault of SQLite before 3.51.3 is not met, and all of it can be made again.
    """
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    database.text_factory = _spoilt_letters_replaced
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute(_SYNCHRONOUS)
        database.execute("PRAGMA secure_delete=ON")
        database.executescript(_SCHEMA)
        if "checksum" not in {column[1] for column in database.execute("PRAGMA table_info(embedding)")}:
            database.execute(_ADD_CHECKSUM)
    except sqlite3.DatabaseError:
        database.close()
        raise
    return database
