"""What a confined worker does with one file (`read_whole`, called by `worker`): reads it, recognises its scans, finds
structure and metadata, cuts it into passages and annotates these, all in one go.

Runs in a child process on untrusted input; must not import an encoder or a database.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from briefbank.errors import ChangingFileError, EmptyFileError, SourceError, TooSlowError
from briefbank.index.notes import DocumentNotes
from briefbank.ingest.beneath import Readable
from briefbank.ingest.pieces import Piece, document_pieces
from briefbank.law.citations import Pattern, PatternSet
from briefbank.platform.settings import Settings
from briefbank.values.page_numbers import PageRun, named_pages
from briefbank.values.record import RecordText
from briefbank.values.records import Fact, Metadata, Page, Passage, Reading, StructuredDocument, TextSource

_WORD = re.compile(r"[^\W_]+")
_SAME_WORDS = 0.85
"""Share of the words of a page that OCR must read too for an unseen layer to be believed. Three pages of
a filed scan, with a poor layer, share 0.92 to 0.97 of them with Tesseract; one that said the opposite 0.76."""
_MOST_NAMED = 20
_LETTERS_A_PAGE = 2_000
"""Of a brief in double-spaced lines; for files whose pages are not known."""
_RENDER_S = 10.0
"""What rendering and straightening a page may take on top of OCR itself."""
_OCR_ATTEMPTS = 2
"""Times `ocr_page_timeout_s`, after which a reader is ended that did not give a page up by itself."""
_PAGE_S = 0.05
"""Processor time that each page of a file adds to a step of reading it; of 5,000 plain ones each took .004 to .011."""


class Scans(StrEnum):
    """What is done with pages that need OCR."""

    LEAVE = "leave"
    """Nothing: the rest is read, and they are named as unread."""
    REFUSE = "refuse"
    """The file waits for OCR (`Waits.OCR`)."""
    RECOGNISE = "recognise"
    RECOGNISE_ALONE = "recognise-alone"
    """They are read and reported, and then the file waits for another engine (`Waits.OCR`)."""


class Waits(StrEnum):
    """What has to come before a file can be read to the end."""

    CONVERTER = "converter"
    OCR = "ocr"


@dataclass(frozen=True, slots=True)
class How:
    """How a file is read. `pages` and `given_up` are pages that OCR is done with already."""

    settings: Settings
    scans: Scans = Scans.LEAVE
    pages: tuple[Page, ...] = ()
    given_up: tuple[int, ...] = ()
    threads: int = 1
    """Pages that OCR reads at a time."""
    document_id: str = ""
    sha256: str = ""
    """The content that is meant: no other is read. Empty where any is."""
    patterns: tuple[Pattern, ...] = ()
    is_cut: bool = True
    """Whether passages are wanted, rather than the document as it is."""
    is_of_record: bool = False
    """Whether its pages as they are cited are wanted, and nothing else."""
    words: Path | None = None
    """The folder with the encoder's table of words, see `words.read_words`; None where another process cuts."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of reading a file that begins or is done: OCR of the page `number`, or, where that is 0, any other.

    `page` is what comes of it: None when it begins, and without lines where OCR gave up on it.
    """

    number: int = 0
    page: Page | None = None
    is_given_up: bool = False
    of_pages: int = 0
    """How many pages the whole file has, or would fill."""


def seconds_after(step: Step, settings: Settings) -> float:
    """Return how long reading may take from a step to the next."""
    if step.number:
        return _OCR_ATTEMPTS * settings.ocr_page_timeout_s + _RENDER_S
    return settings.read_timeout_s + _PAGE_S * step.of_pages


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file that was read. Where its passages have to be cut by another process, or none are wanted, it has the
    document itself, with the pieces that no passage may break.
    """

    metadata: Metadata
    page_count: int
    ocr_page_count: int
    ocr_confidence: float | None
    has_pages: bool
    page_runs: tuple[PageRun, ...]
    unread_pages: tuple[int, ...] = ()
    unread_parts: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    """What people must know of its text as a whole: what was left out of it, and what nobody sees on its pages."""
    passages: tuple[Passage, ...] = ()
    notes: DocumentNotes | None = None
    document: StructuredDocument | None = None
    pieces: tuple[tuple[Piece, ...], ...] = ()
    record: RecordText | None = None
    """The file as one of the record of a case; it has nothing else then."""


