"""Gives a widget its keys out of the one table of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from ui.shortcuts import Key


def bind(
    keys: Sequence[Key], actions: Mapping[str, Callable[[], object]], owner: QWidget, context: Qt.ShortcutContext
) -> list[QShortcut]:
    """Let keys do what `actions` has under their names; those without an action there are bound elsewhere."""
    made = []
    for key in keys:
        for sequence in key.sequences if key.name in actions else ():
            made.append(QShortcut(QKeySequence(sequence), owner, context=context))
            made[-1].activated.connect(actions[key.name])
    return made
