"""Pages of the record as they are cited: by the number printed on each and on its lines, four to a condensed sheet.

What structure makes of a brief would not do: it drops the numbers of lines and joins lines to paragraphs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from briefbank.ingest.structure.furniture import strip_furniture
from briefbank.ingest.structure.printed import EdgeNumber, edge_numbers, number_alone, page_runs
from briefbank.platform.regex import bounded
from briefbank.values.page_numbers import NumberStyle, PageRun, run_of
from briefbank.values.record import RecordLine, RecordPage, RecordText
from briefbank.values.records import Line, Page, Reading, TextSource

_MOST_LINE_NUMBER = 40
"""Pleading paper numbers 25 or 28 lines."""
_LEAST_NUMBERED = 6
"""Lines whose numbers rise one by one, from which they are those of a page; a list of so many items is rare."""
_MOST_MISSED = 3
"""Numbers in a row that OCR may fail to read."""
_EDGE_LINES = 3
"""Lines at either end of a page that may bear its number."""
_TITLE_SHEETS, _TITLE_LETTERS = 3, 6_000
_LEAST_GRID_PAGES, _LEAST_GRID_SHARE, _GRID_FILLED = 2, 0.4, 0.8
"""Scanned pages with something left of their lines, and their share of all, from which lines are numbered by place."""
_EDGE_STEP_PT, _EDGE_SHARE, _APART = 4.0, 0.2, 1.4
_PAGE_LABEL = bounded(r"\s*[Pp](?:age|AGE|g\.)\s\d{1,4}\s*")
_RULES = "=-–—*_~|# \t"
_MISREAD = str.maketrans("lI|!OoSB", "11110058")
_MID_PAGE_PT = 400.0
"""A height at which no number is taken for one in a stamp at the upper edge; made-up pages have no other."""


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A page as it was typed, with what is printed above and below its lines."""

    sheet: int
    lines: tuple[RecordLine, ...]
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()


def record_text(reading: Reading) -> RecordText:
    """Find the pages that a file of the record has in print."""
    rows, numbers = strip_furniture(reading)
    leaves: list[_Leaf] = []
    known: list[EdgeNumber] = []
    grid = _grid(reading.pages)
    for page, own in zip(reading.pages, rows, strict=True):
        texts = [each.text for each in own]
        found = (
            _condensed(page)
            or _numbered(page)
            or _on_grid(page, grid)
            or _unnumbered(page, texts, is_typed=not reading.has_pages)
        )
        leaves += found
        if len(found) == 1:
            known += (each._replace(sheet=len(leaves)) for each in numbers if each.sheet == page.number)
    taken = {each.sheet for each in known}
    for place, leaf in enumerate(leaves, 1):
        known += () if place in taken else _at_edges(leaf, place)
    labels = _labels(len(leaves), page_runs(known))
    title = "\n".join(line.text for page in reading.pages[:_TITLE_SHEETS] for line in page.lines)
    scanned = {page.number for page in reading.pages if page.source is TextSource.OCR}
    pages = (
        RecordPage(label, leaf.sheet, leaf.lines, leaf.sheet in scanned)
        for label, leaf in zip(labels, leaves, strict=True)
    )
    return RecordText(tuple(pages), title[:_TITLE_LETTERS])


def _condensed(page: Page) -> list[_Leaf]:
    """The pages of a sheet that has several, each below its number ("Page 5"), however well OCR read those of lines."""
    cuts = [at for at, line in enumerate(page.lines) if _PAGE_LABEL.fullmatch(line.text)]
    if len(cuts) < 2:
        return []
    leaves = []
    for first, end in pairwise([*cuts, len(page.lines)]):
        lines = page.lines[first + 1 : end]
        numbered = _numbered(replace(page, lines=lines))
        plain = tuple(RecordLine(0, line.text) for line in lines if any(map(str.isalpha, line.text)))
        own = numbered[0].lines if len(numbered) == 1 else plain
        leaves.append(_Leaf(page.number, own, (page.lines[first].text,)))
    return leaves


