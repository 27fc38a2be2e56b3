"""What can be done with findings in a tree: their page is shown, they are copied, and kept in a matter."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from briefbank.values.reading import PassageInContext
from ui.bottom_bar import BottomBar
from ui.engine import EngineClient
from ui.findings.finding import Finding, collected_of, copied, marked
from ui.findings.tree import FindingsTree
from ui.reading.history import Place
from ui.reading.list_and_page import ListAndPage, first_place, found_place
from ui.shortcuts import IN_FINDINGS, bind
from ui.wording import COPIED, COPIED_PLAIN

_NO_WORDS = "Choose words of a brief: only these are kept in a matter."
_IN_NO_BANK = "This file is in no bank: its words can be copied, not kept."
_RENEWED = "The index was renewed, and has these words no more: look them up again."


class FindingActions(QObject):
    """Serves one tree beside one page."""

    add_requested = Signal(object)
    """A Collected for the current matter."""
    card_requested = Signal(str, str)
    """The authority whose card somebody wants to read, and how it is written."""
    document_chosen = Signal(str)
    """The id of the document that a line stands for."""

    def __init__(
        self,
        engine: EngineClient,
        bottom: BottomBar,
        tree: FindingsTree,
        reading: ListAndPage,
        *,
        is_showing: bool = True,
    ) -> None:
        """Show the page of what is selected, unless the space does that itself."""
        super().__init__(tree)
        self._engine, self._bottom, self._tree, self._reading = engine, bottom, tree, reading
        if is_showing:
            tree.selected.connect(self._on_selected)
            tree.opened.connect(self._on_opened)
        bind(IN_FINDINGS, {"copy": self._copy, "add": self._add}, tree, Qt.ShortcutContext.WidgetShortcut)

    def copy(self, finding: Finding) -> None:
        """Put a finding on the clipboard: words of a brief with their source and warnings."""
        QGuiApplication.clipboard().setText(copied(finding))
        self._bottom.show_message(COPIED if finding.source else COPIED_PLAIN)

    def _copy(self) -> None:
        if finding := self._tree.current:
            self.copy(finding)

    def _add(self) -> None:
        """Hand over words of a brief, with their source and warnings, for the current matter."""
        finding = self._tree.current
        if not finding or not finding.source:
            self._bottom.show_failure(_NO_WORDS)
        elif not finding.passage_id:
            self._bottom.show_failure(_IN_NO_BANK)
        else:
            future = self._engine.bank.passage(finding.passage_id, context=0)
            add = partial(self._on_found_to_add, finding)
            self._engine.ask(future, add, self._bottom.show_problem, parent=self)

    def _on_found_to_add(self, finding: Finding, found: PassageInContext) -> None:
        if collected := collected_of(finding, found):
            self.add_requested.emit(collected)
        else:
            self._bottom.show_failure(_RENEWED)

    def _on_selected(self, finding: Finding) -> None:
        """Show the page of a finding; of a heading nothing else than what is shown."""
        if finding.passage_id:
            self._reading.show_soon(
                partial(self._engine.bank.passage, finding.passage_id), partial(marked_place, finding)
            )
        elif finding.document_id:
            self._reading.show_soon(partial(self._engine.bank.first_passage, finding.document_id), first_place)

    def _on_opened(self, finding: Finding) -> None:
        if finding.passage_id:
            self._reading.open(partial(self._engine.bank.passage, finding.passage_id), partial(marked_place, finding))
        elif finding.document_id:
            self.document_chosen.emit(finding.document_id)
        elif finding.authority:
            self.card_requested.emit(finding.authority, finding.text)
        else:
            index = self._tree.currentIndex()
            self._tree.setExpanded(index, not self._tree.isExpanded(index))


def marked_place(finding: Finding, found: PassageInContext) -> Place:
    """Return the passage with what the finding is about marked in it."""
    return replace(found_place(found), matches=marked(finding, found.passage))
