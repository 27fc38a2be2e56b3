"""What the panel of a page shows: a document, a passage of it, where these came from and where the reader has been.

Asks the engine for the pages, the passage's marks and its neighbours; how pages are shown is the view's affair, and
what is done with them that of `panel`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from briefbank.values import DocumentPages, PassageInContext, PassageMarks
from briefbank.values.cautions import cautions_of_hit
from briefbank.values.records import Document, Hit, PageBox, Passage, Span
from ui.engine import EngineClient
from ui.reading.page.finding import Found
from ui.reading.page.frame import PageFrame
from ui.reading.page.history import History, Place, Position
from ui.reading.page.states import in_words
from ui.tasks import FutureWatcher

_LOADING_MS = 200
"""How long the page before stays in view before "loading" takes its place."""


class ShownPassage(PageFrame):
    """One passage where it stands in its document."""

    def __init__(self, engine: EngineClient, parent: QWidget | None = None) -> None:
        super().__init__(engine, parent)
        self._engine = engine
        self._passage: Passage | None = None
        self._document: Document | None = None
        self._matches: tuple[Span, ...] = ()
        self._cautions: tuple[str, ...] = ()
        self._is_whole = False
        self._marks: PassageMarks | None = None
        self._hits: tuple[tuple[PageBox, ...], ...] = ()
        self._hit = -1
        self._neighbours = ("", "")
        self._tasks: list[FutureWatcher] = []
        self._page_problem: Exception | None = None
        self._message = ""
        self._history = History()
        self._goal: Position | None = None
        """Where the view goes instead of to the passage: somebody went back to it."""
        self._loading = QTimer(self, singleShot=True, interval=_LOADING_MS)
        self._loading.timeout.connect(self.states.tell_loading)

    def show_hit(self, hit: Hit) -> None:
        """Show a result on its page, its matched words marked."""
        self.show_passage(hit.passage, hit.document, hit.matches, cautions_of_hit(hit))

    def show_passage(
        self, passage: Passage, document: Document, matches: tuple[Span, ...] = (), cautions: tuple[str, ...] = ()
    ) -> None:
        """Show a passage on its page; `matches` are spans of its text, `cautions` are copied with its words."""
        place = Place(document, passage, matches, cautions)
        is_shown = self._shows(document) and not self._is_whole
        if is_shown and self._passage and (self._passage.id, self._matches) == (passage.id, matches):
            self._goal = None
            self._place(is_gliding=True)
            return
        self._visit(place)

    @property
    def place(self) -> Place | None:
        """What is shown, and how far the reader has scrolled; None where nothing is."""
        if not self._document or not self._passage:
            return None
        position = self.view.position() if self._pages else self._goal
        return Place(self._document, self._passage, self._matches, self._cautions, position, self._is_whole)

    def show_place(self, place: Place) -> None:
        """Show what another panel shows."""
        self._visit(place)

    def show_document(self, opening: Passage, document: Document, cautions: tuple[str, ...] = ()) -> None:
        """Show a document from its beginning; `opening` is its first passage, which is not outlined."""
        if not (self._shows(document) and self._is_whole):
            self._visit(Place(document, opening, (), cautions, is_whole=True))

    def correct(self, document: Document) -> None:
        """Take up what was corrected of a document, so that words are copied with it from now on."""
        self._history.correct(document)
        if self._document and self._document.id == document.id:
            self._document = document
            self.title.setText(document.metadata.title.value)
            self._tell()

    def _visit(self, place: Place) -> None:
        self._leave()
        self._history.visit(place)
        self._show(place)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is shown, nor on its way."""
        return self._document is None

    def clear(self) -> None:
        """Show nothing."""
        self._leave()
        self._history.leave_empty()
        self._drop_tasks()
        self._passage = self._document = self._page_problem = self._marks = self._goal = None
        self._matches, self._hits, self._hit, self._neighbours, self._message = (), (), -1, ("", ""), ""
        self.find_bar.close_find()
        self.alerts.turn_to("")
        self.view.clear()
        self.outline.turn_to(None)
        self.title.setText("")
        self.states.tell_empty()
        self._tell()

    def go_back(self) -> None:
        """Show again what was shown before, as it was left."""
        self._leave()
        if place := self._history.back():
            self._show(place)

    def go_forward(self) -> None:
        """Show again what one went back from."""
        self._leave()
        if place := self._history.forward():
            self._show(place)

    def _shows(self, document: Document) -> bool:
        return self._document is not None and self._document.id == document.id and self._pages is not None

    def _show(self, place: Place) -> None:
        is_same = self._shows(place.document)
        self._drop_tasks()
        self._passage, self._document, self._matches = place.passage, place.document, place.matches
        self._cautions, self._is_whole = place.cautions, place.is_whole
        self._goal = place.position
        self._marks, self._hits, self._hit, self._neighbours, self._message = None, (), -1, ("", ""), ""
        self.view.select_nothing()
        self.title.setText(place.document.metadata.title.value)
        self.finder.turn_to(place.document.id)
        self._tell()
        if is_same:
            self._place(is_gliding=True)
        self._load()
        if not is_same:
            self._loading.start()

    def _leave(self) -> None:
        """Note in the history where the view is."""
        if place := self.place:
            self._history.leave(place)

    def _jump(self, go: Callable[[], None]) -> None:
        """Go somewhere else in the document in such a way that Back leads to where the view was."""
        if place := self.place:
            self._leave()
            self._history.visit(replace(place, position=None))
            self._goal = None
            go()
            self._tell()

    def _load(self) -> None:
        """Ask for all that is needed to show the passage; also when its document is shown already, for its file may
        have changed since.
        """
        document, passage = self._document, self._passage
        if not document or not passage:
            return
        self._drop_tasks()
        bank, ask = self._engine.bank, partial(self._engine.ask, parent=self)
        self.alerts.turn_to(document.id)
        self._tasks = [
            ask(bank.passage(passage.id, context=1), self._on_context_loaded, self._on_context_failed),
            ask(bank.marks(passage.id, self._matches), self._on_marks_found, self._on_marks_failed),
            ask(bank.document_pages(document.id), self._on_pages_loaded, self._on_failed),
        ]

    def _drop_tasks(self) -> None:
        self._loading.stop()
        for task in self._tasks:
            task.cancel()
        self._tasks = []

    def _on_pages_loaded(self, pages: DocumentPages) -> None:
        self._loading.stop()
        self.states.tell_page()
        if pages != self.view.pages:
            self._page_problem = None
            self.view.show_pages(pages)
            self.outline.turn_to(pages)
            self._place(is_gliding=False)
        self._tell()

    def _on_failed(self, problem: Exception) -> None:
        self._loading.stop()
        self.view.clear()
        self.outline.turn_to(None)
        self.states.tell_failed(*in_words(problem))
        self._tell()

    def _on_marks_found(self, marks: PassageMarks) -> None:
        passage = self._passage
        if passage and any(place.box.y1 > place.box.y0 for place in passage.boxes) and marks.outline != passage.boxes:
            return  # the index was renewed since, and its passage of this id stands elsewhere
        self._marks = marks
        self._hits = tuple(hit for hit in marks.matches if hit)
        self._hit = 0 if self._hits else -1
        self._place(is_gliding=True)
        self._tell()

    def _on_marks_failed(self, _problem: Exception) -> None:
        """The outline, which the passage itself knows, stays; the hits are only not marked."""

    def _on_context_loaded(self, context: PassageInContext) -> None:
        before, after = context.before, context.after
        self._neighbours = (before[-1].id if before else "", after[0].id if after else "")
        if self._passage and context.passage.text == self._passage.text:
            # Else the index was renewed since, and what is known of its passage of this id says nothing of this one.
            self._cautions = context.cautions.get(context.passage.id, ())
        self._tell()

    def _on_context_failed(self, _problem: Exception) -> None:
        """Only the way to the neighbours is missing."""

    def _place(self, *, is_gliding: bool) -> None:
        """Bring the passage into view, by the boxes that it carries until its marks are there; then its first hit.

        Where somebody went back to, the view goes to what was seen there instead, once.
        """
        if not self._passage or not self._pages:
            return
        outline = self._mark()
        if self._goal:
            self.view.go_to_position(self._goal)
            self._goal = None if self._marks else self._goal
            return
        if not self.view.is_reached(outline):
            self.view.go_to_boxes(outline, is_gliding=is_gliding)
        if self._hits and not self.view.is_reached(self._hits[0]):
            self.view.go_to_boxes(self._hits[0], is_gliding=is_gliding)

    def _mark(self) -> tuple[PageBox, ...]:
        """Outline the passage, and mark what was found in the document or else the passage's hits."""
        if not self._passage or not self._pages:
            return ()
        carried = self._passage.boxes if self._pages.has_own_pages else ()
        outline = self._marks.outline if self._marks else carried
        if self._is_whole:
            outline = ()
        if self.finder.state in (Found.WORDS, Found.NOTHING):
            self.view.set_marks(outline, self.finder.boxes, self.finder.current)
        else:
            self.view.set_marks(outline, self._hits, self._hit)
        return outline

    @property
    def _pages(self) -> DocumentPages | None:
        """The pages in view, unless they are still those of the document before."""
        pages = self.view.pages
        return pages if pages and self._document and pages.document.id == self._document.id else None

    def _tell(self) -> None:
        """Tell in all parts what is shown now; whoever inherits does."""
        raise NotImplementedError
