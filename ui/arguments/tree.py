"""Arguments as a tree: groups of headings that fold, each with the briefs that it was argued in. Knows no engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QStandardItem

from briefbank.values import Argument, ArgumentGroup
from briefbank.values.records import Document
from ui.headings import sentence_case
from ui.plain import tip
from ui.two_part_tree import BELOW, VALUE, Index, TwoPartTree, two_part_item
from ui.wording import count, day


class ArgumentsTree(TwoPartTree):
    """Groups in the order given; a group of several headings unfolds."""

    selected = Signal(str)
    """The id of the first passage below the heading that was selected."""
    opened = Signal(str)
    """As `selected`, of a heading that is to be read."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__("Arguments")
        self._groups: tuple[ArgumentGroup, ...] = ()
        self.activated.connect(lambda index: self.opened.emit(_argument(index).passage_id))
        self.selectionModel().currentRowChanged.connect(self._on_selected)

    def show_groups(self, groups: Sequence[ArgumentGroup]) -> None:
        """Show other groups; those that stand there already, in the same order, stay as they are."""
        shown = len(self._groups)
        if self._groups != tuple(groups[:shown]):
            self.rows.clear()
            shown = 0
        for group in groups[shown:]:
            self.rows.appendRow(_group_item(group))
        self._groups = tuple(groups)

    def correct(self, document: Document) -> None:
        """Name a document as it was corrected; what is selected and unfolded stays so."""
        self._groups = tuple(_corrected(group, document) for group in self._groups)
        for row, group in enumerate(self._groups):
            if any(each.document is document for each in group.arguments):
                _take_over(self.rows.item(row), _group_item(group))

    def _on_selected(self, current: QModelIndex) -> None:
        if current.isValid():
            self.selected.emit(_argument(current).passage_id)


def _argument(index: Index) -> Argument:
    argument: Argument = index.data(VALUE)
    return argument


def _corrected(group: ArgumentGroup, document: Document) -> ArgumentGroup:
    arguments = tuple(
        replace(each, document=document) if each.document.id == document.id else each for each in group.arguments
    )
    return replace(group, arguments=arguments)


def _take_over(item: QStandardItem, other: QStandardItem) -> None:
    """Say of an item and those below it what another one says; their headings are the same."""
    for role in (BELOW, VALUE, Qt.ItemDataRole.AccessibleTextRole):
        item.setData(other.data(role), role)
    for row in range(item.rowCount()):
        _take_over(item.child(row), other.child(row))


def _group_item(group: ArgumentGroup) -> QStandardItem:
    first = group.arguments[0]
    if group.argument_count == 1:
        return _item(group.heading, where(first), first, is_bold=True)
    item = _item(group.heading, _argued(group), first, is_bold=True)
    item.appendRows([_item(each.heading, where(each), each) for each in group.arguments])
    if more := group.argument_count - len(group.arguments):
        item.child(item.rowCount() - 1).setData(f"{where(group.arguments[-1])} – and {more:,} older", BELOW)
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


def _item(heading: str, below: str, argument: Argument, *, is_bold: bool = False) -> QStandardItem:
    item = two_part_item(sentence_case(heading), below, argument, is_bold=is_bold)
    path = "\n".join(" ".join(each.split()) for each in argument.path)
    item.setData(tip(path), Qt.ItemDataRole.ToolTipRole)
    return item
