"""What the bank knows of authorities, and of a draft that is held against it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from briefbank.values.findings import ComparedKind, DraftFinding, ListUsed, Unchecked
from briefbank.values.records import Document, Hit, Passage, Span

OF_DIRECTIVE = "directive"


@dataclass(frozen=True, slots=True)
class ReportedSaying:
    """What one brief says of an authority beside its citation: `text` verbatim, the passage and document it stands in.

    `kind` is "holding", how a later decision treats the authority ("overruled", "reversed on other grounds"), with
    its `severity`: stop, warning, caution or neutral; empty for a holding; or "directive" for a directive's sentence
    that names it beside a verb of treatment.
    """

    text: str
    kind: str
    severity: str
    passage: Passage
    document: Document

    @property
    def is_of_directive(self) -> bool:
        return self.kind == OF_DIRECTIVE

    @property
    def label(self) -> str:
        """Its kind in words."""
        return "a directive says (no statement of the law)" if self.is_of_directive else self.kind


@dataclass(frozen=True, slots=True)
class CitingBrief:
    """A brief that cites an authority `mentions` times, and the first of its passages outside of tables that does, at
    `places` of its text; its pages are as in `Passage`.
    """

    document: Document
    mentions: int
    passage_id: str
    page_first: int
    page_last: int
    places: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class AuthorityCard:
    """What the bank knows of one case, rule or statute, and nothing of what was decided since: no citator is asked.

    `names` are how briefs write it, the commonest first. `citing` cite it, newest first, `mentions` times altogether,
    `full_mentions` of them in full; parallel citations of one place count once. `holdings` and `treatments` are what
    briefs say of it, newest first, each wording once; `alerts` what the office's list says. Nothing is known of it
    after `last_cited`, the day on which the newest of these briefs was filed.
    """

    names: tuple[str, ...]
    citing: tuple[CitingBrief, ...] = ()
    passage_count: int = 0
    mentions: int = 0
    full_mentions: int = 0
    holdings: tuple[ReportedSaying, ...] = ()
    treatments: tuple[ReportedSaying, ...] = ()
    alerts: tuple[str, ...] = ()
    directives: tuple[ReportedSaying, ...] = ()
    """The sentences of the office's directives that name it beside a verb of treatment, until the list has it."""
    is_read_by_ocr: bool = False
    """Whether every passage that cites it was read by OCR, so that its names and numbers may be misread."""

    @property
    def briefs(self) -> tuple[Document, ...]:
        return tuple(each.document for each in self.citing)

    @property
    def last_cited(self) -> date | None:
        return max((each.filed for each in self.briefs if each.filed), default=None)


class ListedAuthority(NamedTuple):
    """An authority of the bank: its name as people write it, a key by which its card is asked for, and how many
    passages cite it.
    """

    name: str
    key: str
    passage_count: int


@dataclass(frozen=True, slots=True)
class AuthoritiesFound:
    """Authorities of the bank, the most cited first, of `found` altogether."""

    authorities: tuple[ListedAuthority, ...]
    found: int


class Standing(StrEnum):
    """What comes of a directive's sentence where its authority is cited."""

    WARNS = "warns"
    """It is shown as the directive's: the office's list says nothing of the authority."""
    NAMES = "names it"
    """Nothing is shown: no verb in it takes anything from the authority, and the list says nothing of it."""
    ACCEPTED = "accepted"
    """The office's list has it, word by word."""
    SILENCED = "silenced"
    """Nothing is shown: the list says that nobody is to be warned by it."""
    REPLACED = "replaced"
    """The list says something of its own of the authority."""


class Decision(StrEnum):
    """What a person says to a directive's sentence."""

    ACCEPT = "accept"
    SILENCE = "silence"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class SaidByDirective:
    """A directive's sentence that names an authority, where it stands, and what comes of it; `listed` is what the
    office's list says of the authority in its own words.
    """

    authority: str
    words: str
    document: Document
    passage_id: str
    standing: Standing
    listed: str = ""


