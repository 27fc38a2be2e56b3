"""The earlier generation that a delta pack leaves out: its chunks, and where each lies. Knows nothing of signatures."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from briefbank.errors import BankDamagedError
from briefbank.index.generation import find_damage, read_info
from briefbank.office.packs.chunks import DIGEST_BYTES, Chunker, chunk_digest
from briefbank.office.packs.contents import GENERATION_MANIFEST, generation_sources
from briefbank.office.packs.format import GENERATION, BaseFile, PackManifest
from briefbank.office.packs.gaps import Gaps, numbers_start
from briefbank.platform.files import file_sha256

_READ_BYTES = 1 << 20
_CHUNK = struct.Struct(f"<I{DIGEST_BYTES}s")


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
