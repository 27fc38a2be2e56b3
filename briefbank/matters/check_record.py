"""What a person decided on the findings of a draft's check, and the record that they save of it.

A matter's filing is checked more than once: decisions are carried over to a later check. Must not know files.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from pathlib import Path

from briefbank import __version__
from briefbank.matters.statement import Statement, SummaryUse, worded
from briefbank.values.authorities import DraftReport
from briefbank.values.findings import DraftFinding, ListUsed, Unchecked


class Decision(StrEnum):
    """What a person decided on a finding."""

    OPEN = "open"
    MENDED = "mended"
    """The draft was changed."""
    REVIEWED = "reviewed"
    """It stays as it is."""


class Change(StrEnum):
    """What became of a finding since an earlier check."""

    NEW = "new"
    KEPT = "kept"
    """It is still there, with what was decided on it."""
    REOPENED = "reopened"
    """It is still there, and has to be decided on again: see `carried_over`."""
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class DecidedFinding:
    """A finding, what a person decided on it, with their initials and note, and what became of it since the earlier
    check; None without one.
    """

    finding: DraftFinding
    decision: Decision = Decision.OPEN
    initials: str = ""
    note: str = ""
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """What a person saves of a check: which draft was held against what, each finding with what was decided, and the
    statement on AI. `dated` is when the draft's file was changed last, `checked` when it was held against the bank.
    `gone` are findings of the `earlier` record (its digest), with what was decided on them, that this check has no
    more. `statement` is its title and paragraphs, in the office's wording.
    """

    draft: str
    sha256: str
    dated: date | None
    checked: date
    generation: str
    program: str
    lists: tuple[ListUsed, ...]
    findings: tuple[DecidedFinding, ...]
    unchecked: tuple[Unchecked, ...]
    use: SummaryUse
    statement: tuple[str, ...]
    matter: str = ""
    gone: tuple[DecidedFinding, ...] = ()
    earlier: str = ""
    notices: tuple[str, ...] = ()
    """What is to be known of the earlier record: that it was changed by hand, or is of another draft."""

    def count(self, decision: Decision) -> int:
        return sum(each.decision is decision for each in self.findings)

    def changed(self, change: Change) -> int:
        """How many findings are so, against the earlier check."""
        return sum(each.change is change for each in (*self.findings, *self.gone))


@dataclass(frozen=True, slots=True)
class EarlierRecord:
    """A record as it was taken in, its digest, and what is to be known of it. Without a record nothing of it may be
    taken over, since it was changed by hand.
    """

    record: CheckRecord | None
    sha256: str
    notices: tuple[str, ...] = ()

    def told(self, draft: str) -> tuple[str, ...]:
        """Return what is to be known of it where a draft of this name is checked."""
        if self.record is None or self.record.draft == draft:
            return self.notices
        return (*self.notices, f"The earlier record is of {self.record.draft}.")


@dataclass(frozen=True, slots=True)
class RecordWish:
    """What a record says beside what the check found: the decisions on it, what the record knows of an earlier one,
    which statement on AI (the first one where none is named), and the matter with the day from which on it was written.
    `log` is the user's own log of what they opened, `checked` the day of the check.
    """

    findings: tuple[DecidedFinding, ...]
    checked: date
    log: Path
    gone: tuple[DecidedFinding, ...] = ()
    earlier: str = ""
    notices: tuple[str, ...] = ()
    statement: str = ""
    matter: str = ""
    since: date | None = None


def carried_over(
    findings: Sequence[DraftFinding], sha256: str, before: Sequence[DecidedFinding] | None, sha256_before: str = ""
) -> tuple[tuple[DecidedFinding, ...], tuple[DecidedFinding, ...]]:
    """Return the findings in a draft of this digest with what was decided on them before, in a draft of another, and
    those from before that are gone; without an earlier check all are open.

    A decision holds for the same words and the same fact. It is asked for again where what was said to be mended is
    still there in a changed draft, or where the same words stand there more or less often than before, so that nobody
    can tell which of them it was about. Notes stay in every case.
    """
    if before is None:
        return tuple(DecidedFinding(each) for each in findings), ()
    known = {each.finding.key: each for each in before}
    count = Counter(_words_of(each.key) for each in findings)
    said = defaultdict[str, list[Decision]](list)
    for each in before:
        said[_words_of(each.finding.key)].append(each.decision)
    decided = []
    for found in findings:
        was = known.get(found.key)
        if was is None:
            decided.append(DecidedFinding(found, change=Change.NEW))
            continue
        same, is_still_there = said[_words_of(found.key)], was.decision is Decision.MENDED and sha256 != sha256_before
        more = count[_words_of(found.key)] - len(same)
        is_unclear = more > 0 or (more < 0 and len(set(same)) > 1)
        is_undone = was.finding.fact != found.fact or is_unclear or is_still_there
        holds = was.decision is Decision.OPEN or not is_undone
        change = Change.KEPT if holds else Change.REOPENED
        decision, initials = (was.decision, was.initials) if holds else (Decision.OPEN, "")
        decided.append(DecidedFinding(found, decision, initials, was.note, change))
    now = {each.key for each in findings}
    gone = [replace(each, change=Change.GONE) for key, each in known.items() if key not in now]
    return tuple(decided), tuple(gone)


def _words_of(key: str) -> str:
    """A key without the how-manieth of its words it is."""
    return key.rpartition(":")[0]


def record_of(report: DraftReport, wish: RecordWish, statement: Statement, use: SummaryUse) -> CheckRecord:
    """Return the record of a check with the statement in the office's words, and with identifiers masked: whoever gets
    the record needs none.
    """
    from briefbank.search.draft.findings import as_kept, hiding_of  # here, for the window reads this module

    hide = hiding_of(report.findings)

    def kept(each: DecidedFinding) -> DecidedFinding:
        return replace(each, finding=as_kept(each.finding, hide))

    program = f"BriefBank {__version__}"
    known = {"program": program, "draft": report.title, "day": wish.checked.isoformat(), "matter": wish.matter}
    return CheckRecord(
        draft=report.title,
        sha256=report.sha256,
        dated=report.dated,
        checked=wish.checked,
        generation=report.generation,
        program=program,
        lists=report.lists,
        findings=tuple(map(kept, wish.findings)),
        unchecked=tuple(Unchecked(hide(each.what), hide(each.why)) for each in report.unchecked),
        use=use,
        statement=worded(statement, use, known),
        matter=wish.matter,
        gone=tuple(map(kept, wish.gone)),
        earlier=wish.earlier,
        notices=wish.notices,
    )
