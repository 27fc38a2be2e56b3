"""The view in which text is selected with the mouse and the keys go; knows nothing of passages and hits."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from briefbank.values import DocumentPages, PageLink
from briefbank.values.records import Box, PageBox
from ui.engine import EngineClient
from ui.plain import set_tool_tip
from ui.reading.page.selection import (
    TextPosition,
    TextRange,
    boxes_on,
    is_over_text,
    place_at,
    selected_text,
    whole_page,
    word_at,
)
from ui.reading.page.view import PageView

_DRAG_MS = 30
_OVERLAP_PX = 48
"""What stays in view when it moves on by its own height."""


class PageReader(PageView):
    """Pages whose text can be selected."""

    selection_changed = Signal()
    link_followed = Signal(object)
    """The PageLink that somebody wants to follow."""

    menu_asked = Signal(object)
    """The point of the viewport at which a menu is asked for; None for the keyboard."""

    def __init__(self, engine: EngineClient, parent: QWidget | None = None) -> None:
        super().__init__(engine, parent)
        self._selected: TextRange | None = None
        self._anchor: TextRange | None = None
        self._is_by_word = False
        self._pressed: PageLink | None = None
        """What the mouse was pressed on; it is followed when it is let go there with nothing selected."""
        self._chosen: tuple[int, PageLink] | None = None
        """The reference that a key chose, and the page that it stands on."""
        self._drag = QTimer(self, interval=_DRAG_MS)
        self._drag.timeout.connect(self._scroll_along)

    @property
    def selected(self) -> TextRange | None:
        """What is selected, if anything is."""
        return self._selected

    def selected_text(self) -> str | None:
        """The selected words, empty without a selection; None where the words of a page are not there yet."""
        return selected_text(self.loader.texts, self._selected) if self._selected else ""

    def select_page(self) -> None:
        """Select all words of the page in the middle of the view."""
        text = self.loader.texts.get(self.page)
        self._select(whole_page(text) if text else None)

    def select_nothing(self) -> None:
        """Drop the selection."""
        self._anchor = None
        self._select(None)

    def show_pages(self, pages: DocumentPages) -> None:
        self._chosen = None
        self.select_nothing()
        super().show_pages(pages)

    def clear(self) -> None:
        self.select_nothing()
        super().clear()

    def selected_on(self, number: int) -> tuple[Box, ...]:
        text = self.loader.texts.get(number)
        return tuple(boxes_on(text, self._selected)) if text and self._selected else ()

    def texts_needed(self) -> range:
        return self._selected.pages if self._selected else range(0)

    def references_on(self, number: int) -> tuple[tuple[Box, bool], ...]:
        return tuple((link.box, (number, link) == self._chosen) for link in self._references(number))

    def step_reference(self, step: int) -> PageLink | None:
        """Choose the next reference that can be seen whole, or the one before; the first one behind the last."""
        seen = [(number, link) for number in self._seen for link in self._references(number)]
        seen = [each for each in seen if self.is_reached([PageBox(each[0], each[1].box)])]
        if not seen:
            self._chosen = None
        elif self._chosen in seen:
            self._chosen = seen[(seen.index(self._chosen) + step) % len(seen)]
        else:
            self._chosen = seen[0 if step > 0 else -1]
        self.viewport().update()
        return self._chosen[1] if self._chosen else None

    def follow_reference(self) -> None:
        """Go to what the chosen reference refers to."""
        if self._chosen:
            chosen, self._chosen = self._chosen[1], None
            self.link_followed.emit(chosen)

    def _references(self, number: int) -> tuple[PageLink, ...]:
        text = self.loader.texts.get(number)
        return tuple(link for link in text.links if link.reference) if text else ()

    def _select(self, selected: TextRange | None) -> None:
        self._selected = selected if selected and not selected.is_empty else None
        self.viewport().update()
        self.selection_changed.emit()

    def _place(self, point: QPoint) -> TextPosition | None:
        number, x_pt, y_pt = self.point_on_page(point)
        text = self.loader.texts.get(number)
        return place_at(text, x_pt, y_pt) if text else None

    def _reach(self, point: QPoint) -> TextRange | None:
        """The place at a point, or the word there while whole words are selected."""
        place = self._place(point)
        if place is None:
            return None
        return word_at(self.loader.texts[place.page], place) if self._is_by_word else TextRange(place, place)

    def _extend(self, point: QPoint) -> None:
        reach = self._reach(point)
        if reach and self._anchor:
            self._select(TextRange(min(reach.start, self._anchor.start), max(reach.end, self._anchor.end)))

    def _scroll_along(self) -> None:
        """Scroll while the mouse is held beyond the view's edge."""
        y = self.viewport().mapFromGlobal(self.cursor().pos()).y()
        beyond = min(y, 0) + max(y - self.viewport().height(), 0)
        if beyond:
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + beyond)
            self._extend(self.viewport().mapFromGlobal(self.cursor().pos()))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() is not Qt.MouseButton.LeftButton or not self.pages:
            return
        point = event.position().toPoint()
        self._is_by_word = False
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._anchor:
            self._extend(point)
        else:
            self._pressed = self._link_at(point)
            self._anchor = self._reach(point)
            self._select(None)
        self._drag.start()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() is Qt.MouseButton.LeftButton and self.pages:
            self._is_by_word = True
            self._anchor = self._reach(event.position().toPoint())
            self._select(self._anchor)
            self._drag.start()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if not self.pages:
            return
        point = event.position().toPoint()
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._extend(point)
        number, x_pt, y_pt = self.point_on_page(point)
        text = self.loader.texts.get(number)
        is_text = text is not None and is_over_text(text, x_pt, y_pt)
        link = self._link_at(point)
        set_tool_tip(self.viewport(), self.warning_at(point) or (link.title if link else ""))
        if link:
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.viewport().setCursor(Qt.CursorShape.IBeamCursor if is_text else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._drag.stop()
        pressed, self._pressed = self._pressed, None
        if pressed and not self._selected and self._link_at(event.position().toPoint()) == pressed:
            self.link_followed.emit(pressed)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        is_by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        if self.pages:
            self.menu_asked.emit(None if is_by_key else self.viewport().mapFromGlobal(event.globalPos()))

    def _link_at(self, point: QPoint) -> PageLink | None:
        """What leads to another page at a point of the view."""
        number, x_pt, y_pt = self.point_on_page(point)
        text = self.loader.texts.get(number)
        inside = (
            each
            for each in (text.links if text else ())
            if each.box.x0 <= x_pt <= each.box.x1 and each.box.y0 <= y_pt <= each.box.y1
        )
        return next(inside, None)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        bar = self.verticalScrollBar()
        leap = self.viewport().height() - _OVERLAP_PX
        moves = {
            Qt.Key.Key_PageDown: bar.value() + leap,
            Qt.Key.Key_Space: bar.value() + leap,
            Qt.Key.Key_PageUp: bar.value() - leap,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: bar.maximum(),
        }
        key = Qt.Key(event.key())
        if event.modifiers() == Qt.KeyboardModifier.NoModifier and key in moves:
            self._scroll_to(moves[key], is_gliding=key not in (Qt.Key.Key_Home, Qt.Key.Key_End))
        elif key is Qt.Key.Key_Escape and self._selected:
            self.select_nothing()
        else:
            super().keyPressEvent(event)
