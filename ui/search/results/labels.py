"""Parts of a card: buttons, and words of a brief that can be selected and copied."""

from __future__ import annotations

import re

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import (
    QLabel,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

_PARAGRAPH_END = "\u2029"
_BREAK = "\N{ZERO WIDTH SPACE}"
"""Stands in words that are too long for a line (rules of dots, addresses), and in nothing that is copied."""
_UNBROKEN_CHARS = 20
_CHARACTER = r"(?:&#?\w+;|[^\s&])"
_TOO_LONG = re.compile(rf"{_CHARACTER}{{{_UNBROKEN_CHARS + 1},}}")
_STRETCH = re.compile(rf"{_CHARACTER}{{1,{_UNBROKEN_CHARS}}}")
_TAG = re.compile(r"(<[^>]*>)")
_WRAPPED = (
    Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextShowMnemonic | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
)


class FlatButton(QToolButton):
    """A button of a card. Up and Down are the list's, from here too."""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Leave the arrows to whoever holds the card."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()
        else:
            super().keyPressEvent(event)


class WrappedButton(QToolButton):
    """A button whose words go on in the next line where they do not fit into one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Begin empty."""
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Answer the layout: lines are wrapped."""
        return True

    def heightForWidth(self, width_px: int) -> int:  # noqa: N802
        """Return the height of all lines."""
        around = self._around()
        room = QRect(0, 0, max(width_px - around.width(), 1), 2**16)
        lines = self.fontMetrics().boundingRect(room, _WRAPPED, self.text())
        return lines.height() + around.height()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the width of the longest word."""
        widest = max((self.fontMetrics().horizontalAdvance(word) for word in self.text().split()), default=0)
        return QSize(widest + self._around().width(), super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the button, and the words over it."""
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        text, option.text = option.text, ""
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        around = self._around()
        room = self.rect().adjusted(around.width() // 2, 0, -(around.width() // 2), 0)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, _WRAPPED, text)
        painter.end()

    def _around(self) -> QSize:
        """How much larger than its words it is."""
        metrics = self.fontMetrics()
        words = metrics.size(Qt.TextFlag.TextShowMnemonic, self.text())
        return (self.sizeHint() - words).expandedTo(QSize(0, 0))


class SourceLabel(QLabel):
    """Words of a brief as rich text. What is copied out of it is told, so that its source can be added."""

    copy_requested = Signal(str)
    """The words selected, or nothing where none are."""
    clicked = Signal()
    """The mouse was released on the words, selecting some of them or none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Begin empty."""
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.LinksAccessibleByMouse
        )
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    @property
    def selected(self) -> str:
        """The words selected, as plain text."""
        return self.selectedText().replace(_PARAGRAPH_END, "\n").replace(_BREAK, "").strip()

    def setText(self, text: str) -> None:  # noqa: N802
        """Show another text; its longest words may be broken, so that they widen nothing."""
        super().setText(_breakable(text))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Leave every key to the card, which copies with the source."""
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Tell of a click, which Qt keeps to itself where words can be selected."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Offer to copy with the source."""
        menu = QMenu(self)
        if self.selected:
            menu.addAction("Copy selection with source", lambda: self.copy_requested.emit(self.selected))
        menu.addAction("Copy passage with source", lambda: self.copy_requested.emit(""))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(event.globalPos())


def _breakable(text: str) -> str:
    """Rich text in which no word is longer than a narrow line."""

    def broken(word: re.Match[str]) -> str:
        return _BREAK.join(_STRETCH.findall(word[0]))

    return "".join(part if part.startswith("<") else _TOO_LONG.sub(broken, part) for part in _TAG.split(text))


def is_copy(event: QKeyEvent) -> bool:
    """Tell whether a key asks to copy, in the system's own way."""
    return event.matches(QKeySequence.StandardKey.Copy)
