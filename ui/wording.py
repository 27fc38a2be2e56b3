"""How values read to people, and what they write back: dates, pages, kinds, counts, a copied passage with its source;
and what a search can be narrowed by.

Knows records and no widget. Nothing generated comes here.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from briefbank.errors import BriefBankError
from briefbank.values.cautions import in_brackets
from briefbank.values.pages import Typography
from briefbank.values.profiles import OfferedProfile
from briefbank.values.records import (
    FACT_FILTERS,
    Document,
    DocumentKind,
    Filters,
    Hit,
    Passage,
    SearchResult,
    SectionKind,
    Span,
)
from briefbank.values.source_format import source_of
from ui import preferences
from ui.headings import sentence_case
from ui.shortcuts import ON_THE_PAGE, key

COPIED = "Copied with its source."
COPIED_ALONE = f"Copied without its source; {key('copy-source', ON_THE_PAGE).sequences[0]} copies both."
COPIED_PLAIN = "Copied."
STARTING = "Starting the search engine …"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
UNDATED = "undated"
KINDS = {
    DocumentKind.BRIEF: "Brief",
    DocumentKind.INTERNAL: "Internal document",
    DocumentKind.DIRECTIVE: "Directive",
}
PARTS = {
    SectionKind.CAPTION: "Caption",
    SectionKind.PARTIES: "Parties",
    SectionKind.CONTENTS: "Table of contents",
    SectionKind.AUTHORITIES: "Table of authorities",
    SectionKind.JURISDICTION: "Jurisdiction",
    SectionKind.ORAL_ARGUMENT: "Oral argument",
    SectionKind.PRELIMINARY: "Preliminary statement",
    SectionKind.QUESTIONS: "Questions presented",
    SectionKind.PROCEDURE: "Procedural history",
    SectionKind.FACTS: "Facts",
    SectionKind.SUMMARY: "Summary of argument",
    SectionKind.STANDARD: "Standard of review",
    SectionKind.ARGUMENT: "Argument",
    SectionKind.CONCLUSION: "Conclusion",
    SectionKind.SIGNATURE: "Signature",
    SectionKind.CERTIFICATE: "Certificate",
    SectionKind.APPENDIX: "Appendix",
    SectionKind.TABLE: "Table",
    SectionKind.BODY: "Running text",
}
SOURCE_STYLES: Mapping[StrEnum, str] = {
    preferences.SourceStyle.FULL: "Full",
    preferences.SourceStyle.SHORT: "Short",
    preferences.SourceStyle.BLUEBOOK: "As in a court paper",
}
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLAIN_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_PAPER = re.compile(
    r",\s+(?:(?:Appellant|Appellee|Petitioner|Respondent|Defendant|State)[’']s\s+|(?:Amended|Corrected|Reply|Letter|"
    r"Supplemental|Pro Se|Joint)\s+)*(?:Brief|Memorandum|Motion|Petition|Response|Reply|Letter|Appendix)\b",
    re.IGNORECASE,
)
"""Where in a title the case ends, and the sort of paper begins."""
_CASE = re.compile(r"\bv\.?\s|\b(?:In re|Ex parte|Matter of)\b", re.IGNORECASE)
_WRITTEN = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")


def problem_text(problem: Exception, otherwise: str = "That failed.") -> str:
    """What happened and what to do about it; `otherwise` of a failure that nobody expected."""
    return f"{problem.message} {problem.advice}" if isinstance(problem, BriefBankError) else otherwise


def corrected_words(result: SearchResult) -> str:
    """The words that were searched for in the place of misspelt ones; empty where there are none."""
    return ", ".join(each.corrected for each in result.corrections)


def correction_switch(result: SearchResult) -> str:
    """What a button says that searches for what was typed, or corrects it again; empty where there is nothing to."""
    if result.corrections:
        return f"Search for {', '.join(each.typed for each in result.corrections)} instead"
    return "Correct the spelling" if result.query.as_typed else ""


def day(when: date | None) -> str:
    """Return "12 Mar 2024", or "undated"; the same in every locale."""
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}" if when else UNDATED


def count(number: int, one: str, many: str = "") -> str:
    """Return "1 brief", "2,431 briefs"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def place(passage: Passage) -> str:
    """Return where a passage stands in its brief: the headings above it, outermost first."""
    path = " › ".join(" ".join(each.split()) for each in passage.section_path)
    return (path or PARTS[passage.section_kind]) + (" · footnotes" if passage.is_footnotes else "")


