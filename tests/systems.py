"""What systems have in different ways: whether a file is private, and marks for tests of what only some have."""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from briefbank.platform.windows import acl

ON_WINDOWS = os.name == "nt"

links = pytest.mark.skipif(ON_WINDOWS, reason="on Windows only administrators and developers may make links")
pipes = pytest.mark.skipif(ON_WINDOWS, reason="on Windows there are no pipes among files")
unix_names = pytest.mark.skipif(ON_WINDOWS, reason="Windows takes no such names")
byte_names = pytest.mark.skipif(ON_WINDOWS, reason="on Windows names of files are Unicode")
open_files_change = pytest.mark.skipif(ON_WINDOWS, reason="on Windows mapped files are neither changed nor removed")
signals = pytest.mark.skipif(ON_WINDOWS, reason="Windows knows no signals")
tesseract = pytest.mark.skipif(find_spec("tesserocr") is None, reason="tesserocr is not installed")
clock = pytest.mark.skipif(ON_WINDOWS, reason="Windows counts a thread's time in ticks of 16 ms")
fsync = pytest.mark.skipif(ON_WINDOWS, reason="Windows is asked to flush names by a call of its own")

NOT_FOUND = ctypes.FormatError(2).strip() if sys.platform == "win32" else os.strerror(errno.ENOENT)
"""What the system says of a file that is not there."""

_OTHERS = ("WD", "BU", "AU")
"""Everyone, users, and whoever has signed in, as Windows writes them down."""


def is_private(path: Path) -> bool:
    """Whether a file or folder is for its owner alone; on Windows for the system and administrators too."""
    if ON_WINDOWS:
        return not shared_with(path)
    return stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def shared_with(path: Path) -> list[str]:
    """Who else may use a file, on Windows."""
    return [who for who in _OTHERS if f";;;{who})" in acl.access_list(path)]
