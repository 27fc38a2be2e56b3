"""The menu of a page: the authorities that it cites, each leading to its card. Asks the engine which they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QMenu

from briefbank.values import CitedOnPage
from ui.engine import EngineClient
from ui.plain import button_text
from ui.reading.page.reader import PageReader
from ui.tasks import FutureWatcher
from ui.theme import font

_NONE = "No authority is cited on this page"
_HEADING = "Authorities cited on this page"
_WIDEST_PX = 480

Command = tuple[str, Callable[[], object]]
"""What else the menu offers: its words, and what it does."""


class CitedMenu(QObject):
    """Opens the menu at a place of the page, or below the middle of the view for the keyboard."""

    card_requested = Signal(str, str)
    """The key of an authority whose card somebody wants to read, and how it is written."""

    def __init__(self, engine: EngineClient, view: PageReader, parent: QObject) -> None:
        """Serve the page that `view` shows; nothing is asked yet."""
        super().__init__(parent)
        self._engine, self._view = engine, view
        self._asking: FutureWatcher | None = None

    def ask(self, document_id: str, commands: Sequence[Command] = (), at: QPoint | None = None) -> None:
        """Open the menu for the page at a point of the viewport, or for the page in view; what is cited at the point
        comes first.
        """
        if self._asking:
            self._asking.cancel()
        page, x_pt, y_pt = self._view.point_on_page(at) if at else (self._view.page, -1.0, -1.0)

        def show(cited: Sequence[CitedOnPage]) -> None:
            pages = self._view.pages
            if pages and pages.document.id == document_id:  # else another was opened meanwhile
                self._show(commands, at, cited, _at(x_pt, y_pt, cited))

        future = self._engine.bank.cited_on(document_id, page)
        self._asking = self._engine.ask(future, show, lambda _problem: show(()), parent=self)

    def _show(
        self,
        commands: Sequence[Command],
        at: QPoint | None,
        cited: Sequence[CitedOnPage],
        here: Sequence[CitedOnPage],
    ) -> None:
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for each in here:
            self._add(menu, each, "Card of ")
        if here:
            menu.addSeparator()
        menu.addAction(_HEADING if cited else _NONE).setEnabled(False)
        for each in cited:
            self._add(menu, each)
        if commands:
            menu.addSeparator()
        for words, does in commands:
            menu.addAction(words, does)
        viewport = self._view.viewport()
        menu.popup(viewport.mapToGlobal(at or viewport.rect().center()))
        if not at and cited:
            menu.setActiveAction(menu.actions()[1])

    def _add(self, menu: QMenu, cited: CitedOnPage, before: str = "") -> None:
        words = QFontMetrics(font()).elidedText(before + cited.name, Qt.TextElideMode.ElideRight, _WIDEST_PX)
        menu.addAction(button_text(words), partial(self.card_requested.emit, cited.key, cited.name))


def _at(x_pt: float, y_pt: float, cited: Sequence[CitedOnPage]) -> list[CitedOnPage]:
    """What is cited at a point of the page."""
    return [each for each in cited if any(box.x0 <= x_pt <= box.x1 and box.y0 <= y_pt <= box.y1 for box in each.boxes)]
