"""A draft's check as lines of the list: findings with what was decided on them, and what the office wrote on points.

Pages of the draft are called "your", where those of the bank are spoken of too. Knows values; no widget and no engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import partial

from briefbank.matters.check_record import Change, DecidedFinding, Decision
from briefbank.values.authorities import CitedAuthority, DraftPoint, DraftReport, MissingAuthority
from briefbank.values.cautions import cautions_of_hit
from briefbank.values.findings import Compared, ComparedKind, DraftFinding, Weight
from briefbank.values.records import Document, Hit, Passage, Span
from ui.findings.finding import Finding, Source, of_saying, section, where
from ui.headings import sentence_case
from ui.reading.history import Place
from ui.wording import count, day, heading

_UNKNOWN = "Quotations that the bank does not have: nothing was held against these"
_MOST_WORDS = 60
"""Of the draft that are looked for on its page: a quotation may run on to the next paragraph."""
_Yours = Callable[[Iterable[int]], str]
"""Says on which pages of the draft something stands."""


class Show(StrEnum):
    """Which lines are shown."""

    OPEN = "Not decided"
    MEND = "To mend"
    REVIEW = "To review"
    DONE = "Done"
    OFFICE = "What the office wrote"


_TONES = {Weight.MEND: "bad", Weight.LOOK: "warning", Weight.KNOW: "text"}
_CHANGES = {Change.NEW: "new", Change.REOPENED: "decided before, look again"} | {
    each: each.value for each in (Change.GONE, Change.UNCHECKED)
}


def lines_of(
    show: Show, report: DraftReport, decided: Sequence[DecidedFinding], gone: Sequence[DecidedFinding]
) -> tuple[Finding, ...]:
    """Return the lines to be shown, the weightiest first."""
    if show is Show.OFFICE:
        return office_lines(report)
    is_open = {Show.OPEN: True, Show.MEND: True, Show.REVIEW: True, Show.DONE: False}[show]
    lines = [
        line_of(each)
        for each in decided
        if (each.decision is Decision.OPEN) == is_open
        and (show not in (Show.MEND, Show.REVIEW) or (each.finding.weight is Weight.MEND) == (show is Show.MEND))
    ]
    if show is Show.DONE:
        lines += [line_of(each) for each in gone]
    unchecked = [Finding(f"⚠ {each.what}", each.why, "warning") for each in report.unchecked]
    told = section("Could not be checked", unchecked, is_folded=True) if show is Show.OPEN else []
    return (*lines, *told)


def line_of(each: DecidedFinding) -> Finding:
    """Return the line of a finding: the draft's words and what was found, its page, what was decided, and below it what
    it was held against.
    """
    finding = each.finding
    decision = each.decision.value if each.decision is not Decision.OPEN else finding.weight.label
    place = sheets(finding.pages) if finding.pages else ""
    said = (place, f"{decision} {each.initials}".strip(), _CHANGES.get(each.change) if each.change else "")
    is_here = each.change not in (Change.GONE, Change.UNCHECKED)
    note = [Finding(f"Note: {each.note}")] if each.note else []
    return Finding(
        f"{finding.words}: {finding.fact}",
        " · ".join(filter(None, (*said, finding.title))),
        tone=_TONES[finding.weight] if each.decision is Decision.OPEN and is_here else "muted",
        children=(*note, *(_compared(one, finding) for one in finding.compared)),
        is_folded=True,
        key=finding.key if is_here else "",
    )


def _compared(compared: Compared, finding: DraftFinding) -> Finding:
    dated = day(compared.dated) if compared.dated else ""
    stands = " · ".join(filter(None, (compared.name, dated, compared.place, compared.licence)))
    return Finding(
        compared.words or compared.name,
        stands if compared.words else "",
        passage_id=compared.passage_id,
        looked_for=compared.words,
        authority=finding.words if compared.kind is ComparedKind.LIST else "",
    )


def place_of(finding: DraftFinding, shown: tuple[Document, tuple[Passage, ...]]) -> Place | None:
    """Return the paragraph of the draft that a finding stands in, with its words marked; where the words are not found,
    the first paragraph of its page; None where the draft has no text.
    """
    document, passages = shown
    here = [each for each in passages if not finding.pages or each.page_first <= finding.page <= each.page_last]
    words = r"\s+".join(map(re.escape, finding.words.split()[:_MOST_WORDS]))
    for passage in here if words else ():
        if found := tuple(Span(*each.span()) for each in re.finditer(words, passage.text)):
            return Place(document, passage, found)
    first = (here or list(passages))[:1]
    return Place(document, first[0], is_whole=True) if first else None


def record_place(passage_id: str, shown: Iterable[tuple[Document, tuple[Passage, ...]]]) -> Place | None:
    """Return words of the record where they stand; None where a passage is the bank's."""
    for document, passages in shown:
        for each in passages:
            if each.id == passage_id:
                return Place(document, each, (Span(0, len(each.text)),))
    return None


