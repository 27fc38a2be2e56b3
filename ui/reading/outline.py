"""The headings of the brief that is shown, beside its pages; the one that is being read stands out.

Asks the engine for them; goes nowhere itself: whoever shows the pages does.
"""

from __future__ import annotations

from bisect import bisect_right

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from briefbank.platform.visible import visible_name
from briefbank.values.pages import DocumentPages, OutlineEntry
from ui.engine import EngineClient, FutureWatcher
from ui.headings import sentence_case
from ui.plain import set_tool_tip
from ui.reading.view import PageView
from ui.theme import UNIT_PX

NARROWEST_PX, _WIDEST_PX = 216, 320
"""The least width of the headings and the most; in between a quarter of the room."""
ROOM_PX = 824
"""Narrower than this, headings and pages side by side leave the page too small to read (below 75 %)."""
_INDENT_PX = 12
_DEEPEST = 4
"""Deeper headings are indented no further: they would have no room for words."""
_LEVEL = Qt.ItemDataRole.UserRole
_READ_AT = 0.25
"""How far down the view the line is that counts as being read, of its height."""
_MUCH_LESS = 0.75
"""Of the room that there was when somebody opened the headings: with less they close. Chosen: a second brief takes half
of it, while dragging an edge by a little should close nothing."""
_ANY_WIDTH_PX = 16_777_215
"""Qt's own limit, by which a width set before is taken back."""
_SETTING = "page/outline"


