"""Printed lines on their way through structure, with the measures that tell their role; knows nothing of roles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from briefbank.values.records import Box, TextSource, Word

_NOT_KEY = re.compile(r"[^a-z0-9]+")
_TERMINAL = re.compile(r"[.?!:;)\]][\"'’”)\]\d*†]*$")
# Chosen on filed briefs (21 November 2026), none by itself. `tests/quality/test_structure_corpus.py` holds that they
# find nine tenths of the headings that tables of contents list.
_WIDE_SHARE = 0.55
"""Share of the widest row from which a row shows how wide the column is; headings and last lines are narrower."""
_SHORT_CHARACTERS = 60
"""Without pages there are no widths: a row of fewer characters counts as short there."""
_EDGE_STEP_PT = 3.0
"""Left edges are counted in steps of this: scans waver by about as much."""
_EDGE_SHARE = 0.3
"""Share of the most frequent left edge that another must have to be the column's own, rather than an indent."""


def fold(text: str) -> str:
    """Letters and digits alone, in lower case: what two printings of one heading share."""
    return _NOT_KEY.sub("", text.lower())


@dataclass(frozen=True, slots=True)
class Row:
    """One printed line that is not furniture. `gap` is the distance of its baseline to the row above, in points, and
    negative where another column begins. The box of a row in a column is stretched to the width of the page's text, so
    that lines are short, centred or indented in it as elsewhere; those of its words are where they stand.
    """

    page: int
    words: tuple[Word, ...]
    box: Box
    text: str
    key: str
    size: float
    gap: float
    source: TextSource
    is_bold: bool = False
    is_italic: bool = False
    is_underlined: bool = False
    is_caps: bool = False
    style: str = ""
    stretch: float = 1.0
    """How many times as wide as on its page its box is taken to be: a row of a column as wide as the page's text."""

    @property
    def ends_sentence(self) -> bool:
        return _TERMINAL.search(self.text) is not None


def looks_capital(text: str) -> bool:
    """Whether a line is set in capitals; citations and a stray "v." may break it."""
    upper = sum(map(str.isupper, text))
    lower = sum(map(str.islower, text))
    return upper >= 3 and upper >= 5 * lower


@dataclass(frozen=True, slots=True)
class TextColumn:
    """The measures of the text column, in points; `pitch` is the usual distance of two baselines."""

    left: float
    right: float
    pitch: float
    size: float
    is_bold: bool
    has_pages: bool

    @property
    def width(self) -> float:
        return max(self.right - self.left, 1.0)

    def is_centred(self, row: Row) -> bool:
        """Whether a row stands in the middle of the column, clear of both margins."""
        if not self.has_pages:
            return False
        before, after = row.box.x0 - self.left, self.right - row.box.x1
        return min(before, after) > 0.07 * self.width and abs(before - after) < 0.09 * self.width

    def indent(self, row: Row) -> float:
        return row.box.x0 - self.left

    def is_short(self, row: Row) -> bool:
        """Whether a row ends well before the right margin, as the last one of a paragraph does."""
        return self._ends_before(row, 0.88)

    def is_narrow(self, row: Row) -> bool:
        """Whether a row leaves much of the column free, as a title does."""
        return self._ends_before(row, 0.7)

    def _ends_before(self, row: Row, share: float) -> bool:
        if not self.has_pages:
            return len(row.text) < _SHORT_CHARACTERS
        return row.box.x1 < self.left + share * self.width


def measure(rows: Sequence[Row], *, has_pages: bool) -> TextColumn:
    """Find the text column that most rows share."""
    if not rows or not has_pages:
        return TextColumn(
            min((row.box.x0 for row in rows), default=0.0), 0.0, 12.0, 12.0, is_bold=False, has_pages=has_pages
        )
    widest = sorted(row.box.x1 - row.box.x0 for row in rows)[int(0.9 * (len(rows) - 1))]
    wide = [row for row in rows if row.box.x1 - row.box.x0 > _WIDE_SHARE * widest] or list(rows)
    size = mode((row.size for row in wide), 0.5)
    body = [row for row in wide if abs(row.size - size) < 1.0] or wide
    left = _left_edge(body)
    right = sorted(row.box.x1 for row in body)[int(0.9 * (len(body) - 1))]
    flush = [row for row in body if abs(row.box.x0 - left) < _EDGE_STEP_PT]
    pitch = mode((row.gap for row in flush if 0 < row.gap < 4 * size), 1.0) or 1.2 * size
    return TextColumn(left, right, pitch, size, sum(row.is_bold for row in body) > 0.5 * len(body), has_pages)


def _left_edge(rows: Sequence[Row]) -> float:
    """The outermost x at which many rows begin: in a brief of long quotations more rows begin at theirs."""
    counts = Counter(round(row.box.x0 / _EDGE_STEP_PT) for row in rows)
    enough = _EDGE_SHARE * max(counts.values())
    return _EDGE_STEP_PT * min(step for step, count in counts.items() if count >= enough)


def mode(values: Iterable[float], step: float) -> float:
    """The commonest value, counted in steps of `step`; the smaller of two as common; 0 of none."""
    counts = Counter(round(value / step) for value in values)
    if not counts:
        return 0.0
    most = max(counts.values())
    return step * min(value for value, count in counts.items() if count == most)
