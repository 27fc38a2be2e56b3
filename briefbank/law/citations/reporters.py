"""Finds citations to reporters, in full (`170 N.J. 632`, `2014-Ohio-1234`) and short (`170 N.J. at 640`), in briefs and
in questions. Which reporters there are says `reporters.txt`. Knows single texts only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from briefbank.law.legal_numbers import case_key, folded, reporter_key
from briefbank.values.records import Span

_VOLUME = re.compile(r"(?<![A-Za-z\d:$/-])(?<!\d\.)[1-9]\d{0,3}(?=\s{0,3}[A-Z]|-[A-Z])")
_VOLUME_IN_A_QUESTION = re.compile(r"(?<![A-Za-z\d:$/-])(?<!\d\.)[1-9]\d{0,3}(?=\s{0,3}[A-Za-z]|-[A-Za-z])")
_BEHIND_VOLUME = re.compile(
    r"(?P<dash>-)?(?P<gap>\s{0,3})(?P<reporter>[A-Za-z][A-Za-z.'&\s]{0,40}?(?:[2-9](?:d|th|nd|rd)(?![a-z])|\([1-9](?:st|d|nd|rd|th)\))?\.?)"
    r"(?:(?(dash)-|(?!))|\s{0,3}(?:\(\d{1,2}\s[A-Z][\w.&\s]{1,20}\)(?:\s|(?=,)))?(?P<at>,?\s{0,3}\bat\s{1,3}(?:pp?\.\s?)?\*?)?|,\s{1,3})"
    r"(?:(?P<page>\d{1,12})(?![\da-mo-z])(?:-[A-Z]{1,2}\b|[A-D]\b(?!\.))?|(?P<blank>_{1,9}|-{2,9}|—{1,3})(?!\w))"
)
"""Spaces may have been lost (`846F.2d746`); an early reporter's editor may stand in it (`5 U.S. (1 Cranch) 137`)."""
_PRINTED = re.compile(
    r"[A-Z].*\.|WL\Z|.*LEXIS\Z|U\.?S\Z|NJ|[ASFP]\.?\s?[234]d\Z|[NS]\.?[EW]\.?\s?\d?d?\Z|So\s?[23]d\Z|F\.?\s?4th\Z"
    r"|[A-Z][A-Za-z]+\s?[2-5](?:d|th)\Z|[A-Z][A-Za-z]+\sApp(?:\s[2-5](?:d|th))?\Z",
    re.DOTALL,
)
"""A reporter has a full stop, or is one of those often written without, as New York, Michigan and Oregon do (`34 NY3d
545`, `260 Or App 88`): `Thompson 3` is none."""
_YEAR = re.compile(r"(?:19[89]|20[0-4])\d\Z")
_IN_A_CITATION = re.compile(r"[,;(=]\s\Z")
"""In front of a citation that nothing else tells from words and numbers: "People v Roe, 488 Mich 210"."""
_PARAGRAPH = re.compile(r",?\s{0,3}¶")
_BEHIND_NAME = re.compile(r"[,(]\s*\Z")
_MONTHS = frozenset({"dec", "mar", "jan", "feb", "apr", "aug", "sept", "oct", "nov"})
_COMMENTARY = re.compile(r"alr|am[lj]|cjs|.*(?:lrev|lawrev|lj|lq)\d?")
"""Reporters in reporters-db that print no cases but what is written of them."""


class Reporter(NamedTuple):
    """A reporter by its first spelling; `is_neutral`: a court's own numbers of its decisions, of which the volume is
    the year.
    """

    key: str
    is_neutral: bool


@dataclass(frozen=True, slots=True)
class CaseMention:
    """A citation to a reporter where it stands; of a short one `page` is the page referred to. It is 0 where the
    reporter had not been printed: `593 U.S. ___`.
    """

    span: Span
    volume: str
    reporter: str
    page: int
    is_short: bool

    @property
    def key(self) -> str:
        return f"{self.volume} {self.reporter} {self.page}"

    @property
    def is_commentary(self) -> bool:
        """Whether it is an annotation or an article."""
        return bool(_COMMENTARY.match(self.reporter))


def case_mentions(text: str, *, with_blanks: bool = False) -> list[CaseMention]:
    """The cases cited in a brief by their reporter, in order; none overlaps another. `with_blanks` those also that
    leave the page blank.
    """
    cases: list[CaseMention] = []
    for case, match in _cited(folded(text), _VOLUME):
        is_apart = not cases or case.span.start >= cases[-1].span.end
        if is_apart and (case.page or with_blanks) and _is_case(case, match):
            cases.append(case)
    return cases


def cases_asked_for(text: str) -> Iterator[tuple[CaseMention, bool]]:
    """Yield what may be a case in a question, which may be in small letters; whether it is one by its form alone."""
    for case, match in _cited(folded(text), _VOLUME_IN_A_QUESTION):
        if case.page:
            yield case, _is_printed_so(match, case.volume)


def _cited(text: str, volumes: re.Pattern[str]) -> Iterator[tuple[CaseMention, re.Match[str]]]:
    for volume in volumes.finditer(text):
        match = _BEHIND_VOLUME.match(text, volume.end())
        printed = reporter_key(match["reporter"]) if match else ""
        reporter = reporters().get(printed)
        if match is None or reporter is None or printed in _MONTHS or (match["dash"] and not reporter.is_neutral):
            continue
        if not (match["gap"] or match["dash"]) and len(printed) == 1:
            continue  # the number of an article or of an apartment: 42A.109
        number, _, page = case_key(volume[0], reporter.key, match["page"] or "").split(" ")
        if page or match["blank"]:
            span = Span(volume.start(), match.end())
            yield CaseMention(span, number, reporter.key, int(page or 0), match["at"] is not None), match


def _is_case(case: CaseMention, match: re.Match[str]) -> bool:
    """Whether it is a case's, and no number beside a word: a court's own citation begins with a year (`2014 CO 63`)."""
    if match["dash"] or _PRINTED.match(match["reporter"]):
        return True
    is_of_year = _YEAR.match(case.volume) is not None
    if reporters()[case.reporter].is_neutral and not is_of_year:
        return False
    if is_of_year and (len(match["reporter"]) > len("MS") or _PARAGRAPH.match(match.string, match.end())):
        return True
    return _IN_A_CITATION.search(match.string, max(case.span.start - 2, 0), case.span.start) is not None


def _is_printed_so(match: re.Match[str], volume: str) -> bool:
    """Whether a reporter in a question is printed with more than the full stop of `12 in. 5` or `5 min. 3`; without any
    only behind a name or a year: `People v Roe, 488 Mich 210`, `2014 CO 63`.
    """
    printed = match["reporter"]
    if match["dash"]:
        return True
    if "." in printed:
        return printed[0].isupper() or "." in printed[:-1] or printed[-1].isdigit()
    start = match.start() - len(volume)
    return printed[0].isupper() and bool(_YEAR.match(volume) or _BEHIND_NAME.search(match.string, 0, start))


@cache
def reporters() -> Mapping[str, Reporter]:
    """The reporters of `reporters.txt` by every spelling of `reporter_key`."""
    text = files("briefbank.law.citations").joinpath("reporters.txt").read_text(encoding="utf-8")
    known: dict[str, Reporter] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            first, *others = line.removeprefix("*").split()
            reporter = Reporter(first, is_neutral=line.startswith("*"))
            known[first] = reporter
            known.update({each: known.get(each, reporter) for each in others})
    return known