def heading(passage: Passage) -> str:
    """Return the headings above a passage for a quick look: its own first, those in capitals in sentence case."""
    path = " · ".join(sentence_case(each, passage.text) for each in reversed(passage.section_path))
    return (path or PARTS[passage.section_kind]) + (" · footnotes" if passage.is_footnotes else "")


def case_name(document: Document) -> str:
    """Return a title without what sort of paper it is, where it names a case: "State v. Oakes, Reply Brief on …" is
    "State v. Oakes".
    """
    title = document.metadata.title.value
    name = _PAPER.split(title, maxsplit=1)[0]
    return name if _CASE.search(name) else title


def headline(document: Document) -> str:
    """Return a document in one line: case, docket, date, outcome, as far as they are known."""
    known = document.metadata
    filed = day(document.filed) if document.filed else ""
    docket, outcome = (fact.value if fact else "" for fact in (known.docket, known.outcome))
    return " · ".join(filter(None, (case_name(document), docket, filed, outcome)))


_SHORT_COURTS = tuple(
    (re.compile(pattern, re.IGNORECASE), short)
    for pattern, short in (
        (r"\bAppellate Division\b", "App. Div."),
        (r"\bLaw Division\b", "Law Div."),
        (r"^Court of Criminal Appeals of Texas$", "Tex. Crim. App."),
        (r"^Court of Appeals of Texas, (\S+) District$", r"Tex. App., \1 Dist."),
        (r"^Supreme Court of New Jersey$", "N.J. Sup. Ct."),
        (r"^Supreme Court of the United States$", "U.S. Sup. Ct."),
    )
)


def particulars(document: Document) -> str:
    """Return kind (unless it is a brief), docket, outcome and court of a document, as far as they are known."""
    known, kind = document.metadata, DocumentKind(document.metadata.kind.value)
    named = () if kind is DocumentKind.BRIEF else (KINDS[kind],)
    court = short_court(known.court.value) if known.court else ""
    docket, outcome = (fact.value if fact else "" for fact in (known.docket, known.outcome))
    return " · ".join(filter(None, [*named, docket, outcome, court]))


def short_court(name: str) -> str:
    """Return a court as a card has room for it: "App. Div.", "Tex. App., First Dist."; one in no known words whole."""
    for pattern, short in _SHORT_COURTS:
        if found := pattern.search(name):
            return found.expand(short)
    return name


def scanned(passage: Passage) -> str:
    """Return how surely a scanned passage was read, or nothing for a text layer."""
    return "" if passage.ocr_confidence is None else f"scanned, read {passage.ocr_confidence:.0%} surely"


def warned_of(number: int) -> str:
    """Return in one line that a passage cites so many of what the office's list names."""
    return f"⚠ cites {count(number, 'authority', 'authorities')} your office warns of"


def spoken(hit: Hit) -> str:
    """Return a result in one sentence, for a screen reader."""
    passage = hit.passage
    parts = (
        hit.document.metadata.title.value,
        f"filed {day(hit.document.filed)}" if hit.document.filed else UNDATED,
        particulars(hit.document),
        hit.document.cited_pages(passage.page_first, passage.page_last),
        place(passage),
        hit.band.value if hit.band else "",
        f"best match {hit.rank}",
        hit.why,
        *hit.warnings,
        scanned(passage),
        passage.text,
    )
    return ". ".join(part for part in parts if part)


def period(filters: Filters) -> str:
    """Return the dates that a search is narrowed to."""
    since, until = filters.since, filters.until
    if since and until:
        return f"Filed {day(since)} to {day(until)}"
    return f"Filed since {day(since)}" if since else f"Filed until {day(until)}"


def made(generation: str) -> str:
    """Return the day an index was made, out of the name of its generation; empty where the name tells none."""
    try:
        return day(datetime.strptime(generation[:8], "%Y%m%d").date())  # noqa: DTZ007  # a day, not a time
    except ValueError:
        return ""


