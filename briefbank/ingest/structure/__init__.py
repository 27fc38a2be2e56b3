"""From what a reader saw to clean text with structure: blocks, sections with their paths, every word's place; and what
the document says of itself.

Knows no file formats; works on the lines of a Reading, from a text layer or OCR alike.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from briefbank.ingest.metadata import find_metadata, without_stamps
from briefbank.ingest.structure.attached import with_attached
from briefbank.ingest.structure.footnotes import Footnote, split_footnotes
from briefbank.ingest.structure.furniture import strip_furniture
from briefbank.ingest.structure.headings import CLOSING, find_headings
from briefbank.ingest.structure.hyphens import LineEnds, Seam
from briefbank.ingest.structure.numbered import split_sections, with_numbered
from briefbank.ingest.structure.paragraphs import RowGroup, group_lines, group_prose
from briefbank.ingest.structure.printed import page_runs
from briefbank.ingest.structure.rows import Row, TextColumn, measure
from briefbank.ingest.structure.sections import SectionPlan, build_parts, stack_headings
from briefbank.platform.visible import shorten
from briefbank.values.page_numbers import PageRun
from briefbank.values.records import (
    AttachedPages,
    Block,
    BlockRole,
    PageInfo,
    PlacedWords,
    Reading,
    Section,
    SectionKind,
    Span,
    StructuredDocument,
    Word,
)

# A space is at least a fifth of the type size in the usual faces; chosen, not measured.
_JOINED_GAP_EM = 0.12
"""Gap between two words, as a share of their height, below which they are one that a change of face parted."""
_BLANK_LINE = "\n\n"

_LINED = frozenset(
    {
        SectionKind.CAPTION,
        SectionKind.PARTIES,
        SectionKind.CONTENTS,
        SectionKind.AUTHORITIES,
        SectionKind.SIGNATURE,
    }
)
_COVER = re.compile(r"\b(?:PDF portfolio|please wait)\b", re.IGNORECASE)
_COVER_CHARACTERS = 1_000
"""What programs print on the page that they put before a portfolio or a form, and how long such a page is at most."""
_MAIL_LABEL = re.compile(r"(?:from|to|cc|date|sent|subject|re)\s?:", re.IGNORECASE)
_LEAST_LABELS = 2
"""Lines with a label from which they are the head of a mail or memorandum, and what follows its text."""
_LONG_PARAGRAPH = 160
"""Characters from which a line of a file without pages is a paragraph of running text."""


class TextWriter:
    """Appends blocks to a text that grows, and keeps their spans and words."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._ends = LineEnds([word.text for word in row.words] for row in rows)
        self.blocks: list[Block] = []
        self._places, self._boxes = array("q"), array("d")

    @property
    def length(self) -> int:
        return self._length

    def text(self) -> str:
        return "".join(self._pieces)

    def words(self) -> PlacedWords:
        return PlacedWords(self._places.tobytes(), self._boxes.tobytes())

    def add(self, group: RowGroup, *, is_last: bool) -> None:
        """Append one block and, unless it is the last of all, the blank line that belongs to it."""
        start = self._length
        previous: Row | None = None
        for row in group.rows:
            if previous is not None:
                self._between(previous, row, is_lined=group.is_lined)
            self._add_row(row)
            previous = row
        if not is_last:
            self._put(_BLANK_LINE)
        span = Span(start, self._length)
        self.blocks.append(Block(span, group.role, group.rows[0].page, group.rows[-1].page))

    def _put(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += len(piece)

    def _add_row(self, row: Row) -> None:
        page = row.page
        before: Word | None = None
        for word in row.words:
            if before is not None and not _touches(before, word):
                self._put(" ")
            start = self._length
            self._put(word.text)
            self._places.extend((start, self._length, page))
            self._boxes.extend(word.box)
            before = word

    def _between(self, above: Row, row: Row, *, is_lined: bool) -> None:
        if is_lined:
            self._put("\n")
            return
        seam = self._ends.seam(above.words[-1].text, row.words[0].text)
        if seam is Seam.SPACE:
            self._put(" ")
        elif seam is Seam.NOTHING:
            self._drop_hyphen()

    def _drop_hyphen(self) -> None:
        self._pieces[-1] = self._pieces[-1][:-1]
        self._length -= 1
        self._places[-2] -= 1


def _touches(before: Word, word: Word) -> bool:
    """Whether two words are printed without a space between them: a raised letter or number behind its word."""
    if before.is_superscript == word.is_superscript:
        return False
    height = max(before.box.y1 - before.box.y0, word.box.y1 - word.box.y0)
    return -height < word.box.x0 - before.box.x1 < _JOINED_GAP_EM * height


def _write_blocks(groups: Sequence[Sequence[RowGroup]]) -> tuple[TextWriter, list[Span]]:
    """Write the groups of each section in turn; returns the writer and the span of each section."""
    writer = TextWriter(row for section in groups for group in section for row in group.rows)
    total = sum(map(len, groups))
    written = 0
    spans: list[Span] = []
    for section in groups:
        start = writer.length
        for group in section:
            written += 1
            writer.add(group, is_last=written == total)
        spans.append(Span(start, writer.length))
    return writer, spans


def structure(reading: Reading) -> StructuredDocument:
    """Find the structure and the metadata of a document.

    Stamps, running heads, page and line numbers are dropped; all else is in `text`, in reading order, footnotes behind
    the section that calls them. Blocks and sections each tile `text`. The same reading always gives the same result.
    A file that lies in the document's own is structured by itself, behind the rest, under a heading that names it.
    """
    if not reading.attached:
        return _structured(reading)
    own = _structured(replace(reading, pages=reading.pages[: reading.attached[0].first - 1], attached=()))
    files = [(each, _structured(_alone(reading, each))) for each in reading.attached]
    if len(own.text) < _COVER_CHARACTERS and _COVER.search(own.text):
        own = replace(own, metadata=files[0][1].metadata)
    return with_attached(own, files)


def _alone(reading: Reading, at: AttachedPages) -> Reading:
    """The reading of an attached file by itself."""
    pages = (replace(page, number=number) for number, page in enumerate(reading.pages[at.first - 1 : at.last], 1))
    return Reading(tuple(pages), at.has_pages, at.styles, bookmarks=at.bookmarks)


def _structured(reading: Reading) -> StructuredDocument:
    reading, stamps = without_stamps(reading)
    by_page, numbers = strip_furniture(reading)
    runs = page_runs(numbers)
    layout = measure([row for rows in by_page for row in rows], has_pages=reading.has_pages)
    rows, notes = split_footnotes(by_page, layout)
    rows = split_sections(rows, layout)
    outline = find_headings(rows, layout, _labels(runs), reading.bookmarks)
    outline = replace(outline, headings=tuple(with_numbered(outline.headings, rows, layout, outline.contents)))
    parts = _with_signatures(_with_opening(stack_headings(build_parts(outline)), rows, layout), rows)
    notes_of = _place_notes(notes, rows, parts)
    sections: list[tuple[SectionPlan, bool]] = []
    groups: list[list[RowGroup]] = []
    for number, (part, end) in enumerate(_with_ends(parts, len(rows))):
        starts = frozenset(index - part.heading_last for index in outline.entry_starts)
        sections.append((part, False))
        groups.append(_groups(part, rows, end, layout, starts))
        if number in notes_of:
            sections.append((part, True))
            groups.append([RowGroup(note.rows, BlockRole.FOOTNOTE) for note in notes_of[number]])
    writer, spans = _write_blocks(groups)
    text = writer.text()
    made = tuple(
        Section(span, part.kind, tuple(map(shorten, part.path)), is_notes)
        for span, (part, is_notes) in zip(spans, sections, strict=True)
    )
    return StructuredDocument(
        text,
        tuple(writer.blocks),
        made,
        writer.words(),
        tuple(
            PageInfo(page.number, page.width_pt, page.height_pt, page.source, page.ocr_confidence, page.rotation_deg)
            for page in reading.pages
        ),
        find_metadata(reading, stamps, text, made),
        reading.has_pages,
        runs,
    )


def _labels(runs: Iterable[PageRun]) -> dict[int, str]:
    """Printed numbers by sheet, in the letters of a table of contents that names them."""
    return {
        sheet: run.label(sheet).lower().replace(" ", "") for run in runs for sheet in range(run.first, run.last + 1)
    }


def _with_ends(parts: Sequence[SectionPlan], row_count: int) -> list[tuple[SectionPlan, int]]:
    """Each part with the row behind its last one."""
    return [(part, after.first) for part, after in pairwise(parts)] + [(part, row_count) for part in parts[-1:]]


def _groups(
    part: SectionPlan, rows: Sequence[Row], end: int, layout: TextColumn, starts: frozenset[int]
) -> list[RowGroup]:
    cuts = (part.first, *part.heading_cuts, part.heading_last)
    groups = [RowGroup(tuple(rows[cut:behind]), BlockRole.HEADING) for cut, behind in pairwise(cuts) if cut < behind]
    content = rows[part.heading_last : end]
    if part.kind in _LINED:
        return groups + group_lines(content, starts if part.kind is SectionKind.CONTENTS else frozenset())
    return groups + group_prose(content, layout)


def _with_opening(parts: list[SectionPlan], rows: Sequence[Row], layout: TextColumn) -> list[SectionPlan]:
    """Add what stands before the first heading: the caption on the first page, and any text behind it."""
    first = parts[0].first if parts else len(rows)
    if first == 0:
        return parts
    behind_cover = next((i for i in range(first) if rows[i].page != rows[0].page), first)
    labels = next((i for i in range(behind_cover) if not _MAIL_LABEL.match(rows[i].text)), behind_cover)
    from_row = labels if labels >= _LEAST_LABELS else 0
    prose = from_row or next((i for i in range(behind_cover) if _is_prose(rows, i, layout)), behind_cover)
    if not parts and prose == first:
        return [SectionPlan(0, 0, SectionKind.BODY, ())]  # short lines alone: a whole document is no caption
    opening = [SectionPlan(0, 0, SectionKind.CAPTION, ())] if prose else []
    if prose < first:
        opening.append(SectionPlan(prose, prose, SectionKind.BODY, ()))
    return opening + parts


def _is_prose(rows: Sequence[Row], index: int, layout: TextColumn) -> bool:
    """Whether two full lines of small letters follow on one another from here: the caption is over."""
    block = rows[index : index + 2]
    if not layout.has_pages and len(rows[index].text) > _LONG_PARAGRAPH:
        return True
    return (
        len(block) == 2
        and all(not layout.is_short(row) and not row.is_caps for row in block)
        and block[0].box.x0 < layout.left + 0.2 * layout.width
        and block[1].box.x0 < layout.left + 0.5 * layout.size
    )


def _with_signatures(parts: list[SectionPlan], rows: Sequence[Row]) -> list[SectionPlan]:
    """Cut each part where "Respectfully submitted" closes it."""
    cut: list[SectionPlan] = []
    for part, end in _with_ends(parts, len(rows)):
        cut.append(part)
        if part.kind in _LINED:
            continue
        for index in range(part.heading_last, end):
            if CLOSING.fullmatch(rows[index].text):
                cut.append(
                    replace(
                        part,
                        first=index,
                        heading_last=index,
                        kind=SectionKind.SIGNATURE,
                        path=part.path[:1],
                        heading_cuts=(),
                    )
                )
                break
    return cut


def _place_notes(
    notes: Sequence[Footnote], rows: Sequence[Row], parts: Sequence[SectionPlan]
) -> dict[int, list[Footnote]]:
    """Footnotes by the number of the part that calls them; without a call found, the last part on their page."""
    placed: dict[int, list[Footnote]] = {}
    if not notes:
        return placed
    part_of: list[int] = []
    for number, (part, end) in enumerate(_with_ends(parts, len(rows))):
        part_of.extend([number] * (end - part.first))
    rows_on: dict[int, list[int]] = {}
    for index, row in enumerate(rows):
        rows_on.setdefault(row.page, []).append(index)
    last = 0
    for note in notes:
        on_page = rows_on.get(note.page, [])
        call = next((i for i in on_page if _calls(rows[i], note.number)), on_page[-1] if on_page else None)
        last = part_of[call] if call is not None else last
        placed.setdefault(last, []).append(note)
    return placed


def _calls(row: Row, number: int) -> bool:
    mark = str(number)
    return number > 0 and any(word.is_superscript and word.text.strip("[]()") == mark for word in row.words)
