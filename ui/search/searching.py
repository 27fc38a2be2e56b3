"""One search at a time: what was asked, what is shown of it and in which order. Knows no widget.

A search that is asked while another is under way replaces it, so a stale answer is never heard of. One that the engine
died of is asked once more when it is back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from briefbank.errors import EngineDiedError
from briefbank.values.bands import BriefHits, by_brief
from briefbank.values.defaults import PASSAGES_FETCHED, RESULTS_SHOWN
from briefbank.values.records import Hit, Query, SearchResult, SortOrder
from ui import preferences
from ui.engine import EngineClient, FutureWatcher


@dataclass(frozen=True, slots=True)
class ShownResults:
    """What the list shows of a search: the last answer, all hits that were fetched, and of how many briefs they are
    shown.
    """

    result: SearchResult
    fetched: tuple[Hit, ...]
    most: int = RESULTS_SHOWN

    def briefs(self, order: SortOrder) -> tuple[BriefHits, ...]:
        return by_brief(self.fetched, order, self.most)

    @property
    def count(self) -> int:
        return min(self.most, self._held)

    @property
    def left(self) -> int:
        """How many more briefs can be shown, as far as is known: passages not fetched yet may stand in one more."""
        return max(self._held - self.most, 0) or int(self.has_unfetched)

    @property
    def has_unfetched(self) -> bool:
        """Whether the engine has passages that were not fetched yet."""
        return self.result.found > len(self.fetched)

    @property
    def _held(self) -> int:
        return len({hit.document.id for hit in self.fetched})

    def with_more(self, result: SearchResult) -> ShownResults:
        """The same with the hits of a longer answer.

        Where another index answers meanwhile, what is shown stays.
        """
        known = {hit.passage.id for hit in self.fetched}
        fresh = tuple(hit for hit in result.hits if hit.passage.id not in known)
        fetched = (*self.fetched, *fresh)
        found = result.found if fresh else len(fetched)
        return ShownResults(replace(result, found=found), fetched, self.most)

    def with_room(self) -> ShownResults:
        return replace(self, most=self.most + RESULTS_SHOWN)


class SearchModel(QObject):
    """Sends searches to the engine and keeps what is to be shown."""

    sent = Signal()
    answered = Signal()
    """`shown` holds another search."""
    extended = Signal()
    """`shown` holds more briefs of the same search."""
    reordered = Signal()
    failed = Signal(object)
    """An Exception; `shown` is what it was."""

    def __init__(self, engine: EngineClient, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._task: FutureWatcher | None = None
        self.order = preferences.load().order
        self.query: Query | None = None
        self.shown: ShownResults | None = None
        self.is_extending = False
        """Whether what was sent last was for more of the same."""

    @property
    def is_waiting(self) -> bool:
        return self._task is not None

    @property
    def is_replacing(self) -> bool:
        """Whether other results are awaited in place of those shown."""
        return self.is_waiting and not self.is_extending

    def ask(self, query: Query) -> None:
        """Search, forgetting whatever search is under way."""
        self.query = replace(query, top_k=PASSAGES_FETCHED, sort=self.order)
        self.is_extending = False
        self._send(self.query, self._on_answered)

    def again(self) -> None:
        if self.query:
            self.ask(self.query)

    def more(self) -> None:
        """Show more briefs; nothing happens while an answer is awaited or where there are none."""
        shown = self.shown
        if not shown or not shown.left or self.is_waiting:
            return
        wider = shown.with_room()
        if wider.count == wider.most or not shown.has_unfetched:
            self._show_more(wider)
        else:
            self._fetch()

    def set_order(self, order: SortOrder) -> None:
        """Show newest or best first, from now on and after a restart."""
        if order is not self.order:
            self.order = order
            preferences.save(replace(preferences.load(), order=order))
            self.reordered.emit()

    def forget(self) -> None:
        self._drop()
        self.query = self.shown = None

    def _send(self, query: Query, on_done: Callable[[SearchResult], None], *, is_retry: bool = False) -> None:
        self._drop()

        def fail(problem: Exception) -> None:
            if isinstance(problem, EngineDiedError) and not is_retry:
                self._send(query, on_done, is_retry=True)
                return
            self._task = None
            self.failed.emit(problem)

        self._task = self._engine.ask(self._engine.bank.search(query), on_done, fail, parent=self)
        if not is_retry:
            self.sent.emit()

    def _drop(self) -> None:
        task, self._task = self._task, None
        if task:
            task.cancel()

    def _fetch(self) -> None:
        if self.shown:
            query = replace(self.shown.result.query, top_k=len(self.shown.fetched) + PASSAGES_FETCHED)
            self.is_extending = True
            self._send(query, self._on_extended)

    def _show_more(self, shown: ShownResults) -> None:
        self.shown = shown
        self.extended.emit()

    def _on_answered(self, result: SearchResult) -> None:
        self._task = None
        self.shown = ShownResults(result, result.hits)
        self.answered.emit()

    def _on_extended(self, result: SearchResult) -> None:
        self._task = None
        if not self.shown:
            return
        before, more = self.shown.count, self.shown.with_more(result)
        wider = more.with_room()
        if wider.count > before or not more.has_unfetched:
            self._show_more(wider)
        else:  # all of them stand in briefs that are shown
            self.shown = more
            self._fetch()
