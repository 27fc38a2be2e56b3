"""Pages as filed: a PDF rendered by MuPDF, its words through the readers' own code or from OCR done at indexing;
and where a passage stands among these words.

Parses untrusted files: runs in a process that may die. OCR is never run for looking at a page.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from briefbank.errors import SourceError
from briefbank.ingest.readers.mupdf import import_pymupdf
from briefbank.ingest.readers.pdf import load_page, page_or_ocr
from briefbank.ingest.readers.pdf_file import guarded, opened_pdf
from briefbank.pages.source import PageSource, RenderedPage, has_place, is_raised_number, joined, rendered
from briefbank.values.pages import PageLink, PageSize, Typography
from briefbank.values.records import Box, Page, PageBox, Passage, PlacedWord, Span, TextSource

_SLACK_PT = 1.0
"""How far the middle of a word may lie outside the passage's lines, whose boxes are kept to fewer digits."""

_HYPHENS = frozenset("-\u00ad\u2010")
_MOST_COMPARED = 4_000_000
"""Product of lengths above which two different texts are not compared letter by letter: that would take seconds."""

_OVERHANG_PT = 6.0
"""How far text may stand over the edge of a page that is not sideways."""

_MOST_LINKS = 2_000
"""Links of one page that are looked at; a page of a table of contents has some 50."""

_MOST_READ = 200
"""Pages whose words are kept, and passages of which it is kept where they stand; a page holds about 100 kB of them."""


def place_words(passage: Passage, pages: Sequence[Page]) -> list[PlacedWord]:
    """Pair the words that stand within the passage's boxes with the passage's text; those not in it are left out."""
    outline = {page.number: [each for each in passage.boxes if each.page == page.number] for page in pages}
    words = [
        (page.number, word)
        for page in pages
        for line in page.lines
        for word in line.words
        if _is_within(word.box, page.number, outline[page.number])
    ]
    found = places_of_words(passage.text, [word.text for _, word in words])
    return sorted(PlacedWord(*span, words[at][0], words[at][1].box) for at, span in found.items())


def places_of_words(text: str, words: Sequence[str]) -> dict[int, Span]:
    """Pair printed words, in order, with a text that may hold less or more: by the number of each word that is found,
    where it stands in the text.
    """
    offsets = [at for at, letter in enumerate(text) if _counts(letter)]
    owners = [at for at, word in enumerate(words) for letter in word if _counts(letter)]
    printed = "".join(letter for word in words for letter in word if _counts(letter))
    wanted = "".join(text[at] for at in offsets)
    found: dict[int, Span] = {}
    for in_text, on_page, length in _common(wanted, printed):
        for step in range(length):
            at, offset = owners[on_page + step], offsets[in_text + step]
            found[at] = Span(found[at].start if at in found else offset, offset + 1)
    return found


def _counts(letter: str) -> bool:
    return not letter.isspace() and letter not in _HYPHENS


def _is_within(box: Box, page: int, outline: Sequence[PageBox]) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return any(
        each.box.y0 - _SLACK_PT <= y <= each.box.y1 + _SLACK_PT
        and each.box.x0 - _SLACK_PT <= x <= each.box.x1 + _SLACK_PT
        and each.page == page
        for each in outline
    )


def _common(first: str, second: str) -> Iterator[tuple[int, int, int]]:
    """Stretches that two texts have in common, in order: start in each, and length."""
    if (whole := second.find(first)) > 0:
        yield 0, whole, len(first)
        return
    least = min(len(first), len(second))
    head = next((at for at in range(least) if first[at] != second[at]), least)
    tail = next((at for at in range(least - head) if first[-1 - at] != second[-1 - at]), least - head)
    yield 0, 0, head
    middle = first[head : len(first) - tail], second[head : len(second) - tail]
    if all(middle) and len(middle[0]) * len(middle[1]) <= _MOST_COMPARED:
        for at, other, length in SequenceMatcher(None, *middle, autojunk=False).get_matching_blocks():
            yield head + at, head + other, length
    yield len(first) - tail, len(second) - tail, tail


