"""Files and folders that survive power loss: atomic writes, flushed folders, new files that appear whole, digests.

What the disk and the system refuse is put into words in `briefbank.platform.disk`. Must not know what a bank is.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
import threading
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from itertools import count
from mmap import mmap
from pathlib import Path
from typing import Any, TypeVar

from briefbank.errors import SourceError, UsageError
from briefbank.platform.windows import acl, holding, names

TABLE_BYTES = 32 << 20
"""The most that a table or list which people keep by hand may hold: the largest office's has a few megabytes."""
COLLECTION_BYTES = 2 << 30
"""The most that judgements or a judged collection may hold; a million of either have a quarter of it."""
UNFINISHED = (".new", ".removing")
"""How the names of folders end that are being made or deleted; a killed program leaves them."""
_CHUNK_BYTES = 1 << 20
_HASHED_BYTES = 8 << 20
"""Hashed at a time. Before and behind each piece a thread waits up to 5 ms for the interpreter where another is busy:
with 1 MB a cold search over 140,000 passages took 0.07 s longer.
"""

T = TypeVar("T")


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add `path` to an OSError that names no file: read, write and fsync know only a descriptor."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def write_atomic(path: Path, data: bytes) -> None:
    """Replace `path` by `data` so that a reader, or a machine that loses power, sees the old or the new file whole.

    The file is readable by its owner alone.
    """
    with _written_beside(path, data) as temporary:
        replace(temporary, path)
    sync_folder(path.parent)


def write_new(path: Path, data: bytes) -> bool:
    """Write a file as `write_atomic` does, but never over one that is there: of several programs, the first one wins.

    Returns whether this call wrote it. Where the file system has no hard links, it is looked for just before.
    """
    with _written_beside(path, data) as temporary:
        try:
            _place_new_file(temporary, path)
        except FileExistsError:
            return False
    sync_folder(path.parent)
    return True


def _place_new_file(made: Path, path: Path) -> None:
    """Give a finished file its name where nothing has it; `made` may stay beside it, a second name of the same file.

    Where the file system has no hard links, the name is looked for just before. Raises FileExistsError.
    """
    try:
        os.link(made, path)
    except FileExistsError:
        raise
    except OSError as error:  # FAT and some shares: EPERM, ENOTSUP, EINVAL and others
        if path.exists() or path.is_symlink():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from error
        replace(made, path)


@contextmanager
def _written_beside(path: Path, data: bytes) -> Iterator[Path]:
    """Give a temporary file beside `path`, flushed and readable by its owner alone, to be given that name."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        with naming(path), temporary.open("wb") as file:
            make_private(temporary)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def remove_unfinished(path: Path) -> None:
    """Remove what a killed `write_atomic` left; nobody else may be writing `path`."""
    for leftover in path.parent.glob(f".{path.name}.*.tmp"):
        leftover.unlink(missing_ok=True)


def make_private(path: Path) -> None:
    """Let nobody but its owner read or write a file or folder; on Windows also what will be made in the folder."""
    if os.name == "nt":
        acl.make_private(path)
    else:
        path.chmod(0o700 if path.is_dir() else 0o600)


def touch_private(path: Path) -> None:
    """Make an empty file that nobody but its owner may read or write, in whatever folder it is."""
    path.touch(mode=0o600)
    if os.name == "nt":
        acl.make_private(path)


def replace(made: Path, path: Path) -> None:
    """Give a finished file or folder its name, in one step, in the place of a file that has it.

    On Windows it is tried again for a while where other programs have one of the two open.
    """
    if os.name == "nt":
        holding.replace(made, path)
    else:
        made.replace(path)


def patiently(work: Callable[[], T]) -> T:
    """Do what Windows refuses while other programs have the file open, there again and again for a while."""
    return holding.patiently(work) if os.name == "nt" else work()


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to the disk, where the file system can."""
    if os.name == "nt":
        holding.flush_folder(folder)
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with naming(folder):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_file(file: Path) -> None:
    """Flush a file's bytes to the disk; its name is flushed by `sync_folder` of the folder that holds it."""
    with file.open("rb+" if os.name == "nt" else "rb") as opened, naming(file):
        os.fsync(opened.fileno())


def sync_tree(folder: Path) -> None:
    """Flush every file below `folder`, then every folder, then the folder's own name in the one that holds it."""
    folders = [folder]
    for path in folder.rglob("*"):
        if path.is_dir():
            folders.append(path)
        else:
            sync_file(path)
    for each in (*reversed(folders), folder.parent):
        sync_folder(each)


