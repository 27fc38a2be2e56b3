"""What is said of the results on the screen, on its way to the log: marks, comments, and what was shown.

Binds the list and the bottom line to the recorder; each mark is shown as kept, and confirmed below, once its event is
on the disk.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from briefbank.errors import BriefBankError
from briefbank.judgements.feedback.events import Commented, Judged, Rated
from briefbank.values.records import Hit
from ui.bottom_bar import BottomBar
from ui.dialogs.asking import may_lose_unsaved
from ui.recorder import Recorder
from ui.search.card import ResultCard
from ui.search.result_list import ResultList
from ui.search.searching import SearchModel, ShownResults
from ui.undo import Act, Step


class ResultFeedback(QObject):
    """Records each search of one window and what a person says of its results."""

    acted = Signal(object)
    """The Step of something that was said here."""

    def __init__(
        self, recorder: Recorder, results: ResultList, bottom: BottomBar, search: SearchModel, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._recorder, self._list, self._bottom = recorder, results, bottom
        results.may_record = lambda: not search.is_replacing
        self._search_id = ""
        self._searches: set[str] = set()
        """All of this window: what is said in another one is undone there."""
        self._shown: ShownResults | None = None
        self._recorded: set[str] = set()
        self._awaited: dict[str, ResultCard] = {}
        results.judged.connect(
            lambda card, verdict: self._await(recorder.judge(self._search_id, card.hit, verdict), card)
        )
        results.rated.connect(lambda card, stars: recorder.rate(self._search_id, card.hit, stars))
        results.summary_opened.connect(lambda hit, model: recorder.opened_summary(self._search_id, hit, model))
        results.unfolded.connect(self._record_more)
        bottom.comment.written.connect(self._on_comment_written)
        recorder.acted.connect(self._on_acted)
        recorder.recorded.connect(self._on_recorded)
        recorder.confirmed.connect(self._on_confirmed)
        recorder.failed.connect(self._on_failed)
        recorder.history_loaded.connect(self._on_log_opened)

    def begin(self, shown: ShownResults) -> None:
        """Record a search and which of its hits the list shows now, and show what was said of them before.

        Other passages of a brief are recorded when they are unfolded: until then nobody saw them.
        """
        self._bottom.comment.finish()
        self._awaited.clear()
        seen = tuple(card.hit for card in self._list.cards)
        self._recorded = {hit.passage.id for hit in seen}
        self._search_id = self._recorder.searched(shown.result, seen)
        self._searches.add(self._search_id)
        self._bottom.comment.begin(self._recorder.comment_of(self._search_id))
        self._shown = shown
        self._show_marks(shown)

    def extend(self, shown: ShownResults) -> None:
        self._shown = shown
        self._record_more(tuple(card.hit for card in self._list.cards))

    def end(self) -> None:
        """Forget the search: there are no results on the screen to say anything of."""
        self._bottom.comment.finish()
        self._bottom.comment.begin()
        self._awaited.clear()
        self._search_id, self._shown = "", None
        self._bottom.set_judged(0, 0, is_asked=False)

    def finish(self) -> None:
        self._bottom.comment.finish()

    def may_end(self) -> bool:
        """Finish what is being said; where it cannot be written, ask whether to end without it."""
        self.finish()
        return may_lose_unsaved(self._list.window(), self._recorder.flush(), self._recorder.problem, "Feedback")

    def _is_of_question(self, act: Act) -> bool:
        """Whether something was said of the question whose results are shown."""
        asked = self._recorder.question_of
        return bool(self._search_id) and asked(act.now.search_id) == asked(self._search_id)

    def _show_act(self, act: Act) -> None:
        """Show what holds now on the results, where they are those of the same question."""
        if not self._is_of_question(act):
            return
        match act.now:
            case Commented(text=text):
                self._bottom.comment.begin(text)
            case Judged(is_relevant=is_relevant) as said:
                if card := self._card_of(said):
                    card.verdict.set_verdict(is_relevant, is_kept=False)
                    self._await(act.event_id, card)
            case Rated(stars=stars) as said:
                if card := self._card_of(said):
                    card.stars.set_stars(stars)

    def _card_of(self, said: Judged | Rated) -> ResultCard | None:
        """Return the card of the passage that something was said of; None where that reads differently today."""
        is_same = self._recorder.reads_alike(said.passage_id, said.search_id, self._search_id)
        return self._list.card_of(said.passage_id) if is_same else None

    def _show_marks(self, shown: ShownResults) -> None:
        query = shown.result.query
        marks = self._recorder.judgements_of(query.text, query.like_passage)
        said = {card.hit.passage.id for card in self._awaited.values()}
        self._list.set_marks({key: mark for key, mark in marks.items() if key not in said})
        self._count()

    def _count(self) -> None:
        cards = self._list.cards
        self._bottom.set_judged(sum(card.verdict.verdict is not None for card in cards), len(cards), is_asked=True)

    def _await(self, event_id: str, card: ResultCard) -> None:
        """Show a verdict as kept when its event, and none before it, is on the disk."""
        self._awaited = {key: each for key, each in self._awaited.items() if each is not card}
        self._awaited[event_id] = card
        self._count()

    def _record_more(self, hits: tuple[Hit, ...]) -> None:
        shown = self._shown
        fresh = tuple(hit for hit in hits if hit.passage.id not in self._recorded)
        if shown and fresh:
            self._recorded |= {hit.passage.id for hit in fresh}
            self._recorder.showed_more(self._search_id, fresh, shown.result.generation)
            marks = self._recorder.judgements_of(shown.result.query.text, shown.result.query.like_passage)
            self._list.set_marks({key: mark for key, mark in marks.items() if key in {hit.passage.id for hit in fresh}})
        self._count()

    def _on_comment_written(self, text: str) -> None:
        if self._search_id:
            self._recorder.comment(self._search_id, text)

    def _on_recorded(self, event_id: str) -> None:
        if card := self._awaited.pop(event_id, None):
            card.verdict.keep()

    def _on_acted(self, act: Act) -> None:
        if act.now.search_id in self._searches:
            undo = partial(self._show_said, self._recorder.take_back, act)
            redo = partial(self._show_said, self._recorder.say_again, act)
            self.acted.emit(Step(undo, redo, is_of_search=True))

    def _show_said(self, say: Callable[[Act], Act], act: Act) -> None:
        self._show_act(say(act))

    def _on_confirmed(self, act: Act) -> None:
        if act.now.search_id not in self._searches:
            self._show_said_elsewhere(act)
        else:
            self._bottom.show_message(act.confirmation)

    def _show_said_elsewhere(self, act: Act) -> None:
        """Show what was said in another window of a result, or of a question, that is shown here too."""
        if not self._is_of_question(act):
            return
        match act.now:
            case Commented(text=text):
                if not self._bottom.comment.hasFocus():
                    self._bottom.comment.begin(text)
            case Judged() | Rated() as said:
                if card := self._card_of(said):
                    self._list.set_marks({said.passage_id: self._recorder.mark_of(said.search_id, said.passage_id)})
                    self._awaited = {key: each for key, each in self._awaited.items() if each is not card}
                    self._count()

    def _on_log_opened(self, _history: list[str]) -> None:
        """A large log is opened after the first answer: what it holds is shown then, but for what was said since."""
        if self._shown:
            self._show_marks(self._shown)
            if not self._bottom.comment.text():
                self._bottom.comment.begin(self._recorder.comment_of(self._search_id))

    def _on_failed(self, problem: BriefBankError) -> None:
        self._bottom.show_failure(f"Not recorded yet: {problem.message} {problem.advice}")
