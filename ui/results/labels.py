"""Parts of a card: a line cut to its width, a button, and words of a brief that can be selected and copied."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolButton, QWidget

_PARAGRAPH_END = "\u2029"


class ElidedLabel(QLabel):
    """One line of plain text, cut with an ellipsis where it does not fit; all of it is in the tool tip."""

    def __init__(self, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight, parent: QWidget | None = None) -> None:
        """Begin empty."""
        super().__init__(parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:  # noqa: N802
        """Show another text."""
        super().setText(text)
        self.setToolTip(f"<qt>{escape(text)}</qt>")

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Ask for no width at all."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw what fits."""
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


class FlatButton(QToolButton):
    """A button of a card. Up and Down are the list's, from here too."""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Leave the arrows to whoever holds the card."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()
        else:
            super().keyPressEvent(event)


class SourceLabel(QLabel):
    """Words of a brief as rich text. What is copied out of it is told, so that its source can be added."""

    copy_requested = Signal(str)
    """The words selected, or nothing where none are."""

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
        return self.selectedText().replace(_PARAGRAPH_END, "\n").strip()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Leave every key to the card, which copies with the source."""
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Offer to copy with the source."""
        menu = QMenu(self)
        if self.selected:
            menu.addAction("Copy selection with source", lambda: self.copy_requested.emit(self.selected))
        menu.addAction("Copy passage with source", lambda: self.copy_requested.emit(""))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(event.globalPos())


def is_copy(event: QKeyEvent) -> bool:
    """Tell whether a key asks to copy, in the system's own way."""
    return event.matches(QKeySequence.StandardKey.Copy)
