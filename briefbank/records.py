"""The values that every layer passes on: frozen, free of behaviour beyond their own arithmetic.

Offsets count characters from 0 and are half-open; pages and ranks count from 1; boxes are in points (1/72 inch) from
the top left corner of the page as it is read (rotation applied). Must not know any other module of the package.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from briefbank.defaults import RESULTS_SHOWN


class Span(NamedTuple):
    """A half-open range of character offsets."""

    start: int
    end: int

    def overlaps_any(self, others: Iterable[Span]) -> bool:
        """Whether it shares a character with one of the others."""
        return any(self.start < other.end and other.start < self.end for other in others)


class Box(NamedTuple):
    """A rectangle on a page, in points, y growing downwards."""

    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def around(cls, boxes: Iterable[Box]) -> Box:
        """The smallest box around all of `boxes`, of which there must be one at least."""
        left, top, right, bottom = zip(*boxes, strict=True)
        return cls(min(left), min(top), max(right), max(bottom))


class TextSource(StrEnum):
    """Where the text of a page comes from."""

    TEXT_LAYER = "text"
    OCR = "ocr"
    NONE = "none"


# --- what a reader yields ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without spaces; `confidence` is 0..1 from OCR, 1.0 in a text layer."""

    text: str
    box: Box
    confidence: float = 1.0
    is_superscript: bool = False
    is_italic: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line in reading order. Bold, italic and underline hold for most of its characters.

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
    """One page as read. A page that is blank has no lines and the source NONE."""

    number: int
    width_pt: float
    height_pt: float
    lines: tuple[Line, ...]
    source: TextSource
    ocr_confidence: float | None = None
    rotation_deg: int = 0
    """How the page was turned (clockwise, 0, 90, 180, 270) before OCR, on top of the file's own rotation."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A file as its reader saw it.

    Readers of formats without pages (DOCX, TXT) set `has_pages` false and give pages of their own making; they may
    name styles (`Heading 1`, `Title`, `Quote`, `Footnote`, …) per line in `styles`, keyed by (page number, line index).
    """

    pages: tuple[Page, ...]
    has_pages: bool = True
    styles: tuple[tuple[int, int, str], ...] = ()
    info_title: str = ""
    info_author: str = ""
    info_created: str = ""
    """ISO date of creation out of the file's own properties, or empty."""
    pages_to_ocr: tuple[int, ...] = ()
    """Numbers of the pages whose text layer is missing or unusable; OCR replaces them."""
    bookmarks: tuple[tuple[int, str, int], ...] = ()
    """The file's own outline: level from 1, title, page number."""


# --- what structure makes of it ---------------------------------------------------------------------------------


class SectionKind(StrEnum):
    """The part of a brief that a section is."""

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
    """A paragraph, heading, block quote, footnote …; the blocks of a document tile its text."""

    span: Span
    role: BlockRole
    page_first: int
    page_last: int


@dataclass(frozen=True, slots=True)
class Section:
    """A run of blocks under one heading; sections tile the document's text and never nest.

    `path` holds the headings from the outermost to this section's own, as printed (`("ARGUMENT", "POINT I THE STOP …",
    "A. The consent …")`); `level` is its length. Footnotes called in a section form a section of their own right behind
    it, with the same kind and path and `is_footnotes` true, so that body text is never broken by them.
    """

    span: Span
    kind: SectionKind
    path: tuple[str, ...]
    is_footnotes: bool = False


class PlacedWord(NamedTuple):
    """Where a stretch of the document's text stands on the page."""

    start: int
    end: int
    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class PageInfo:
    """What remains of a page besides its text."""

    number: int
    width_pt: float
    height_pt: float
    source: TextSource
    ocr_confidence: float | None = None
    rotation_deg: int = 0


class DocumentKind(StrEnum):
    """The three kinds of document that an office keeps."""

    BRIEF = "brief"
    INTERNAL = "internal"
    DIRECTIVE = "directive"


