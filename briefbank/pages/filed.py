"""Pages as filed: a PDF rendered by MuPDF, its words through the readers' own code or from OCR done at indexing.

Parses untrusted files: runs in a process that may die. OCR is never run for looking at a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from briefbank.ingest.readers.pdf import guarded, load_page, opened_pdf, page_or_ocr
from briefbank.pages.align import place_words
from briefbank.pages.source import RenderedPage, rendered
from briefbank.records import Page, Passage, PlacedWord
from briefbank.reports import PageSize

_OVERHANG_PT = 6.0
"""How far text may stand over the edge of a page that is not sideways."""

_MOST_READ = 200
"""Pages whose words are kept; a page holds about 100 kB of them."""


class FiledPages:
    """The pages of one PDF, open until `close`."""

    def __init__(
        self, path: Path, data: bytes | None, ocr_pages: Mapping[int, Page], reach: Mapping[int, float]
    ) -> None:
        """Open the PDF; `data` holds its bytes, or is None where the file itself is to be kept open.

        `ocr_pages` are what OCR read of it; `reach` tells how far to the right text stands on a page, in points: one
        whose text stands beyond its width is read sideways.

        Raises:
            SourceError: MuPDF cannot open it.
        """
        self._path = path
        self._ocr_pages = ocr_pages
        self._read: dict[int, Page] = {}
        self.held_bytes = len(data or b"")
        with ExitStack() as stack:
            self._pdf = stack.enter_context(opened_pdf(path, data))
            with guarded(path):
                numbers = range(1, self._pdf.page_count + 1)
                self.sizes = tuple(self._size(number, reach.get(number, 0.0)) for number in numbers)
            self._open = stack.pop_all()

    def close(self) -> None:
        self._open.close()

    def page(self, number: int) -> Page:
        """Read a page as it was read for the index.

        Raises:
            SourceError: MuPDF cannot read it.
        """
        if number not in self._read:
            with guarded(self._path):
                page, needs_ocr = page_or_ocr(self._pdf, number)
            if len(self._read) >= _MOST_READ:
                del self._read[next(iter(self._read))]
            self._read[number] = self._ocr_pages.get(number, page) if needs_ocr else page
        return self._read[number]

    def picture(self, number: int, scale: float) -> RenderedPage:
        """Render a page the way up in which it was read.

        Raises:
            SourceError: MuPDF cannot render it.
        """
        turn = self.page(number).rotation_deg
        with guarded(self._path):
            return rendered(load_page(self._pdf, number), scale, turn)

    def placed(self, passage: Passage) -> list[PlacedWord]:
        """Find the passage's words on its pages. Raises as `page`."""
        numbers = sorted({box.page for box in passage.boxes if box.page <= len(self.sizes)})
        return place_words(passage, [self.page(number) for number in numbers])

    def _size(self, number: int, reach: float) -> PageSize:
        rect = self._pdf[number - 1].rect
        turn = self._ocr_pages[number].rotation_deg if number in self._ocr_pages else 0
        is_sideways = turn % 180 == 90 or rect.width + _OVERHANG_PT < reach <= rect.height
        return PageSize(rect.height, rect.width) if is_sideways else PageSize(rect.width, rect.height)
