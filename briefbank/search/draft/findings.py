"""Where the checks of a draft give their findings, all as `values.findings.DraftFinding`.

To join, write one function in a module of its own beside this one, that takes the `Draft` (`reading.DraftText` with
what it cites) and whatever the check needs, and returns a `CheckPart`; `DraftChecker.check` hands its answer to
`with_parts`. Weight, words and fact are as that value says: a fact is worded as one ("not in the list of 2026-09",
"differs", never "invented"), and names no page of the draft. What could not be checked goes to `unchecked`, with the
reason; each list that was asked to `lists`. Keys are given here, window, Word, JSON and the record of the check show
every kind alike, and nobody else has to know of a new one.

A key survives a second check of a changed draft: it is made of the kind, the words as `normalised` has them, and the
how-manieth of these it is in the draft; never of pages, nor of an identifier's hidden part, which could be guessed from
it.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from briefbank.law.identifiers import hiding
from briefbank.platform.files import file_sha256
from briefbank.values.authorities import (
    CitedAuthority,
    DraftPoint,
    DraftReport,
    MissingAuthority,
    UncomparedQuotation,
    UnknownQuotation,
)
from briefbank.values.findings import CheckPart, Compared, ComparedKind, DraftFinding, Unchecked, Weight
from briefbank.values.records import Box, Document, Fact, Metadata, PageBox, Passage, SectionKind, Span

_GRAVE = frozenset({"stop", "warning"})
_SHEET = Box(0, 0, 612, 792)
"""A sheet of letter, in points: the words of the record are looked for on all of it."""
_KEY_DIGITS = 16
"""Of a SHA-256, in hexadecimal: two of 10,000 findings share 64 bits once in 10^11 drafts."""
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u2011": "-", "\u00ad": None})


def with_keys(findings: Iterable[DraftFinding]) -> tuple[DraftFinding, ...]:
    """Return findings with their keys, and identifiers masked in their facts, the weightiest first and within a weight
    as they were given; those of one kind have to be given in the order of the draft.
    """
    findings = tuple(findings)
    hide = hiding_of(findings)
    seen: Counter[tuple[str, str]] = Counter()
    keyed = []
    for each in findings:
        words = normalised(each.masked or hide(each.words))
        seen[each.kind, words] += 1
        digest = hashlib.sha256(words.encode()).hexdigest()[:_KEY_DIGITS]
        key = f"{each.kind}:{digest}:{seen[each.kind, words]}"
        keyed.append(replace(each, fact=hide(each.fact), key=key, against=_digest_of_compared(each, hide)))
    order = list(Weight)
    return tuple(sorted(keyed, key=lambda each: order.index(each.weight)))


def _digest_of_compared(finding: DraftFinding, hide: Callable[[str], str]) -> str:
    """What tells whether a decision was on the same sources, places and words. A list may be renewed, and a passage
    that merely cites the same is one example of many.
    """
    held = [
        ("" if each.kind is ComparedKind.LIST else each.name, each.place, normalised(hide(each.words)))
        for each in finding.compared
        if each.kind is not ComparedKind.PASSAGE or each.words != finding.words
    ]
    return hashlib.sha256(repr(held).encode()).hexdigest()[:_KEY_DIGITS]


def hiding_of(findings: Iterable[DraftFinding]) -> Callable[[str], str]:
    """Return what masks identifiers in a text, those of a draft's findings and others."""
    return hiding({each.words: each.masked for each in findings if each.masked})


def as_kept(finding: DraftFinding, hide: Callable[[str], str]) -> DraftFinding:
    """Return a finding as it may be written into a file: with identifiers masked wherever it quotes them."""
    compared = tuple(replace(each, words=hide(each.words)) for each in finding.compared)
    words = finding.masked or hide(finding.words)
    return replace(finding, words=words, fact=hide(finding.fact), compared=compared, masked="")


def normalised(words: str) -> str:
    """Return words without what a second saving changes: capitals, spaces, line ends, the forms of marks."""
    return re.sub(r"\s+", " ", words.translate(_MARKS)).strip().casefold()


