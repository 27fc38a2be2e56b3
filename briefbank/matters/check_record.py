"""What a person decided on the findings of a draft's check, and the record that they save of it.

A matter's filing is checked more than once: decisions are carried over to a later check. Must not know files.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
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
    UNCHECKED = "not checked this time"
    """Nobody looked for it, as without the record of the case: what was decided on it stands."""


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
    `gone` are findings of earlier checks, with what was decided on them, that this one has no more or did not look for;
    `earlier` is the digest of the record that they were taken from. `statement` is its title and paragraphs, in
    the office's wording.
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
    """A record as it was taken in, its digest, and what is to be known of it. Without a record, and a digest, nothing
    of it may be taken over, since it was changed by hand.
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
    findings: Sequence[DraftFinding],
    sha256: str,
    before: Sequence[DecidedFinding] | None,
    sha256_before: str = "",
    could_find: Callable[[DraftFinding], bool] = lambda _: True,
) -> tuple[tuple[DecidedFinding, ...], tuple[DecidedFinding, ...]]:
    """Return the findings in a draft of this digest with what was decided on them before, in a draft of another, and
    those from before that are gone, or that nobody looked for, which `could_find` tells; without an earlier check all
    are open. `before` has what was gone already, too: where it is there again, so is the decision.

    A decision holds for the same words and the same fact, read from the same places. It is asked for again where what
    was said to be mended is still there in a changed draft, or where the same words stand there more or less often than
    before, so that nobody can tell which of them it was about. Notes stay in every case.
    """
    if before is None:
        return tuple(DecidedFinding(each) for each in findings), ()
    known = {each.finding.key: each for each in before}
    count = Counter(_words_of(each.key) for each in findings)
    said, said_of_gone = defaultdict[str, list[Decision]](list), defaultdict[str, list[Decision]](list)
    for each in before:
        (said_of_gone if each.change is Change.GONE else said)[_words_of(each.finding.key)].append(each.decision)
    decided = []
    for found in findings:
        was = known.get(found.key)
        if was is None:
            decided.append(DecidedFinding(found, change=Change.NEW))
            continue
        same = said[_words_of(found.key)] or said_of_gone[_words_of(found.key)]
        is_changed = sha256 != sha256_before or was.change in (Change.GONE, Change.UNCHECKED)
        is_still_there = was.decision is Decision.MENDED and is_changed
        more = count[_words_of(found.key)] - len(same)
        is_unclear = more > 0 or (more < 0 and len(set(same)) > 1)
        is_other = (was.finding.fact, was.finding.against) != (found.fact, found.against)
        is_undone = is_other or is_unclear or is_still_there
        holds = was.decision is Decision.OPEN or not is_undone
        change = Change.KEPT if holds else Change.REOPENED
        decision, initials = (was.decision, was.initials) if holds else (Decision.OPEN, "")
        decided.append(DecidedFinding(found, decision, initials, was.note, change))
    now = {each.key for each in findings}
    gone = [
        replace(each, change=Change.GONE if could_find(each.finding) else Change.UNCHECKED)
        for key, each in known.items()
        if key not in now and (each.change is not Change.GONE or each.decision is not Decision.OPEN or each.note)
    ]
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