def boxes_of(
    span: Span, passage: Passage, placed: Sequence[PlacedWord], outline: Sequence[PageBox]
) -> tuple[PageBox, ...]:
    """Where `span` of the passage's text stands: one box a line; the whole line where no word of it was found."""
    inside = [word for word in placed if word.start < span.end and word.end > span.start]
    cut = [PageBox(word.page, _cut(word, span)) for word in inside]
    boxes = tuple(PageBox(page, Box.around(run)) for page, run in _by_line(cut))
    return boxes or _line_of(span, passage, placed, outline)


def outline_of(placed: Sequence[PlacedWord]) -> tuple[PageBox, ...]:
    """The boxes of some words, line by line."""
    return tuple(PageBox(page, Box.around(run)) for page, run in _by_line([PageBox(w.page, w.box) for w in placed]))


def _cut(word: PlacedWord, span: Span) -> Box:
    """The part of a word's box that belongs to the span, its letters taken to be of one width."""
    width = (word.box.x1 - word.box.x0) / (word.end - word.start)
    left = max(0, span.start - word.start) * width
    right = max(0, word.end - span.end) * width
    return Box(word.box.x0 + left, word.box.y0, word.box.x1 - right, word.box.y1)


def _by_line(boxes: Sequence[PageBox]) -> Iterator[tuple[int, list[Box]]]:
    """Runs of boxes, given in reading order, that stand on one printed line."""
    starts = [0]
    for at, (before, here) in enumerate(pairwise(boxes), 1):
        overlap = min(before.box.y1, here.box.y1) - max(before.box.y0, here.box.y0)
        height = min(before.box.y1 - before.box.y0, here.box.y1 - here.box.y0)
        is_same_line = before.page == here.page and 2 * overlap >= height and here.box.x1 > before.box.x0
        starts.append(starts[-1] if is_same_line else at)
    for _, run in groupby(zip(starts, boxes, strict=False), key=lambda pair: pair[0]):
        line = [box for _, box in run]
        yield line[0].page, [each.box for each in line]


def _line_of(
    span: Span, passage: Passage, placed: Sequence[PlacedWord], outline: Sequence[PageBox]
) -> tuple[PageBox, ...]:
    """The line on which a span should stand: that of the word found before it, else by its share of the text."""
    if not outline:
        return ()
    before = [word for word in placed if word.end <= span.start]
    if before:
        last = before[-1]
        on = [each for each in outline if _is_within(last.box, last.page, (each,))]
        return (on[0],) if on else (PageBox(last.page, last.box),)
    widths = [max(each.box.x1 - each.box.x0, 0.0) for each in outline]
    reach = [sum(widths[: at + 1]) for at in range(len(widths))]
    share = span.start / max(1, len(passage.text)) * reach[-1]
    return (outline[min(bisect_right(reach, share), len(outline) - 1)],)


def _make_room(kept: dict[Any, Any]) -> None:
    if len(kept) >= _MOST_READ:
        del kept[next(iter(kept))]


