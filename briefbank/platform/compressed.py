"""Bytes that are kept compressed with a checksum, and come back as they were or not at all. Must not know what they
hold.
"""

from __future__ import annotations

from typing import TypeGuard

import zstandard

_LEVEL = 3
_MAGIC = b"\x28\xb5\x2f\xfd"


def compress(data: bytes) -> bytes:
    """Compress data as one Zstandard frame with a checksum of its content."""
    return zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(data)


def decompress(frame: bytes) -> bytes:
    """Return the data of a frame that this program wrote.

    Raises:
        ValueError: the frame is not as it was written.
    """
    try:
        return zstandard.ZstdDecompressor().decompress(frame)
    except (zstandard.ZstdError, MemoryError) as error:  # a flipped bit in its head may ask for petabytes
        raise ValueError("the frame is not as it was written") from error


def is_compressed(value: object) -> TypeGuard[bytes]:
    """Whether a value of a database is a frame."""
    return isinstance(value, bytes) and value.startswith(_MAGIC)
