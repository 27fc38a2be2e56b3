"""Findings beside the page on which each stands: what spaces of authorities, drafts and checklists have in common."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication

from briefbank.values import PassageInContext
from ui.bottom_bar import COPIED, BottomBar
from ui.engine import EngineClient
from ui.findings.finding import Finding, collected_of, copied, marked
from ui.findings.tree import FindingsTree
from ui.reading.beside_page import BesidePage
from ui.reading.history import Place

_COPIED_PLAIN = "Copied."
_NO_WORDS = "Choose words of a brief: only these are kept in a matter."
_IN_NO_BANK = "This file is in no bank: its words can be copied, not kept."
_RENEWED = "The index was renewed, and has these words no more: look them up again."


class FindingsSpace(BesidePage):
    """A tree of findings at the left, the page of the one selected at the right."""

    add_requested = Signal(object)
    """A Collected for the current matter."""
    card_requested = Signal(str, str)
    """The authority whose card somebody wants to read, and how it is written."""

    def __init__(self, engine: EngineClient, bottom: BottomBar, name: str, tree_name: str) -> None:
        """Make the tree and the page; `tree_name` is what a screen reader calls the tree."""
        super().__init__(engine, bottom, name)
        self.tree = FindingsTree(tree_name)
        self._shown: Finding | None = None
        self.tree.selected.connect(self._on_selected)
        self.tree.opened.connect(self._on_opened)
        self.tree.copy_requested.connect(self.copy)
        self.tree.add_requested.connect(self.add)

    def forget_page(self) -> None:
        """Show no page, and hold nothing of the finding that it was shown for."""
        super().forget_page()
        self._shown = None

    def show_found(self, found: PassageInContext) -> None:
        """Show the passage of the finding selected, and mark in it what the finding is about."""
        place = self.place_of(found)
        self.page.show_passage(place.passage, place.document, place.matches, place.cautions)

    def place_of(self, found: PassageInContext) -> Place:
        """Return the passage with what the finding is about marked in it."""
        place = super().place_of(found)
        shown = self._shown
        is_of_it = shown is not None and shown.passage_id == found.passage.id  # else another was selected meanwhile
        return replace(place, matches=marked(shown, found.passage)) if shown and is_of_it else place

    def copy(self, finding: Finding) -> None:
        """Put a finding on the clipboard: words of a brief with their source and warnings."""
        QGuiApplication.clipboard().setText(copied(finding))
        self.bottom.tell(COPIED if finding.source else _COPIED_PLAIN)

    def add(self, finding: Finding) -> None:
        """Hand over words of a brief, with its source and warnings, for the current matter."""
        if not finding.source:
            self.bottom.tell_failure(_NO_WORDS)
        elif not finding.passage_id:
            self.bottom.tell_failure(_IN_NO_BANK)
        else:
            future = self.engine.bank.passage(finding.passage_id, context=0)
            self.engine.ask(future, partial(self._on_found_to_add, finding), self.tell_failure, parent=self)

    def _on_found_to_add(self, finding: Finding, found: PassageInContext) -> None:
        if collected := collected_of(finding, found):
            self.add_requested.emit(collected)
        else:
            self.bottom.tell_failure(_RENEWED)

    def _on_selected(self, finding: Finding) -> None:
        """Show the page of a finding; of a heading nothing else than what is shown."""
        if finding.passage_id:
            self._shown = finding
            self.show_soon(partial(self.engine.bank.passage, finding.passage_id))

    def _on_opened(self, finding: Finding) -> None:
        if finding.passage_id:
            self._shown = finding
            self.open(partial(self.engine.bank.passage, finding.passage_id))
        elif finding.authority:
            self.card_requested.emit(finding.authority, finding.text)
        else:
            index = self.tree.currentIndex()
            self.tree.setExpanded(index, not self.tree.isExpanded(index))