def read_whole(path: Readable, how: How, report: Callable[[Step], None], *, converts: bool) -> FileRead | Waits:
    """Read a file to the end; one for LibreOffice only where this process `converts`, and nothing else there.

    Raises:
        SourceError: the file cannot be read.
    """
    from briefbank.ingest.readers import is_for_converter, read_file
    from briefbank.ingest.structure import structure

    if is_for_converter(path, how.settings) != converts:
        if converts:
            raise ChangingFileError(f"{path.name} changed while it was read.", "Index the folder again.")
        return Waits.CONVERTER
    reading = read_file(path, how.settings, lambda pages: report(Step(of_pages=pages)))
    letters = sum(len(line.text) for page in reading.pages for line in page.lines)
    step = Step(of_pages=max(len(reading.pages), letters // _LETTERS_A_PAGE))
    report(step)
    wanted = set(reading.pages_to_ocr)
    end = next((each.first - 1 for each in reading.attached if not each.is_filed), None)
    layered = {page.number: page for page in reading.pages[:end] if page.source is TextSource.UNSEEN}
    pictured = {page.number: page for page in reading.pages if page.pictures}
    pages = {page.number: page for page in how.pages if page.number in wanted | layered.keys() | pictured.keys()}
    unread = wanted - pages.keys()
    if unread and how.scans is Scans.REFUSE:
        return Waits.OCR
    if how.scans in (Scans.RECOGNISE, Scans.RECOGNISE_ALONE):
        blank = {page.number: replace(page, lines=(), source=TextSource.NONE) for page in reading.pages} | pictured
        for number in how.given_up:
            report(Step(number, blank.get(number), is_given_up=True))
        compared = _sampled(sorted(layered), how.document_id)
        pages |= _recognised(path, blank, how, (unread | compared | pictured.keys()) - pages.keys(), report)
        if any(number in pages and not _agree(layered[number], pages[number]) for number in compared):
            pages |= _recognised(path, blank, how, layered.keys() - pages.keys(), report)
        unread -= pages.keys()
        del blank
        if wanted | compared and how.scans is Scans.RECOGNISE_ALONE:
            return Waits.OCR
    elif unread and len(unread) == len(reading.pages):
        advice = "Save it from the program that it was written in, or have its scan read first."
        raise SourceError(f"{path.name} has no page with text.", advice)
    whole = with_ocr(reading, pages)
    if how.is_of_record:
        return _of_record(whole, path.name, sorted(unread))
    document = structure(whole)
    if not document.text.strip():
        if not unread:
            raise EmptyFileError("There is no text in this file.", "If its pages are not blank, scan them again.")
        message = (
            f"OCR gave up on {len(unread)} {'page' if len(unread) == 1 else 'pages'}; the rest of the file is blank."
        )
        raise TooSlowError(message, "Raise ocr_page_timeout_s in bank.toml and index again with --retry-failed.")
    report(step)
    unread_parts, remarks = _few((*reading.unread_parts, *_unread_pictures(whole))), tuple(_remarks(whole))
    del reading, whole, layered, pictured, pages  # the words of 5,000 pages take more memory than all that follows
    read = _cut(document, how, lambda: report(step))
    return replace(read, unread_pages=tuple(sorted(unread)), unread_parts=unread_parts, remarks=remarks)


def _of_record(whole: Reading, name: str, unread: Sequence[int]) -> FileRead:
    from briefbank.ingest.structure.transcript import record_text

    return FileRead(
        Metadata(Fact(name, "file name"), Fact("", "")),
        len(whole.pages),
        sum(page.source is TextSource.OCR for page in whole.pages),
        None,
        whole.has_pages,
        (),
        tuple(unread),
        _few((*whole.unread_parts, *_unread_pictures(whole))),
        tuple(_remarks(whole)),
        record=record_text(whole),
    )


def _few(parts: Sequence[str]) -> tuple[str, ...]:
    """What was not read, as much of it as people read; a mailbox saved as a PDF has hundreds of files."""
    more = len(parts) - _MOST_NAMED
    return (*parts[:_MOST_NAMED], f"{more} more") if more > 1 else tuple(parts)


def _sampled(numbers: Sequence[int], document_id: str) -> set[int]:
    """Two of the pages, or fewer where there are none: always the same ones of a file, and others of another."""
    if not numbers:
        return set()
    first = int(document_id or "0", 16)
    return {numbers[first % len(numbers)], numbers[(first + len(numbers) // 2) % len(numbers)]}


def _agree(layer: Page, read: Page) -> bool:
    """Whether a layer that nobody sees says what OCR reads on the page."""
    one, other = (
        Counter(word for line in page.lines for word in _WORD.findall(line.text.lower())) for page in (layer, read)
    )
    return (one & other).total() >= _SAME_WORDS * max(one.total(), other.total(), 1)


def _recognised(
    path: Readable, blank: Mapping[int, Page], how: How, wanted: Iterable[int], report: Callable[[Step], None]
) -> dict[int, Page]:
    """The pages that OCR reads; one that it gives up on costs itself alone. `blank` is each without its words."""
    from briefbank.ingest.ocr.page import ocr_page

    numbers = set(wanted) - set(how.given_up)
    pages: dict[int, Page] = {}

    def recognise(number: int) -> None:
        report(Step(number))
        try:
            pages[number] = ocr_page(path, number, how.settings)
        except SourceError:
            report(Step(number, blank[number], is_given_up=True))
        else:
            report(Step(number, pages[number]))

    with ThreadPoolExecutor(how.threads) as threads:
        list(threads.map(recognise, sorted(numbers)))
    return pages


def _remarks(reading: Reading) -> Iterator[str]:
    """What people must know of the words that a file holds and its pages do not show."""

    def where(pages: Sequence[Page]) -> str:
        return f" ({_named(reading, pages)})" if reading.has_pages else ""

    if black := [page for page in reading.pages if page.blacked_out]:
        count = sum(page.blacked_out for page in black)
        yield f"{count} {'passages are' if count > 1 else 'passage is'} blacked out{where(black)}."
    if hiding := [page for page in reading.pages if page.left_out]:
        yield f"Some words that the page does not show were left out{where(hiding)}."
    if layered := [page for page in reading.pages if page.source is TextSource.UNSEEN]:
        yield f"Scanned, and not read from the picture but from a layer of text that nobody sees{where(layered)}."


def _unread_pictures(reading: Reading) -> Iterator[str]:
    if pages := [page for page in reading.pages if page.pictures]:
        picture = "a picture of text" if len(pages) == 1 else "pictures of text"
        yield f"{picture} on {_named(reading, pages)}" if reading.has_pages else picture


def _named(reading: Reading, pages: Sequence[Page]) -> str:
    """The numbers of pages in words, of those of a file in the file as they count there."""
    last = reading.attached[0].first - 1 if reading.attached else len(reading.pages)
    parts = [(1, last, ""), *((each.first, each.last, each.place) for each in reading.attached)]
    told: list[str] = []
    for first, last, place in parts:
        inside = [page.number - first + 1 for page in pages if first <= page.number <= last]
        told += [f"{named_pages(inside)} of {place}" if place else named_pages(inside)] if inside else []
    return ", ".join(told)


def _cut(document: StructuredDocument, how: How, report: Callable[[], None]) -> FileRead:
    from briefbank.ingest.annotate import annotate
    from briefbank.ingest.segment import PASSAGE_SIZE, segment
    from briefbank.models.encoders.words import read_words

    ocr_pages = [
        page.ocr_confidence
        for page in document.pages
        if page.source is TextSource.OCR or page.ocr_confidence is not None
    ]
    sure = [confidence for confidence in ocr_pages if confidence is not None]
    read = FileRead(
        document.metadata,
        len(document.pages),
        len(ocr_pages),
        sum(sure) / len(sure) if sure else None,
        document.has_pages,
        document.page_runs,
    )
    if not how.is_cut:
        return replace(read, document=document)
    words = read_words(how.words, report) if how.words else None
    if words is None:
        pieces = document_pieces(document.text, document.blocks, document.sections, PASSAGE_SIZE.most)
        return replace(read, document=document, pieces=pieces)
    passages = segment(document, words, how.document_id)
    report()
    return replace(read, passages=tuple(passages), notes=annotate(passages, PatternSet(how.patterns)))


def with_ocr(reading: Reading, pages: dict[int, Page]) -> Reading:
    """Return the reading with its waiting pages replaced; a page that OCR gave up on keeps what text it had."""
    merged = tuple(pages.get(page.number, page) for page in reading.pages)
    return replace(reading, pages=merged, pages_to_ocr=())
