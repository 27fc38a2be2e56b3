"""Decides how a document's pages are shown, keeps the last ones open, and marks passages on them.

A file is shown only if its SHA-256 is that of the index; else the text that the bank holds is set instead, and the
document's `warning` says so. Must not know who looks.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path

from briefbank.errors import SourceError, UsageError
from briefbank.index.generation import Generation
from briefbank.ingest.cache import stored_ocr_pages
from briefbank.pages.filed import FiledPages, boxes_of, outline_of
from briefbank.pages.quotations import NO_PROSE, Column, block_quotes, column_of
from briefbank.pages.references.resolve import references_in
from briefbank.pages.references.text import headings_of
from briefbank.pages.source import PageSource, has_place, is_raised_number
from briefbank.pages.typeset import typeset_in_place, typeset_on_sheets
from briefbank.pages.word_file import SUFFIXES, SetPassage, set_passages
from briefbank.platform.files import file_sha256, read_bounded, require_regular
from briefbank.platform.windows.names import openable
from briefbank.values.page_numbers import PageRun, sheets_bearing
from briefbank.values.pages import (
    DocumentPages,
    OutlineEntry,
    PageImage,
    PageLink,
    PageText,
    PageWord,
    PassageMarks,
    Reference,
    Typography,
)
from briefbank.values.records import Box, Document, Page, PageBox, Passage, PlacedWord, SectionKind, Span, Word

_MOST_OPEN = 8
_MOST_HELD_BYTES = 256_000_000
"""Documents kept open, and the bytes of files that they may hold together; the newest one always stays."""

_LARGE_BYTES = 100_000_000
"""Size from which a file is kept open instead of held in memory."""

_MOST_SCALE = 20.0
_INSTEAD = "Shown instead is the text that was indexed, not the page as filed."
_CHANGED = f"The file has changed since it was indexed. {_INSTEAD}"
_GONE = f"The file is no longer where it was indexed. {_INSTEAD}"
_UNREADABLE = f"The file cannot be opened. {_INSTEAD}"
_UNREACHABLE = f"The file cannot be reached: is the share connected? {_INSTEAD}"
_NOT_OPENED = f"Files of briefs are not opened on this computer. {_INSTEAD}"
_IDS_CHANGE = "Ids change when a brief changes: search again, and use the id shown then."
_NO_PAGES = "This brief has no pages of its own; its text is set on sheets here."

_PAGE_TOP = Box(0.0, 0.0, 0.0, 0.0)
_Stamp = tuple[int, int] | None
"""Size and time of a file, None where it is not there."""

_TABLES = frozenset({SectionKind.CONTENTS, SectionKind.AUTHORITIES})
_LEADER_SIGNS = ".…·_ "
_LEADER = re.compile(r"(?:[.·_] ?){4}|…")
"""The dots that lead to a page number. A line without them may end with the number of a statute, or of a year."""
_GLUED = re.compile(r"[.·_]{3,}|…")
"""Dots with words on both sides of them: "CONCLUSION........20"."""
_LONGEST_NUMBER = 7
"""Letters of a printed number ("xxxviii"); longer words are not looked up."""


class _PageReferences:
    """Where the references of a document stand on its pages, and where there they lead; found when the first of its
    pages is read.
    """

    def __init__(
        self, passages: Sequence[Passage], runs: Sequence[PageRun], source: PageSource, *, is_filed: bool
    ) -> None:
        """Find nothing yet. `is_filed` where the boxes of the passages are those of the pages of `source`."""
        self._passages, self._runs, self._source, self._is_filed = passages, runs, source, is_filed
        self._found: tuple[Reference, ...] | None = None

    def links(self, number: int) -> tuple[PageLink, ...]:
        """Return what on a page refers to another place, line by line. Raises as `PageSource.page`."""
        if self._found is None:
            self._found = tuple(each for each in references_in(self._passages, self._runs) if not each.is_dead)
        links: list[PageLink] = []
        for each in self._found:
            if not self._is_filed or each.passage.page_first <= number <= each.passage.page_last:
                boxes = [place.box for place in self._boxes(each.passage, each.span) if place.page == number]
                goal = self._goal(each) if boxes else None
                links += [PageLink(box, goal.page, goal.box.y0, each.title, each.kind) for box in boxes if goal]
        return tuple(links)

    def _goal(self, reference: Reference) -> PageBox | None:
        """The line that a reference leads to."""
        target, at = reference.target, reference.target_offset
        if target is None:
            return PageBox(reference.page, _PAGE_TOP)
        if not at and self._is_filed and has_place(target):
            return target.boxes[0] if target.boxes else None
        return next(iter(self._boxes(target, Span(at, at + 1))), None)

    def _boxes(self, passage: Passage, span: Span) -> tuple[PageBox, ...]:
        placed = self._source.placed(passage)
        outline = passage.boxes if self._is_filed and has_place(passage) else outline_of(placed)
        return boxes_of(span, passage, placed, outline)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A document being looked at; `stamp` is that of the file when it was opened."""

    document: Document
    passages: Sequence[Passage]
    source: PageSource
    warning: str
    has_own_pages: bool
    stamp: _Stamp
    references: _PageReferences
    column: Callable[[], Column]
    """Measured when it is first asked for."""
    entries: Mapping[int, Sequence[Box]] = field(default_factory=dict)
    """The lines of its tables of contents and authorities, by page."""
    quoted: dict[str, Sequence[PlacedWord]] = field(default_factory=dict)
    """The words of block quotations, by the passages that were looked at."""


