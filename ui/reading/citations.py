"""What the page that is shown cites: a menu of its authorities, and what the office warns of among them.

Must not know which passage was searched for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QMenu

from briefbank.values.cautions import caution_lines
from briefbank.values.pages import AlertMark, CitedOnPage, PageText
from briefbank.values.records import Box, TextSource
from ui.engine import EngineClient, FutureWatcher
from ui.plain import button_text
from ui.reading.view import PageView
from ui.theme import font
from ui.wording import count

_NONE = "No authority is cited on this page"
_HEADING = "Authorities cited on this page"
_WIDEST_PX = 480

Command = tuple[str, Callable[[], object]]
"""What else the menu offers: its words, and what it does."""


class CitedMenu(QObject):
    """Opens the menu at a place of the page, or below the middle of the view for the keyboard."""

    card_requested = Signal(str, str)
    """The key of an authority whose card somebody wants to read, and how it is written."""

    def __init__(self, engine: EngineClient, view: PageView, parent: QObject) -> None:
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
                here = [each for each in cited if any(_holds(box, x_pt, y_pt) for box in each.boxes)]
                self._show(commands, at, cited, here)

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


def _holds(box: Box, x_pt: float, y_pt: float) -> bool:
    return box.x0 <= x_pt <= box.x1 and box.y0 <= y_pt <= box.y1


_NOT_KNOWN = "What the office warns of on this page was not known yet when these words were copied"


class PageAlerts(QObject):
    """The warnings of one document at a time."""

    changed = Signal()

    def __init__(self, engine: EngineClient, view: PageView, parent: QObject) -> None:
        super().__init__(parent)
        self._engine, self._view = engine, view
        self._document_id = ""
        self._task: FutureWatcher | None = None
        self.marks: tuple[AlertMark, ...] | None = None
        """None until they are known."""

    def turn_to(self, document_id: str) -> None:
        """Look what is warned of in a document; in the same one too, since the office's list may have changed."""
        if self._task:
            self._task.cancel()
            self._task = None
        if document_id != self._document_id:
            self._document_id, self.marks = document_id, None
            self._view.set_alerts(())
        if document_id:
            asked = self._engine.bank.alert_marks(document_id)
            # The passage that is shown has its own warnings; without an answer those of other pages are not marked.
            self._task = self._engine.ask(asked, self._on_found, parent=self)

    def on_pages(self, numbers: range) -> tuple[str, ...]:
        """The warnings for what is cited on some pages."""
        found = (each.warning for each in self.marks or () if any(box.page in numbers for box in each.boxes))
        return caution_lines(dict.fromkeys(found), None)

    def describe(self, numbers: range) -> str:
        """The warnings of some pages in one line, empty where there are none."""
        lines = self.on_pages(numbers)
        where = "this page" if len(numbers) == 1 else "these pages"
        several = f"{count(len(lines), 'warning')} on {where}: " if len(lines) > 1 else ""
        return f"⚠ {several}{'; '.join(lines)}" if lines else ""

    def of_selection(self, texts: Mapping[int, PageText], otherwise: tuple[str, ...]) -> tuple[str, ...]:
        """What must stay with the selected words: the warnings of the passages that they stand in, and how surely
        their pages were read; `otherwise` where it is not known yet what is warned of.
        """
        pages = self._view.selection.pages
        known = [texts[page] for page in pages if page in texts]
        least = min((each.ocr_confidence for each in known if each.ocr_confidence is not None), default=None)
        is_unseen = any(each.source is TextSource.UNSEEN for each in known)
        if self.marks is None:
            lines = caution_lines((), least, is_unseen=is_unseen)
            return tuple(dict.fromkeys((*otherwise, _NOT_KNOWN, *lines)))
        selected = {page: self._view.selection.boxes(page) for page in pages}
        found = (each.warning for each in self.marks if _reaches(each, selected))
        return caution_lines(dict.fromkeys(found), least, is_unseen=is_unseen)

    def _on_found(self, marks: tuple[AlertMark, ...]) -> None:
        self.marks = marks
        self._view.set_alerts(marks)
        self.changed.emit()


def _reaches(mark: AlertMark, selected: Mapping[int, Iterable[Box]]) -> bool:
    """Whether a selection touches a line of the passage that cites what is warned of."""
    return any(
        chosen.y0 < place.box.y1 and place.box.y0 < chosen.y1
        for place in mark.passage
        for chosen in selected.get(place.page, ())
    )
