"""Where a window stands: as it was left on this screen, and never larger than the screen has room for.

Kept for each screen by name and size, so that a laptop with and without its large screen finds both as they were left.
Knows no particular window.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QMargins, QPoint, QRect, QSettings, QSize, Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QDialog, QSplitter, QWidget

_FRAME_PX = QMargins(4, 37, 4, 4)
"""Kept free for the frame, whose size the system tells only when the window is shown. 37 holds the title bars of GNOME
and of Windows 11; where one is lower, that much of the screen stays free."""
_CASCADE_PX = 32
"""How far a second window stands from the first, both ways: its title bar leaves that of the first in sight."""
MAIN = "window"
"""The name under which the place of the first window is kept."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a window was left: the inside of its frame, in device-independent pixels from the corner of its screen, as
    it was before it was maximised.
    """

    rect: QRect
    is_maximised: bool = False


def fitted(wished: QRect, room: QRect) -> QRect:
    """Return `wished`, made no larger than `room` and moved by as little as brings it inside."""
    size = wished.size().boundedTo(room.size())
    left = max(room.x(), min(wished.x(), room.x() + room.width() - size.width()))
    top = max(room.y(), min(wished.y(), room.y() + room.height() - size.height()))
    return QRect(QPoint(left, top), size)


def room_of(screen: QScreen) -> QRect:
    """Return what a screen has for the inside of a window: less the task bar, and a frame."""
    return screen.availableGeometry().marginsRemoved(_FRAME_PX)


def restore(window: QWidget, size: QSize, *splitters: QSplitter, name: str = MAIN) -> bool:
    """Place a window that is not shown yet where it was left; the first time `size` large, in the middle of its screen.

    It is known by `name`, each splitter by its `objectName`. A least size of the window that the screen has no room for
    is lowered. Returns whether it was ever left on this screen.
    """
    kept = QSettings()
    last = str(kept.value(f"{name}/screen", ""))
    screen = _screen(last, name)
    group = _group(screen, name)
    room, corner = room_of(screen), screen.geometry().topLeft()
    place = _place(kept, group)
    wished = place.rect.translated(corner) if place else _middle(size, room)
    if not place and (elsewhere := _place(kept, last)):
        wished = _middle(elsewhere.rect.size(), room)
    window.setMinimumSize(window.minimumSize().boundedTo(room.size()))
    window.setGeometry(fitted(wished, room))
    if place and place.is_maximised:
        window.setWindowState(Qt.WindowState.WindowMaximized)
    for each in splitters:
        state = kept.value(f"{group}/{each.objectName()}")
        if isinstance(state, QByteArray):
            each.restoreState(state)
    return place is not None


def cascade(window: QWidget, other: QWidget) -> None:
    """Place a window that is not shown yet over another one, as large, so that the other can still be seen."""
    rect = other.normalGeometry() if other.isMaximized() else other.geometry()
    window.setGeometry(fitted(rect.translated(_CASCADE_PX, _CASCADE_PX), room_of(other.screen())))


def fit(dialog: QDialog, screen: QScreen) -> None:
    """Make a dialog that is not shown yet as large as its contents ask for, and no larger than its screen.

    Qt itself gives a dialog two thirds of the screen at most, which cuts buttons where the text is large.
    """
    wanted, layout = dialog.sizeHint(), dialog.layout()
    if layout and layout.hasHeightForWidth():
        wanted.setHeight(layout.totalHeightForWidth(wanted.width()))
    if dialog.testAttribute(Qt.WidgetAttribute.WA_Resized):
        wanted = wanted.expandedTo(dialog.size())
    dialog.resize(wanted.boundedTo(room_of(screen).size()))


def keep(window: QWidget, *splitters: QSplitter, name: str = MAIN) -> None:
    """Remember where a window stands, for the screen that it stands on."""
    kept, screen = QSettings(), window.screen()
    group, rect = _group(screen, name), window.normalGeometry() if window.isMaximized() else window.geometry()
    rect = rect.translated(-screen.geometry().topLeft())
    kept.setValue(f"{name}/screen", group)
    kept.setValue(f"{group}/place", f"{rect.x()} {rect.y()} {rect.width()} {rect.height()} {int(window.isMaximized())}")
    for each in splitters:
        kept.setValue(f"{group}/{each.objectName()}", each.saveState())


def _screen(last: str, name: str) -> QScreen:
    """The screen that the window was on last, where it is there; else the main one."""
    screens = QGuiApplication.screens()
    return next((each for each in screens if _group(each, name) == last), QGuiApplication.primaryScreen())


def _group(screen: QScreen, name: str) -> str:
    """The settings' group of a screen, whose name may hold slashes, which would begin groups of their own."""
    size = screen.geometry().size()
    return f"{name}/{re.sub('[^A-Za-z0-9-]+', '-', screen.name())} {size.width()}x{size.height()}"


def _middle(size: QSize, room: QRect) -> QRect:
    return QRect(room.center() - QPoint(size.width() // 2, size.height() // 2), size)


def _place(kept: QSettings, group: str) -> Place | None:
    """What was kept for a screen; nothing where nothing was, or what is there is damaged."""
    written = re.fullmatch(r"(-?\d{1,5}) (-?\d{1,5}) (\d{1,5}) (\d{1,5}) ([01])", str(kept.value(f"{group}/place", "")))
    if not written:
        return None
    *numbers, is_maximised = map(int, written.groups())
    return Place(QRect(*numbers), bool(is_maximised))
