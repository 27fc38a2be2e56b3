"""The lines of a page: joined from the fragments that a layout engine yields, or made up where a format has no pages.

Must not know the formats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from briefbank.values.records import Box, Line, Page, TextSource, Word

_SAME_BASELINE = 0.35
"""Share of the letter size by which the baselines of one printed line may differ."""

_SAME_ROW = 0.6
"""Share of the lower of two fragments that must lie beside the other for a raised or lowered one to join its line."""


_COLUMN_ROWS = 4
"""Rows whose parts are not drawn one after the other, from which the page is taken to have columns."""

WIDTH_PT, HEIGHT_PT = 612.0, 792.0
"""Letter paper: the size of pages made up for formats without pages."""
LINE_PT = 12.0
_INDENT_PT = 6.0
_TAB_COLUMNS = 8


@dataclass(frozen=True, slots=True)
class Fragment:
    """A run of words that the layout engine kept together; `baseline` is a y in points.

    `bold`, `italic` and `underlined` count letters, so that a line's style is that of most of its letters.
    """

    words: tuple[Word, ...]
    box: Box
    size_pt: float
    baseline: float
    letters: int = 0
    bold: int = 0
    italic: int = 0
    underlined: int = 0


def join_fragments(fragments: Iterable[Fragment], *, column_em: float = 0.0) -> tuple[Line, ...]:
    """Order fragments as they are read, and join those that stand side by side on one printed line.

    Where columns stand side by side the order given is kept, so that a column drawn whole stays whole; elsewhere lines
    go down the page, wherever they come in the file (many programs draw the page number first). Only fragments wider
    than `column_em` letter sizes are taken for lines of a column.
    """
    rows: list[list[Fragment]] = []
    for fragment in _in_reading_order(list(fragments), column_em):
        if rows and _continues(rows[-1], fragment):
            rows[-1].append(fragment)
        else:
            rows.append([fragment])
    return tuple(_line(row) for row in rows)


def _in_reading_order(fragments: list[Fragment], column_em: float) -> list[Fragment]:
    bands: list[list[int]] = []
    for index in sorted(range(len(fragments)), key=lambda index: fragments[index].baseline):
        last = fragments[bands[-1][-1]] if bands else None
        new = fragments[index]
        if last and new.baseline - last.baseline <= _SAME_BASELINE * max(last.size_pt, new.size_pt):
            bands[-1].append(index)
        else:
            bands.append([index])
    torn = sum(_is_torn(band, fragments, column_em) for band in bands)
    if torn >= _COLUMN_ROWS:
        return fragments
    return [fragments[index] for band in bands for index in sorted(band, key=lambda index: fragments[index].box.x0)]


def _is_torn(band: Sequence[int], fragments: Sequence[Fragment], column_em: float) -> bool:
    """Whether a row's parts do not come one after the other, so that they may belong to columns."""
    wide = sum(fragments[i].box.x1 - fragments[i].box.x0 > column_em * fragments[i].size_pt for i in band)
    return max(band) - min(band) >= len(band) and wide > 1


def _continues(row: Sequence[Fragment], new: Fragment) -> bool:
    last = row[-1]
    if new.box.x0 < last.box.x1 - 0.5 * min(last.size_pt, new.size_pt):
        return False
    main = max(row, key=lambda fragment: fragment.size_pt)
    size = min(main.size_pt, new.size_pt)
    if abs(main.baseline - new.baseline) <= _SAME_BASELINE * size:
        return True
    shared = min(main.box.y1, new.box.y1) - max(main.box.y0, new.box.y0)
    lower = min(main.box.y1 - main.box.y0, new.box.y1 - new.box.y0)
    is_near = new.box.x0 - last.box.x1 <= size
    return is_near and lower > 0 and shared >= _SAME_ROW * lower


def _line(row: Sequence[Fragment]) -> Line:
    words = tuple(word for fragment in row for word in fragment.words)
    letters = max(1, sum(fragment.letters for fragment in row))
    return Line(
        words=words,
        box=Box.around(fragment.box for fragment in row),
        size_pt=round(max(row, key=lambda fragment: fragment.letters).size_pt, 2),
        is_bold=2 * sum(fragment.bold for fragment in row) > letters,
        is_italic=2 * sum(fragment.italic for fragment in row) > letters,
        is_underlined=2 * sum(fragment.underlined for fragment in row) > letters,
    )


def typed_page(number: int, rows: Sequence[str]) -> Page:
    """A made-up page for text that has no pages: one line for each row that is not blank, a blank row leaves its space.

    A line lies at its number times LINE_PT from the top, indented by its leading blanks. Its words have boxes without
    width or height, all at the start of the line, so nothing can be highlighted by them.
    """
    lines = tuple(_typed_line(row, index) for index, row in enumerate(rows) if row.strip())
    source = TextSource.TEXT_LAYER if lines else TextSource.NONE
    return Page(number, WIDTH_PT, max(HEIGHT_PT, LINE_PT * (len(rows) + 1)), lines, source)


def _typed_line(row: str, index: int) -> Line:
    """The line in place `index` (from 0) of its page; `row` is not blank."""
    spread = row.expandtabs(_TAB_COLUMNS)
    left = _INDENT_PT * (len(spread) - len(spread.lstrip()))
    top = LINE_PT * (index + 1)
    box = Box(left, top, left, top)
    return Line(tuple(Word(text, box) for text in row.split()), box)
