"""Adding to the current matter with one key, from the results and from a page; the first time it asks for a name.

What is added are passages and words of pages, with their document: nothing else can be handed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog, QWidget

from briefbank.matters.items import PassageItem, excerpt_item, passage_item
from briefbank.matters.state import Matter
from briefbank.records import Span
from ui.collected import Collected
from ui.engine import EngineClient
from ui.matter_keeper import MatterKeeper


class MatterCollecting(QObject):
    """Takes what was collected into the current matter."""

    def __init__(self, engine: EngineClient, keeper: MatterKeeper, window: QWidget) -> None:
        """Ask for names over `window`."""
        super().__init__(window)
        self._engine, self._keeper, self._window = engine, keeper, window

    def collect(self, collected: Collected) -> None:
        """Add it to the current matter; a passage with its italics, unless its pages do not tell."""
        matter = self._keeper.current or self._made()
        if matter is None:
            return
        if collected.words:
            words, cautions = collected.words, collected.cautions
            item = excerpt_item(words, collected.passage, collected.document, pages=collected.pages, cautions=cautions)
            self._keeper.add(matter, item)
            return
        keep = partial(self._keep, matter, collected)
        future = self._engine.bank.italics(collected.passage.id)
        self._engine.ask(future, keep, lambda _problem: keep(None), parent=self)

    def _keep(self, matter: Matter, collected: Collected, italics: Sequence[Span] | None) -> None:
        self._keeper.add(matter, _whole(collected, italics))

    def _made(self) -> Matter | None:
        """Ask for a name; where a matter is open already, it is taken."""
        if self._keeper.open_matters:
            self._keeper.set_current(self._keeper.open_matters[0].id)
            return self._keeper.current
        name, is_given = QInputDialog.getText(self._window, "New matter", "What is this matter called?")
        if not is_given or not name.strip():
            return None
        self._keeper.make(name)
        return self._keeper.current


def _whole(collected: Collected, italics: Sequence[Span] | None) -> PassageItem:
    """The passage with its italics, without these where the index was renewed since and they are not of its text."""
    passage, document, cautions = collected.passage, collected.document, collected.cautions
    if italics and italics[-1].end > len(passage.text):
        italics = None
    return passage_item(passage, document, italics=italics, cautions=cautions)
