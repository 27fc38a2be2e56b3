"""Opens files of the source folder, and none that a link in it leads to elsewhere.

Whoever may write to the folder could otherwise have any file indexed that the account of the index run may read, such
as the office's signing key. A hard link cannot be told from the file itself; the threat model says so.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from briefbank.errors import ChangingFileError, OutsideFolderError
from briefbank.platform.files import require_regular_descriptor

_CAN_WALK = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and Path("/proc/self/fd").is_dir()
_ONLY_WALK = getattr(os, "O_PATH", 0) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


def require_beneath(folder: Path, path: Path) -> Path:
    """Return where a file lies below the folder, relative to it, after every link. Links within the folder are fine.

    Raises:
        OutsideFolderError: a link leads out of the folder.
        OSError: there is no such file.
    """
    real = Path(os.path.realpath(path, strict=True))
    base = Path(os.path.realpath(folder))
    if not real.is_relative_to(base):
        message = f"{path.name} is a link that leads out of the folder, and is not read."
        raise OutsideFolderError(message, "Put a copy of the file in its place, or remove the link.")
    return real.relative_to(base)


@contextmanager
def opened_beneath(folder: Path, path: Path) -> Iterator[Path]:
    """Open a file below the folder and give a path of the same name that leads to what was opened, and nowhere else.

    The links on its way are resolved and checked first; the way that was found is then walked folder by folder, and no
    link is followed any more, so that nobody can put one in between. Linux only: elsewhere the path itself is given,
    checked just before.

    Raises:
        OutsideFolderError: a link leads out of the folder.
        ChangingFileError: links were changed meanwhile.
        OSError: it cannot be opened, or is no regular file.
    """
    relative = require_beneath(folder, path)
    if not _CAN_WALK:
        yield path
        return
    descriptor = _walked_to(Path(os.path.realpath(folder)), relative)
    try:
        require_regular_descriptor(descriptor, path)
        with tempfile.TemporaryDirectory(prefix="source-") as own:
            name = Path(own, path.name)
            name.symlink_to(f"/proc/{os.getpid()}/fd/{descriptor}")
            yield name
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
        message, advice = "The file became a link while it was being opened.", "The next run looks at it again."
        raise ChangingFileError(message, advice) from error
    finally:
        os.close(here)