class PageRenderer:
    """The pages of all documents of one generation."""

    def __init__(
        self, generation: Generation, cache_file: Path, may_open: Callable[[str], bool] = lambda _: True
    ) -> None:
        """Open nothing yet; `cache_file` is where OCR results are kept. Of a file whose path `may_open` refuses not
        even the time is looked at.
        """
        self._may_open = may_open
        self._generation = generation
        self._cache_file = cache_file
        self._documents = {document.id: document for document in generation.documents}
        self._opened: OrderedDict[str, _Opened] = OrderedDict()
        self._others: dict[str, tuple[Passage, ...]] = {}
        """The passages of files that are in no bank, by their documents."""

    def show_others(self, files: Sequence[tuple[Document, tuple[Passage, ...]]]) -> None:
        """Show these files that are in no bank too, in the place of those before; a person has named them, so that they
        may be opened.
        """
        for document_id in self._others:
            self._documents.pop(document_id, None)
            if opened := self._opened.pop(document_id, None):
                opened.source.close()
        self._others = {document.id: passages for document, passages in files}
        self._documents |= {document.id: document for document, _ in files}

    def shows(self, generation: Generation) -> bool:
        """Whether these are the pages of that generation."""
        return self._generation is generation

    def close(self) -> None:
        """Let go of every file."""
        while self._opened:
            self._opened.popitem()[1].source.close()

    def document_pages(self, document_id: str) -> DocumentPages:
        """Open a document, or look whether its file is still the same.

        Raises:
            UsageError: there is no such document in the live generation.
        """
        opened = self._open(document_id, is_fresh=True)
        return DocumentPages(opened.document, opened.source.sizes, opened.warning, opened.has_own_pages)

    def page_image(self, document_id: str, number: int, scale: float) -> PageImage:
        """Render page `number` (from 1) at `scale` pixels a point; a sheet too large for that comes at less.

        Raises:
            UsageError: there is no such page, or the scale makes no sense.
            SourceError: the page cannot be rendered.
        """
        if not 0 < scale <= _MOST_SCALE:
            raise UsageError(f"A page cannot be shown at {scale} pixels a point.", f"Ask for up to {_MOST_SCALE:.0f}.")
        picture = self._page_of(document_id, number).picture(number, scale)
        return PageImage(document_id, number, *picture)

    def page_text(self, document_id: str, number: int) -> PageText:
        """Return the words of a page in reading order.

        Raises:
            UsageError: there is no such page.
            SourceError: the page cannot be read.
        """
        source = self._page_of(document_id, number)
        page = source.page(number)
        opened = self._open(document_id)
        links = source.links(number)
        if not links and opened.has_own_pages:
            links = entry_links(page, opened.entries.get(number, ()), opened.document.page_runs or ())
        links += opened.references.links(number)
        quoted = self._quoted_on(opened, number)
        words = (
            PageWord(
                word.text,
                word.box,
                at,
                is_raised_number(word),
                word.is_italic,
                word.is_bold,
                word.is_underlined,
                word.box in quoted,
            )
            for at, line in enumerate(page.lines)
            for word in line.words
        )
        return PageText(document_id, number, tuple(words), page.source, page.ocr_confidence, links)

    def _quoted_on(self, opened: _Opened, number: int) -> set[Box]:
        """The boxes of the words on a page that stand in block quotations."""
        here = (
            each for each in opened.passages if not opened.has_own_pages or each.page_first <= number <= each.page_last
        )
        quoted = (word for each in here for word in self._quoted_in(opened, each))
        return {word.box for word in quoted if word.page == number}

    def _quoted_in(self, opened: _Opened, passage: Passage) -> Sequence[PlacedWord]:
        """The words of a passage that stand in block quotations; found once, for it may stand on several pages."""
        if passage.id not in opened.quoted:
            placed = [] if passage.section_kind in NO_PROSE else opened.source.placed(passage)
            if opened.has_own_pages:
                quotes = block_quotes(passage, placed, opened.column())
            else:
                quotes = opened.source.typography(passage).quotes
            opened.quoted[passage.id] = [
                word for word in placed if any(each.start <= word.start < each.end for each in quotes)
            ]
        return opened.quoted[passage.id]

    def marks(self, passage_id: str, matches: Sequence[Span]) -> PassageMarks:
        """Find a passage on its pages, and in it each of the spans of its text.

        Raises:
            UsageError: there is no such passage in the live generation.
            SourceError: its pages cannot be read.
        """
        passage = self._passage(passage_id)
        opened = self._open(passage.document_id)
        placed = opened.source.placed(passage)
        outline = passage.boxes if opened.has_own_pages and has_place(passage) else outline_of(placed)
        found = tuple(boxes_of(span, passage, placed, outline) for span in matches)
        return PassageMarks(passage_id, outline, found)

    def outline(self, document_id: str) -> tuple[OutlineEntry, ...]:
        """Return the headings of a document in their order, each where the first passage under it begins.

        Raises:
            UsageError: there is no such document in the live generation.
            SourceError: its pages cannot be read.
        """
        opened = self._open(document_id)
        return tuple(
            OutlineEntry(each.title, each.level, place, each.passage.id)
            for each in headings_of(opened.passages)
            if (place := _first_line(opened, each.passage))
        )

    def typography(self, passage_id: str, text: str) -> Typography:
        """Return how a passage's text is printed on its pages. Nothing is known where these are not those that were
        indexed, or where the passage of this id has another text by now. Raises as `marks`.
        """
        passage = self._passage(passage_id)
        if passage.text != text:
            return Typography()
        return self._typography(self._open(passage.document_id), passage)

    def _typography(self, opened: _Opened, passage: Passage) -> Typography:
        found = opened.source.typography(passage)
        if not opened.has_own_pages:
            return found
        return replace(found, quotes=block_quotes(passage, opened.source.placed(passage), opened.column()))

    def _passage(self, passage_id: str) -> Passage:
        others = (each for passages in self._others.values() for each in passages if each.id == passage_id)
        passage = next(others, None) or self._generation.passage(passage_id)
        if passage is None:
            raise UsageError(f"There is no passage {passage_id} in the live index.", _IDS_CHANGE)
        return passage

    def _passages_of(self, document_id: str) -> Sequence[Passage]:
        return self._others.get(document_id) or self._generation.passages_of(document_id)

    def _is_openable(self, document: Document) -> bool:
        return document.id in self._others or self._may_open(document.source_path)

    def _page_of(self, document_id: str, number: int) -> PageSource:
        source = self._open(document_id).source
        if not 1 <= number <= len(source.sizes):
            raise UsageError(f"There is no page {number} in this brief.", f"It has {len(source.sizes)}.")
        return source

    def _open(self, document_id: str, *, is_fresh: bool = False) -> _Opened:
        """The document as opened before; anew where `is_fresh` asks for a look at the file and it is another one."""
        document = self._documents.get(document_id)
        if document is None:
            raise UsageError(f"There is no document {document_id} in the live index.", _IDS_CHANGE)
        known = self._opened.get(document_id)
        may_change = is_fresh and known and known.has_own_pages and self._is_openable(document)
        if known and not (may_change and _stamp(Path(document.source_path)) != known.stamp):
            self._opened.move_to_end(document_id)
            return known
        if known:
            self._opened.pop(document_id).source.close()
        opened = self._opened[document_id] = self._opening(document)
        self._make_room()
        return opened

    def _make_room(self) -> None:
        while len(self._opened) > 1 and (
            len(self._opened) > _MOST_OPEN
            or sum(each.source.held_bytes for each in self._opened.values()) > _MOST_HELD_BYTES
        ):
            self._opened.popitem(last=False)[1].source.close()

    def _opening(self, document: Document) -> _Opened:
        passages = self._passages_of(document.id)
        if not any(map(has_place, passages)):
            sheets = typeset_on_sheets(passages, self._as_set(document, passages))
            return _opened(document, passages, sheets, _NO_PAGES, has_own_pages=False)
        if not self._is_openable(document):
            return _opened(document, passages, typeset_in_place(passages, document.page_count), _NOT_OPENED)
        stamp = _stamp(openable(Path(document.source_path)))
        try:
            source = self._filed(document, passages, stamp)
        except FileNotFoundError:
            warning = _GONE
        except OSError:
            warning = _UNREACHABLE
        except SourceError:
            warning = _UNREADABLE
        else:
            if source is not None:
                return _opened(document, passages, source, "", stamp)
            warning = _CHANGED
        return _opened(document, passages, typeset_in_place(passages, document.page_count), warning, stamp)

    def _as_set(self, document: Document, passages: Sequence[Passage]) -> Mapping[str, SetPassage] | None:
        """How a Word file sets its passages; None of other files, and where it is not there as it was indexed."""
        if not document.source_path.casefold().endswith(SUFFIXES) or not self._is_openable(document):
            return None
        try:
            path, _ = self._indexed_file(document, (0, 0))
            return set_passages(path, passages) if path else None
        except (SourceError, OSError):
            return None

    def _indexed_file(self, document: Document, stamp: _Stamp) -> tuple[Path | None, bytes | None]:
        """A document's file and, unless it is large, its bytes; no file where it is not the one that was indexed.

        Raises:
            SourceError, OSError: it cannot be read.
        """
        path = openable(Path(document.source_path))
        require_regular(path)
        data = None if stamp and stamp[0] >= _LARGE_BYTES else read_bounded(path, _LARGE_BYTES)
        digest = file_sha256(path) if data is None else hashlib.sha256(data).hexdigest()
        return (path, data) if digest == document.sha256 else (None, None)

    def _filed(self, document: Document, passages: Sequence[Passage], stamp: _Stamp) -> FiledPages | None:
        """The file's own pages, or None where it is not the file that was indexed."""
        path, data = self._indexed_file(document, stamp)
        if path is None:
            return None
        ocr_pages: Mapping[int, Page] = {}
        if document.ocr_page_count:
            ocr_pages = stored_ocr_pages(self._cache_file, document.sha256, document.ocr_readings)
        reach: dict[int, float] = {}
        for box in (box for passage in passages for box in passage.boxes):
            reach[box.page] = max(reach.get(box.page, 0.0), box.box.x1)
        has_attached = any(run.attachment for run in document.page_runs or ())
        unplaced = [passage for passage in passages if not has_place(passage)]
        typeset = typeset_in_place(unplaced, document.page_count) if has_attached else None
        return FiledPages(path, data, ocr_pages, reach, typeset)


def _opened(
    document: Document,
    passages: Sequence[Passage],
    source: PageSource,
    warning: str,
    stamp: _Stamp = None,
    *,
    has_own_pages: bool = True,
) -> _Opened:
    references = _PageReferences(passages, document.page_runs or (), source, is_filed=has_own_pages)
    entries = entry_boxes(passages) if has_own_pages else {}
    column = cache(partial(column_of, passages))
    return _Opened(document, passages, source, warning, has_own_pages, stamp, references, column, entries)


def _first_line(opened: _Opened, passage: Passage) -> PageBox | None:
    """Where a passage begins on the pages as they are shown."""
    is_placed = opened.has_own_pages and has_place(passage)
    lines = passage.boxes if is_placed else outline_of(opened.source.placed(passage))
    return lines[0] if lines else None


def _stamp(path: Path) -> _Stamp:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_size, stat.st_mtime_ns


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
