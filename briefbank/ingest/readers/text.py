"""Plain text and Markdown files: decoding, pages at form feeds; lines as they stand in the file."""

from __future__ import annotations

import re

from briefbank.errors import EmptyFileError, TooLargeError, UnsupportedFileError
from briefbank.ingest.beneath import Readable
from briefbank.ingest.readers.lines import typed_page
from briefbank.platform.settings import Settings
from briefbank.values.records import Page, Reading

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MAX_CONTROL = 0.005
"""Share of control characters from which a file is no text."""

_TEXT_SUFFIXES = (".txt", ".md")
_MAX_CHARACTERS = 50_000_000
"""About eight million words: nothing an office writes, and more would not fit a reader's memory."""


def read_text(path: Readable, settings: Settings) -> Reading:
    """Read a text file as UTF-8, else as UTF-16 with its mark, else as Windows-1252.

    Raises:
        SourceError: EmptyFileError, UnsupportedFileError (not text) or TooLargeError.
    """
    text = _decoded(path).replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise EmptyFileError(f"{path.name} holds no text.", "Replace it with the complete file.")
    chunks = text.split("\f")
    if len(chunks) > settings.max_pages:
        raise TooLargeError(
            f"{path.name} has {len(chunks)} pages, more than {settings.max_pages}.", "Split it, or raise max_pages."
        )
    pages: tuple[Page, ...] = tuple(typed_page(number, chunk.split("\n")) for number, chunk in enumerate(chunks, 1))
    return Reading(pages=pages, has_pages=False)


def _decoded(path: Readable) -> str:
    data = path.read_bytes()
    if len(data) > _MAX_CHARACTERS:
        raise TooLargeError(f"{path.name} is too large for a text file.", "Split it into documents.")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
    if len(_CONTROL.findall(text)) > _MAX_CONTROL * len(text):
        kind = path.suffix.lower()
        if kind in _TEXT_SUFFIXES:
            raise UnsupportedFileError(f"{path.name} is not a text file.", "Save it as PDF or DOCX and use that.")
        raise UnsupportedFileError(
            f"{path.name} holds neither a {kind} document nor text: it is damaged, or another kind of file so named.",
            "Try to open it in the program that wrote it, and save it as PDF or DOCX; or replace it from a backup.",
        )
    return text
