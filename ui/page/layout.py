"""Where pages lie in one long column, and which of them a view of it sees: arithmetic only, knows no widget."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from briefbank.reports import PageSize

GAP_PX = 12
"""Between pages, and around the column."""


@dataclass(frozen=True, slots=True)
class PageColumn:
    """Pages one below the other at `zoom` device-independent pixels a point; numbers count from 1."""

    sizes: tuple[PageSize, ...]
    zoom: float
    tops: tuple[int, ...]
    """The upper edge of each page, and behind the last one the end of the column."""

    @classmethod
    def of(cls, sizes: Sequence[PageSize], zoom: float) -> PageColumn:
        """Lay pages out."""
        steps = (round(size.height_pt * zoom) + GAP_PX for size in sizes)
        return cls(tuple(sizes), zoom, tuple(accumulate(steps, initial=GAP_PX)))

    @property
    def height_px(self) -> int:
        return self.tops[-1]

    @property
    def width_px(self) -> int:
        """The width of the widest page with space on both sides."""
        return round(max((size.width_pt for size in self.sizes), default=0.0) * self.zoom) + 2 * GAP_PX

    def size_px(self, number: int) -> tuple[int, int]:
        """Width and height of a page."""
        size = self.sizes[number - 1]
        return round(size.width_pt * self.zoom), round(size.height_pt * self.zoom)

    def page_at(self, y_px: float) -> int:
        """The page at a height, the gap below it included; the first or last where there is none."""
        return max(1, min(bisect_right(self.tops, y_px), len(self.sizes)))

    def pages_between(self, top_px: float, bottom_px: float) -> range:
        """The pages that a view from `top_px` to `bottom_px` touches."""
        return range(self.page_at(top_px), self.page_at(bottom_px) + 1) if self.sizes else range(0)

    def resized(self, number: int, size: PageSize) -> PageColumn:
        """The column with one page of another size than was thought."""
        sizes = (*self.sizes[: number - 1], size, *self.sizes[number:])
        return PageColumn.of(sizes, self.zoom)


def fit_width(sizes: Sequence[PageSize], width_px: int) -> float:
    """The zoom at which the widest page fills a view."""
    widest = max((size.width_pt for size in sizes), default=612.0)
    return max(1, width_px - 2 * GAP_PX) / widest


def fit_page(size: PageSize, width_px: int, height_px: int) -> float:
    """The zoom at which a page is seen whole."""
    return min(max(1, width_px - 2 * GAP_PX) / size.width_pt, max(1, height_px - 2 * GAP_PX) / size.height_pt)
