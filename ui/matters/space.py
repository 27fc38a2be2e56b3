"""The space in which a brief gets written: the matters at the left, what is in one, the page of the passage selected.

Everything is kept as it is done; the last step is taken back by the key that undoes.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPushButton, QWidget

from briefbank.errors import BriefBankError
from briefbank.matters.items import HeadingItem, Item, NoteItem, PassageItem
from briefbank.matters.state import Entry, Matter
from briefbank.platform.visible import visible_name
from briefbank.values import PassageInContext
from ui.bottom_bar import BottomBar
from ui.dialogs.name import ask_name
from ui.engine import EngineClient
from ui.flow import FlowLayout
from ui.matters.files import MatterMenu
from ui.matters.items import MatterItems
from ui.matters.keeper import MatterKeeper
from ui.matters.side import MatterSide
from ui.plain import ElidedLabel, set_tool_tip
from ui.reading.beside_page import BesidePage
from ui.shortcuts import IN_A_MATTER, key
from ui.theme import UNIT_PX
from ui.wording import count, lowered, problem_text

_KEPT = "Everything is kept as you do it"
_FIRST = (
    "A matter collects what you write from.\nPress A on a result or on a page, and name it; or make one here with New."
)
_NOTHING = "Nothing is collected here yet.\nPress A on a result or on a page, or add a note."
_NAME = "A name for the matter, for example that of the case:"
_ID_ROLE = Qt.ItemDataRole.UserRole
_GONE = "The index does not hold this passage any more. Its words and its source are kept here."
_OTHER = "The index was renewed since: what is outlined is not the passage that was kept. Its words are kept here."


class MattersSpace(BesidePage):
    """Matters, one of them open."""

    def __init__(self, engine: EngineClient, bottom: BottomBar, keeper: MatterKeeper) -> None:
        """Lay out the space and show the matter that passages are added to."""
        super().__init__(engine, bottom, "matters")
        self._keeper = keeper
        self._wanted_entry: Entry | None = None
        self.names = QListWidget()
        self.names.setObjectName("matters")
        self.names.setAccessibleName("Matters")
        self.names.setWordWrap(True)
        self.names.setResizeMode(QListWidget.ResizeMode.Adjust)  # else rows stay as wide as the list was at first
        self.names.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.items = MatterItems(keeper)
        self.title = ElidedLabel()
        self.new = QPushButton("&New …")
        self.rename = QPushButton("&Rename …")
        self.archive = QPushButton("&Archive")
        self.more = QPushButton("&More")
        self.menu = MatterMenu(keeper, self)
        self.more.setMenu(self.menu)
        self.note = QPushButton("&Note")
        self.heading = QPushButton("&Heading")
        self.export = QPushButton("E&xport to Word …")
        self._of_a_matter = (self.rename, self.archive, self.note, self.heading, self.export)
        for button, name in ((self.note, "note"), (self.heading, "heading"), (self.export, "export")):
            set_tool_tip(button, key(name, IN_A_MATTER).tip)
        set_tool_tip(self.more, "Save the matter as a file, bring one in, take one out of the archive")
        self.setFocusProxy(self.items)
        self._connect()
        self.arrange(self._left(), self.items, is_opening_beside=False)
        self._show()

    def load(self) -> None:
        """Look the passage selected up in the index that is live now."""
        self.status.setText(self._said())
        self._wanted_entry = None
        self._on_selected(self.items.current)

    def show_found(self, found: PassageInContext) -> None:
        """Show the passage selected on its page, and say where it reads otherwise today."""
        super().show_found(found)
        entry = self._wanted_entry
        if entry and isinstance(entry.item, PassageItem):
            item, text = entry.item, lowered(found.passage.text)
            is_same_text = item.is_excerpt or text == lowered(item.text)
            is_same = found.document.sha256 == item.document_sha256 and is_same_text
            if not is_same:
                self.bottom.tell(_OTHER)

    def tell_failure(self, problem: Exception) -> None:
        """Say that the passage is gone from the index, or what else failed."""
        self.page.clear()
        is_gone = isinstance(problem, BriefBankError) and problem.code == "usage"
        self.bottom.tell_failure(_GONE) if is_gone else super().tell_failure(problem)

    def add(self, item: Item, *, is_written: bool = True) -> None:
        """Put a note or heading below the entry selected, and begin to write it."""
        matter, entry = self._keeper.current, self.items.current
        if matter is None:
            return
        item_id = self._keeper.add(matter, item, entry.id if entry else None)
        self.items.select_item(item_id)
        if is_written:
            # The view lays the new row out first: an editor made before that stands at the row's old place.
            QTimer.singleShot(0, self.items, partial(self.items.edit_item, item_id))

    def make(self) -> None:
        """Ask for the name of a new matter, and open it."""
        ask_name(self, "New matter", _NAME, self._on_named)

    def export_to_word(self) -> None:
        """Ask how and where to write the matter."""
        from ui.dialogs.export_matter import ExportDialog

        if matter := self._keeper.current:
            dialog = ExportDialog(matter, self)
            dialog.exported.connect(lambda path: self.bottom.tell(f"Written: {visible_name(path)}"))
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
        self.names.currentItemChanged.connect(self._on_matter_chosen)
        self.items.selected.connect(self._on_selected)
        self.items.opened.connect(self._on_opened)
        self.items.asked.connect(self._on_asked)
        self.new.clicked.connect(self.make)
        self.rename.clicked.connect(self._rename)
        self.archive.clicked.connect(self._archive)
        self.menu.done.connect(self.bottom.tell)
        self.menu.failed.connect(lambda problem: self.bottom.tell_failure(problem_text(problem)))
        self.note.clicked.connect(lambda: self._on_asked("note"))
        self.heading.clicked.connect(lambda: self._on_asked("heading"))
        self.export.clicked.connect(self.export_to_word)

    def _show(self) -> None:
        """Show what the matters hold now."""
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
        self.tell_empty("" if current and current.entries else _NOTHING if current else _FIRST)
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
        return f"{count(len(current.passages), 'passage')} · {_KEPT}" if current else ""

    def _on_matter_chosen(self, row: QListWidgetItem | None) -> None:
        if row is not None:
            self._keeper.set_current(str(row.data(_ID_ROLE)))

    def _on_selected(self, entry: Entry | None) -> None:
        if entry and isinstance(entry.item, PassageItem):
            if self._wanted_entry != entry:
                self._wanted_entry = entry
                self.show_soon(partial(self.engine.bank.passage, entry.item.passage_id))
        elif entry is None:
            self._wanted_entry = None
            self.page.clear()

    def _on_opened(self, entry: Entry) -> None:
        if isinstance(entry.item, PassageItem):
            self._wanted_entry = entry
            self.open(partial(self.engine.bank.passage, entry.item.passage_id))

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
