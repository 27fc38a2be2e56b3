"""Adding to the current matter with one key, from the results and from a page; the first time it asks for a name.

What is added are passages and words of pages, with their document: nothing else can be handed over.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from briefbank.matters.items import PassageItem, excerpt_item, passage_item
from briefbank.matters.state import Matter
from briefbank.values.cautions import cautions_of_hit
from briefbank.values.pages import Typography
from briefbank.values.records import Document, Hit, Passage
from ui.dialogs.asking import ask_name
from ui.engine import EngineClient
from ui.matters.keeper import MatterKeeper
from ui.undo import shortened
from ui.wording import lowered, raised


@dataclass(frozen=True, slots=True)
class Collected:
    """A passage; or an `excerpt` selected on pages of its document, the first and last of which are `pages`, and how it
    is `printed` there.
    """

    passage: Passage
    document: Document
    cautions: tuple[str, ...] = ()
    excerpt: str = ""
    pages: tuple[int, int] = (0, 0)
    printed: Typography = field(default_factory=Typography)


def collected_hit(hit: Hit) -> Collected:
    """Return the passage of a result."""
    return Collected(hit.passage, hit.document, cautions_of_hit(hit))


_NAME = "Name a new matter to collect this passage and others in, for example after the case:"


@dataclass(slots=True, eq=False)
class _Awaited:
    """What is added to a matter once it is known how it is printed, and all that was collected before it."""

    matter: Matter
    collected: Collected
    typography: Typography = field(default_factory=Typography)
    is_known: bool = False


class MatterCollecting(QObject):
    """Takes what was collected into the current matter, the same passage once."""

    held = Signal(str)
    """In words, that the matter holds the passage already."""

    def __init__(self, engine: EngineClient, keeper: MatterKeeper, window: QWidget) -> None:
        """Ask for names over `window`."""
        super().__init__(window)
        self._engine, self._keeper, self._window = engine, keeper, window
        self._awaited: list[_Awaited] = []

    def collect(self, collected: Collected) -> None:
        """Add it to the current matter, one whose name is asked for where there is none."""
        if matter := self._keeper.current or self._taken():
            self._collect(matter, collected)
        else:
            make = partial(self._make, collected)
            ask_name(self._window, "New matter", _NAME, make)

    def _make(self, collected: Collected, name: str) -> None:
        self._keeper.make(name)
        if matter := self._keeper.current:
            self._collect(matter, collected)

    def _collect(self, matter: Matter, collected: Collected) -> None:
        """Add it; a passage as it is printed, unless its pages do not tell."""
        awaited = _Awaited(matter, collected)
        self._awaited.append(awaited)
        if collected.excerpt:
            self._on_known(awaited, collected.printed)
            return
        known = partial(self._on_known, awaited)
        future = self._engine.bank.typography(collected.passage.id, collected.passage.text)
        self._engine.ask(future, known, lambda _problem: known(Typography()), parent=self)

    def finish(self) -> None:
        """Keep now what waits for how it is printed, without that: before something is undone or the window closes."""
        for each in tuple(self._awaited):
            self._on_known(each, each.typography)

    def _on_known(self, awaited: _Awaited, typography: Typography) -> None:
        """Keep what is complete, in the order in which it was collected."""
        awaited.typography, awaited.is_known = typography, True
        while self._awaited and self._awaited[0].is_known:
            first = self._awaited.pop(0)
            self._keep(first.matter.id, _item(first))

    def _keep(self, matter_id: str, item: PassageItem) -> None:
        """Add it, unless its matter holds the same words of the same pages by now."""
        matter = next(each for each in self._keeper.matters if each.id == matter_id)
        same = item.document_id, item.pages, lowered(item.text)
        if any((each.document_id, each.pages, lowered(each.text)) == same for each in matter.passages):
            self.held.emit(f"Already in {shortened(matter.name)}: {shortened(item.title)}")
        else:
            self._keeper.add(matter, item)

    def _taken(self) -> Matter | None:
        """Take a matter that is open already; None where there is none."""
        if self._keeper.open_matters:
            self._keeper.set_current(self._keeper.open_matters[0].id)
        return self._keeper.current


def _item(awaited: _Awaited) -> PassageItem:
    """The words that were selected, or the passage as it is printed where that is known."""
    collected = awaited.collected
    passage, document, cautions = collected.passage, collected.document, collected.cautions
    known = awaited.typography
    if collected.excerpt:
        words, pages = collected.excerpt, collected.pages
        return excerpt_item(words, passage, document, pages=pages, printed=known, cautions=cautions)
    printed = replace(passage, text=raised(passage.text, known.raised))
    return passage_item(printed, document, printed=known, cautions=cautions)
