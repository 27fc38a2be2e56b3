"""What both kinds of pages offer: sizes, pictures, words, and where a passage stands. Knows neither files nor fonts."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from briefbank.ingest.readers.mupdf import import_pymupdf
from briefbank.values.pages import PageLink, PageSize, Typography
from briefbank.values.records import Page, Passage, PlacedWord, Span, Word

_MAX_PIXELS = 16_000_000
"""48 MB of pixels: a letter page at five pixels a point; larger sheets are rendered more coarsely."""


class RenderedPage(NamedTuple):
    """A rendered page: rows of `stride_bytes` bytes, red, green and blue a pixel; `scale` is pixels a point."""

    scale: float
    width_px: int
    height_px: int
    stride_bytes: int
    pixels: bytes


class PageSource(Protocol):
    """The pages of one document. Page numbers count from 1 and are checked by the caller."""

    @property
    def sizes(self) -> tuple[PageSize, ...]:
        """The size of every page, as good as it is known without reading the page."""

    @property
    def held_bytes(self) -> int:
        """Memory that keeping this open costs, roughly."""

    def picture(self, number: int, scale: float) -> RenderedPage:
        """Render a page at `scale` pixels a point, or at less where it would not fit the memory."""

    def page(self, number: int) -> Page:
        """The words of a page, line by line."""

    def links(self, number: int) -> tuple[PageLink, ...]:
        """The places of a page that lead to another one."""

    def placed(self, passage: Passage) -> list[PlacedWord]:
        """Where the words of a passage stand, as far as they are found; offsets are those of `passage.text`."""

    def typography(self, passage: Passage) -> Typography:
        """How `passage.text` is printed, as far as the pages tell."""

    def close(self) -> None:
        """Let go of the file."""


def is_raised_number(word: Word) -> bool:
    """Whether a word is a number printed as a superscript: that of a note, or a power. “th” of “12th” is none."""
    return word.is_superscript and word.text.strip("[]()").isdecimal()


def joined(spans: Iterable[Span], text: str) -> tuple[Span, ...]:
    """Return spans of a text, given in order, as one where nothing but blanks stands between them."""
    found: list[Span] = []
    for span in spans:
        if found and not text[found[-1].end : span.start].strip():
            found[-1] = Span(found[-1].start, span.end)
        else:
            found.append(span)
    return tuple(found)


def has_place(passage: Passage) -> bool:
    """Whether a passage stands on pages; readers of formats without pages give boxes without height."""
    return any(box.box.y1 > box.box.y0 for box in passage.boxes)


def rendered(source: Any, scale: float, turn: int = 0) -> RenderedPage:
    """Render a `pymupdf.Page`, turned clockwise by `turn` degrees."""
    pymupdf = import_pymupdf()

    points = max(1.0, source.rect.width * source.rect.height)
    zoom = min(scale, math.sqrt(_MAX_PIXELS / points))
    matrix = pymupdf.Matrix(zoom, zoom).prerotate(turn)
    made = source.get_pixmap(matrix=matrix, colorspace=pymupdf.csRGB, alpha=False)
    return RenderedPage(zoom, made.width, made.height, made.stride, made.samples)
