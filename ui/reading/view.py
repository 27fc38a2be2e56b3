"""The pages of a document in one scrolled column, or two side by side.

Only what is seen, and its neighbours, is asked for and drawn.

Knows how to scroll, zoom, select and show marks; what is shown is chosen by `panel`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QEasingCurve, QEvent, QPoint, QRectF, Qt, QTimer, QVariantAnimation, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QStyle, QWidget

from briefbank.values.cautions import caution_lines
from briefbank.values.pages import AlertMark, DocumentPages, PageLink, PageSize
from briefbank.values.records import PageBox
from ui.engine import EngineClient
from ui.plain import set_tool_tip
from ui.reading.drawing import (
    GAP_PX,
    SIGN_PX,
    PageColumn,
    PageLook,
    draw_look,
    draw_note,
    draw_paper,
    fit_page,
    fit_width,
)
from ui.reading.history import Position
from ui.reading.loader import CACHE_BYTES, PageLoader
from ui.reading.selection import (
    PageSelection,
    is_over_text,
)

PIXELS_A_POINT = 96 / 72
"""Device-independent pixels a point at 100 %."""

_ZOOMS = (0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
_GLIDE_MS = 180
"""How long moving to a page takes: long enough for the eye to follow."""
_PIXEL_BYTES = 4  # of RGB32, in which the loader keeps pictures
_WHEEL_STEP = 120
"""Qt's units for one notch of a wheel."""
_LINE_PX = 48

_DRAG_MS = 30
"""How often the view moves on while the mouse selects beyond its edge, by as much as it is beyond."""
_OVERLAP_PX = 48
"""What stays in view when it moves on by its own height."""


class Fit(Enum):
    """What the zoom follows when the view changes its size."""

    WIDTH = "width"
    PAGE = "page"
    NOTHING = "nothing"


