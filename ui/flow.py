"""A row of widgets that goes on in the next line where the window is narrow. Knows no widget of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


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

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802
        """Take what Qt adds."""
        self._items.append(item)

    def count(self) -> int:
        """Tell Qt how many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        """Give Qt an item."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        """Give Qt an item and forget it."""
        if not 0 <= index < len(self._items):
            return None
        del self._groups[index]
        return self._items.pop(index)

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802
        """Take more width, and no more height than is needed."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Answer Qt: the narrower, the higher."""
        return True

    def heightForWidth(self, width_px: int) -> int:  # noqa: N802
        """Return the height of all lines."""
        margins = self.contentsMargins()
        lines = self._lines(width_px - margins.left() - margins.right())
        gaps = self._lines_px * max(len(lines) - 1, 0)
        return sum(map(_height, lines)) + gaps + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the size of everything in one line."""
        sizes = [_hint(item) for item in self._items if not item.isEmpty()]
        groups = {group for item, group in zip(self._items, self._groups, strict=True) if not item.isEmpty()}
        width = sum(size.width() for size in sizes) + self.spacing() * max(len(sizes) - len(groups), 0)
        width += self._between_px * max(len(groups) - 1, 0)
        return self._with_margins(QSize(width, max((size.height() for size in sizes), default=0)))

    def minimumSize(self) -> QSize:  # noqa: N802
        """Return the size of the widest widget at its narrowest."""
        sizes = [item.minimumSize() for item in self._items if not item.isEmpty()]
        width = max((size.width() for size in sizes), default=0)
        return self._with_margins(QSize(width, max((size.height() for size in sizes), default=0)))

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802
        """Place the widgets, each line in the middle of its height."""
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
        """Which widgets stand in which line."""
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