def _numbered(page: Page) -> list[_Leaf]:
    """The pages of a sheet whose lines are numbered: several on a condensed one, and in a text without form feeds."""
    runs = [run for run in _runs(page.lines) if len(run) >= _LEAST_NUMBERED]
    texts = [line.text for line in page.lines]
    ends = [0, *(run[-1][0] + 1 for run in runs)]
    gaps = [tuple(texts[end : run[0][0]]) for end, run in zip(ends, runs, strict=False)]
    last = tuple(texts[ends[-1] :])
    is_below = len(runs) > 1 and not _numbers_in(gaps[0]) and bool(_numbers_in(last))
    leaves = []
    for place, run in enumerate(runs):
        behind = gaps[place + 1] if place + 1 < len(gaps) else last
        above, below = (gaps[place], behind if len(runs) == 1 else ())
        if is_below:
            above, below = (), behind
        leaves.append(_Leaf(page.number, tuple(_lines(page.lines, run)), above, below))
    return leaves


def _runs(lines: Sequence[Line]) -> list[list[tuple[int, int]]]:
    """Lines that begin with numbers which rise, each as its index and number. A number that neither goes on nor begins
    anew is a word of its line.
    """
    numbers = [_first_number(line) for line in lines]
    runs: list[list[tuple[int, int]]] = []
    for index, number in enumerate(numbers):
        if not number:
            continue
        last = runs[-1][-1] if runs else None
        if last and last[1] < number <= min(last[1] + 1 + _MOST_MISSED, last[1] + index - last[0]):
            runs[-1].append((index, number))
        elif number <= 1 + _MOST_MISSED and number + 1 in numbers[index + 1 : index + 4]:
            runs.append([(index, number)])
    return runs


def _first_number(line: Line) -> int:
    first = line.words[0].text if line.words else ""
    return int(first) if first.isdecimal() and len(first) <= 2 and int(first) <= _MOST_LINE_NUMBER else 0


def _lines(lines: Sequence[Line], run: Sequence[tuple[int, int]]) -> Iterator[RecordLine]:
    """The lines of a page from its first number to its last; those between whose number was not read, by their place,
    or, where they are too many, as more of the line above.
    """
    for (index, number), (after, following) in pairwise((*run, (run[-1][0] + 1, 0))):
        yield RecordLine(number, _without_number(lines[index]))
        is_missed = following - number == after - index
        for step, line in enumerate(lines[index + 1 : after], 1):
            first = line.words[0].text.translate(_MISREAD) if line.words else ""
            has_number = is_missed and first.isdecimal() and len(first) <= 2
            yield RecordLine(number + step * is_missed, _without_number(line) if has_number else line.text)


def _without_number(line: Line) -> str:
    return " ".join(word.text for word in line.words[1:])


class _Grid(NamedTuple):
    """Where the numbered lines of scanned pages lie: line n at `top` + n times `pitch`, in points."""

    top: float
    pitch: float


def _grid(pages: Sequence[Page]) -> _Grid | None:
    """The grid of a scan on whose numbers OCR stumbles, as it does where it reads their column from top to bottom.
    Those that it read tell where it lies; failing these, the first lines that are not set apart as a head is.
    """
    read = [_beside_margin(page) for page in pages if page.source is TextSource.OCR]
    numbered = [rows for rows in read if any(margin for _, _, margin in rows)]
    if len(numbered) < max(_LEAST_GRID_PAGES, _LEAST_GRID_SHARE * len(read)):
        return None
    steps = [after[0] - before[0] for rows in numbered for before, after in pairwise(rows)]
    pitch = median(steps)
    known = [
        y - int(margin) * pitch
        for rows in numbered
        for y, _, margin in rows
        if margin.isdecimal() and int(margin) <= _MOST_LINE_NUMBER
    ]
    first = [
        next((before[0] - pitch for before, after in pairwise(rows) if after[0] - before[0] < _APART * pitch), 0.0)
        for rows in numbered
    ]
    return _Grid(median(known if len(known) >= _LEAST_NUMBERED else first), pitch)


def _on_grid(page: Page, grid: _Grid | None) -> list[_Leaf]:
    """A scanned page with the numbers that its lines have by their place; none where too few lie so."""
    if grid is None or page.source is not TextSource.OCR:
        return []
    rows = [(round((y - grid.top) / grid.pitch), text) for y, text, _ in _beside_margin(page)]
    inside = [RecordLine(number, text) for number, text in rows if 1 <= number <= _MOST_LINE_NUMBER]
    if len({each.number for each in inside}) < max(_LEAST_NUMBERED, _GRID_FILLED * len(inside)):
        return []
    return [_Leaf(page.number, tuple(inside), tuple(text for number, text in rows if number < 1))]


