"""The parts of the panel that shows a page, and where they stand. What they do is the affair of `panel`."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.engine import EngineClient
from ui.plain import ElidedLabel, PlainLabel
from ui.reading.page.alerts import PageAlerts
from ui.reading.page.bars import Notice, PageBar, PassageBar, tool
from ui.reading.page.citations import CitedMenu
from ui.reading.page.find_bar import FindBar
from ui.reading.page.finding import DocumentFinder
from ui.reading.page.outline import OutlineList
from ui.reading.page.printing import PrintLine
from ui.reading.page.reader import PageReader
from ui.reading.page.states import PageStates
from ui.shortcuts import READING, key
from ui.theme import UNIT_PX

_HEAD = {"back": "←", "forward": "→", "find": "Find", "outline": "Outline", "beside": "Beside"}
"""The keys that have a button above the page, and what it says."""


class PageFrame(QWidget):
    """What the document is above, its pages with the outline in the middle, what can be done with the passage below."""

    def __init__(self, engine: EngineClient, parent: QWidget | None = None) -> None:
        """Make all parts, empty."""
        super().__init__(parent)
        self.title, self.note = ElidedLabel(parent=self), PlainLabel(parent=self)
        self.back, self.forward, self.find_button, self.headings, self.beside = (
            tool(text, key(name, READING).tip, self) for name, text in _HEAD.items()
        )
        self.bar, self.notice = PageBar(self), Notice(self)
        self.view = PageReader(engine, self)
        self.finder = DocumentFinder(engine, self)
        self.find_bar = FindBar(self.finder, lambda: self.view.page, self)
        self.printing = PrintLine(engine, self)
        self.outline = OutlineList(engine, self.view, self)
        self.alerts, self.alert_line = PageAlerts(engine, self.view, self), ElidedLabel(parent=self)
        self.cited = CitedMenu(engine, self.view, self)
        self.states = PageStates(self.view, self)
        self.passage_bar = PassageBar(self)
        self.note.setProperty("tone", "muted")
        self.alert_line.setProperty("tone", "warning")
        self.alert_line.setContentsMargins(UNIT_PX, 0, UNIT_PX, UNIT_PX // 2)
        for each in (self.headings, self.beside):
            each.setCheckable(True)
        self._arrange()

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head())
        for widget in (self.bar, self.alert_line, self.find_bar, self.notice, self.printing):
            column.addWidget(widget)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.outline)
        middle.addWidget(self.states, 1)
        column.addLayout(middle, 1)
        column.addWidget(self.passage_bar)

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(UNIT_PX, UNIT_PX // 2, UNIT_PX, 0)
        row.setSpacing(UNIT_PX // 2)
        row.addWidget(self.back)
        row.addWidget(self.forward)
        row.addWidget(self.title, 1)
        for widget in (self.note, self.find_button, self.headings, self.beside):
            row.addWidget(widget)
        return row

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.outline.set_room(self.width(), self.view.across)
