"""Walks a source folder and names the files that could be briefs; reads none of them.

A share may go at any moment: a folder that cannot be listed is reported, and not taken for an empty one.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from briefbank.errors import (
    ChangingFileError,
    DeadLinkError,
    NotAFileError,
    OutsideFolderError,
    SourceError,
    StrangeNameError,
    UsageError,
)
from briefbank.ingest.beneath import BANK_ENTRIES, SourcePlace, require_beneath
from briefbank.ingest.sidecar import SIDECAR_NAME, Table
from briefbank.platform.windows.names import openable

# What Word, LibreOffice and macOS leave beside a document that is open.
_TEMPORARY_PREFIXES = ("~$", ".~lock", "._")
_IGNORED_SUFFIXES = frozenset({".tmp", ".part", ".crdownload", ".db", ".ini", ".lnk", ".ds_store", ".csv"})
_LOOKS_AT_ONCE = 8
"""Files whose size and time are asked for at once where each answer comes over a network. Chosen, not measured."""
_TRIED = 16
_FAR_S = 0.0003
"""How long each of the files tried first takes at least where that is so: milliseconds over an office's network. Of
5,000 files on a local disk each took 8 µs, and 15 when they were asked for at once.
"""
_JUNCTION_TAG = 0xA0000003
"""IO_REPARSE_TAG_MOUNT_POINT of Windows."""
_CONNECT = "Check that the share is connected and that you may read it."


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as the folder lists it. `supported` is false for a document of a format that no reader takes."""

    path: Path
    size_bytes: int
    mtime_ns: int
    supported: bool
    folder: Path
    """The folder that is indexed; nothing outside it is read, whatever a link says."""
    refusal: SourceError | None = None
    """Why it must not be read, where that is known without opening it."""

    @property
    def place(self) -> SourcePlace:
        return SourcePlace(self.folder, self.path)


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A file or folder that could not be looked at; nothing is known of what is at or below `path`."""

    path: Path
    error: SourceError


class FolderIdentity:
    """Which folder a path led to: a share that goes leaves another, empty one under the same path."""

    def __init__(self, folder: Path) -> None:
        """Look at the folder.

        Raises:
            SourceError: it is missing, is no folder, or cannot be read.
        """
        self.folder = folder
        try:
            if not folder.is_dir():
                raise SourceError(f"{folder} is not a folder.", "Check the name, and that the share is connected.")
            with os.scandir(openable(folder)) as listed:
                self._is_empty = next(listed, None) is None
            self._identity = _identity(folder)
        except OSError as error:
            raise SourceError(f"{folder} cannot be read: {error.strerror}.", _CONNECT) from error

    def require_same(self) -> None:
        """Check that the path still leads to the same folder.

        Raises:
            SourceError: it does not, so that missing files must not be dropped from the index.
        """
        advice = "Connect the share and run the same command again: it goes on where it stopped, and nothing is lost."
        message = f"{self.folder} went away while it was being read. The index keeps what it has."
        try:
            now = FolderIdentity(self.folder)
        except SourceError as error:
            raise SourceError(message, advice) from error
        if now._identity != self._identity or (now._is_empty and not self._is_empty):
            raise SourceError(message, advice)


def require_source(folder: Path, bank: Path) -> None:
    """Check that a folder can be indexed into the bank at `bank`, which need not be there yet.

    Raises:
        UsageError: it is the bank itself, or lies in it.
        SourceError: it is missing, is no folder, cannot be read, or has a name that is not UTF-8.
    """
    FolderIdentity(folder)
    if not _is_text(str(folder.absolute())):
        raise _no_utf8(folder.absolute())
    if folder.resolve().is_relative_to(bank.resolve()):
        what = "is the bank itself" if folder.resolve() == bank.resolve() else f"lies in the bank {bank}"
        raise UsageError(f"{folder} {what}.", "Name the folder of briefs first, and the bank with --bank.")


def discover(folder: Path, suffixes: Collection[str]) -> Iterator[SourceFile | Table | Unlisted]:
    """Yield the files below `folder` in a stable order, IT's tables, and what cannot even be looked at.

    Hidden files, office lock files and half-downloaded ones are passed over. Links to folders are not followed, nor is
    a folder that leads back to one above it. A link to a file outside `folder`, or in a bank, comes
    with its refusal.

    Raises:
        SourceError: `folder` itself is missing or unreadable.
    """
    FolderIdentity(folder)
    with ThreadPoolExecutor(_LOOKS_AT_ONCE) as executor:
        yield from _walk(folder, suffixes, executor)


def _walk(
    folder: Path, suffixes: Collection[str], executor: ThreadPoolExecutor
) -> Iterator[SourceFile | Table | Unlisted]:
    pending: list[tuple[Path, tuple[tuple[int, int], ...]]] = [(folder, ())]
    looks = _Looks(executor)
    while pending:
        here, above = pending.pop()
        try:
            identity = _identity(here)
            with os.scandir(openable(here)) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            yield Unlisted(here, _unreadable(here, error))
            continue
        # A folder that contains itself (mount, junction) would never end; a bank below the briefs holds none.
        if identity in above or (above and _is_bank(entries)):
            continue
        inner: list[Path] = []
        files: list[os.DirEntry[str]] = []
        for entry in entries:
            if not _is_text(entry.name):
                yield Unlisted(here / entry.name, _no_utf8(here / entry.name))
            elif _is_folder(entry):
                if not entry.name.startswith(".") and not _is_link(entry):
                    inner.append(here / entry.name)
            elif entry.name == SIDECAR_NAME:
                yield Table(here / entry.name, folder)
            elif not _is_passed_over(entry.name):
                files.append(entry)

        for found in looks.at(files, partial(_looked_at, folder, here, suffixes)):
            yield from found
        pending += ((path, (*above, identity)) for path in reversed(inner))


class _Looks:
    """Has files looked at one after the other, or several at once as soon as looking turns out to take long."""

    def __init__(self, executor: ThreadPoolExecutor) -> None:
        self._executor = executor
        self._are_far = False

    def at(
        self,
        files: Sequence[os.DirEntry[str]],
        look: Callable[[Sequence[os.DirEntry[str]]], list[SourceFile | Unlisted]],
    ) -> Iterator[list[SourceFile | Unlisted]]:
        """Yield what `look` finds of the files, in their order."""
        if not self._are_far:
            began = time.perf_counter()
            found = look(files[:_TRIED])
            self._are_far = time.perf_counter() - began > _FAR_S * _TRIED
            yield found
            files = files[_TRIED:]
        if not self._are_far:
            yield look(files)
            return
        # One task for each thread rather than for each file.
        step = -(-len(files) // _LOOKS_AT_ONCE) or 1
        yield from self._executor.map(look, (files[start : start + step] for start in range(0, len(files), step)))


def _looked_at(
    folder: Path, here: Path, suffixes: Collection[str], entries: Sequence[os.DirEntry[str]]
) -> list[SourceFile | Unlisted]:
    return [_look(folder, here / entry.name, entry, suffixes) for entry in entries]


def _look(folder: Path, path: Path, entry: os.DirEntry[str], suffixes: Collection[str]) -> SourceFile | Unlisted:
    try:
        found = entry.stat()
        refusal = _leads_out(folder, path) if entry.is_symlink() else None
    except FileNotFoundError as error:
        dead = DeadLinkError(f"{path} is a link that leads to nothing.", "Put the file there, or remove the link.")
        return Unlisted(path, dead if entry.is_symlink() else _unreadable(path, error))
    except OSError as error:
        return Unlisted(path, _unreadable(path, error))
    except ChangingFileError as error:
        return Unlisted(path, error)
    if not stat.S_ISREG(found.st_mode) and not refusal:
        return Unlisted(path, NotAFileError(f"{path} is neither a file nor a folder.", "Move it out of the folder."))
    is_supported = _suffix(entry.name) in suffixes
    return SourceFile(path, found.st_size, found.st_mtime_ns, is_supported, folder=folder, refusal=refusal)


def _leads_out(folder: Path, path: Path) -> OutsideFolderError | None:
    try:
        require_beneath(folder, path)
    except OutsideFolderError as error:
        return error
    return None


def _no_utf8(path: Path) -> StrangeNameError:
    name = os.fsencode(path).decode(errors="backslashreplace")
    return StrangeNameError(f"{name} has a name that is not UTF-8.", "Rename it.")


def _identity(folder: Path) -> tuple[int, int]:
    found = openable(folder).stat()
    return found.st_dev, found.st_ino


def _unreadable(path: Path, error: OSError) -> SourceError:
    return SourceError(f"{path} cannot be read: {error.strerror}.", "Check that you may read it.")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder or a link to one."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_link(entry: os.DirEntry[str]) -> bool:
    """Whether it is a symbolic link, or what Windows has besides: a junction."""
    if entry.is_symlink() or os.name != "nt":
        return entry.is_symlink()
    return getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0) == _JUNCTION_TAG


def _is_passed_over(name: str) -> bool:
    return name.startswith((".", *_TEMPORARY_PREFIXES)) or _suffix(name) in _IGNORED_SUFFIXES


def _suffix(name: str) -> str:
    return os.path.splitext(name)[1].lower()  # noqa: PTH122  # a Path of each of thousands of names takes its time


def _is_bank(entries: Collection[os.DirEntry[str]]) -> bool:
    """Whether a folder is a bank: what it holds is no source."""
    return {entry.name for entry in entries} >= BANK_ENTRIES


def _is_text(name: str) -> bool:
    return name.isprintable() or not any("\ud800" <= letter <= "\udfff" for letter in name)
