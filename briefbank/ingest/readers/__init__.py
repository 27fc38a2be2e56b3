"""Reading one source file, whatever its format: `read_file` looks at the content first and at the suffix second."""

from __future__ import annotations

from pathlib import Path

from briefbank.errors import EmptyFileError, SourceError, TooLargeError, UnsupportedFileError
from briefbank.records import Reading
from briefbank.settings import Settings

SUPPORTED_SUFFIXES = frozenset({".pdf", ".docx", ".txt", ".md"})

_HEAD_BYTES = 1024
_FOREIGN = {
    b"\xd0\xcf\x11\xe0": "an old or password-protected Office file",
    b"{\\rtf": "an RTF file",
    b"\xffWPC": "a WordPerfect file",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"II*\x00": "a picture",
    b"MM\x00*": "a picture",
    b"GIF8": "a picture",
}


def read_file(path: Path, settings: Settings) -> Reading:
    """Read a PDF, DOCX, TXT or MD file.

    Raises:
        SourceError: always one of its named kinds, also for files that are missing, empty or of another format.
    """
    head = _head(path, settings)
    if b"%PDF-" in head or path.suffix.lower() == ".pdf":
        from briefbank.ingest.readers.pdf import read_pdf

        reading = read_pdf(path, settings)
    elif head.startswith(b"PK\x03\x04"):
        from briefbank.ingest.readers.docx import read_docx

        reading = read_docx(path, settings)
    else:
        from briefbank.ingest.readers.text import read_text

        _refuse_foreign(path, head)
        reading = read_text(path, settings)
    if not reading.pages_to_ocr and not any(page.lines for page in reading.pages):
        raise empty(path)
    return reading


def empty(path: Path) -> EmptyFileError:
    """The error for a file that holds no text, for callers that learn it only after OCR."""
    return EmptyFileError(f"{path.name} holds no text.", "Nothing to do if it is meant to be blank; else replace it.")


def _head(path: Path, settings: Settings) -> bytes:
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        raise SourceError(
            f"{path.name} cannot be opened: {error.strerror}.", "Check that it is there and that you may read it."
        ) from error
    if size > settings.max_file_bytes:
        raise TooLargeError(
            f"{path.name} has {size} bytes, more than {settings.max_file_bytes}.", "Split it, or raise max_file_bytes."
        )
    if not head.strip(b"\x00"):
        raise EmptyFileError(f"{path.name} is empty.", "Replace it with the complete file.")
    return head


def _refuse_foreign(path: Path, head: bytes) -> None:
    for magic, name in _FOREIGN.items():
        if head.startswith(magic):
            raise UnsupportedFileError(
                f"{path.name} is {name}, which is not supported.", "Save it as PDF or DOCX and index that."
            )
    if path.suffix.lower() not in SUPPORTED_SUFFIXES:
        raise UnsupportedFileError(
            f"{path.name} is of a kind that is not supported.", "Supported are PDF, DOCX, TXT and MD."
        )