def with_parts(report: DraftReport, parts: Iterable[CheckPart]) -> DraftReport:
    """Return a report with the findings of these checks behind those that its own fields hold. A quotation that one of
    them has compared is none that nothing was held against.
    """
    parts = tuple(parts)
    compared = {each for part in parts for each in part.quotations}

    def is_left(each: UnknownQuotation | UncomparedQuotation) -> bool:
        return (each.page, " ".join(each.text.split())) not in compared

    unknown = tuple(filter(is_left, report.unknown_quotations))
    uncompared = tuple(filter(is_left, report.uncompared_quotations))
    count = report.quotation_count - len(report.unknown_quotations) + len(unknown)
    report = replace(report, unknown_quotations=unknown, uncompared_quotations=uncompared, quotation_count=count)
    every = (of_report(report), *parts)
    return replace(
        report,
        not_run=tuple(each for part in every for each in part.not_run),
        findings=with_keys(finding for part in every for finding in part.findings),
        unchecked=tuple(each for part in every for each in part.unchecked),
        lists=tuple(dict.fromkeys((*report.lists, *(each for part in every for each in part.lists)))),
    )


def with_record_pages(report: DraftReport, folder: Path) -> DraftReport:
    """Return a report that shows, beside the draft, the pages of the record that its cites were held against; what was
    compared names them as passages, which are in no bank.
    """
    held: dict[str, list[Passage]] = defaultdict(list)
    documents: dict[str, Document] = {}

    def placed(each: Compared) -> Compared:
        path = folder / each.name
        if each.kind is not ComparedKind.RECORD or not each.page or not path.is_file():
            return each
        if each.name not in documents:
            sha256, metadata = file_sha256(path), Metadata(Fact(path.name, "file name"), Fact("record", "its folder"))
            documents[each.name] = Document(
                f"record-{sha256[:16]}", str(path.absolute()), sha256, metadata, 0, 0, None, 0
            )
        document, passages = documents[each.name], held[each.name]
        # Where on its sheet the words stand is found when that is shown.
        boxes = (PageBox(each.page, _SHEET),) if path.suffix.casefold() == ".pdf" else ()
        passages.append(Passage(f"{document.id}-{len(passages)}", document.id, len(passages), Span(0, len(each.words)),
                                each.words, SectionKind.BODY, (), each.page, each.page, boxes=boxes))  # fmt: skip
        return replace(each, passage_id=passages[-1].id)

    findings = tuple(replace(each, compared=tuple(map(placed, each.compared))) for each in report.findings)
    shown = tuple(
        (replace(each, page_count=max(passage.page_first for passage in held[name])), tuple(held[name]))
        for name, each in documents.items()
    )
    return replace(report, findings=findings, shown=(*report.shown, *shown))


def compared_with(passage: Passage, document: Document, words: str) -> Compared:
    """Return what a finding says of a passage of the bank that it was held against."""
    place = document.cited_pages(passage.page_first, passage.page_last)
    title = document.metadata.title.value
    return Compared(ComparedKind.PASSAGE, title, words, document.filed, place, passage.id)


def others_of(report: DraftReport) -> CheckPart:
    """Return what a report has no fields of its own for: findings of the other checks, what these could not check, and
    the lists that the draft was held against.
    """
    told = of_report(report)
    own = {each.kind for each in told.findings}
    found = tuple(each for each in report.findings if each.kind not in own)
    return CheckPart("the other checks", found, report.unchecked[len(told.unchecked) :], report.lists)


def of_report(report: DraftReport) -> CheckPart:
    """Return what the bank and the draft itself say against it: of its findings those that its own fields hold."""
    return CheckPart("the bank", tuple(_findings(report)), tuple(_unchecked(report)))


