"""What the bank says today of the passages of matters: asked for what is shown, and kept until another index is live.

Must not know widgets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from briefbank.matters.checked import Checks, checks_of, unchecked
from briefbank.matters.items import PassageItem, collected_words
from briefbank.matters.state import Matter
from briefbank.values.collected import Check, CollectedWords
from ui.engine import EngineClient

_AT_ONCE = 100
"""Passages of one question, so that the pages that somebody turns meanwhile do not wait long."""


class PassageChecks(QObject):
    """Checks of passages by what they are: the same words in two matters are looked up once."""

    changed = Signal()

    def __init__(self, engine: EngineClient, parent: QObject) -> None:
        super().__init__(parent)
        self._engine = engine
        self._known: dict[CollectedWords, Check] = {}
        self._asked: set[CollectedWords] = set()

    def of(self, item: PassageItem) -> Check | None:
        """What is known of a passage; None where the bank has not answered yet."""
        return self._known.get(collected_words(item))

    def of_matter(self, matter: Matter) -> Checks:
        """What is known of all passages; what was not looked up is marked so."""
        return checks_of(matter, lambda items: [self._known.get(each) or unchecked(each) for each in items])

    def forget(self) -> None:
        """Look everything up again when it is shown next: another index, or another list, may be in force."""
        self._known.clear()
        self._asked = set()

    def ask(self, matter: Matter, then: Callable[[], None] = lambda: None) -> None:
        """Look up what is not known of a matter; `then` is called when all of it is, or cannot be."""
        wanted = [each for each in dict.fromkeys(map(collected_words, matter.passages)) if each not in self._asked]
        self._asked.update(wanted)
        self._ask(wanted, then)

    def _ask(self, wanted: Sequence[CollectedWords], then: Callable[[], None]) -> None:
        if not wanted:
            then()
            return
        now, later, asked = tuple(wanted[:_AT_ONCE]), wanted[_AT_ONCE:], self._asked

        def keep(checks: Sequence[Check]) -> None:
            if asked is not self._asked:  # forgotten meanwhile: this may be an answer by the list of before
                self._asked.update(wanted)
                self._ask(wanted, then)
                return
            self._known.update(zip(now, checks, strict=True))
            self.changed.emit()
            self._ask(later, then)

        def fail(_problem: Exception) -> None:
            self._asked.difference_update(now)  # asked again when they are shown next
            keep([unchecked(each) for each in now])

        self._engine.ask(self._engine.bank.check_collected(now, with_pages=True), keep, fail, parent=self)
