"""The cache gives back what was put into it, and a damaged one makes way."""

from __future__ import annotations

import errno
import hashlib
import random
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from briefbank.ingest.cache import Cache
from briefbank.models.encoders.port import Embeddings


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LaterItem:
    name: str
    pages: tuple[int, ...]
    court: str


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache.sqlite"


def test_an_item_of_an_older_shape_is_dropped(path: Path) -> None:
    with Cache(path) as cache:
        cache.put("a", Item("brief", (1,)))
        assert cache.get("a", LaterItem) is None
        assert not cache.holds("a")


def test_a_text_that_stands_in_many_documents_is_not_called_spoilt(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    keys = [n.to_bytes(2, "big") for n in range(600)]
    with Cache(path) as cache:
        cache.put_embeddings(dict.fromkeys(keys, np.ones(4, dtype=np.float32)))
        assert cache.embeddings([*keys, *keys]).keys() == set(keys)
    assert not caplog.records


def units(count: int) -> dict[bytes, Embeddings]:
    """Vectors of length 1, as encoders make them."""
    drawn = np.random.default_rng(7).normal(size=(count, 8)).astype(np.float32)
    return {bytes([n]) * 32: vector / np.linalg.norm(vector) for n, vector in enumerate(drawn)}


def flip(path: Path, place: int, bit: int) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ 1 << bit]))


def test_the_vectors_of_an_older_cache_serve_and_are_verified_from_then_on(path: Path) -> None:
    vectors = units(3)
    key, vector = list(vectors.items())[1]
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE embedding (key BLOB PRIMARY KEY, vector BLOB NOT NULL) STRICT")
    database.executemany("INSERT INTO embedding VALUES (?, ?)", [(k, v.tobytes()) for k, v in vectors.items()])
    database.commit()
    database.close()
    for _ in range(2):
        with Cache(path) as cache:
            found = cache.embeddings(list(vectors))
        assert all(np.array_equal(found[k], v) for k, v in vectors.items())
    flip(path, path.read_bytes().index(vector.tobytes()), 0)
    with Cache(path) as cache:
        assert cache.embeddings(list(vectors)).keys() == vectors.keys() - {key}


def test_a_vector_of_an_older_cache_that_no_encoder_made_is_not_used(path: Path) -> None:
    key, vector = next(iter(units(1).items()))
    spoilt = vector.copy()
    spoilt.view(np.uint32)[0] ^= 1 << 30  # the highest bit of an exponent
    with Cache(path) as cache:
        cache.put_embeddings({key: vector})
    for blob in (spoilt.tobytes(), vector.tobytes()[:-3], vector.tobytes()[:-4]):
        database = sqlite3.connect(path)
        database.execute("UPDATE embedding SET vector = ?, checksum = NULL", (blob,))
        database.commit()
        database.close()
        with Cache(path) as cache:
            assert cache.embeddings([key]) == {}


def test_a_cache_with_a_flipped_bit_gives_back_what_was_kept_or_nothing(path: Path) -> None:
    vectors = units(40)
    # No two keys differ in one bit, as with digests.
    items = {hashlib.sha256(bytes([n])).hexdigest(): Item("brief" * n, tuple(range(n))) for n in range(20)}
    key, another = list(items)[7], Item("another", (7,))
    with Cache(path) as cache:
        for name, item in items.items():
            cache.put(name, item)
        cache.put_embeddings(vectors)
    whole = path.read_bytes()
    chance = random.Random(3)  # a seed, so that a failure can be repeated
    for _ in range(400):
        place, bit = chance.randrange(len(whole)), chance.randrange(8)
        path.write_bytes(whole)
        flip(path, place, bit)
        with Cache(path) as cache:
            assert all(cache.get(name, Item) in (None, item) for name, item in items.items()), (place, bit)
            found = cache.embeddings(list(vectors))
            assert all(np.array_equal(vectors[name], vector) for name, vector in found.items()), (place, bit)
            cache.forget({"a content that is gone"})
            cache.renew_if_damaged()
            cache.put_embeddings(vectors)
            cache.put(key, another)
            assert cache.embeddings(list(vectors)).keys() == vectors.keys(), (place, bit)
            assert cache.get(key, Item) == another, (place, bit)


def test_vectors_that_cannot_be_written_leave_the_cache_usable(path: Path) -> None:
    class Unreadable(dict[bytes, object]):
        def items(self) -> Iterator[tuple[bytes, object]]:  # type: ignore[override]
            yield b"a", np.zeros(4, dtype=np.float32)
            raise OSError(errno.EIO, "the encoder's memory is gone")

    with Cache(path) as cache:
        with pytest.raises(OSError, match="gone"):
            cache.put_embeddings(Unreadable())  # type: ignore[arg-type]
        assert cache.embeddings([b"a"]) == {}
        cache.put_embeddings({b"b": np.ones(4, dtype=np.float32)})
        assert list(cache.embeddings([b"a", b"b"])) == [b"b"]


def test_a_cache_that_is_locked_is_not_taken_for_damaged(path: Path) -> None:
    with Cache(path) as cache:
        cache.put("a", Item("brief", ()))
    other = sqlite3.connect(path, timeout=0, isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            Cache(path)
    finally:
        other.close()
    assert not path.with_name(f"{path.name}.damaged").exists()


def test_what_was_read_from_a_forgotten_content_is_gone_from_the_file(path: Path) -> None:
    with Cache(path) as cache:
        cache.put("document:aa:1", "the text of a brief that left")
        cache.put("ocr:aa:3:tesseract", "its third page")
        cache.put("notes:aa:1", "where its sentences begin")
        cache.put("directive:aa:1", "what it says of a case")
        cache.put("document:bb:1", "another")
        cache.forget({"aa"})
        left = ("document:aa:1", "ocr:aa:3:tesseract", "notes:aa:1", "directive:aa:1", "document:bb:1")
        assert [key for key in left if cache.holds(key)] == ["document:bb:1"]


def test_a_damaged_cache_that_an_earlier_program_put_aside_goes_with_the_next_run(path: Path) -> None:
    aside = path.with_name(f"{path.name}.damaged")
    aside.write_bytes(b"the text of a brief that left")
    with Cache(path) as cache:
        cache.forget(())
    assert not aside.exists()
