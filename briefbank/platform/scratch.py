"""Folders for work in progress, which hold texts of the bank: gone when the work ends, however it ends.

A program that is killed removes nothing, so the next one does: each folder has a lock beside it, which the system frees
with the process that holds it. Must not know what the work is.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from briefbank.platform.files import make_private

_LOCK_SUFFIX = ".lock"


@contextmanager
def scratch_folder(place: Path | None = None, prefix: str = "briefbank-work-") -> Iterator[Path]:
    """Give an empty folder for its owner alone, in `place` (default: the system's folder for temporary files).

    Folders with the same prefix there, whose programs were killed, are removed first.
    """
    place = place or Path(tempfile.gettempdir())
    _remove_abandoned(place, prefix)
    folder = place / f"{prefix}{secrets.token_hex(8)}"
    try:
        with FileLock(_lock_of(folder)):
            folder.mkdir(mode=0o700)
            try:
                make_private(folder)
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)
    finally:
        _lock_of(folder).unlink(missing_ok=True)


def _lock_of(folder: Path) -> Path:
    return folder.with_name(folder.name + _LOCK_SUFFIX)


def _remove_abandoned(place: Path, prefix: str) -> None:
    """Remove folders of this user whose lock nobody holds any more; what cannot be removed is left for another time."""
    for lock_file in place.glob(f"{prefix}*{_LOCK_SUFFIX}"):
        folder = lock_file.with_name(lock_file.name.removesuffix(_LOCK_SUFFIX))
        with suppress(OSError, Timeout):
            if not _is_ours(lock_file):
                continue
            with FileLock(lock_file, timeout=0):
                if folder.is_dir() and not folder.is_symlink():
                    shutil.rmtree(folder)
            lock_file.unlink(missing_ok=True)


def _is_ours(file: Path) -> bool:
    return os.name == "nt" or file.lstat().st_uid == os.geteuid()
