"""The space in which a brief gets written: the matters at the left, what is in one, the page of the passage selected.

Everything is kept as it is done; the last step is taken back by the key that undoes.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from briefbank.errors import BriefBankError
from briefbank.matters.checked import Checks
from briefbank.matters.events import Event
from briefbank.matters.items import HeadingItem, Item, NoteItem, PassageItem
from briefbank.matters.state import Entry, Matter
from briefbank.platform.visible import visible_name
from briefbank.values.reading import PassageInContext
from ui.bottom_bar import BottomBar
from ui.dialogs.asking import ask_name, ask_where
from ui.engine import EngineClient, FutureWatcher
from ui.flow import FlowLayout, column_of, row_of
from ui.matters.items import MatterItems
from ui.matters.keeper import MatterKeeper
from ui.matters.looked_up import PassageChecks
from ui.plain import ElidedLabel, button_text, quiet_button, set_tool_tip
from ui.reading.list_and_page import LIST_PX, ListAndPage, LoadWhenSeen, status_label
from ui.shortcuts import IN_A_MATTER, key
from ui.theme import UNIT_PX, font
from ui.wording import count, lowered

T = TypeVar("T")

_KIND = "Matters (*.json)"
_MOST_ARCHIVED = 30
"""More would leave the screen; the command line lists all."""


class MatterMenu(QMenu):
    """The menu of the matters at the left."""

    done = Signal(str)
    """In words, what was done."""
    failed = Signal(object)

    def __init__(self, keeper: MatterKeeper, checks: PassageChecks, parent: QWidget) -> None:
        super().__init__("Matters", parent)
        self._keeper, self._checks, self._owner = keeper, checks, parent
        self._task: FutureWatcher | None = None
        self.save = self.addAction("&Save as a file …", self._on_save)
        self.bring_in = self.addAction("&Bring in from a file …", self._on_bring_in)
        self.addSeparator()
        self.archived = self.addMenu("A&rchived")
        self.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        self.save.setEnabled(self._keeper.current is not None)
        self.archived.clear()
        matters = [each for each in reversed(self._keeper.matters) if each.is_archived]
        for matter in matters[:_MOST_ARCHIVED]:
            name = visible_name(matter.name).replace("&", "&&")
            self.archived.addAction(name, partial(self._keeper.take_out, matter))
        self.archived.setEnabled(bool(matters))

    def _on_save(self) -> None:
        if matter := self._keeper.current:
            place = ask_where(self._owner, "Save the matter as a file", matter.name, ".json", _KIND)
            if place:
                self._checks.ask(matter, partial(self._save, matter, *place))

    def _save(self, matter: Matter, out: Path, may_replace: bool) -> None:  # noqa: FBT001 - as it was answered
        save = partial(_save, matter, out, self._checks.of_matter(matter), may_replace=may_replace)
        self._run(save, lambda _: self.done.emit(f"Saved: {visible_name(out)}"))

    def _on_bring_in(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self._owner, "Bring in a matter", "", _KIND)
        if chosen:
            self._run(partial(_read, Path(chosen)), self._keeper.bring_in)

    def _run(self, work: Callable[[], T], on_done: Callable[[T], None]) -> None:
        thread = ThreadPoolExecutor(1, "matter file")
        future = thread.submit(work)
        thread.shutdown(wait=False)
        self._task = FutureWatcher(future, on_done, self.failed.emit, self)


def _save(matter: Matter, out: Path, checks: Checks, *, may_replace: bool) -> None:
    from briefbank.matters.exchange import write_matter

    write_matter(matter, out, checks, may_replace=may_replace)


def _read(path: Path) -> list[Event]:
    from briefbank.matters.exchange import read_matter

    return read_matter(path)[1]


_NAMES_PX = 150
"""Given to a menu in a narrow window: at 832 px the names lay over the matter, and buttons showed two letters."""


class MatterSide(QWidget):
    """Two columns, or one: `names` and the buttons below it, and the column of what is in the matter."""

    def __init__(self, names: QListWidget, buttons: tuple[QPushButton, ...], title: ElidedLabel) -> None:
        """Lay out the names at the left; `column`, to which whoever makes it adds, begins with the title."""
        super().__init__()
        self._names, self._buttons, self._title = names, buttons, title
        self._left = QWidget()
        self._left.setFixedWidth(_NAMES_PX)
        column_of((names, 1), *buttons, within=self._left, spacing_px=6)
        self.chooser = quiet_button("Matters ▾", name="Matters: open another, make, rename or archive one")
        self.chooser.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.chooser.setMenu(QMenu(self.chooser))
        self.chooser.menu().aboutToShow.connect(self._fill)
        self.chooser.hide()
        title.setFont(font(scale=1.2, is_bold=True))
        self.column = column_of(row_of((title, 1), self.chooser))
        row_of(self._left, (self.column, 1), within=self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the names give way where what is in the matter would be narrower than a list may be."""
        super().resizeEvent(event)
        is_narrow = self.width() < _NAMES_PX + UNIT_PX + LIST_PX
        if is_narrow == self._left.isHidden():
            return
        focused = self.window().focusWidget()
        gone = self._left if is_narrow else self.chooser
        is_inside = focused is not None and (focused is gone or gone.isAncestorOf(focused))
        self._left.setHidden(is_narrow)
        self.chooser.setVisible(is_narrow)
        if is_inside:
            (self.chooser if is_narrow else self._names).setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill(self) -> None:
        menu = self.chooser.menu()
        menu.clear()
        for row in range(self._names.count()):
            name = menu.addAction(button_text(self._names.item(row).text()), partial(self._names.setCurrentRow, row))
            name.setCheckable(True)
            name.setChecked(row == self._names.currentRow())
        menu.addSeparator()
        for button in self._buttons:
            if own := button.menu():
                entry: QAction = menu.addMenu(own)
                entry.setText(button.text())
            else:
                menu.addAction(button.text(), button.click).setEnabled(button.isEnabled())