def office_lines(report: DraftReport) -> tuple[Finding, ...]:
    """Return what the office wrote on the points of a draft, its table of authorities, and its other quotations."""
    yours = partial(_your_pages, has_pages=report.has_pages)
    unknown = [Finding(f"“{each.text}”", yours([each.page])) for each in report.unknown_quotations]
    uncompared = [Finding(f"“{each.text}” {each.fault}", yours([each.page])) for each in report.uncompared_quotations]
    authorities = [_authority(each, yours) for each in report.authorities]
    named = [Finding(each, "cited by name, nowhere in full") for each in report.named_only]
    return (
        *(_point(each, yours) for each in report.points),
        *section("Not checked: too short", [_short(each, yours) for each in report.too_short]),
        *section("Table of authorities", [*authorities, *named], is_folded=True),
        *section(_UNKNOWN, unknown, is_folded=True),
        *section("Quotations that were not compared", uncompared, is_folded=True),
    )


def summary_of(report: DraftReport, decided: Sequence[DecidedFinding]) -> str:
    """Return what was looked at and how far it is decided, in a line."""
    left = sum(each.decision is Decision.OPEN for each in decided)
    parts = (
        f"{count(len(decided), 'finding')}, {left:,} not decided",
        f"{len(report.unchecked):,} not checked" if report.unchecked else "",
        report.told_of_quotations(),
    )
    return " · ".join(filter(None, parts))


def _your_pages(pages: Iterable[int], *, has_pages: bool) -> str:
    """Pages of the draft; nothing where its file has none."""
    numbers = list(pages)
    return f"your {sheets(numbers)}" if has_pages and numbers else ""


def sheets(pages: Sequence[int]) -> str:
    """Return "sheet 3", or "sheets 3–5, 9": pages of a file in order, those that follow each other as one."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1][1:] = [page]
        else:
            runs.append([page])
    return f"{'sheet' if len(pages) == 1 else 'sheets'} {', '.join('–'.join(map(str, run)) for run in runs)}"


def _against(authority: CitedAuthority | MissingAuthority) -> tuple[Finding, ...]:
    alerts = (Finding(f"⚠ {each}", "your office’s list", tone="warning") for each in authority.alerts)
    return (*alerts, *(of_saying(each) for each in authority.treatments))


def _point(point: DraftPoint, yours: _Yours) -> Finding:
    nearest = section("Most similar passages of the bank", [_near(each) for each in point.nearest])
    # Behind a heading a number alone reads as a count, also where more are known than are named.
    first = ", the first of these" if point.missing_count > len(point.missing) else ""
    cited = f"Cited there by briefs, and nowhere in this draft{first}"
    missing = section(cited, [_missing(each) for each in point.missing])
    pages = yours(range(point.page_first, point.page_last + 1))
    own, *above = _headings(point)
    return Finding(
        own,
        " · ".join(filter(None, (pages, point.told_of_missing(), *above))),
        passage_id=point.nearest[0].passage.id if point.nearest else "",
        children=(*missing, *nearest),
        is_folded=True,
    )


def _short(point: DraftPoint, yours: _Yours) -> Finding:
    own, *above = _headings(point)
    return Finding(own, " · ".join(filter(None, (yours(range(point.page_first, point.page_last + 1)), *above))))


def _headings(point: DraftPoint) -> list[str]:
    """The headings of a point, its own first."""
    return [sentence_case(each) for each in reversed(point.path or ("Text without a heading",))]


def _near(hit: Hit) -> Finding:
    passage, document = hit.passage, hit.document
    return Finding(
        heading(passage),
        where(document, passage.page_first, passage.page_last),
        passage_id=passage.id,
        source=Source(passage.text, document, passage.page_first, passage.page_last),
        cautions=cautions_of_hit(hit),
    )


def _missing(missing: MissingAuthority) -> Finding:
    briefs = count(missing.brief_count, "brief")
    ocr = " · read by OCR: its number may be misread" if missing.is_read_by_ocr else ""
    below = f"in {briefs}, newest {day(missing.newest.filed)}: {missing.newest.metadata.title.value}{ocr}"
    against = _against(missing)
    tone = "bad" if against else "text"
    passage_id, looked_for = missing.passage_id, missing.authority
    return Finding(missing.authority, below, tone, passage_id, looked_for=looked_for, children=against)


def _authority(cited: CitedAuthority, yours: _Yours) -> Finding:
    known = "" if cited.is_known else "no brief of the bank cites it"
    warned = "warned of" if cited.alerts or cited.treatments else ""
    return Finding(
        cited.authority,
        " · ".join(filter(None, (yours(cited.pages), known, warned))),
        tone="bad" if warned else "text",
        authority=cited.authority if cited.is_known or warned else "",
    )
