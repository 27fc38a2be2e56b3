"""The left half of the search: the results, or what stands in their place, such as the page that it begins with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QAbstractButton,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from briefbank.bank.port import EngineNotice, EngineState
from briefbank.errors import BriefBankError
from briefbank.values.defaults import RESULTS_SHOWN
from briefbank.values.reading import Facets
from briefbank.values.records import FACT_FILTERS, Filters, Query, SearchResult
from briefbank.values.summaries import SummarySource
from ui.engine import EngineClient
from ui.flow import column_of
from ui.plain import PlainLabel, button_text
from ui.search.bar import Chip
from ui.search.card_parts import WrappedButton
from ui.search.result_list import ResultList
from ui.theme import UNIT_PX
from ui.wording import corrected_words, correction_switch, count

T = TypeVar("T")

_WIDTH_PX = 66 * UNIT_PX
_SMALL = 0.92


@dataclass(frozen=True, slots=True)
class Action:
    """A button: what it says and does. Two are the same that say the same and do it to the same `target`."""

    text: str
    do: Callable[[], object] = field(compare=False)
    target: object = None


@dataclass(frozen=True, slots=True)
class Choices:
    """Smaller choices under a heading of their own; where there are none, `empty` stands there, or nothing of it."""

    heading: str
    actions: tuple[Action, ...]
    empty: str = ""

    @classmethod
    def of(cls, heading: str, offered: Iterable[tuple[str, T]], do: Callable[[T], None], *, empty: str = "") -> Choices:
        """Offer things by their texts, each in a line; `do` is given the one that is pressed."""
        actions = (Action(_one_line(text), partial(do, each), each) for text, each in offered)
        return cls(heading, tuple(actions), empty)


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
        self._rows = column_of(within=self._column, spacing_px=UNIT_PX // 2)
        self._column.setMaximumWidth(_WIDTH_PX)
        content = QWidget()
        column_of(self._column, 1, within=content, margins_px=(3 * UNIT_PX, 5 * UNIT_PX, 3 * UNIT_PX, UNIT_PX))
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

    def take_focus(self) -> None:
        """Go to the first choice, or else to the text, which can be scrolled."""
        choices = (each for each in self._column.findChildren(QAbstractButton) if each.isVisible())
        next(choices, self).setFocus(Qt.FocusReason.OtherFocusReason)

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


_STARTING = "The search engine is starting. What you ask meanwhile is answered as soon as it is ready."
_RESTARTING = "The search engine stopped and is being started again. Your search is kept and asked again."
_FIRST = (
    "Choose the folder that holds your office’s briefs. BriefBank reads them where they are, on this computer and "
    "nowhere else, and tells you when the first search can be made."
)
_POINTED = re.compile(r"(?P<asked>[^\n]+)\n(?P<to> *)\^\n(?P<advice>.*)", re.DOTALL)
"""What a faulty expression is explained with: the expression itself, a caret at the fault, then the advice."""
_POINTED_CHARS = 48
"""As much of a faulty expression as is shown around its fault: one line, for the caret stands below it."""
_TRY = (
    "Try fewer or more general words, the usual legal term, or the citation itself. "
    "Names of clients are rarely a part of the argument."
)


class ResultsPane(QStackedWidget):
    """Shows one of: the list, or a state."""

    def __init__(
        self, engine: EngineClient, summaries: SummarySource, commands: Mapping[str, Callable[[], object]]
    ) -> None:
        """Show nothing yet; `commands` are those of a search, by the names of their keys."""
        super().__init__()
        self.list = ResultList(engine, summaries, commands)
        self._view = StateView()
        self.addWidget(self._view)
        self.addWidget(self.list)

    @property
    def state(self) -> State | None:
        """What stands in place of the results; None where they are shown."""
        return self._view.state if self.currentWidget() is self._view else None

    def take_focus(self) -> None:
        """Go to what is shown: a result, or the first choice of what stands in place of the results."""
        if self.state is None:
            self.list.take_focus()
        else:
            self._view.take_focus()

    def show_list(self) -> None:
        self.setCurrentWidget(self.list)

    def show_state(self, state: State) -> None:
        self._view.show_state(state)
        self.setCurrentWidget(self._view)


def idle(lists: tuple[Choices, ...], health: str) -> State:
    """Invite to ask; `health` is what the bank holds, in a line."""
    text = (
        f"A question, words, a citation or a rule. {RESULTS_SHOWN} briefs are shown at a time: "
        "what is on point first, newest first in each part."
    )
    return State("What are you looking for?", text, lists=lists, note=health)


def waiting(state: EngineState) -> State:
    """Say that the engine is on its way: started again, or for the first time."""
    if state is EngineState.RESTARTING:
        return State("One moment", _RESTARTING)
    return State("Getting ready", _STARTING)


def first_use(bank: str, index: Callable[[], object]) -> State:
    """Invite to index the first folder; `bank` is where the index would be, which whoever has one can check."""
    note = f"There is no index in {bank} yet. If your office has one, ask IT staff before you make another."
    return State("No briefs are indexed yet", _FIRST, (Action("Index a folder …", index),), note=note)


def engine_failed(notice: EngineNotice, restart: Callable[[], object], index: Callable[[], object]) -> State:
    """Say why the engine cannot work."""
    actions = Action("Try again", restart), Action("Index a folder …", index)
    return State(notice.message or "The search engine cannot work", notice.advice, actions)


def nothing_found(
    result: SearchResult,
    commands: Mapping[str, Callable[[], object]],
    facets: Facets | None = None,
    without: Sequence[tuple[Chip, int]] = (),
) -> State:
    """Say how the question was read, what of its conditions is known of few briefs, and offer what would find more:
    first what is found `without` one condition, by the chip that takes it away.
    """
    words = corrected_words(result)
    offered = {
        "as-typed": correction_switch(result),
        "card": f"Show the card of {result.authority}" if result.authority else "",
        "weak": f"Show {count(result.weak_count, 'weaker passage')}" if result.weak_count else "",
        "tables": f"Search {result.hidden_count:,} in tables too" if result.hidden_count else "",
        "clear": "Search without filters" if is_narrowed(result.query) or result.hints else "",
    }
    fewer = [
        Action(f"Search without “{_one_line(chip.text)}” ({count(found, 'passage')})", chip.remove, chip.text)
        for chip, found in sorted(without, key=lambda each: -each[1])
        if found
    ]
    actions = (*fewer, *(Action(text, commands[name]) for name, text in offered.items() if text))
    asked = ", ".join(hint.meaning for hint in result.hints)
    narrowed = asked and f"Searched was only what your words ask for: {asked}."
    known = (_known(fact, facets) for fact in _facts_asked(result)) if facets else ()
    parts = words and f"Searched for {words}.", narrowed, *known, result.explanation, *result.notices, _TRY
    return State("Nothing was found", "\n\n".join(filter(None, parts)), actions)


def _facts_asked(result: SearchResult) -> list[str]:
    """What of documents the filters and the conditions in the words ask for."""
    filters = result.query.filters
    asked = [each.fact for each in FACT_FILTERS if getattr(filters, each.field)]
    asked += ["filed"] if filters.since or filters.until else []
    return list(dict.fromkeys([*asked, *(hint.fact for hint in result.hints if hint.fact)]))


def _known(fact: str, facets: Facets) -> str:
    """Of how many briefs a fact is known; empty where it is of all."""
    fields = {each.fact: each.field for each in FACT_FILTERS}
    counted = sum(number for _, number in getattr(facets, fields[fact])) if fact in fields else 0
    known = counted if fact in fields else facets.documents - facets.undated
    what = "day of filing" if fact == "filed" else fact
    return f"The {what} is known for {known:,} of {facets.documents:,} briefs." if known < facets.documents else ""


def search_failed(problem: Exception, again: Callable[[], object]) -> State:
    """Say why there is no answer, pointing at the place of a faulty expression."""
    if not isinstance(problem, BriefBankError):
        text = f"The engine met a fault of its own ({type(problem).__name__})."
        return State("The search failed", text, (Action("Try again", again),))
    if pointed := _POINTED.fullmatch(problem.advice):
        return State(problem.message, pointed["advice"], pointer=_around(pointed["asked"], len(pointed["to"])))
    return State(problem.message, problem.advice, (Action("Try again", again),))


def is_narrowed(query: Query) -> bool:
    """Tell whether a query has filters."""
    return query.filters != Filters()


def _around(asked: str, at: int) -> str:
    """As much of what was asked as a line holds, and below it a caret at the character at fault."""
    start = max(0, min(at - _POINTED_CHARS // 2, len(asked) - _POINTED_CHARS))
    return f"{asked[start : start + _POINTED_CHARS]}\n{' ' * (at - start)}^"


def _one_line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 64 else f"{flat[:63]}…"
