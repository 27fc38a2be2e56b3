"""The open space, and beside it a brief that stays while others are read there. Must not know any particular space."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QApplication, QSplitter, QWidget

from briefbank.values.reading import PassageInContext
from ui.bottom_bar import BottomBar
from ui.engine import EngineClient
from ui.plain import set_tool_tip
from ui.reading.history import Place
from ui.reading.list_and_page import LIST_PX, NARROW_PAGE_PX, ListAndPage, found_place
from ui.reading.panel import PagePanel
from ui.shortcuts import READING, key
from ui.theme import UNIT_PX

_LIST_SHARE, _WIDEST_LIST_PX = 0.22, 420
"""Of the room for three columns the list takes this share; the pages divide the rest. Chosen: at 1920 px the pages are
legible at 80 %, at 1366 px the list is as narrow as it gets."""
_ROOM_PX = LIST_PX + 2 * NARROW_PAGE_PX + 2 * UNIT_PX
"""With less the list is folded away while a brief stands beside."""
_NOTHING = "There is no brief to keep beside yet: choose one first."


class ReadingSpace(Protocol):
    """A space with a list and a page."""

    page: PagePanel
    splitter: ListAndPage


class SideBySide(QSplitter):
    """Divides the window between its spaces and the brief beside."""

    made = Signal(object)
    """The PagePanel of it, when it is made: when something is kept for the first time."""

    def __init__(self, engine: EngineClient, spaces: QWidget, bottom: BottomBar) -> None:
        super().__init__(Qt.Orientation.Horizontal, childrenCollapsible=False, handleWidth=UNIT_PX)
        self._engine, self._bottom = engine, bottom
        self._space: ReadingSpace | None = None
        self._given: list[ReadingSpace] = []
        """The spaces that make do with less."""
        self._folded: list[ReadingSpace] = []
        """The spaces whose list was folded for want of room, and not by somebody."""
        self.side: PagePanel | None = None
        self.addWidget(spaces)
        QApplication.instance().focusChanged.connect(self._on_focus_changed)  # type: ignore[union-attr]

    @property
    def is_open(self) -> bool:
        return self.side is not None and not self.side.isHidden()

    @property
    def has_keyboard(self) -> bool:
        focused = self.window().focusWidget()
        return self.side is not None and focused is not None and self.side.isAncestorOf(focused)

    def attend(self, space: ReadingSpace) -> None:
        self._space = space
        if self.is_open:
            self._give_room()
        self._update_keys()

    def toggle(self) -> None:
        """Keep beside what the open space shows, or close what is beside."""
        if self.is_open:
            self.close_side()
        elif self._space and (place := self._space.page.place):
            self.show_place(place)
        else:
            self._bottom.show_message(_NOTHING)
            self._update_keys()

    def show_place(self, place: Place) -> None:
        side = self.side or self._make()
        if not self.is_open:
            side.show()
            self._give_room()
        side.show_place(place)
        self._bottom.announce(f"Beside: {place.document.metadata.title.value}")
        self._update_keys()

    def empty_side(self) -> None:
        """Show nothing beside, and leave its room."""
        if self.side:
            self.side.clear()

    def close_side(self) -> None:
        """Show nothing beside any more; the keyboard goes on in the open space."""
        if not self.is_open or not self.side or not self._space:
            return
        if self.has_keyboard:
            self._space.page.view.setFocus(Qt.FocusReason.OtherFocusReason)
        self.side.hide()
        self.side.clear()
        self.refresh()  # now, so that the spaces have all the room that they are to divide
        for space in self._given:
            self._unfold(space)
            space.splitter.take_room()
        self._given = []
        self._update_keys()

    def unfold_list(self) -> None:
        """Unfold the list where it is folded; where there is no room for it, close the brief beside."""
        if not self._space or not self._space.splitter.is_folded:
            return
        if self.is_open and self.width() < _ROOM_PX:
            self.close_side()
        self._space.splitter.set_folded(is_folded=False)
        if self.is_open:
            self._give_room()

    def take_focus_to_page(self) -> None:
        """Go to the page; from there to the brief beside."""
        if not self._space:
            return
        is_there = self._space.page.isAncestorOf(self.window().focusWidget() or self)
        panel = self.side if self.side and self.is_open and is_there else self._space.page
        panel.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def toggle_list(self) -> None:
        if not self._space:
            return
        if self._space.splitter.is_folded:
            self.unfold_list()
        else:
            self._space.splitter.set_folded(is_folded=True)
            if self.is_open:
                self._give_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold the list away where there is not enough room for three columns, and unfold it where there is again."""
        super().resizeEvent(event)
        if self.is_open and (self.width() < _ROOM_PX) != (self._space in self._folded):
            self._give_room()

    def _make(self) -> PagePanel:
        self.side = side = PagePanel(self._engine)
        side.setObjectName("side")
        side.setAccessibleName("The brief beside")
        side.setMinimumWidth(NARROW_PAGE_PX)
        side.beside.setIcon(QIcon())
        side.beside.setText("×")
        side.beside.setProperty("tone", "sign")
        side.beside.setCheckable(False)
        side.beside.setAccessibleName("Close the brief beside")
        set_tool_tip(side.beside, f"Close the brief beside ({key('beside', READING).sequences[0]})")
        side.message.connect(self._bottom.show_message)
        side.passage_requested.connect(self._go_to_passage)
        side.beside_toggled.connect(self.close_side)
        side.hide()
        self.addWidget(side)
        self.made.emit(side)
        return side

    def _go_to_passage(self, passage_id: str) -> None:
        def show(found: PassageInContext) -> None:
            if self.side:
                self.side.go_to(found_place(found))

        self._engine.ask(self._engine.bank.passage(passage_id), show, self._bottom.show_problem, parent=self.side)

    def _give_room(self) -> None:
        """Divide the room between the list, the page and the brief beside."""
        space = self._space
        if not space:
            return
        if space not in self._given:
            self._given.append(space)
        room = self.width() - 2 * UNIT_PX
        self._unfold(space)
        if self.width() < _ROOM_PX and not space.splitter.is_folded:
            self._folded.append(space)
            space.splitter.set_folded(is_folded=True)
        wanted = min(max(round(_LIST_SHARE * room), LIST_PX), _WIDEST_LIST_PX)
        list_px = 0 if space.splitter.is_folded else wanted
        side_px = (room - list_px) // 2
        self.setSizes([self.width() - side_px - UNIT_PX, side_px])
        space.splitter.give_room(wanted)

    def _unfold(self, space: ReadingSpace) -> None:
        """Unfold the list of a space, unless somebody folded it."""
        if space in self._folded:
            self._folded.remove(space)
            space.splitter.set_folded(is_folded=False)

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now and now.window() is self.window():
            self._update_keys()

    def _update_keys(self) -> None:
        """Give the keys for reading to the brief that the keyboard is in, else to that of the open space."""
        if not self._space:
            return
        is_beside = self.is_open and self.has_keyboard
        self._space.page.set_reading_keys(is_on=not is_beside)
        self._space.page.beside.setChecked(self.is_open)
        if self.side:
            self.side.set_reading_keys(is_on=is_beside)
