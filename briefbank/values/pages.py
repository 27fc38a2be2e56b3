"""Pages to look at, and what is marked on them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from briefbank.values.records import Box, Document, PageBox, Passage, Span, TextSource


class PageSize(NamedTuple):
    """Width and height of a page as it is read (its rotation applied), in points."""

    width_pt: float
    height_pt: float


@dataclass(frozen=True, slots=True)
class DocumentPages:
    """A document's pages as they can be shown, with the size of each.

    `warning` is empty, or says why this is not quite the page as filed: the file has changed since it was indexed, was
    moved away, or has no pages of its own. Without `has_own_pages` the pages were set for showing them, and their
    numbers may not be cited.
    """

    document: Document
    sizes: tuple[PageSize, ...]
    warning: str = ""
    has_own_pages: bool = True


@dataclass(frozen=True, slots=True)
class PageImage:
    """A rendered page: `height_px` rows of `stride_bytes` bytes each, with three bytes (red, green, blue) for a pixel.
    `scale` is pixels for each point.
    """

    document_id: str
    number: int
    scale: float
    width_px: int
    height_px: int
    stride_bytes: int
    pixels: bytes


class PageWord(NamedTuple):
    """A word on a page, its box in points, and the number of its line, counted from 0 in reading order. `is_raised`
    where it is a number printed as a superscript, as those of notes are, `is_quoted` where it stands in a block
    quotation; bold and underlined as far as Word files tell.
    """

    text: str
    box: Box
    line: int
    is_raised: bool = False
    is_italic: bool = False
    is_bold: bool = False
    is_underlined: bool = False
    is_quoted: bool = False


class ReferenceKind(StrEnum):
    """What a reference of a document leads to: a point, a footnote, a page, the definition of a term."""

    POINT = "point"
    NOTE = "note"
    PAGE = "page"
    TERM = "term"


@dataclass(frozen=True, slots=True)
class Reference:
    """Words of a document that refer to another place of it.

    `span` is their range in the text of the passage `passage`, `on_page` the page that they stand on. They lead to
    offset `target_offset` of the text of `target`, or, where `target` is None, to the upper edge of the sheet `page`.
    `title` is the heading, or the words, found there. `page` is 0 where the document has nothing that they could lead
    to.
    """

    kind: ReferenceKind
    text: str
    passage: Passage
    span: Span
    on_page: int
    page: int
    title: str = ""
    target: Passage | None = None
    target_offset: int = 0

    @property
    def offset(self) -> int:
        """Where it begins in the text of the document."""
        return self.passage.span.start + self.span.start

    @property
    def is_dead(self) -> bool:
        """Whether it leads nowhere."""
        return not self.page


class PageLink(NamedTuple):
    """A place on a page that leads to another place of the same file: its box in points, that page's number, and how
    far down there it leads. `title` is what is found there, and `reference` what kind of place that is; both are empty
    for what the file itself or a table of contents links.
    """

    box: Box
    page: int
    down_pt: float = 0.0
    title: str = ""
    reference: ReferenceKind | None = None


@dataclass(frozen=True, slots=True)
class PageText:
    """The words of a page in reading order, for selecting and copying. `ocr_confidence` is as in `Page`, None
    where the text is the file's own. `links` lead to other pages of the document.
    """

    document_id: str
    number: int
    words: tuple[PageWord, ...]
    source: TextSource
    ocr_confidence: float | None = None
    links: tuple[PageLink, ...] = ()


@dataclass(frozen=True, slots=True)
class Typography:
    """How the pages print a passage, as ranges of its text: what is italic, None where the pages do not tell, the
    numbers that are superscripts, as those of notes are, and the paragraphs that are block quotations; what is bold and
    underlined, as far as Word files tell.
    """

    italics: tuple[Span, ...] | None = None
    raised: tuple[Span, ...] = ()
    quotes: tuple[Span, ...] = ()
    bold: tuple[Span, ...] = ()
    underlined: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A heading of a document: its text as printed, how deep it stands (from 1), where its first line is on the pages
    as they are shown, and the id of the first passage below it.
    """

    title: str
    level: int
    place: PageBox
    passage_id: str = ""


@dataclass(frozen=True, slots=True)
class PassageMarks:
    """Where a passage is on its pages: `outline` has a box for each printed line of it, `matches` the boxes of each
    span that was asked for, in the same order. Boxes are in points.
    """

    passage_id: str
    outline: tuple[PageBox, ...]
    matches: tuple[tuple[PageBox, ...], ...]


@dataclass(frozen=True, slots=True)
class CitedOnPage:
    """An authority that a page cites: its name as people write it, a key by which its card is asked for, and where on
    the page it is cited, in points.
    """

    name: str
    key: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class AlertMark:
    """What the office warns of in one case or rule that a passage cites: `boxes` are where it is cited, `passage` the
    printed lines of the whole passage, in points.
    """

    warning: str
    boxes: tuple[PageBox, ...]
    passage: tuple[PageBox, ...]
