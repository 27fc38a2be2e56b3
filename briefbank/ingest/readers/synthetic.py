"""Pages for formats that have none: lines of words at made-up places, so that every later step finds the same shape.

A line lies at its number times LINE_PT from the top of an endless page, indented by its leading blanks; its words have
boxes without width or height there, in order. Nothing may be highlighted by these boxes.
"""

from __future__ import annotations

from collections.abc import Sequence

from briefbank.records import Box, Line, Page, TextSource, Word

WIDTH_PT, HEIGHT_PT = 612.0, 792.0
LINE_PT = 12.0
_INDENT_PT = 6.0
_TAB_COLUMNS = 8


def typed_page(number: int, rows: Sequence[str]) -> Page:
    """A page of one line for each row that is not blank; a blank row leaves its space."""
    lines = tuple(typed_line(row, index) for index, row in enumerate(rows) if row.strip())
    source = TextSource.TEXT_LAYER if lines else TextSource.NONE
    return Page(number, WIDTH_PT, max(HEIGHT_PT, LINE_PT * (len(rows) + 1)), lines, source)


def typed_line(row: str, index: int) -> Line:
    """The line in place `index` (from 0) of its page; `row` is not blank."""
    spread = row.expandtabs(_TAB_COLUMNS)
    left = _INDENT_PT * (len(spread) - len(spread.lstrip()))
    top = LINE_PT * (index + 1)
    box = Box(left, top, left, top)
    return Line(tuple(Word(text, box) for text in row.split()), box)