def make_folder(folder: Path) -> bool:
    """Make a folder for its owner alone, with those above it that are missing, and flush their names to the disk.

    Returns whether this call made it: of several programs that make one folder at the same time, exactly one is told
    True, and only that one may remove it again.

    Raises:
        NotADirectoryError: there is something else under its name, or that of one above it.
    """
    if not folder.parent.exists():
        make_folder(folder.parent)
    if not folder.parent.is_dir():  # of which Windows says that it finds nothing
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError as error:
        if not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from error
        return False
    if os.name == "nt":
        make_private(folder)
    sync_folder(folder.parent)
    return True


def place_new_folder(made: Path, path: Path) -> None:
    """Give a finished folder its name, in one step, where no other program has put anything there meanwhile.

    `made` lies on the same disk and is flushed here, whole. An empty folder under the name is replaced.

    Raises:
        FileExistsError: the name is taken; `made` is left as it is.
    """
    sync_tree(made)
    try:
        if os.name == "nt" and path.is_dir():
            path.rmdir()  # which refuses a folder that holds anything
        patiently(lambda: made.rename(path))
    except OSError as error:
        if path.exists() or path.is_symlink():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from error
        raise
    sync_folder(path.parent)


def remove_tree(folder: Path) -> None:
    """Delete a folder so that a half-deleted one can never be taken for a whole one."""
    if not folder.exists():
        return
    doomed = folder.with_name(f"{folder.name}.removing")
    if folder != doomed and not folder.name.endswith(".removing"):
        shutil.rmtree(doomed, ignore_errors=True)
        replace(folder, doomed)
    patiently(lambda: shutil.rmtree(doomed if doomed.exists() else folder))


def remove_unless_open(folder: Path) -> bool:
    """Delete a folder as `remove_tree` does; returns false where another program has files of it open, on Windows, and
    it stays.
    """
    try:
        remove_tree(folder)
    except OSError as error:
        if not holding.is_held(error):
            raise
        return False
    return True


@contextmanager
def temporary_folder(path: Path) -> Iterator[Path]:
    """Give an empty folder beside `path`, for its owner alone, that is gone when the block has ended.

    What is made in it, or the folder itself, can so be given the name `path` in one step, when it is whole.
    """
    folder = path.with_name(f".{path.name}.{os.getpid()}.new")
    remove_tree(folder)
    folder.mkdir(mode=0o700)
    try:
        make_private(folder)
        yield folder
    finally:
        remove_tree(folder)


@contextmanager
def replaced_folder(folder: Path) -> Iterator[Path]:
    """Give an empty folder to fill. It takes the place of `folder` when the block ends well, and is removed if not."""
    make_folder(folder.parent)
    with temporary_folder(folder) as fresh:
        yield fresh
        sync_tree(fresh)
        remove_tree(folder)
        replace(fresh, folder)
        sync_folder(folder.parent)


