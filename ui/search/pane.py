"""The left half of the search: the results, or what stands in their place, such as the page that it begins with.

Says what is wished; does none of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPushButton, QScrollArea, QSizePolicy, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from briefbank.bank.port import EngineNotice, EngineState
from briefbank.errors import BriefBankError
from briefbank.judgements.feedback.log import SavedSearch
from briefbank.matters.state import Matter
from briefbank.values.defaults import RESULTS_SHOWN
from briefbank.values.profiles import ProfilesOffered
from briefbank.values.reading import Facets
from briefbank.values.records import Document, Filters, Query, SearchResult
from briefbank.values.summaries import SummarySource
from briefbank.values.unreadable import UnreadableFiles
from ui.engine import EngineClient
from ui.plain import PlainLabel, button_text
from ui.search.card_parts import WrappedButton
from ui.search.result_list import ResultList
from ui.theme import UNIT_PX
from ui.wording import corrected_words, correction_switch, count, day, issue_text, made

_WIDTH_PX = 66 * UNIT_PX
_SMALL = 0.92


@dataclass(frozen=True, slots=True)
class Action:
    """A button: what it says and does. Two are the same that say the same and do it to the same `target`."""

    text: str
    do: Callable[[], None] = field(compare=False)
    target: object = None


@dataclass(frozen=True, slots=True)
class Choices:
    """Smaller choices under a heading of their own; where there are none, `empty` stands there, or nothing of it."""

    heading: str
    actions: tuple[Action, ...]
    empty: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """A title, a text below it, what to press (the first is what most people want), lists of smaller choices, and a
    last line.

    `pointer` holds two lines, the second pointing at a place in the first.
    """

    title: str
    text: str = ""
    actions: tuple[Action, ...] = ()
    lists: tuple[Choices, ...] = ()
    note: str = ""
    pointer: str = ""


class StateView(QScrollArea):
    """Shows one state, from the top, in a column that reads well; to be scrolled where the window is low."""

    def __init__(self) -> None:
        super().__init__()
        self.state = State("")
        self._note = PlainLabel()
        self._column = QWidget()
        self._rows = QVBoxLayout(self._column)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(UNIT_PX // 2)
        self._column.setMaximumWidth(_WIDTH_PX)
        content = QWidget()
        whole = QVBoxLayout(content)
        whole.setContentsMargins(3 * UNIT_PX, 5 * UNIT_PX, 3 * UNIT_PX, UNIT_PX)
        whole.addWidget(self._column)
        whole.addStretch(1)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_state(self, state: State) -> None:
        """Show another state; what is the same of it is left as it is, since somebody may be about to press it."""
        before, self.state = self.state, state
        if replace(state, note=before.note) == before:
            self._note.setText(state.note)
            return
        while (item := self._rows.takeAt(0)) is not None:
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        self._add_label(state.title, scale=1.35, is_bold=True)
        if state.text:
            self._add_label(state.text).setProperty("tone", "muted")
        if state.pointer:
            pointer = self._add_label(state.pointer)
            pointer.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
            pointer.setWordWrap(False)
            pointer.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for number, action in enumerate(state.actions):
            button = QPushButton()
            button.setDefault(number == 0)
            self._add_button(button, action)
        for choices in filter(lambda each: each.actions or each.empty, state.lists):
            self._rows.addSpacing(UNIT_PX)
            self._add_label(choices.heading, is_bold=True)
            if not choices.actions:
                self._add_label(choices.empty, scale=_SMALL).setProperty("tone", "muted")
            for action in choices.actions:
                self._add_button(WrappedButton(), action)
        self._rows.addSpacing(UNIT_PX)
        self._note = self._add_label(state.note, scale=_SMALL)
        self._note.setProperty("tone", "muted")

    def _add_label(self, text: str, *, scale: float = 1.0, is_bold: bool = False) -> PlainLabel:
        label = PlainLabel(text, wraps=True, scale=scale, is_bold=is_bold)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._rows.addWidget(label)
        return label

    def _add_button(self, button: QPushButton | QToolButton, action: Action) -> None:
        button.setText(button_text(action.text))
        button.setAccessibleName(action.text)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda _checked: action.do())
        self._rows.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)


_SEARCHES_SHOWN = 4
"""Earlier ones, and saved ones; the newest briefs are to be in sight below them."""
_MATTERS_SHOWN = 3
_ISSUES_SHOWN = 6
"""The menu beside the search field has all."""
_STARTING = "The search engine is starting. What you ask meanwhile is answered as soon as it is ready."
_RESTARTING = "The search engine stopped and is being started again. Your search is kept and asked again."
_FIRST = (
    "Choose the folder that holds your office’s briefs. BriefBank reads them where they are, on this computer and "
    "nowhere else, and tells you when the first search can be made."
)
_NO_ISSUE = (
    "A question kept with answers that helped finds more than the question alone. Mark such answers with R, then "
    "choose Saved ▾, Make an issue of what is marked relevant."
)
_POINTED = re.compile(r"(?P<asked>[^\n]+)\n(?P<to> *)\^\n(?P<advice>.*)", re.DOTALL)
"""What a faulty expression is explained with: the expression itself, a caret at the fault, then the advice."""
_POINTED_CHARS = 48
_TRY = (
    "Try fewer or more general words, the usual legal term, or the citation itself. "
    "Names of clients are rarely a part of the argument."
)


@dataclass(frozen=True, slots=True)
class Start:
    """What the window begins with: what was searched for before, saved or kept as an issue, the matters worked on last,
    and what the bank holds.
    """

    earlier: Sequence[str] = ()
    saved: Sequence[SavedSearch] = ()
    matters: Sequence[Matter] = ()
    newest: Sequence[Document] = ()
    health: str = ""
    issues: ProfilesOffered = field(default_factory=ProfilesOffered)


class ResultsPane(QStackedWidget):
    """Shows one of: the list, or a state."""

    ask_requested = Signal(str)
    saved_requested = Signal(object)
    """A SavedSearch."""
    issue_requested = Signal(object)
    """An OfferedProfile."""
    matter_requested = Signal(str)
    """The id of a matter that is to be opened."""
    brief_requested = Signal(str)
    """The id of a document whose first page is wanted."""
    again_requested = Signal()
    clear_requested = Signal()
    weak_requested = Signal()
    restore_requested = Signal()
    correction_switched = Signal()
    card_requested = Signal()
    index_requested = Signal()
    restart_requested = Signal()

    def __init__(self, engine: EngineClient, summaries: SummarySource) -> None:
        super().__init__()
        self.list = ResultList(engine, summaries)
        self.list.notes.weak_requested.connect(self.weak_requested)
        self.list.notes.restore_requested.connect(self.restore_requested)
        self.list.notes.correction_switched.connect(self.correction_switched)
        self.list.notes.card_requested.connect(self.card_requested)
        self._view = StateView()
        self.addWidget(self._view)
        self.addWidget(self.list)

    @property
    def state(self) -> State | None:
        """What stands in place of the results; None where they are shown."""
        return self._view.state if self.currentWidget() is self._view else None

    def show_list(self) -> None:
        self.setCurrentWidget(self.list)

    def show_idle(self, start: Start) -> None:
        """Invite to ask; offer searches made before, and the newest briefs."""
        ask, ask_saved, open_brief = self.ask_requested.emit, self.saved_requested.emit, self.brief_requested.emit
        earlier = [Action(_one_line(each), partial(ask, each), each) for each in start.earlier[:_SEARCHES_SHOWN]]
        saved = [Action(_one_line(each.name), partial(ask_saved, each), each) for each in start.saved[:_SEARCHES_SHOWN]]
        issues = [
            Action(_one_line(issue_text(each)), partial(self.issue_requested.emit, each), each)
            for each in start.issues.profiles[:_ISSUES_SHOWN]
        ]
        lost = start.issues.unreadable
        unreadable = f" ({lost:,} cannot be read: tell IT staff)" if lost else ""
        matters = [
            Action(_matter_text(each), partial(self.matter_requested.emit, each.id), each.id)
            for each in start.matters[:_MATTERS_SHOWN]
        ]
        newest = [
            Action(_one_line(f"{day(each.filed)} · {each.metadata.title.value}"), partial(open_brief, each.id), each.id)
            for each in start.newest
        ]
        text = (
            f"A question, words, a citation or a rule. {RESULTS_SHOWN} briefs are shown at a time: "
            "what is on point first, newest first in each part."
        )
        lists = (
            Choices("Earlier searches", tuple(earlier)),
            Choices("Saved searches", tuple(saved)),
            Choices(f"Issues{unreadable}", tuple(issues), _NO_ISSUE if start.earlier else ""),
            Choices("Matters", tuple(matters)),
            Choices("Newest briefs", tuple(newest)),
        )
        self._show(State("What are you looking for?", text, lists=lists, note=start.health))

    def show_waiting(self, notice: EngineNotice) -> None:
        if notice.state is EngineState.RESTARTING:
            self._show(State("One moment", _RESTARTING))
        elif notice.state is EngineState.STARTING:
            self._show(State("Getting ready", _STARTING))

    def show_first_use(self, bank: str) -> None:
        """Invite to index the first folder; `bank` is where the index would be, which whoever has one can check."""
        action = Action("Index a folder …", self.index_requested.emit)
        note = f"There is no index in {bank} yet. If your office has one, ask IT staff before you make another."
        self._show(State("No briefs are indexed yet", _FIRST, (action,), note=note))

    def show_indexing(self) -> None:
        text = "The first index is being made. Searching begins by itself when it is complete."
        self._show(State("Indexing", text, (Action("Show the progress", self.index_requested.emit),)))

    def show_failed(self, notice: EngineNotice) -> None:
        actions = (
            Action("Try again", self.restart_requested.emit),
            Action("Index a folder …", self.index_requested.emit),
        )
        self._show(State(notice.message or "The search engine cannot work", notice.advice, actions))

    def show_nothing(self, result: SearchResult) -> None:
        actions = []
        words = corrected_words(result)
        if switch := correction_switch(result):
            actions.append(Action(switch, self.correction_switched.emit))
        if result.authority:
            actions.append(Action(f"Show the card of {result.authority}", self.card_requested.emit))
        if result.weak_count:
            actions.append(
                Action(f"Show {count(result.weak_count, 'weak match', 'weak matches')}", self.weak_requested.emit)
            )
        if result.hidden_count:
            actions.append(Action(f"Search {result.hidden_count:,} in tables too", self.restore_requested.emit))
        if is_narrowed(result.query) or result.hints:
            actions.append(Action("Search without filters", self.clear_requested.emit))
        parts = words and f"Searched for {words}.", result.explanation, *result.notices, _TRY
        text = "\n\n".join(part for part in parts if part)
        self._show(State("Nothing was found", text, tuple(actions)))

    def show_error(self, problem: Exception) -> None:
        again = Action("Try again", self.again_requested.emit)
        if not isinstance(problem, BriefBankError):
            text = f"The engine met a fault of its own ({type(problem).__name__})."
            self._show(State("The search failed", text, (again,)))
        elif pointed := _POINTED.fullmatch(problem.advice):
            self._show(State(problem.message, pointed["advice"], pointer=_around(pointed["asked"], len(pointed["to"]))))
        else:
            self._show(State(problem.message, problem.advice, (again,)))

    def _show(self, state: State) -> None:
        self._view.show_state(state)
        self.setCurrentWidget(self._view)


def is_narrowed(query: Query) -> bool:
    """Tell whether a query has filters."""
    return query.filters != Filters()


def _around(asked: str, at: int) -> str:
    """As much of what was asked as a line holds, and below it a caret at the character at fault."""
    start = max(0, min(at - _POINTED_CHARS // 2, len(asked) - _POINTED_CHARS))
    return f"{asked[start : start + _POINTED_CHARS]}\n{' ' * (at - start)}^"


def _matter_text(matter: Matter) -> str:
    return _one_line(f"{matter.name} · {count(len(matter.passages), 'passage')}")


def _one_line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 64 else f"{flat[:63]}…"


class StartPage(QObject):
    """Collects the parts of the first page."""

    changed = Signal()
    """Something that stands on it is known now, or is otherwise."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._start = Start()
        self._facets: Facets | None = None
        self._unreadable: UnreadableFiles | None = None
        self._generation = ""

    @property
    def start(self) -> Start:
        newest = self._facets.newest if self._facets else ()
        return replace(self._start, newest=newest, health=self._health())

    def set_earlier(self, texts: list[str]) -> None:
        """Take up what was searched for, the last first."""
        self._start = replace(self._start, earlier=tuple(texts))
        self.changed.emit()

    def set_saved(self, searches: list[SavedSearch]) -> None:
        self._start = replace(self._start, saved=tuple(searches))
        self.changed.emit()

    def set_issues(self, offered: ProfilesOffered) -> None:
        self._start = replace(self._start, issues=offered)
        self.changed.emit()

    def set_matters(self, matters: Sequence[Matter]) -> None:
        """Take up the matters that are not archived; those changed last are offered."""
        ordered = sorted(matters, key=lambda each: each.changed_at, reverse=True)
        self._start = replace(self._start, matters=tuple(ordered))
        self.changed.emit()

    def set_bank(self, facets: Facets, generation: str) -> None:
        self._facets, self._generation = facets, generation
        self.changed.emit()

    def set_unreadable(self, unreadable: UnreadableFiles | None) -> None:
        """Take up which files the index lacks; None where that is not known."""
        self._unreadable = unreadable
        self.changed.emit()

    def correct(self, document: Document) -> None:
        if self._facets:
            newest = (document if each.id == document.id else each for each in self._facets.newest)
            self._facets = replace(self._facets, newest=tuple(newest))
            self.changed.emit()

    def _health(self) -> str:
        """What the bank holds, in a line; empty where that is not known yet."""
        if not self._facets:
            return ""
        indexed = made(self._generation)
        unreadable = self._unreadable.told if self._unreadable else ""
        parts = (count(self._facets.documents, "brief"), f"indexed {indexed}" if indexed else "", unreadable)
        return " · ".join(filter(None, parts))
