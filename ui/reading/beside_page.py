"""A list of passages beside the page: what the spaces for browsing have in common. Knows nothing of the list."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from PySide6.QtCore import QByteArray, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from briefbank.bank.port import EngineNotice, EngineState
from briefbank.errors import BankMissingError
from briefbank.values import PassageInContext
from ui.bottom_bar import COPIED, BottomBar
from ui.engine import EngineClient
from ui.plain import PlainLabel
from ui.reading.history import Place
from ui.reading.list_and_page import ListAndPage
from ui.reading.panel import PagePanel
from ui.shortcuts import IN_A_LIST, SPACES, bind, key
from ui.tasks import FutureWatcher
from ui.theme import font
from ui.wording import problem_text

_PAGE_AFTER_MS = 120
"""How long an entry stays selected before its page is asked for, so that going through the list asks for none."""
_SPLIT_PX = 600, 600
_NO_BANK = f"No briefs are indexed yet. The first page ({key('search', SPACES).sequences[0]}) shows how to begin."

Wanted = Callable[[], "Future[PassageInContext]"]
"""Asks the engine for the passage to show."""


class FilterField(QLineEdit):
    """A line of text above a list; Down and Return go there."""

    def __init__(self, below: QWidget, says: str) -> None:
        """Stand above `below`; `says` is what to type."""
        super().__init__()
        self._below = below
        self.setPlaceholderText(says)
        self.setAccessibleName(says)
        self.setFont(font(scale=1.15))
        self.setClearButtonEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Go down into the list, or take away what was typed."""
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._below.setFocus(Qt.FocusReason.OtherFocusReason)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class BesidePage(QWidget):
    """The list at the left, made by whoever inherits, and the page of what is selected in it."""

    beside_requested = Signal(object)
    """The Place of an entry that is to be shown beside the page."""

    def __init__(self, engine: EngineClient, bottom: BottomBar, name: str) -> None:
        """Make the page; `name` is that of the space, under which its widths are kept."""
        super().__init__()
        self.engine, self.bottom = engine, bottom
        self.page = PagePanel(engine)
        self._name = name
        self.status = PlainLabel("")
        """How much is listed, or why nothing is."""
        self.status.setProperty("tone", "muted")
        self.status.setWordWrap(True)
        self.status.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.empty = PlainLabel("")
        """Why nothing is listed, in the middle of the empty list."""
        self.empty.setProperty("tone", "muted")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.empty.hide()
        self._generation = ""
        self._is_stale = False
        self._wanted: Wanted | None = None
        self._asked: FutureWatcher | None = None
        self._timer = QTimer(self, singleShot=True, interval=_PAGE_AFTER_MS)
        self._timer.timeout.connect(self._ask)
        self.page.copied.connect(lambda _: bottom.tell(COPIED))
        self.page.told.connect(bottom.tell)
        self.page.passage_requested.connect(self._on_passage_requested)

    def arrange(self, left: QWidget, listing: QAbstractItemView, *, is_opening_beside: bool = True) -> None:
        """Put the side with the list beside the page, as wide as it was left. A key opens what is selected in `listing`
        beside the page, but where that key is another's.
        """
        self._listing = listing
        if is_opening_beside:
            bind(IN_A_LIST, {"beside": self._open_beside}, self, Qt.ShortcutContext.WidgetWithChildrenShortcut)
        QVBoxLayout(listing.viewport()).addWidget(self.empty)
        self.splitter = ListAndPage(left, self.page, _SPLIT_PX)
        kept = QSettings().value(f"{self._name}/splitter")
        if isinstance(kept, QByteArray):
            self.splitter.restoreState(kept)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.splitter)
        self.engine.noticed.connect(self._on_noticed)
        self._on_noticed(self.engine.notice)

    def take_focus_to_list(self) -> None:
        """Go to the list."""
        self._listing.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def load(self) -> None:
        """Ask for the list: when the space is first seen, and when another index went live. Whoever inherits does."""
        raise NotImplementedError

    def tell_load_failed(self, problem: Exception) -> None:
        """Say why nothing is listed; it is asked for again when the engine is back."""
        self._generation = ""
        self.status.setText(_NO_BANK if isinstance(problem, BankMissingError) else problem_text(problem))

    def tell_empty(self, why: str) -> None:
        """Say in the list why nothing is in it, and show no page beside it; "" where something is in it."""
        self.empty.setText(why)
        self.empty.setVisible(bool(why))
        if why:
            self.forget_page()

    def forget_page(self) -> None:
        """Show no page, nor one that is still on its way, until an entry is selected."""
        self._drop()
        self._wanted = None
        self.page.clear()

    def show_soon(self, wanted: Wanted) -> None:
        """Show a passage's page once its entry has been selected for a moment, and none that was asked for before."""
        self._drop()
        self._wanted = wanted
        self._timer.start()

    def open(self, wanted: Wanted) -> None:
        """Show a passage's page at once, and go there."""
        self._wanted = wanted
        self._ask()
        self.page.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def tell_failure(self, problem: Exception) -> None:
        """Say in the bottom line what failed."""
        self.bottom.tell_failure(problem_text(problem))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Ask for what changed while nobody looked."""
        super().showEvent(event)
        if self._is_stale:
            self._is_stale = False
            self.load()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Keep how the space was left, and nothing that was typed or read."""
        QSettings().setValue(f"{self._name}/splitter", self.splitter.saveState())
        super().hideEvent(event)

    def _ask(self) -> None:
        self._drop()
        if self._wanted:
            self._asked = self.engine.ask(self._wanted(), self.show_found, self.tell_failure, parent=self)

    def _drop(self) -> None:
        self._timer.stop()
        if self._asked:
            self._asked.cancel()

    def place_of(self, found: PassageInContext) -> Place:
        """Return what is shown of the passage that an entry stands for."""
        return Place(found.document, found.passage, cautions=found.cautions.get(found.passage.id, ()))

    def _open_beside(self) -> None:
        if wanted := self._wanted:
            self.engine.ask(
                wanted(), lambda found: self.beside_requested.emit(self.place_of(found)), self.tell_failure, parent=self
            )

    def show_found(self, found: PassageInContext) -> None:
        """Show the passage that an entry stands for."""
        self._show_passage(found)

    def _show_passage(self, found: PassageInContext) -> None:
        cautions = found.cautions.get(found.passage.id, ())
        self.page.show_passage(found.passage, found.document, cautions=cautions)

    def _on_passage_requested(self, passage_id: str) -> None:
        future = self.engine.bank.passage(passage_id)
        self._drop()
        self._asked = self.engine.ask(future, self._show_passage, self.tell_failure, parent=self)

    def _on_noticed(self, notice: EngineNotice) -> None:
        if notice.state is EngineState.READY and notice.generation != self._generation:
            self._generation = notice.generation
            self._is_stale = not self.isVisible()
            if self.isVisible():
                self.load()
        elif not self._generation:
            is_failed = notice.state is EngineState.FAILED
            self.status.setText(f"{notice.message} {notice.advice}" if is_failed else "Starting the search engine …")