def source_line(document: Document, page_first: int, page_last: int) -> str:
    """Return where words come from, in the style that this person prefers: title, docket, filing date, pages and so on,
    as far as they are known.
    """
    return preferences.load().source_style.source_format.line(source_of(document, page_first, page_last))


def copy_text(text: str, document: Document, page_first: int, page_last: int, cautions: Iterable[str]) -> str:
    """Return words of a document, followed by their source on a line of its own and what must stay with the words."""
    return f"{text.strip()}\n\n— {source_line(document, page_first, page_last)}\n{in_brackets(cautions)}"


def raised(text: str, numbers: Iterable[Span]) -> str:
    """Return a text of the same length with the digits of some ranges as superscripts: copied, “sign.16” would read as
    part of the text or of a citation.
    """
    for start, end in numbers:
        text = text[:start] + text[start:end].translate(_SUPERSCRIPTS) + text[end:]
    return text


def moved(printed: Typography, by: int) -> Typography:
    """Return how a text is printed in front of which letters were put, or taken away."""
    italics, *others = (
        None if spans is None else tuple(Span(max(start + by, 0), max(end + by, 0)) for start, end in spans)
        for spans in (printed.italics, printed.raised, printed.quotes, printed.bold, printed.underlined)
    )
    return Typography(italics, *(spans or () for spans in others))


def lowered(text: str) -> str:
    """Return a text with its superscript digits as the index holds them."""
    return text.translate(_PLAIN_DIGITS)


def copy_passage(passage: Passage, document: Document, cautions: Iterable[str]) -> str:
    """Return a whole passage with its source and what must stay with its words."""
    return copy_text(passage.text, document, passage.page_first, passage.page_last, cautions)


def ends_of(text: str) -> tuple[date | None, date | None]:
    """Return the first and the last day that a text such as "2019", "2019-03" or "2019-03-31" names; None for nothing.

    Raises:
        ValueError: it is no date.
    """
    if not text.strip():
        return None, None
    found = _WRITTEN.fullmatch(text.strip())
    if not found:
        raise ValueError(text)
    year, month, day = (int(each or 0) for each in found.groups())
    if not month:
        return date(year, 1, 1), date(year, 12, 31)
    if not day:
        return date(year, month, 1), date(year, month, monthrange(year, month)[1])
    return date(year, month, day), date(year, month, day)


def years_before(when: date, years: int) -> date:
    """Return the same day that many years ago; for 29 February the 28th, where there is none."""
    try:
        return when.replace(year=when.year - years)
    except ValueError:
        return when.replace(year=when.year - years, day=28)


def written(when: date | None, *, is_start: bool) -> str:
    """Return a date as short as `ends_of` reads it back."""
    if when is None:
        return ""
    is_whole_year = (when.month, when.day) == ((1, 1) if is_start else (12, 31))
    return f"{when.year:04}" if is_whole_year else when.isoformat()


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing that a search can be narrowed by: a field of Filters, and how it and its values are called."""

    field: str
    name: str
    any: str
    label: Callable[[str], str]
    value: Callable[[str], object]


FACETS = (
    Facet("kinds", "Kind", "Any kind", lambda value: KINDS[DocumentKind(value)], DocumentKind),
    *(Facet(each.field, each.fact.capitalize(), f"Any {each.fact}", str, str) for each in FACT_FILTERS),
    Facet("section_kinds", "Part", "Any part", lambda value: PARTS[SectionKind(value)], SectionKind),
)


def chosen(filters: Filters, facet: Facet) -> tuple[str, ...]:
    """Return the values that `filters` holds of a facet, as text."""
    return tuple(each.value if isinstance(each, StrEnum) else each for each in getattr(filters, facet.field))


def without(filters: Filters, facet: Facet, *values: str) -> Filters:
    """Return `filters` less some values of a facet."""
    left: dict[str, Any] = {
        facet.field: tuple(facet.value(each) for each in chosen(filters, facet) if each not in values)
    }
    return replace(filters, **left)


def issue_text(issue: OfferedProfile) -> str:
    """Return an issue with what narrows all of its results."""
    filters = issue.filters
    dates = [period(filters)] if filters.since or filters.until else []
    values = [facet.label(value) for facet in FACETS for value in chosen(filters, facet)]
    narrowed = ", ".join((*dates, *values))
    return f"{issue.name} ({narrowed})" if narrowed else issue.name
