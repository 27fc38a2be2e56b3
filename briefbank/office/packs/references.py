"""What a delta's blocks are compressed against: the stretch of the earlier generation that most resembles them; and
ascending numbers written as the gaps between them, which makes arrays of postings a third as large.

Chunks find what stayed the same for kilobytes; arrays of postings change every few hundred bytes. The writer names the
stretch, so that how it is guessed is no part of the format. Gaps are taken in `.npy` files of 32-bit integers and wrap
around, so that any numbers come back as they were. Knows nothing of signatures.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

import numpy as np
import numpy.typing as npt
import zstandard

from briefbank.office.packs.format import LARGEST_REFERENCE_BYTES, NO_REFERENCE, BaseFile, Reference

NO_GAPS = 0
_MAGIC = b"\x93NUMPY\x01\x00"
_INTEGERS = ("<i4", "<u4")
_WIDTH = 4

Numbers = npt.NDArray[np.uint32]

SPAN_BYTES = 4 << 20
"""How far apart in the earlier file the chunks of one block may lie."""
_SLACK_BYTES = (LARGEST_REFERENCE_BYTES - SPAN_BYTES) // 2
_MOST_DRIFT = 0.05
"""Of a file's size: a chunk found farther from its share of the file is there by chance."""
_LEVEL = 6
"""Level 9 made the pack of a real index 1.5 % smaller in twice the time."""
_AGAINST = zstandard.ZstdCompressionParameters(
    window_log=24, hash_log=22, chain_log=23, search_log=5, min_match=6, strategy=zstandard.STRATEGY_LAZY2
)
"""Matches of six bytes and more: shorter ones of 32-bit numbers are found everywhere, and hide the long ones."""

Packed = tuple[bytes, Reference]
"""A compressed block, and what it was compressed against."""
Place = tuple[int, int]
"""A file of the earlier generation, by number, and an offset in its stream."""


def numbers_start(file: Path) -> int:
    """The offset at which a file's 32-bit integers start, or NO_GAPS where it does not hold such."""
    with file.open("rb") as opened:
        lead = opened.read(len(_MAGIC) + 2)
        if file.suffix != ".npy" or len(lead) != len(_MAGIC) + 2 or not lead.startswith(_MAGIC):
            return NO_GAPS
        length = int.from_bytes(lead[-2:], "little")
        header = opened.read(length)
    try:
        described = ast.literal_eval(header.decode("latin-1").strip())
    except (ValueError, SyntaxError):
        return NO_GAPS
    is_integers = isinstance(described, dict) and described.get("descr") in _INTEGERS
    return len(lead) + length if is_integers else NO_GAPS


class Gaps:
    """Turns one file's stream into gaps, or back; with NO_GAPS as its start it leaves the stream alone."""

    def __init__(self, start: int) -> None:
        self._start = start
        self._at = 0
        self._last = np.zeros(1, dtype=np.uint32)
        self._rest = b""

    def forward(self, data: bytes) -> bytes:
        """The next bytes of the stream of gaps."""
        return self._turned(data, self._to_gaps)

    def back(self, data: bytes) -> bytes:
        """The next bytes of the file."""
        return self._turned(data, self._to_numbers)

    def finish(self) -> bytes:
        """The bytes behind the last whole number."""
        rest, self._rest = self._rest, b""
        return rest

    def _turned(self, data: bytes, turn: Callable[[Numbers], Numbers]) -> bytes:
        if self._start == NO_GAPS:
            return data
        head = data[: max(self._start - self._at, 0)]
        self._at += len(data)
        body = self._rest + data[len(head) :]
        whole = len(body) // _WIDTH * _WIDTH
        self._rest = body[whole:]
        return head + (turn(np.frombuffer(body[:whole], dtype="<u4")).tobytes() if whole else b"")

    def _to_gaps(self, numbers: Numbers) -> Numbers:
        gaps = np.diff(numbers, prepend=self._last)
        self._last = numbers[-1:]
        return gaps

    def _to_numbers(self, gaps: Numbers) -> Numbers:
        numbers = np.cumsum(gaps, dtype=np.uint32) + self._last
        self._last = numbers[-1:]
        return numbers


