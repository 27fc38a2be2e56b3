"""What the office warns of in the document that is shown: marked on its pages, told of the page in view, and of what is
selected there. Must not know which passage was searched for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QObject, Signal

from briefbank.values import AlertMark, PageText
from briefbank.values.cautions import caution_lines
from briefbank.values.records import Box
from ui.engine import EngineClient
from ui.reading.page.reader import PageReader
from ui.tasks import FutureWatcher
from ui.wording import count

_NOT_KNOWN = "What the office warns of on this page was not known yet when these words were copied"


class PageAlerts(QObject):
    """The warnings of one document at a time."""

    changed = Signal()

    def __init__(self, engine: EngineClient, view: PageReader, parent: QObject) -> None:
        """Begin without a document."""
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
            self._task = self._engine.ask(asked, self._on_found, self._on_failed, parent=self)

    def on_pages(self, numbers: range) -> tuple[str, ...]:
        """The warnings for what is cited on some pages."""
        found = (each.warning for each in self.marks or () if any(box.page in numbers for box in each.boxes))
        return caution_lines(dict.fromkeys(found), None)

    def told(self, numbers: range) -> str:
        """The warnings of some pages in one line, empty where there are none."""
        lines = self.on_pages(numbers)
        where = "this page" if len(numbers) == 1 else "these pages"
        several = f"{count(len(lines), 'warning')} on {where}: " if len(lines) > 1 else ""
        return f"⚠ {several}{'; '.join(lines)}" if lines else ""

    def of_selection(self, texts: Mapping[int, PageText], otherwise: tuple[str, ...]) -> tuple[str, ...]:
        """What must stay with the selected words: the warnings of the passages that they stand in, and how surely
        their pages were read; `otherwise` where it is not known yet what is warned of.
        """
        pages = self._view.texts_needed()
        sure = [texts[page].ocr_confidence for page in pages if page in texts]
        least = min((each for each in sure if each is not None), default=None)
        if self.marks is None:
            return tuple(dict.fromkeys((*otherwise, _NOT_KNOWN, *caution_lines((), least))))
        selected = {page: self._view.selected_on(page) for page in pages}
        found = (each.warning for each in self.marks if _reaches(each, selected))
        return caution_lines(dict.fromkeys(found), least)

    def _on_found(self, marks: tuple[AlertMark, ...]) -> None:
        self.marks = marks
        self._view.set_alerts(marks)
        self.changed.emit()

    def _on_failed(self, _problem: Exception) -> None:
        """The passage that is shown has its own warnings; those of other pages are only not marked."""


def _reaches(mark: AlertMark, selected: Mapping[int, Iterable[Box]]) -> bool:
    """Whether a selection touches a line of the passage that cites what is warned of."""
    return any(
        chosen.y0 < place.box.y1 and place.box.y0 < chosen.y1
        for place in mark.passage
        for chosen in selected.get(place.page, ())
    )
