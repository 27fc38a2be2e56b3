"""Where pages lie in one long column, one or two side by side, and which of them a view of it sees.

Arithmetic only, knows no widget.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from briefbank.values import PageSize

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
    def of(cls, sizes: Sequence[PageSize], zoom: float, across: int = 1) -> PageColumn:
        """Lay pages out."""
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
        """Width and height of a page."""
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
        return PageColumn.of(sizes, self.zoom, self.across)


def fit_width(sizes: Sequence[PageSize], width_px: int, across: int = 1) -> float:
    """The zoom at which the widest page, or two as wide, fill a view."""
    widest = max((size.width_pt for size in sizes), default=612.0)
    return max(1, width_px - (across + 1) * GAP_PX) / (across * widest)


def fit_page(size: PageSize, width_px: int, height_px: int, across: int = 1) -> float:
    """The zoom at which a page, or two such side by side, are seen whole."""
    return min(fit_width([size], width_px, across), max(1, height_px - 2 * GAP_PX) / size.height_pt)
