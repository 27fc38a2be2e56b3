"""What is in a matter, as a list: headings, notes and passages in their order, moved by keys or by dragging, notes and
headings edited where they stand.

Asks the keeper for everything; knows no space.
"""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QDropEvent, QFont, QFontMetrics, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QPlainTextEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from briefbank.matters.checked import in_matter
from briefbank.matters.items import HeadingItem, Item, NoteItem, OwnText, PassageItem, source_line
from briefbank.matters.state import Entry, Matter
from briefbank.platform.visible import visible
from briefbank.values.collected import Check
from briefbank.values.source_format import STANDARD
from ui.matters.keeper import MatterKeeper
from ui.matters.looked_up import PassageChecks
from ui.shortcuts import IN_A_MATTER
from ui.theme import UNIT_PX, colours, font

_Index = QModelIndex | QPersistentModelIndex
_MARGIN_PX = UNIT_PX
_BAR_PX = 3
"""The line at the left of a passage, by which it is told from what a person wrote."""
_ASKED = "Not looked up in this bank yet"
_EMPTY_NOTE = "An empty note"
_KEYS = {QKeySequence(keys).toString(): each.name for each in IN_A_MATTER for keys in each.sequences}


class MatterModel(QAbstractListModel):
    """The entries of one matter."""

    def __init__(self, keeper: MatterKeeper, checks: PassageChecks, parent: QWidget) -> None:
        super().__init__(parent)
        self._keeper = keeper
        self.checks = checks
        self.matter: Matter | None = None
        checks.changed.connect(self._on_checked)

    def show_matter(self, matter: Matter | None) -> None:
        before, now = self._ids(), tuple(entry.id for entry in matter.entries) if matter else ()
        if before == now:
            self.matter = matter
            if now:
                self.dataChanged.emit(self.index(0), self.index(len(now) - 1))
            return
        added = [row for row, each in enumerate(now) if each not in before]
        if len(added) == 1 and (*now[: added[0]], *now[added[0] + 1 :]) == before:
            # Not by a reset, which would close the editor of a note that is being written.
            self.beginInsertRows(QModelIndex(), added[0], added[0])
            self.matter = matter
            self.endInsertRows()
            return
        self.beginResetModel()
        self.matter = matter
        self.endResetModel()

    def _on_checked(self) -> None:
        """Draw the passages anew; not the notes, for an open editor would begin again with what is kept."""
        for row, entry in enumerate(self.matter.entries if self.matter else ()):
            if isinstance(entry.item, PassageItem):
                self.dataChanged.emit(self.index(row), self.index(row))

    def check(self, entry: Entry) -> Check | None:
        """What the bank says of a passage; None where it has not answered, or of what a person wrote."""
        check = self.checks.of(entry.item) if isinstance(entry.item, PassageItem) else None
        return in_matter(check, self.matter.name) if check and self.matter else check

    def _ids(self) -> tuple[str, ...]:
        return tuple(entry.id for entry in self.matter.entries) if self.matter else ()

    def entry(self, row: int) -> Entry | None:
        """The entry of a row, None where there is no such row."""
        entries = self.matter.entries if self.matter else ()
        return entries[row] if 0 <= row < len(entries) else None

    def row_of(self, item_id: str) -> int:
        """The row of an entry, -1 where it is not there."""
        ids = self._ids()
        return ids.index(item_id) if item_id in ids else -1

    def rowCount(self, parent: _Index | None = None) -> int:
        return len(self.matter.entries) if self.matter and not (parent and parent.isValid()) else 0

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self.entry(index.row())
        if entry is None:
            return None
        if role == Qt.ItemDataRole.EditRole:
            return entry.item.text
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(entry.item.text)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken(entry, self.check(entry))
        return None

    def setData(self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        entry = self.entry(index.row())
        if self.matter is None or entry is None or role != Qt.ItemDataRole.EditRole:
            return False
        text = str(value).strip()
        match entry.item:
            case HeadingItem(level=level) if text:
                self._keeper.edit(self.matter, entry, HeadingItem(" ".join(text.split()), level))
            case NoteItem():
                self._keeper.edit(self.matter, entry, NoteItem(text))
        return True

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        entry = self.entry(index.row())
        if entry is None:
            return flags | Qt.ItemFlag.ItemIsDropEnabled
        own = Qt.ItemFlag.ItemIsEditable if isinstance(entry.item, OwnText) else Qt.ItemFlag.NoItemFlags
        return flags | Qt.ItemFlag.ItemIsDragEnabled | own


class _Editor(QPlainTextEdit):
    """Takes a note's or heading's words; leaving it keeps them, Esc does not."""

    def __init__(self, parent: QWidget, *, is_one_line: bool) -> None:
        super().__init__(parent)
        self._is_one_line = is_one_line
        self.setTabChangesFocus(True)
        self.setAccessibleName("Words of your own; kept when you leave them")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back to the list with the key that ends a line of its own, and from a heading with Return."""
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_return and (self._is_one_line or event.modifiers() & Qt.KeyboardModifier.ControlModifier):
            viewport = self.parentWidget()
            view = viewport.parentWidget() if viewport else None
            if view:
                view.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().keyPressEvent(event)


class MatterDelegate(QStyledItemDelegate):
    """Draws entries, and makes the editor of a note or heading."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one entry: a heading bold, a passage with its source below it."""
        entry = _entry(index)
        if entry is None:
            return
        worn = colours()
        area: QRect = option.rect
        painter.save()
        if _is_selected(option):
            painter.fillRect(area, worn.selected)
        inner = area.adjusted(*_inset(entry))
        if isinstance(entry.item, PassageItem):
            check = _check(index)
            colour = worn.warning if check and (check.not_found or check.confidential) else worn.accent
            painter.fillRect(area.left() + _MARGIN_PX, inner.top(), _BAR_PX, inner.height(), colour)
        top = inner.top()
        for text, face, colour in _lines(entry, _check(index)):
            painter.setFont(face)
            painter.setPen(colour)
            room = QRect(inner.left(), top, inner.width(), _height(text, face, inner.width()))
            painter.drawText(room, Qt.TextFlag.TextWordWrap, text)
            top += room.height() + UNIT_PX // 2
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        entry = _entry(index)
        view = option.widget
        width = view.viewport().width() if isinstance(view, QListView) else 400
        if entry is None:
            return QSize(width, 0)
        return QSize(width, _height_of(entry.item, _check(index), width, font().key()))

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: _Index) -> QWidget:
        entry = _entry(index)
        return _Editor(parent, is_one_line=entry is not None and isinstance(entry.item, HeadingItem))

    def setEditorData(self, editor: QWidget, index: _Index) -> None:
        if isinstance(editor, _Editor):
            editor.setPlainText(str(index.data(Qt.ItemDataRole.EditRole)))
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: _Index) -> None:
        if isinstance(editor, _Editor):
            model.setData(QModelIndex(index), editor.toPlainText())  # type: ignore[arg-type]

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, _index: _Index) -> None:
        area: QRect = option.rect
        least = editor.fontMetrics().lineSpacing() * 3 + 2 * UNIT_PX
        editor.setGeometry(area.left(), area.top(), area.width(), max(area.height(), least))


