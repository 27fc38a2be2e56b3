"""Where the entries of a table of contents or of authorities lead: to the pages that bear the numbers they end with.

For files that do not link them: scans, and what a word processor printed. Knows neither files nor how pages are shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from briefbank.values import PageLink
from briefbank.values.page_numbers import PageRun, sheets_bearing
from briefbank.values.records import Box, Page, Passage, SectionKind, Word

_TABLES = frozenset({SectionKind.CONTENTS, SectionKind.AUTHORITIES})
_LEADER_SIGNS = ".…·_ "
_LEADER = re.compile(r"(?:[.·_] ?){4}|…")
"""The dots that lead to a page number. A line without them may end with the number of a statute, or of a year."""
_GLUED = re.compile(r"[.·_]{3,}|…")
"""Dots with words on both sides of them: "CONCLUSION........20"."""
_LONGEST_NUMBER = 7
"""Letters of a printed number ("xxxviii"); longer words are not looked up."""


def entry_boxes(passages: Sequence[Passage]) -> dict[int, list[Box]]:
    """Return the lines of a document's tables of contents and authorities, by page."""
    boxes: dict[int, list[Box]] = {}
    for passage in passages:
        for place in passage.boxes if passage.section_kind in _TABLES else ():
            boxes.setdefault(place.page, []).append(place.box)
    return boxes


def entry_links(page: Page, entries: Sequence[Box], runs: Sequence[PageRun]) -> tuple[PageLink, ...]:
    """Return a link for each number at the end of an entry that one page alone bears."""
    return tuple(
        PageLink(word.box, sheet)
        for line in page.lines
        if _LEADER.search(line.text) and any(_is_in(line.box, entry) for entry in entries)
        for word, number in _numbers_at_end(line.words)
        if (sheet := _only_sheet(number, runs)) is not None
    )


def _numbers_at_end(words: Sequence[Word]) -> Iterator[tuple[Word, str]]:
    """The page numbers that a line ends with, from the last on."""
    for word in reversed(words):
        number = _GLUED.split(word.text)[-1].strip(",;" + _LEADER_SIGNS)
        if not number and not word.text.strip(",;"):
            continue
        if not 0 < len(number) <= _LONGEST_NUMBER or not number.isalnum():
            return
        yield word, number


def _only_sheet(number: str, runs: Sequence[PageRun]) -> int | None:
    sheets = sheets_bearing(runs, number)
    return sheets[0] if len(sheets) == 1 else None


def _is_in(line: Box, entry: Box) -> bool:
    """Whether the middle of a line lies on an entry's height and the line reaches into it."""
    middle = (line.y0 + line.y1) / 2
    return entry.y0 <= middle <= entry.y1 and line.x0 < entry.x1 and line.x1 > entry.x0
