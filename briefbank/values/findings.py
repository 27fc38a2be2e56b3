"""What the checks of a draft found, all in one shape; what a person decides on it: `matters.check_record`.

Facts, never verdicts: a finding says what stands where and what it was compared with; whether that is a fault is for
the writer to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Weight(StrEnum):
    """How soon a finding wants a person's eye. The order of the members is that of lists."""

    MEND = "mend"
    """The draft contradicts itself, its source or a list: to mend before it is filed, or to say why not."""
    LOOK = "look"
    """To look at: it may be right as it stands."""
    KNOW = "know"
    """For information: nothing is wrong."""

    @property
    def label(self) -> str:
        return {Weight.MEND: "to mend", Weight.LOOK: "to look at", Weight.KNOW: "for information"}[self]


class ComparedKind(StrEnum):
    """What a finding was held against."""

    PASSAGE = "passage"
    """A passage of the bank: `passage_id`, its brief's title as `name`, when that was filed, and its cited pages."""
    LIST = "list"
    """A list of the office or of authorities, with its date and, where it has one, its licence."""
    RECORD = "record"
    """A file of the record: its name, the `page` of the file that shows it, and pages and lines as cited."""
    RULE = "rule"
    """A rule, or a table that comes with the program: "R. 1:38-7(a)"."""
    DRAFT = "draft"
    """The draft itself."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One thing that a finding was held against: its `name` for people, the `words` that stand there, where it has
    any; `dated` is the day of a list or a brief, `place` its pages or lines as they are cited ("p. 12", "12:3-9").
    """

    kind: ComparedKind
    name: str
    words: str = ""
    dated: date | None = None
    place: str = ""
    passage_id: str = ""
    page: int = 0
    licence: str = ""

    @property
    def told(self) -> str:
        """Which it was, in a line; not its words."""
        dated = self.dated.isoformat() if self.dated else ""
        return ", ".join(filter(None, (self.name, dated, self.place, self.licence)))


@dataclass(frozen=True, slots=True)
class DraftFinding:
    """One thing that a check found in a draft.

    `kind` is one word or two with a hyphen, the same for all findings of a sort ("altered-quotation"); people read its
    `title`, the same for all of a kind ("Quotation whose words differ in the bank"). `words` are the draft's own, as
    they stand there, on the `pages` of its file (from 1; empty where it has none). `fact` is a sentence that says what
    was found; it names no page of the draft, for a decision is carried over only where the fact is the same.
    `compared` is what that was read from, the most telling first. `key` and `against`, a digest of what was
    compared, are set by `search.draft.findings.with_keys`. `masked` is how words that identify somebody
    are written where a finding is kept; empty for all others.
    """

    kind: str
    title: str
    weight: Weight
    pages: tuple[int, ...]
    words: str
    fact: str
    compared: tuple[Compared, ...] = ()
    key: str = ""
    against: str = ""
    masked: str = ""

    @property
    def page(self) -> int:
        """The first of its pages, 0 where it has none."""
        return self.pages[0] if self.pages else 0


@dataclass(frozen=True, slots=True)
class Unchecked:
    """Something that could not be checked ("Pages 3 and 4", "vol2.pdf"), and why ("there is no text on them")."""

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class ListUsed:
    """A list that the draft was held against: its name, its date where it has one, how many entries, its licence. Or a
    file of the record: its name, its pages as `entries`, its digest, and as `meant` which names mean it, and how that
    is known.
    """

    name: str
    dated: date | None
    entries: int
    licence: str = ""
    sha256: str = ""
    meant: str = ""

    @property
    def told(self) -> str:
        """All of it, in a line."""
        if self.sha256:
            pages = f"{self.entries:,} page{'' if self.entries == 1 else 's'}"
            return f"{self.name}, {pages}, SHA-256 {self.sha256}; {self.meant}"
        dated = f"of {self.dated}" if self.dated else "without a date"
        entries = f"{self.entries:,} entr{'y' if self.entries == 1 else 'ies'}"
        return ", ".join(filter(None, (self.name, dated, entries, self.licence)))


@dataclass(frozen=True, slots=True)
class CheckPart:
    """What one of the checks gives: `name` says which ("identifiers", "cites of the record")."""

    name: str
    findings: tuple[DraftFinding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    lists: tuple[ListUsed, ...] = ()
    not_run: tuple[str, ...] = ()
    """How the kinds of findings begin that it could not look for this time."""
    quotations: tuple[tuple[int, str], ...] = ()
    """Those that it held against something else than the bank: each one's page and words, spaces as one."""
