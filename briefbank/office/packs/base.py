"""The earlier generation that a delta pack leaves out: its chunks, and where each lies.

Files are cut where their content says so, so that what is inserted moves no other cut. The cuts are those of a rolling
hash over the last 16 bytes ("gear"), computed for a whole block at once. They are part of the pack format: other cuts
would make every delta a whole pack. Knows nothing of signatures.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from briefbank.errors import BankDamagedError
from briefbank.index.manifest import find_damage, read_info
from briefbank.office.packs.contents import GENERATION_MANIFEST, generation_sources
from briefbank.office.packs.format import GENERATION, BaseFile, PackManifest
from briefbank.office.packs.references import Gaps, numbers_start
from briefbank.platform.files import file_sha256

SMALLEST_BYTES = 2_048
LARGEST_BYTES = 65_536
_USUAL_BITS = 13
"""A cut every 8 KiB or so beyond the smallest chunk."""
_BLOCK_BYTES = 1 << 18
_WINDOW_STEPS = (1, 2, 4, 8)
DIGEST_BYTES = 16
"""What is kept of a chunk's SHA-256. Files are verified by the whole of theirs: this finds what is likely there."""

_READ_BYTES = 1 << 20
_CHUNK = struct.Struct(f"<I{DIGEST_BYTES}s")


def _gear() -> npt.NDArray[np.uint32]:
    """A fixed number for each byte."""
    made = b"".join(hashlib.sha256(bytes([byte])).digest()[:4] for byte in range(256))
    return np.frombuffer(made, dtype="<u4").astype(np.uint32)


_GEAR = _gear()


def chunk_digest(chunk: bytes) -> bytes:
    """What a chunk is known by."""
    return hashlib.sha256(chunk).digest()[:DIGEST_BYTES]


class Chunker:
    """Takes a stream in pieces of any size; the chunks do not depend on them."""

    def __init__(self) -> None:
        self._pending = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the chunks that end within the bytes given so far."""
        stream = self._pending + data
        candidates = _candidates(stream)
        last = 0
        while True:
            at = int(np.searchsorted(candidates, last + SMALLEST_BYTES))
            end = int(candidates[at]) if at < len(candidates) else len(stream) + LARGEST_BYTES
            end = min(end, last + LARGEST_BYTES)
            if end > len(stream):
                break
            yield stream[last:end]
            last = end
        self._pending = stream[last:]

    def finish(self) -> Iterator[bytes]:
        """Yield what is left at the end of the stream."""
        if self._pending:
            yield self._pending
        self._pending = b""


def _candidates(stream: bytes) -> npt.NDArray[np.int64]:
    """The offsets behind which the hash asks for a cut. Those of the first 15 bytes lie below the smallest chunk."""
    data = np.frombuffer(stream, dtype=np.uint8)
    found = []
    for start in range(0, len(data), _BLOCK_BYTES):
        lead = min(start, sum(_WINDOW_STEPS))
        rolling = _GEAR[data[start - lead : start + _BLOCK_BYTES]]
        for step in _WINDOW_STEPS:
            earlier = rolling[:-step] << np.uint32(step)
            rolling[step:] += earlier
        found.append(np.flatnonzero(rolling[lead:] >> np.uint32(32 - _USUAL_BITS) == 0) + start + 1)
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Base:
    """What is already there where a delta is installed. `places` says in which file, and where, a chunk lies; `folder`
    is the earlier generation itself, where it is at hand.
    """

    generation: str
    digest: str
    encoder_digest: str
    files: tuple[BaseFile, ...]
    places: dict[bytes, tuple[int, int]]
    folder: Path | None = None

    @classmethod
    def of_folder(cls, folder: Path) -> Self:
        """Cut up a generation that the bank still holds. Raises BankDamagedError where it is not as it was written."""
        if damage := find_damage(folder):
            raise BankDamagedError(damage[0].message, "Name another, or pack the whole index. See briefbank check.")
        files: list[BaseFile] = []
        places: dict[bytes, tuple[int, int]] = {}
        for source in generation_sources(folder):
            start = numbers_start(source.file)
            chunks = ((len(chunk), chunk_digest(chunk)) for chunk in stream_chunks(read_pieces(source.file), start))
            _note(places, len(files), chunks)
            files.append(BaseFile(source.path.removeprefix(GENERATION), start))
        digest = file_sha256(folder / GENERATION_MANIFEST)
        return cls(folder.name, digest, read_info(folder).encoder_digest, tuple(files), places, folder)

    @classmethod
    def of_manifest(cls, manifest: PackManifest) -> Self:
        """Take the chunks that an earlier pack names."""
        packed = [file for file in manifest.files if file.path.startswith(GENERATION)]
        places: dict[bytes, tuple[int, int]] = {}
        for number, file in enumerate(packed):
            _note(places, number, _CHUNK.iter_unpack(file.chunks))
        files = tuple(BaseFile(file.path.removeprefix(GENERATION), file.numbers_start) for file in packed)
        return cls(manifest.generation, manifest.digest, manifest.encoder_digest, files, places)


def pack_chunk(chunk: bytes, digest: bytes) -> bytes:
    """A chunk's entry in the manifest."""
    return _CHUNK.pack(len(chunk), digest)


def are_chunks(chunks: bytes) -> bool:
    """Whether the entries of a manifest are whole."""
    return len(chunks) % _CHUNK.size == 0


def read_pieces(file: Path) -> Iterator[bytes]:
    """A file, piece by piece."""
    with file.open("rb") as opened:
        while piece := opened.read(_READ_BYTES):
            yield piece


def stream_chunks(pieces: Iterable[bytes], start: int) -> Iterator[bytes]:
    """The chunks of a file's stream, its numbers as gaps."""
    gaps, chunker = Gaps(start), Chunker()
    for piece in pieces:
        yield from chunker.feed(gaps.forward(piece))
    yield from chunker.feed(gaps.finish())
    yield from chunker.finish()


def _note(places: dict[bytes, tuple[int, int]], file: int, chunks: Iterable[tuple[int, bytes]]) -> None:
    offset = 0
    for length, digest in chunks:
        places.setdefault(digest, (file, offset))
        offset += length
