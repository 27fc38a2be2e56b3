"""Pages to look at, and what is marked on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from briefbank.records import Box, Document, PageBox, TextSource


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
    """A word on a page, its box in points, and the number of its line, counted from 0 in reading order."""

    text: str
    box: Box
    line: int


class PageLink(NamedTuple):
    """A place on a page that leads to another page of the same file: its box in points, and that page's number."""

    box: Box
    page: int


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
class OutlineEntry:
    """A heading of a document: its text as printed, how deep it stands (from 1), and where its first line is on the
    pages as they are shown.
    """

    title: str
    level: int
    place: PageBox


@dataclass(frozen=True, slots=True)
class PassageMarks:
    """Where a passage is on its pages: `outline` has a box for each printed line of it, `matches` the boxes of each
    span that was asked for, in the same order. Boxes are in points.
    """

    passage_id: str
    outline: tuple[PageBox, ...]
    matches: tuple[tuple[PageBox, ...], ...]


@dataclass(frozen=True, slots=True)
class AlertMark:
    """What the office warns of in one case or rule that a passage cites: `boxes` are where it is cited, `passage` the
    printed lines of the whole passage, in points.
    """

    warning: str
    boxes: tuple[PageBox, ...]
    passage: tuple[PageBox, ...]
