"""The values that all rooms pass to each other: frozen, without behaviour beyond arithmetic on their own fields. In
this order: what a reader yields (`Reading`), what structure makes of it (`StructuredDocument`), what a bank holds
(`Document`, `Passage`), what a search takes and gives. Between them stand `ingest.parse.FileRead`, which a worker
sends, and `ingest.documents.CachedDocument`, which the cache keeps.

Offsets count characters from 0, and the end of a range is excluded. Pages and ranks count from 1. Boxes are in points
(1/72 inch) from the top left corner of the page as it is read, with its rotation applied. Confidences are between 0 and
1. Must not know any other module of the package but the defaults and the page numbers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from struct import iter_unpack, pack
from typing import NamedTuple

from briefbank.values.defaults import RESULTS_SHOWN
from briefbank.values.page_numbers import PageRun, cited, printed_range


class Span(NamedTuple):
    """A range of characters: `start` from 0, `end` excluded."""

    start: int
    end: int

    def overlaps_any(self, others: Iterable[Span]) -> bool:
        """Whether this range and one of the others have a character in common."""
        return any(self.start < other.end and other.start < self.end for other in others)


class Box(NamedTuple):
    """A rectangle on a page: left, top, right and bottom edge in points; y grows downwards."""

    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def around(cls, boxes: Iterable[Box]) -> Box:
        """Return the smallest box around all of `boxes`. Raises ValueError where there is none."""
        left, top, right, bottom = zip(*boxes, strict=True)
        return cls(min(left), min(top), max(right), max(bottom))


class TextSource(StrEnum):
    """Where the text of a page comes from: what the file shows, a layer behind or before a picture that nobody sees
    (another program's OCR, or anything), our own OCR, or nowhere (a blank page).
    """

    TEXT_LAYER = "text"
    UNSEEN = "unseen"
    OCR = "ocr"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without white space and its box. `confidence` is that of OCR; 1.0 in a text layer."""

    text: str
    box: Box
    confidence: float = 1.0
    is_superscript: bool = False
    is_italic: bool = False
    is_bold: bool = False
    is_underlined: bool = False
    """What is bold and underlined only Word files tell word by word."""


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line: its words in reading order. It is bold, italic or underlined if most of its characters are.

    On a scan `box` is level, as if the page were not askew; the boxes of the words are where they stand on the page.
    """

    words: tuple[Word, ...]
    box: Box
    size_pt: float = 12.0
    is_bold: bool = False
    is_italic: bool = False
    is_underlined: bool = False

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Page:
    """One page as a reader or OCR sees it, its lines in reading order. A blank page has no lines and the source NONE.
    `ocr_confidence` is how sure OCR is of the page, None where it read nothing of it; on a page of the source
    TEXT_LAYER, of the pictures of text on it.
    """

    number: int
    width_pt: float
    height_pt: float
    lines: tuple[Line, ...]
    source: TextSource
    ocr_confidence: float | None = None
    rotation_deg: int = 0
    """By how much the page was turned clockwise before OCR (0, 90, 180 or 270), on top of the file's own rotation."""
    left_out: int = 0
    """Words in the file that the page does not show."""
    blacked_out: int = 0
    """Stretches of words that the page blacks out, or marks to be blacked out."""
    pictures: tuple[Box, ...] = ()
    """Pictures of text that were not read, beside typed text."""


@dataclass(frozen=True, slots=True)
class AttachedPages:
    """Pages `first` to `last` of a reading, which are those of a file in the file that was read. All else is as in a
    reading of that file alone, whose pages count from 1.
    """

    place: str
    """For people: "attachment 1 in attachment 2"."""
    titles: tuple[str, ...]
    """Headings of the file and of those that it lies in, the outermost first: "Attachment 2: plea.pdf"."""
    first: int
    last: int
    has_pages: bool = True
    is_filed: bool = True
    """Whether its pages can be shown as they were filed."""
    styles: tuple[tuple[int, int, str], ...] = ()
    bookmarks: tuple[tuple[int, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """All that a reader found in one file; the input of `ingest.structure` and `ingest.metadata`.

    Where a format has no pages (DOCX, TXT, mail) `has_pages` is false, and the pages are made up.
    """

    pages: tuple[Page, ...]
    has_pages: bool = True
    styles: tuple[tuple[int, int, str], ...] = ()
    """(page number, index of the line on its page from 0, style: "Heading 1", "Title", "Quote", "Footnote")."""
    info_title: str = ""
    info_author: str = ""
    info_created: str = ""
    """When the file says that it was created: an ISO date, or empty."""
    pages_to_ocr: tuple[int, ...] = ()
    """Numbers of the pages whose text layer is missing or unusable. OCR takes their place."""
    bookmarks: tuple[tuple[int, str, int], ...] = ()
    """The file's own outline, in order: (level from 1, title, page number)."""
    unread_parts: tuple[str, ...] = ()
    """What the file holds besides and was not read, in words for people: "attachment 2 “plea.doc”"."""
    attached: tuple[AttachedPages, ...] = ()
    """The pages of files in it, in order, behind its own."""


class SectionKind(StrEnum):
    """What part of a brief a section is. A search hides some kinds and ranks others lower (`search.scope`)."""

    CAPTION = "caption"
    PARTIES = "parties"
    CONTENTS = "contents"
    AUTHORITIES = "authorities"
    JURISDICTION = "jurisdiction"
    ORAL_ARGUMENT = "oral-argument"
    PRELIMINARY = "preliminary"
    QUESTIONS = "questions"
    PROCEDURE = "procedure"
    FACTS = "facts"
    SUMMARY = "summary"
    STANDARD = "standard"
    ARGUMENT = "argument"
    CONCLUSION = "conclusion"
    SIGNATURE = "signature"
    CERTIFICATE = "certificate"
    APPENDIX = "appendix"
    TABLE = "table"
    BODY = "body"
    """Running text of a memo, directive or unclassified document."""


class BlockRole(StrEnum):
    """What a block of text is within its section."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    QUOTE = "quote"
    LIST_ITEM = "list-item"
    FOOTNOTE = "footnote"
    TABLE = "table"
    LINE = "line"
    """A line that stands alone: caption, signature, entry of a table of contents."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, block quote or footnote: its range in the document's text, its first and last page. The
    blocks of a document cover its text without gap or overlap.
    """

    span: Span
    role: BlockRole
    page_first: int
    page_last: int


@dataclass(frozen=True, slots=True)
class Section:
    """A run of blocks under one heading. The sections of a document cover its text without gap or overlap; none is
    inside another.

    `path` holds the headings from the outermost to the section's own, as printed: `("ARGUMENT", "POINT I THE STOP …",
    "A. The consent …")`. The footnotes called in a section are a section of their own right after it, with the same
    kind and path and with `is_footnotes` true, so that they interrupt no body text.
    """

    span: Span
    kind: SectionKind
    path: tuple[str, ...]
    is_footnotes: bool = False


class PlacedWord(NamedTuple):
    """Where one word of the document's text is on paper: its range in the text, the number of the page, its box."""

    start: int
    end: int
    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class PlacedWords:
    """The words of a document in the order of its text. As bytes they take a third of what as many tuples do, of which
    5,000 pages have two million: of each `start`, `end` and `page` (int64), and the four edges of its box (float64).
    """

    places: bytes = b""
    boxes: bytes = b""

    def __len__(self) -> int:
        return len(self.boxes) // 32

    @classmethod
    def of(cls, words: Sequence[PlacedWord]) -> PlacedWords:
        places = b"".join(pack("3q", *word[:3]) for word in words)
        return cls(places, b"".join(pack("4d", *word.box) for word in words))

    def __iter__(self) -> Iterator[PlacedWord]:
        placed = zip(iter_unpack("3q", self.places), iter_unpack("4d", self.boxes), strict=True)
        return (PlacedWord(start, end, page, Box(*box)) for (start, end, page), box in placed)

    def starting_in(self, span: Span) -> PlacedWords:
        starts = memoryview(self.places).cast("q")[::3]
        first, behind = (bisect_left(starts, at) for at in span)
        return PlacedWords(self.places[24 * first : 24 * behind], self.boxes[32 * first : 32 * behind])


@dataclass(frozen=True, slots=True)
class PageInfo:
    """What is kept of a page besides its text; fields as in `Page`."""

    number: int
    width_pt: float
    height_pt: float
    source: TextSource
    ocr_confidence: float | None = None
    rotation_deg: int = 0


class DocumentKind(StrEnum):
    """The kinds of document that an office keeps: briefs that were filed, memos and the like, directives."""

    BRIEF = "brief"
    INTERNAL = "internal"
    DIRECTIVE = "directive"


BY_IT = "briefbank.csv"
"""Where a fact was found that IT gives in its table."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A piece of metadata and where it was found, in words: "clerk's stamp, page 1", "briefbank.csv", "file name"."""

    value: str
    found_in: str


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known of a document; None where nothing was found. `kind` is a `DocumentKind`, `filed` an ISO date."""

    title: Fact
    kind: Fact
    court: Fact | None = None
    docket: Fact | None = None
    filed: Fact | None = None
    author: Fact | None = None
    outcome: Fact | None = None

    @property
    def speaks_for_office(self) -> bool:
        """Whether IT says that it is a directive of the office. A paper that only calls itself one may be anybody's."""
        return (self.kind.value, self.kind.found_in) == (DocumentKind.DIRECTIVE, BY_IT)

    @property
    def dockets(self) -> tuple[str, ...]:
        """The docket numbers in the order printed; several where one brief was filed under several."""
        return tuple(self.docket.value.split(", ")) if self.docket else ()


@dataclass(frozen=True, slots=True)
class StructuredDocument:
    """A document's clean text with its structure and metadata, made of a `Reading`: what is cut into passages.
    `blocks` and `sections` each cover `text` without gap or overlap; `words` are sorted by `start`.
    """

    text: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    words: PlacedWords
    pages: tuple[PageInfo, ...]
    metadata: Metadata
    has_pages: bool = True
    page_runs: tuple[PageRun, ...] = ()
    """The numbers printed on its pages, as far as they are certain."""


class PageBox(NamedTuple):
    """The part of a passage on one printed line: the number of the page, and the box there."""

    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class Document:
    """One source file in the bank. `id` is the first 16 digits of `sha256`, the digest of its bytes. `ocr_page_count`
    of its pages were read by OCR, with the mean confidence `ocr_confidence`; None where there are none.
    """

    id: str
    source_path: str
    sha256: str
    metadata: Metadata
    page_count: int
    ocr_page_count: int
    ocr_confidence: float | None
    passage_count: int
    is_paginated: bool | None = None
    """Whether its reader found pages, whatever the file's name says. Generations from before 0.1.0 lack it."""
    ocr_readings: tuple[str, ...] = ()
    """The kinds of OCR that have read pages of it, the best first: the cache holds the pages under these names."""
    page_runs: tuple[PageRun, ...] | None = None
    """The numbers printed on its pages, as far as they are certain. None in generations from before they were read."""
    note: str = ""
    """What people must know of its text as a whole: what is missing from it, and what was left out of it."""

    @property
    def filed(self) -> date | None:
        return date.fromisoformat(self.metadata.filed.value) if self.metadata.filed else None

    @property
    def has_pages(self) -> bool:
        """Whether its file has pages that can be cited; where it has none, page numbers depend on what opens it."""
        return self.source_path.casefold().endswith(".pdf") if self.is_paginated is None else self.is_paginated

    def cited_pages(self, first: int, last: int) -> str:
        """Return how pages of the file are cited: "p. 8 (sheet 13)", "sheet 13" (see `page_numbers.cited`); an empty
        text where there are no pages to cite.
        """
        return cited(self.page_runs, first, last) if self.has_pages else ""

    def printed_pages(self, first: int, last: int) -> str | None:
        """Return the numbers printed on pages of the file ("8", "viii–ix"); None where they are not certain."""
        return printed_range(self.page_runs, first, last) if self.has_pages else None


@dataclass(frozen=True, slots=True)
class Passage:
    """The unit that is searched and shown: about 150 words of one section. The spans of a section's passages cover it
    without gap or overlap.

    `id` is the document's id, a hyphen and `order`, which counts the document's passages from 0. `text` is the
    document's text over `span` without white space at its end: offset i of it is offset `span.start + i` of the
    document. `ocr_confidence` is that of the worst of its pages, None where none was read by OCR. `boxes` has one for
    each line.
    """

    id: str
    document_id: str
    order: int
    span: Span
    text: str
    section_kind: SectionKind
    section_path: tuple[str, ...]
    page_first: int
    page_last: int
    is_footnotes: bool = False
    ocr_confidence: float | None = None
    boxes: tuple[PageBox, ...] = ()
    is_unseen: bool = False
    """Whether its words come from a layer that the page does not show (`TextSource.UNSEEN`), some of them at least."""


class SortOrder(StrEnum):
    """The order in which results are shown: newest first, best match first, or by how the cases ended, those that were
    won first; the first and the last within each band where there are any.
    """

    RECENCY = "recency"
    RELEVANCE = "relevance"
    OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that every result meets. An empty tuple or None sets none; of several values of one field one is
    enough. `since` and `until` are days of filing, both included. `documents` are ids.
    """

    kinds: tuple[DocumentKind, ...] = ()
    since: date | None = None
    until: date | None = None
    section_kinds: tuple[SectionKind, ...] = ()
    courts: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    dockets: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


class FactFilter(NamedTuple):
    """A fact of documents that a search can be narrowed by. All else follows from it: the column of the index, the
    condition, the counts, the option, the button in the window, what an anonymised export leaves out.
    """

    field: str
    """Of `Filters` and `ResultCounts`."""
    fact: str
    """Of `Metadata`; also the column of the index and the option of the command line."""
    metavar: str
    help: str
    names_people: bool = False


FACT_FILTERS = (
    FactFilter("courts", "court", "NAME", "its name, or words of it; whole with --json"),
    FactFilter("authors", "author", "NAME", "likewise", names_people=True),
    FactFilter("outcomes", "outcome", "TEXT", "words of it, e.g. reversed; whole with --json"),
)


@dataclass(frozen=True, slots=True)
class Query:
    """A search as it is asked, for at most `top_k` passages. `include_hidden` also shows tables, captions and
    certificates, and ranks facts and procedure like argument. `include_weak` keeps the passages that the threshold for
    weak matches cuts off. `refused_hints` are the texts of hints (`Hint.text`) that are not to be followed.
    `like_passage` is the id of a passage: passages like it are wanted, from other briefs and other families of
    near-copies; `text` may be empty then. `as_typed` corrects no misspelt word. `profile` is the name of an issue
    profile that ranks in the place of the words; `text` is then what its results are judged for.
    """

    text: str
    top_k: int = RESULTS_SHOWN
    sort: SortOrder = SortOrder.RECENCY
    filters: Filters = Filters()
    include_hidden: bool = False
    include_weak: bool = False
    refused_hints: tuple[str, ...] = ()
    like_passage: str = ""
    as_typed: bool = False
    profile: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """A misspelt word of a query as it was typed, and the word that was searched for in its place. Either may be two
    words that were wrongly joined or split.
    """

    typed: str
    corrected: str


@dataclass(frozen=True, slots=True)
class Hint:
    """A condition that was read out of the words of a query: `text` as the person wrote it ("since 2020"), `meaning` as
    it is shown ("filed on or after 1 January 2020"), `fact` what of documents it asks for, as in
    `FactFilter`, or "filed".
    """

    text: str
    meaning: str
    fact: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Sibling:
    """A near-identical passage in another document: its id, and the document's title and date.

    The document is older than the one shown, unless a filter kept a newer one out.
    """

    passage_id: str
    title: str
    filed: date | None


class Band(StrEnum):
    """How well a result answers: on the very point, about the same matter, or so weakly that hardly any is useful."""

    ON_POINT = "on point"
    RELATED = "related"
    WEAK = "weak"


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. `rank` counts from 1 by relevance, in whatever order results are shown; `score` orders the hits
    of one search and means nothing across searches. `matches` are the ranges of `passage.text` that match the
    query, `sentence` that of its sentence with the most of them (None where there are none); `why` says in words
    why it was found. `siblings` are the near-copies that it stands for. `warnings` say what the office knows
    against the authorities that it cites.

    `probability` (0 to 1) is how likely a defender finds the passage useful, after a reranking that of its place, and
    `band` the part of the results that it stands in. Both are None where nothing of the kind can be said: the query
    asks no question, or nothing was measured for how this bank searches (docs/evaluation.md, “On point or related”).
    `names_subject`: the headings above the passage hold most of the question's words.
    """

    rank: int
    score: float
    passage: Passage
    document: Document
    matches: tuple[Span, ...]
    why: str
    siblings: tuple[Sibling, ...] = ()
    warnings: tuple[str, ...] = ()
    probability: float | None = None
    band: Band | None = None
    sentence: Span | None = None
    names_subject: bool = False


Counts = tuple[tuple[str, int], ...]
"""Values with how often each was counted."""


@dataclass(frozen=True, slots=True)
class ResultCounts:
    """How many documents that a search finds passages in have each value that it can be narrowed to (of
    `section_kinds`: how many of the passages), the most frequent first, then by name.
    """

    kinds: Counts = ()
    courts: Counts = ()
    authors: Counts = ()
    outcomes: Counts = ()
    section_kinds: Counts = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found: the hits by rank, the name of the generation that was searched, and how long it took.

    `hidden_count` says how many candidates were kept back because of their part of the brief (tables, captions,
    certificates, signatures), `lowered_count` how many ranked lower as facts or procedure, `weak_count` how many were
    cut off as too weak. `found` is the number of passages that could be shown by asking for more. `has_exact` is false
    where no passage holds all content words of the query. `hints` are the conditions that were read out of the query's
    words; `notices` say what a language model did or could not do, what is wrong with the office's lists, which file
    that could not be read may hold the answer, which words of an expression no document holds, and that no brief is
    known to have ended as the query asks; `explanation` says in a sentence how terms and connectors were read, and is
    empty for natural language. `corrections` are the misspelt
    words, in the order typed. `counts` are over all `found` passages and those of their near-copies that the filters
    let in.
    """

    query: Query
    generation: str
    took_ms: float
    hits: tuple[Hit, ...]
    hidden_count: int = 0
    lowered_count: int = 0
    has_exact: bool = True
    weak_count: int = 0
    found: int = 0
    hints: tuple[Hint, ...] = ()
    explanation: str = ""
    notices: tuple[str, ...] = ()
    corrections: tuple[Correction, ...] = ()
    counts: ResultCounts | None = None
    authority: str = ""
    """The words that name the one authority of the question, where the bank has a card of just one."""
