"""The list of results: the briefs found, each with its passages, which card is selected, and what the keys do to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QPushButton, QScrollArea, QWidget

from briefbank.judgements.feedback.log import Mark
from briefbank.matters.state import Matter
from briefbank.values.bands import BriefHits, band_headings
from briefbank.values.defaults import RESULTS_SHOWN
from briefbank.values.records import Document, Hit
from briefbank.values.summaries import SummarySource
from ui.engine import EngineClient
from ui.flow import column_of
from ui.plain import PlainLabel
from ui.search.card import ResultCard, renamed
from ui.search.notes import Notes
from ui.shortcuts import IN_A_SEARCH, IN_THE_RESULTS, STARS, Key, key
from ui.theme import UNIT_PX
from ui.wording import count

_LAID_OUT_MS = 50
"""How long the height of the list has to stay the same before what was opened is brought into sight: a line of text
gets its height in several rounds of the layout, and the words themselves may come later."""
_ENOUGH = 1 / 3
"""How much of the list has to show what was opened, if it is that high, for its card's title to stay."""
_SPARE = RESULTS_SHOWN + 3
"""How many cards are kept ready: for the next briefs, and for the other passages of one."""
_KEYS = {QKeySequence(keys).toString(): each for each in IN_THE_RESULTS for keys in each.sequences}


class ResultRows(QWidget):
    """The notes, headings and cards, one below the other; a class of its own for its role to screen readers."""


@dataclass(slots=True)
class _Brief:
    """The cards of one brief: that of its best passage, and those of the others once they were shown."""

    hits: tuple[Hit, ...]
    best: ResultCard
    others: list[ResultCard] = field(default_factory=list)
    is_open: bool = False

    @property
    def cards(self) -> list[ResultCard]:
        return [self.best, *(self.others if self.is_open else ())]


