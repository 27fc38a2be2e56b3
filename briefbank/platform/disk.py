"""What a disk or the system refuses, in words: full, broken, gone, read-only, not permitted; with what to do.

The one place where such faults become errors with an exit code, whichever library met them: Python names a number,
SQLite a code of its own, LanceDB and numpy only a text. Must not know what a bank is.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from briefbank.errors import AccessError, BankDamagedError, BriefBankError, DiskError, NoSpaceError, missing_package
from briefbank.platform.windows.holding import SHARED, number_of

_SCARCE_BYTES = 1 << 20
"""Below this an error that names no cause is taken for a full disk: SQLite's journal and Lance's pages need more."""

_FULL = (errno.ENOSPC, errno.EDQUOT)
_UNFIT = frozenset(
    number
    for name in "EIO ESTALE ENXIO ENODEV ENOMEDIUM EUCLEAN EREMOTEIO ENOTCONN ETIMEDOUT EHOSTDOWN".split()
    if (number := getattr(errno, name, None)) is not None  # Windows lacks some
)
"""The disk, or the machine that holds it, does not do what it should; nothing that the program does can mend that."""

_TEMPORARY_SUFFIXES = (".tmp", ".new", ".building", ".removing")
_PRIMARY_CODE = 0xFF
_RUST_ERROR = re.compile(r"\(os error (\d+)\)")
_ACCESS_ADVICE = "Give the account that BriefBank runs under the right to read and write there, or name another place."
_HELD_ADVICE = "Windows says the same of what another program has open: close it there, windows of BriefBank too."
_SHARED_ADVICE = "Close it there, also windows of BriefBank, and run the same command again."
_SPACE_ADVICE = "Free some space on that disk and run the same command again; nothing that was finished is lost."
_DISK_ADVICE = (
    "Look at the disk and its cable, or the connection to the machine that holds it (on Linux: dmesg); run `briefbank "
    "check` on the bank, and the same command again, when it works. Nothing that was finished before is lost."
)
_INTERRUPTED_ADVICE = (
    "Run the same command again; nothing that was finished is lost. Where it comes back, look at the connection to the "
    "machine that holds the disk."
)
_LARGE_ADVICE = (
    "Put the bank on a disk with a file system for large files (not FAT32), or raise the account's limit (ulimit -f)."
)
_READ_ONLY_ADVICE = "Name a place on another disk, or have this one mounted so that it may be written."


@contextmanager
def disk_guard(folder: Path, what: str, advice: str = _SPACE_ADVICE) -> Iterator[None]:
    """Turn a full or failing disk met inside the block into NoSpaceError or DiskError, however a library words it.

    `folder` is named where the fault itself names no file; one that names a file elsewhere is passed on.
    """
    try:
        yield
    except (OSError, RuntimeError, sqlite3.DatabaseError) as error:
        if _is_full(error, folder):
            raise NoSpaceError(f"No space left while {what}, on the disk of {folder}.", advice) from error
        path = _path_of(error)
        is_here = path is None or path.absolute().is_relative_to(folder.absolute())  # and no disk that is copied from
        if is_here and isinstance(refusal := refusal_of(error, folder), DiskError | NoSpaceError):
            raise refusal from error
        raise


def _is_full(error: Exception, folder: Path) -> bool:
    """Whether the error says so; numpy and SQLite's I/O errors do not, so that the disk itself is asked too."""
    if _system_number(error) in _FULL or os.strerror(errno.ENOSPC) in str(error):
        return True
    if isinstance(error, sqlite3.DatabaseError):
        code = _database_code(error)
        if code == sqlite3.SQLITE_FULL or not isinstance(error, sqlite3.OperationalError):
            return code == sqlite3.SQLITE_FULL
    return _is_scarce(folder)


def _is_scarce(folder: Path) -> bool:
    """Whether the disk says that it is full; a disk that does not answer is not."""
    try:
        place = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        return shutil.disk_usage(place).free < _SCARCE_BYTES
    except OSError:
        return False


def refusal_of(fault: BaseException, near: Path | None = None) -> BriefBankError | None:
    """Name what the disk or the system refused or lacks, and what to do; None where the fault is of another kind.

    `near` is named where the fault itself names no file. A file that is missing from a folder that is there is no
    refusal: whoever looked for it should have known.
    """
    if missing := missing_package(fault):
        return missing
    if isinstance(fault, sqlite3.DatabaseError):
        return _database_refusal(fault, near and near.absolute())
    number = _system_number(fault)
    path = _path_of(fault) or (near and near.absolute())
    if _windows_number(fault) in SHARED:
        return AccessError(f"Another program has {path or 'a file'} open.", _SHARED_ADVICE)
    refusal = _disk_refusal(number, path)
    return refusal or (_access_refusal(number, path) if path and isinstance(fault, OSError) else None)


