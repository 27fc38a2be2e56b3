"""Reading one source file, whatever its format: `read_file` looks at the content first and at the suffix second."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

from briefbank.errors import (
    ConverterMissingError,
    DamagedFileError,
    EmptyFileError,
    SourceError,
    TooLargeError,
    UnsupportedFileError,
)
from briefbank.ingest.beneath import Readable, size_bytes
from briefbank.ingest.readers.office import find_converter, missing, office_format
from briefbank.platform.settings import Settings
from briefbank.values.records import Reading
from briefbank.values.source_files import MAIL_SUFFIXES, OFFICE_SUFFIXES, SUPPORTED_SUFFIXES

_HEAD_BYTES = 4096
_STUMBLES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
)
"""What the libraries raise over bytes that nobody wrote so: olefile alone has four of them, each somewhere else."""
_TEXT_SUFFIXES = frozenset({".txt", ".md"}) | MAIL_SUFFIXES
_PDF_OBJECT = re.compile(rb"^\d+ \d+ obj\b", re.MULTILINE)
_ZIP_SUFFIXES = frozenset({".docx", ".odt"})
_FOREIGN = {
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"II*\x00": "a picture",
    b"MM\x00*": "a picture",
    b"GIF8": "a picture",
}


def readable_suffixes() -> frozenset[str]:
    """The endings of files that can be read on this machine, as it is now."""
    return SUPPORTED_SUFFIXES if find_converter() else SUPPORTED_SUFFIXES - OFFICE_SUFFIXES


def refusal(path: Readable) -> ConverterMissingError | UnsupportedFileError:
    """Why a file whose ending is not among the readable ones is not read."""
    if path.suffix.lower() in OFFICE_SUFFIXES:
        return missing(path)
    advice = f"Formats read are {', '.join(sorted(readable_suffixes()))}. Save it as one of these, or leave it."
    return UnsupportedFileError(f"{path.name} is of a kind that is not read.", advice)


def read_file(path: Readable, settings: Settings, on_pages: Callable[[int], None] = lambda _: None) -> Reading:
    """Read a PDF, DOCX, TXT, MD, EML or MSG file, and with LibreOffice a DOC, WPD, RTF or ODT file. Where reading takes
    long by its pages, `on_pages` is told how many there are before it begins.

    Raises:
        SourceError: always one of its named kinds, also for files that are missing, empty or of another format.
    """
    head = _head(path, settings)
    try:
        reading = _read_by_kind(path, head, settings, on_pages)
    except _STUMBLES as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise _unopened(path, error) from error
        raise DamagedFileError(
            f"{path.name} is damaged ({type(error).__name__}).",
            "Open it in the program that wrote it and save it again, or print it to PDF and use that.",
        ) from error
    if not reading.pages_to_ocr and not any(page.lines for page in reading.pages):
        raise EmptyFileError(
            f"{path.name} holds no text.", "Nothing to do if it is meant to be blank; else replace it."
        )
    return reading


def _read_by_kind(path: Readable, head: bytes, settings: Settings, on_pages: Callable[[int], None]) -> Reading:
    if _is_pdf(path, head):
        from briefbank.ingest.readers.pdf import read_pdf

        return read_pdf(path, settings, on_pages)
    if office := office_format(path, head):
        from briefbank.ingest.readers.office import read_office

        return read_office(path, office, settings)
    if head.startswith(b"PK\x03\x04"):
        from briefbank.ingest.readers.docx import read_docx

        return read_docx(path, settings)
    if path.suffix.lower() in MAIL_SUFFIXES:
        from briefbank.ingest.readers.mail import read_mail

        return read_mail(path, settings)
    from briefbank.ingest.readers.text import read_text

    _refuse_foreign(path, head)
    return read_text(path, settings)


def _is_pdf(path: Readable, head: bytes) -> bool:
    """Whether to read it as PDF. Viewers open a PDF behind up to 1,024 other bytes; in a text or a mail these may be a
    sentence that quotes the mark, so that there the file must begin with it and hold one of a PDF's objects.
    """
    suffix = path.suffix.lower()
    if suffix in _TEXT_SUFFIXES:
        return head.lstrip().startswith(b"%PDF-") and _PDF_OBJECT.search(head) is not None
    return suffix == ".pdf" or b"%PDF-" in head[:1024]


def is_for_converter(path: Readable, settings: Settings) -> bool:
    """Whether a file is in one of LibreOffice's formats, which is there to be started.

    Raises:
        SourceError: it is missing, empty or too large.
    """
    head = _head(path, settings)
    return find_converter() is not None and not _is_pdf(path, head) and office_format(path, head) is not None


def _head(path: Readable, settings: Settings) -> bytes:
    try:
        size = size_bytes(path)
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        raise _unopened(path, error) from error
    if size > settings.max_file_bytes:
        raise TooLargeError(
            f"{path.name} has {size} bytes, more than {settings.max_file_bytes}.", "Split it, or raise max_file_bytes."
        )
    if not head.strip(b"\x00"):
        raise EmptyFileError(f"{path.name} is empty.", "Replace it with the complete file.")
    return head


def _unopened(path: Readable, error: OSError) -> SourceError:
    return SourceError(
        f"{path.name} cannot be opened: {error.strerror}.", "Check that it is there and that you may read it."
    )


def _refuse_foreign(path: Readable, head: bytes) -> None:
    kind = next((name for magic, name in _FOREIGN.items() if head.startswith(magic)), "")
    if path.suffix.lower() in OFFICE_SUFFIXES and head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        kind = "a web page under another name"
    if kind:
        raise UnsupportedFileError(
            f"{path.name} is {kind}, which is not supported.", "Save it as PDF or DOCX and use that."
        )
    if path.suffix.lower() not in SUPPORTED_SUFFIXES:
        raise refusal(path)
    if path.suffix.lower() in _ZIP_SUFFIXES:  # no program ever wrote these formats as plain text
        raise DamagedFileError(
            f"{path.name} does not begin as a {path.suffix.lower()} file does: it is damaged, cut off, or another kind "
            "of file so named.",
            "Replace it from a backup, or save it again from the program that wrote it.",
        )
