"""Asks where a new file is to lie, and of which kind it is to be."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

_NO_NAME = '<>:"/\\|?*'
"""What a file's name does not hold on Windows, where it may go."""


def ask_where(parent: QWidget, title: str, name: str, ending: str, kind: str) -> tuple[Path, bool] | None:
    """Ask for the place of a file of one kind; as `ask_where_of`."""
    return ask_where_of(parent, title, name, {ending: kind})


def ask_where_of(parent: QWidget, title: str, name: str, kinds: Mapping[str, str]) -> tuple[Path, bool] | None:
    """Ask for a file's place, offering a name without its ending and what `kinds` calls the kinds by their endings;
    returns that, and whether a file of that name may be replaced, which the dialog has asked. None where nothing was
    chosen.
    """
    offered = "".join("_" if letter in _NO_NAME or not letter.isprintable() else letter for letter in name)
    first = next(iter(kinds))
    chosen, kind = QFileDialog.getSaveFileName(parent, title, f"{offered}{first}", ";;".join(kinds.values()))
    if not chosen:
        return None
    # The dialog asks before it names a file that is there; it knows nothing of one with the ending added.
    is_whole = chosen.casefold().endswith(tuple(kinds))
    ending = next((each for each, called in kinds.items() if called == kind), first)
    return Path(chosen if is_whole else f"{chosen}{ending}"), is_whole
