"""Looks for words, or for passages by meaning, in the brief that is shown: what was found, and the line that asks.

The engine says where in the text the words stand, the page renderer where on the pages; of many places those nearest
to the current one are asked for first, one passage at a time, so that a page that is scrolled into view does not wait.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QWidget

from briefbank.errors import BriefBankError
from briefbank.values.pages import PassageMarks
from briefbank.values.reading import FoundWords, WordsInDocument
from briefbank.values.records import Filters, Hit, PageBox, Query, SearchResult, SortOrder, Span
from ui.engine import EngineClient, FutureWatcher
from ui.flow import row_of
from ui.plain import PlainLabel
from ui.reading.bars import tool
from ui.shortcuts import READING, key
from ui.theme import UNIT_PX

PASSAGES_BY_MEANING = 5
"""As many as a search shows at first."""
_LONGEST_NAMED = 20
"""Letters of a missing word that fit beside the field where the page is at its narrowest."""


class FinderState(Enum):
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
        self.state = FinderState.NOTHING_ASKED
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
        return len(self._passages or self._hits)

    @property
    def boxes(self) -> tuple[tuple[PageBox, ...], ...]:
        """Where each place is on the pages, in their order; empty as long as that is not known."""
        return tuple(map(self._boxes_of, self._hits))

    def describe(self) -> str:
        place = f"{self.current + 1} of {self.count:,}"
        return {
            FinderState.NOTHING_ASKED: "",
            FinderState.WAITING: "",
            FinderState.WORDS: place + self._note,
            FinderState.PASSAGES: f"passage {place}",
            FinderState.NOTHING: "none · Enter: by meaning",
            FinderState.FAILED: self.problem.message if isinstance(self.problem, BriefBankError) else "that failed",
        }[self.state]

    def close(self) -> None:
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
            self.state = FinderState.WAITING
            only_here = Filters(documents=(self._document_id,))
            query = Query(text, PASSAGES_BY_MEANING, SortOrder.RELEVANCE, only_here, include_weak=True)
            search = self._engine.bank.search(query)
            self._task = self._engine.ask(search, self._on_passages_found, self._on_failed, parent=self)
        self.changed.emit()

    def step(self, step: int) -> None:
        """Go to the next place, or to the one before; behind the last comes the first. While an answer is awaited,
        go where it leads.
        """
        if self.state is FinderState.WAITING:
            self._is_entered = step > 0
        elif self.state is FinderState.NOTHING and step > 0:
            self.find_by_meaning(self._text)
        elif self.count:
            self.current = (self.current + step) % self.count
            self._go()

    def _find(self, text: str, *, is_going: bool, page: int) -> None:
        self._text = text
        self._reset()
        if text and self._document_id:
            self.state = FinderState.WAITING
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
        self.state = FinderState.WORDS if found.hits else FinderState.NOTHING
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
        self.state = FinderState.PASSAGES if result.hits else FinderState.NOTHING
        if result.hits:
            self.current = 0
            self._go()
        else:
            self.changed.emit()

    def _on_failed(self, problem: Exception) -> None:
        self._task, self.state, self.problem = None, FinderState.FAILED, problem
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


_TYPED_MS = 200
"""How long no key is pressed before what was typed is looked for. Chosen: typing goes on at 100 to 150 ms a letter."""

_USUAL = "passage 5 of 5"
"""What is said needs no more room than this in most cases, so that the field keeps its width."""


class FindBar(QFrame):
    """A field, which of how many places is shown, and the way to the next."""

    left = Signal()
    """It was closed, and the keyboard had been in it."""

    def __init__(self, finder: DocumentFinder, current_page: Callable[[], int], parent: QWidget | None = None) -> None:
        """Begin hidden and empty; `finder` is asked, from the page on that is shown then."""
        super().__init__(parent)
        self._finder, self._current_page = finder, current_page
        self.setObjectName("find")
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("Find in this brief")
        self.field.setAccessibleName("Find in this brief")
        self.said = PlainLabel(parent=self, tone="muted")
        self.said.setMinimumWidth(self.said.fontMetrics().horizontalAdvance(_USUAL))
        self.previous = tool("‹", key("previous-hit", READING).tip, self)
        self.next = tool("›", key("next-hit", READING).tip, self)
        self.meaning = tool("By meaning", "The passages of this brief that say it, in whatever words", self)
        self.meaning.setCheckable(True)
        self.close_button = tool("×", "Close (Esc)", self)
        self._asked = ""
        self._typed = QTimer(self, singleShot=True, interval=_TYPED_MS)
        self._typed.timeout.connect(self._ask)
        tools = (self.said, self.previous, self.next, self.meaning, self.close_button)
        margins = (UNIT_PX, UNIT_PX // 2, UNIT_PX // 2, UNIT_PX // 2)
        row_of((self.field, 1), *tools, within=self, spacing_px=UNIT_PX // 2, margins_px=margins)
        self._connect()
        self.hide()

    def open(self) -> None:
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def close_find(self) -> None:
        focused = QApplication.focusWidget()
        has_focus = focused is not None and self.isAncestorOf(focused)
        self.hide()
        self.meaning.setChecked(False)
        self._asked = ""
        self._finder.close()
        if has_focus:
            self.left.emit()

    def _update(self) -> None:
        text = self._finder.describe()
        self.said.setText(text)
        self.field.setAccessibleDescription(text)
        for button in (self.previous, self.next):
            button.setEnabled(self._finder.count > 0)

    def _connect(self) -> None:
        self.field.textChanged.connect(lambda _: self._typed.start())
        self.field.installEventFilter(self)
        self.previous.clicked.connect(lambda: self._finder.step(-1))
        self.next.clicked.connect(lambda: self._finder.step(1))
        self.meaning.clicked.connect(self._ask)
        self.close_button.clicked.connect(self.close_find)
        self._finder.changed.connect(self._update)

    def _ask(self, *, is_entered: bool = False) -> None:
        self._typed.stop()
        self._asked = self.field.text().strip()
        if self.meaning.isChecked():
            self._finder.find_by_meaning(self._asked)
        else:
            self._finder.find(self._asked, self._current_page(), is_entered=is_entered)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter goes on, Shift+Enter back, Esc closes; what was just typed is looked for first, and by meaning where
        Enter finds none of it.
        """
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            step = -1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            if self.field.text().strip() != self._asked:
                self._ask(is_entered=step > 0)
            else:
                self._finder.step(step)
            return True
        if event.key() == Qt.Key.Key_Escape:
            self.close_find()
            return True
        return super().eventFilter(watched, event)
