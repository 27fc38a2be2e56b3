"""What a guarded worker does with one file: read it, and turn the reading into a structured document.

Runs in a child process on untrusted input; must not import an encoder or a database.
"""

from __future__ import annotations

from dataclasses import replace

from briefbank.errors import ChangingFileError, EmptyFileError
from briefbank.ingest.beneath import Readable
from briefbank.platform.settings import Settings
from briefbank.values.records import Page, Reading, StructuredDocument, TextSource


def parse(path: Readable, settings: Settings) -> Reading | StructuredDocument:
    """Read a file; where pages wait for OCR, the reading comes back instead of the document.

    Raises:
        SourceError: the file cannot be read.
    """
    from briefbank.ingest.readers import read_file

    reading = read_file(path, settings)
    return reading if reading.pages_to_ocr else structure(reading)


def converted(path: Readable, settings: Settings) -> StructuredDocument:
    """Read a file by way of LibreOffice.

    Raises:
        SourceError: it is none of LibreOffice's formats, or cannot be read.
    """
    from briefbank.ingest.readers import is_for_converter, read_file

    if not is_for_converter(path, settings):
        raise ChangingFileError(f"{path.name} changed while it was read.", "Index the folder again.")
    return structure(read_file(path, settings))


def structure(reading: Reading) -> StructuredDocument:
    """Find structure and metadata.

    Raises:
        EmptyFileError: no page holds any text.
    """
    from briefbank.ingest.metadata import find_metadata
    from briefbank.ingest.structure import structure_text

    found = structure_text(reading)
    if not found.text.strip():
        raise EmptyFileError("There is no text in this file.", "If its pages are not blank, scan them again.")
    return StructuredDocument(
        text=found.text,
        blocks=found.blocks,
        sections=found.sections,
        words=found.words,
        pages=found.pages,
        metadata=find_metadata(reading, found),
        has_pages=reading.has_pages,
        page_runs=found.page_runs,
    )


def with_ocr(reading: Reading, pages: dict[int, Page]) -> Reading:
    """Return the reading with its waiting pages replaced; a page that OCR gave up on keeps what text it had."""
    merged = tuple(pages.get(page.number, page) for page in reading.pages)
    return replace(reading, pages=merged, pages_to_ocr=())


def ocr_summary(document: StructuredDocument) -> tuple[int, float | None]:
    """Return how many pages came from OCR, and their mean confidence (0 to 1)."""
    read = [page for page in document.pages if page.source is TextSource.OCR]
    sure = [page.ocr_confidence for page in read if page.ocr_confidence is not None]
    return len(read), (sum(sure) / len(sure) if sure else None)
