"""What the bank tells of itself and of its work: values for whoever shows them. Knows only the records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple, Protocol

from briefbank.records import Box, Document, PageBox, Passage, TextSource


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be read: which, why, and what to do."""

    path: str
    code: str
    error: str
    advice: str


@dataclass(frozen=True, slots=True)
class IndexReport:
    """How a run ended. Counts are files; `copies` counts those that are the same as others, with which they are one
    document. `notes` name files that were read with something missing, that were being written and wait for the next
    run, or that only a table of IT's knows. `missing_protection` says what does not hold readers on this machine.
    """

    generation: str
    published: bool
    indexed: int
    unchanged: int
    removed: int
    failures: tuple[Failure, ...]
    notes: tuple[tuple[str, str], ...]
    documents: int
    passages: int
    pages: int
    seconds: float
    copies: int = 0
    missing_protection: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SummariesReport:
    """How writing summaries ahead of time ended. Counts are passages; `kept` had theirs already."""

    written: int
    kept: int
    failed: int
    sentences_marked: int
    sentences_withheld: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PassageInContext:
    """A passage among its neighbours in document order."""

    document: Document
    before: tuple[Passage, ...]
    passage: Passage
    after: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Provenance:
    """The pack that a generation came as: its id (the SHA-256 of its manifest), its generation, whose key signed it,
    the name that the file had, and how new its index and lists are (empty where an older program installed it).
    """

    pack: str
    generation: str
    signed_by: str
    fingerprint: str
    installed_at: str
    file: str = ""
    updated_at: str = ""


@dataclass(frozen=True, slots=True)
class BankStatus:
    """What a bank holds. `bytes` is its size on the disk, cache included; `learned` says what its ranking learned;
    `installed` is None where it was indexed on this machine; `missing_protection` says what does not hold readers here.
    """

    bank: str
    format: str
    generation: str | None
    other_generations: tuple[str, ...]
    documents: int
    passages: int
    encoder: str
    precision: str
    files: int
    failures: tuple[Failure, ...]
    bytes: int
    learned: str = ""
    installed: Provenance | None = None
    missing_protection: tuple[str, ...] = ()
    alert_problems: tuple[str, ...] = ()
    """What is wrong with the office's list of alerts, and what of it is shown all the same."""
    retired_settings: tuple[str, ...] = ()
    """Settings in `bank.toml` that this program does not use any more."""


@dataclass(frozen=True, slots=True)
class BankFinding:
    """Something wrong with a bank, and what to do about it."""

    where: str
    problem: str
    advice: str
    is_damage: bool = True
    """False for what is only in the way."""


@dataclass(frozen=True, slots=True)
class Facets:
    """The values that a search can be narrowed to, each with the number of documents (`section_kinds`: passages) that
    carry it, most frequent first, then by name.
    """

    documents: int
    kinds: tuple[tuple[str, int], ...]
    courts: tuple[tuple[str, int], ...]
    authors: tuple[tuple[str, int], ...]
    outcomes: tuple[tuple[str, int], ...]
    section_kinds: tuple[tuple[str, int], ...]
    filed_first: date | None
    filed_last: date | None
    undated: int


@dataclass(frozen=True, slots=True)
class Extract:
    """Words of a brief itself: `heading` says what they are ("Questions presented"), `passage_id` where they stand."""

    heading: str
    text: str
    page_first: int
    page_last: int
    passage_id: str


# --- pages ------------------------------------------------------------------------------------------------------


class PageSize(NamedTuple):
    """Width and height of a page as it is read (rotation applied), in points."""

    width_pt: float
    height_pt: float


@dataclass(frozen=True, slots=True)
class DocumentPages:
    """A document as it can be looked at. `warning` is empty, or says why this is not quite the page as filed (the file
    has changed since it was indexed, was moved away, or has no pages of its own). Without `has_own_pages` the numbers
    of its pages are those of sheets made for looking at it, and may not be cited.
    """

    document: Document
    sizes: tuple[PageSize, ...]
    warning: str = ""
    has_own_pages: bool = True


@dataclass(frozen=True, slots=True)
class PageImage:
    """A rendered page: rows of `stride_bytes` bytes, three (red, green, blue) a pixel; `scale` is pixels a point."""

    document_id: str
    number: int
    scale: float
    width_px: int
    height_px: int
    stride_bytes: int
    pixels: bytes


class PageWord(NamedTuple):
    """A word on a page and the number (from 0) of the line it stands on, in reading order."""

    text: str
    box: Box
    line: int


@dataclass(frozen=True, slots=True)
class PageText:
    """The words of a page in reading order, for selecting and copying; `ocr_confidence` is 0..1 on a scan."""

    document_id: str
    number: int
    words: tuple[PageWord, ...]
    source: TextSource
    ocr_confidence: float | None = None


@dataclass(frozen=True, slots=True)
class PassageMarks:
    """Where a passage stands on its pages: `outline` line by line, `matches` the boxes of each matched span."""

    passage_id: str
    outline: tuple[PageBox, ...]
    matches: tuple[tuple[PageBox, ...], ...]


@dataclass(frozen=True, slots=True)
class SummaryModel:
    """The model that writes: its name and the ISO date of what it is told with: of the model in `SummarySource.model`,
    of the summary in `SummaryListener.done`.
    """

    name: str
    date: str


@dataclass(frozen=True, slots=True)
class SummaryPart:
    """A stretch of generated text, with the white space that belongs before it. `doubt` is empty, or names what in it
    the source does not contain ("the citation 1 N.J. 2"). Neither shows in the part's `repr`, so that no traceback or
    log carries them.
    """

    text: str = field(repr=False)
    doubt: str = field(default="", repr=False)


class SummaryListener(Protocol):
    """Told from any thread, in order: parts as they are written, then one of done and failed; nothing after cancel."""

    def part_written(self, part: SummaryPart) -> None:
        """Another stretch of the summary."""

    def done(self, model: SummaryModel) -> None:
        """The summary is complete."""

    def failed(self, message: str, advice: str) -> None:
        """There will be no summary; the text is for people."""


class SummarySource(Protocol):
    """Writes summaries of passages, one at a time."""

    def model(self) -> SummaryModel | None:
        """Return the model, or None where none is installed. Answers at once: the window's thread asks."""

    def request(self, passage_id: str, listener: SummaryListener) -> Callable[[], None]:
        """Begin a summary and return at once with what cancels it; cancelling returns at once too, and may come late
        or twice. A request replaces none: who wants another summary cancels the first.
        """
