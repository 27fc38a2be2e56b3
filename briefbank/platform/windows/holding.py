"""Files that other programs have open, which Windows neither replaces, renames nor removes; and flushing of names.

Readers of ours hold a small file for a millisecond, scanners for viruses and indexers a new one for some hundred; an
index is held for as long as a window searches it. Knows nothing of what the files hold.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from briefbank.platform.windows import api, faults

_ACCESS_DENIED, _SHARED, _LOCKED, _BEING_DELETED = 5, 32, 33, 303
HELD = (_ACCESS_DENIED, _SHARED, _LOCKED, _BEING_DELETED)
"""What Windows says of a file that another program has open; the first one also of rights that are missing."""
_PATIENCE_S = 2.0
_PAUSE_S = 0.01
_REPLACE, _WRITE_THROUGH = 0x1, 0x8
_OF_THE_DISK = (errno.EIO, errno.ENODEV, errno.ENOSPC)
_WRITE, _SHARE_ALL, _OPEN_EXISTING, _FOLDERS_TOO = 0x40000000, 0x7, 3, 0x02000000

T = TypeVar("T")


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
        if faults.number_of(getattr(error, "winerror", None) or 0) in _OF_THE_DISK:
            raise
