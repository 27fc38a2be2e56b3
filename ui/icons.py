"""Signs drawn as lines, in any colour and sharp at any scale."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_DRAWN_PX = 88
"""Sharp at 22 points on a screen of scale 4."""
_SHAPES = {
    "home": '<path d="M4 11 12 4l8 7v9h-5.5v-6h-5v6H4z"/>',
    "search": '<circle cx="10.5" cy="10.5" r="6.5"/><path d="M15.5 15.5 21 21"/>',
    "briefs": '<path d="M6 3h8l4 4v14H6z"/><path d="M14 3v4h4M9 12h6M9 16h6"/>',
    "arguments": '<path d="M5 5h14v11h-7l-4 4v-4H5z"/><path d="M8.5 9h7M8.5 12h5"/>',
    "matters": '<path d="M3 7V5.5h6.5L11.5 8H21v11.5H3z"/><path d="M12 11v5.5M9.2 13.8h5.6"/>',
    "draft": '<path d="M6 3h8l4 4v14H6z"/><path d="M14 3v4h4"/><path d="M9 14l2.3 2.3L15.5 12"/>',
    "authorities": '<path d="M12 4v16M8 20h8M5 7h14M5 7l-2.6 6h5.2zM19 7l-2.6 6h5.2z"/>',
    "checklists": '<path d="M11 6h10M11 12h10M11 18h10M3 6l1.8 1.8L8 4.5M3 12l1.8 1.8L8 10.5M3.5 16l4 4M7.5 16l-4 4"/>',
    "outline": '<path d="M4 6h16M8 11h12M8 16h12M4 11h.5M4 16h.5"/>',
    "beside": '<path d="M3 5h18v14H3zM12 5v14"/>',
    "menu": '<path d="M4 7h16M4 12h16M4 17h16"/>',
}
_DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="{colour}" stroke-width="1.7" '
    'stroke-linecap="round" stroke-linejoin="round">{shape}</svg>'
)


@cache
def icon(name: str, colour: str) -> QIcon:
    """Return an icon by its name, its lines in `colour` ("#1d1f23"). Raises KeyError for a name that is not known."""
    drawing = _DRAWING.format(colour=colour, shape=_SHAPES[name])
    picture = QPixmap(_DRAWN_PX, _DRAWN_PX)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(picture.rect()))
    painter.end()
    return QIcon(picture)
