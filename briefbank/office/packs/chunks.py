"""Cuts a stream of bytes where its content says so, so that what is inserted moves no other cut.

The cuts are those of a rolling hash over the last 16 bytes ("gear"), reckoned for a whole block at once. They are part
of the pack format: other cuts would make every delta a whole pack. Knows nothing of packs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

SMALLEST_BYTES = 2_048
LARGEST_BYTES = 65_536
_USUAL_BITS = 13
"""A cut every 8 KiB or so beyond the smallest chunk."""
_BLOCK_BYTES = 1 << 18
_WINDOW_STEPS = (1, 2, 4, 8)
DIGEST_BYTES = 16
"""What is kept of a chunk's SHA-256. Files are verified by the whole of theirs: this finds what is likely there."""


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
