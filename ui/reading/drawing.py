"""Where pages lie in one long column, and how one looks: paper, picture, outline, hits, selection. Knows no events.

Paper is white in the dark scheme too, so that everything drawn on it takes the colours of the light one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF, QTextOption

from briefbank.values.pages import PageSize
from briefbank.values.records import Box
from ui import theme

GAP_PX = 12
"""Between pages, and around the column."""


@dataclass(frozen=True, slots=True)
class PageColumn:
    """Pages one below the other, or in rows of two, at `zoom` device-independent pixels a point; counted from 1."""

    sizes: tuple[PageSize, ...]
    zoom: float
    tops: tuple[int, ...]
    """The upper edge of each page, and behind the last one the end of the column."""
    across: int = 1
    """How many pages stand side by side."""

    @classmethod
    def lay_out(cls, sizes: Sequence[PageSize], zoom: float, across: int = 1) -> PageColumn:
        rows = [sizes[at : at + across] for at in range(0, len(sizes), across)]
        steps = (max(round(size.height_pt * zoom) for size in row) + GAP_PX for row in rows)
        *tops, end = accumulate(steps, initial=GAP_PX)
        each = (top for top, row in zip(tops, rows, strict=True) for _ in row)
        return cls(tuple(sizes), zoom, (*each, end), across)

    @property
    def height_px(self) -> int:
        return self.tops[-1]

    @property
    def width_px(self) -> int:
        """The width of the widest page, as often as pages stand side by side, with space on all sides."""
        widest = max((size.width_pt for size in self.sizes), default=0.0)
        return round(self.across * widest * self.zoom) + (self.across + 1) * GAP_PX

    def size_px(self, number: int) -> tuple[int, int]:
        size = self.sizes[number - 1]
        return round(size.width_pt * self.zoom), round(size.height_pt * self.zoom)

    def page_at(self, y_px: float) -> int:
        """The page at a height, the left one of a row, the gap below it included; the first or last where there is
        none.
        """
        number = max(1, min(bisect_right(self.tops, y_px), len(self.sizes)))
        return number - (number - 1) % self.across

    def row(self, number: int) -> range:
        """The pages that stand side by side with a page, itself among them."""
        first = number - (number - 1) % self.across
        return range(first, min(first + self.across, len(self.sizes) + 1))

    def left_px(self, number: int, room_px: int) -> int:
        """The left edge of a page in a view that is at least `room_px` wide: two meet in its middle."""
        width, middle = self.size_px(number)[0], max(self.width_px, room_px) / 2
        if self.across == 1:
            return round(middle - width / 2)
        is_left = number == self.row(number).start
        return round(middle - GAP_PX / 2 - width if is_left else middle + GAP_PX / 2)

    def pages_between(self, top_px: float, bottom_px: float) -> range:
        """The pages that a view from `top_px` to `bottom_px` touches."""
        if not self.sizes:
            return range(0)
        return range(self.page_at(top_px), self.row(self.page_at(bottom_px)).stop)

    def resized(self, number: int, size: PageSize) -> PageColumn:
        """The column with one page of another size than was thought."""
        sizes = (*self.sizes[: number - 1], size, *self.sizes[number:])
        return PageColumn.lay_out(sizes, self.zoom, self.across)


def fit_width(sizes: Sequence[PageSize], width_px: int, across: int = 1) -> float:
    """The zoom at which the widest page, or two as wide, fill a view."""
    widest = max((size.width_pt for size in sizes), default=612.0)
    return max(1, width_px - (across + 1) * GAP_PX) / (across * widest)


def fit_page(size: PageSize, width_px: int, height_px: int, across: int = 1) -> float:
    """The zoom at which a page, or two such side by side, are seen whole."""
    return min(fit_width([size], width_px, across), max(1, height_px - 2 * GAP_PX) / size.height_pt)


_OUTLINE_PX, _HIT_PX, _REFERENCE_PX = 2.0, 1.5, 1.0
_ALERT_PX, SIGN_PX = 2.0, 14
_OUTLINE_SPACE_PT, _HIT_SPACE_PT = 4.0, 1.0
_APART = 4.0
"""Line heights between two lines from which an outline is drawn around each of them alone."""

_SELECTED_ALPHA = 80


@dataclass(frozen=True, slots=True)
class PageLook:
    """What is drawn on one page, in its points; `current` is the number, from 0, of the hit that stands out."""

    outline: tuple[Box, ...] = ()
    hits: tuple[tuple[Box, bool], ...] = ()
    """Boxes of matched words, and whether they belong to the current hit."""
    selected: tuple[Box, ...] = ()
    alerts: tuple[Box, ...] = ()
    """Where something is cited that the office warns of."""
    references: tuple[tuple[Box, bool], ...] = ()
    """Words that refer to another place of the document, and whether they are the ones chosen."""


def draw_paper(painter: QPainter, rect: QRectF, image: QImage | None, ratio: float) -> None:
    """Draw the paper with its picture, stretched where it was made for another size."""
    line = QColor(theme.colours().line)
    painter.fillRect(rect.adjusted(-1, -1, 1, 1), line)
    painter.fillRect(rect, Qt.GlobalColor.white)
    if image is None:
        return
    if abs(image.width() - rect.width() * ratio) <= 2 and abs(image.height() - rect.height() * ratio) <= 2:
        image.setDevicePixelRatio(ratio)
        painter.drawImage(rect.topLeft(), image)
    else:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(rect, image, QRectF(image.rect()))


def draw_note(painter: QPainter, rect: QRectF, text: str) -> None:
    """Write a note on a page that has no picture (yet)."""
    painter.setPen(QColor(theme.LIGHT.muted))
    option = QTextOption(Qt.AlignmentFlag.AlignCenter)
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    painter.drawText(rect.adjusted(24, 24, -24, -24), text, option)


def draw_look(painter: QPainter, rect: QRectF, look: PageLook, zoom: float) -> None:
    """Draw hits, selection and outline over the page's picture; what is printed stays legible under them."""
    painter.save()
    painter.setClipRect(rect)
    painter.translate(rect.topLeft())
    painter.scale(zoom, zoom)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
    for box, _ in look.hits:
        painter.fillRect(_rect(box, _HIT_SPACE_PT), QColor(theme.LIGHT.mark))
    chosen = QColor(theme.LIGHT.accent)
    chosen.setAlpha(_SELECTED_ALPHA)
    for box in look.selected:
        painter.fillRect(_rect(box, 0.0), chosen)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(_pen(theme.LIGHT.outline, _OUTLINE_PX))
    painter.drawPath(outline_path(look.outline))
    painter.setPen(_pen(theme.LIGHT.warning, _HIT_PX))
    for box, is_current in look.hits:
        if is_current:
            painter.drawRect(_rect(box, _HIT_SPACE_PT))
    painter.setPen(_pen(theme.LIGHT.accent, _HIT_PX))
    for box, is_chosen in look.references:
        if is_chosen:
            painter.drawRect(_rect(box, _HIT_SPACE_PT))
    painter.setPen(_pen(theme.LIGHT.accent, _REFERENCE_PX, Qt.PenStyle.DotLine))
    for box, _ in look.references:
        painter.drawLine(QPointF(box.x0, box.y1), QPointF(box.x1, box.y1))
    painter.restore()
    _draw_alerts(painter, rect, look.alerts, zoom)


