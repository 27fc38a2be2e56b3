"""Pages of the record as they are cited: by the number printed on each and on its lines, four to a condensed sheet.

What structure makes of a brief would not do: it drops the numbers of lines and joins lines to paragraphs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from briefbank.ingest.structure.furniture import strip_furniture
from briefbank.ingest.structure.printed import EdgeNumber, edge_numbers, number_alone, page_runs
from briefbank.values.page_numbers import NumberStyle, PageRun, run_of
from briefbank.values.record import RecordLine, RecordPage, RecordText
from briefbank.values.records import Line, Page, Reading

_MOST_LINE_NUMBER = 40
"""Pleading paper numbers 25 or 28 lines."""
_LEAST_NUMBERED = 6
"""Lines whose numbers rise one by one, from which they are those of a page; a list of so many items is rare."""
_MOST_MISSED = 3
"""Numbers in a row that OCR may fail to read."""
_EDGE_LINES = 3
"""Lines at either end of a page that may bear its number."""
_TITLE_SHEETS, _TITLE_LETTERS = 3, 6_000
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
    for page, own in zip(reading.pages, rows, strict=True):
        found = _numbered(page) or _unnumbered(page, [each.text for each in own], is_typed=not reading.has_pages)
        leaves += found
        if len(found) == 1:
            known += (each._replace(sheet=len(leaves)) for each in numbers if each.sheet == page.number)
    taken = {each.sheet for each in known}
    for place, leaf in enumerate(leaves, 1):
        known += () if place in taken else _at_edges(leaf, place)
    labels = _labels(len(leaves), page_runs(known))
    title = "\n".join(line.text for page in reading.pages[:_TITLE_SHEETS] for line in page.lines)
    pages = (RecordPage(label, leaf.sheet, leaf.lines) for label, leaf in zip(labels, leaves, strict=True))
    return RecordText(tuple(pages), title[:_TITLE_LETTERS])


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
