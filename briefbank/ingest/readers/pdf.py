"""PDF files through MuPDF, within limits; must run in a process that may die (`briefbank.ingest.worker`)."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

from briefbank.errors import DamagedFileError, SourceError, TooLargeError
from briefbank.ingest.beneath import Readable
from briefbank.ingest.readers.attached import named, pages_at, place_at, read_attached, unread_of
from briefbank.ingest.readers.pdf_file import PdfFile, guarded, opened_pdf
from briefbank.ingest.readers.pdf_page import read_page
from briefbank.ingest.readers.visibility import REDACT, black_out_marks, take_off_unseen
from briefbank.platform.settings import Settings
from briefbank.values.records import AttachedPages, Page, Reading, TextSource

_LOG = logging.getLogger(__name__)
_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")
_LETTER = (612.0, 792.0)
_WITH_TEXT = frozenset({2, 13})
"""MuPDF's numbers of the annotations FreeText and Stamp; the text of form fields is found as it is."""

_RECORDINGS = frozenset({18, 19, 20, 22, 26})
"""Those of Sound, Movie, RichMedia, Screen and 3D."""


def load_page(pdf: PdfFile, number: int) -> Any:
    """Page `number` of the row, its stamps, typed notes and form fields made part of the content, where text is found,
    and what is marked to be blacked out blacked out.
    """
    document, number = pdf.located(number)
    page = document[number - 1]
    kinds = {kind for _, kind, _ in page.annot_xrefs()}
    if kinds & _WITH_TEXT:
        del page  # MuPDF goes on with a page that is held, which would show what is baked twice
        for index in range(document.page_count):  # baking makes other marks part of the content too, on all pages
            black_out_marks(document[index])
            take_off_unseen(document[index])
        document.bake()
    elif REDACT in kinds:
        black_out_marks(page)
        del page
    return document[number - 1]


def read_pdf(path: Readable, settings: Settings, on_pages: Callable[[int], None] = lambda _: None) -> Reading:
    """Read every page's text layer and name the pages that OCR should read; `on_pages` is told before how many pages
    there are.

    Raises:
        SourceError: EncryptedFileError, DamagedFileError (also a file without pages) or TooLargeError.
    """
    with opened_pdf(path) as pdf, guarded(path):
        document, count = pdf.own, pdf.own_count
        if count == 0:
            raise DamagedFileError(f"{path.name} holds no page.", "Open it in a PDF program and save it again.")
        if count > settings.max_pages:
            raise TooLargeError(
                f"{path.name} has {count} pages, more than {settings.max_pages}.", "Split it, or raise max_pages."
            )
        inner = pdf.inner
        on_pages(pdf.page_count)
        pages: list[Page] = []
        to_ocr: list[int] = []
        for number in range(1, pdf.page_count + 1):
            page, needs_ocr = page_or_ocr(pdf, number)
            pages.append(page)
            if needs_ocr:
                to_ocr.append(number)
        if document.is_repaired and not to_ocr and not any(page.lines for page in pages):
            raise DamagedFileError(
                f"{path.name} is damaged: no text of its pages could be saved.", "Copy or scan it again."
            )
        attached = [
            AttachedPages(*named(each.way), each.first, each.last, bookmarks=_bookmarks(each.document))
            for each in inner
        ]
        unread = list(_unread_parts(document))
        for way, file in pdf.others:
            try:
                reading = read_attached(file, settings)
            except SourceError:
                unread.append(place_at(way))
                continue
            unread += unread_of(place_at(way), reading)
            for more, part in pages_at(way, reading, len(pages) + 1):
                pages += more
                attached.append(part)
        unread += [place_at(way) for way in pdf.unread]
        info = document.metadata or {}
        return Reading(
            pages=tuple(pages),
            info_title=(info.get("title") or "").strip(),
            info_author=(info.get("author") or "").strip(),
            info_created=_iso_date(info.get("creationDate") or ""),
            pages_to_ocr=tuple(to_ocr),
            bookmarks=_bookmarks(document),
            unread_parts=tuple(unread),
            attached=tuple(attached),
        )


def page_or_ocr(pdf: PdfFile, number: int) -> tuple[Page, bool]:
    """Page `number`, and whether OCR should read it; a page whose content MuPDF refuses is left to OCR, so that it does
    not cost the whole file.
    """
    try:
        return read_page(load_page(pdf, number), number)
    except (RuntimeError, ValueError) as error:
        if re.search(r"[mc]alloc|out of memory", str(error), re.IGNORECASE):
            raise
        _LOG.warning("page %d: text layer unreadable (%s)", number, type(error).__name__)
        return Page(number, *_LETTER, (), TextSource.NONE), True


def _unread_parts(document: Any) -> Iterator[str]:
    """Name what the file holds besides its pages and other files: recordings, and the form of another program that
    stands in for its pages.
    """
    recordings = 0
    for number in range(document.page_count):
        kinds = [kind for _, kind, _ in document[number].annot_xrefs()]
        recordings += sum(kind in _RECORDINGS for kind in kinds)
    if recordings:
        yield "a recording" if recordings == 1 else f"{recordings} recordings"
    catalog = document.pdf_catalog()
    if document.xref_get_key(catalog, "AcroForm/XFA")[0] != "null" and _is_dynamic(document, catalog):
        yield "an electronic form (XFA) that stands in for its pages"


def _is_dynamic(document: Any, catalog: int) -> bool:
    """Whether a form's pages are made by the program that shows it, so that those in the file only say to wait."""
    fields = document.xref_get_key(catalog, "AcroForm/Fields")[1]
    return document.xref_get_key(catalog, "NeedsRendering")[1] == "true" or fields in ("null", "[]")


def _bookmarks(document: Any) -> tuple[tuple[int, str, int], ...]:
    try:
        outline = document.get_toc(simple=True)
    except (RuntimeError, ValueError, AttributeError, IndexError):
        return ()
    return tuple((level, title.strip(), page) for level, title, page in outline if title.strip() and page > 0)


def _iso_date(text: str) -> str:
    match = _DATE.match(text)
    if not match:
        return ""
    return "-".join((match[1], match[2] or "01", match[3] or "01"))
