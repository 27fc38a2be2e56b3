"""New files and folders that appear whole or not at all, readable by their owner only. Must not know what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from briefbank.errors import SourceError, UsageError
from briefbank.platform.files import sync_folder, sync_tree, temporary_folder


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder that gets its name when the block ends well, and vanishes when it does not.

    Raises:
        UsageError: there is something under that name.
        SourceError: the folder that is to hold it is missing or cannot be written.
    """
    require_new(path)
    with _folder_beside(path) as folder:
        yield folder
        for each in folder.rglob("*"):
            each.chmod(0o700 if each.is_dir() else 0o600)
        sync_tree(folder)
        folder.rename(path)
    sync_folder(path.parent)


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
        written.chmod(0o600)
        sync_tree(folder)
        written.replace(path)
    sync_folder(path.parent)


def require_new(path: Path) -> None:
    """Refuse a name that is taken. Raises UsageError."""
    if path.exists() or path.is_symlink():
        raise UsageError(f"There is something at {path} already.", "Name a new place, or move that away.")


@contextmanager
def _folder_beside(path: Path) -> Iterator[Path]:
    """Give a temporary folder beside `path`; errors of making it are named, those of what is done in it passed on."""
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(temporary_folder(path))
        except OSError as error:
            advice = "Name a place in a folder that exists and that you may write to."
            raise SourceError(f"Nothing can be written at {path.parent}: {error.strerror}.", advice) from error
        yield folder
