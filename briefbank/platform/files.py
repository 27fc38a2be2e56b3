"""Files that survive power loss: atomic writes, flushed folders, digests; and what the system refuses, in words.

Must not know what a bank is.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from briefbank.errors import AccessError, NoSpaceError

TABLE_BYTES = 32 << 20
"""The most that a table or list which people keep by hand may hold: the largest office's has a few megabytes."""
COLLECTION_BYTES = 2 << 30
"""The most that judgements or a judged collection may hold; a million of either have a quarter of it."""
_CHUNK_BYTES = 1 << 20
_FULL = (errno.ENOSPC, errno.EDQUOT)
_SCARCE_BYTES = 1 << 20
_PASSING_SUFFIXES = (".tmp", ".new", ".building", ".removing")
_DATABASE_CODES = (sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
_PRIMARY_CODE = 0xFF
_ACCESS_ADVICE = "Give the account that BriefBank runs under the right to read and write there, or name another place."
_SPACE_ADVICE = "Free some space on that disk and run the same command again; nothing that was finished is lost."


def write_atomic(path: Path, data: bytes) -> None:
    """Replace `path` by `data` so that a reader, or a machine that loses power, sees the old or the new file whole.

    The file is readable by its owner alone.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            temporary.chmod(0o600)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def remove_unfinished(path: Path) -> None:
    """Remove what a killed `write_atomic` left; nobody else may be writing `path`."""
    for leftover in path.parent.glob(f".{path.name}.*.tmp"):
        leftover.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to the disk, where the platform can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Flush every file below `folder`, then every folder."""
    folders = [folder]
    for path in folder.rglob("*"):
        if path.is_dir():
            folders.append(path)
            continue
        with path.open("rb") as file:
            if os.name != "nt":
                os.fsync(file.fileno())
    for each in reversed(folders):
        sync_folder(each)


def remove_tree(folder: Path) -> None:
    """Delete a folder so that a half-deleted one can never be taken for a whole one."""
    if not folder.exists():
        return
    doomed = folder.with_name(f"{folder.name}.removing")
    if folder != doomed and not folder.name.endswith(".removing"):
        shutil.rmtree(doomed, ignore_errors=True)
        folder.replace(doomed)
    shutil.rmtree(doomed if doomed.exists() else folder)


@contextmanager
def passing_folder(path: Path) -> Iterator[Path]:
    """Give an empty folder beside `path`, for its owner alone, that is gone when the block has ended.

    What is made in it, or the folder itself, can so be given the name `path` in one step, when it is whole.
    """
    folder = path.with_name(f".{path.name}.{os.getpid()}.new")
    remove_tree(folder)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        remove_tree(folder)


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Give an empty folder to fill. It takes the place of `folder` when the block ends well, and is removed if not."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with passing_folder(folder) as fresh:
        yield fresh
        sync_tree(fresh)
        remove_tree(folder)
        fresh.replace(folder)
        sync_folder(folder.parent)


def put_aside(file: Path) -> Path:
    """Rename a damaged file to NAME.damaged, delete the logs that SQLite keeps beside it, and return its new path."""
    aside = file.with_name(f"{file.name}.damaged")
    file.replace(aside)
    for suffix in ("-wal", "-shm", "-journal"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    return aside


def file_sha256(path: Path) -> str:
    """Hexadecimal SHA-256 of a file's bytes.

    Raises:
        OSError: the file cannot be read.
    """
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def read_bounded(path: Path, limit_bytes: int) -> bytes:
    """Return the content of a file in a folder that is not ours, of at most `limit_bytes`.

    A pipe or device, also behind a link, is refused before it is opened: opening a pipe waits for whoever writes to it,
    and a device may never end.

    Raises:
        OSError: it is missing, cannot be read, is no regular file or is too large; `strerror` says which in words.
    """
    require_regular(path)
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        _require_regular(os.fstat(file.fileno()), path)  # it may have been replaced in between
        data = file.read(limit_bytes + 1)
    if len(data) > limit_bytes:
        raise _too_large(path, limit_bytes)
    return data


def require_regular(path: Path, limit_bytes: int | None = None) -> None:
    """Check, without opening it, that a path leads to a regular file of at most `limit_bytes`.

    Raises:
        OSError: as `read_bounded`.
    """
    found = path.stat()
    _require_regular(found, path)
    if limit_bytes is not None and found.st_size > limit_bytes:
        raise _too_large(path, limit_bytes)


def _too_large(path: Path, limit_bytes: int) -> OSError:
    return OSError(errno.EFBIG, f"It is larger than {limit_bytes} bytes", str(path))


def _require_regular(found: os.stat_result, path: Path) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "It is a pipe or a device, not a file", str(path))


@contextmanager
def space_guard(folder: Path, what: str, advice: str = _SPACE_ADVICE) -> Iterator[None]:
    """Turn "no space left" on the disk of `folder` inside the block into NoSpaceError, however a library words it."""
    try:
        yield
    except (OSError, RuntimeError, sqlite3.OperationalError) as error:
        if not _is_full(error, folder):
            raise
        raise NoSpaceError(f"No space left while {what}.", advice) from error


def _is_full(error: Exception, folder: Path) -> bool:
    """Whether the error says so; numpy and SQLite's I/O errors do not, so that the disk itself is asked too."""
    if isinstance(error, OSError) and error.errno in _FULL:
        return True
    if isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode == sqlite3.SQLITE_FULL:
        return True
    return os.strerror(errno.ENOSPC) in str(error) or shutil.disk_usage(folder).free < _SCARCE_BYTES


def refusal_of(fault: BaseException) -> AccessError | None:
    """Name what the system refused, and what to do; None where the fault is of another kind.

    A file that is missing from a folder that is there is no refusal: whoever looked for it should have known.
    """
    if isinstance(fault, sqlite3.OperationalError):
        code = getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY_CODE
        told = AccessError(f"A database of the bank cannot be used: {fault}.", _ACCESS_ADVICE)
        return told if code in _DATABASE_CODES else None
    if not isinstance(fault, OSError) or not isinstance(fault.filename, str | bytes | os.PathLike):
        return None
    path = Path(os.fsdecode(fault.filename))
    if path.name.startswith(".") and path.suffix in _PASSING_SUFFIXES:  # a passing name, which nobody knows
        path = path.parent
    if fault.errno == errno.EROFS:
        advice = "Name a place on another disk, or have this one mounted so that it may be written."
        return AccessError(f"{path} cannot be written: its disk is read-only.", advice)
    if fault.errno in (errno.EACCES, errno.EPERM):
        return AccessError(f"The system does not let you read or write {path}.", _ACCESS_ADVICE)
    if fault.errno == errno.EISDIR:
        return AccessError(f"{path} is a folder, not a file.", "Name a file.")
    if fault.errno in (errno.ENOENT, errno.ENOTDIR) and not path.parent.is_dir():
        return AccessError(f"There is no folder {path.parent} for {path.name}.", "Make that folder, or name another.")
    return None


def require_writable(file: Path) -> None:
    """Check that a file can be written, before the work that it is to hold is done; leaves nothing behind.

    Raises:
        AccessError: its folder is missing or may not be written, or there is something else under its name.
    """
    is_there = file.exists()
    try:
        with file.open("ab"):
            pass
        if not is_there:
            file.unlink()
    except OSError as error:
        advice = "Name a file in a folder that is there and that you may write to."
        raise refusal_of(error) or AccessError(f"{file} cannot be written: {error.strerror}.", advice) from error
