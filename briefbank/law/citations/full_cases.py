"""The cases that a text cites in full, each with its parallel citations, its name and the year in its brackets:
what can be held against tables of reporters or a list of authorities. Knows single texts only.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from briefbank.law.citations.docketed import has_dockets_between
from briefbank.law.citations.names import CaseName, case_names
from briefbank.law.citations.reporters import CaseMention, case_mentions
from briefbank.law.legal_numbers import folded
from briefbank.platform.regex import bounded

_PAGES = (
    r"(?:,?\s{0,3}+(?:at\s{1,3}+)?+(?:¶{1,2}\s?)?+\*?\d{1,5}+(?:\s?[-,&]\s?\*?\d{1,5}+)*+"
    r"(?:\s?nn?\.\s?\d{1,3}+(?:-\d{1,3}+)?+)*+)*+"
)
_PARALLEL = bounded(rf"{_PAGES}[,;]?\s{{0,3}}")
_BRACKETS = bounded(
    rf"{_PAGES},?\s{{0,3}}[(\[](?P<court>(?:(?:[A-Z][\w.'-]*|\d{{1,2}}(?:[a-z]{{1,2}})?\b|of|for|&)[\s.,—-]{{0,3}}"
    r"|\[[^()\[\]]{1,20}\]\s?){0,10}?)(?<!\d)(?P<year>1[789]\d\d|20\d\d)(?![\d-])"
)
"""Behind the last reporter of a case: "(Tex. App.—Houston [14th Dist.] 2003, pet. ref'd)"."""
_YEAR_BEFORE = bounded(r"\((?P<year>1[789]\d\d|20\d\d)\)\s{1,3}\Z")
"""As California has it: "People v. Roe (2009) 47 Cal.4th 310"."""
_YEAR_BEFORE_CHARACTERS = 12
_BEFORE_CITE = bounded(
    r"(?:'s)?+(?:,?\s(?:Inc|Co|Corp|Ltd|LLC|LLP)\b)?+(?:\.(?=,))?+"  # what a name leaves off at its end: "Roe, Inc.,"
    r",?\s*+(?:\(?supra\)?,?\s*+)?(?:\(?(?:\d{1,2}(?:st|d|nd|rd|th)\s+Dist\.\s+[\w.]+\s+|Docket\s+)?(?:No|Nos)\.\s[^;()]{0,70})?,?\s*+"
    r"(?:at\s++\d++,\s*+)?(?:\((?:\d{4}\)\s++)?+)?"
    r"(?:(?:\d{1,4}|[_—-]{1,9})\s{1,3}[A-Z][\w.\s]{1,20}?[_—-]{1,9}(?:,\s_{1,9}(?:-_{1,9})?)?[,;]?\s*+[\[(]?)*\Z",
    re.IGNORECASE,
)
"""Between a name and its reporter. The year may stand there, as in California, or a bracket, as in New York, or another
reporter that had not printed the case: "— U.S. —, 136 S. Ct. 616"."""


@dataclass(frozen=True, slots=True)
class FullCase:
    """A case as it is cited in full once: by one reporter or more. `court` is what stands in its brackets in front of
    the year; `name` is None where none stands in front, `year` where none is given.
    """

    cases: tuple[CaseMention, ...]
    name: CaseName | None
    year: int | None
    court: str


def full_cases(text: str) -> Iterator[FullCase]:
    """Yield the cases that a text cites in full, in order."""
    text = folded(text)
    names = case_names(text)
    ends = [name.span.end for name in names]
    for cases in _together(text, case_mentions(text)):
        behind = _BRACKETS.match(text, cases[-1].span.end)
        start = cases[0].span.start
        dated = behind or _YEAR_BEFORE.search(text, max(start - _YEAR_BEFORE_CHARACTERS, 0), start)
        yield FullCase(
            tuple(cases),
            name_of(cases[0], names, ends, text),
            int(dated["year"]) if dated else None,
            behind["court"] if behind else "",
        )


def name_of(case: CaseMention, names: Sequence[CaseName], ends: Sequence[int], text: str) -> CaseName | None:
    """The name that a citation carries in front of it; `ends` are those of the names."""
    place = bisect_right(ends, case.span.start)
    if not place:
        return None
    name = names[place - 1]
    is_own = _BEFORE_CITE.fullmatch(text, name.span.end, case.span.start) or has_dockets_between(text, name, case.span)
    return name if is_own else None


def _together(text: str, cases: Sequence[CaseMention]) -> Iterator[list[CaseMention]]:
    """The full citations of each case, those that are parallel in one list."""
    group: list[CaseMention] = []
    for case in cases:
        is_parallel = group and not case.is_short and _PARALLEL.fullmatch(text, group[-1].span.end, case.span.start)
        if group and not is_parallel:
            yield group
            group = []
        if not case.is_short:
            group.append(case)
    if group:
        yield group
