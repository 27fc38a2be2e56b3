"""A tree whose rows have two parts: words, wrapped, and below them in small where they stand. Knows no engine."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QPainter,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
    QTextLayout,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from briefbank.platform.visible import visible_name
from ui.theme import UNIT_PX, colours, font

Index = QModelIndex | QPersistentModelIndex
BELOW, VALUE, TONE, IS_BOLD = (Qt.ItemDataRole.UserRole + number for number in (1, 2, 3, 4))
"""Of an item: its second part and what it stands for; of its first part the colour, by its name in the scheme."""
_MOST_LINES = 3
"""Words longer than this are cut; the tool tip has all of them."""
_SMALL = 0.9


class TwoPartTree(QTreeView):
    """Rows that fold. Letters do nothing here, since elsewhere they record something."""

    def __init__(self, name: str, most_lines: int = _MOST_LINES) -> None:
        """Begin empty; `name` is what a screen reader says."""
        super().__init__()
        self.rows = QStandardItemModel(self)
        self.setModel(self.rows)
        self._drawing = _TwoPartDelegate(self, most_lines)
        self.setItemDelegate(self._drawing)
        self.setAccessibleName(name)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setExpandsOnDoubleClick(False)
        self.setIndentation(2 * UNIT_PX)

    def set_most_lines(self, most_lines: int) -> None:
        """Show words of up to so many lines whole."""
        self._drawing.most_lines = most_lines
        self.scheduleDelayedItemsLayout()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Begin with the first row where none is selected."""
        super().focusInEvent(event)
        if self.rows.rowCount() and not self.selectionModel().hasSelection():
            self.setCurrentIndex(self.rows.index(0, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Wrap the words anew."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def keyboardSearch(self, _text: str) -> None:  # noqa: N802
        """Leave letters to the field above."""


def two_part_item(text: str, below: str, value: object, *, tone: str = "text", is_bold: bool = False) -> QStandardItem:
    """Return a row; it is spoken as both of its parts."""
    item = QStandardItem(visible_name(text))
    item.setData(visible_name(below), BELOW)
    item.setData(value, VALUE)
    item.setData(tone, TONE)
    item.setData(is_bold, IS_BOLD)
    item.setData(
        ". ".join(filter(None, map(visible_name, (text.rstrip("."), below)))), Qt.ItemDataRole.AccessibleTextRole
    )
    return item


class _TwoPartDelegate(QStyledItemDelegate):
    """Draws the words, wrapped, and what stands below them."""

    def __init__(self, view: QTreeView, most_lines: int) -> None:
        super().__init__(view)
        self._view = view
        self.most_lines = most_lines

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        """Return the height of all lines."""
        parts = self._parts(index)
        height = sum(len(lines) * QFontMetrics(used).lineSpacing() for lines, used, _ in parts)
        return QSize(self._width(index), height + UNIT_PX + 4)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the row's background as the style does, and the words over it."""
        whole = QStyleOptionViewItem(option)
        self.initStyleOption(whole, index)
        whole.text = ""
        widget: QWidget = self._view
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, whole, painter, widget)
        painter.save()
        at = QPoint(option.rect.left() + 4, option.rect.top() + UNIT_PX // 2)
        for lines, used, colour in self._parts(index):
            metrics = QFontMetrics(used)
            painter.setFont(used)
            painter.setPen(colour)
            for line in lines:
                room = QRect(at, QSize(self._width(index), metrics.lineSpacing()))
                painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, line)
                at += QPoint(0, metrics.lineSpacing())
        painter.restore()

    def _parts(self, index: Index) -> tuple[tuple[list[str], QFont, str], ...]:
        """Both parts in lines, each with its font and colour."""
        width, scheme, words = self._width(index), colours(), font(is_bold=index.data(IS_BOLD))
        small, below = font(scale=_SMALL), index.data(BELOW)
        elided = QFontMetrics(small).elidedText(below, Qt.TextElideMode.ElideRight, width)
        text = str(index.data(Qt.ItemDataRole.DisplayRole))
        return (
            (wrapped(text, words, width, self.most_lines), words, getattr(scheme, index.data(TONE))),
            ([elided] if below else [], small, scheme.muted),
        )

    def _width(self, index: Index) -> int:
        depth = 1
        while (index := index.parent()).isValid():
            depth += 1
        return max(self._view.viewport().width() - depth * self._view.indentation() - UNIT_PX, 80)


def wrapped(text: str, used: QFont, width_px: int, most_lines: int = _MOST_LINES) -> list[str]:
    """Break a text into lines of at most that width, the last of which is cut where there are more."""
    layout = QTextLayout(text, used)
    layout.beginLayout()
    starts = list(_line_starts(layout, width_px))
    layout.endLayout()
    lines = [text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    if len(lines) > most_lines:
        rest = text[starts[most_lines - 1] :]
        last = QFontMetrics(used).elidedText(rest, Qt.TextElideMode.ElideRight, width_px)
        lines = [*lines[: most_lines - 1], last]
    return lines


def _line_starts(layout: QTextLayout, width_px: int) -> Iterator[int]:
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width_px)
        yield line.textStart()
