"""What the window begins with: earlier and saved searches, issues, matters, the newest briefs, and what the bank holds.

Gathers it as it becomes known; shows nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from briefbank.judgements.feedback.saved_searches import SavedSearch
from briefbank.matters.state import Matter
from briefbank.values import Facets, ProfilesOffered
from briefbank.values.records import Document
from briefbank.values.unreadable import UnreadableFiles
from ui.search.results.pane import Start
from ui.wording import count, made


class StartPage(QObject):
    """Collects the parts of the first page."""

    changed = Signal()
    """Something that stands on it is known now, or is otherwise."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Begin without anything known."""
        super().__init__(parent)
        self._start = Start()
        self._facets: Facets | None = None
        self._unreadable: UnreadableFiles | None = None
        self._generation = ""

    @property
    def start(self) -> Start:
        """What is known by now."""
        newest = self._facets.newest if self._facets else ()
        return replace(self._start, newest=newest, health=self._health())

    def set_earlier(self, texts: list[str]) -> None:
        """Take up what was searched for, the last first."""
        self._start = replace(self._start, earlier=tuple(texts))
        self.changed.emit()

    def set_saved(self, searches: list[SavedSearch]) -> None:
        """Take up the searches that are saved."""
        self._start = replace(self._start, saved=tuple(searches))
        self.changed.emit()

    def set_issues(self, offered: ProfilesOffered) -> None:
        """Take up the issues that can be run."""
        self._start = replace(self._start, issues=offered)
        self.changed.emit()

    def set_matters(self, matters: Sequence[Matter]) -> None:
        """Take up the matters that are not archived; those changed last are offered."""
        ordered = sorted(matters, key=lambda each: each.changed_at, reverse=True)
        self._start = replace(self._start, matters=tuple(ordered))
        self.changed.emit()

    def set_bank(self, facets: Facets, generation: str) -> None:
        """Take up what the live index holds."""
        self._facets, self._generation = facets, generation
        self.changed.emit()

    def set_unreadable(self, unreadable: UnreadableFiles | None) -> None:
        """Take up which files the index lacks; None where that is not known."""
        self._unreadable = unreadable
        self.changed.emit()

    def correct(self, document: Document) -> None:
        """Name a document as it was corrected."""
        if self._facets:
            newest = (document if each.id == document.id else each for each in self._facets.newest)
            self._facets = replace(self._facets, newest=tuple(newest))
            self.changed.emit()

    def _health(self) -> str:
        """What the bank holds, in a line; empty where that is not known yet."""
        if not self._facets:
            return ""
        indexed = made(self._generation)
        unreadable = self._unreadable.told if self._unreadable else ""
        parts = (count(self._facets.documents, "brief"), f"indexed {indexed}" if indexed else "", unreadable)
        return " · ".join(filter(None, parts))
