"""Which lines are headings: by name, by shape, and by what the table of contents and the bookmarks list.

Knows rows and their place; levels and paths are made of its result elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from briefbank.ingest.structure.contents import (
    ContentsEntry,
    find_contents,
    match_entries,
    read_entries,
    split_page,
)
from briefbank.ingest.structure.hyphens import joined_text
from briefbank.ingest.structure.kinds import kind_named
from briefbank.ingest.structure.numbering import Number, number_of, with_roman_mended
from briefbank.ingest.structure.rows import Row, TextColumn, fold
from briefbank.ingest.structure.shape import (
    LEADER,
    emphasis_of,
    heading_end,
    runs_on,
    shaped_end,
    stands_alone,
    stands_out,
)
from briefbank.values.records import SectionKind

TABLES = frozenset({SectionKind.CONTENTS, SectionKind.AUTHORITIES})
_NO_POINTS = TABLES | {
    SectionKind.PARTIES,
    SectionKind.CERTIFICATE,
    SectionKind.ORAL_ARGUMENT,
    SectionKind.SIGNATURE,
    SectionKind.JURISDICTION,
    SectionKind.QUESTIONS,
}
CLOSING = re.compile(r"(?:most )?respectfully(?: (?:and )?submitted)?\b[,.:]?(?:\s.{0,40})?", re.IGNORECASE)
_PAGE_AT_END = re.compile(r"\s(?:\d{1,3}|[ivxl]{1,7})$")
_MARKDOWN = re.compile(r"(#{1,6})\s+(?=\S)")
# Chosen on filed briefs (21 November 2026), none by itself. `tests/quality/test_structure_corpus.py` holds that they
# find nine tenths of the headings that tables of contents list.
NEAR_PT = 9.0
"""Indents in the table of contents that differ by less are of one level: half of the usual step of a quarter inch."""
_TIGHT = 0.7
"""Share of the usual line distance that the lines of a heading keep to one another at least."""
_ALWAYS_PARTS = TABLES | {SectionKind.PARTIES, SectionKind.CERTIFICATE, SectionKind.APPENDIX}
_OF_POINTS = frozenset({SectionKind.FACTS, SectionKind.SUMMARY})
_SUB_PARTS = frozenset({SectionKind.STANDARD, SectionKind.ARGUMENT, SectionKind.QUESTIONS, SectionKind.PRELIMINARY})


@dataclass(frozen=True, slots=True)
class Heading:
    """Rows `first` to `last` (half-open) form a heading. `contents_x0` is its indent in the table of contents."""

    first: int
    last: int
    text: str
    kind: SectionKind | None
    is_major: bool
    number: Number | None
    look: str
    contents_x0: float | None = None
    style_level: int = 0


@dataclass(frozen=True, slots=True)
class Outline:
    """The headings in order, the rows that are the table of contents, and the indent of its outermost entries."""

    headings: tuple[Heading, ...]
    contents: tuple[int, int] | None
    contents_x0: float
    entry_starts: frozenset[int]


def find_headings(
    rows: Sequence[Row], layout: TextColumn, labels: dict[int, str], bookmarks: Sequence[tuple[int, str, int]]
) -> Outline:
    """All headings of a document; `labels` are the printed page numbers by page, `bookmarks` the file's own outline."""
    contents = find_contents(rows, layout)
    listed: dict[int, Heading] = {}
    start, outermost = 0, 0.0
    starts: frozenset[int] = frozenset()
    if contents:
        found = read_entries(rows[contents[0] + 1 : contents[1]], layout)
        starts = frozenset(contents[0] + 1 + index for index, _ in found)
        entries = [entry for _, entry in found]
        start = contents[1]
        outermost = min((entry.x0 for entry in entries), default=0.0)
        for match in match_entries(entries, rows, start, labels):
            # An entry may give only the first words of its heading; the lines that go on with it belong to it.
            ending = rows[match.last - 1]
            is_whole = match.last - match.first == 1 and layout.is_short(ending)
            inner = _TIGHT * layout.pitch if is_whole else ending.gap if match.last - match.first > 1 else 0.0
            last = heading_end(rows, layout, match.last - 1, listed, inner=inner)
            listed[match.first] = _heading(rows, layout, match.first, last, entries[match.entry].x0)
    elif bookmarks:
        # As if they were a table of contents, a quarter inch deeper with each level.
        entries = [
            ContentsEntry(title, fold(title), 18.0 * level, str(page))
            for level, title, page in bookmarks
            if fold(title)
        ]
        outermost = min((entry.x0 for entry in entries), default=0.0)
        numbers = {row.page: str(row.page) for row in rows}
        for match in match_entries(entries, rows, 0, numbers, is_page_sure=True):
            listed[match.first] = _heading(rows, layout, match.first, match.last, entries[match.entry].x0)
    scanned = _Scan(rows, layout, contents, listed, outermost).walk()
    return Outline(tuple(_joined(_with_leads(scanned, rows, layout), rows)), contents, outermost, starts)