def _findings(report: DraftReport) -> Iterator[DraftFinding]:
    has_pages = report.has_pages

    def found(kind: str, title: str, weight: Weight, pages: Iterable[int], words: str, fact: str,
              *compared: Compared) -> DraftFinding:  # fmt: skip
        return DraftFinding(kind, title, weight, tuple(pages) if has_pages else (), words, fact, compared)

    for each in report.contradicted:
        yield found("impossible-citation", "Citation that cannot be as it is written", Weight.MEND, [each.page],
                    each.text, _sentence(each.fact))  # fmt: skip
    for authority in report.authorities:
        fact, against = _against(authority)
        if against:
            is_grave = bool(authority.alerts) or any(each.severity in _GRAVE for each in authority.treatments)
            yield found("warned-authority", "Authority that is warned of", Weight.MEND if is_grave else Weight.LOOK,
                        authority.pages, authority.authority, fact, *against)  # fmt: skip
    for quotation in report.quotations:
        fact = f"The bank has “{quotation.there}” where the draft has “{quotation.here}”."
        there = compared_with(quotation.passage, quotation.document, quotation.there)
        yield found("altered-quotation", "Quotation whose words differ in the bank", Weight.MEND, [quotation.page],
                    quotation.text, fact, there)  # fmt: skip
    for reference in report.references:
        yield found("dead-reference", "Reference that leads nowhere", Weight.MEND, [reference.page], reference.text,
                    f"There is no {reference.text} in the draft.")  # fmt: skip
    for name in report.named_only:
        yield found("named-only", "Case cited by name, nowhere in full", Weight.LOOK, (), name,
                    "The draft cites it by name, and nowhere in full.")  # fmt: skip
    for unknown in report.unknown_quotations:
        yield found("unknown-quotation", "Quotation that the bank does not have", Weight.KNOW, [unknown.page],
                    unknown.text, "No passage of the bank has these words: nothing was held against them.")  # fmt: skip
    for missing, point in _missing(report):
        known, against = _against(missing)
        fact = "Briefs of the bank cite it on this point, the draft nowhere."  # how many, changes with any word of it
        newest = missing.newest
        cited = Compared(ComparedKind.PASSAGE, newest.metadata.title.value, missing.authority, newest.filed,
                         passage_id=missing.passage_id)  # fmt: skip
        yield found("missing-authority", "Authority that briefs cite and the draft does not", Weight.KNOW,
                    [point.page_first], missing.authority, " ".join(filter(None, (fact, known))),
                    cited, *against)  # fmt: skip


def _missing(report: DraftReport) -> Iterator[tuple[MissingAuthority, DraftPoint]]:
    """Each authority to consider once, with the first point that lacks it."""
    seen = set[str]()
    for point in report.points:
        for each in point.missing:
            if each.authority not in seen:
                seen.add(each.authority)
                yield each, point


def _against(authority: CitedAuthority | MissingAuthority) -> tuple[str, tuple[Compared, ...]]:
    """What is known against an authority, in words, and where it stands."""
    facts = [_sentence(each) for each in authority.alerts]
    facts += [
        f"{each.document.metadata.title.value}, {each.label}: {_sentence(each.text)}" for each in authority.treatments
    ]
    said = (compared_with(each.passage, each.document, each.text) for each in authority.treatments)
    listed = (Compared(ComparedKind.LIST, "the office’s list", each) for each in authority.alerts)
    return " ".join(facts), (*listed, *said)


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", "”", '"')) else f"{text}."


def _unchecked(report: DraftReport) -> Iterator[Unchecked]:
    if report.unread_pages:
        pages = ", ".join(map(str, report.unread_pages))
        yield Unchecked(f"sheet{'s' if len(report.unread_pages) > 1 else ''} {pages}", "there is no text on them")
    for remark in report.remarks:
        yield Unchecked("the draft’s file", remark)
    for each in report.uncompared_quotations:
        yield Unchecked(f"“{each.text}”", f"the quotation {each.fault}")
    for point in report.too_short:
        yield Unchecked(" › ".join(point.path) or "text without a heading", "the point is too short to look it up")
