"""Asks for a name over the window, which goes on meanwhile: nothing waits inside of whoever asks."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QWidget

_WIDTH_CHARS = 70
"""A question, shortened as a name, is seen whole."""


def ask_name(parent: QWidget, title: str, question: str, on_given: Callable[[str], None], before: str = "") -> None:
    """Call `on_given` with the name, unless none is given; `before` is the one that stands there first."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setLabelText(question)
    dialog.setTextValue(before)
    dialog.resize(dialog.fontMetrics().averageCharWidth() * _WIDTH_CHARS, dialog.sizeHint().height())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def tell(text: str) -> None:
        if name := text.strip():
            on_given(name)

    dialog.textValueSelected.connect(tell)
    dialog.open()