class MatterItems(QListView):
    """The entries of one matter; letters do nothing here, since elsewhere they record something."""

    opened = Signal(object)
    """An Entry with a passage whose page is wished."""
    selected = Signal(object)
    """The Entry that is selected now, or None."""
    asked = Signal(str)
    """The name of a key of IN_A_MATTER that was pressed."""

    def __init__(self, keeper: MatterKeeper, checks: PassageChecks) -> None:
        super().__init__()
        self.items = MatterModel(keeper, checks, self)
        self._keeper = keeper
        self.setModel(self.items)
        self.setItemDelegate(MatterDelegate(self))
        self.setObjectName("entries")
        self.setAccessibleName("What is in the matter")
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDropIndicatorShown(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSpacing(0)
        self.doubleClicked.connect(self._on_double_clicked)
        self.selectionModel().currentChanged.connect(lambda _now, _before: self.selected.emit(self.current))

    @property
    def current(self) -> Entry | None:
        return self.items.entry(self.currentIndex().row())

    def show_matter(self, matter: Matter | None) -> None:
        """Show a matter as it is now; the entry selected stays selected, or its neighbour where it is gone."""
        is_other = (matter.id if matter else "") != (self.items.matter.id if self.items.matter else "")
        kept, row = self.current.id if self.current else "", self.currentIndex().row()
        self.items.show_matter(matter)
        if is_other or not self.currentIndex().isValid():
            known = -1 if is_other else self.items.row_of(kept)
            self.select(known if known >= 0 else 0 if is_other else min(row, self.items.rowCount() - 1))

    def select(self, row: int) -> None:
        if 0 <= row < self.items.rowCount():
            self.setCurrentIndex(self.items.index(row))
            self.scrollTo(self.items.index(row))

    def select_item(self, item_id: str) -> None:
        self.select(self.items.row_of(item_id))

    def edit_item(self, item_id: str) -> None:
        self.select_item(item_id)
        if self.current and not isinstance(self.current.item, PassageItem):
            self.edit(self.currentIndex())

    def move_current(self, step: int) -> None:
        """Move the entry selected one place up (-1) or down (1)."""
        matter, entry, row = self.items.matter, self.current, self.currentIndex().row()
        to = row + step
        if matter and entry and 0 <= to < len(matter.entries):
            others = [each.id for each in matter.entries if each.id != entry.id]
            self._move(entry.id, others[to - 1] if to else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        name = _KEYS.get(QKeySequence(event.keyCombination()).toString())
        if name and self.state() is QAbstractItemView.State.EditingState:
            # Came out of an editor, which a change of the list would close without keeping what it holds.
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        if name in ("move-up", "move-down"):
            self.move_current(-1 if name == "move-up" else 1)
        elif name == "change" and self.current:
            self._on_double_clicked(self.currentIndex())
            self.edit_item(self.current.id)
        elif name:
            self.asked.emit(name)
        elif not event.text() or event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        matter, entry = self.items.matter, self.current
        if event.source() is not self or matter is None or entry is None:
            event.ignore()
            return
        ids = [each.id for each in matter.entries]
        row = self._row_at(event.position().toPoint())
        before = [each for each in ids[:row] if each != entry.id]
        event.setDropAction(Qt.DropAction.IgnoreAction)  # the keeper moves it; the view must not take it out
        event.accept()
        self._move(entry.id, before[-1] if before else "")

    def _row_at(self, place: QPoint) -> int:
        """The row before which something is dropped."""
        index = self.indexAt(place)
        if not index.isValid():
            return self.items.rowCount()
        return index.row() + (place.y() > self.visualRect(index).center().y())

    def _move(self, item_id: str, after: str) -> None:
        if self.items.matter:
            self._keeper.move(self.items.matter, item_id, after)
            self.select_item(item_id)

    def _on_double_clicked(self, index: QModelIndex) -> None:
        entry = self.items.entry(index.row())
        if entry and isinstance(entry.item, PassageItem):
            self.opened.emit(entry)


def _entry(index: _Index) -> Entry | None:
    model = index.model()
    return model.entry(index.row()) if isinstance(model, MatterModel) else None


def _check(index: _Index) -> Check | None:
    model, entry = index.model(), _entry(index)
    return model.check(entry) if isinstance(model, MatterModel) and entry else None


def _is_selected(option: QStyleOptionViewItem) -> bool:
    from PySide6.QtWidgets import QStyle

    state: QStyle.StateFlag = option.state
    return bool(state & QStyle.StateFlag.State_Selected)


def _inset(entry: Entry) -> tuple[int, int, int, int]:
    """How far the words of an entry stand inside its row."""
    left = 3 * _MARGIN_PX if isinstance(entry.item, PassageItem) else _MARGIN_PX
    return left, _MARGIN_PX, -_MARGIN_PX, -_MARGIN_PX


def _lines(entry: Entry, check: Check | None) -> list[tuple[str, QFont, str]]:
    """The texts of an entry from the top, each with its face and colour."""
    worn = colours()
    match entry.item:
        case HeadingItem(text=text, level=level):
            return [(visible(text), font(scale=1.2 - 0.1 * (level - 1), is_bold=True), worn.text)]
        case NoteItem(text=text):
            return [(visible(text), font(), worn.text) if text else (_EMPTY_NOTE, font(), worn.muted)]
        case PassageItem() as item:
            small = font(scale=0.92)
            source = (f"— {visible(source_line(item, STANDARD))}", small, worn.muted)
            cautions = [(f"! {visible(each)}", small, worn.warning) for each in (check or item).cautions]
            marks = (
                [(visible(each), font(scale=0.92, is_bold=True), worn.warning) for each in check.not_found]
                if check
                else [(_ASKED, small, worn.muted)]
            )
            kept_out = [(visible(each.line), small, worn.warning) for each in check.confidential] if check else []
            return [(visible(item.text), font(), worn.text), *marks, source, *kept_out, *cautions]


@lru_cache(maxsize=10_000)
def _height_of(item: Item, check: Check | None, width_px: int, _face: str) -> int:
    """The height of a row; kept, for the view asks for those of all rows whenever one changes."""
    entry = Entry("", item)
    left, top, right, bottom = _inset(entry)
    inner = max(80, width_px - left + right)
    heights = [_height(text, face, inner) + UNIT_PX // 2 for text, face, _ in _lines(entry, check)]
    return sum(heights) - UNIT_PX // 2 + top - bottom


def _height(text: str, face: QFont, width_px: int) -> int:
    room = QRect(0, 0, width_px, 1_000_000)
    return QFontMetrics(face).boundingRect(room, Qt.TextFlag.TextWordWrap, text).height()


def _spoken(entry: Entry, check: Check | None) -> str:
    """An entry as a screen reader says it."""
    match entry.item:
        case HeadingItem(text=text, level=level):
            return f"Heading {level}: {visible(text)}"
        case NoteItem(text=text):
            return f"Note: {visible(text)}" if text else _EMPTY_NOTE
        case PassageItem() as item:
            marks = check.not_found if check else (_ASKED,)
            cautions = (check or item).cautions
            kept_out = [each.line for each in check.confidential] if check else []
            return ". ".join([*map(visible, (*marks, source_line(item, STANDARD), *kept_out, *cautions, item.text))])
