"""Opens files of the source folder, and none that a link in it leads to elsewhere.

Whoever may write to the folder could otherwise have any file indexed that the account of the index run may read, such
as the office's signing key. A hard link cannot be told from the file itself; the threat model says so.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Literal

from briefbank.errors import ChangingFileError, OutsideFolderError
from briefbank.platform.files import require_regular_descriptor
from briefbank.platform.windows.names import openable, plain

BANK_ENTRIES = frozenset({"bank.toml", "generations"})
"""What every bank has."""
_CAN_WALK = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and Path("/proc/self/fd").is_dir()
_ONLY_WALK = getattr(os, "O_PATH", 0) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


def require_beneath(folder: Path, path: Path) -> Path:
    """Return where a file lies below the folder, relative to it, after every link. Links within the folder are fine.

    Raises:
        OutsideFolderError: a link leads out of the folder, or into a bank that lies in it.
        ChangingFileError: a link was replaced meanwhile.
        OSError: there is no such file.
    """
    try:
        real = Path(plain(os.path.realpath(openable(path), strict=True)))
    except OSError as error:
        if error.errno != errno.EINVAL:  # what `readlink` says of what is no link any more
            raise
        raise _changed() from error
    base = Path(plain(os.path.realpath(folder)))
    if not real.is_relative_to(base):
        message = f"{path.name} is a link that leads out of the folder, and is not read."
        raise OutsideFolderError(message, "Put a copy of the file in its place, or remove the link.")
    relative = real.relative_to(base)
    # What is not behind a link was found by walking, which enters no bank: looking again would cost a share its time.
    if real != Path(plain(os.path.abspath(openable(path)))) and any(is_bank(base / each) for each in relative.parents):  # noqa: PTH100
        message = f"{path.name} is a link to a file of a bank, and is not read."
        raise OutsideFolderError(message, "Remove the link; what a bank holds is no source.")
    return relative


def is_bank(folder: Path) -> bool:
    """Whether a folder is a bank, by what stands in it."""
    return all((folder / name).exists() for name in BANK_ENTRIES)


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file that is open: `name` and `suffix` are those of its path, and what opens it again (`os.fspath`) gets what
    was opened, whatever stands under its path by then. Has of `Path` what readers use.
    """

    path: Path
    descriptor: int

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def suffix(self) -> str:
        return self.path.suffix

    def __fspath__(self) -> str:
        # Not /proc/self: programs that are started on it (LibreOffice) are other processes; and not the own number,
        # which is another in a namespace than in /proc.
        return f"/proc/{Path('/proc/self').readlink()}/fd/{self.descriptor}"

    def stat(self) -> os.stat_result:
        return os.fstat(self.descriptor)

    def open(self, mode: Literal["rb"]) -> BinaryIO:
        return Path(os.fspath(self)).open(mode)

    def read_bytes(self) -> bytes:
        with self.open("rb") as file:
            return file.read()


@dataclass(slots=True)
class Allowance:
    """How many files that lie in one, or in those, may still be read, and how large they may be in all."""

    files: int = 2_000
    size_bytes: int = 300_000_000


@dataclass(frozen=True, slots=True)
class HeldFile:
    """A file that lies in another one, in memory. Has of `Path` what readers use."""

    path: Path
    data: bytes
    depth: int = 1
    """In how many files it lies."""
    allowance: Allowance = field(default_factory=Allowance)

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def suffix(self) -> str:
        return self.path.suffix

    def open(self, _mode: Literal["rb"]) -> BinaryIO:
        return BytesIO(self.data)

    def read_bytes(self) -> bytes:
        return self.data


OnDisk = Path | OpenedFile
Readable = OnDisk | HeldFile
"""A file for a reader: one that was opened beneath the folder, the path of a file of our own, or a file in a file."""


def size_bytes(file: Readable) -> int:
    """How large a file is. Raises OSError where it is not there."""
    return len(file.data) if isinstance(file, HeldFile) else file.stat().st_size


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where a file lies: its path, and the folder that is indexed, which no link on the way may leave."""

    folder: Path
    path: Path

    @contextmanager
    def opened(self) -> Iterator[OnDisk]:
        """Open the file, and nothing that lies outside the folder.

        The links on its way are resolved and checked first; the way that was found is then walked folder by folder,
        and no link is followed any more, so that nobody can put one in between. Linux only: elsewhere the path itself
        is given, checked just before.

        Raises:
            OutsideFolderError: a link leads out of the folder, or into a bank.
            ChangingFileError: links were changed meanwhile.
            OSError: it cannot be opened, or is no regular file.
        """
        relative = require_beneath(self.folder, self.path)
        if not _CAN_WALK:
            path = openable(self.path)
            with path.open("rb"):  # Windows puts no other in the place of a file that is open
                yield path
            return
        descriptor = _walked_to(Path(os.path.realpath(self.folder)), relative)
        try:
            require_regular_descriptor(descriptor, self.path)
            yield OpenedFile(self.path, descriptor)
        finally:
            os.close(descriptor)


def _walked_to(folder: Path, relative: Path) -> int:
    """Open a file without following any link below the folder."""
    *folders, name = relative.parts
    here = os.open(folder, _ONLY_WALK)
    try:
        for each in folders:
            there = os.open(each, _ONLY_WALK | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = there
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=here)
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.ENOTDIR):
            raise
        raise _changed() from error
    finally:
        os.close(here)


def _changed() -> ChangingFileError:
    return ChangingFileError("A link was put in or replaced while the file was opened.", "The next run tries again.")