class PageView(QAbstractScrollArea):
    """Shows one document at a time."""

    page_changed = Signal(int)
    """Another page than before stands in the middle of the view."""
    zoom_changed = Signal(float)
    """The zoom, 1.0 for 100 %, or what it follows, changed."""
    failed = Signal(object)
    """The page in the middle cannot be shown, and why; None once that is over."""
    link_followed = Signal(object)
    """The PageLink that somebody wants to follow."""
    menu_asked = Signal(object)
    """The point of the viewport at which a menu is asked for; None for the keyboard."""

    def __init__(self, engine: EngineClient, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.loader = PageLoader(engine, self)
        self.selection = PageSelection(self.loader.texts, self.point_on_page)
        self.loader.image_loaded.connect(self._on_image_loaded)
        self.loader.text_came.connect(lambda _: self.viewport().update())
        self.loader.failed.connect(self._on_failed)
        self.fit = Fit.WIDTH
        self.across = 1
        """How many pages stand side by side."""
        self.page = 0
        """The one in the middle of the view, the left one of two; 0 without a document."""
        self.pages: DocumentPages | None = None
        self._column = PageColumn.lay_out((), PIXELS_A_POINT)
        self._left_at: tuple[int, Position | None] = (0, None)
        """Which page was read, and where, before two were shown."""
        self._outline: tuple[PageBox, ...] = ()
        self._hits: tuple[tuple[PageBox, ...], ...] = ()
        self._hit = -1
        self._alerts: tuple[AlertMark, ...] = ()
        self._seen: range = range(0)
        self._pressed: PageLink | None = None
        """What the mouse was pressed on; it is followed when it is let go there with nothing selected."""
        self._chosen: tuple[int, PageLink] | None = None
        """The reference that a key chose, and the page that it stands on."""
        self._drag = QTimer(self, interval=_DRAG_MS)
        self._drag.timeout.connect(self._scroll_along)
        self._asking = QTimer(self, singleShot=True, interval=0)
        self._asking.timeout.connect(self._ask)
        self._glide = QVariantAnimation(self, duration=_GLIDE_MS, easingCurve=QEasingCurve(QEasingCurve.Type.OutCubic))
        self._glide.valueChanged.connect(lambda value: self.verticalScrollBar().setValue(round(value)))
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.horizontalScrollBar().valueChanged.connect(self.viewport().update)
        self.verticalScrollBar().setSingleStep(_LINE_PX)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName("Page")

    # --- what is shown ---

    def show_pages(self, pages: DocumentPages) -> None:
        """Turn to a document, or to the same one as it is now."""
        self._chosen = None
        self.selection.clear()
        self.loader.open(pages.document.id, pages.warning)
        self.pages = pages
        self._seen, self.page, self._left_at = range(0), 0, (0, None)
        self.set_marks((), ())
        self._lay_out(pages.sizes, self._fitting(pages.sizes))
        self.verticalScrollBar().setValue(0)
        self._on_scrolled()

    def clear(self) -> None:
        self._glide.stop()
        self._asking.stop()
        self.selection.clear()
        self.loader.open("")
        self.pages, self.page, self._seen = None, 0, range(0)
        self.set_marks((), ())
        self._lay_out((), self._column.zoom)

    def set_marks(self, outline: Sequence[PageBox], hits: Sequence[tuple[PageBox, ...]], current: int = -1) -> None:
        """Outline a passage and mark its hits, `current` (from 0) stronger than the others."""
        self._outline, self._hits, self._hit = tuple(outline), tuple(hits), current
        self.viewport().update()

    def set_alerts(self, alerts: Sequence[AlertMark]) -> None:
        self._alerts = tuple(alerts)
        self.viewport().update()

    def warning_at(self, point: QPoint) -> str:
        """What is warned of in the citation, or on its line, at a point of the viewport; empty where nothing is."""
        if not self.pages or not self._alerts:
            return ""
        number, x_pt, y_pt = self.point_on_page(point)
        margin_pt = 2 * SIGN_PX / self._column.zoom
        found = (
            each.warning
            for each in self._alerts
            for place in each.boxes
            if place.page == number
            and place.box.y0 <= y_pt <= place.box.y1
            and (place.box.x0 <= x_pt <= place.box.x1 or 0 <= x_pt <= margin_pt)
        )
        return "\n".join(caution_lines(dict.fromkeys(found), None))

    # --- where the view is ---

    def go_to_page(self, number: int, *, is_gliding: bool = False) -> None:
        if self.pages and 1 <= number <= len(self._column.sizes):
            self._scroll_to(self._column.tops[number - 1] - GAP_PX, is_gliding=is_gliding)

    def turn(self, step: int) -> None:
        """Go to the next page or to the one before; where two stand side by side, to the next two."""
        self.go_to_page(max(self.page + step * self.across, 1))

    @property
    def row(self) -> range:
        return self._column.row(self.page) if self.page else range(0)

    def go_to_boxes(self, boxes: Sequence[PageBox], *, is_gliding: bool = True) -> None:
        """Bring the first of some boxes' pages into the view: all of it in the middle, or its beginning at the top."""
        if not boxes or not self.pages or boxes[0].page > len(self._column.sizes):
            return
        page = boxes[0].page
        own = [each.box for each in boxes if each.page == page]
        top, bottom = min(box.y0 for box in own), max(box.y1 for box in own)
        zoom, height = self._column.zoom, self.viewport().height()
        size_px = (bottom - top) * zoom
        space = (height - size_px) / 2 if size_px < 0.8 * height else 0.1 * height
        self._scroll_to(round(self._column.tops[page - 1] + top * zoom - space), is_gliding=is_gliding)
        left = self._left(page) + min(box.x0 for box in own) * zoom
        right = self._left(page) + max(box.x1 for box in own) * zoom
        if left < 0 or right > self.viewport().width():
            across = self.horizontalScrollBar()
            across.setValue(round(across.value() + left - 2 * GAP_PX))

    def position(self) -> Position | None:
        """What stands at the view's upper edge, or will when it has stopped gliding; None without a document."""
        if not self.pages or not self._column.sizes:
            return None
        top = self._resting_top
        page = self._column.page_at(top)
        return Position(page, (top - self._column.tops[page - 1]) / self._column.zoom)

    def go_to_position(self, position: Position) -> None:
        if self.pages and position.page <= len(self._column.sizes):
            top = self._column.tops[position.page - 1] + position.down_pt * self._column.zoom
            self._scroll_to(round(top), is_gliding=False)

    @property
    def outline(self) -> tuple[PageBox, ...]:
        return self._outline

    def is_reached(self, boxes: Sequence[PageBox]) -> bool:
        """Whether all of these boxes can be seen where the view is, or is gliding to."""
        shift = self.verticalScrollBar().value() - self._resting_top
        edges = [self.box_on_view(each).translated(0, shift) for each in boxes if each.page <= len(self._column.sizes)]
        return bool(edges) and all(rect.top() >= 0 and rect.bottom() <= self.viewport().height() for rect in edges)

    @property
    def _resting_top(self) -> int:
        """Where the view's upper edge is, or will be when it has stopped gliding."""
        is_gliding = self._glide.state() is QVariantAnimation.State.Running
        return round(self._glide.endValue()) if is_gliding else self.verticalScrollBar().value()

    def box_on_view(self, place: PageBox) -> QRectF:
        """A box of a page in the viewport's coordinates."""
        rect, zoom, box = self._page_rect(place.page), self._column.zoom, place.box
        return QRectF(
            rect.x() + box.x0 * zoom, rect.y() + box.y0 * zoom, (box.x1 - box.x0) * zoom, (box.y1 - box.y0) * zoom
        )

    def point_on_page(self, point: QPoint) -> tuple[int, float, float]:
        """The page at a point of the viewport, and the point on it, in points."""
        number = self._column.page_at(point.y() + self.verticalScrollBar().value())
        right = self._column.row(number)[-1] if self._column.sizes else number
        if right != number and point.x() >= self._page_rect(right).x() - GAP_PX / 2:
            number = right
        rect = self._page_rect(number)
        return number, (point.x() - rect.x()) / self._column.zoom, (point.y() - rect.y()) / self._column.zoom

    # --- zoom ---

    @property
    def zoom(self) -> float:
        """1.0 for 100 %."""
        return self._column.zoom / PIXELS_A_POINT

    def set_fit(self, fit: Fit) -> None:
        self.fit = fit
        page = self.page
        self._refit()
        if fit is Fit.PAGE:
            self.go_to_page(page)

    def set_across(self, across: int) -> None:
        """Show this many pages side by side, one or two, at a zoom that shows all of their width.

        What was read stays in view: two pages are seen whole where they fit, and going back to one leads to where it
        was left, or to the words marked on either page.
        """
        page, row, marked = self.page, self.row, self._marked_in_view()
        left_page, left = self._left_at
        self._left_at = (page, self.position()) if across > 1 else (0, None)
        self.across = across
        self.fit = Fit.WIDTH if self.fit is Fit.NOTHING else self.fit
        self._refit()
        if across > 1:
            if self.pages and self._column.size_px(page)[1] <= self.viewport().height():
                self.go_to_page(page)
        elif left and left_page in row:
            self.go_to_position(left)
        elif marked:
            self.go_to_boxes(marked, is_gliding=False)
        else:
            self.go_to_page(page)

    def _marked_in_view(self) -> Sequence[PageBox]:
        """The current hit, or else the passage, if all of it can be seen."""
        current = self._hits[self._hit] if 0 <= self._hit < len(self._hits) else ()
        return next((each for each in (current, self._outline) if self.is_reached(each)), ())

    def set_zoom(self, zoom: float, *, anchor_px: float | None = None) -> None:
        """Zoom, keeping in place what stands at `anchor_px` below the view's upper edge, or in its middle."""
        self.fit = Fit.NOTHING
        self._rezoom(min(max(zoom, _ZOOMS[0]), _ZOOMS[-1]) * PIXELS_A_POINT, anchor_px)

    def zoom_by(self, steps: int, *, anchor_px: float | None = None) -> None:
        """Go some steps up or down the usual zooms."""
        for _ in range(abs(steps)):
            if steps > 0:
                zoom = next((each for each in _ZOOMS if each > self.zoom + 0.005), _ZOOMS[-1])
            else:
                zoom = next((each for each in reversed(_ZOOMS) if each < self.zoom - 0.005), _ZOOMS[0])
            self.set_zoom(zoom, anchor_px=anchor_px)

    def retry(self) -> None:
        self.loader.forgive(self._seen)
        self.failed.emit(None)
        self._ask()
        self.viewport().update()

    # --- selection and references ---

    def select_page(self) -> None:
        self.selection.select_page(self.page)
        self.viewport().update()

    def select_nothing(self) -> None:
        self.selection.clear()
        self.viewport().update()

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
        if self._chosen:
            chosen, self._chosen = self._chosen[1], None
            self.link_followed.emit(chosen)

    def _references(self, number: int) -> tuple[PageLink, ...]:
        text = self.loader.texts.get(number)
        return tuple(link for link in text.links if link.reference) if text else ()

    # --- layout ---

    def _fitting(self, sizes: Sequence[PageSize]) -> float:
        """The zoom that fits, taken from the room of the whole view.

        Taken from the viewport, it would bring a scroll bar, which narrows that, and take it away again, for ever.
        """
        room = self.maximumViewportSize()
        zoom = self._fitted(sizes, room.width(), room.height())
        if PageColumn.lay_out(sizes, zoom, self._across(sizes)).height_px > room.height():
            zoom = self._fitted(sizes, room.width() - self.verticalScrollBar().sizeHint().width(), room.height())
        return zoom

    def _fitted(self, sizes: Sequence[PageSize], width_px: int, height_px: int) -> float:
        if self.fit is Fit.WIDTH:
            zoom = fit_width(sizes, width_px, self._across(sizes))
        elif self.fit is Fit.PAGE and sizes:
            zoom = fit_page(sizes[max(self.page, 1) - 1], width_px, height_px, self._across(sizes))
        else:
            return self._column.zoom
        return min(max(zoom, _ZOOMS[0] * PIXELS_A_POINT), _ZOOMS[-1] * PIXELS_A_POINT)

    def _across(self, sizes: Sequence[PageSize]) -> int:
        """How many pages of a document stand side by side: there may be but one."""
        return min(self.across, max(len(sizes), 1))

    def _refit(self) -> None:
        self._rezoom(self._fitting(self._column.sizes))

    def _rezoom(self, zoom: float, anchor_px: float | None = None) -> None:
        anchor = self.viewport().height() / 2 if anchor_px is None else anchor_px
        y = self._resting_top + anchor
        page = self._column.page_at(y)
        inside = (y - self._column.tops[page - 1]) / self._column.zoom if self._column.sizes else 0.0
        self._glide.stop()
        self._lay_out(self._column.sizes, zoom)
        if self._column.sizes:
            self.verticalScrollBar().setValue(round(self._column.tops[page - 1] + inside * zoom - anchor))
        self._on_scrolled()
        self.zoom_changed.emit(self.zoom)

    def _lay_out(self, sizes: Sequence[PageSize], zoom: float) -> None:
        self._column = PageColumn.lay_out(sizes, zoom, self._across(sizes))
        self._set_ranges()

    def _set_ranges(self) -> None:
        view = self.viewport().size()
        self.verticalScrollBar().setPageStep(view.height())
        self.verticalScrollBar().setRange(0, max(0, self._column.height_px - view.height()))
        self.horizontalScrollBar().setPageStep(view.width())
        self.horizontalScrollBar().setRange(0, max(0, self._column.width_px - view.width()))
        self.viewport().update()

    def _left(self, number: int) -> float:
        return self._column.left_px(number, self.viewport().width()) - self.horizontalScrollBar().value()

    def _page_rect(self, number: int) -> QRectF:
        width, height = self._column.size_px(number)
        top = self._column.tops[number - 1] - self.verticalScrollBar().value()
        return QRectF(self._left(number), top, width, height)

    def _scroll_to(self, y_px: int, *, is_gliding: bool) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        self._glide.stop()
        y_px = min(max(y_px, bar.minimum()), bar.maximum())
        far = bar.value() - y_px
        if not is_gliding or not self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, self):
            bar.setValue(y_px)
            return
        if abs(far) > height:
            bar.setValue(y_px + (height // 2 if far > 0 else -height // 2))
        self._glide.setStartValue(float(bar.value()))
        self._glide.setEndValue(float(y_px))
        self._glide.start()

    # --- asking for pages ---

    def _visible(self) -> range:
        top = self.verticalScrollBar().value()
        return self._column.pages_between(top, top + self.viewport().height())

    def _on_scrolled(self) -> None:
        self.viewport().update()
        if not self.pages:
            return
        seen = self._visible()
        self.loader.forgive(set(seen) - set(self._seen))
        self._seen = seen
        middle = self._column.page_at(self.verticalScrollBar().value() + self.viewport().height() / 2)
        if middle != self.page:
            self.page = middle
            self.page_changed.emit(middle)
            self.failed.emit(self.loader.failure(middle))
        if not self._asking.isActive():
            self._asking.start()

    def _ask(self) -> None:
        """Ask for the pages in view from the middle outwards, for their neighbours, and for the words."""
        if not self.pages:
            return
        seen, count = self._visible(), len(self._column.sizes)
        scale = self._column.zoom * self.devicePixelRatioF()
        width, height = self._column.size_px(self.page)
        has_room = width * height * self.devicePixelRatioF() ** 2 * _PIXEL_BYTES * (len(seen) + 2) < CACHE_BYTES
        near = [number for number in (seen.start - 1, seen.stop) if has_room and 1 <= number <= count]
        order = sorted(seen, key=lambda number: abs(number - self.page))
        pictures = [self.loader.key(number, scale) for number in (*order, *near)]
        self.loader.want([*pictures[: len(order)], *order, *self.selection.pages, *pictures[len(order) :]])

    def _on_image_loaded(self, number: int, size: PageSize) -> None:
        thought = self._column.sizes[number - 1]
        if abs(thought.width_pt - size.width_pt) > 3 or abs(thought.height_pt - size.height_pt) > 3:
            top = self._column.tops[self.page - 1]
            self._column = self._column.resized(number, size)
            self._set_ranges()
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + self._column.tops[self.page - 1] - top)
        self.viewport().update()

    def _on_failed(self, number: int, problem: Exception) -> None:
        if number == self.page:
            self.failed.emit(problem)
        self.viewport().update()

    # --- events ---

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        with QPainter(self.viewport()) as painter:
            for number in self._visible() if self.pages else ():
                self._paint_page(painter, number)
            if self.hasFocus():
                painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Link), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def _paint_page(self, painter: QPainter, number: int) -> None:
        rect, ratio = self._page_rect(number), self.devicePixelRatioF()
        key = self.loader.key(number, self._column.zoom * ratio)
        image = self.loader.images.get(key) or self.loader.images.stand_in(key)
        draw_paper(painter, rect, image, ratio)
        if image is None:  # without marks: on blank paper they would look like lines struck out
            problem = self.loader.failure(number)
            draw_note(painter, rect, f"Sheet {number} cannot be shown" if problem else f"Sheet {number}")
            return
        draw_look(painter, rect, self._look(number), self._column.zoom)

    def _look(self, number: int) -> PageLook:
        hits = tuple(
            (place.box, at == self._hit) for at, hit in enumerate(self._hits) for place in hit if place.page == number
        )
        outline = tuple(each.box for each in self._outline if each.page == number)
        alerts = tuple(place.box for each in self._alerts for place in each.boxes if place.page == number)
        references = tuple((link.box, (number, link) == self._chosen) for link in self._references(number))
        return PageLook(outline, hits, self.selection.boxes(number), alerts, references)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.fit is Fit.NOTHING:
            self._set_ranges()
            self._on_scrolled()
        else:
            self._refit()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.DevicePixelRatioChange:
            self._asking.start()
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._glide.stop()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(round(event.angleDelta().y() / _WHEEL_STEP), anchor_px=event.position().y())
            event.accept()
        else:
            super().wheelEvent(event)

    def _scroll_along(self) -> None:
        y = self.viewport().mapFromGlobal(self.cursor().pos()).y()
        beyond = min(y, 0) + max(y - self.viewport().height(), 0)
        if beyond:
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + beyond)
            self._extend(self.viewport().mapFromGlobal(self.cursor().pos()))

    def _extend(self, point: QPoint) -> None:
        self.selection.extend(point)
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or not self.pages:
            return
        point = event.position().toPoint()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self.selection.is_begun:
            self.selection.extend(point)
        else:
            self._pressed = self._link_at(point)
            self.selection.begin(point)
        self.viewport().update()
        self._drag.start()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.pages:
            self.selection.begin(event.position().toPoint(), is_by_word=True)
            self.viewport().update()
            self._drag.start()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
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

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag.stop()
        pressed, self._pressed = self._pressed, None
        if pressed and not self.selection.selected and self._link_at(event.position().toPoint()) == pressed:
            self.link_followed.emit(pressed)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        if self.pages:
            self.menu_asked.emit(None if is_by_key else self.viewport().mapFromGlobal(event.globalPos()))

    def _link_at(self, point: QPoint) -> PageLink | None:
        number, x_pt, y_pt = self.point_on_page(point)
        text = self.loader.texts.get(number)
        inside = (
            each
            for each in (text.links if text else ())
            if each.box.x0 <= x_pt <= each.box.x1 and each.box.y0 <= y_pt <= each.box.y1
        )
        return next(inside, None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
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
        elif key is Qt.Key.Key_Escape and self.selection.selected:
            self.select_nothing()
        else:
            super().keyPressEvent(event)