def _beside_margin(page: Page) -> list[tuple[float, str, str]]:
    """The lines of a page down it: the height of their words, these, and what stands to the left of the edge that most
    lines begin at. Words much higher than their line are a column read as one.
    """
    edges = Counter(round(line.words[0].box.x0 / _EDGE_STEP_PT) for line in page.lines if len(line.words) > 1)
    if not edges:
        return []
    left = (min(edge for edge, count in edges.items() if count >= _EDGE_SHARE * edges.total()) - 1) * _EDGE_STEP_PT
    rows = []
    for line in page.lines:
        words = [word for word in line.words if word.box.x0 >= left]
        margin = " ".join(word.text for word in line.words if word.box.x0 < left)
        if words:
            rows.append((median(word.box.y1 for word in words), " ".join(word.text for word in words), margin))
        elif rows:
            rows[-1] = (*rows[-1][:2], rows[-1][2] or margin)
    return sorted(rows)


def _unnumbered(page: Page, rows: Sequence[str], *, is_typed: bool) -> list[_Leaf]:
    """A sheet as one page, or, where it is a text whose pages have no sheets, cut at their numbers."""
    texts = [line.text for line in page.lines]
    above, below = tuple(texts[:_EDGE_LINES]), tuple(texts[-_EDGE_LINES:])
    if not is_typed:
        return [_Leaf(page.number, tuple(RecordLine(0, row) for row in rows), above, below)]
    cuts = _rising([(index, each) for index, row in enumerate(rows) if (each := _number_in(row))])
    if len(cuts) < 2:
        return [_Leaf(page.number, tuple(RecordLine(0, row) for row in rows if not _number_in(row)), above, below)]
    is_below = cuts[-1] >= len(rows) - 2 and cuts[0] > 1
    leaves = []
    for first, end in pairwise([-1, *cuts] if is_below else [*cuts, len(rows)]):
        lines = tuple(RecordLine(0, row) for row in rows[first + 1 : end])
        leaves.append(_Leaf(page.number, lines, *(((), (rows[end],)) if is_below else ((rows[first],), ()))))
    if not is_below and cuts[0] > 0:
        leaves.insert(0, _Leaf(page.number, tuple(RecordLine(0, row) for row in rows[: cuts[0]])))
    return leaves


def _number_in(row: str) -> int:
    """The number of a page that is all of a line of text, 0 where the line holds anything else."""
    found = number_alone(row.strip(_RULES))
    return found[0].number if found and found[0].is_sure else 0


def _numbers_in(rows: Sequence[str]) -> list[int]:
    return [each for each in map(_number_in, rows) if each]


def _rising(numbers: Sequence[tuple[int, int]]) -> list[int]:
    """The places of those numbers that each go on from the one before: other lines may be numbers too."""
    kept: list[tuple[int, int]] = []
    known = {number for _, number in numbers}
    for place, number in numbers:
        if (kept and number == kept[-1][1] + 1) or (not kept and number + 1 in known):
            kept.append((place, number))
    return [place for place, _ in kept]


def _at_edges(leaf: _Leaf, place: int) -> Iterator[EdgeNumber]:
    """What may be the number of a page that is not a sheet by itself."""
    for rows, is_top in ((leaf.above, True), (leaf.below, False)):
        for row in rows:
            text = row.strip(_RULES)
            yield from edge_numbers(text, place, _MID_PAGE_PT, is_top=is_top, is_apart=True, is_running=True)


def _labels(count: int, runs: Sequence[PageRun]) -> Iterator[str]:
    """The number of each page; one that bears none, as a title page does, is counted with those behind or before it."""
    for place in range(1, count + 1):
        run = run_of(runs, place)
        after = next((each for each in runs if each.first > place), None)
        before = next((each for each in reversed(runs) if each.last < place), None)
        if run:
            yield run.label(place)
        elif after and after.style is NumberStyle.ARABIC and after.number > after.first - place:
            yield after._replace(first=place, number=after.number - after.first + place).label(place)
        elif before and not after:
            yield before.label(place)
        else:
            yield ""
