"""Windows' own numbers of faults as the numbers that C and Python know, of which C's library tells too few apart.

Pure; tried on every system.
"""

from __future__ import annotations

import errno

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


def number_of(windows: int) -> int | None:
    """The number that C gives such a fault, where there is one that tells what happened."""
    return _NUMBERS.get(windows)
