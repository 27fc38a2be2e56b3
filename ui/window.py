"""The window: a rail of spaces, the space that is open, and the line that says what holds and what was done.

Knows each space by a name, a title and how it is made; what happens in one is its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from briefbank.bank.port import EngineNotice, EngineState
from briefbank.platform.visible import visible_name
from briefbank.values.reading import Facets
from briefbank.values.summaries import SummarySource
from briefbank.values.unreadable import UnreadableFiles
from ui import placement
from ui.arguments.space import ArgumentsSpace
from ui.authorities.space import AuthoritySpace
from ui.bottom_bar import BottomBar
from ui.briefs.space import BriefsSpace
from ui.checklists.space import ChecklistSpace
from ui.dialogs.asking import may_lose_unsaved
from ui.draft.space import DraftSpace
from ui.engine import EngineClient
from ui.findings.checking import Checking
from ui.flow import column_of, row_of
from ui.index_run import IndexRun, progress_line
from ui.matters.collecting import MatterCollecting, collected_hit
from ui.matters.keeper import MatterKeeper
from ui.matters.space import MattersSpace
from ui.rail import Rail, WindowMenu
from ui.reading.panel import PagePanel
from ui.reading.side_by_side import SideBySide
from ui.reading.summary import SummaryPanel
from ui.recorder import Recorder
from ui.search.space import SearchSpace
from ui.shortcuts import (
    ANYWHERE,
    GROUPS,
    IN_A_SEARCH,
    OF_SPACES,
    ON_THE_PAGE,
    READING,
    SPACES,
    bind,
)
from ui.theme import UNIT_PX
from ui.undo import NOTHING_TO_REDO, UndoHistory, nothing_to_undo
from ui.wording import STARTING, count, made

_SIZE = QSize(1280, 800)
_SMALLEST_PX = 832, 440
"""Fits a screen of 1280 by 720 at 150 %."""
_PLACES = placement.MAIN, "second-window"
"""The names under which it is kept where windows were left: the first and the second, more are rare."""
_HOME = "home", "Home"
_RESTARTING = "Restarting the search engine; what you ask is kept …"
AnySpace = SearchSpace | BriefsSpace | ArgumentsSpace | MattersSpace | DraftSpace | AuthoritySpace | ChecklistSpace


class Space(NamedTuple):
    """A space beside the search: its name (of its icon and its key), what the rail calls it, and how it is made."""

    name: str
    title: str
    make: Callable[[], AnySpace]


class MainWindow(QMainWindow):
    """One bank, one space open at a time; each is made when it is first opened, and kept."""

    window_requested = Signal()
    """Somebody wants another window."""
    quit_requested = Signal()
    closed = Signal(object)
    """This window, once it is closed."""

    def __init__(
        self,
        engine: EngineClient,
        recorder: Recorder,
        summaries: SummarySource,
        matters: MatterKeeper,
        index_run: IndexRun,
        number: int = 1,
    ) -> None:
        """Lay out the window with the search open; the engine may still be starting. `number` counts the windows that
        are open: where the first and the second were left is remembered.
        """
        super().__init__()
        self._engine = engine
        self.index_run = index_run
        self.number = number
        self.is_last = True
        """Whether the program ends with this window, so that what is not written yet would be lost."""
        self.menu = WindowMenu(engine, summaries, recorder, self.index_run, self)
        self.bottom = BottomBar()
        self.search_space = SearchSpace(engine, recorder, summaries, matters, self.index_run, self.bottom)
        self._recorder, self._matters = recorder, matters
        self._collecting = MatterCollecting(engine, matters, self)
        self._history = UndoHistory()
        self._spaces = {each.name: each for each in self._all_spaces()}
        self._made: dict[str, AnySpace] = {"search": self.search_space}
        self._stack = QStackedWidget()
        self._stack.addWidget(self.search_space)
        self.beside = SideBySide(engine, self._stack, self.bottom)
        self.rail = Rail([_HOME, *((each.name, each.title) for each in self._spaces.values())], self.menu)
        self._lay_out()
        self._connect()
        self._bind_keys()
        self.is_placed = placement.restore(self, _SIZE, self.search_space.splitter, name=self._place_name)
        """Whether it stands where it was left."""
        self.open_space("search")
        self._on_noticed(engine.notice)

    def open_space(self, name: str) -> QWidget:
        """Open a space and put the focus where its work begins; return it."""
        space = self._made.get(name)
        if space is None:
            space = self._made[name] = self._spaces[name].make()
            self._stack.addWidget(space)
            self._connect_space(space)
            if isinstance(space, DraftSpace | AuthoritySpace | ChecklistSpace):
                space.findings.card_requested.connect(self.open_card)
                space.findings.add_requested.connect(self._collecting.collect)
        if focused := self.focusWidget():
            focused.clearFocus()  # else it goes to whatever comes next on its way, and a screen reader says that
        self._stack.setCurrentWidget(space)
        self.beside.attend(space)
        self._show_where(name)
        for each in self._search_keys:
            each.setEnabled(space is self.search_space)
        if space is self.search_space:
            self.search_space.leave_home()
        space.setFocus()
        return space

    def open_card(self, authority: str, name: str = "") -> None:
        """Show the card of an authority, named by its words or by a key of the bank; `name` is how people write it."""
        space = self.open_space("authorities")
        if isinstance(space, AuthoritySpace):
            space.ask(authority, name)

    def open_checklist(self, document_id: str) -> None:
        space = self.open_space("checklists")
        if isinstance(space, ChecklistSpace):
            space.go_through(document_id)

    def _all_spaces(self) -> tuple[Space, ...]:
        return (
            Space("search", "Search", lambda: self.search_space),
            Space("briefs", "Briefs", lambda: BriefsSpace(self._engine, self.bottom)),
            Space("arguments", "Arguments", lambda: ArgumentsSpace(self._engine, self.bottom)),
            Space("matters", "Matters", lambda: MattersSpace(self._engine, self.bottom, self._matters)),
            Space("draft", "Draft", lambda: DraftSpace(self._engine, self.bottom, self._matters, self._recorder.path)),
            Space("authorities", "Authorities", lambda: AuthoritySpace(self._engine, self.bottom)),
            Space("checklists", "Checklists", lambda: ChecklistSpace(self._engine, self.bottom)),
        )

    def _lay_out(self) -> None:
        which = f" ({self.number})" if self.number > 1 else ""
        self.setWindowTitle(f"{visible_name(self._engine.bank_root.name)} – BriefBank{which}")
        whole = QWidget()
        column = column_of((self.beside, 1), self.bottom, spacing_px=6, margins_px=(0, UNIT_PX, 0, 0))
        row_of(self.rail, (column, 1), within=whole, margins_px=(0, 0, UNIT_PX + 2, 6))
        self.setCentralWidget(whole)
        self.setMinimumSize(*_SMALLEST_PX)

    def _bind_keys(self) -> None:
        anywhere: dict[str, Callable[[], object]] = {
            "search": self._go_to_search,
            "list": self._go_to_list,
            "page": self.beside.take_focus_to_page,
            "next-pane": lambda: self._go_to_pane(1),
            "pane-before": lambda: self._go_to_pane(-1),
            "home": self.go_home,
            "keys": self._show_keys,
            "fold": self.beside.toggle_list,
            "index": self.menu.show_index,
            "unreadable": self.menu.show_unreadable,
            "settings": self.menu.show_settings,
            "help": self.menu.show_help,
            "new-window": self.window_requested.emit,
            "close": self.close,
            "quit": self.quit_requested.emit,
        }
        bind(ANYWHERE, anywhere, self)
        bind(IN_A_SEARCH, {"undo": self._undo, "redo": self._redo}, self)
        bind(SPACES, {each.name: partial(self.open_space, each.name) for each in SPACES}, self)
        self._search_keys = bind(IN_A_SEARCH, self.search_space.commands, self)

    def _undo(self) -> None:
        """Take back what was done last: in a search of judgements and matters, elsewhere of matters alone."""
        if not self._is_awaited:
            self._collecting.finish()
            if not self._history.undo(is_in_a_search=self._is_in_a_search):
                self.bottom.show_message(nothing_to_undo(is_in_a_search=self._is_in_a_search))

    def _redo(self) -> None:
        """Do again what was undone last, of what `_undo` takes back."""
        if not self._is_awaited:
            self._collecting.finish()
            if not self._history.redo(is_in_a_search=self._is_in_a_search):
                self.bottom.show_message(NOTHING_TO_REDO)

    @property
    def _open_space(self) -> AnySpace:
        return self._made.get(self.rail.current, self.search_space)

    @property
    def _is_in_a_search(self) -> bool:
        return self._stack.currentWidget() is self.search_space

    @property
    def _is_awaited(self) -> bool:
        """Whether other results are awaited in place of those shown, of which nothing may be recorded now."""
        return self._is_in_a_search and self.search_space.search.is_replacing

    def _go_to_search(self) -> None:
        self.open_space("search")
        self.search_space.take_focus()

    def _go_to_list(self) -> None:
        self.beside.unfold_list()
        if self._is_in_a_search:
            self.search_space.pane.take_focus()
        else:
            self._made[self.rail.current].splitter.take_focus_to_list()

    def go_home(self) -> None:
        """Show what a search begins with: earlier searches, matters, newest briefs."""
        self.open_space("search")
        self.search_space.go_home()
        self._show_where(_HOME[0])

    def _show_where(self, name: str) -> None:
        """Show in the rail where one is, and ask what a search was worth only where its results are."""
        self.rail.set_current(name)
        self.bottom.set_comment_shown(is_shown=name == "search")

    def _leave_home(self) -> None:
        """Results take the place of Home where somebody searches there, or an answer comes late."""
        if self._is_in_a_search:
            self._show_where("search")

    def _go_to_pane(self, step: int) -> None:
        """Go to the part of the window behind the one where the keyboard is, or before it: those that are shown."""
        space = self._open_space
        side, focused = self.beside.side if self.beside.is_open else None, self.focusWidget()
        listing = self.search_space.pane if space is self.search_space else space.splitter.listing
        panes: list[tuple[QWidget | None, Callable[[], object]]] = [
            (self.rail, lambda: self.rail.buttons[self.rail.current].setFocus(Qt.FocusReason.ShortcutFocusReason)),
            (None, lambda: space.setFocus(Qt.FocusReason.ShortcutFocusReason)),
            (listing, self._go_to_list),
            (space.page, lambda: space.page.view.setFocus(Qt.FocusReason.ShortcutFocusReason)),
        ]
        if side:
            panes.append((side, lambda: side.view.setFocus(Qt.FocusReason.ShortcutFocusReason)))
        shown = [(part, go) for part, go in panes if _is_there(part or space)]
        held = (at for at, (part, _) in enumerate(shown) if part and focused and _holds(part, focused))
        at = next(held, next(at for at, (part, _) in enumerate(shown) if part is None))
        shown[(at + step) % len(shown)][1]()

    def _show_keys(self) -> None:
        """Show the keys of the page or the space where the keyboard is, and those that work anywhere."""
        focused = self.focusWidget()
        is_on_page = focused is not None and _holds(self._open_space.page, focused)
        here = (*((ON_THE_PAGE,) if is_on_page else OF_SPACES[self.rail.current]), READING)
        groups = [(title, group) for group in (*here, SPACES, ANYWHERE) for title, each in GROUPS if each is group]
        self.menu.open_keys(groups[0][0], groups)

    def _connect_space(self, space: AnySpace) -> None:
        self._connect_page(space.page)
        space.page.beside_toggled.connect(self.beside.toggle)
        space.splitter.beside_requested.connect(self.beside.show_place)
        space.splitter.beside_emptied.connect(self.beside.empty_side)
        space.splitter.beside_left.connect(self.beside.close_side)

    def _connect_page(self, page: PagePanel) -> None:
        def name_matter() -> None:
            page.passage_bar.name_matter(self._matters.current.name if self._matters.current else "")

        self._matters.changed.connect(name_matter)
        name_matter()
        page.add_requested.connect(self._collecting.collect)
        page.cited.card_requested.connect(self.open_card)
        page.checklist_requested.connect(self.open_checklist)

    def _connect(self) -> None:
        self.rail.chosen.connect(lambda name: self.go_home() if name == _HOME[0] else self.open_space(name))
        self.menu.keys_requested.connect(self._show_keys)
        self.search_space.index_requested.connect(self.menu.show_index)
        self.search_space.facets_counted.connect(self._on_facets_counted)
        self.search_space.card_requested.connect(self.open_card)
        self.search_space.search.sent.connect(self._leave_home)
        self.search_space.search.answered.connect(self._leave_home)
        self.menu.undo_requested.connect(self._undo)
        self.menu.window_requested.connect(self.window_requested)
        self.menu.quit_requested.connect(self.quit_requested)
        self.menu.redo_requested.connect(self._redo)
        self.menu.card_requested.connect(self.open_card)
        self.menu.order_chosen.connect(self.search_space.search.set_order)
        self.search_space.pane.list.add_requested.connect(lambda hit: self._collecting.collect(collected_hit(hit)))
        self._connect_space(self.search_space)
        self.beside.made.connect(self._connect_page)
        self._collecting.held.connect(self.bottom.show_failure)
        self.search_space.feedback.acted.connect(self._history.note)
        self.search_space.matter_requested.connect(self._open_matter)
        self._matters.acted.connect(self._history.note)
        self._matters.confirmed.connect(self.bottom.show_message)
        self._matters.failed.connect(
            lambda each: self.bottom.show_failure(f"Not kept yet: {each.message} {each.advice}")
        )
        self.bottom.state_clicked.connect(self.menu.show_index)
        self.bottom.unreadable_clicked.connect(self.menu.show_unreadable)
        self.index_run.changed.connect(self._on_index_run_changed)
        self._engine.noticed.connect(self._on_noticed)

    def _open_matter(self, matter_id: str) -> None:
        self._matters.set_current(matter_id)
        self.open_space("matters")

    def _on_noticed(self, notice: EngineNotice) -> None:
        if notice.state is EngineState.READY and notice.message:
            self.bottom.show_message(f"{notice.message} {notice.advice}")
        elif notice.state is EngineState.FAILED:
            self.bottom.set_state(self._failure(notice))
        elif notice.state is EngineState.STARTING:
            self.bottom.set_state(STARTING)
        elif notice.state is EngineState.RESTARTING:
            self.bottom.set_state(_RESTARTING)

    def _failure(self, notice: EngineNotice) -> str:
        if not notice.is_missing:
            return "The search engine is not running"
        return "The index is gone" if self.search_space.generation else "No index yet"

    def _on_facets_counted(self, facets: Facets) -> None:
        asked = self._engine.bank.unreadable()
        self._engine.ask(asked, self._on_unreadable_counted, self.bottom.forget_unreadable, parent=self)
        indexed = made(self.search_space.generation)
        parts = [self._engine.bank_root.name, count(facets.documents, "brief")]
        self.bottom.set_state(" · ".join([*parts, *([f"indexed {indexed}"] if indexed else [])]))

    def _on_unreadable_counted(self, unreadable: UnreadableFiles | None) -> None:
        self.bottom.set_unreadable(unreadable)
        self.search_space.set_unreadable(unreadable)

    def _on_index_run_changed(self) -> None:
        self.bottom.set_progress(progress_line(self.index_run.progress) if self.index_run.is_running else "")

    def finish(self) -> None:
        self._collecting.finish()
        self.search_space.feedback.finish()

    def may_end(self) -> bool:
        """Finish what is being said and collected; where it cannot be written, ask whether to end without it."""
        self._collecting.finish()
        store = self._matters.store
        return self.search_space.feedback.may_end() and may_lose_unsaved(self, store.flush(), store.problem, "Matters")

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember where the window stood, and nothing that was asked or shown; stay where feedback would be lost."""
        draft = self._made.get("draft")
        is_kept = isinstance(draft, DraftSpace) and not draft.may_lose_decisions()
        if is_kept or (self.is_last and not self.may_end()):
            event.ignore()
            return
        self.finish()
        for summary in self.search_space.findChildren(SummaryPanel):
            summary.collapse()  # nobody would read what is still being written
        for checking in self.findChildren(Checking):
            checking.close_requested.emit()
        if self.number <= len(_PLACES):
            placement.keep(self, self.search_space.splitter, name=self._place_name)
        super().closeEvent(event)
        self.closed.emit(self)

    @property
    def _place_name(self) -> str:
        return _PLACES[min(self.number, len(_PLACES)) - 1]


def _is_there(part: QWidget) -> bool:
    """Whether a part of the window can hold the keyboard: a panel without a page cannot."""
    return part.view.isVisible() if isinstance(part, PagePanel) else part.isVisible()


def _holds(part: QWidget, focused: QWidget) -> bool:
    return part is focused or part.isAncestorOf(focused)
