"""An open PDF: its own pages and those of the PDFs in it, which make one row, and the other files in it.

Knows MuPDF's structures; what is on the pages and in the other files is read elsewhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from briefbank.errors import DamagedFileError, EncryptedFileError, SourceError, TooLargeError
from briefbank.ingest.beneath import HeldFile, Readable
from briefbank.ingest.readers.attached import Way, allowance_of, held_in
from briefbank.ingest.readers.mupdf import import_pymupdf

_KEYS = ("UF", "F", "Unix", "Mac", "DOS")
"""Under what a PDF may keep the name of a file in it, and the file itself."""
_MOST_BYTES = 100_000_000
"""Of one file in a PDF, unpacked; MuPDF refuses what is larger as a bomb."""
_MOST_PAGES = 5_000
"""Of all PDFs in a PDF; those that would have more are only named."""


@dataclass(frozen=True, slots=True)
class InnerPdf:
    """A PDF in a PDF, whose pages follow in the row from `first` on."""

    way: Way
    document: Any
    first: int

    @property
    def last(self) -> int:
        return self.first + int(self.document.page_count) - 1


@dataclass(slots=True)
class PdfFile:
    """The pages of a PDF and, behind them, of the PDFs in it, in one row that counts from 1. These are opened when a
    page behind the own ones, or the number of all pages, is asked for.
    """

    file: Readable
    own: Any
    """A `pymupdf.Document`."""
    others: list[tuple[Way, HeldFile]] = field(default_factory=list)
    """The files in it that are no PDFs, once `inner` was asked for."""
    unread: list[Way] = field(default_factory=list)
    """Those that are damaged, locked or too large, likewise."""
    _inner: list[InnerPdf] | None = None

    @property
    def own_count(self) -> int:
        return int(self.own.page_count)

    @property
    def page_count(self) -> int:
        return self.inner[-1].last if self.inner else self.own_count

    @property
    def inner(self) -> list[InnerPdf]:
        """The PDFs in it, and in those, as they come: the same ones whenever the file is opened."""
        if self._inner is None:
            self._inner = []
            self._open_inner(self.file, self.own, ())
        return self._inner

    def located(self, number: int) -> tuple[Any, int]:
        """The document that holds page `number` of the row, and the page's number there.

        Raises:
            DamagedFileError: there is no such page.
        """
        if 1 <= number <= self.own_count:
            return self.own, number
        for each in self.inner:
            if each.first <= number <= each.last:
                return each.document, number - each.first + 1
        raise DamagedFileError(f"{self.file.name} has no page {number}.", "Index the folder again.")

    def close(self) -> None:
        """Close all documents."""
        for each in self._inner or ():
            each.document.close()
        self.own.close()

    def _open_inner(self, file: Readable, document: Any, way: Way) -> None:
        allowance = allowance_of(file)
        try:
            with guarded(file):
                found = list(files_in(document))
        except DamagedFileError:
            self.unread.append((*way, (1, "")))
            return
        for number, (name, stream) in enumerate(found, 1):
            here = (*way, (number, name))
            try:
                inner = held_in(file, allowance, name, unpacked(stream))
                opened = self._opened(inner) if b"%PDF-" in inner.data[:1024] else None
            except SourceError:
                self.unread.append(here)
                continue
            if opened is None:
                self.others.append((here, inner))
                continue
            self.inner.append(InnerPdf(here, opened, self.page_count + 1))
            self._open_inner(inner, opened, here)

    def _opened(self, file: HeldFile) -> Any:
        document = _open(file, None, file.data)
        if not 0 < document.page_count <= _MOST_PAGES - (self.page_count - self.own_count):
            document.close()
            raise TooLargeError(f"{file.name} has no pages, or too many.", "Save it as a file of its own.")
        return document


@contextmanager
def opened_pdf(path: Readable, data: bytes | None = None) -> Iterator[PdfFile]:
    """Open a PDF, out of `data` where the file's bytes are at hand, with MuPDF's own messages kept silent.

    Raises:
        EncryptedFileError: it needs a password.
        DamagedFileError: MuPDF cannot open or repair it.
        TooLargeError: memory ran out.
    """
    pymupdf = import_pymupdf()
    pymupdf.TOOLS.mupdf_display_errors(on=False)
    pymupdf.TOOLS.mupdf_display_warnings(on=False)
    if isinstance(path, HeldFile):
        name, data = None, path.data
    else:
        name = os.fspath(path) if data is None else None
    pdf = PdfFile(path, _open(path, name, data))
    try:
        yield pdf
    finally:
        pdf.close()
        pymupdf.TOOLS.reset_mupdf_warnings()


def _open(path: Readable, name: str | None, data: bytes | None) -> Any:
    with guarded(path):
        document = import_pymupdf().open(name, data, filetype="pdf")
    if document.needs_pass and not document.authenticate(""):
        document.close()
        raise EncryptedFileError(
            f"{path.name} is protected by a password.", "Save a copy without the password and use that."
        )
    return document


@contextmanager
def guarded(path: Readable) -> Iterator[None]:
    """Turn what MuPDF raises over a file into a SourceError; the file is hostile, so any kind of error may come."""
    try:
        yield
    except SourceError:
        raise
    except MemoryError as error:
        raise _too_large(path) from error
    except Exception as error:
        if re.search(r"[mc]alloc|out of memory|cannot allocate", str(error), re.IGNORECASE):
            raise _too_large(path) from error
        raise DamagedFileError(
            f"{path.name} is damaged and could not be repaired.", "Open it in a PDF program and save it again."
        ) from error


def _too_large(path: Readable) -> TooLargeError:
    return TooLargeError(
        f"{path.name} needs more memory than reading may take.", "Split the file, or raise read_memory_bytes."
    )


def files_in(document: Any) -> Iterator[tuple[str, Any]]:
    """The files that lie in a `pymupdf.Document`, by name and MuPDF's object of their data: those listed in it, as a
    portfolio's are, those that belong to it or to a page, and those that are pinned to a page; each once.
    """
    mupdf = import_pymupdf().mupdf
    seen: set[int] = set()
    for name, spec in _specifications(document):
        files = mupdf.pdf_dict_gets(spec, "EF")
        streams = (mupdf.pdf_dict_gets(files, key) for key in _KEYS)
        stream = next((each for each in streams if mupdf.pdf_is_stream(each)), None)
        if stream is not None and mupdf.pdf_to_num(stream) not in seen:
            seen.add(mupdf.pdf_to_num(stream))
            names = (mupdf.pdf_to_text_string(mupdf.pdf_dict_gets(spec, key)) for key in _KEYS)
            yield next(filter(None, names), name), stream


def _specifications(document: Any) -> Iterator[tuple[str, Any]]:
    """What a PDF says of each file in it, and the name that it is listed under."""
    mupdf = import_pymupdf().mupdf
    pdf = mupdf.pdf_document_from_fz_document(document.this)
    listed = mupdf.pdf_load_name_tree(pdf, mupdf.PDF_ENUM_NAME_EmbeddedFiles)
    for index in range(mupdf.pdf_dict_len(listed)):
        yield mupdf.pdf_to_name(mupdf.pdf_dict_get_key(listed, index)), mupdf.pdf_dict_get_val(listed, index)
    root = mupdf.pdf_dict_gets(mupdf.pdf_trailer(pdf), "Root")
    yield from (("", each) for each in _entries(root, "AF"))
    for number in range(document.page_count):
        page = mupdf.pdf_lookup_page_obj(pdf, number)
        yield from (("", each) for each in _entries(page, "AF"))
        for note in _entries(page, "Annots"):
            yield from (("", each) for each in _entries(note, "AF"))
            if mupdf.pdf_to_name(mupdf.pdf_dict_gets(note, "Subtype")) == "FileAttachment":
                yield "", mupdf.pdf_dict_gets(note, "FS")


def form_packets(document: Any) -> list[Any]:
    """MuPDF's objects of the packets of an electronic form (XFA), which may be one stream or several."""
    mupdf = import_pymupdf().mupdf
    root = mupdf.pdf_dict_gets(mupdf.pdf_trailer(mupdf.pdf_document_from_fz_document(document.this)), "Root")
    form = mupdf.pdf_dict_gets(mupdf.pdf_dict_gets(root, "AcroForm"), "XFA")
    found = [mupdf.pdf_array_get(form, index) for index in range(mupdf.pdf_array_len(form))] or [form]
    return [each for each in found if mupdf.pdf_is_stream(each)]


def _entries(holder: Any, key: str) -> Iterator[Any]:
    """The entries of a list in a dictionary; one alone may stand without the list."""
    mupdf = import_pymupdf().mupdf
    found = mupdf.pdf_dict_gets(holder, key)
    if mupdf.pdf_is_dict(found):
        yield found
    for index in range(mupdf.pdf_array_len(found)):
        yield mupdf.pdf_array_get(found, index)


def unpacked(stream: Any) -> bytes:
    """The bytes of a file in a PDF.

    Raises:
        SourceError: it is damaged or too large.
    """
    mupdf = import_pymupdf().mupdf
    with guarded(HeldFile(Path("A file in it"), b"")):
        unpacked, _ = mupdf.fz_read_best(mupdf.pdf_open_stream(stream), 0, _MOST_BYTES)
        return bytes(mupdf.fz_buffer_extract_copy(unpacked))