def _draw_alerts(painter: QPainter, page: QRectF, boxes: Sequence[Box], zoom: float) -> None:
    """Underline citations, with a warning sign beside the first of lines that follow each other."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for above, box in zip((None, *boxes), boxes, strict=False):
        line = QRectF(page.x() + box.x0 * zoom, page.y() + box.y1 * zoom, (box.x1 - box.x0) * zoom, _ALERT_PX)
        painter.fillRect(line, QColor(theme.LIGHT.warning))
        if not above or not _follows(above, box):
            _draw_sign(painter, page.x() + SIGN_PX / 2, page.y() + (box.y0 + box.y1) / 2 * zoom)
    painter.restore()


def _draw_sign(painter: QPainter, left: float, middle: float) -> None:
    """Draw a warning sign, at the edge of the paper, where no print is."""
    sign = QPolygonF(
        [
            QPointF(left + SIGN_PX / 2, middle - SIGN_PX / 2),
            QPointF(left + SIGN_PX, middle + SIGN_PX / 2),
            QPointF(left, middle + SIGN_PX / 2),
        ]
    )
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.LIGHT.warning))
    painter.drawPolygon(sign)
    painter.setPen(QColor(Qt.GlobalColor.white))
    face = painter.font()
    face.setPixelSize(SIGN_PX * 3 // 4)
    face.setBold(True)
    painter.setFont(face)
    painter.drawText(sign.boundingRect().adjusted(0, 2, 0, 1), Qt.AlignmentFlag.AlignCenter, "!")


def outline_path(lines: Sequence[Box]) -> QPainterPath:
    """One contour around lines that follow each other, as a selection would show them; in points."""
    path = QPainterPath()
    block: list[Box] = []
    for box in lines:
        if block and not _follows(block[-1], box):
            path.addPath(_contour(block))
            block = []
        block.append(box)
    if block:
        path.addPath(_contour(block))
    return path


def _follows(above: Box, below: Box) -> bool:
    height = max(above.y1 - above.y0, 1.0)
    return above.y0 < below.y0 < above.y1 + _APART * height


def _contour(lines: Sequence[Box]) -> QPainterPath:
    """First line from its own start, last one to its own end, those between over the whole width."""
    space = _OUTLINE_SPACE_PT
    left, right = min(box.x0 for box in lines) - space, max(box.x1 for box in lines) + space
    edges = [(above.y1 + below.y0) / 2 for above, below in pairwise(lines)]
    tops = [lines[0].y0 - space, *edges]
    bottoms = [*edges, lines[-1].y1 + space]
    joined = QPainterPath()
    for at, (box, top, bottom) in enumerate(zip(lines, tops, bottoms, strict=True)):
        x0 = box.x0 - space if at == 0 else left
        x1 = box.x1 + space if at == len(lines) - 1 else right
        part = QPainterPath()
        part.addRect(QRectF(QPointF(x0, top), QPointF(x1, bottom)))
        joined = joined.united(part)
    return joined.simplified()


def _rect(box: Box, space: float) -> QRectF:
    return QRectF(QPointF(box.x0 - space, box.y0 - space), QPointF(box.x1 + space, box.y1 + space))


def _pen(colour: str, width_px: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    pen = QPen(QColor(colour), width_px, style)
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen
