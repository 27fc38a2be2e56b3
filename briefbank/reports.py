"""What the bank reports of itself, its documents and its work: values for the window and the command line to show.
Knows only the records.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol

from briefbank.records import Box, Document, Hit, PageBox, Passage, Span, TextSource
from briefbank.unreadable import UnreadableFiles


@dataclass(frozen=True, slots=True)
class Failure:
    """A file or folder that could not be read: its path, the error's code (`BriefBankError.code`), what happened, and
    what to do about it.
    """

    path: str
    code: str
    error: str
    advice: str


@dataclass(frozen=True, slots=True)
class IndexReport:
    """How an index run ended. `generation` is the one that is live now; `published` tells whether this run wrote it.

    Of the folder's files, `indexed` were read and put into the index, `unchanged` were in it already, `removed` are
    gone; `copies` are the same as others, with which they are one document. `failures` names files and folders that
    could not be read. `notes` are pairs of path and sentence: files that were read with something missing, that were
    still being written and wait for the next run, or that only a table of IT's names. `documents` and `passages` count
    what the whole index holds now, `pages` those read by this run. `missing_protection` has a sentence for each thing
    that this machine cannot refuse to the readers of untrusted files.
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
    """How writing summaries ahead of time ended. `written`, `kept` and `failed` count passages; those in `kept` had a
    summary already. Of the sentences written, `sentences_marked` have a doubt shown beside them, and
    `sentences_withheld` are not shown because they cite what the source does not contain.
    """

    written: int
    kept: int
    failed: int
    sentences_marked: int
    sentences_withheld: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PassageInContext:
    """A passage with its document and its neighbours there; `before` and `after` are in document order. `cautions` has
    by passage id what must stay with the words of each (`briefbank.cautions`); a passage without any is absent.
    """

    document: Document
    before: tuple[Passage, ...]
    passage: Passage
    after: tuple[Passage, ...]
    cautions: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Provenance:
    """The pack that an installed generation came from. `pack` is its id, the SHA-256 of its manifest; `signed_by` and
    `fingerprint` tell whose key signed it; `file` is the name that it had. `installed_at` and `updated_at` are ISO
    times: when it was installed, and when the newest of its index and lists was made. `file` and `updated_at` are empty
    where an older program installed it.
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
    """What a bank holds and how it is. `generation` is the live one, None where nothing was indexed yet;
    `other_generations` are kept for going back. `documents` and `passages` are counts of the live generation, `files`
    of the ledger, `failures` those of them that could not be read. `encoder` is the digest of the encoder, `precision`
    the number format in which passages were encoded. `bytes` is the size of the bank on disk, cache included. `learned`
    says what the ranking learned from judgements, and is empty where it learned nothing. `installed` is None where the
    bank was indexed on this machine. `missing_protection` is as in `IndexReport`.
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
    """What is wrong with the office's list of overruled cases, and what of it is shown nevertheless."""
    retired_settings: tuple[str, ...] = ()
    """Settings in `bank.toml` that this program does not use any more."""
    unreadable: UnreadableFiles | None = None
    """The files that the live generation lacks; None where an older program wrote it, or there is none."""


@dataclass(frozen=True, slots=True)
class BankFinding:
    """Something wrong with a bank: in which part of it, what, and what to do about it."""

    where: str
    problem: str
    advice: str
    is_damage: bool = True
    """False where nothing is damaged, and something is only in the way or not used."""


@dataclass(frozen=True, slots=True)
class Facets:
    """The values that a search can be narrowed to, each with the number of documents that have it (of `section_kinds`:
    of passages), the most frequent first, then by name. `filed_first` and `filed_last` are the days of filing of the
    oldest and the newest dated document; `undated` counts the others. `newest` are the last to be filed, newest first.
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
    newest: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class Extract:
    """A stretch of a brief in its own words: `heading` says what it is ("Questions presented"), `passage_id` names the
    passage that it begins in. `cautions` must stay with its words (`briefbank.cautions`).
    """

    heading: str
    text: str
    page_first: int
    page_last: int
    passage_id: str
    cautions: tuple[str, ...] = ()


class FoundWords(NamedTuple):
    """Words found side by side in a document: pairs of a passage's id and a span of its text, several where they run
    from one passage into the next; and the page on which the first of these passages begins.
    """

    parts: tuple[tuple[str, Span], ...]
    page: int


@dataclass(frozen=True, slots=True)
class WordsInDocument:
    """The places in a document at which words were found, in document order. `missing` are those of the words, as they
    were typed, that stand nowhere in it. `is_apart`: several words were looked for and no passage holds all of them, so
    that these are the places of each.
    """

    document_id: str
    hits: tuple[FoundWords, ...]
    missing: tuple[str, ...] = ()
    is_apart: bool = False


class ArgumentOrder(StrEnum):
    """The order in which arguments are shown: by the newest brief that makes them, by how many briefs do, by their
    words, or by how well they answer what was asked.
    """

    NEWEST = "newest"
    FREQUENT = "frequent"
    ALPHABETICAL = "a-z"
    BEST = "best"


@dataclass(frozen=True, slots=True)
class Argument:
    """A point heading of one brief: its path of headings as printed, its own last, and the first passage below it with
    its pages.
    """

    path: tuple[str, ...]
    document: Document
    passage_id: str
    page: int

    @property
    def heading(self) -> str:
        return self.path[-1]


@dataclass(frozen=True, slots=True)
class ArgumentGroup:
    """Headings that make the same argument, newest first. `heading` is the newest one without its number, `filed` the
    day of the newest dated brief. `brief_count` counts the briefs of all headings, of which `arguments` has at most the
    first 30; `argument_count` counts the headings.
    """

    heading: str
    filed: date | None
    brief_count: int
    argument_count: int
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class ArgumentsFound:
    """The groups asked for, in the order asked for, and how many there are besides: `found` counts all of them. `total`
    counts the point headings of the whole bank.
    """

    groups: tuple[ArgumentGroup, ...]
    found: int
    total: int


# --- authorities --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReportedSaying:
    """What one brief says of an authority beside its citation: `text` verbatim, the passage and document it stands in.

    `kind` is "holding", or how a later decision treats the authority ("overruled", "reversed on other grounds"), with
    its `severity`: stop, warning, caution or neutral; empty for a holding.
    """

    text: str
    kind: str
    severity: str
    passage: Passage
    document: Document


@dataclass(frozen=True, slots=True)
class AuthorityCard:
    """What the bank knows of one case, rule or statute, and nothing of what was decided since: no citator is asked.

    `names` are how briefs write it, the commonest first. `briefs` cite it, newest first, `mentions` times altogether,
    `full_mentions` of them in full; parallel citations of one place count once. `holdings` and `treatments` are what
    briefs say of it, newest first, each wording once; `alerts` what the office's list says. Nothing is known of it
    after `last_cited`, the day on which the newest of these briefs was filed.
    """

    names: tuple[str, ...]
    briefs: tuple[Document, ...] = ()
    passage_count: int = 0
    mentions: int = 0
    full_mentions: int = 0
    holdings: tuple[ReportedSaying, ...] = ()
    treatments: tuple[ReportedSaying, ...] = ()
    alerts: tuple[str, ...] = ()
    proposals: tuple[ReportedSaying, ...] = ()
    """What the office's directives say against it, until somebody takes that into the list."""

    @property
    def last_cited(self) -> date | None:
        return max((each.filed for each in self.briefs if each.filed), default=None)


# --- a draft held against the bank -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MissingAuthority:
    """An authority that briefs cite on a point and the draft nowhere: in how many of the likest passages' briefs, the
    newest of these, and a passage of it that cites it.
    """

    authority: str
    brief_count: int
    newest: Document
    passage_id: str


@dataclass(frozen=True, slots=True)
class DraftPoint:
    """A point of a draft: its headings from the outermost, its pages, the likest passages of the bank, best first, and
    what briefs cite there and the draft does not.
    """

    path: tuple[str, ...]
    page_first: int
    page_last: int
    nearest: tuple[Hit, ...] = ()
    missing: tuple[MissingAuthority, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedAuthority:
    """An authority that a draft cites, on which pages, and what the office's list (`alerts`) and briefs of the bank
    (`treatments`, word by word) say against it. `is_known` tells whether any brief of the bank cites it.
    """

    authority: str
    pages: tuple[int, ...]
    is_known: bool
    alerts: tuple[str, ...] = ()
    treatments: tuple[ReportedSaying, ...] = ()


@dataclass(frozen=True, slots=True)
class AlteredQuotation:
    """A quotation of a draft that a passage of the bank has in other words: what differs `here` and `there`."""

    text: str
    page: int
    here: str
    there: str
    passage: Passage
    document: Document


@dataclass(frozen=True, slots=True)
class DeadReference:
    """A reference of a draft to a point that it does not have, as written, and its page."""

    text: str
    page: int


@dataclass(frozen=True, slots=True)
class DraftReport:
    """What checking a draft found. Pages are those of its file, and tell nothing where `has_pages` is false.

    `authorities` is its table of authorities, by name; `named_only` are cases that it cites by name, nowhere in full.
    """

    title: str
    has_pages: bool
    points: tuple[DraftPoint, ...]
    authorities: tuple[CitedAuthority, ...]
    quotations: tuple[AlteredQuotation, ...]
    quotation_count: int
    references: tuple[DeadReference, ...]
    named_only: tuple[str, ...]
    unread_pages: tuple[int, ...] = ()
    """Pages without text, as scans are: nothing of what follows holds for them."""


# --- pages ------------------------------------------------------------------------------------------------------


class PageSize(NamedTuple):
    """Width and height of a page as it is read (its rotation applied), in points."""

    width_pt: float
    height_pt: float


@dataclass(frozen=True, slots=True)
class DocumentPages:
    """A document's pages as they can be shown, with the size of each.

    `warning` is empty, or says why this is not quite the page as filed: the file has changed since it was indexed, was
    moved away, or has no pages of its own. Without `has_own_pages` the pages were set for showing them, and their
    numbers may not be cited.
    """

    document: Document
    sizes: tuple[PageSize, ...]
    warning: str = ""
    has_own_pages: bool = True


@dataclass(frozen=True, slots=True)
class PageImage:
    """A rendered page: `height_px` rows of `stride_bytes` bytes each, with three bytes (red, green, blue) for a pixel.
    `scale` is pixels for each point.
    """

    document_id: str
    number: int
    scale: float
    width_px: int
    height_px: int
    stride_bytes: int
    pixels: bytes


class PageWord(NamedTuple):
    """A word on a page, its box in points, and the number of its line, counted from 0 in reading order."""

    text: str
    box: Box
    line: int


class PageLink(NamedTuple):
    """A place on a page that leads to another page of the same file: its box in points, and that page's number."""

    box: Box
    page: int


@dataclass(frozen=True, slots=True)
class PageText:
    """The words of a page in reading order, for selecting and copying. `ocr_confidence` is as in `Page`, None
    where the text is the file's own. `links` lead to other pages of the document.
    """

    document_id: str
    number: int
    words: tuple[PageWord, ...]
    source: TextSource
    ocr_confidence: float | None = None
    links: tuple[PageLink, ...] = ()


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A heading of a document: its text as printed, how deep it stands (from 1), and where its first line is on the
    pages as they are shown.
    """

    title: str
    level: int
    place: PageBox


@dataclass(frozen=True, slots=True)
class PassageMarks:
    """Where a passage is on its pages: `outline` has a box for each printed line of it, `matches` the boxes of each
    span that was asked for, in the same order. Boxes are in points.
    """

    passage_id: str
    outline: tuple[PageBox, ...]
    matches: tuple[tuple[PageBox, ...], ...]


@dataclass(frozen=True, slots=True)
class AlertMark:
    """What the office warns of in one case or rule that a passage cites: `boxes` are where it is cited, `passage` the
    printed lines of the whole passage, in points.
    """

    warning: str
    boxes: tuple[PageBox, ...]
    passage: tuple[PageBox, ...]


@dataclass(frozen=True, slots=True)
class SummaryModel:
    """The model that writes summaries: its name, and an ISO date: in `SummarySource.model` that of the model's file, in
    `SummaryListener.done` the day on which the summary was written.
    """

    name: str
    date: str


@dataclass(frozen=True, slots=True)
class SummaryPart:
    """A stretch of generated text, with the white space that belongs before it. `doubt` is empty, or names what in it
    the source does not contain ("the citation 1 N.J. 2"). Neither is in the `repr`, so that no traceback and no log has
    them.
    """

    text: str = field(repr=False)
    doubt: str = field(default="", repr=False)


class SummaryListener(Protocol):
    """Is called with a summary as it is written, from any thread: with each part in order, then once with how it ended.
    It is not called any more after it was cancelled.
    """

    def part_written(self, part: SummaryPart) -> None:
        """Another stretch of the summary."""

    def done(self, model: SummaryModel) -> None:
        """The summary is complete."""

    def failed(self, message: str, advice: str) -> None:
        """There will be no summary; the text is for people."""


class SummarySource(Protocol):
    """Writes summaries of passages, one at a time, without making the caller wait."""

    def model(self) -> SummaryModel | None:
        """Return the model, or None where none is installed. Answers at once: the window's thread asks."""

    def request(self, passage_id: str, listener: SummaryListener) -> Callable[[], None]:
        """Ask for a summary and return at once a function that cancels it, which returns at once too and may be called
        late or twice. Asking for another summary does not cancel this one.
        """


class NamesInExport(StrEnum):
    """What becomes of the names of people in exported feedback."""

    KEPT = "kept"
    LISTED = "listed"
    """Nothing is exported yet: a list of what would be taken out is written, for a person to read and approve."""
    TAKEN_OUT = "taken-out"
    """What an approved list names."""


@dataclass(frozen=True, slots=True)
class FeedbackExportWish:
    """Which feedback is to be written where. `is_for_merging`: as JSON lines, which can be merged with other people's;
    else as a table. `approved` is the list that a person has read, for `TAKEN_OUT`.
    """

    log: Path
    out: Path
    is_for_merging: bool
    names: NamesInExport = NamesInExport.KEPT
    approved: Path | None = None


@dataclass(frozen=True, slots=True)
class FeedbackExported:
    """How many lines were written, how many different things went that the approved list does not name, and what of the
    feedback could not be read.
    """

    count: int
    unlisted: int = 0
    problems: tuple[str, ...] = ()