def read_gaps(file: Path, start: int, offset: int, length: int) -> bytes:
    """Read a part of a file's stream of gaps: `length` bytes from `offset`, fewer where the file ends before."""
    end = offset + length
    with file.open("rb") as opened:
        if start == NO_GAPS or end <= start:
            opened.seek(offset)
            return opened.read(length)
        opened.seek(offset)
        head = opened.read(max(start - offset, 0))
        skipped = max(offset - start, 0)
        first = start + skipped // _WIDTH * _WIDTH
        before = max(first - _WIDTH, start)
        opened.seek(before)
        data = opened.read(-(-(end - before) // _WIDTH) * _WIDTH)
    whole = len(data) // _WIDTH * _WIDTH
    stream = np.diff(np.frombuffer(data[:whole], dtype="<u4"), prepend=np.zeros(1, dtype=np.uint32)).tobytes()
    body = (stream + data[whole:])[offset + len(head) - before :]
    return (head + body)[:length]


class Aim:
    """Where in the earlier generation the next chunk of a file is likely to have its like.

    That is behind the last chunk that was found there, or at the same share of the file.
    """

    def __init__(self, file: int, size_bytes: int, earlier_bytes: int) -> None:
        self._file = file
        self._scale = earlier_bytes / max(size_bytes, 1)
        self._most_drift = _MOST_DRIFT * earlier_bytes + _SLACK_BYTES
        self._at = 0
        self._found: tuple[int, int] | None = None

    @property
    def place(self) -> Place:
        if self._found is None:
            return self._file, int(self._at * self._scale)
        at, earlier = self._found
        return self._file, max(earlier + self._at - at, 0)

    def pass_over(self, length: int, found: Place | None) -> None:
        """Go on behind a chunk, which lies at `found` if it is known."""
        if found and found[0] == self._file and abs(found[1] - self._at * self._scale) <= self._most_drift:
            self._found = self._at, found[1]
        self._at += length


class References:
    """The files of the earlier generation, to compress against."""

    def __init__(self, folder: Path, files: Sequence[BaseFile]) -> None:
        self._folder, self._files = folder, files
        self._sizes = [(folder / file.path).stat().st_size for file in files]

    def aim(self, path: str, size_bytes: int) -> Aim | None:
        """Aim at the file of the same name; at the one of its kind and folder where names are drawn at random."""
        file = PurePosixPath(path)
        of_kind = [
            number
            for number, each in enumerate(self._files)
            if (PurePosixPath(each.path).parent, PurePosixPath(each.path).suffix) == (file.parent, file.suffix)
            and self._sizes[number]
        ]
        if not of_kind:
            return None
        nearest = min(of_kind, key=lambda number: abs(self._sizes[number] - size_bytes))
        same = [number for number in of_kind if self._files[number].path == path]
        number = same[0] if same else nearest
        return Aim(number, size_bytes, self._sizes[number])

    def around(self, file: int, first: int, end: int) -> Reference:
        """The stretch around two offsets, as far as the file goes."""
        start = max(min(first, self._sizes[file]) - _SLACK_BYTES, 0)
        return Reference(
            file, start, min(end + _SLACK_BYTES, self._sizes[file], start + LARGEST_REFERENCE_BYTES) - start
        )

    def compressed(self, block: bytes, reference: Reference) -> Packed:
        """Compress a block against a stretch, where that makes it smaller."""
        like = read_reference(self._folder, self._files, reference)
        raw = zstandard.ZstdCompressionDict(like, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
        packed = zstandard.ZstdCompressor(compression_params=_AGAINST, dict_data=raw).compress(block)
        alone = compressed(block) if len(packed) > len(block) // 2 else None
        return alone if alone and len(alone[0]) < len(packed) else (packed, reference)


def read_reference(folder: Path, files: Sequence[BaseFile], reference: Reference) -> bytes:
    """The bytes of a stretch, fewer where the file ends before."""
    file = files[reference.base]
    return read_gaps(folder / file.path, file.numbers_start, reference.offset, reference.length)


def compressed(block: bytes) -> Packed:
    """Compress a block against nothing."""
    return zstandard.ZstdCompressor(level=_LEVEL, write_checksum=False).compress(block), NO_REFERENCE
