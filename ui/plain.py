"""Text as it is: labels, tool tips, menus and boxes that show what they are given and render nothing of it.

Qt takes a text for HTML where it looks like it, and then loads what it names: a title or a file's name from anywhere
could place a picture, a link or other words in the window. So every label, tip, menu entry and message box is made
here, a test sees to it, and rich text is written in one place (`search/excerpt.py`), which escapes what it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Protocol

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QMessageBox, QSizePolicy, QToolButton, QWidget

from briefbank.platform.visible import visible, visible_name
from ui.theme import font


class PlainLabel(QLabel):
    """A label that renders no HTML and shows control, direction and unseen characters as codes."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        tone: str = "",
        scale: float = 1.0,
        is_bold: bool = False,
        wraps: bool = False,
    ) -> None:
        """Show `text` in a colour of the scheme by its name, its type `scale` times the application's."""
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        if scale != 1.0 or is_bold:
            self.setFont(font(scale=scale, is_bold=is_bold))
        if tone:
            self.setProperty("tone", tone)
        self.setWordWrap(wraps)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(visible(text))


class ElidedLabel(PlainLabel):
    """One line of text, cut with an ellipsis where it does not fit; all of it is in the tool tip."""

    def __init__(
        self,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
        *,
        tone: str = "",
        scale: float = 1.0,
        is_bold: bool = False,
    ) -> None:
        super().__init__("", parent, tone=tone, scale=scale, is_bold=is_bold)
        self._mode = mode
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        super().setText(visible_name(text))
        set_tool_tip(self, text)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            int(self.alignment()),
            self.palette(),
            self.isEnabled(),
            self.fontMetrics().elidedText(self.text(), self._mode, self.contentsRect().width()),
            self.foregroundRole(),
        )
        painter.end()


class _HasToolTip(Protocol):
    def setToolTip(self, text: str, /) -> None: ...


def set_tool_tip(shown: _HasToolTip, text: str) -> None:
    """Give a widget or an item of a table a tool tip that shows `text` as it is; none where it is empty.

    A widget is described with it to screen readers too: to them Qt would pass the markup on.
    """
    shown.setToolTip(tip(text))
    if isinstance(shown, QWidget):
        shown.setAccessibleDescription(visible(text))


def tip(text: str) -> str:
    """Return `text` as a model hands it out for a tool tip, which knows no plain format: as escaped rich text."""
    lines = "<br>".join(escape(line) for line in visible(text).split("\n"))
    return f"<qt>{lines}</qt>" if text else ""


def button_text(text: str) -> str:
    """Return a text as a button or menu shows it whole: no letter taken for a shortcut, nothing behind a tab."""
    return visible_name(text).replace("&", "&&")


def warning_box(parent: QWidget | None, title: str, text: str, details: str) -> QMessageBox:
    """Return a box that warns, with `details` below its text; not yet shown."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(visible_name(title))
    box.setText(visible(text))
    box.setInformativeText(visible(details))
    for label in box.findChildren(QLabel):  # `setTextFormat` reaches the text, not the details
        label.setTextFormat(Qt.TextFormat.PlainText)
    return box


def quiet_button(
    text: str,
    on_clicked: Callable[[], object] | None = None,
    *,
    name: str = "",
    tip: str = "",
    tone: str = "",
    is_checkable: bool = False,
) -> QToolButton:
    """Return a button without a frame; `name` is what a screen reader says in place of its text."""
    made = QToolButton()
    made.setText(text)
    made.setCheckable(is_checkable)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    if name:
        made.setAccessibleName(name)
    if tip:
        set_tool_tip(made, tip)
    if tone:
        made.setProperty("tone", tone)
    if on_clicked:
        made.clicked.connect(lambda _checked: on_clicked())
    return made
