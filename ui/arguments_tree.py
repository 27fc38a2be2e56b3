"""Arguments as a tree: groups of headings that fold, each with the briefs that it was argued in. Knows no engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
from briefbank.reports import Argument, ArgumentGroup
from ui.plain import tip
from ui.theme import UNIT_PX, colours, font
from ui.wording import count, day

Index = QModelIndex | QPersistentModelIndex
_BELOW, _ARGUMENT = Qt.ItemDataRole.UserRole + 1, Qt.ItemDataRole.UserRole + 2
_MOST_LINES = 3
"""A heading longer than this is cut; the tool tip has all of it."""
_SMALL = 0.9


class ArgumentsTree(QTreeView):
    """Groups in the order given; a group of several headings unfolds."""

    selected = Signal(str)
    """The id of the first passage below the heading that was selected."""
    opened = Signal(str)
    """As `selected`, of a heading that is to be read."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__()
        self._model = QStandardItemModel(self)
        self._groups: tuple[ArgumentGroup, ...] = ()
        self.setModel(self._model)
        self.setItemDelegate(_TwoPartDelegate(self))
        self.setAccessibleName("Arguments")
        self.setHeaderHidden(True)
        self.setUniformRowHeights(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setExpandsOnDoubleClick(False)
        self.setIndentation(2 * UNIT_PX)
        self.activated.connect(lambda index: self.opened.emit(_argument(index).passage_id))
        self.selectionModel().currentRowChanged.connect(self._on_selected)

    def show_groups(self, groups: Sequence[ArgumentGroup]) -> None:
        """Show other groups; those that stand there already, in the same order, stay as they are."""
        shown = len(self._groups)
        if self._groups != tuple(groups[:shown]):
            self._model.clear()
            shown = 0
        for group in groups[shown:]:
            self._model.appendRow(_group_item(group))
        self._groups = tuple(groups)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Begin with the first group where none is selected."""
        super().focusInEvent(event)
        if self._model.rowCount() and not self.selectionModel().hasSelection():
            self.setCurrentIndex(self._model.index(0, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Wrap the headings anew."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def keyboardSearch(self, _text: str) -> None:  # noqa: N802
        """Leave letters to the field above."""

    def _on_selected(self, current: QModelIndex) -> None:
        if current.isValid():
            self.selected.emit(_argument(current).passage_id)


def _argument(index: Index) -> Argument:
    argument: Argument = index.data(_ARGUMENT)
    return argument


def _group_item(group: ArgumentGroup) -> QStandardItem:
    first = group.arguments[0]
    if group.argument_count == 1:
        return _item(group.heading, where(first), first)
    item = _item(group.heading, _argued(group), first)
    item.appendRows([_item(each.heading, where(each), each) for each in group.arguments])
    if more := group.argument_count - len(group.arguments):
        item.child(item.rowCount() - 1).setData(f"{where(group.arguments[-1])} – and {more:,} older", _BELOW)
    return item


def _argued(group: ArgumentGroup) -> str:
    """Return in how many briefs a group is argued; in one alone, in which and under how many headings of it."""
    if group.brief_count > 1:
        return f"argued in {count(group.brief_count, 'brief')}, last {day(group.filed)}"
    document = group.arguments[0].document
    said = [document.metadata.title.value, day(document.filed), count(group.argument_count, "heading")]
    return " · ".join(said)


def where(argument: Argument) -> str:
    """Return in which brief, of when and on which page an argument stands."""
    document = argument.document
    cited = document.cited_pages(argument.page, argument.page)
    said = [document.metadata.title.value, day(document.filed), cited]
    return " · ".join(each for each in said if each)


def _item(heading: str, below: str, argument: Argument) -> QStandardItem:
    item = QStandardItem(visible_name(heading))
    item.setData(visible_name(below), _BELOW)
    item.setData(argument, _ARGUMENT)
    item.setData(f"{visible_name(heading)}. {visible_name(below)}", Qt.ItemDataRole.AccessibleTextRole)
    path = "\n".join(" ".join(each.split()) for each in argument.path)
    item.setData(tip(path), Qt.ItemDataRole.ToolTipRole)
    return item


class _TwoPartDelegate(QStyledItemDelegate):
    """Draws a heading, wrapped, and where it stands below it."""

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        """Return the height of all lines."""
        width = self._width(index)
        lines = wrapped(_text(index), _font_of(index), width)
        height = len(lines) * QFontMetrics(_font_of(index)).lineSpacing() + QFontMetrics(_small()).lineSpacing()
        return QSize(width, height + UNIT_PX + 4)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the row's background as the style does, and the words over it."""
        whole = QStyleOptionViewItem(option)
        self.initStyleOption(whole, index)
        whole.text = ""
        widget: QWidget = self._view
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, whole, painter, widget)
        scheme = colours()
        painter.save()
        at = QPoint(option.rect.left() + 4, option.rect.top() + UNIT_PX // 2)
        for lines, used, colour in (
            (wrapped(_text(index), _font_of(index), self._width(index)), _font_of(index), scheme.text),
            (_elided(index.data(_BELOW), self._width(index)), _small(), scheme.muted),
        ):
            metrics = QFontMetrics(used)
            painter.setFont(used)
            painter.setPen(colour)
            for line in lines:
                room = QRect(at, QSize(self._width(index), metrics.lineSpacing()))
                painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, line)
                at += QPoint(0, metrics.lineSpacing())
        painter.restore()

    def _width(self, index: Index) -> int:
        depth = 2 if index.parent().isValid() else 1
        return max(self._view.viewport().width() - depth * self._view.indentation() - UNIT_PX, 80)


def wrapped(text: str, used: QFont, width_px: int) -> list[str]:
    """Break a text into lines of at most that width, the last of which is cut where there are more."""
    layout = QTextLayout(text, used)
    layout.beginLayout()
    starts = list(_line_starts(layout, width_px))
    layout.endLayout()
    lines = [text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    if len(lines) > _MOST_LINES:
        rest = text[starts[_MOST_LINES - 1] :]
        last = QFontMetrics(used).elidedText(rest, Qt.TextElideMode.ElideRight, width_px)
        lines = [*lines[: _MOST_LINES - 1], last]
    return lines


def _line_starts(layout: QTextLayout, width_px: int) -> Iterator[int]:
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width_px)
        yield line.textStart()


def _elided(text: str, width_px: int) -> list[str]:
    return [QFontMetrics(_small()).elidedText(text, Qt.TextElideMode.ElideRight, width_px)]


def _text(index: Index) -> str:
    return str(index.data(Qt.ItemDataRole.DisplayRole))


def _font_of(index: Index) -> QFont:
    return font(is_bold=not index.parent().isValid())


def _small() -> QFont:
    return font(scale=_SMALL)
