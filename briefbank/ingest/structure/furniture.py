"""What is printed on pages besides their text: running heads, stamps, page and line numbers.

Knows the place and repetition of lines, not their sense.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from briefbank.ingest.columns import places_in_columns
from briefbank.ingest.structure.kinds import kind_named
from briefbank.ingest.structure.printed import (
    LONGEST_NUMBER,
    PAGE_NUMBER,
    ROMAN,
    EdgeNumber,
    edge_numbers,
)
from briefbank.ingest.structure.rows import Row, fold, looks_capital
from briefbank.values.records import Box, Line, Page, Reading, TextSource

# Chosen on filed briefs, none by itself; `tests/quality/test_structure_corpus.py` holds how few pages keep any.
_HEAD_SHARE, _FOOT_SHARE = 0.14, 0.87
"""Shares of the page's height above and below which furniture stands."""
_ZONE_LINES = 4
"""Lines at each end of a page that may be furniture."""
_FEWEST_REPEATS = 3
_REPEAT_SHARE = 0.15
"""Share of the pages on which a line must come back to be a running head: some change with every section."""
_Y_STEP = 8.0
"""Points by which a repeated line may stand higher or lower from page to page."""
_LAST_NUMBER = re.compile(rf"(?:\d{{1,4}}|\b{ROMAN})$", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_ORNAMENT = re.compile(r"[^\w*.…¶§\"“”'‘’()\[\]$]*|_+")
_MOST_LINE_NUMBER = 40
"""Pleading paper numbers 25 or 28 lines."""
_SAME_EDGE_PT = 12.0
_FEWEST_LINE_NUMBERS = 10
"""Fewer numbers at the left edge of a page are a list."""


def strip_furniture(reading: Reading) -> tuple[list[list[Row]], list[EdgeNumber]]:
    """Rows of text page by page, and the numbers at the edges of pages, which may be those of the pages."""
    styles = {(page, index): style for page, index, style in reading.styles}
    numbered = [_numbered_lines(page) if reading.has_pages else frozenset[int]() for page in reading.pages]
    repeated = _repeated_keys(reading, numbered) if reading.has_pages else {}
    seen: set[str] = set()
    pages: list[list[Row]] = []
    numbers: list[EdgeNumber] = []
    for page, own in zip(reading.pages, numbered, strict=True):
        dropped: set[int] = set()
        if reading.has_pages:
            dropped = _margin_lines(page, own, repeated, seen, numbers)
        pages.append(list(_rows(page, dropped, own, styles)))
    return pages, numbers


def _rows(page: Page, dropped: set[int], numbered: frozenset[int], styles: dict[tuple[int, int], str]) -> Iterator[Row]:
    above: float | None = None
    has_pictures = page.source is TextSource.TEXT_LAYER and page.ocr_confidence is not None
    columns = _Columns(page)
    for index, line in enumerate(page.lines):
        words = line.words[1:] if index in numbered else line.words
        if index in dropped or not words or columns.is_page_number(index):
            continue
        box = line.box if words is line.words else Box.around(word.box for word in words)
        text = " ".join(word.text for word in words)
        # Baseline to baseline: the height of a box depends on which letters a line happens to have.
        gap = 0.0 if above is None else box.y1 - above
        key = fold(text)
        if not key and _ORNAMENT.fullmatch(text):
            continue
        above = box.y1
        yield Row(
            page.number, words, columns.stretched(index, box), text, key, line.size_pt, gap, page.source,
            line.is_bold, line.is_italic, line.is_underlined, looks_capital(text),
            # What stands in a picture on a typed page is quoted, with headings of its own.
            "Quote" if has_pictures and any(word.confidence < 1 for word in words) else
            styles.get((page.number, index), ""),
            columns.stretch(index),
        )  # fmt: skip


class _Columns:
    """The columns of a page, whose rows are judged as if each were as wide as the page's text."""

    def __init__(self, page: Page) -> None:
        self._lines = lines = page.lines
        goes_up = any(below.box.y1 < above.box.y0 - above.size_pt for above, below in pairwise(lines))
        boxes = [line.box for line in lines]
        self._places = places_in_columns(boxes, [line.text for line in lines]) if goes_up else {}
        self._left = min((box.x0 for box in boxes), default=0.0)
        self._width = max((box.x1 for box in boxes), default=0.0) - self._left

    def is_page_number(self, index: int) -> bool:
        """Whether a line is the number of a page of a transcript, over the page in its column."""
        place, above = self._places.get(index), self._places.get(index - 1)
        is_first = place is not None and (above is None or place[:2] != above[:2])
        return is_first and PAGE_NUMBER.fullmatch(self._lines[index].text) is not None

    def stretch(self, index: int) -> float:
        """How many times as wide the text of the page is as the column of a line."""
        place = self._places.get(index)
        return self._width / max(place.x1 - place.x0, 1.0) if place else 1.0

    def stretched(self, index: int, box: Box) -> Box:
        """The box of a line in its column stretched so."""
        place = self._places.get(index)
        if place is None:
            return box
        x0, x1 = (self._left + (x - place.x0) * self.stretch(index) for x in (box.x0, box.x1))
        return box._replace(x0=x0, x1=x1)


def _zone(page: Page, numbered: frozenset[int]) -> list[tuple[int, Line]]:
    """The lines at the edges of a page that may be furniture, from the edges inwards; line numbers alone are not."""
    lines = [(i, line) for i, line in enumerate(page.lines) if i not in numbered or len(line.words) > 1]
    top = [(i, line) for i, line in lines[:_ZONE_LINES] if line.box.y1 < _HEAD_SHARE * page.height_pt]
    # Where columns keep the order of the file, the lowest line need not be the last.
    lowest = sorted(lines, key=lambda each: each[1].box.y0)[-_ZONE_LINES:]
    foot = _FOOT_SHARE * page.height_pt
    return top + [(i, line) for i, line in reversed(lowest) if line.box.y0 > foot]


def _margin_key(text: str) -> str:
    # With every number the same: "Page 7 of 30" comes again as "Page 8 of 30", a roman one at the end too.
    return fold(_DIGITS.sub("0", _LAST_NUMBER.sub("0", text)))


def _repeated_keys(reading: Reading, numbered: Sequence[frozenset[int]]) -> dict[str, list[float]]:
    """Keys of lines that come again at one height on many pages, with those heights."""
    heights: dict[str, list[float]] = defaultdict(list)
    for page, own in zip(reading.pages, numbered, strict=True):
        for line in [line for _, line in _zone(page, own)] + [line for line in page.lines if _is_turned(line)]:
            heights[_margin_key(line.text)].append(line.box.y0)
    least = max(_FEWEST_REPEATS, _REPEAT_SHARE * len(reading.pages))
    return {key: ys for key, ys in heights.items() if len(ys) >= least}


def _margin_lines(
    page: Page,
    numbered: frozenset[int],
    repeated: dict[str, list[float]],
    seen: set[str],
    numbers: list[EdgeNumber],
) -> set[int]:
    """Indices of page numbers, running heads and stamps; the numbers in them, and alone on other lines, go into
    `numbers`.

    A line is a page number only at the edge of the page, with nothing but other furniture beyond it. The first printing
    of a running head that names a section may be its heading, and the head of page 1 bears the title: both stay.
    """
    dropped = {i for i, line in enumerate(page.lines) if _is_turned(line) and _margin_key(line.text) in repeated}
    is_edge = {True: True, False: True}
    zone = _zone(page, numbered)
    for index, line in zone:
        is_top = line.box.y0 < 0.5 * page.height_pt
        is_number = is_edge[is_top] and len(line.text) <= LONGEST_NUMBER and PAGE_NUMBER.fullmatch(line.text)
        is_running = (page.number > 1 or not is_top) and not is_number and _is_running(line, repeated, seen)
        is_apart = is_edge[is_top] and not any(_is_beside(line, other, repeated) for _, other in zone)
        found = edge_numbers(
            line.text, page.number, line.box.y0, is_top=is_top, is_apart=is_apart, is_running=is_running
        )
        numbers += found
        if is_number or is_running:
            dropped.add(index)
        elif not found:
            is_edge[is_top] = False
    return dropped


def _is_beside(line: Line, other: Line, repeated: dict[str, list[float]]) -> bool:
    """Whether `other` is text on the row of `line`, which is its footnote's number then."""
    if other is line or _is_repeated(other, repeated):
        return False
    shared = min(line.box.y1, other.box.y1) - max(line.box.y0, other.box.y0)
    return shared > 0.5 * min(line.box.y1 - line.box.y0, other.box.y1 - other.box.y0)


def _is_running(line: Line, repeated: dict[str, list[float]], seen: set[str]) -> bool:
    if not _is_repeated(line, repeated):
        return False
    key = _margin_key(line.text)
    if key not in seen and kind_named(line.text) is not None:
        seen.add(key)
        return False
    return True


def _is_repeated(line: Line, repeated: dict[str, list[float]]) -> bool:
    """Whether the line comes again at its height on other pages."""
    heights = repeated.get(_margin_key(line.text), ())
    return sum(abs(y - line.box.y0) < _Y_STEP for y in heights) >= _FEWEST_REPEATS


def _is_turned(line: Line) -> bool:
    """Whether a line runs up or down a margin: its words stand one above the other. Of one word that cannot be told."""
    first, last = line.words[0].box, line.words[-1].box
    return abs(last.y0 - first.y0) > max(abs(last.x0 - first.x0), line.size_pt)


def _numbered_lines(page: Page) -> frozenset[int]:
    """Indices of lines that begin with the line number of pleading paper, or of a transcript, set apart at the left
    edge of the page or of one of its columns.
    """
    runs: list[list[tuple[int, int, float]]] = []
    for index, line in enumerate(page.lines):
        first = line.words[0] if line.words else None
        if first is None or not first.text.isdecimal() or not 1 <= int(first.text) <= _MOST_LINE_NUMBER:
            continue
        if len(line.words) == 1 or line.words[1].box.x0 - first.box.x1 > 0.8 * line.size_pt:
            number, edge = int(first.text), first.box.x1
            if not runs or number < runs[-1][-1][1] or abs(edge - runs[-1][0][2]) >= _SAME_EDGE_PT:
                runs.append([])
            runs[-1].append((index, number, edge))
    counted = [run for run in runs if len(run) > 1]
    steps = [after[1] - before[1] for run in counted for before, after in pairwise(run)]
    if sum(map(len, counted)) < _FEWEST_LINE_NUMBERS or steps.count(1) < 0.8 * len(steps):
        return frozenset()
    return frozenset(index for run in counted for index, _, _ in run)