class OutlineList(QListWidget):
    """The headings of one document at a time."""

    chosen = Signal(object)
    """The PageBox of the heading that somebody wants to go to."""
    left = Signal()
    """Somebody wants back to the page."""
    changed = Signal()
    """Other headings are there, or it is shown now or is not."""

    def __init__(self, engine: EngineClient, view: PageView, parent: QWidget | None = None) -> None:
        """Begin empty; `view` shows the pages."""
        super().__init__(parent)
        self._engine, self._view = engine, view
        self._entries: tuple[OutlineEntry, ...] = ()
        self._pages: DocumentPages | None = None
        self._task: FutureWatcher | None = None
        self._passage = ""
        self._is_wanted = QSettings().value(_SETTING, "open") != "closed"
        self._has_room = self._is_in_column = False
        self._room_px = self._insisted_px = 0
        """How wide the page and this are together, and were when somebody opened this; 0: nobody insists on it."""
        self.setObjectName("outline")
        self.setAccessibleName("Headings of this brief")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Always: one that comes and goes would leave rows as high as their words were before they had less room.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerItem)  # the upper row is whole wherever it stands
        self.setItemDelegate(_Indented(self))
        self.itemClicked.connect(self._choose)
        self.hide()
        view.verticalScrollBar().valueChanged.connect(self._follow)

    @property
    def is_open(self) -> bool:
        return not self.isHidden()

    def turn_to(self, pages: DocumentPages | None) -> None:
        """Show the headings of the pages that are shown, once they have come; none of a document without any."""
        if pages == self._pages:
            return
        self._pages = pages
        if self._task:
            self._task.cancel()
        self._task = None
        self._fill(())
        if pages:
            outline = self._engine.bank.outline(pages.document.id)
            self._task = self._engine.ask(outline, self._fill, parent=self)  # what is wrong with pages they say

    def mark(self, passage_id: str) -> None:
        """Have the heading of a passage stand out while it is in view; "" for that of what is being read."""
        self._passage = passage_id
        self._follow()

    def set_in_column(self, *, is_in: bool) -> None:
        """Stand below the list, as wide as that and on request alone, or beside the page."""
        self._is_in_column = is_in
        if is_in:
            self.setMinimumWidth(0)
            self.setMaximumWidth(_ANY_WIDTH_PX)
            self._has_room, self._room_px = False, 1
        self._insisted_px = min(self._insisted_px, 1)

    def set_room(self, width_px: int, across: int) -> None:
        """Note how wide the page, or two `across`, and this are together: where that is little, headings are shown on
        request alone.
        """
        if self._is_in_column:
            return
        self._has_room = width_px >= ROOM_PX + (across - 1) * (ROOM_PX - NARROWEST_PX)
        self._room_px = width_px // across
        if self._room_px < _MUCH_LESS * self._insisted_px:
            self._insisted_px = 0
        self.setFixedWidth(min(max(width_px // 4, NARROWEST_PX), _WIDEST_PX))
        self._update_visibility()

    def toggle(self) -> None:
        """Open or close, for good; opened by somebody, it stays in little room, until there is much less of it."""
        self._is_wanted = not self.is_open
        self._insisted_px = self._room_px if self._is_wanted else 0
        QSettings().setValue(_SETTING, "open" if self._is_wanted else "closed")
        self._update_visibility()

    def take_focus(self) -> None:
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        QTimer.singleShot(0, self, self._show_current)  # once it has its size

    def _show_current(self) -> None:
        if item := self.currentItem():
            self.scrollToItem(item, QListView.ScrollHint.PositionAtCenter)

    def _update_visibility(self) -> None:
        is_open = bool(self._entries) and self._is_wanted and (self._has_room or self._insisted_px > 0)
        if is_open != self.is_open:
            self.setVisible(is_open)
            self.changed.emit()

    def _fill(self, entries: tuple[OutlineEntry, ...]) -> None:
        self._entries = entries
        self.clear()
        for entry in entries:
            title = " ".join(entry.title.split())
            item = QListWidgetItem(visible_name(sentence_case(title)), self)
            item.setData(_LEVEL, min(entry.level, _DEEPEST) - 1)
            set_tool_tip(item, title)
        self._follow()
        self._update_visibility()
        self.changed.emit()

    def _follow(self) -> None:
        """Let the heading stand out under which the line stands that is being read."""
        if not self._entries or self._view.pages != self._pages:
            return
        if self._passage and self._view.is_reached(self._view.outline):
            order = int(self._passage.rpartition("-")[2])
            firsts = [int(each.passage_id.rpartition("-")[2]) for each in self._entries]
            self.setCurrentRow(max(bisect_right(firsts, order) - 1, 0))
            return
        bar, height_px = self._view.verticalScrollBar(), self._view.viewport().height()
        is_at_end = bar.value() == bar.maximum() > 0  # the last headings never reach the line higher up
        page, _, down_pt = self._view.point_on_page(QPoint(0, round((1 if is_at_end else _READ_AT) * height_px)))
        places = [(entry.place.page, entry.place.box.y0) for entry in self._entries]
        row = max(bisect_right(places, (page, down_pt)) - 1, 0)
        if row != self.currentRow():
            self.setCurrentRow(row)

    def _choose(self, item: QListWidgetItem) -> None:
        row = self.row(item)
        self.chosen.emit(self._entries[row].place)
        self.setCurrentRow(row)  # where it cannot be brought up to the line, another one would stand out

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and item:
            self._choose(item)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class _Indented(QStyledItemDelegate):
    """Draws a heading as deep as it stands, in two lines where it is long."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        metrics = option.fontMetrics
        outline = option.widget
        room = outline.viewport().width() if isinstance(outline, OutlineList) else option.rect.width()
        text = str(index.data(Qt.ItemDataRole.DisplayRole))
        return QSize(0, UNIT_PX + metrics.height() * len(_lines(text, metrics, room - _indent(index) - UNIT_PX // 2)))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        widget = option.widget
        style = widget.style()
        style.drawControl(style.ControlElement.CE_ItemViewItem, option, painter, widget)
        room = option.rect.adjusted(_indent(index), 0, -UNIT_PX // 2, 0)
        lines = "\n".join(_lines(text, option.fontMetrics, room.width()))
        painter.save()
        painter.setPen(option.palette.text().color())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, lines)
        painter.restore()


def _indent(index: QModelIndex | QPersistentModelIndex) -> int:
    level: int = index.data(_LEVEL)
    return UNIT_PX + _INDENT_PX * level


def _lines(text: str, metrics: QFontMetrics, width_px: int) -> list[str]:
    """Break a heading behind the last word that fits, once; what does not fit then is left out."""
    if metrics.horizontalAdvance(text) <= width_px:
        return [text]
    words = text.split(" ")
    fitting = next((at for at in range(len(words), 0, -1) if _fits(words[:at], metrics, width_px)), 0)
    if not fitting:
        return [metrics.elidedText(text, Qt.TextElideMode.ElideRight, width_px)]
    rest = " ".join(words[fitting:])
    return [" ".join(words[:fitting]), metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width_px)]


def _fits(words: list[str], metrics: QFontMetrics, width_px: int) -> bool:
    return metrics.horizontalAdvance(" ".join(words)) <= width_px
