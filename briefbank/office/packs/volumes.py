"""A pack as one file or several: FAT sticks hold no file of four gigabytes, so a large pack goes on in NAME.002, ….

Knows nothing of what is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from briefbank.errors import PackError, UsageError
from briefbank.platform.files import make_private, replace, require_regular, sync_folder

LARGEST_VOLUME_BYTES = (4 << 30) - 1
"""The largest file that FAT32 holds."""
SMALLEST_VOLUME_BYTES = 1 << 12


def volume(path: Path, number: int) -> Path:
    """The path of a part, counted from 1; the first has the pack's own name."""
    return path if number == 1 else path.with_name(f"{path.name}.{number:03d}")


class VolumeWriter:
    """Writes a stream into parts, which get their names when all are whole."""

    def __init__(self, path: Path, volume_bytes: int) -> None:
        self._path = path
        self._volume_bytes = volume_bytes
        self._number = 0
        self._file: BinaryIO | None = None
        self._left = 0
        self.written_bytes = 0

    def write(self, data: bytes) -> None:
        """Append to the stream."""
        rest = memoryview(data)
        while rest:
            file = self._file if self._file and self._left else self._next()
            part = rest[: self._left]
            file.write(part)
            self._left -= len(part)
            self.written_bytes += len(part)
            rest = rest[len(part) :]

    def publish(self) -> tuple[Path, ...]:
        """Flush everything to the disk, name the parts, the first one last, and return them."""
        self._close()
        paths = [volume(self._path, number) for number in range(1, self._number + 1)]
        for path in reversed(paths):
            replace(self._unfinished(path), path)
        sync_folder(self._path.parent)
        return tuple(paths)

    def discard(self) -> None:
        """Remove what was written, unless it has its name already."""
        if self._file:
            with suppress(OSError):  # what it still held does not fit on the disk
                self._file.close()
            self._file = None
        for number in range(1, self._number + 1):
            self._unfinished(volume(self._path, number)).unlink(missing_ok=True)

    @staticmethod
    def _unfinished(path: Path) -> Path:
        return path.with_name(f"{path.name}.part")

    def _next(self) -> BinaryIO:
        """Begin the next part."""
        self._close()
        self._number += 1
        unfinished = self._unfinished(volume(self._path, self._number))
        unfinished.unlink(missing_ok=True)
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        self._file = os.fdopen(descriptor, "wb")
        make_private(unfinished)
        self._left = self._volume_bytes
        return self._file

    def _close(self) -> None:
        if self._file:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None


@contextmanager
def writing_volumes(path: Path, volume_bytes: int) -> Iterator[VolumeWriter]:
    """A writer that leaves nothing behind when the block fails.

    Raises:
        UsageError: the pack, or an unrelated part of one, is there already; or parts would be too small or too large.
    """
    if not SMALLEST_VOLUME_BYTES <= volume_bytes <= LARGEST_VOLUME_BYTES:
        raise UsageError(
            f"A part of a pack cannot have {volume_bytes} bytes.",
            f"Ask for {SMALLEST_VOLUME_BYTES} to {LARGEST_VOLUME_BYTES}; FAT sticks hold no larger file.",
        )
    for taken in (path, volume(path, 2)):
        if taken.exists():
            raise UsageError(f"There is a file {taken} already.", "Name another, or remove it.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent}.", "Make it, or name another.")
    writer = VolumeWriter(path, volume_bytes)
    try:
        yield writer
    finally:
        writer.discard()


class VolumeReader:
    """Reads the parts of a pack as one stream."""

    def __init__(self, path: Path) -> None:
        paths = [path]
        while (following := volume(path, len(paths) + 1)).is_file():
            paths.append(following)
        self._sizes = [each.stat().st_size for each in paths]
        self._files: list[BinaryIO] = []
        try:
            for each in paths:
                require_regular(each)  # to open a pipe would wait for whoever writes to it
                self._files.append(each.open("rb"))
        except OSError:
            self.close()
            raise
        self.size_bytes = sum(self._sizes)

    def read(self, offset: int, length: int) -> bytes:
        """Read from an offset of the stream; fewer bytes where it ends before.

        Raises:
            PackError: the medium fails.
        """
        found = []
        try:
            for file, size in zip(self._files, self._sizes, strict=True):
                if offset < size and length > 0:
                    file.seek(max(offset, 0))
                    found.append(file.read(min(length, size - offset)))
                    length -= len(found[-1])
                offset = max(offset - size, 0)
        except OSError as error:
            advice = "Copy the pack to a local disk, or try another stick. The bank searches as before."
            raise PackError(f"The pack cannot be read any further: {error.strerror}.", advice) from error
        return b"".join(found)

    def close(self) -> None:
        for file in self._files:
            file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