def _heading(rows: Sequence[Row], layout: TextColumn, first: int, last: int, x0: float | None = None) -> Heading:
    text = with_roman_mended(joined_text([row.text for row in rows[first:last]]))
    row = rows[first]
    look = "".join(
        mark
        for mark, holds in (
            ("C", row.is_caps), ("B", row.is_bold), ("U", row.is_underlined), ("I", row.is_italic),
            ("m", layout.is_centred(row)),
        )
        if holds
    )  # fmt: skip
    kind = kind_named(text)
    return Heading(first, last, text, kind, kind is not None, number_of(text), look, x0)


class _Scan:
    """One walk over the rows; what the table lists is taken as found, the rest is judged by name and shape."""

    def __init__(
        self,
        rows: Sequence[Row],
        layout: TextColumn,
        contents: tuple[int, int] | None,
        listed: dict[int, Heading],
        x0: float,
    ) -> None:
        self._rows, self._layout, self._contents, self._listed, self._outermost = rows, layout, contents, listed, x0
        self._current: SectionKind | None = None
        self._marks: frozenset[str] | None = None
        self.found: list[Heading] = []

    def walk(self) -> list[Heading]:
        index = 0
        while index < len(self._rows):
            if self._current not in TABLES and CLOSING.fullmatch(self._rows[index].text):
                self._current = SectionKind.SIGNATURE
            if self._contents and self._contents[0] < index < self._contents[1]:
                index = self._contents[1]
                continue
            heading = self._at(index)
            if heading is not None:
                self._take(heading)
            index = heading.last if heading else index + 1
        return self.found

    def _at(self, index: int) -> Heading | None:
        rows, layout, current = self._rows, self._layout, self._current
        if "quot" in rows[index].style.lower():
            return None
        # What the table of contents lists is a heading, unless the row is an entry of a second table.
        heading = self._listed.get(index)
        if heading is not None and (
            current not in TABLES or heading.kind is not None or not split_page(rows[index], layout.right)[1]
        ):
            return heading
        has_contents = self._contents is not None
        # Then by the word processor's style, by name, and by shape last, which is the least sure.
        heading = _styled(rows, layout, index) or _named(rows, layout, index, current, has_contents=has_contents)
        if heading is not None or current in _NO_POINTS or (has_contents and rows[index].page == 1):
            return heading
        if rows[index].text[:1].islower() and number_of(rows[index].text) is None:
            return None  # the end of a sentence that runs over a page, however short its line
        is_closing = current is SectionKind.CONCLUSION
        last = shaped_end(rows, layout, index, self._listed, needs_number=is_closing)
        return _heading(rows, layout, index, last) if last else None

    def _take(self, heading: Heading) -> None:
        is_listed_outermost = heading.contents_x0 is not None and heading.contents_x0 < self._outermost + NEAR_PT
        if heading.is_major and not heading.style_level:
            heading = replace(heading, is_major=self._is_outermost(heading, is_listed_outermost=is_listed_outermost))
        self.found.append(heading)
        if heading.is_major:
            self._current = heading.kind
            # What all outermost headings have in common so far tells later ones from sub-points of the same name.
            if is_listed_outermost or not self._listed:
                marks = _marks(heading)
                self._marks = marks if self._marks is None else self._marks & marks
        elif self._current is SectionKind.QUESTIONS and is_listed_outermost:
            self._current = None

    def _is_outermost(self, heading: Heading, *, is_listed_outermost: bool) -> bool:
        """Whether a heading that names a part of a brief opens that part, or only a sub-point of the same name."""
        if is_listed_outermost:
            return True
        current = self._current
        if heading.contents_x0 is not None:
            # "Standard of Review" under a point, or "Argument" within the argument, opens no part.
            is_sub = heading.kind in (SectionKind.STANDARD, current)
            is_sub = is_sub or (current is SectionKind.ARGUMENT and heading.kind in _OF_POINTS)
            return heading.number is None and not is_sub
        if heading.kind in _ALWAYS_PARTS:
            return True
        if current is not None and self._marks and not self._marks <= _marks(heading):
            return False
        return current is not SectionKind.ARGUMENT or heading.kind not in _SUB_PARTS


