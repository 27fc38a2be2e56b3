"""A draft in parts, with what each cites; read into memory alone: nothing is kept, indexed or logged.

It is read by confined workers, so that the bank can be opened and searched meanwhile. Short citations that a draft
gives nowhere in full ("Cosio, 353 S.W.3d at 777") are resolved by the bank: a citator would know where a case ends;
here the volume, a beginning at or before the page and a party's name have to agree on one authority. What they do not
agree on is left out, as in a brief of the bank.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from briefbank.index.authorities import AuthorityPostings
from briefbank.ingest.texts import FileReader, file_reader
from briefbank.law.citations import Authority, Citation, CitationKind, DocumentCitations, PatternSet, ShortForm
from briefbank.pages.filed import outline_of
from briefbank.platform.progress import CancelToken
from briefbank.platform.regex import bounded
from briefbank.platform.settings import Settings
from briefbank.values.records import (
    Block,
    BlockRole,
    Document,
    DocumentKind,
    Fact,
    Metadata,
    Passage,
    Section,
    SectionKind,
    Span,
    StructuredDocument,
)

_NOT_READ = frozenset({SectionKind.CAPTION, SectionKind.PARTIES, SectionKind.CONTENTS, SectionKind.AUTHORITIES,
                       SectionKind.TABLE, SectionKind.SIGNATURE, SectionKind.CERTIFICATE})  # fmt: skip
"""Parts that argue nothing; what tables list is cited again where it is used."""

_SET_IN_PT = 12.0
"""By how much a paragraph that is a quotation begins further right than the one before it."""
_LEADS = re.compile(
    r"(?:[:—–]|\b(?:that|stat|provid|h[eo]ld|read|w(?:r[io]te|ritten)|explain|follow|reason|testif|sa[iy]|rul|conclud|not|"
    r"observ|declar|defin|quot|add|instruct|find|found)\w*\W*)$",
    re.IGNORECASE,
)
"""How a paragraph ends that a quotation follows."""
_QUOTES = re.compile(r"\b(?:provid|read|stat|defin)\w*\W*$", re.IGNORECASE)
_ITEM = bounded(r"(?:\W*(?:\d{1,2}|[ivx]{1,4}|[a-z])[.)]|[•▪*o-] )", re.IGNORECASE)
"""The beginning of an item of a list, which is a statute's where the words before say so."""
_TESTIMONY = re.compile(r"[QA][.:]\s|[A-Z][A-Z.'’ ]{2,30}:\s")
"""How a line of a transcript begins that is copied: "Q.", "THE COURT:"."""
_LONGEST_WORD = 200
_LEAST_SET_IN = 7
"""Words of a paragraph; fewer are a label or an entry."""
_ENDS = re.compile(r"[.!?][)\]”\"’']*$")
Cited = tuple[DocumentCitations, tuple[tuple[ShortForm, ...], ...]]
"""What the parts of a draft cite, in their order, and the short citations of cases once more by themselves."""


@dataclass(frozen=True, slots=True)
class DraftText:
    """A draft as it was read: each part with the words of one section."""

    sha256: str
    document: StructuredDocument
    parts: tuple[Passage, ...]
    unread_pages: tuple[int, ...] = ()
    """Pages of the file without text, as scans are."""
    remarks: tuple[str, ...] = ()
    """What else of the file is not in the parts."""

    def page_of(self, part: Passage, offset: int) -> int:
        """The page on which a place of a part begins."""
        at = part.span.start + offset
        blocks = self.document.blocks
        place = bisect_right(blocks, at, key=lambda each: each.span.start) - 1
        is_inside = place >= 0 and at < blocks[place].span.end
        return blocks[place].page_first if is_inside else part.page_first

    def page_at(self, offset: int) -> int:
        """The page on which the word at a place of the whole text stands."""
        words = self.document.words.starting_in(Span(max(0, offset - _LONGEST_WORD), offset + 1))
        return max((word.page for word in words), default=1)

    def set_in(self, part: Passage) -> list[Span]:
        """The paragraphs of a part that are quotations as they stand: set in behind words that lead to them."""
        document, found = self.document, list[Span]()
        before, edge = "", 0.0
        for block in _inside(document, part.span):
            text = document.text[slice(*block.span)]
            left = self._left_edge(block.span)
            is_deeper = block.role is BlockRole.QUOTE or left > edge + _SET_IN_PT
            leads = _LEADS.search(before) or not _ENDS.search(before)
            if _TESTIMONY.match(text):
                is_quoted = is_deeper
            elif _ITEM.match(text):
                is_quoted = _QUOTES.search(before) is not None
            else:
                is_quoted = bool(leads) and len(text.split()) >= _LEAST_SET_IN
            if before and is_deeper and is_quoted and not text.rstrip().endswith(":") and not text.isupper():
                found.append(Span(block.span.start - part.span.start, block.span.end - part.span.start))
            elif block.role in (BlockRole.PARAGRAPH, BlockRole.LIST_ITEM, BlockRole.LINE):
                before, edge = text.rstrip(), left
        return found

    def _left_edge(self, span: Span) -> float:
        """How far from the left of the page the words of a block begin, but for its first line."""
        return min((word.box.x0 for word in self.document.words.starting_in(span)), default=0.0)


