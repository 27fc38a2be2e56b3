"""Files that other programs have open, which Windows neither replaces, renames nor removes; flushing of names; and
Windows' own numbers of faults as those that C and Python know, of which C's library tells too few apart.

Readers of ours hold a small file for a millisecond, scanners for viruses and indexers a new one for some hundred; an
index is held for as long as a window searches it. Knows nothing of what the files hold.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from briefbank.platform.windows import api

_ACCESS_DENIED, _SHARED, _LOCKED, _BEING_DELETED = 5, 32, 33, 303
HELD = (_ACCESS_DENIED, _SHARED, _LOCKED, _BEING_DELETED)
"""What Windows says of a file that another program has open; the first one also of rights that are missing."""
_PATIENCE_S = 2.0
_PAUSE_S = 0.01
_REPLACE, _WRITE_THROUGH = 0x1, 0x8
_OF_THE_DISK = (errno.EIO, errno.ENODEV, errno.ENOSPC)
_WRITE, _SHARE_ALL, _OPEN_EXISTING, _FOLDERS_TOO = 0x40000000, 0x7, 3, 0x02000000

_NUMBERS = {
    2: errno.ENOENT, 3: errno.ENOENT,
    4: errno.EMFILE,
    5: errno.EACCES,
    15: errno.ENODEV, 20: errno.ENODEV, 21: errno.ENODEV, 55: errno.ENODEV, 433: errno.ENODEV, 1167: errno.ENODEV,
    19: errno.EROFS,
    23: errno.EIO, 25: errno.EIO, 27: errno.EIO, 29: errno.EIO, 30: errno.EIO, 31: errno.EIO, 483: errno.EIO,
    1117: errno.EIO,
    39: errno.ENOSPC, 112: errno.ENOSPC, 1295: errno.EDQUOT if hasattr(errno, "EDQUOT") else errno.ENOSPC,
    51: errno.EIO, 53: errno.EIO, 54: errno.EIO, 59: errno.EIO, 64: errno.EIO, 65: errno.EACCES, 67: errno.EIO,
    121: errno.EIO, 1231: errno.EIO, 1236: errno.EIO,
    80: errno.EEXIST, 183: errno.EEXIST,
    223: errno.EFBIG,
    267: errno.ENOTDIR,
}  # fmt: skip
"""A device that is gone, a disk that is protected, damaged or full, a share that does not answer, …"""

SHARED = frozenset((32, 33))
"""Another program has the file open, or a part of it locked."""

T = TypeVar("T")


def number_of(windows: int) -> int | None:
    """The number that C gives such a fault, where there is one that tells what happened."""
    return _NUMBERS.get(windows)


def is_held(fault: OSError) -> bool:
    """Whether another program that has the file open may be why. Python's `open` tells C's number alone."""
    number = getattr(fault, "winerror", None)
    return number in HELD or (number is None and fault.errno == errno.EACCES)


def patiently(work: Callable[[], T]) -> T:
    """Do it again for up to two seconds while other programs hold the file, and return what came of it.

    Raises:
        OSError: whatever the last try raised.
    """
    end = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return work()
        except OSError as error:
            if not is_held(error) or time.monotonic() > end:
                raise
        time.sleep(_PAUSE_S)


def replace(made: Path, path: Path) -> None:
    """Give a file or folder a name, in the place of a file that has it; returns when the disk has the new name.

    Raises:
        OSError: it cannot be done, or other programs hold one of the two for long.
    """
    flags = _REPLACE | _WRITE_THROUGH
    patiently(lambda: api.done("MoveFileExW", str(made), str(path), flags, path=str(path)))


def flush_folder(folder: Path) -> None:
    """Flush a folder's entries to the disk, where the file system can: NTFS does, FAT and most shares refuse.

    Raises:
        OSError: the disk fails, or is gone.
    """
    try:
        handle = api.done("CreateFileW", str(folder), _WRITE, _SHARE_ALL, None, _OPEN_EXISTING, _FOLDERS_TOO, None)
        try:
            api.done("FlushFileBuffers", handle, path=str(folder))
        finally:
            api.called("CloseHandle", handle)
    except OSError as error:
        if number_of(getattr(error, "winerror", None) or 0) in _OF_THE_DISK:
            raise
