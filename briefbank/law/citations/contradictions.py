"""Citations that cannot be as they are written: a volume, page or year that the reporter does not have, a court that it
does not print, a number that its court does not give. Knows reporters and single texts; whether a case exists it cannot
say.

`volumes.toml` has the years of volumes of the reporters that briefs cite most, `reporters-db` when others appeared.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

import msgspec

from briefbank.law.citations.full_cases import full_cases
from briefbank.law.citations.reporters import CaseMention, reporters
from briefbank.law.legal_numbers import folded, reporter_key
from briefbank.values.records import Span

_DATE = re.compile(
    r"(?:\b(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?\s{1,2}\d{1,2},?|\bfiled)\s*\Z"
)
_CIRCUIT = re.compile(r"(?:\d{1,2}(?:st|nd|rd|th|d)|D\.\s?C\.|Fed\.)\s?Cir\b|CA(?:\d|DC|Fed)")
_DISTRICT = re.compile(r"(?:[NSEWMC]\.?\s?)?D\.?\s?(?:[A-Z][a-z]+\b|[A-Z]\.\s?[A-Z]|[A-Z]{2}\b|D\.\s?C)")
_YEARLY = re.compile(r"wl|.*lexis")
_LIKELY_YEARS, _OLD, _OLD_YEARS = 3, 1900, 6
"""By how many years a decision may be off the table: some are printed late, and old volumes took years."""
_DATABASE_YEARS, _SURELY_ENDED = 3, 2010
"""As much for the years of reporters-db, and until when its last ones are taken for ends."""
_OF_SERIES = re.compile(r"\d(?:d|th)\Z")
"""Reporters of which reporters-db knows the first year well: a second series or a later one."""


class _Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a reporter printed; `volumes.toml` says what each key means."""

    years: str
    pages: int
    courts: list[str]
    ended: bool = False

    @property
    def points(self) -> list[tuple[int, int]]:
        """Volumes with their years, ascending."""
        return [(int(volume), int(year)) for volume, _, year in (each.partition(":") for each in self.years.split())]

    def year_of(self, volume: int) -> float:
        """About when a volume was decided; beyond the last one as if the series went on."""
        points = self.points
        for (first, begun), (last, ended) in pairwise(points):
            if volume <= last or last == points[-1][0]:
                return begun + (ended - begun) * max(volume - first, 0) / (last - first)
        return points[0][1]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A citation, where it stands, and a fact that it contradicts."""

    span: Span
    fact: str


def contradictions(text: str, this_year: int) -> Iterator[Contradiction]:
    """Yield the citations in a text that cannot be as they are written, in order, each once."""
    text = folded(text)
    for cited in full_cases(text):
        court = _DATE.sub("", cited.court).strip(" ,")
        is_late = re.search(r"\bDec[a-z]*\.?\s", cited.court) is not None
        for case in cited.cases:
            # Databases number some decisions of a December with the next year's.
            is_next = is_late and _YEARLY.fullmatch(case.reporter) and int(case.volume) - 1 == cited.year
            told = None if is_next else cited.year
            fact = next(_facts(case, text[slice(*case.span)], told, court, this_year), "")
            if fact:
                yield Contradiction(case.span, fact)


def _facts(case: CaseMention, cited: str, year: int | None, court: str, this_year: int) -> Iterator[str]:
    """What contradicts a citation, of the year and the court in its brackets."""
    volume = int(case.volume)
    name = re.sub(r"\A\d+[\s-]*|[\s,-]{0,3}\d+(?:-[A-Z]+)?\Z", "", " ".join(cited.split()))
    if year and year > this_year:
        yield f"The year {year} has not come."
    if _YEARLY.fullmatch(case.reporter) or (reporters()[case.reporter].is_neutral and volume > _OLD):
        yield from _yearly_facts(case, name, year, this_year)
        return
    printed = _tables().printed.get(case.reporter)
    if printed is None:
        yield from _facts_of_database(case.reporter, name, year)
        return
    (first, begun), (last, ended) = printed.points[0], printed.points[-1]
    slack = _LIKELY_YEARS if year is None or year >= _OLD else _OLD_YEARS
    likely = printed.year_of(volume)
    if printed.ended and volume > last:
        yield f"{name} ended with volume {last:,}."
    elif likely > this_year + slack:
        yield f"{name} has no volume {volume:,} yet."
    elif year and year < begun - slack:
        yield f"{name} began in {begun}, and the citation is of {year}."
    elif year and printed.ended and year > ended + slack:
        yield f"{name} ended in {ended}, and the citation is of {year}."
    elif year and volume >= first and abs(likely - year) > slack:
        yield f"{name} had no volume {volume:,} in {year}."
    if case.page > printed.pages:
        yield f"No volume of {name} has a page {case.page:,}."
    kind = _court(court)
    is_of_district = kind == court and "dist" in printed.courts  # "(Mass. 2018)", as the Supreme Court has it
    if kind and kind not in printed.courts and not is_of_district:
        yield f"{name} prints no decisions of “{court}”."


def _yearly_facts(case: CaseMention, name: str, year: int | None, this_year: int) -> Iterator[str]:
    volume = int(case.volume)
    began = _tables().began.get(case.reporter, 0)
    if volume > this_year:
        yield f"The year {volume} has not come."
    elif volume < began:
        yield f"Decisions are numbered as “{name}” since {began}, and the citation is of {volume}."
    elif year and year != volume:
        yield f"The citation is of {volume}, the brackets say {year}."
    elif case.reporter.startswith("il") and not 100_000 <= case.page <= 999_999:
        yield f"Illinois gives its decisions numbers of six digits, no {case.page}."


def _facts_of_database(reporter: str, name: str, year: int | None) -> Iterator[str]:
    begun, ended = _years_of_database().get(reporter, (0, 0))
    if year and begun and _OF_SERIES.search(reporter) and year < begun - _DATABASE_YEARS:
        yield f"{name} began in {begun}, and the citation is of {year}."
    elif year and 0 < ended < _SURELY_ENDED and year > ended + _DATABASE_YEARS:
        yield f"{name} ended in {ended}, and the citation is of {year}."


def _court(court: str) -> str:
    """Which court a bracket names, as `volumes.toml` has them; empty where that is not said."""
    letters = court.replace(" ", "")
    state = _state(letters)
    if _CIRCUIT.match(court):
        return "cir"
    # "N.D. Tex." is no court of North Dakota.
    if _DISTRICT.match(court) and (not state or _state(letters[len(state.replace(" ", "")) :])):
        return "dist"
    return state


def _state(letters: str) -> str:
    return next((each for each in _states() if letters.startswith(each.replace(" ", ""))), "")


@cache
def _states() -> list[str]:
    """The abbreviations of states, longest first."""
    from reporters_db import STATE_ABBREVIATIONS

    return sorted((*STATE_ABBREVIATIONS, "D.C."), key=len, reverse=True)


class _Tables(msgspec.Struct, frozen=True):
    began: dict[str, int]
    printed: dict[str, _Printed]


@cache
def _tables() -> _Tables:
    text = files("briefbank.law.citations").joinpath("volumes.toml").read_text(encoding="utf-8")
    table: dict[str, object] = tomllib.loads(text)
    began = msgspec.convert(table.pop("began"), dict[str, int])
    return _Tables(began, msgspec.convert(table, dict[str, _Printed]))


@cache
def _years_of_database() -> Mapping[str, tuple[int, int]]:
    """The years in which a reporter appeared, of those of one name together; 0 where the end is open or not known."""
    from reporters_db import REPORTERS

    years: dict[str, tuple[int, int]] = {}
    for edition, dates in (each for group in REPORTERS.values() for one in group for each in one["editions"].items()):
        begun, ended = (dates[each].year if dates[each] else 0 for each in ("start", "end"))
        first, last = years.get(reporter_key(edition), (begun, ended))
        years[reporter_key(edition)] = min(begun, first), max(ended, last) if ended and last else 0
    return years
