"""Columns of running text on a page, found by the white between them, in whatever order they are drawn.

Readers put lines in order by them, and structure judges a line by the width of its column. Knows boxes and their texts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from statistics import median
from typing import NamedTuple

from briefbank.values.records import Box

# Chosen on pages made up for this: columns of laws and reviews, and of transcripts with four pages on a sheet.
_EDGE_STEP_PT = 3.0
"""Left edges are counted in steps of this."""
_LEAST_LINES = 10
"""Lines that a column has at least; captions and most tables of briefs have fewer."""
_LEAST_SHARE = 0.2
"""Share of the page's text that a column is wide, at least: numbers of lines and pages are narrower."""
_FILLED = 0.72
"""Share of its column that a line of running text fills, as the median of all; captions and cells do less."""
_LEAST_NUMBERS = 0.6
"""Share of the lines at the left edge of a column that are numbers where it is the page of a transcript."""
_MORE_SPACE, _LEVEL_PT, _LEAST_ROWS = 1.3, 2.0, 2
"""Two lines on one level, each with so much more space above it than the others of its column, begin a row of a table;
so many rows make one."""
_PAGE_LABEL = re.compile(r"(?:page|pg\.?)\s*(\d{1,4})", re.IGNORECASE)


class Place(NamedTuple):
    """Where a line stands among columns: the `order` of its column within its region of the page, both counted as they
    are read, and the edges of the column.
    """

    region: int
    order: int
    x0: float
    x1: float


class _Item(NamedTuple):
    number: int
    box: Box
    text: str


def places_in_columns(boxes: Sequence[Box], texts: Sequence[str]) -> dict[int, Place]:
    """The places of those pieces of lines that stand in columns, by their index; none on a page with one column.

    What lies across the columns ends them: they begin anew below it, in another region.
    """
    items = [_Item(number, box, text) for number, (box, text) in enumerate(zip(boxes, texts, strict=True))]
    placed = {}
    for region, columns in enumerate(_columns(items)):
        for order, column in enumerate(columns):
            x0, x1 = min(item.box.x0 for item in column), max(item.box.x1 for item in column)
            placed.update({item.number: Place(region, order, x0, x1) for item in column})
    return placed


def _columns(items: Sequence[_Item]) -> list[list[list[_Item]]]:
    """The regions of a page, down the page, that have columns: these in the order in which they are read."""
    for edge in _edges(items):
        pairs = [pair for pair in _regions(items, edge) if _are_columns(*pair, items)]
        if pairs:
            return [_by_page([column for side in pair for column in _within(side)]) for pair in pairs]
    return []


def _within(side: list[_Item]) -> list[list[_Item]]:
    """The columns of one side, or that side as one."""
    return [column for region in _columns(side) for column in region] or [side]


def _edges(items: Sequence[_Item]) -> list[float]:
    """The left edges that many pieces share, but for the first."""
    counts = Counter(round(item.box.x0 / _EDGE_STEP_PT) for item in items)
    first = min(counts, default=0)
    near = {step: counts[step - 1] + counts[step] + counts[step + 1] for step in counts}
    return [_EDGE_STEP_PT * (step - 1.5) for step in sorted(near) if step > first + 3 and near[step] >= _LEAST_LINES]


def _regions(items: Sequence[_Item], edge: float) -> Iterator[tuple[list[_Item], list[_Item]]]:
    """What stands to the left and to the right of an edge, between the pieces that lie across it."""
    across = sorted((item.box.y0 + item.box.y1) / 2 for item in items if item.box.x0 < edge < item.box.x1)
    sides: dict[int, tuple[list[_Item], list[_Item]]] = defaultdict(lambda: ([], []))
    for item in items:
        if not item.box.x0 < edge < item.box.x1:
            region = bisect_right(across, (item.box.y0 + item.box.y1) / 2)
            sides[region][item.box.x0 >= edge].append(item)
    for _, (left, right) in sorted(sides.items()):
        yield left, right


def _are_columns(left: Sequence[_Item], right: Sequence[_Item], items: Sequence[_Item]) -> bool:
    width = max(item.box.x1 for item in items) - min(item.box.x0 for item in items)
    if not all(_is_column(side, _LEAST_SHARE * width) for side in (left, right)):
        return False
    one, other = _set_apart(left), _set_apart(right)
    return sum(any(abs(y - each) < _LEVEL_PT for each in other) for y in one) < _LEAST_ROWS


def _set_apart(side: Sequence[_Item]) -> list[float]:
    """Heights of the lines with more space above them than most have: first lines of paragraphs, or of cells."""
    heights = sorted(item.box.y1 for item in side)
    steps = [after - before for before, after in pairwise(heights)]
    to_next_line = [step for step in steps if step > _LEVEL_PT]
    if not to_next_line:  # all on one level
        return []
    usual = median(to_next_line)
    return [after for step, after in zip(steps, heights[1:], strict=True) if step > _MORE_SPACE * usual]


def _is_column(side: Sequence[_Item], least_width: float) -> bool:
    if len(side) < _LEAST_LINES:
        return False
    x0, x1 = min(item.box.x0 for item in side), max(item.box.x1 for item in side)
    if x1 - x0 < least_width:
        return False
    ends: dict[int, float] = {}
    starts: dict[int, float] = {}
    for item in side:  # a line may be in pieces
        row = round(item.box.y1 / _EDGE_STEP_PT)
        ends[row] = max(ends.get(row, x0), item.box.x1)
        starts[row] = min(starts.get(row, x1), item.box.x0)
    numbers = sum(item.text.split(maxsplit=1)[0].isdecimal() for item in side if item.text.strip())
    if numbers >= _LEAST_NUMBERS * len(ends):
        return True
    lower = sum(map(str.islower, text := "".join(item.text for item in side)))
    is_prose = 2 * lower > sum(map(str.isalpha, text))
    return is_prose and median(ends[row] - starts[row] for row in ends) >= _FILLED * (x1 - x0)


def _by_page(columns: list[list[_Item]]) -> list[list[_Item]]:
    """Columns, or, where each holds pages with their numbers printed above, these in the order of their numbers."""
    pages: list[tuple[int, list[_Item]]] = []
    for column in columns:
        column.sort(key=lambda item: item.box.y1)
        if not _PAGE_LABEL.fullmatch(column[0].text.strip()):
            return columns
        for item in column:
            if label := _PAGE_LABEL.fullmatch(item.text.strip()):
                pages.append((int(label[1]), []))
            pages[-1][1].append(item)
    return [page for _, page in sorted(pages, key=itemgetter(0))]
