"""What is followed and what is new of it, as the bank says when it is asked.

Asks the engine, which keeps the log; knows no results and no pages.
"""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from briefbank.values.follows import News
from briefbank.values.records import Query
from ui.engine import EngineClient


class Following(QObject):
    """The questions that are asked again of each new index."""

    changed = Signal()
    """Something else is followed or new now."""
    failed = Signal(object)

    def __init__(self, engine: EngineClient, log: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._engine, self._log = engine, log
        self.news: tuple[News, ...] = ()

    def load(self) -> None:
        """Ask what is new: another index may be live."""
        self._ask(self._engine.bank.news(self._log))

    def follow(self, name: str, query: Query) -> None:
        """Follow a question from today on."""
        self._ask(self._engine.bank.follow({name: query}, self._log))

    def mark_seen(self, news: News) -> None:
        """What this told of is new no longer."""
        self._ask(self._engine.bank.mark_seen({news.follow.name: news.query.filters.documents}, self._log))

    def stop(self, name: str) -> None:
        self._ask(self._engine.bank.stop_following(name, self._log))

    def _ask(self, asked: Future[tuple[News, ...]]) -> None:
        self._engine.ask(asked, self._on_told, self.failed.emit, parent=self)

    def _on_told(self, news: tuple[News, ...]) -> None:
        if news != self.news:
            self.news = news
            self.changed.emit()