@dataclass(frozen=True, slots=True)
class MissingAuthority:
    """An authority that briefs cite on a point and the draft nowhere: how many of the briefs with the most similar
    passages cite it, the newest of these, and a passage of it that does. `key` asks for its card; `is_read_by_ocr` as
    on that; `alerts` and `treatments` as of a `CitedAuthority`.
    """

    authority: str
    brief_count: int
    newest: Document
    passage_id: str
    is_read_by_ocr: bool = False
    key: str = ""
    alerts: tuple[str, ...] = ()
    treatments: tuple[ReportedSaying, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftPoint:
    """A point of a draft: its headings from the outermost, its pages, the most similar passages of the bank, best
    first, and what briefs cite there and the draft does not, the most telling of `missing_count`.
    """

    path: tuple[str, ...]
    page_first: int
    page_last: int
    nearest: tuple[Hit, ...] = ()
    missing: tuple[MissingAuthority, ...] = ()
    missing_count: int = 0

    def told_of_missing(self) -> str:
        """Return how many authorities are named to consider."""
        what = "authority" if len(self.missing) == 1 else "authorities"
        return f"{len(self.missing):,} {what} to consider" if self.missing else "none to consider"


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
class UnknownQuotation:
    """A quotation of a draft that no passage of the bank has, nor anything like it: nothing was held against it."""

    text: str
    page: int


@dataclass(frozen=True, slots=True)
class UncomparedQuotation:
    """A quotation of a draft that was not held against the bank, and why."""

    text: str
    page: int
    fault: str


@dataclass(frozen=True, slots=True)
class DeadReference:
    """A reference of a draft to a point that it does not have, as written, and its page."""

    text: str
    page: int


@dataclass(frozen=True, slots=True)
class ContradictedCitation:
    """A citation of a draft as written, its page, and a fact of its reporter or court that it contradicts."""

    text: str
    page: int
    fact: str


@dataclass(frozen=True, slots=True)
class DraftReport:
    """What checking a draft found. Pages are those of its file, and tell nothing where `has_pages` is false.

    `title` is the name of its file, for a draft has no caption yet that could be relied on. `authorities` is its table
    of authorities, by name; `named_only` are cases that it cites by name, nowhere in full.
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
    remarks: tuple[str, ...] = ()
    """What of the file was left out because no page shows it, or is not read."""
    unknown_quotations: tuple[UnknownQuotation, ...] = ()
    uncompared_quotations: tuple[UncomparedQuotation, ...] = ()
    too_short: tuple[DraftPoint, ...] = ()
    """Points of so few words that nothing like them and no missing authority was looked for."""
    contradicted: tuple[ContradictedCitation, ...] = ()
    findings: tuple[DraftFinding, ...] = ()
    """What of all this, and of the other checks, wants a person's eye, the weightiest first."""
    unchecked: tuple[Unchecked, ...] = ()
    lists: tuple[ListUsed, ...] = ()
    not_run: tuple[str, ...] = ()
    """How the kinds of findings begin that no check looked for this time."""
    sha256: str = ""
    """Of the draft's file; `dated` is when that was changed last, `generation` what it was held against."""
    dated: date | None = None
    generation: str = ""
    shown: tuple[tuple[Document, tuple[Passage, ...]], ...] = ()
    """The draft, and other files in no bank, as pages show them, with a passage for each paragraph."""

    def could_find(self, finding: DraftFinding) -> bool:
        """Whether this check would have found that again, were it still there: the check of its kind ran, against the
        files of the record that it was read from.
        """
        read = {each.name for each in self.lists}
        held = all(each.name in read for each in finding.compared if each.kind is ComparedKind.RECORD)
        return held and not finding.kind.startswith(self.not_run)

    def told_of_quotations(self) -> str:
        """Return how many quotations there are, and of how many the bank has the same words, others, or nothing."""
        altered, unknown = len(self.quotations), len(self.unknown_quotations)
        known = self.quotation_count - altered - unknown
        counted = f"{self.quotation_count:,} quotation{'' if self.quotation_count == 1 else 's'}"
        kinds = (known, "as the bank has them"), (altered, "in other words there"), (unknown, "not in the bank")
        told = ", ".join(f"{number:,} {what}" for number, what in kinds if number)
        others = len(self.uncompared_quotations)
        return f"{counted}{f': {told}' if told else ''}{f'; {others:,} more not compared' if others else ''}"


@dataclass(frozen=True, slots=True)
class Step:
    """A condition that narrows which briefs answer: the words of the question that set it (empty for the authority
    itself), what it means, and how many briefs are left.
    """

    text: str
    meaning: str
    brief_count: int


@dataclass(frozen=True, slots=True)
class AddressingBrief:
    """A brief that cites what was asked for: in how many passages, and the first of them."""

    document: Document
    passage_count: int
    passage_id: str


@dataclass(frozen=True, slots=True)
class Addressed:
    """Who has addressed the authorities that a question names: every brief, newest first, and the steps to them.

    `hidden_count` more meet all steps, but cite them in tables, captions and certificates alone.
    """

    authorities: tuple[str, ...]
    steps: tuple[Step, ...]
    briefs: tuple[AddressingBrief, ...]
    hidden_count: int = 0
    notices: tuple[str, ...] = ()
