"""Ascending numbers as the gaps between them: arrays of postings then take a third of the space and move less.

Applies to `.npy` files of 32-bit integers; wraps around, so that any numbers come back as they were. Knows nothing of
packs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

NO_GAPS = 0
_MAGIC = b"\x93NUMPY\x01\x00"
_INTEGERS = ("<i4", "<u4")
_WIDTH = 4

Numbers = npt.NDArray[np.uint32]


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