def put_aside(file: Path) -> Path:
    """Rename a damaged file to NAME.damaged, delete the logs that SQLite keeps beside it, and return its new path.

    An earlier NAME.damaged is replaced, but for folders, which somebody put in the place of a file: these get a number.
    For what can be made again. What people wrote is put aside by `briefbank.platform.journal`, which deletes nothing.
    """
    names = (f"{file.name}.damaged{number or ''}" for number in count())
    aside = next(
        each for each in map(file.with_name, names) if not (each.exists() and (each.is_dir() or file.is_dir()))
    )
    replace(file, aside)
    for suffix in ("-wal", "-shm", "-journal"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    sync_folder(file.parent)
    return aside


def remove_damaged(file: Path) -> None:
    """Delete a damaged file, all of which can be made again, and the logs that SQLite keeps beside it; a folder that
    stands in its place is put aside.
    """
    aside = put_aside(file)
    if aside.is_file():
        aside.unlink()
        sync_folder(aside.parent)


def file_sha256(path: Path) -> str:
    """Hexadecimal SHA-256 of a file's bytes.

    Raises:
        OSError: the file cannot be read.
    """
    digest = hashlib.sha256()
    # Memory of its own, which goes back to the system: after a search 30 MB of what `read` gives had stayed.
    with (
        path.open("rb", buffering=0) as file,
        naming(path),
        mmap(-1, _HASHED_BYTES) as buffer,
        memoryview(buffer) as piece,
    ):
        while count_read := file.readinto(piece):
            digest.update(piece[:count_read])
    return digest.hexdigest()


def sha256_once(path: Path) -> str:
    """As `file_sha256`; read once per process and version of the file, since weights of models are large."""
    stat = path.stat()
    return _sha256_of_version(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=64)
def _sha256_of_version(path: Path, _size: int, _mtime_ns: int) -> str:
    return file_sha256(path)


def read_bounded(path: Path, limit_bytes: int) -> bytes:
    """Return the content of a file in a folder that is not ours, of at most `limit_bytes`.

    A pipe or device, also behind a link, is refused before it is opened: opening a pipe waits for whoever writes to it,
    and a device may never end.

    Raises:
        OSError: it is missing, cannot be read, is no regular file or is too large; `strerror` says which in words.
    """
    require_regular(path)
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    with os.fdopen(patiently(lambda: os.open(path, flags)), "rb") as file:
        require_regular_descriptor(file.fileno(), path)  # it may have been replaced in between
        with naming(path):
            data = bytearray()
            # In pieces: a single read takes memory for the whole limit before it looks at how much there is.
            while len(data) <= limit_bytes and (piece := file.read(min(_CHUNK_BYTES, limit_bytes + 1 - len(data)))):
                data += piece
    if len(data) > limit_bytes:
        raise _too_large(path, limit_bytes)
    return bytes(data)


def parse_toml(text: str) -> dict[str, Any]:
    """Read TOML; the standard library's reader follows brackets within brackets by recursion, and so not for ever.

    Raises:
        tomllib.TOMLDecodeError: it is none, or brackets stand in too many others.
    """
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise tomllib.TOMLDecodeError("Brackets stand in too many others") from error


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
    return OSError(errno.EINVAL, f"it is larger than {limit_bytes} bytes", str(path))


def require_regular_descriptor(descriptor: int, path: Path) -> None:
    """Check that what was opened under a path is a regular file. Raises as `read_bounded`."""
    _require_regular(os.fstat(descriptor), path)


def _require_regular(found: os.stat_result, path: Path) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file", str(path))


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder that gets its name when the block ends well, and vanishes when it does not.

    Raises:
        UsageError: there is something under that name, or there is by the end; that is left as it is.
        SourceError: the folder that is to hold it is missing or cannot be written.
    """
    require_new(path)
    with _folder_beside(path) as folder:
        yield folder
        for each in folder.rglob("*"):
            make_private(each)
        with _refusing_taken(path):
            place_new_folder(folder, path)


@contextmanager
def new_file(path: Path, *, may_replace: bool = False) -> Iterator[Path]:
    """Yield the name of a file to be written, which gets its own name when the block ends well. Raises as `new_folder`.

    It lies in a folder of its own until then, so that what SQLite puts beside it is out of the way too.
    """
    if not may_replace:
        require_new(path)
    with _folder_beside(path) as folder:
        written = folder / path.name
        yield written
        make_private(written)
        sync_tree(folder)
        with _refusing_taken(path):
            if may_replace:
                replace(written, path)
            else:
                _place_new_file(written, path)
    sync_folder(path.parent)


def require_new(path: Path) -> None:
    """Refuse a name that is taken, or that Windows, where this is it, does not keep. Raises UsageError."""
    if os.name == "nt" and not names.is_taken_as_written(path.name):
        message = f"Windows keeps no file by the name {path.name!r}."
        raise UsageError(message, "Name it otherwise: CON, NUL, AUX, PRN, COM1 and LPT1 stand for devices.")
    with _refusing_taken(path):
        if path.exists() or path.is_symlink():
            raise FileExistsError


@contextmanager
def _refusing_taken(path: Path) -> Iterator[None]:
    """Say of a name that is taken, also since it was looked for, what to do."""
    try:
        yield
    except FileExistsError as error:
        message = f"There is something at {path} already."
        raise UsageError(message, "Name a new place, or move that away.") from error


@contextmanager
def _folder_beside(path: Path) -> Iterator[Path]:
    """Give a temporary folder beside `path`; errors of making it are named, those of what is done in it passed on."""
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(temporary_folder(path))
        except OSError as error:
            advice = "Name a place in a folder that exists and that you may write to."
            raise SourceError(f"Nothing can be written at {path.parent}: {error.strerror}.", advice) from error
        try:
            yield folder
        except OSError as error:  # write and fsync name no file, others the temporary one
            if error.filename is None or str(folder) in os.fsdecode(str(error.filename)):
                error.filename = str(path)
            raise
