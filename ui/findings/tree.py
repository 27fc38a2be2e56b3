"""Findings as a tree: words, wrapped, and below them in small where they stand; headings fold. Knows no engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
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
from ui.findings.finding import Finding
from ui.plain import tip
from ui.theme import UNIT_PX, colours, font

Index = QModelIndex | QPersistentModelIndex
_BELOW, _FINDING, _IS_BOLD = (Qt.ItemDataRole.UserRole + number for number in (1, 2, 3))
_MOST_LINES = 8
"""Words of briefs are shown whole where they are no longer than a parenthetical usually is; the tool tip has all."""
_SMALL = 0.9


class FindingsTree(QTreeView):
    """Findings in the order given. Letters do nothing here, since elsewhere they record something."""

    selected = Signal(object)
    """The Finding that was selected."""
    opened = Signal(object)
    """The Finding that is to be read."""

    def __init__(self, name: str, most_lines: int = _MOST_LINES) -> None:
        """Begin empty; `name` is what a screen reader says."""
        super().__init__()
        self.rows = QStandardItemModel(self)
        self.setModel(self.rows)
        self._shown: tuple[Finding, ...] = ()
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
        self.activated.connect(lambda index: self.opened.emit(_finding(index)))
        self.selectionModel().currentRowChanged.connect(self._on_selected)

    def set_most_lines(self, most_lines: int) -> None:
        self._drawing.most_lines = most_lines
        self.scheduleDelayedItemsLayout()

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Show these and no others; those that stand there already, in the same order, stay as they are."""
        shown = len(self._shown)
        if self._shown != tuple(findings[:shown]):
            self.rows.clear()
            shown = 0
        self._shown = tuple(findings)
        for row, finding in enumerate(findings[shown:], shown):
            self.rows.appendRow(_item(finding, is_bold=bool(finding.children) and not finding.key))
            self._unfold(self.rows.index(row, 0))

    def replace_findings(self, findings: Sequence[Finding]) -> None:
        """Say otherwise what is shown, line by line: what is selected and unfolded stays so."""
        for row, (before, now) in enumerate(zip(self._shown, findings, strict=True)):
            if before != now:
                _take_over(self.rows.item(row), _item(now))
        self._shown = tuple(findings)

    def select_first_words(self) -> None:
        """Select the first line below a heading, so that its page stands beside it."""
        rows = (self.rows.index(row, 0) for row in range(self.rows.rowCount()))
        if first := next((each for each in rows if self.rows.hasChildren(each)), None):
            self.setCurrentIndex(self.rows.index(0, 0, first))

    def findings(self) -> Iterable[Finding]:
        return self._shown

    @property
    def current(self) -> Finding | None:
        return _finding(self.currentIndex()) if self.currentIndex().isValid() else None

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin with the first line where none is selected: that below the first heading, unless it is folded."""
        super().focusInEvent(event)
        first = self.rows.index(0, 0)
        if first.isValid() and not self.selectionModel().hasSelection():
            is_open = self.rows.hasChildren(first) and self.isExpanded(first)
            self.setCurrentIndex(self.rows.index(0, 0, first) if is_open else first)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def keyboardSearch(self, _text: str) -> None:
        """Leave letters to the field above."""

    def _unfold(self, index: QModelIndex) -> None:
        self.setExpanded(index, not _finding(index).is_folded)
        for row in range(self.rows.rowCount(index)):
            self._unfold(self.rows.index(row, 0, index))

    def _on_selected(self, current: QModelIndex) -> None:
        if current.isValid():
            self.selected.emit(_finding(current))


def _finding(index: Index) -> Finding:
    finding: Finding = index.data(_FINDING)
    return finding


def _item(finding: Finding, *, is_bold: bool = False) -> QStandardItem:
    """Return a row, spoken as both of its parts, with the rows below it."""
    item = QStandardItem(visible_name(finding.text))
    item.setData(visible_name(finding.below), _BELOW)
    item.setData(finding, _FINDING)
    item.setData(is_bold or finding.is_bold, _IS_BOLD)
    spoken = filter(None, map(visible_name, (finding.text.rstrip("."), finding.below)))
    item.setData(". ".join(spoken), Qt.ItemDataRole.AccessibleTextRole)
    item.setData(
        tip(finding.tip or "\n".join(filter(None, (finding.text, finding.below)))), Qt.ItemDataRole.ToolTipRole
    )
    for each in finding.children:
        item.appendRow(_item(each))
    return item


def _take_over(item: QStandardItem, other: QStandardItem) -> None:
    """Say of an item and those below it what another one says; their words are the same."""
    for role in (_BELOW, _FINDING, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
        item.setData(other.data(role), role)
    for row in range(item.rowCount()):
        _take_over(item.child(row), other.child(row))


class _TwoPartDelegate(QStyledItemDelegate):
    """Draws the words, wrapped, and what stands below them."""

    def __init__(self, view: QTreeView, most_lines: int) -> None:
        super().__init__(view)
        self._view = view
        self.most_lines = most_lines

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
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
        width, scheme, words = self._width(index), colours(), font(is_bold=index.data(_IS_BOLD))
        small, below = font(scale=_SMALL), index.data(_BELOW)
        elided = QFontMetrics(small).elidedText(below, Qt.TextElideMode.ElideRight, width)
        text = str(index.data(Qt.ItemDataRole.DisplayRole))
        return (
            (wrapped(text, words, width, self.most_lines), words, getattr(scheme, _finding(index).tone)),
            ([elided] if below else [], small, scheme.muted),
        )

    def _width(self, index: Index) -> int:
        depth = 1
        while (index := index.parent()).isValid():
            depth += 1
        return max(self._view.viewport().width() - depth * self._view.indentation() - UNIT_PX, 80)


def wrapped(text: str, used: QFont, width_px: int, most_lines: int) -> list[str]:
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
