"""Holds the cases that a text cites in full against a list of authorities: which are not in it, which bear another name
or year there. Statutes, rules and cases by their docket are in no list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from briefbank.law.authority_list.listed import AuthorityList, first_day
from briefbank.law.authority_list.names import may_be, telling_words
from briefbank.law.citations.full_cases import FullCase, full_cases
from briefbank.law.citations.reporters import CaseMention
from briefbank.values.records import Span

_DATABASE = re.compile(r"wl|.*lexis")
"""Reporters that number what a publisher's database holds, of which lists have a part."""
_BY_ANOTHER = "A parallel citation beside it is, as cited."
_IN_PART = "Of such a database a list has only a part."
_OF_ITS_YEAR = "It is of the same year, so that it may be newer than the list."


class ListingKind(StrEnum):
    """What a list has of a citation."""

    AS_CITED = "as cited"
    MISSING = "not in the list"
    PART_MISSING = "perhaps not listed"
    """As `MISSING`, where that says little: of numbers in a publisher's database, of a case found by another of its
    citations, and of one of the year that the list is of.
    """
    OTHER_NAME = "another name"
    OTHER_YEAR = "another year"
    NO_REPORTER = "reporter not in the list"
    NEWER = "newer than the list"


@dataclass(frozen=True, slots=True)
class Listing:
    """A citation where it stands in a text, the first of a case with its name, its key ("170 nj 632"), and what a list
    has of it as a fact; empty where it is as cited.
    """

    span: Span
    key: str
    kind: ListingKind
    fact: str = ""


def listings(text: str, authorities: AuthorityList) -> Iterator[Listing]:
    """Yield what a list has of each full citation of a case in a text, parallel ones each by itself, in order."""
    year = first_day(authorities.head.date).year
    for cited in full_cases(text):
        cases = [each for each in cited.cases if not each.is_commentary]
        found = [_listed(each, cited, authorities) for each in cases]
        is_found = any(kind is ListingKind.AS_CITED for kind, _ in found)
        for case, (kind, fact) in zip(cases, found, strict=True):
            start = cited.name.span.start if cited.name and case is cited.cases[0] else case.span.start
            span = Span(start, case.span.end)
            in_part = _IN_PART if _DATABASE.fullmatch(case.reporter) else ""
            why = _BY_ANOTHER if is_found else in_part or (_OF_ITS_YEAR if cited.year == year else "")
            if kind is ListingKind.MISSING and why:
                yield Listing(span, case.key, ListingKind.PART_MISSING, f"{fact} {why}")
            else:
                yield Listing(span, case.key, kind, fact)


def _listed(case: CaseMention, cited: FullCase, authorities: AuthorityList) -> tuple[ListingKind, str]:
    date = authorities.head.date
    if not authorities.has_reporter(case.reporter):
        return ListingKind.NO_REPORTER, f"The list of {date} has nothing of its reporter."
    found = authorities.find(int(case.volume), case.reporter, case.page)
    if not found:
        if cited.year and cited.year > first_day(date).year:
            return ListingKind.NEWER, f"It is of {cited.year}, and the list of {date}."
        why = "" if found is not None else ", which has nothing of this volume"
        return ListingKind.MISSING, f"It is not in the list of {date}{why}."
    asked = telling_words(cited.name.key) if cited.name else []
    years = [year for words, year in found if may_be(asked, words)]
    if not years:
        return ListingKind.OTHER_NAME, f"It bears another name in the list of {date}."
    if cited.year and all(years) and cited.year not in years:
        told = " or ".join(map(str, sorted(set(years))))
        return ListingKind.OTHER_YEAR, f"In the list of {date} it is of {told}, and the citation is of {cited.year}."
    return ListingKind.AS_CITED, ""
