"""A list beside the page of what is selected in it: how they divide the room, and whose page is shown.

Knows neither what is listed nor how a page looks.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QByteArray, QEvent, QObject, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QLabel, QLineEdit, QSplitter, QVBoxLayout, QWidget

from briefbank.bank.port import EngineNotice, EngineState
from briefbank.errors import BankMissingError
from briefbank.values.reading import PassageInContext
from ui.bottom_bar import BottomBar
from ui.engine import EngineClient, FutureWatcher
from ui.plain import PlainLabel
from ui.reading.history import Place
from ui.reading.outline import NARROWEST_PX
from ui.reading.panel import PagePanel
from ui.shortcuts import IN_A_LIST, SPACES, bind, key
from ui.theme import UNIT_PX, font
from ui.wording import STARTING, problem_text

LIST_PX, PAGE_PX = 272, 448
"""The least width of either: results and notes wrap, a page has to be legible."""
_TWO_PAGES_PX = 1_220
"""The least width of two pages: a page of Letter at three quarters of its size, twice."""
NARROW_PAGE_PX = 360
"""The least width of a page while another brief stands beside it; the bars around it still wrap without a cut."""
_THREE_COLUMNS_PX = 1_600
"""Narrower, and headings beside the page would leave it under three quarters of its size: windows below 1,700 px."""
_WITH_OUTLINE_PX = NARROWEST_PX + NARROW_PAGE_PX
_PAGE_AFTER_MS = 120
"""How long an entry stays selected before its page is asked for, so that going through the list asks for none."""
_NO_BANK = f"No briefs are indexed yet. The first page ({key('search', SPACES).sequences[0]}) shows how to begin."

Wanted = Callable[[], "Future[PassageInContext]"]
"""Asks the engine for the passage to show."""


def found_place(found: PassageInContext) -> Place:
    """Return a passage as it is shown on its page."""
    return Place(found.document, found.passage, cautions=found.cautions.get(found.passage.id, ()))


def first_place(found: PassageInContext) -> Place:
    """Return the beginning of the document of a passage."""
    return replace(found_place(found), is_whole=True)


class ListAndPage(QSplitter):
    """The list at the left, which folds, and the page."""

    beside_requested = Signal(object)
    """The Place of an entry that is to be shown beside the page."""
    beside_emptied = Signal()
    """Nothing belongs beside the page now."""
    beside_left = Signal()
    """Nothing is going to be shown beside the page."""
    shown = Signal(object)
    """The PassageInContext of the entry selected whose page is shown now."""

    def __init__(
        self,
        engine: EngineClient,
        bottom: BottomBar,
        left: QWidget,
        listing: QAbstractItemView | None = None,
        *,
        name: str = "",
        sizes_px: tuple[int, int] = (600, 600),
        is_opening_beside: bool = True,
        on_failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """Divide the room in this way until somebody divides it otherwise; with a `name` that is remembered.

        A key opens what is selected in `listing` beside the page, but where that key is another's. `on_failed` hears
        why a page cannot be shown.
        """
        super().__init__(Qt.Orientation.Horizontal, childrenCollapsible=False, handleWidth=UNIT_PX)
        self._engine, self._listing, self._name = engine, listing, name
        self._left = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False, handleWidth=UNIT_PX)
        """The list and, in a window that is not wide, the headings of the brief below it."""
        self._left.addWidget(left)
        self._is_outline_left = False
        self._on_failed = on_failed or bottom.show_problem
        self.page = PagePanel(engine)
        self._own: QByteArray | None = None
        """How the room was divided before the list was folded or room given away; None where neither holds."""
        self._list_px = 0
        """How wide the list is while room is given away."""
        self._folded_for: set[str] = set()
        """What was opened beside the page that the list gave way to; empty where somebody folded it, or nobody did."""
        self._wanted: tuple[Wanted, Callable[[PassageInContext], Place]] | None = None
        self._asked: FutureWatcher | None = None
        self._do_soon: Callable[[], None] = self.forget_page
        self._timer = QTimer(self, singleShot=True, interval=_PAGE_AFTER_MS)
        self._timer.timeout.connect(self._on_rested)
        for each, narrowest in ((self._left, LIST_PX), (self.page, PAGE_PX)):
            each.setMinimumWidth(narrowest)
            self.addWidget(each)
        self._left.lower()  # a splitter names its last part first, to screen readers too
        self.setSizes(list(sizes_px))
        if isinstance(kept := QSettings().value(f"{name}/splitter") if name else None, QByteArray):
            self.restoreState(kept)
        self.empty = PlainLabel(tone="muted", wraps=True)
        """Why nothing is listed, in the middle of the empty list."""
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.empty.hide()
        if listing:
            QVBoxLayout(listing.viewport()).addWidget(self.empty)
        if listing and is_opening_beside:
            bind(IN_A_LIST, {"beside": self._open_beside}, self, Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.page.message.connect(bottom.show_message)
        self.page.passage_requested.connect(self.show_passage)
        self.page.two_pages_toggled.connect(lambda is_on: self._make_room("pages", _TWO_PAGES_PX, is_on=is_on))
        self.page.outline_toggled.connect(lambda is_on: self._make_room("outline", _WITH_OUTLINE_PX, is_on=is_on))

    @property
    def listing(self) -> QWidget:
        return self._listing or self._left

    def take_focus_to_list(self) -> None:
        if self._listing:
            self._listing.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def say_empty(self, why: str) -> None:
        """Say in the list why nothing is in it, and show no page beside it; "" where something is in it."""
        self.empty.setText(why)
        self.empty.setVisible(bool(why))
        if why:
            self.forget_page()

    def show_soon(self, wanted: Wanted, place: Callable[[PassageInContext], Place] = found_place) -> None:
        """Show a passage's page once its entry has been selected for a moment, and none that was asked for before."""
        self._wanted = wanted, place
        self.do_soon(self._ask)

    def do_soon(self, show: Callable[[], None]) -> None:
        """Show a page in a way of one's own, once its entry has been selected for a moment."""
        self.drop()
        self._do_soon = show
        self._timer.start()

    def show_beside(self, wanted: Wanted, place: Callable[[PassageInContext], Place] = found_place) -> None:
        """Show a passage beside the page at once."""
        self.drop()
        self._wanted = wanted, place
        self._asked = self._open_beside()

    def open(self, wanted: Wanted, place: Callable[[PassageInContext], Place] = found_place) -> None:
        """Show a passage's page at once, and go there."""
        self._wanted = wanted, place
        self._ask()
        self.page.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_passage(self, passage_id: str) -> None:
        """Show a passage that no entry stands for."""
        self.show_found(partial(self._engine.bank.passage, passage_id))

    def show_found(self, wanted: Wanted) -> None:
        """As `show_passage`, whatever the engine finds."""
        self.drop()
        self._asked = self._engine.ask(
            wanted(), lambda found: self.page.go_to(found_place(found)), self._on_failed, parent=self
        )

    def forget_page(self) -> None:
        """Show no page, nor one that is still on its way, until an entry is selected."""
        self.drop()
        self._wanted = None
        self._do_soon = self.forget_page  # what was to be done may hold words of what was selected
        self.page.clear()

    def drop(self) -> None:
        """Show no page that was asked for before: it would stand beside what was selected since."""
        self._timer.stop()
        if self._asked:
            self._asked.cancel()
        self._asked = None  # which may hold words of what was selected

    def _on_rested(self) -> None:
        self._do_soon()

    def _ask(self) -> None:
        self.drop()
        if self._wanted:
            wanted, place = self._wanted

            def show(found: PassageInContext) -> None:
                self.page.go_to(place(found))
                self.shown.emit(found)

            self._asked = self._engine.ask(wanted(), show, self._on_failed, parent=self)

    def _open_beside(self) -> FutureWatcher | None:
        if self._wanted is None:
            return None
        wanted, place = self._wanted

        def show(found: PassageInContext) -> None:
            self.beside_requested.emit(place(found))

        return self._engine.ask(wanted(), show, self._on_failed, parent=self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_outline()

    def _place_outline(self) -> None:
        """Have list and headings share the left column, unless there is room for three or the list is folded."""
        is_left = self.width() < _THREE_COLUMNS_PX and not self.is_folded
        if is_left != self._is_outline_left:
            self._is_outline_left = is_left
            self.page.place_outline(self._left if is_left else None)

    def hideEvent(self, event: QHideEvent) -> None:
        if self._name:
            QSettings().setValue(f"{self._name}/splitter", self.saveState())
        super().hideEvent(event)

    @property
    def is_folded(self) -> bool:
        return self._left.isHidden()

    def set_folded(self, *, is_folded: bool) -> None:
        """Fold the list away, or unfold it; the keyboard goes on from it to the page."""
        if is_folded == self.is_folded:
            return
        self._folded_for = set()
        self._keep_own()
        focused = self.window().focusWidget()
        if is_folded and focused and self._left.isAncestorOf(focused):
            self.page.view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._left.setHidden(is_folded)
        self._place_outline()
        self._divide()

    def give_room(self, list_px: int) -> None:
        """Make do with less, the list as wide as told: another brief stands beside this page."""
        self._keep_own()
        self._list_px = list_px
        self.page.setMinimumWidth(NARROW_PAGE_PX)
        self._divide()

    def take_room(self) -> None:
        self._list_px = 0
        self.page.setMinimumWidth(PAGE_PX)
        self._divide()

    def saveState(self) -> QByteArray:
        """Return how the room is divided while nothing is folded or given away."""
        return super().saveState() if self._own is None else self._own

    def _make_room(self, opened: str, needed_px: int, *, is_on: bool) -> None:
        """Fold the list away where what is opened would be too small to read beside it, and unfold it after all that
        it gave way to.
        """
        if opened == "outline" and self._is_outline_left:
            return
        if is_on and not self.is_folded and self.page.width() < needed_px:
            self.set_folded(is_folded=True)
            self._folded_for = {opened}
            self.refresh()  # now, so that what is opened knows how much room it has
        elif is_on and self._folded_for:
            self._folded_for.add(opened)
        elif opened in self._folded_for:
            self._folded_for.discard(opened)
            self.set_folded(is_folded=bool(self._folded_for))

    def _keep_own(self) -> None:
        if self._own is None:
            self._own = super().saveState()

    def _divide(self) -> None:
        if self.is_folded:
            return
        if self._list_px:
            self.setSizes([self._list_px, max(self.width() - self._list_px - self.handleWidth(), 1)])
        elif self._own is not None:
            self.restoreState(self._own)
            self._own = None


class LoadWhenSeen(QObject):
    """Has a space ask for its list when it is first seen, and again when another index went live."""

    def __init__(self, engine: EngineClient, space: QWidget, status: QLabel, load: Callable[[], None]) -> None:
        """Say in `status` why nothing can be listed yet."""
        super().__init__(space)
        self._space, self._status, self._load = space, status, load
        self._generation = ""
        self._is_stale = False
        space.installEventFilter(self)
        engine.noticed.connect(self._on_noticed)
        self._on_noticed(engine.notice)

    def fail(self, problem: Exception) -> None:
        """Say why nothing is listed; it is asked for again when the engine is back."""
        self._generation = ""
        self._status.setText(_NO_BANK if isinstance(problem, BankMissingError) else problem_text(problem))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ask for what changed while nobody looked."""
        if event.type() is QEvent.Type.Show and self._is_stale:
            self._is_stale = False
            self._load()
        return super().eventFilter(watched, event)

    def _on_noticed(self, notice: EngineNotice) -> None:
        if notice.state is EngineState.READY and notice.generation != self._generation:
            self._generation = notice.generation
            self._is_stale = not self._space.isVisible()
            if self._space.isVisible():
                self._load()
        elif not self._generation:
            is_failed = notice.state is EngineState.FAILED
            self._status.setText(f"{notice.message} {notice.advice}" if is_failed else STARTING)


class FilterField(QLineEdit):
    """A line of text above a list; Down and Return go there."""

    def __init__(self, below: QWidget, says: str, ask: Callable[[str], None] | None = None) -> None:
        """Stand above `below`; `says` is what to type. What is typed is asked for with Return where that can be."""
        super().__init__()
        self._below, self._ask = below, ask
        self.setPlaceholderText(says)
        self.setAccessibleName(says)
        self.setFont(font(scale=1.15))
        self.setClearButtonEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_return and self._ask and self.text().strip():
            self._ask(self.text().strip())
        elif is_return or event.key() == Qt.Key.Key_Down:
            self._below.setFocus(Qt.FocusReason.OtherFocusReason)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


def status_label() -> PlainLabel:
    """Return the line of a space that says how much is listed, or why nothing is."""
    made = PlainLabel(tone="muted", wraps=True)
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return made
