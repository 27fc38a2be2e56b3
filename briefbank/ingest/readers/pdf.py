"""PDF files through MuPDF, within limits; must run in a process that may die (`briefbank.ingest.worker`)."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from briefbank.errors import DamagedFileError, SourceError, TooLargeError
from briefbank.ingest.beneath import Readable
from briefbank.ingest.readers.attached import FORM, Gathered, Way, named, place_at
from briefbank.ingest.readers.lines import typed_page
from briefbank.ingest.readers.pdf_file import PdfFile, form_packets, guarded, opened_pdf, unpacked
from briefbank.ingest.readers.pdf_page import read_page
from briefbank.ingest.readers.visibility import REDACT, black_out_marks, take_off_unseen
from briefbank.ingest.readers.xfa import form_rows
from briefbank.platform.settings import Settings
from briefbank.values.page_numbers import named_pages
from briefbank.values.records import AttachedPages, Page, Reading, TextSource

_LOG = logging.getLogger(__name__)
_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")
_LETTER = (612.0, 792.0)
_WITH_TEXT = frozenset({2, 13, 25})
"""MuPDF's numbers of the annotations FreeText, Stamp and Watermark; the text of form fields is found as it is."""

_RECORDINGS = frozenset({18, 19, 20, 22, 26})
"""Those of Sound, Movie, RichMedia, Screen and 3D."""
_NOT_REMARKS = _WITH_TEXT | _RECORDINGS | {1, REDACT, 16, 17, 21, 23, 24}
"""Those of which nothing is named besides: what is read or named otherwise, and links, windows of other notes, form
fields and printers' marks."""
_WAIT = re.compile(r"\bplease wait\b", re.IGNORECASE)


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
        documents: list[tuple[Way, Any]] = [((), document), *((each.way, each.document) for each in pdf.inner)]
        on_pages(pdf.page_count)
        found = Gathered()
        pages, to_ocr = found.pages, []
        for way, each in documents:  # before pages are read, for which notes may be made part of them
            found.unread += (f"{part} in {place_at(way)}" if way else part for part in _unread_parts(each))
        for number in range(1, pdf.page_count + 1):
            page, needs_ocr = page_or_ocr(pdf, number)
            pages.append(page)
            if needs_ocr:
                to_ocr.append(number)
        if document.is_repaired and not to_ocr and not any(page.lines for page in pages):
            raise DamagedFileError(
                f"{path.name} is damaged: no text of its pages could be saved.", "Copy or scan it again."
            )
        for part in pdf.inner:
            marks = _bookmarks(part.document)
            found.attached.append(AttachedPages(*named(part.way), part.first, part.last, bookmarks=marks))
        for way, each in documents:
            _add_form(found, way, each)
        for way, file in pdf.others:
            found.read(way, file, settings)
        found.unread += map(place_at, pdf.unread)
        info = document.metadata or {}
        return Reading(
            pages=tuple(pages),
            info_title=(info.get("title") or "").strip(),
            info_author=(info.get("author") or "").strip(),
            info_created=_iso_date(info.get("creationDate") or ""),
            pages_to_ocr=tuple(to_ocr),
            bookmarks=_bookmarks(document),
            unread_parts=tuple(found.unread),
            attached=tuple(found.attached),
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
    """Name what the file holds besides its pages and other files: recordings, what is remarked on pages, and layers of
    them that are not shown.
    """
    recordings = 0
    remarked: list[int] = []
    for number in range(document.page_count):
        notes = document[number].annot_xrefs()
        recordings += sum(kind in _RECORDINGS for _, kind, _ in notes)
        if any(kind not in _NOT_REMARKS and _has_words(document, xref) for xref, kind, _ in notes):
            remarked.append(number + 1)
    if recordings:
        yield "a recording" if recordings == 1 else f"{recordings} recordings"
    if remarked:
        yield f"remarks on {named_pages(remarked)}"
    if any(not layer["on"] for layer in (document.get_ocgs() or {}).values()):
        yield "a layer of its pages that is not shown"


def _has_words(document: Any, xref: int) -> bool:
    return any(document.xref_get_key(xref, key)[1].strip() not in ("null", "") for key in ("Contents", "RC"))


def _add_form(found: Gathered, way: Way, document: Any) -> None:
    """Read the form of another program that stands in for a file's pages, which then only say to wait."""
    packets = form_packets(document)
    if not packets:
        return
    catalog = document.pdf_catalog()
    is_needed = document.xref_get_key(catalog, "NeedsRendering")[1] == "true"
    has_fields = document.xref_get_key(catalog, "AcroForm/Fields")[1] not in ("null", "[]")
    if not is_needed and has_fields and not _WAIT.search(document[0].get_text()):
        return
    with suppress(SourceError):
        packets = [unpacked(each) for each in packets]
        if rows := form_rows(packets):
            found.add((*way, FORM), Reading(pages=(typed_page(1, rows),), has_pages=False))
            return
    place = f" in {place_at(way)}" if way else ""
    found.unread.append(f"an electronic form (XFA) that stands in for its pages{place}")


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
