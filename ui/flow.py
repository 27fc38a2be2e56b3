"""Layouts: columns and rows, and a row that goes on in the next line where the window is narrow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLayout, QLayoutItem, QVBoxLayout, QWidget

from ui.theme import UNIT_PX

Part = QWidget | QLayout
Margins = tuple[int, int, int, int]
_Parts = Part | int | tuple[Part, int | Qt.AlignmentFlag]
_Box = TypeVar("_Box", QVBoxLayout, QHBoxLayout)
_TO_THE_EDGES: Margins = (0, 0, 0, 0)


def column_of(
    *parts: _Parts, within: QWidget | None = None, spacing_px: int = UNIT_PX, margins_px: Margins | None = _TO_THE_EDGES
) -> QVBoxLayout:
    """Return parts one below the other within a widget, with margins (left, top, right, bottom); None: those of the
    style. A part may have a stretch or an alignment; a number alone is a stretch without a part.
    """
    return _filled(QVBoxLayout(within) if within else QVBoxLayout(), parts, spacing_px, margins_px)


def row_of(
    *parts: _Parts, within: QWidget | None = None, spacing_px: int = UNIT_PX, margins_px: Margins | None = _TO_THE_EDGES
) -> QHBoxLayout:
    """As `column_of`, side by side."""
    return _filled(QHBoxLayout(within) if within else QHBoxLayout(), parts, spacing_px, margins_px)


def _filled(layout: _Box, parts: Iterable[_Parts], spacing_px: int, margins_px: Margins | None) -> _Box:
    if margins_px is not None:
        layout.setContentsMargins(*margins_px)
    layout.setSpacing(spacing_px)
    for each in parts:
        if isinstance(each, int):
            layout.addStretch(each)
            continue
        part, how = each if isinstance(each, tuple) else (each, 0)
        stretch, alignment = (0, how) if isinstance(how, Qt.AlignmentFlag) else (how, Qt.AlignmentFlag(0))
        if isinstance(part, QLayout):
            layout.addLayout(part, stretch)
        else:
            layout.addWidget(part, stretch, alignment)
    return layout


@dataclass(frozen=True, slots=True)
class _Placed:
    """A widget's place, and the number of its group."""

    item: QLayoutItem
    group: int
    size: QSize


class FlowLayout(QLayout):
    """Groups of widgets in one line with the room that is left between them, or in as many lines as they need.

    A group begins a new line before it is broken, and a widget gets a whole line before it is made narrower.
    """

    def __init__(
        self, parent: QWidget | None = None, *, spacing_px: int = 0, between_px: int = 0, lines_px: int = 0
    ) -> None:
        """Begin empty; `between_px` is the least room between groups, `spacing_px` that inside of one, `lines_px` that
        between lines, which buttons with a frame need.
        """
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._groups: list[int] = []
        self._between_px, self._lines_px = between_px, lines_px
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing_px)

    def add_group(self, *widgets: QWidget) -> None:
        """Add widgets that stay together as long as there is room."""
        group = self._groups[-1] + 1 if self._groups else 0
        for widget in widgets:
            self._groups.append(group)
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        if not 0 <= index < len(self._items):
            return None
        del self._groups[index]
        return self._items.pop(index)

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width_px: int) -> int:
        margins = self.contentsMargins()
        lines = self._lines(width_px - margins.left() - margins.right())
        gaps = self._lines_px * max(len(lines) - 1, 0)
        return sum(map(_height, lines)) + gaps + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        sizes = [_hint(item) for item in self._items if not item.isEmpty()]
        groups = {group for item, group in zip(self._items, self._groups, strict=True) if not item.isEmpty()}
        width = sum(size.width() for size in sizes) + self.spacing() * max(len(sizes) - len(groups), 0)
        width += self._between_px * max(len(groups) - 1, 0)
        return self._with_margins(QSize(width, max((size.height() for size in sizes), default=0)))

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._items if not item.isEmpty()]
        width = max((size.width() for size in sizes), default=0)
        return self._with_margins(QSize(width, max((size.height() for size in sizes), default=0)))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        room = rect.marginsRemoved(self.contentsMargins())
        parent = self.parentWidget()
        is_mirrored = parent is not None and parent.isRightToLeft()
        top = room.top()
        for line in self._lines(room.width()):
            height = _height(line)
            for left, placed in self._across(line, room.width()):
                x = room.width() - left - placed.size.width() if is_mirrored else left
                y = top + (height - placed.size.height()) // 2
                placed.item.setGeometry(QRect(QPoint(room.left() + x, y), placed.size))
            top += height + self._lines_px

    def _with_margins(self, size: QSize) -> QSize:
        margins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _lines(self, width_px: int) -> list[list[_Placed]]:
        lines: list[list[_Placed]] = []
        used = 0
        for group in self._whole_groups(width_px):
            together = sum(placed.size.width() for placed in group) + self.spacing() * (len(group) - 1)
            if lines and used + self._between_px + together <= width_px:
                lines[-1] += group
                used += self._between_px + together
                continue
            used = width_px + 1  # a group that does not fit begins a line
            for placed in group:
                if used + self.spacing() + placed.size.width() <= width_px:
                    lines[-1].append(placed)
                    used += self.spacing() + placed.size.width()
                else:
                    lines.append([placed])
                    used = placed.size.width()
        return lines

    def _whole_groups(self, width_px: int) -> list[list[_Placed]]:
        groups: dict[int, list[_Placed]] = {}
        for item, group in zip(self._items, self._groups, strict=True):
            if not item.isEmpty():
                groups.setdefault(group, []).append(_Placed(item, group, _size(item, width_px)))
        return list(groups.values())

    def _across(self, line: Sequence[_Placed], width_px: int) -> list[tuple[int, _Placed]]:
        """How far from the start of its line each widget stands."""
        breaks = [at for at in range(1, len(line)) if line[at].group != line[at - 1].group]
        inner = self.spacing() * (len(line) - 1 - len(breaks))
        left_over = max(width_px - sum(placed.size.width() for placed in line) - inner, 0)
        found, left, passed = [], 0, 0
        for at, placed in enumerate(line):
            if at in breaks:
                passed += 1
            elif at:
                left += self.spacing()
            found.append((left + (left_over * passed // len(breaks) if breaks else 0), placed))
            left += placed.size.width()
        return found


def _hint(item: QLayoutItem) -> QSize:
    """The size that a widget would like; Qt's own answer leaves out the width of one that can be cut."""
    widget = item.widget()
    wished = widget.sizeHint() if widget else item.sizeHint()
    return wished.expandedTo(item.minimumSize()).boundedTo(item.maximumSize())


def _size(item: QLayoutItem, width_px: int) -> QSize:
    size = _hint(item)
    width = max(min(size.width(), width_px), item.minimumSize().width())
    return QSize(width, item.heightForWidth(width) if item.hasHeightForWidth() else size.height())


def _height(line: Sequence[_Placed]) -> int:
    return max(placed.size.height() for placed in line)
