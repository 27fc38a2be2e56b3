"""The lines of a page: joined from the fragments that a layout engine yields, or made up where a format has no pages.

Must not know the formats.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from briefbank.ingest.columns import Place, places_in_columns
from briefbank.values.records import Box, Line, Page, TextSource, Word

_SAME_BASELINE = 0.35
"""Share of the letter size by which the baselines of one printed line may differ."""

_SAME_ROW = 0.6
"""Share of the lower of two fragments that must lie beside the other for a raised or lowered one to join its line."""

_COLUMN_ROWS = 4
"""Rows whose parts are not drawn one after the other, from which the page is taken to have columns."""

_COLUMN_GAP_EM = 1.5
"""White within a fragment, in letter sizes, that may part two columns."""

_LEAST_SPACED, _SPACED_WORD = 4, 1.6
"""Letters in a row that are set apart to stand out, and how many times as wide as theirs the white between words is."""

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
    is_turned: bool = False
    """Whether it runs otherwise than most of its page: up or down a margin."""


def join_fragments(fragments: Iterable[Fragment], *, column_em: float = 0.0) -> tuple[Line, ...]:
    """Order fragments as they are read, and join those that stand side by side on one printed line.

    Columns of running text are read one after the other. Where other things stand side by side the order given is kept,
    so that what is drawn whole stays whole; elsewhere lines go down the page, wherever they come in the file (many
    programs draw the page number first). Only fragments wider than `column_em` letter sizes are taken for such things.
    Turned lines come last, each by itself.
    """
    rows: list[list[Fragment]] = []
    given = list(fragments)
    for fragment in _in_reading_order([each for each in given if not each.is_turned], column_em):
        if rows and _continues(rows[-1], fragment):
            rows[-1].append(fragment)
        else:
            rows.append([fragment])
    return tuple(_line(row) for row in [*rows, *([each] for each in given if each.is_turned)])


def _in_reading_order(fragments: list[Fragment], column_em: float) -> list[Fragment]:
    pieces = [piece for fragment in fragments for piece in _pieces(fragment)]
    places = places_in_columns([each.box for each in pieces], [_text(each.words) for each in pieces])
    if places:
        return [each for group in _groups(pieces, places) for each in _down_the_page(group, column_em)]
    return _down_the_page(fragments, column_em)


def _pieces(fragment: Fragment) -> Iterator[Fragment]:
    """The fragment, cut where there is much white in it; its letters are shared out by their number."""
    gap = _COLUMN_GAP_EM * fragment.size_pt
    cuts = [at for at, (a, b) in enumerate(pairwise(fragment.words), 1) if b.box.x0 - a.box.x1 > gap]
    if not cuts:
        yield fragment
        return
    whole = max(1, len(_text(fragment.words)))
    for first, last in pairwise((0, *cuts, len(fragment.words))):
        words = fragment.words[first:last]
        share = len(_text(words)) / whole
        letters, bold, italic, underlined = (
            round(share * count) for count in (fragment.letters, fragment.bold, fragment.italic, fragment.underlined)
        )
        box = Box.around(word.box for word in words)
        yield Fragment(words, box, fragment.size_pt, fragment.baseline, letters, bold, italic, underlined)


def _groups(pieces: Sequence[Fragment], places: dict[int, Place]) -> Iterator[list[Fragment]]:
    """The columns in order, and what stands above, between and below the regions that have some."""
    tops: dict[int, float] = {}
    for index, place in places.items():
        tops[place.region] = min(tops.get(place.region, pieces[index].box.y0), pieces[index].box.y0)
    groups: dict[tuple[int, int], list[Fragment]] = defaultdict(list)
    for index, piece in enumerate(pieces):
        above = sum(top <= piece.box.y0 for top in tops.values())
        key = (places[index].region, places[index].order) if index in places else (above, -1)
        groups[key].append(piece)
    for _, group in sorted(groups.items(), key=lambda each: each[0]):
        yield group


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _down_the_page(fragments: list[Fragment], column_em: float) -> list[Fragment]:
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
    if sum(len(word.text) == 1 for word in words) >= _LEAST_SPACED:
        words = tuple(_unspaced(words))
    letters = max(1, sum(fragment.letters for fragment in row))
    return Line(
        words=words,
        box=Box.around(fragment.box for fragment in row),
        size_pt=round(max(row, key=lambda fragment: fragment.letters).size_pt, 2),
        is_bold=2 * sum(fragment.bold for fragment in row) > letters,
        is_italic=2 * sum(fragment.italic for fragment in row) > letters,
        is_underlined=2 * sum(fragment.underlined for fragment in row) > letters,
    )


def _unspaced(words: Sequence[Word]) -> Iterator[Word]:
    """Words, those whole again whose capitals are set apart to stand out ("A R G U M E N T")."""
    start = 0
    while start < len(words):
        end = start
        while end < len(words) and len(words[end].text) == 1 and (words[end].text.isupper() or end > start):
            end += 1
        letters = words[start:end]
        if len(letters) >= _LEAST_SPACED and 4 * sum(word.text.isupper() for word in letters) > 3 * len(letters):
            yield from _closed_up(letters)
        else:
            end = max(end, start + 1)
            yield from words[start:end]
        start = end


def _closed_up(letters: Sequence[Word]) -> Iterator[Word]:
    gaps = [b.box.x0 - a.box.x1 for a, b in pairwise(letters)]
    cuts = [at for at, gap in enumerate(gaps, 1) if gap > _SPACED_WORD * sorted(gaps)[len(gaps) // 2]]
    for first, last in pairwise((0, *cuts, len(letters))):
        word = letters[first:last]
        yield replace(word[0], text="".join(each.text for each in word), box=Box.around(each.box for each in word))


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