class ResultList(QScrollArea):
    """Briefs one below the other, one card of them selected. More results are put where they belong, around the
    selected card, which keeps its place on the screen.
    """

    selected = Signal(object)
    """The Hit that is selected now."""
    open_requested = Signal(object)
    beside_requested = Signal(object)
    """A Hit to be shown beside the page."""
    similar_requested = Signal(object)
    sibling_requested = Signal(str)
    judged = Signal(object, object)
    """A ResultCard, and True, False or None."""
    rated = Signal(object, object)
    """A ResultCard, and 1 to 5 or None."""
    summary_opened = Signal(object, str)
    add_requested = Signal(object)
    """A Hit for the current matter."""
    unfolded = Signal(tuple)
    """The hits of other passages of a brief that are in sight for the first time; their cards show no marks yet."""
    copied = Signal()
    failed = Signal(object)

    def __init__(
        self, engine: EngineClient, summaries: SummarySource, commands: Mapping[str, Callable[[], object]]
    ) -> None:
        """Begin empty; `commands` are those of a search, by the names of their keys."""
        super().__init__()
        self._engine, self._summaries = engine, summaries
        self._briefs: list[_Brief] = []
        self.headings: list[PlainLabel] = []
        self._current: ResultCard | None = None
        self.collected: frozenset[str] = frozenset()
        self.may_record: Callable[[], bool] = lambda: True
        """Whether a key may record something now: not while other results may come in place of the one meant."""
        self.notes = Notes(commands)
        self._more = QPushButton()
        self._more.clicked.connect(lambda _checked: commands["more"]())
        policy = self._more.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # so that the last result stays where it is when nothing is left
        self._more.setSizePolicy(policy)
        content = ResultRows()
        content.setAccessibleName("Results")
        rows = (self.notes, (self._more, Qt.AlignmentFlag.AlignLeft), 1)
        self._rows = column_of(*rows, within=content, spacing_px=0, margins_px=(0, 0, UNIT_PX // 2, 0))
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._does = self._actions()
        self._opened: QWidget | None = None
        self._laid_out = QTimer(self, singleShot=True, interval=_LAID_OUT_MS)
        self._laid_out.timeout.connect(self._show_opened)
        self.verticalScrollBar().rangeChanged.connect(self._wait_for_layout)
        self._spare: list[ResultCard] = []
        self._spare_timer = QTimer(self, interval=0)
        self._spare_timer.timeout.connect(self._make_spare)
        self._spare_timer.start()

    @property
    def current(self) -> ResultCard | None:
        return self._current

    @property
    def cards(self) -> list[ResultCard]:
        return [card for brief in self._briefs for card in brief.cards]

    def show_briefs(self, briefs: Sequence[BriefHits]) -> None:
        """Show other results from the top, the first of them selected."""
        had_focus = self.has_focus()
        self._opened = None
        self._take_back([card for brief in self._briefs for card in (brief.best, *brief.others)])
        self._briefs = [self._make_brief(each.hits) for each in briefs]
        self._lay_out()
        self.verticalScrollBar().setValue(0)
        self._select_first()
        if had_focus:
            self.take_focus()

    def extend(self, briefs: Sequence[BriefHits]) -> None:
        """Show more briefs where they belong among those shown, and say which are new; `briefs` are all of them."""
        current, known = self._current, {brief.best.hit.document.id: brief for brief in self._briefs}
        top = self._top(current) - self.verticalScrollBar().value() if current else 0
        self._briefs = []
        for each in briefs:
            brief = known.get(each.document.id) or self._make_brief(each.hits)
            shown = {hit.passage.id for hit in brief.hits}
            brief.hits = (
                *brief.hits,
                *(hit for hit in each.hits if hit.passage.id not in shown),
            )  # what is shown stays
            brief.best.set_new(is_new=each.document.id not in known)
            self._fill(brief)
            self._briefs.append(brief)
        self._lay_out()
        if current:
            self._settle()
            self.verticalScrollBar().setValue(self._top(current) - top)

    def reorder(self, briefs: Sequence[BriefHits]) -> None:
        """Put the briefs in this order, and select the first from the top."""
        place = {each.document.id: number for number, each in enumerate(briefs)}
        had_focus = self.has_focus()
        self._briefs.sort(key=lambda brief: place[brief.best.hit.document.id])
        self._lay_out()
        self._settle()
        self.verticalScrollBar().setValue(0)
        self._select_first()
        if had_focus:
            self.take_focus()

    def set_left(self, left: int) -> None:
        self._more.setText(f"More briefs   ({key('more', IN_A_SEARCH).sequences[0]})")
        self._more.setVisible(left > 0)

    def set_marks(self, marks: dict[str, Mark]) -> None:
        """Show what was said before of passages, by passage id."""
        for passage_id, mark in marks.items():
            if card := self.card_of(passage_id):
                card.set_mark(mark)

    def set_collected(self, matter: Matter | None) -> None:
        """Show on the cards which passages are in the current matter."""
        self.collected = frozenset(each.passage_id for each in matter.passages) if matter else frozenset()
        for card in self.cards:
            card.mark.set_collected(is_collected=card.hit.passage.id in self.collected)

    def correct(self, document: Document) -> None:
        """Name a document as it was corrected, on its cards and on those that are not in sight."""
        for brief in self._briefs:
            brief.hits = tuple(renamed(hit, document) for hit in brief.hits)
            for card in (brief.best, *brief.others):
                card.correct(document)

    def card_of(self, passage_id: str) -> ResultCard | None:
        """Return the card of a passage, in sight or folded away; None where there is none (yet)."""
        cards = (card for brief in self._briefs for card in (brief.best, *brief.others))
        return next((card for card in cards if card.hit.passage.id == passage_id), None)

    def take_focus(self) -> None:
        if self._current:
            self._current.setFocus(Qt.FocusReason.OtherFocusReason)

    def has_focus(self) -> bool:
        focused = self.window().focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for brief in self._briefs:
            for card in (brief.best, *brief.others):
                card.fit(self._card_width_px())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = _KEYS.get(QKeySequence(event.keyCombination()).toString())
        if key is None or self._current is None:
            super().keyPressEvent(event)
            return
        if not event.isAutoRepeat() or key.name in ("next", "previous"):
            self.do(key, self._current)
        event.accept()

    def do(self, key: Key, card: ResultCard) -> None:
        """Do to a card what a key does."""
        if self.may_record() or not key.is_recording:
            self._does[key.name](card)

    def _actions(self) -> dict[str, Callable[[ResultCard], None]]:
        return {
            "next": lambda _: self._move(+1),
            "previous": lambda _: self._move(-1),
            "first": lambda _: self._move(-len(self.cards)),
            "last": lambda _: self._move(len(self.cards)),
            "open": lambda card: self.open_requested.emit(card.hit),
            "beside": lambda card: self.beside_requested.emit(card.hit),
            "copy": ResultCard.copy,
            "context": ResultCard.toggle_context,
            "others": self.toggle_others,
            "whole": ResultCard.toggle_whole,
            "relevant": lambda card: card.verdict.choose(verdict=True),
            "irrelevant": lambda card: card.verdict.choose(verdict=False),
            "add": lambda card: self.add_requested.emit(card.hit),
            "similar": ResultCard.ask_similar,
            "summary": lambda card: card.summary.toggle(),
            **{
                each.name: lambda card, stars=stars: card.stars.choose(stars)  # type: ignore[misc]
                for stars, each in enumerate(STARS, start=1)
            },
        }

    def _make_brief(self, hits: tuple[Hit, ...]) -> _Brief:
        brief = _Brief(hits, self._card_of(hits[0]))
        brief.best.set_new(is_new=False)
        brief.best.set_other_count(len(hits) - 1)
        return brief

    def _card_of(self, hit: Hit, *, is_best: bool = True) -> ResultCard:
        card = self._spare.pop() if self._spare else self._make_card()
        self._spare_timer.start()
        card.fit(self._card_width_px())
        card.show_hit(hit, is_best=is_best)
        return card

    def _take_back(self, cards: list[ResultCard]) -> None:
        """Keep some of the cards for the next results, the first of them to be taken first.

        None while the mouse is down: it may have been pressed on one of them, and its release would count for the
        result that the card shows next.
        """
        kept = 0 if QGuiApplication.mouseButtons() else _SPARE
        for card in cards[kept:]:
            self._rows.removeWidget(card)
            card.hide()
            card.deleteLater()
        for card in reversed(cards[:kept]):
            card.hide()
            card.set_other_count(0)
            self._spare.append(card)

    def toggle_others(self, card: ResultCard) -> None:
        """Show the other passages of a card's brief below its best one, or hide them again."""
        brief = next(each for each in self._briefs if card in (each.best, *each.others))
        if len(brief.hits) == 1:
            return
        brief.is_open = not brief.is_open
        if not brief.is_open and self._current in brief.others:
            self.choose(brief.best)
            self.take_focus()
        self._fill(brief)
        self._lay_out()
        if brief.is_open:
            self._bring_into_sight(brief.others[0])

    def _fill(self, brief: _Brief) -> None:
        """Make the cards that an open brief lacks, and say on its best one what there is besides."""
        brief.best.set_other_count(len(brief.hits) - 1, is_open=brief.is_open)
        missing = brief.hits[1 + len(brief.others) :] if brief.is_open else ()
        brief.others += [self._card_of(hit, is_best=False) for hit in missing]
        if missing:
            self.unfolded.emit(missing)

    def _lay_out(self) -> None:
        """Put the cards in their order below the notes, and a heading above the first of each band."""
        for each in self.headings:
            self._rows.removeWidget(each)
            each.deleteLater()
        self.headings = []
        place = self._rows.indexOf(self.notes) + 1
        for text, brief in zip(band_headings(brief.best.hit for brief in self._briefs), self._briefs, strict=True):
            if text:
                self.headings.append(_heading(text))
                self._rows.insertWidget(place, self.headings[-1])
                place += 1
            for card in (brief.best, *brief.others):
                if self._rows.indexOf(card) != place:
                    self._rows.insertWidget(place, card)
                card.setVisible(card is brief.best or brief.is_open)
                place += 1
        self._say_places()

    def _say_places(self) -> None:
        """Tell a screen reader where each card stands; it goes through them as they are stacked, the lowest first."""
        for place in range(self._rows.count()):
            item = self._rows.itemAt(place)
            if item and (row := item.widget()):
                row.raise_()
        for number, brief in enumerate(self._briefs, start=1):
            at = f"{number} of {count(len(self._briefs), 'brief')}"
            brief.best.set_place(f"{at}, {count(len(brief.hits), 'passage')}")
            for other, card in enumerate(brief.others, start=2):
                card.set_place(f"{at}, passage {other} of {len(brief.hits)}")

    def _settle(self) -> None:
        """Have the layout done now, so that places on the screen can be compared."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def _card_width_px(self) -> int:
        return self.viewport().width() - self._rows.contentsMargins().right()

    def _make_spare(self) -> None:
        """Make a card ahead while the window has nothing else to do, so that results are not kept waiting by it."""
        if len(self._spare) >= _SPARE:
            self._spare_timer.stop()
            return
        self._spare.append(self._make_card())

    def _make_card(self) -> ResultCard:
        card = ResultCard(self._engine, self._summaries, self)
        card.verdict.may_record = self.may_record
        card.hide()
        card.ensurePolished()
        return card

    def show_grown(self, part: QWidget) -> None:
        """Have the part of a card seen that something was opened in."""
        self._bring_into_sight(part)
        self._order_focus()

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

    def open_card(self, card: ResultCard) -> None:
        self.choose(card)
        self.open_requested.emit(card.hit)

    def _move(self, step: int) -> None:
        cards = self.cards
        at = cards.index(self._current) if self._current else 0
        to = min(max(at + step, 0), len(cards) - 1)
        self.choose(cards[to])
        cards[to].setFocus()
        self._settle()
        if to == len(cards) - 1:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        elif to == 0:
            self.verticalScrollBar().setValue(0)
        else:
            self._scroll_to(cards[to])

    def _select_first(self) -> None:
        cards = self.cards
        self._select(cards[0] if cards else None)
        if cards:
            self.selected.emit(cards[0].hit)

    def choose(self, card: ResultCard) -> None:
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
        self._order_focus()

    def _order_focus(self) -> None:
        """Have Tab go from the notes through the selected card, and through every summary that is open, to the end."""
        way: list[QWidget] = [self.notes.weak]
        for card in self.cards:
            if card is self._current:
                way += [card, *card.controls, *card.summary.stops]
            elif card.summary.is_open:
                way += card.summary.stops
        for before, after in pairwise([*way, self._more]):
            QWidget.setTabOrder(before, after)


def _heading(text: str) -> PlainLabel:
    made = PlainLabel(wraps=True, is_bold=True)
    made.setText(text)
    made.setContentsMargins(2, UNIT_PX // 4, 0, 0)
    return made