def _disk_refusal(number: int | None, path: Path | None) -> BriefBankError | None:
    place = f" of {path}" if path else ""
    if number in _FULL:
        return NoSpaceError(f"No space is left on the disk{place}.", _SPACE_ADVICE)
    if number == errno.EFBIG:
        return NoSpaceError(f"A file would grow larger than the disk{place} allows.", _LARGE_ADVICE)
    if number == errno.EINTR:  # Python repeats what may be repeated; renaming and removing on a network disk are not
        return DiskError(
            f"The disk{place} broke off what it was asked to do: {os.strerror(number)}.", _INTERRUPTED_ADVICE
        )
    if number in _UNFIT:
        assert number is not None  # noqa: S101 - for mypy
        return DiskError(f"The disk{place} reports a fault: {os.strerror(number)}.", _DISK_ADVICE)
    return None


def _access_refusal(number: int | None, path: Path) -> BriefBankError | None:
    if number == errno.EROFS:
        return AccessError(f"{path} cannot be written: its disk is read-only.", _READ_ONLY_ADVICE)
    if number in (errno.EACCES, errno.EPERM):
        advice = f"{_ACCESS_ADVICE} {_HELD_ADVICE}" if os.name == "nt" else _ACCESS_ADVICE
        return AccessError(f"The system does not let you read or write {path}.", advice)
    if number == errno.EISDIR:
        return AccessError(f"{path} is a folder, not a file.", "Name a file.")
    if number in (errno.ENOENT, errno.ENOTDIR) and not path.parent.is_dir():
        return AccessError(f"There is no folder {path.parent} for {path.name}.", "Make that folder, or name another.")
    if number == errno.ENOTDIR:
        return AccessError(f"{path} is not a folder.", "Move it away, or name a folder.")
    return None


def _database_refusal(fault: sqlite3.DatabaseError, near: Path | None) -> BriefBankError | None:
    code = _database_code(fault)
    place = f" at {near}" if near else ""
    if code == sqlite3.SQLITE_IOERR:
        return DiskError(f"The disk of a database{place} reports a fault: {fault}.", _DISK_ADVICE)
    if code == sqlite3.SQLITE_FULL:
        return NoSpaceError(f"No space is left for a database{place}.", _SPACE_ADVICE)
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return BankDamagedError(f"A database{place} is damaged: {fault}.", "Run `briefbank check --repair`.")
    if code in (sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
        return AccessError(f"A database{place} cannot be used: {fault}.", _ACCESS_ADVICE)
    return None


def is_damage(fault: sqlite3.DatabaseError) -> bool:
    """Whether a database that is only sent statements known to be right is not as it was written: its pages, its own
    description of its tables, or its letters, of which Python tells without a code. Locked, no space and a failing
    disk are no damage.
    """
    if not hasattr(fault, "sqlite_errorcode"):
        return isinstance(fault, sqlite3.OperationalError)
    return _database_code(fault) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)


def _database_code(fault: sqlite3.DatabaseError) -> int:
    return int(getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & _PRIMARY_CODE


def _system_number(fault: BaseException) -> int | None:
    """The fault's number as C knows it; libraries written in Rust tell the system's own in their text alone."""
    if (windows := _windows_number(fault)) is not None and (number := number_of(windows)) is not None:
        return number
    if isinstance(fault, OSError) and fault.errno is not None:
        return fault.errno
    return _rust_number(fault)


def _windows_number(fault: BaseException) -> int | None:
    """Windows' own number of the fault, of which Python's is often too coarse; None on other systems."""
    told = getattr(fault, "winerror", None)
    return told if isinstance(told, int) else _rust_number(fault) if os.name == "nt" else None


def _rust_number(fault: BaseException) -> int | None:
    match = _RUST_ERROR.search(str(fault)) if isinstance(fault, OSError | RuntimeError) else None
    return int(match[1]) if match else None


def _path_of(fault: BaseException) -> Path | None:
    """The file that a fault names, or its folder where only this program knows the file's name."""
    name = getattr(fault, "filename", None)
    if not isinstance(name, str | bytes | os.PathLike):
        return None
    path = Path(os.fsdecode(name))
    is_temporary = path.name.startswith(".") and path.suffix in _TEMPORARY_SUFFIXES
    return path.parent if is_temporary else path


def require_writable(file: Path) -> None:
    """Check that a file can be written, before the work that it is to hold is done; leaves nothing behind.

    Raises:
        AccessError: its folder is missing or may not be written, or there is something else under its name.
        DiskError, NoSpaceError: its disk fails, or is full.
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