class DraftReading:
    """A draft that is being read since it was made, by `reading_draft`; what is asked for is waited for."""

    def __init__(self, path: Path, reader: FileReader, beside: Executor) -> None:
        self._path, self.name = path, path.name
        self.dated = datetime.fromtimestamp(path.stat().st_mtime, UTC).astimezone().date() if path.exists() else None
        self._reader, self._beside = reader, beside
        self._text = beside.submit(_read, path, reader)

    def text(self) -> DraftText:
        """Return the text.

        Raises:
            SourceError: the file is missing, cannot be read, or is a scan, which nothing here reads.
            CancelledError: asked to stop.
        """
        return self._text.result()

    def as_shown(self) -> tuple[Document, tuple[Passage, ...]]:
        """Return the draft as a document of no bank, whose passages are its paragraphs; raises as `text`."""
        text = self.text()
        read, document_id = text.document, f"draft-{text.sha256[:16]}"
        paragraphs = [
            (section, block) for section in read.sections for block in _inside(read, section.span)
            if read.text[slice(*block.span)].strip()
        ]  # fmt: skip
        passages = tuple(
            Passage(
                f"{document_id}-{number}", document_id, number, block.span, read.text[slice(*block.span)].rstrip(),
                section.kind, section.path, block.page_first, block.page_last, section.is_footnotes,
                boxes=outline_of(list(read.words.starting_in(block.span))) if read.has_pages else (),
            )
            for number, (section, block) in enumerate(paragraphs)
        )  # fmt: skip
        metadata = Metadata(Fact(self.name, "file name"), Fact(DocumentKind.INTERNAL, "file name"))
        path, pages = str(self._path.absolute()), len(read.pages)
        shown = Document(document_id, path, text.sha256, metadata, pages, 0, None, len(passages), read.has_pages,
                         page_runs=read.page_runs)  # fmt: skip
        return shown, passages

    def begin_citing(self, patterns: PatternSet) -> Future[Cited]:
        """Begin to look for what the parts cite; raises as `text`."""
        return self._beside.submit(self._reader.cite, self.text().parts, patterns)


@contextmanager
def reading_draft(path: Path, settings: Settings, cancel: CancelToken) -> Iterator[DraftReading]:
    """Begin to read a file of any kind that is indexed, beside whatever the block does; its end is that of reading."""
    with ThreadPoolExecutor(max_workers=1) as beside, file_reader(settings, cancel) as reader:
        yield DraftReading(path, reader, beside)


def _read(path: Path, reader: FileReader) -> DraftText:
    sha256, read = reader.read(path)
    document = read.document
    assert document  # noqa: S101  # it was asked for
    sections = [each for each in document.sections if each.kind not in _NOT_READ]
    parts = tuple(_part(document, number, each) for number, each in enumerate(sections))
    held = (f"Not read, though the file holds it: {', '.join(read.unread_parts)}.",) if read.unread_parts else ()
    return DraftText(sha256, document, parts, read.unread_pages, (*read.remarks, *held))


def _part(document: StructuredDocument, number: int, section: Section) -> Passage:
    inside = _inside(document, section.span)
    return Passage(
        id=f"draft-{number:04d}",
        document_id="draft",
        order=number,
        span=section.span,
        text=document.text[slice(*section.span)].rstrip(),
        section_kind=section.kind,
        section_path=section.path,
        page_first=min((each.page_first for each in inside), default=1),
        page_last=max((each.page_last for each in inside), default=1),
        is_footnotes=section.is_footnotes,
    )


def _inside(document: StructuredDocument, at: Span) -> Sequence[Block]:
    """The blocks of a range. Looked up, not looked through: a hostile draft may have as many sections as blocks."""
    first = max(bisect_right(document.blocks, at.start, key=lambda each: each.span.start) - 1, 0)
    return document.blocks[first : bisect_left(document.blocks, at.end, key=lambda each: each.span.start)]


def with_short_forms(
    citations: DocumentCitations, short_forms: Sequence[Sequence[ShortForm]], postings: AuthorityPostings | None
) -> DocumentCitations:
    """Return the citations of a document with those of its short forms, passage by passage, that one authority of the
    bank fits.
    """
    if postings is None:
        return citations
    authorities = list(citations.authorities)
    known = {key: number for number, each in enumerate(authorities) for key in each.keys}
    passages = []
    for short, cited in zip(short_forms, citations.passages, strict=True):
        taken = [each.span for each in cited if each.kind is not CitationKind.NAME]
        found = list(cited)
        for span, name, case in short:
            if not name or span.overlaps_any(taken):
                continue
            meant = postings.called(name, f"{case.volume} {case.reporter}", case.page)
            if len(meant) != 1:
                continue
            ((number, key),) = meant.items()
            if key not in known:
                known[key] = len(authorities)
                authorities.append(Authority((key,), (), postings.label(number)))
            found.append(Citation(span, CitationKind.SHORT, known[key], 0.0))
        passages.append(tuple(sorted(found, key=lambda each: each.span)))
    return DocumentCitations(tuple(authorities), tuple(passages))
