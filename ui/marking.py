"""What is said of the results on the screen, on its way to the log: marks, comments, and what was shown.

Binds the list and the bottom line to the recorder; each mark is shown as kept once its event is on the disk.
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from briefbank.errors import BriefBankError
from briefbank.records import Hit
from ui.bottom_bar import BottomBar
from ui.feedback import Recorder
from ui.results.card import ResultCard
from ui.results.list import ResultList
from ui.searching import Shown


class Marking(QObject):
    """Records searches and what is said of them."""

    def __init__(self, recorder: Recorder, results: ResultList, bottom: BottomBar, parent: QObject) -> None:
        """Begin without a search."""
        super().__init__(parent)
        self._recorder, self._list, self._bottom = recorder, results, bottom
        self._search_id = ""
        self._awaited: dict[str, ResultCard] = {}
        results.judged.connect(self._on_judged)
        results.rated.connect(self._on_rated)
        results.summary_opened.connect(self._on_summary_opened)
        bottom.comment.written.connect(self._on_comment_written)
        recorder.recorded.connect(self._on_recorded)
        recorder.failed.connect(self._on_failed)

    def begin(self, shown: Shown, hits: tuple[Hit, ...]) -> None:
        """Record a search whose `hits` the list shows now, and show what was said of them before."""
        self._bottom.comment.finish()
        self._awaited.clear()
        self._search_id = self._recorder.searched(shown.result, hits)
        self._bottom.comment.begin()
        self._show_marks(shown)

    def extend(self, shown: Shown, hits: tuple[Hit, ...]) -> None:
        """Record that `hits` were added at the end."""
        self._recorder.showed_more(self._search_id, hits, shown.result.generation)
        marks = self._recorder.judgements_of(shown.result.query.text, shown.result.query.like_passage)
        fresh = {hit.passage.id for hit in hits}
        self._list.set_marks({key: mark for key, mark in marks.items() if key in fresh})
        self._count()

    def end(self) -> None:
        """There is nothing on the screen to speak of."""
        self._bottom.comment.finish()
        self._bottom.comment.begin()
        self._awaited.clear()
        self._search_id = ""
        self._bottom.set_judged(0, 0)

    def _show_marks(self, shown: Shown) -> None:
        query = shown.result.query
        self._list.set_marks(self._recorder.judgements_of(query.text, query.like_passage))
        self._count()

    def _count(self) -> None:
        cards = self._list.cards
        self._bottom.set_judged(sum(card.verdict.verdict is not None for card in cards), len(cards))

    def _on_judged(self, card: ResultCard, verdict: bool | None) -> None:  # noqa: FBT001  # the signal's own value
        event_id = self._recorder.judge(self._search_id, card.hit, verdict)
        self._awaited = {key: each for key, each in self._awaited.items() if each is not card}
        self._awaited[event_id] = card
        self._count()

    def _on_rated(self, card: ResultCard, stars: int | None) -> None:
        self._recorder.rate(self._search_id, card.hit, stars)

    def _on_summary_opened(self, hit: Hit) -> None:
        self._recorder.opened_summary(self._search_id, hit)

    def _on_comment_written(self, text: str) -> None:
        if self._search_id:
            self._recorder.comment(self._search_id, text)

    def _on_recorded(self, event_id: str) -> None:
        if card := self._awaited.pop(event_id, None):
            card.verdict.keep()

    def _on_failed(self, problem: BriefBankError) -> None:
        self._bottom.tell(f"Not recorded yet: {problem.message} {problem.advice}")
