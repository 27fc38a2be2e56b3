"""Generated text on the screen that can be read and heard, but not taken along.

It is painted, so there is nothing to select, drag or copy; a screen reader hears it as the name of a static text, which
is not the text interface through which text is selected and copied. Control and direction characters are shown as their
codes: a model may repeat what a brief hides. Must not know where the text comes from.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionFocusRect

from briefbank.platform.visible import visible
from briefbank.values.summaries import AI_LABEL, SummaryPart
from ui.plain import PlainLabel
from ui.theme import colours

_NARROWEST_PX = 120
_PADDING_PX = 4
_SPOKEN = f"{AI_LABEL}: "


class GuardedText(PlainLabel):
    """A label that holds no text of its own, for its role alone: the parts stand in a document that it only paints."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[SummaryPart] = []
        self._document = QTextDocument()
        self._document.setUndoRedoEnabled(False)
        self._document.setDocumentMargin(0)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        # Not NoContextMenu, which would hand the click on to the menu of the result below.
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.restart()

    def restart(self) -> None:
        self._parts.clear()
        self._document.clear()
        self.setAccessibleName(_SPOKEN)
        self.updateGeometry()

    def add(self, part: SummaryPart) -> None:
        part = SummaryPart(visible(part.text), visible(part.doubt))
        self._parts.append(part)
        self._write(part)
        doubt = f" {_doubt(part)}" if part.doubt else ""
        self.setAccessibleName(f"{self.accessibleName()}{part.text}{doubt}")
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width_px: int) -> int:
        self._document.setTextWidth(max(width_px - 2 * _PADDING_PX, 1))
        return round(self._document.size().height() + 0.5) + 2 * _PADDING_PX

    def minimumSizeHint(self) -> QSize:
        return QSize(_NARROWEST_PX, self.fontMetrics().height())

    def sizeHint(self) -> QSize:
        width_px = max(self.width(), _NARROWEST_PX)
        return QSize(width_px, self.heightForWidth(width_px))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's name and signature
        painter = QPainter(self)
        painter.translate(_PADDING_PX, _PADDING_PX)
        self._document.setTextWidth(max(self.width() - 2 * _PADDING_PX, 1))
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette = self.palette()
        self._document.documentLayout().draw(painter, context)
        if self.hasFocus():
            painter.resetTransform()
            option = QStyleOptionFocusRect()
            option.initFrom(self)
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_FrameFocusRect, option, painter, self)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self._document.clear()
            self._document.setDefaultFont(self.font())
            for part in self._parts:
                self._write(part)
            self.updateGeometry()

    def _write(self, part: SummaryPart) -> None:
        cursor = QTextCursor(self._document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        looks = QTextCharFormat()
        looks.setForeground(self.palette().color(QPalette.ColorRole.WindowText))
        if not part.doubt:
            cursor.insertText(part.text, looks)
            return
        words = part.text.lstrip()
        cursor.insertText(part.text[: len(part.text) - len(words)], looks)
        looks.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DashUnderline)
        looks.setUnderlineColor(QColor(colours().warning))
        cursor.insertText(words, looks)
        note = QTextCharFormat()
        note.setForeground(QColor(colours().warning))
        note.setFontWeight(QFont.Weight.Bold)
        cursor.insertText(f" {_doubt(part)}", note)


def _doubt(part: SummaryPart) -> str:
    return f"[Not in the source: {part.doubt}]"
