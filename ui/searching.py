"""One search at a time: what was asked, what is shown of it and in which order. Knows no widget.

A search that is asked while another is under way replaces it, so a stale answer is never heard of. One that the engine
died of is asked once more when it is back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from briefbank.bands import arranged
from briefbank.defaults import RESULTS_SHOWN
from briefbank.errors import EngineDiedError
from briefbank.records import Hit, Query, SearchResult, SortOrder
from ui.engine import EngineClient
from ui.tasks import FutureWatcher


@dataclass(frozen=True, slots=True)
class ShownResults:
    """What the list shows of a search: the last answer, and its hits in the batches in which they came."""

    result: SearchResult
    batches: tuple[tuple[Hit, ...], ...]

    def hits(self, order: SortOrder) -> tuple[Hit, ...]:
        """Return the hits in their order on the screen; batches never mix."""
        return tuple(hit for batch in self.batches for hit in arranged(batch, order))

    @property
    def count(self) -> int:
        """How many hits are shown."""
        return sum(map(len, self.batches))

    @property
    def left(self) -> int:
        """How many could still be shown."""
        return max(self.result.found - self.count, 0)


class SearchModel(QObject):
    """Sends searches to the engine and keeps what is to be shown."""

    sent = Signal()
    answered = Signal()
    """`shown` holds another search."""
    extended = Signal(tuple)
    """Hits that `shown` has got at its end, in their order on the screen."""
    reordered = Signal()
    failed = Signal(object)
    """An Exception; `shown` is what it was."""

    def __init__(self, engine: EngineClient, parent: QObject | None = None) -> None:
        """Begin with nothing asked."""
        super().__init__(parent)
        self._engine = engine
        self._task: FutureWatcher | None = None
        self.order = SortOrder.RECENCY
        self.query: Query | None = None
        self.shown: ShownResults | None = None
        self.is_extending = False
        """Whether what was sent last was for more of the same."""

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is still to come."""
        return self._task is not None

    @property
    def is_replacing(self) -> bool:
        """Whether other results are awaited in place of those shown."""
        return self.is_waiting and not self.is_extending

    def ask(self, query: Query) -> None:
        """Search, forgetting whatever search is under way."""
        self.query = replace(query, top_k=RESULTS_SHOWN, sort=self.order)
        self.is_extending = False
        self._send(self.query, self._on_answered)

    def again(self) -> None:
        """Ask the last query once more, if there was one."""
        if self.query:
            self.ask(self.query)

    def more(self) -> None:
        """Ask for the next results; nothing happens while an answer is awaited or where there are none."""
        if self.shown and self.shown.left and not self.is_waiting:
            query = replace(self.shown.result.query, top_k=self.shown.count + RESULTS_SHOWN)
            self.is_extending = True
            self._send(query, self._on_extended)

    def set_order(self, order: SortOrder) -> None:
        """Show newest or best first, from now on."""
        if order is not self.order:
            self.order = order
            self.reordered.emit()

    def forget(self) -> None:
        """Drop the search that is under way and what is shown."""
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

    def _on_answered(self, result: SearchResult) -> None:
        self._task = None
        self.shown = ShownResults(result, (result.hits,))
        self.answered.emit()

    def _on_extended(self, result: SearchResult) -> None:
        self._task = None
        if not self.shown:
            return
        known = {hit.passage.id for batch in self.shown.batches for hit in batch}
        fresh = tuple(hit for hit in result.hits if hit.passage.id not in known)
        found = result.found if fresh else self.shown.count
        self.shown = ShownResults(replace(result, found=found), (*self.shown.batches, fresh))
        self.extended.emit(arranged(fresh, self.order))
