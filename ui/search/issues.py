"""The issues that an office keeps with samples of good answers: what there is, and what a user makes of marked results.

Asks the engine; knows no results and no pages.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from briefbank.values.profiles import OfferedProfile, ProfilesOffered
from ui.dialogs.asking import ask_name
from ui.engine import EngineClient
from ui.search.bar import Chip
from ui.wording import count, issue_text

_NOTHING_ASKED = "Ask a question first, and mark with R what answers it."
_NAME = "Name the issue. What is marked relevant to this question is searched with when it is run:"


class Issues(QObject):
    """The issues that can be run."""

    changed = Signal()
    """Other issues are offered now."""
    message = Signal(str)
    """In words, what was done or why not."""
    failed = Signal(object)

    def __init__(self, engine: EngineClient, log: Path, parent: QWidget) -> None:
        """Begin without any; `log` holds what was marked relevant."""
        super().__init__(parent)
        self._engine, self._log, self._window = engine, log, parent
        self.offered = ProfilesOffered()

    def load(self) -> None:
        self._engine.ask(self._engine.bank.offered_profiles(), self._on_loaded, self.failed.emit, parent=self)

    def make(self, question: str) -> None:
        """Ask for a name, and keep what is marked relevant to a question as an issue under it."""
        if question:
            ask_name(self._window, "Make an issue", _NAME, partial(self._make, question), question[:60])
        else:
            self.message.emit(_NOTHING_ASKED)

    def remove(self, name: str) -> None:
        done = partial(self._on_changed, f"The issue “{name}” is removed.")
        self._engine.ask(self._engine.bank.remove_own_profile(name), done, self.failed.emit, parent=self)

    def chip(self, name: str, drop: Callable[[], None]) -> Chip:
        """Return the chip of an issue that ranks in the place of the words, and of what narrows it."""
        known = next((issue_text(each) for each in self.offered.profiles if each.name == name), name)
        return Chip(f"Issue: {known}", drop)

    def _make(self, question: str, name: str) -> None:
        future = self._engine.bank.keep_relevant(name, question, self._log)
        self._engine.ask(future, self._on_made, self.failed.emit, parent=self)

    def _on_made(self, made: OfferedProfile) -> None:
        samples = count(made.sample_count, "passage")
        self._on_changed(f"Kept as the issue “{made.name}”, with {samples}. Saved ▾ runs it.")

    def _on_changed(self, said: str, _: object = None) -> None:
        self.message.emit(said)
        self.load()

    def _on_loaded(self, offered: ProfilesOffered) -> None:
        if offered != self.offered:
            self.offered = offered
            self.changed.emit()
