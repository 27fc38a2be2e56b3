"""Walks a source folder and names the files that could be briefs; reads none of them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from briefbank.errors import SourceError

_TEMPORARY_PREFIXES = ("~$", ".~lock", "._")
_IGNORED_SUFFIXES = frozenset({".tmp", ".part", ".crdownload", ".db", ".ini", ".lnk", ".ds_store", ".csv"})


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as the folder lists it. `supported` is false for a document of a format that no reader takes."""

    path: Path
    size_bytes: int
    mtime_ns: int
    supported: bool


def discover(folder: Path, suffixes: Collection[str]) -> Iterator[SourceFile | SourceError]:
    """Yield the files below `folder` in a stable order, and an error for each that cannot even be looked at.

    Hidden files, office lock files and half-downloaded ones are passed over. Links to folders are not followed.

    Raises:
        SourceError: `folder` itself is missing or unreadable.
    """
    try:
        if not folder.is_dir():
            raise SourceError(f"{folder} is not a folder.", "Check the name, and that the share is connected.")
        with os.scandir(folder) as listed:
            next(listed, None)
    except OSError as error:
        advice = "Check that the share is connected and that you may read it."
        raise SourceError(f"{folder} cannot be read: {error.strerror}.", advice) from error
    errors: list[SourceError] = []
    for root, folders, names in os.walk(folder, onerror=lambda error: errors.append(_unreadable(error))):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not _is_bank(Path(root, name)))
        for name in sorted(names):
            if name.startswith((".", *_TEMPORARY_PREFIXES)) or Path(name).suffix.lower() in _IGNORED_SUFFIXES:
                continue
            path = Path(root, name)
            if not _is_text(name):
                yield SourceError(f"{os.fsencode(path)!r} has a name that is not UTF-8.", "Rename it.")
                continue
            try:
                stat = path.stat()
            except OSError as error:
                yield _unreadable(error)
                continue
            yield SourceFile(path, stat.st_size, stat.st_mtime_ns, path.suffix.lower() in suffixes)
    yield from errors


def _unreadable(error: OSError) -> SourceError:
    return SourceError(f"{error.filename} cannot be read: {error.strerror}.", "Check that you may read it.")


def _is_bank(folder: Path) -> bool:
    """Whether a folder is a bank: what it holds is no source."""
    return (folder / "bank.toml").is_file() and (folder / "generations").is_dir()


def _is_text(name: str) -> bool:
    return name.isprintable() or not any("\ud800" <= letter <= "\udfff" for letter in name)