@dataclass(frozen=True, slots=True)
class Fact:
    """A piece of metadata and where it was found ("clerk's stamp, page 1", "briefbank.csv", "file name")."""

    value: str
    found_in: str


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known of a document; None where nothing was found. `filed` holds an ISO date."""

    title: Fact
    kind: Fact
    court: Fact | None = None
    docket: Fact | None = None
    filed: Fact | None = None
    author: Fact | None = None
    outcome: Fact | None = None

    @property
    def dockets(self) -> tuple[str, ...]:
        """The docket numbers, in the order printed; several where one brief is filed under several."""
        return tuple(self.docket.value.split(", ")) if self.docket else ()


@dataclass(frozen=True, slots=True)
class StructuredDocument:
    """Clean text with its structure. `blocks` and `sections` each tile `text`; `words` are sorted by `start`."""

    text: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    words: tuple[PlacedWord, ...]
    pages: tuple[PageInfo, ...]
    metadata: Metadata
    has_pages: bool = True


# --- what the bank holds ----------------------------------------------------------------------------------------


class PageBox(NamedTuple):
    """The part of a passage on one printed line."""

    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class Document:
    """One source file in the bank. `id` is the start of the SHA-256 of its bytes."""

    id: str
    source_path: str
    sha256: str
    metadata: Metadata
    page_count: int
    ocr_page_count: int
    ocr_confidence: float | None
    passage_count: int
    is_paginated: bool | None = None
    """What its reader found, whatever the file's name says. Generations written before 0.1.0 was released lack it."""
    ocr_readings: tuple[str, ...] = ()
    """Under what the cache holds its pages that OCR has read, the best first."""

    @property
    def filed(self) -> date | None:
        return date.fromisoformat(self.metadata.filed.value) if self.metadata.filed else None

    @property
    def has_pages(self) -> bool:
        """Whether its file has pages that can be cited. Those of other files depend on what opens them."""
        return self.source_path.casefold().endswith(".pdf") if self.is_paginated is None else self.is_paginated

    def cited_pages(self, first: int, last: int) -> str:
        """Return "p. 17" or "pp. 17–18"; nothing where there are no pages to cite."""
        if not self.has_pages:
            return ""
        return f"p. {first}" if first == last else f"pp. {first}–{last}"


@dataclass(frozen=True, slots=True)
class Passage:
    """What is retrieved. The spans of a section's passages tile it.

    `text` is the document's text over `span` without the white space at its end, so offset i of `text` is offset
    `span.start + i` of the document.
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


# --- what a search takes and gives ------------------------------------------------------------------------------


class SortOrder(StrEnum):
    RECENCY = "recency"
    RELEVANCE = "relevance"


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that every hit meets; an empty tuple or None sets none. Both dates are included."""

    kinds: tuple[DocumentKind, ...] = ()
    since: date | None = None
    until: date | None = None
    section_kinds: tuple[SectionKind, ...] = ()
    courts: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    dockets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A search as asked.

    `include_hidden` shows tables and certificates too and ranks every kind of section alike; `include_weak` keeps the
    tail that the threshold cuts. `refused_hints` are the texts of hints (`Hint.text`) that are not to be followed.
    `like_passage` asks for passages like that one (its id), its brief and family left out; `text` may be empty then.
    """

    text: str
    top_k: int = RESULTS_SHOWN
    sort: SortOrder = SortOrder.RECENCY
    filters: Filters = Filters()
    include_hidden: bool = False
    include_weak: bool = False
    refused_hints: tuple[str, ...] = ()
    like_passage: str = ""


@dataclass(frozen=True, slots=True)
class Hint:
    """A condition read out of the query's own words: `text` as written ("since 2020"), `meaning` as shown to people
    ("filed on or after 1 January 2020").
    """

    text: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Sibling:
    """A near-identical passage in another document, older than the one shown."""

    passage_id: str
    title: str
    filed: date | None


class Band(StrEnum):
    """How well a result answers: on the very point, or merely about the same matter."""

    ON_POINT = "on point"
    RELATED = "related"


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. `rank` is by relevance from 1, whatever the order shown; `matches` are spans in `passage.text`;
    `siblings` are the family of near-copies that it stands for; `warnings` say what the office knows against the
    authorities that it cites.

    `probability` (0 to 1) is how likely a defender finds the passage useful, and `band` the part of the results that it
    stands in; both are None where nothing of the kind can be said: a query is met to the letter, is a pasted text, or
    the bank was made with an encoder for which nothing was measured.
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


def arranged(hits: Iterable[Hit], order: SortOrder) -> tuple[Hit, ...]:
    """Hits by rank, or newest first within what is on point and then within what is related; undated ones last."""
    if order is SortOrder.RELEVANCE:
        return tuple(sorted(hits, key=lambda hit: hit.rank))

    def newest(hit: Hit) -> tuple[bool, int, int]:
        return (hit.band is Band.RELATED, -(hit.document.filed or date.min).toordinal(), hit.rank)

    return tuple(sorted(hits, key=newest))


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits in the order shown, and what the search left out.

    `hidden_count` says how many of the candidates were kept back as tables, captions or certificates, `lowered_count`
    how many ranked lower as facts or procedure; `weak_count` how many were cut as too weak; `has_exact` is false where
    no passage holds all content words of the query. `found` counts the passages that could be shown by asking for more.
    `hints` are the conditions taken from the query's words; `notices` say what a language model did or could not do;
    `explanation` says in a sentence how terms and connectors were read, and is empty for natural language.
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