_KEPT = "Everything is kept as you do it"
_FIRST = (
    "A matter collects what you write from.\nPress A on a result or on a page, and name it; or make one here with New."
)
_NOTHING = "Nothing is collected here yet.\nPress A on a result or on a page, or add a note."
_NAME = "A name for the matter, for example that of the case:"
_ID_ROLE = Qt.ItemDataRole.UserRole
_GONE = "The index does not hold this passage any more. Its words and its source are kept here."
_OTHER = "The index was renewed since: what is outlined is not the passage that was kept. Its words are kept here."


class MattersSpace(QWidget):
    """Matters, one of them open."""

    def __init__(self, engine: EngineClient, bottom: BottomBar, keeper: MatterKeeper) -> None:
        super().__init__()
        self._engine, self._bottom, self._keeper = engine, bottom, keeper
        self.status = status_label()
        self._wanted_entry: Entry | None = None
        self.names = QListWidget()
        self.names.setObjectName("matters")
        self.names.setAccessibleName("Matters")
        self.names.setWordWrap(True)
        self.names.setResizeMode(QListWidget.ResizeMode.Adjust)  # else rows stay as wide as the list was at first
        self.names.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.checks = PassageChecks(engine, self)
        self.items = MatterItems(keeper, self.checks)
        self.title = ElidedLabel()
        self.new = QPushButton("&New …")
        self.rename = QPushButton("&Rename …")
        self.archive = QPushButton("&Archive")
        self.more = QPushButton("&More")
        self.menu = MatterMenu(keeper, self.checks, self)
        self.more.setMenu(self.menu)
        self.note = QPushButton("&Note")
        self.heading = QPushButton("&Heading")
        self.export = QPushButton("E&xport to Word …")
        self._of_a_matter = (self.rename, self.archive, self.note, self.heading, self.export)
        for button, name in ((self.note, "note"), (self.heading, "heading"), (self.export, "export")):
            set_tool_tip(button, key(name, IN_A_MATTER).tip)
        set_tool_tip(self.more, "Save the matter as a file, bring one in, take one out of the archive")
        self.setFocusProxy(self.items)
        self.splitter = ListAndPage(
            engine,
            bottom,
            self._left(),
            self.items,
            name="matters",
            is_opening_beside=False,
            on_failed=self._on_page_failed,
        )
        self.page, self.empty = self.splitter.page, self.splitter.empty
        column_of(self.splitter, within=self)
        self._connect()
        self._loading = LoadWhenSeen(engine, self, self.status, self.load)
        self._show()

    def load(self) -> None:
        self.checks.forget()
        self._look_up()
        self.status.setText(self._said())
        self._wanted_entry = None
        self._on_selected(self.items.current)

    def showEvent(self, event: QShowEvent) -> None:
        """Look passages up again, once in a visit: the office's list may have changed."""
        super().showEvent(event)
        self.checks.forget()
        self._look_up()

    def _look_up(self) -> None:
        if self._keeper.current and self.isVisible():
            self.checks.ask(self._keeper.current)

    def _on_shown(self, found: PassageInContext) -> None:
        """Say where the passage selected reads otherwise today."""
        entry = self._wanted_entry
        if entry and isinstance(entry.item, PassageItem):
            item, text = entry.item, lowered(found.passage.text)
            check = self.checks.of(item)
            is_same_text = not (check and check.not_found) if item.is_excerpt else text == lowered(item.text)
            is_same = found.document.sha256 == item.document_sha256 and is_same_text
            if not is_same:
                self._bottom.show_message(_OTHER)

    def _on_page_failed(self, problem: Exception) -> None:
        """Say that the passage is gone from the index, or what else failed."""
        self.page.clear()
        is_gone = isinstance(problem, BriefBankError) and problem.code == "usage"
        self._bottom.show_failure(_GONE) if is_gone else self._bottom.show_problem(problem)

    def add(self, item: Item, *, is_written: bool = True) -> None:
        """Put a note or heading below the entry selected, and begin to write it."""
        matter, entry = self._keeper.current, self.items.current
        if matter is None:
            return
        item_id = self._keeper.add(matter, item, entry.id if entry else None)
        self.items.select_item(item_id)
        if is_written and item_id:
            # The view lays the new row out first: an editor made before that stands at the row's old place.
            QTimer.singleShot(0, self.items, partial(self.items.edit_item, item_id))

    def make(self) -> None:
        ask_name(self, "New matter", _NAME, self._on_named)

    def export_to_word(self) -> None:
        from ui.dialogs.export_matter import ExportDialog

        if matter := self._keeper.current:
            dialog = ExportDialog(matter, self.checks, self)
            dialog.exported.connect(lambda path: self._bottom.show_message(f"Written: {visible_name(path)}"))
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

    def _left(self) -> QWidget:
        left = MatterSide(self.names, (self.new, self.rename, self.archive, self.more), self.title)
        self.chooser = left.chooser
        above = FlowLayout(spacing_px=UNIT_PX, between_px=UNIT_PX, lines_px=UNIT_PX // 2)
        above.add_group(self.note, self.heading, self.export)
        left.column.addLayout(above)
        left.column.addWidget(self.items, 1)
        left.column.addWidget(self.status)
        return left

    def _connect(self) -> None:
        self._keeper.changed.connect(self._show)
        self.checks.changed.connect(lambda: self.status.setText(self._said()))
        self.splitter.shown.connect(self._on_shown)
        self.names.currentItemChanged.connect(self._on_matter_chosen)
        self.items.selected.connect(self._on_selected)
        self.items.opened.connect(self._on_opened)
        self.items.asked.connect(self._on_asked)
        self.new.clicked.connect(self.make)
        self.rename.clicked.connect(self._rename)
        self.archive.clicked.connect(self._archive)
        self.menu.done.connect(self._bottom.show_message)
        self.menu.failed.connect(self._bottom.show_problem)
        self.note.clicked.connect(lambda: self._on_asked("note"))
        self.heading.clicked.connect(lambda: self._on_asked("heading"))
        self.export.clicked.connect(self.export_to_word)

    def _show(self) -> None:
        matters = self._keeper.open_matters
        if self._keeper.current is None and matters:
            self._keeper.set_current(matters[0].id)
            return  # which shows it
        current = self._keeper.current
        self._show_names(matters, current)
        self.title.setText(current.name if current else "")
        for button in self._of_a_matter:
            button.setEnabled(current is not None)
        self.items.show_matter(current)
        self._look_up()
        self.splitter.say_empty("" if current and current.entries else _NOTHING if current else _FIRST)
        self.status.setText(self._said())

    def _show_names(self, matters: tuple[Matter, ...], current: Matter | None) -> None:
        self.names.blockSignals(True)  # noqa: FBT003 - Qt's own
        self.names.clear()
        for matter in matters:
            row = QListWidgetItem(visible_name(matter.name))
            row.setData(_ID_ROLE, matter.id)
            set_tool_tip(row, f"{matter.name}, {count(len(matter.passages), 'passage')}")
            self.names.addItem(row)
            if matter == current:
                self.names.setCurrentItem(row)
        self.names.blockSignals(False)  # noqa: FBT003

    def _said(self) -> str:
        current = self._keeper.current
        if not current:
            return ""
        checks = (self.checks.of(each) for each in current.passages)
        missing = sum(bool(each and each.not_found) for each in checks)
        told = [f"{missing} not found in this bank as they stand here"] if missing else []
        return " · ".join([count(len(current.passages), "passage"), *told, _KEPT])

    def _on_matter_chosen(self, row: QListWidgetItem | None) -> None:
        if row is not None:
            self._keeper.set_current(str(row.data(_ID_ROLE)))

    def _on_selected(self, entry: Entry | None) -> None:
        if entry and isinstance(entry.item, PassageItem):
            if self._wanted_entry != entry:
                self._wanted_entry = entry
                self.splitter.show_soon(partial(self._engine.bank.passage, entry.item.passage_id))
        elif entry is None:
            self._wanted_entry = None
            self.page.clear()

    def _on_opened(self, entry: Entry) -> None:
        if isinstance(entry.item, PassageItem):
            self._wanted_entry = entry
            self.splitter.open(partial(self._engine.bank.passage, entry.item.passage_id))

    def _on_asked(self, name: str) -> None:
        matter, entry = self._keeper.current, self.items.current
        if name == "note":
            self.add(NoteItem(""))
        elif name == "heading":
            self.add(HeadingItem("Heading"))
        elif name == "export":
            self.export_to_word()
        elif name == "remove" and matter and entry:
            self._keeper.remove(matter, entry)

    def _archive(self) -> None:
        if matter := self._keeper.current:
            self._keeper.archive(matter)

    def _rename(self) -> None:
        if matter := self._keeper.current:
            ask_name(self, "Rename the matter", _NAME, partial(self._keeper.rename, matter), matter.name)

    def _on_named(self, name: str) -> None:
        self._keeper.make(name)
        self.items.setFocus()
