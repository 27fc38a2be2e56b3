"""New files and folders that appear whole or not at all, readable by their owner only. Must not know what they hold."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from briefbank.errors import SourceError, UsageError
from briefbank.files import remove_tree, sync_folder, sync_tree


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder that gets its name when the block ends well, and vanishes when it does not.

    Raises:
        UsageError: there is something under that name.
        SourceError: the folder that is to hold it is missing or cannot be written.
    """
    _require_new(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        _made(temporary)
        yield temporary
        for each in temporary.rglob("*"):
            each.chmod(0o700 if each.is_dir() else 0o600)
        sync_tree(temporary)
        temporary.rename(path)
    finally:
        remove_tree(temporary)
    sync_folder(path.parent)


@contextmanager
def new_file(path: Path, *, may_replace: bool = False) -> Iterator[Path]:
    """Yield the name of a file to be written, which gets its own name when the block ends well. Raises as `new_folder`.

    It lies in a folder of its own until then, so that what SQLite puts beside it is out of the way too.
    """
    if not may_replace:
        _require_new(path)
    folder = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        _made(folder)
        yield folder / path.name
        written = folder / path.name
        written.chmod(0o600)
        sync_tree(folder)
        written.replace(path)
    finally:
        remove_tree(folder)
    sync_folder(path.parent)


def _require_new(path: Path) -> None:
    if path.exists() or path.is_symlink():
        raise UsageError(f"There is something at {path} already.", "Name a new place, or move that away.")


def _made(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        advice = "Name a place in a folder that exists and that you may write to."
        raise SourceError(f"Nothing can be written at {folder.parent}: {error.strerror}.", advice) from error
