"""Looks for words, or for passages by meaning, in one document, and goes through what was found. Knows no widget.

The engine says where in the text the words stand, the page renderer where on the pages; of many places those nearest
to the current one are asked for first, one passage at a time, so that a page that is scrolled into view does not wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QObject, Signal

from briefbank.errors import BriefBankError
from briefbank.values import FoundWords, PassageMarks, WordsInDocument
from briefbank.values.records import Filters, Hit, PageBox, Query, SearchResult, SortOrder, Span
from ui.engine import EngineClient
from ui.tasks import FutureWatcher

PASSAGES_BY_MEANING = 5
"""As many as a search shows at first."""
_LONGEST_NAMED = 20
"""Letters of a missing word that fit beside the field where the page is at its narrowest."""


class Found(Enum):
    """What came of looking."""

    NOTHING_ASKED = "nothing asked"
    WAITING = "waiting"
    WORDS = "words"
    PASSAGES = "passages"
    NOTHING = "nothing"
    FAILED = "failed"


class DocumentFinder(QObject):
    """One question to one document at a time."""

    changed = Signal()
    """What was found, which of it is current, or what of it can be marked."""
    reached = Signal(tuple)
    """Boxes of the words that were gone to."""
    passage_reached = Signal(object)
    """The Hit that was gone to."""

    def __init__(self, engine: EngineClient, parent: QObject | None = None) -> None:
        """Begin with no document."""
        super().__init__(parent)
        self._engine = engine
        self._document_id = self._text = ""
        self._task: FutureWatcher | None = None
        self._marking: FutureWatcher | None = None
        self._is_going = False
        self._reset()

    def _reset(self) -> None:
        for task in (self._task, self._marking):
            if task:
                task.cancel()
        self._task = self._marking = None
        self.state = Found.NOTHING_ASKED
        self._is_entered = False
        self._note = ""
        self.problem: Exception | None = None
        self.current = -1
        self._hits: tuple[FoundWords, ...] = ()
        self._passages: tuple[Hit, ...] = ()
        self._spans: dict[str, list[Span]] = {}
        self._boxes: dict[tuple[str, Span], tuple[PageBox, ...]] = {}
        self._unmarked: set[str] = set()

    @property
    def count(self) -> int:
        """How many places, or passages, were found."""
        return len(self._passages or self._hits)

    @property
    def boxes(self) -> tuple[tuple[PageBox, ...], ...]:
        """Where each place is on the pages, in their order; empty as long as that is not known."""
        return tuple(map(self._boxes_of, self._hits))

    def told(self) -> str:
        """What was found, in words."""
        place = f"{self.current + 1} of {self.count:,}"
        return {
            Found.NOTHING_ASKED: "",
            Found.WAITING: "",
            Found.WORDS: place + self._note,
            Found.PASSAGES: f"passage {place}",
            Found.NOTHING: "none · Enter: by meaning",
            Found.FAILED: self.problem.message if isinstance(self.problem, BriefBankError) else "that failed",
        }[self.state]

    def close(self) -> None:
        """Forget what was asked."""
        self._text = ""
        self._reset()
        self.changed.emit()

    def turn_to(self, document_id: str) -> None:
        """Look for the same words in another document, leaving the view where it is."""
        if document_id != self._document_id:
            self._document_id = document_id
            self._find(self._text, is_going=False, page=0)

    def find(self, text: str, page: int, *, is_entered: bool = False) -> None:
        """Look for words, and go to the first of them on a page or behind it; where they were entered and stand
        nowhere, look by meaning.
        """
        self._find(text, is_going=True, page=page)
        self._is_entered = is_entered

    def find_by_meaning(self, text: str) -> None:
        """Look for the passages that say something in whatever words, and go to the best of them."""
        self._text = text
        self._reset()
        if text and self._document_id:
            self.state = Found.WAITING
            only_here = Filters(documents=(self._document_id,))
            query = Query(text, PASSAGES_BY_MEANING, SortOrder.RELEVANCE, only_here, include_weak=True)
            search = self._engine.bank.search(query)
            self._task = self._engine.ask(search, self._on_passages_found, self._on_failed, parent=self)
        self.changed.emit()

    def step(self, step: int) -> None:
        """Go to the next place, or to the one before; behind the last comes the first. While an answer is awaited,
        go where it leads.
        """
        if self.state is Found.WAITING:
            self._is_entered = step > 0
        elif self.state is Found.NOTHING and step > 0:
            self.find_by_meaning(self._text)
        elif self.count:
            self.current = (self.current + step) % self.count
            self._go()

    def _find(self, text: str, *, is_going: bool, page: int) -> None:
        self._text = text
        self._reset()
        if text and self._document_id:
            self.state = Found.WAITING
            words = self._engine.bank.find_words(self._document_id, text)

            def show(found: WordsInDocument) -> None:
                self._on_words_found(found, page, is_going=is_going)

            self._task = self._engine.ask(words, show, self._on_failed, parent=self)
        self.changed.emit()

    def _on_words_found(self, found: WordsInDocument, page: int, *, is_going: bool) -> None:
        self._task = None
        if self._is_entered and not found.hits:
            self.find_by_meaning(self._text)
            return
        self._hits, self._note = found.hits, _note(found)
        self.state = Found.WORDS if found.hits else Found.NOTHING
        for hit in found.hits:
            for passage_id, span in hit.parts:
                self._spans.setdefault(passage_id, []).append(span)
        self._unmarked = set(self._spans)
        if found.hits:
            self.current = next((at for at, hit in enumerate(found.hits) if hit.page >= page), 0)
        if found.hits and is_going:
            self._go()
        else:
            self._mark_next()
            self.changed.emit()

    def _on_passages_found(self, result: SearchResult) -> None:
        self._task = None
        self._passages = result.hits
        self.state = Found.PASSAGES if result.hits else Found.NOTHING
        if result.hits:
            self.current = 0
            self._go()
        else:
            self.changed.emit()

    def _on_failed(self, problem: Exception) -> None:
        self._task, self.state, self.problem = None, Found.FAILED, problem
        self.changed.emit()

    def _go(self) -> None:
        self.changed.emit()
        if self._passages:
            self.passage_reached.emit(self._passages[self.current])
            return
        self._is_going = True
        self._arrive()
        self._mark_next()

    def _arrive(self) -> None:
        """Tell where the current place is, once that is known."""
        boxes = self._boxes_of(self._hits[self.current])
        if self._is_going and boxes:
            self._is_going = False
            self.reached.emit(boxes)

    def _boxes_of(self, hit: FoundWords) -> tuple[PageBox, ...]:
        return tuple(box for part in hit.parts for box in self._boxes.get(part, ()))

    def _mark_next(self) -> None:
        """Ask where the places of the passage nearest to the current one are, unless an answer is awaited."""
        if self._marking or not self._unmarked:
            return
        passage_id = next(each for each in self._nearest_first() if each in self._unmarked)
        self._unmarked.discard(passage_id)
        spans = self._spans[passage_id]
        marks = self._engine.bank.marks(passage_id, tuple(spans))

        def keep(found: PassageMarks) -> None:
            self._on_marked(passage_id, spans, found)

        self._marking = self._engine.ask(marks, keep, self._on_marking_failed, parent=self)

    def _nearest_first(self) -> Sequence[str]:
        """The passages with places in them, from the current one outwards."""
        order = sorted(range(len(self._hits)), key=lambda at: abs(at - self.current))
        return [passage_id for at in order for passage_id, _ in self._hits[at].parts]

    def _on_marked(self, passage_id: str, spans: Sequence[Span], found: PassageMarks) -> None:
        self._marking = None
        for span, boxes in zip(spans, found.matches, strict=True):
            self._boxes[passage_id, span] = boxes
        self._arrive()
        self._mark_next()
        self.changed.emit()

    def _on_marking_failed(self, _problem: Exception) -> None:
        """The places of one passage are not marked; those of the others are."""
        self._marking = None
        self._mark_next()


def _note(found: WordsInDocument) -> str:
    """What has to be known of places that do not hold all that was looked for."""
    if not found.is_apart:
        return ""
    if not found.missing:
        return " · not together"
    is_short = len(found.missing) == 1 and len(found.missing[0]) <= _LONGEST_NAMED
    return f" · without “{found.missing[0]}”" if is_short else f" · without {len(found.missing)} of the words"
