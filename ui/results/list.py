"""The list of results: which card is selected, what the keys do to it, and cards added at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from briefbank.bands import band_headings
from briefbank.defaults import RESULTS_SHOWN
from briefbank.judgements.feedback.log import Mark
from briefbank.records import Hit
from briefbank.reports import SummarySource
from ui.engine import EngineClient
from ui.plain import PlainLabel
from ui.results.card import ResultCard
from ui.results.notes import Notes
from ui.shortcuts import IN_A_SEARCH, IN_THE_RESULTS, STARS, key
from ui.theme import UNIT_PX, font

_LAID_OUT_MS = 50
"""How long the height of the list has to stay the same before what was opened is brought into sight: a line of text
gets its height in several rounds of the layout, and the words themselves may come later."""
_ENOUGH = 1 / 3
"""How much of the list has to show what was opened, if it is that high, for its card's title to stay."""
_KEYS = {QKeySequence(keys).toString(): each for each in IN_THE_RESULTS for keys in each.sequences}


class ResultList(QScrollArea):
    """Cards one below the other, one of them selected. Nothing but more results ever changes their places."""

    selected = Signal(object)
    """The Hit that is selected now."""
    open_requested = Signal(object)
    similar_requested = Signal(object)
    sibling_requested = Signal(str)
    judged = Signal(object, object)
    """A ResultCard, and True, False or None."""
    rated = Signal(object, object)
    """A ResultCard, and 1 to 5 or None."""
    summary_opened = Signal(object)
    copied = Signal()
    failed = Signal(object)
    more_requested = Signal()

    def __init__(self, engine: EngineClient, summaries: SummarySource, parent: QWidget | None = None) -> None:
        """Begin empty."""
        super().__init__(parent)
        self._engine, self._summaries = engine, summaries
        self.cards: list[ResultCard] = []
        self.headings: list[PlainLabel] = []
        self._current: ResultCard | None = None
        self.may_record: Callable[[], bool] = lambda: True
        """Whether a key may record something now: not while other results may come in place of the one meant."""
        self.notes = Notes()
        self._more = QPushButton()
        self._more.clicked.connect(self.more_requested)
        content = QWidget()
        self._rows = QVBoxLayout(content)
        self._rows.setContentsMargins(0, 0, UNIT_PX // 2, 0)
        self._rows.setSpacing(6)
        self._rows.addWidget(self.notes)
        self._rows.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        self._rows.addStretch(1)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Results")
        self._does = self._actions()
        self._opened: QWidget | None = None
        self._laid_out = QTimer(self)
        self._laid_out.setSingleShot(True)
        self._laid_out.setInterval(_LAID_OUT_MS)
        self._laid_out.timeout.connect(self._show_opened)
        self.verticalScrollBar().rangeChanged.connect(self._wait_for_layout)
        self._spare: list[ResultCard] = []
        self._spare_timer = QTimer(self)
        self._spare_timer.setInterval(0)
        self._spare_timer.timeout.connect(self._make_spare)
        self._spare_timer.start()

    @property
    def current(self) -> ResultCard | None:
        """The selected card."""
        return self._current

    def show_hits(self, hits: Iterable[Hit]) -> None:
        """Show other results from the top, the first of them selected."""
        had_focus, shown = self.has_focus(), tuple(hits)
        self._opened = None
        for card in self.cards[len(shown) :]:
            self._rows.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = self.cards[: len(shown)]
        for card, hit in zip(self.cards, shown, strict=False):
            card.show_hit(hit)
        self.append(shown[len(self.cards) :])
        self.verticalScrollBar().setValue(0)
        self._select(self.cards[0] if self.cards else None)
        if self.cards:
            self.selected.emit(self.cards[0].hit)
        if had_focus:
            self.take_focus()

    def append(self, hits: Iterable[Hit]) -> None:
        """Add results behind those shown, which stay where they are."""
        for hit in hits:
            card = self._spare.pop() if self._spare else self._make_card()
            card.show_hit(hit)
            self.cards.append(card)
        self._lay_out()
        self._spare_timer.start()

    def reorder(self, hits: Iterable[Hit]) -> None:
        """Put the cards in the order of `hits`; the selected one stays selected and in sight."""
        by_passage = {card.hit.passage.id: card for card in self.cards}
        self.cards = [by_passage[hit.passage.id] for hit in hits]
        self._lay_out()
        self._rows.activate()
        if self._current:
            self._scroll_to(self._current)

    def set_left(self, left: int) -> None:
        """Offer more results while there are some."""
        self._more.setText(f"Show {min(left, RESULTS_SHOWN)} more   ({key('more', IN_A_SEARCH).sequences[0]})")
        self._more.setVisible(left > 0)

    def set_marks(self, marks: dict[str, Mark]) -> None:
        """Show what was said before of the passages shown, by passage id."""
        for card in self.cards:
            if mark := marks.get(card.hit.passage.id):
                card.set_mark(mark)

    def take_focus(self) -> None:
        """Put the focus on the selected card."""
        if self._current:
            self._current.setFocus(Qt.FocusReason.OtherFocusReason)

    def has_focus(self) -> bool:
        """Tell whether a card or something in it has the focus."""
        focused = self.window().focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Do what the key says to the selected card."""
        key = _KEYS.get(QKeySequence(event.keyCombination()).toString())
        if key is None or self._current is None:
            super().keyPressEvent(event)
            return
        is_repeated = event.isAutoRepeat() and key.name not in ("next", "previous")
        if not is_repeated and (self.may_record() or not key.is_recording):
            self._does[key.name](self._current)
        event.accept()

    def _actions(self) -> dict[str, Callable[[ResultCard], None]]:
        return {
            "next": lambda _: self._move(+1),
            "previous": lambda _: self._move(-1),
            "first": lambda _: self._move(-len(self.cards)),
            "last": lambda _: self._move(len(self.cards)),
            "open": lambda card: self.open_requested.emit(card.hit),
            "copy": ResultCard.copy,
            "context": ResultCard.toggle_context,
            "whole": ResultCard.toggle_whole,
            "relevant": lambda card: card.verdict.choose(verdict=True),
            "irrelevant": lambda card: card.verdict.choose(verdict=False),
            "similar": lambda card: self.similar_requested.emit(card.hit),
            "summary": lambda card: card.summary.toggle(),
            **{each.name: partial(_rate, stars) for stars, each in enumerate(STARS, start=1)},
        }

    def _lay_out(self) -> None:
        """Put the cards in their order below the notes, and a heading above the first of each band."""
        for each in self.headings:
            self._rows.removeWidget(each)
            each.deleteLater()
        self.headings = []
        place = self._rows.indexOf(self.notes) + 1
        for text, card in zip(band_headings(card.hit for card in self.cards), self.cards, strict=True):
            if text:
                self.headings.append(_heading(text))
                self._rows.insertWidget(place, self.headings[-1])
                place += 1
            if self._rows.indexOf(card) != place:
                self._rows.insertWidget(place, card)
            card.show()
            place += 1

    def _make_spare(self) -> None:
        """Make a card ahead while the window has nothing else to do, so that results are not kept waiting by it."""
        if len(self._spare) >= RESULTS_SHOWN:
            self._spare_timer.stop()
            return
        self._spare.append(self._make_card())

    def _make_card(self) -> ResultCard:
        card = ResultCard(self._engine, self._summaries, self.widget())
        card.hide()
        card.ensurePolished()
        self._connect(card)
        return card

    def _connect(self, card: ResultCard) -> None:
        card.pressed.connect(lambda: self._choose(card))
        card.open_requested.connect(lambda: self._open(card))
        card.similar_requested.connect(lambda: self.similar_requested.emit(card.hit))
        card.sibling_requested.connect(self.sibling_requested)
        card.judged.connect(lambda verdict: self.judged.emit(card, verdict))
        card.rated.connect(lambda stars: self.rated.emit(card, stars))
        card.summary_opened.connect(lambda: self.summary_opened.emit(card.hit))
        card.grown.connect(self._bring_into_sight)
        card.copied.connect(self.copied)
        card.failed.connect(self.failed)

    def _bring_into_sight(self, part: QWidget) -> None:
        self._opened = part
        self._laid_out.start()

    def _wait_for_layout(self) -> None:
        if self._laid_out.isActive():
            self._laid_out.start()

    def _show_opened(self) -> None:
        part, self._opened = self._opened, None
        card = next((each for each in self.cards if part and each.isAncestorOf(part)), None)
        if part and card:
            self._scroll_to(part, card)

    def _scroll_to(self, part: QWidget, card: ResultCard | None = None) -> None:
        """Scroll as little as shows all of a part, or its top where it is higher than the list; never sideways.

        The top of its card stays in sight, or comes back, where enough of the part is seen below it.
        """
        bar, room = self.verticalScrollBar(), self.viewport().height()
        top = self._top(part)
        below = top + part.height() + UNIT_PX - room
        highest = top
        if card and self._top(card) + room - top >= min(part.height() + UNIT_PX, room * _ENOUGH):
            highest = self._top(card)
        bar.setValue(min(max(bar.value(), below), max(highest - UNIT_PX, 0)))

    def _top(self, part: QWidget) -> int:
        """How far a part stands below the top of everything."""
        return self.verticalScrollBar().value() + part.mapTo(self.viewport(), QPoint()).y()

    def _open(self, card: ResultCard) -> None:
        self._choose(card)
        self.open_requested.emit(card.hit)

    def _move(self, step: int) -> None:
        at = self.cards.index(self._current) if self._current else 0
        to = min(max(at + step, 0), len(self.cards) - 1)
        self._choose(self.cards[to])
        self.cards[to].setFocus()
        if to == len(self.cards) - 1:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        elif to == 0:
            self.verticalScrollBar().setValue(0)
        else:
            self._scroll_to(self.cards[to])

    def _choose(self, card: ResultCard) -> None:
        """Select as a person does; it is told only if another one was selected before."""
        if card is not self._current:
            self._select(card)
            self.selected.emit(card.hit)

    def _select(self, card: ResultCard | None) -> None:
        if card is self._current:
            return
        if self._current:
            self._current.set_selected(is_selected=False)
        self._current = card
        if card:
            card.set_selected(is_selected=True)
            for before, after in pairwise([self.notes.weak, card, *card.controls, self._more]):
                QWidget.setTabOrder(before, after)


def _rate(stars: int, card: ResultCard) -> None:
    card.stars.choose(stars)


def _heading(text: str) -> PlainLabel:
    made = PlainLabel()
    made.setText(text)
    made.setWordWrap(True)
    made.setFont(font(is_bold=True))
    made.setContentsMargins(2, UNIT_PX // 2, 0, 0)
    return made