class FiledPages:
    """The pages of one PDF and of the PDFs in it, open until `close`; those of other files in it are set."""

    def __init__(
        self,
        path: Path,
        data: bytes | None,
        ocr_pages: Mapping[int, Page],
        reach: Mapping[int, float],
        typeset: PageSource | None = None,
    ) -> None:
        """Open the PDF; `data` holds its bytes, or is None where the file itself is to be kept open.

        `ocr_pages` are what OCR read of it; `reach` tells how far to the right text stands on a page, in points: one
        whose text stands beyond its width is read sideways. Where files lie in the PDF, `typeset` has all pages, of
        which those behind the filed ones are shown.

        Raises:
            SourceError: MuPDF cannot open it.
        """
        self._path = path
        self._ocr_pages = ocr_pages
        self._read: dict[int, Page] = {}
        self._placed: dict[str, list[PlacedWord]] = {}
        self._typeset = typeset
        self.held_bytes = len(data or b"")
        with ExitStack() as stack:
            self._pdf = stack.enter_context(opened_pdf(path, data))
            with guarded(path):
                self._filed_count = self._pdf.page_count if typeset else self._pdf.own_count
                numbers = range(1, self._filed_count + 1)
                filed = tuple(self._size(number, reach.get(number, 0.0)) for number in numbers)
                self.sizes = filed + (typeset.sizes[self._filed_count :] if typeset else ())
            self._open = stack.pop_all()

    def close(self) -> None:
        self._open.close()

    def page(self, number: int) -> Page:
        """Read a page as it was read for the index.

        Raises:
            SourceError: MuPDF cannot read it.
        """
        if typeset := self._set_page(number):
            return typeset.page(number)
        if number not in self._read:
            with guarded(self._path):
                page, needs_ocr = page_or_ocr(self._pdf, number)
            _make_room(self._read)
            is_replaced = needs_ocr or page.source is TextSource.UNSEEN or page.pictures
            self._read[number] = self._ocr_pages.get(number, page) if is_replaced else page
        return self._read[number]

    def picture(self, number: int, scale: float) -> RenderedPage:
        """Render a page the way up in which it was read.

        Raises:
            SourceError: MuPDF cannot render it.
        """
        if typeset := self._set_page(number):
            return typeset.picture(number, scale)
        turn = self.page(number).rotation_deg
        with guarded(self._path):
            return rendered(load_page(self._pdf, number), scale, turn)

    def links(self, number: int) -> tuple[PageLink, ...]:
        """Find the places of a page that lead to another page of the file; what leads out of it is left alone.

        None on a page that was turned for reading, since its links stand where they stood before, and none where they
        cannot be read: the page's words still can. Raises as `page`.
        """
        if self._set_page(number) or self.page(number).rotation_deg:
            return ()
        before = number - self._pdf.located(number)[1]
        internal = import_pymupdf().LINK_GOTO
        try:
            with guarded(self._path):
                found = load_page(self._pdf, number).get_links()[:_MOST_LINKS]
                return tuple(
                    PageLink(Box(*map(float, each["from"])), each["page"] + 1 + before)
                    for each in found
                    if each["kind"] == internal and each["page"] in range(self._filed_count - before)
                )
        except SourceError:
            return ()

    def placed(self, passage: Passage) -> list[PlacedWord]:
        """Find the passage's words on its pages. Raises as `page`."""
        if self._typeset and not has_place(passage):
            return self._typeset.placed(passage)
        if passage.id not in self._placed:
            _make_room(self._placed)
            self._placed[passage.id] = place_words(passage, self._pages_of(passage))
        return self._placed[passage.id]

    def typography(self, passage: Passage) -> Typography:
        """Find the italic words of a passage, None where OCR read it that knows no type, and its raised numbers. Raises
        as `page`.
        """
        pages = self._pages_of(passage)
        words = {(page.number, word.box): word for page in pages for line in page.lines for word in line.words}
        placed = [(Span(each.start, each.end), words[each.page, each.box]) for each in self.placed(passage)]
        italics = joined((span for span, word in placed if word.is_italic), passage.text)
        is_read = any(page.source is TextSource.OCR for page in pages)
        is_unknown = is_read and not any(word.is_italic for word in words.values())
        raised = tuple(span for span, word in placed if is_raised_number(word))
        return Typography(None if is_unknown else italics, raised)

    def _pages_of(self, passage: Passage) -> list[Page]:
        numbers = sorted({box.page for box in passage.boxes if box.page <= len(self.sizes)})
        return [self.page(number) for number in numbers]

    def _set_page(self, number: int) -> PageSource | None:
        """What has a page that is set, rather than filed."""
        return self._typeset if number > self._filed_count else None

    def _size(self, number: int, reach: float) -> PageSize:
        document, at = self._pdf.located(number)
        rect = document[at - 1].rect
        turn = self._ocr_pages[number].rotation_deg if number in self._ocr_pages else 0
        is_sideways = turn % 180 == 90 or rect.width + _OVERHANG_PT < reach <= rect.height
        return PageSize(rect.height, rect.width) if is_sideways else PageSize(rect.width, rect.height)