def _marks(heading: Heading) -> frozenset[str]:
    """What the outermost headings of a document have in common: capitals, bold, centred, without a number."""
    return frozenset(heading.look) - {"I", "U"} | ({"unnumbered"} if heading.number is None else set())


def _styled(rows: Sequence[Row], layout: TextColumn, index: int) -> Heading | None:
    """A heading by its style in a word processor, or by the marks of Markdown."""
    row = rows[index]
    level = 0
    text = row.text
    style = row.style.lower()
    marks = None if layout.has_pages else _MARKDOWN.match(text)
    if marks:
        level, text = len(marks[1]), text[marks.end() :]
    elif style.startswith("heading"):
        digits = "".join(c for c in style if c.isdecimal())
        level = int(digits) if digits else 1
    elif style == "title":
        level = 1
    if not level:
        return None
    kind = kind_named(text)
    return Heading(index, index + 1, text, kind, kind is not None and level == 1, number_of(text), "", None, level)


def _named(
    rows: Sequence[Row], layout: TextColumn, index: int, current: SectionKind | None, *, has_contents: bool
) -> Heading | None:
    """A heading that names a part of a brief and stands alone."""
    for count in (1, 2):
        block = rows[index : index + count]
        if len(block) < count or block[-1].page != rows[index].page:
            return None
        row = block[0]
        kind = kind_named(" ".join(r.text for r in block))
        if kind is None:
            continue
        if kind is current and kind in (SectionKind.PARTIES, SectionKind.AUTHORITIES):
            return None
        if row.page == 1 and (has_contents or kind is SectionKind.ORAL_ARGUMENT) and kind not in TABLES:
            return None
        if not row.text[0].isupper() and number_of(row.text) is None:
            return None
        if current in TABLES and not layout.has_pages and _PAGE_AT_END.search(block[-1].text):
            return None
        if split_page(block[-1], layout.right)[1] and (current in TABLES or LEADER.search(block[-1].text)):
            return None
        if not emphasis_of(row, layout) and runs_on(rows, layout, index):
            return None
        if all(stands_out(r, layout) for r in block) or (count == 1 and stands_alone(rows, layout, index)):
            return _heading(rows, layout, index, index + count)
    return None


def _with_leads(headings: Sequence[Heading], rows: Sequence[Row], layout: TextColumn) -> list[Heading]:
    """Add the numbered titles that stand alone right above a heading, whatever they look like: a brief that goes on
    with a further heading has said nothing under them.
    """
    led: list[Heading] = []
    for heading in headings:
        index = heading.first - 1
        is_free = index > 0 and (not led or led[-1].last <= index) and heading.number is not None
        if is_free and _is_lone_title(rows, index, layout) and rows[index].page == rows[heading.first].page:
            led.append(_heading(rows, layout, index, index + 1))
        led.append(heading)
    return led


def _is_lone_title(rows: Sequence[Row], index: int, layout: TextColumn) -> bool:
    row, above = rows[index], rows[index - 1]
    is_apart = above.page != row.page or above.ends_sentence
    return is_apart and number_of(row.text) is not None and layout.is_short(row) and not row.ends_sentence


def _joined(headings: list[Heading], rows: Sequence[Row]) -> list[Heading]:
    """Headings whose number stands on a line of its own ("POINT I") joined with the title right behind it."""
    joined: list[Heading] = []
    for heading in headings:
        before = joined[-1] if joined else None
        if (
            before is not None
            and before.last == heading.first
            and before.number is not None
            and before.number.length >= len(before.text)
            and heading.number is None
            and heading.kind is None
            and rows[heading.first].page == rows[before.first].page
        ):
            joined[-1] = replace(
                before,
                last=heading.last,
                text=f"{before.text} {heading.text}",
                contents_x0=before.contents_x0 if before.contents_x0 is not None else heading.contents_x0,
            )
        else:
            joined.append(heading)
    return joined
