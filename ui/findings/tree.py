"""Findings as a tree: headings that fold, and lines that open the page they stand on. Knows no engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QStandardItem

from ui.findings.finding import Finding
from ui.plain import tip
from ui.shortcuts import IN_FINDINGS, bind
from ui.two_part_tree import VALUE, Index, TwoPartTree, two_part_item

_MOST_LINES = 8
"""Words of briefs are shown whole where they are no longer than a parenthetical usually is."""


class FindingsTree(TwoPartTree):
    """Findings in the order given."""

    selected = Signal(object)
    """The Finding that was selected."""
    opened = Signal(object)
    """The Finding that is to be read."""
    copy_requested = Signal(object)
    """The Finding whose words are to be copied."""
    add_requested = Signal(object)
    """The Finding whose words are to be kept in a matter."""

    def __init__(self, name: str) -> None:
        """Begin empty; `name` is what a screen reader says."""
        super().__init__(name, _MOST_LINES)
        self.activated.connect(lambda index: self.opened.emit(_finding(index)))
        self.selectionModel().currentRowChanged.connect(self._on_selected)
        bind(IN_FINDINGS, {"copy": self._copy, "add": self._add}, self, Qt.ShortcutContext.WidgetShortcut)

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Show these and no others."""
        self.rows.clear()
        for finding in findings:
            self.rows.appendRow(_item(finding, is_bold=bool(finding.children)))
        for row in range(self.rows.rowCount()):
            self._unfold(self.rows.index(row, 0))

    def select_first_words(self) -> None:
        """Select the first line below a heading, so that its page stands beside it."""
        rows = (self.rows.index(row, 0) for row in range(self.rows.rowCount()))
        if first := next((each for each in rows if self.rows.hasChildren(each)), None):
            self.setCurrentIndex(self.rows.index(0, 0, first))

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Begin with the first line where none is selected: that below the first heading, unless it is folded."""
        is_begun = self.selectionModel().hasSelection()
        super().focusInEvent(event)
        first = self.rows.index(0, 0)
        if not is_begun and self.rows.hasChildren(first) and self.isExpanded(first):
            self.setCurrentIndex(self.rows.index(0, 0, first))

    def findings(self) -> Iterable[Finding]:
        """The findings at the top."""
        return (_finding(self.rows.index(row, 0)) for row in range(self.rows.rowCount()))

    @property
    def current(self) -> Finding | None:
        """The finding selected."""
        return _finding(self.currentIndex()) if self.currentIndex().isValid() else None

    def _unfold(self, index: QModelIndex) -> None:
        self.setExpanded(index, not _finding(index).is_folded)
        for row in range(self.rows.rowCount(index)):
            self._unfold(self.rows.index(row, 0, index))

    def _on_selected(self, current: QModelIndex) -> None:
        if current.isValid():
            self.selected.emit(_finding(current))

    def _copy(self) -> None:
        if finding := self.current:
            self.copy_requested.emit(finding)

    def _add(self) -> None:
        if finding := self.current:
            self.add_requested.emit(finding)


def _finding(index: Index) -> Finding:
    finding: Finding = index.data(VALUE)
    return finding


def _item(finding: Finding, *, is_bold: bool = False) -> QStandardItem:
    item = two_part_item(finding.text, finding.below, finding, tone=finding.tone, is_bold=is_bold)
    item.setData(tip("\n".join(filter(None, (finding.text, finding.below)))), Qt.ItemDataRole.ToolTipRole)
    for each in finding.children:
        item.appendRow(_item(each))
    return item
