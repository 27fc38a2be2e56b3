"""Dates in any form, whole or in part: `March 3, 2019`, `3 March`, `3/3/19`, `in 2019`. Knows no other claims."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from briefbank.law.dates import MONTH_NUMBERS, MONTHS, full_year
from briefbank.law.grounding.plain import Doubt, DoubtKind
from briefbank.values.records import Span

_NAMES = [spelt for name in MONTHS for spelt in (name.capitalize(), name.upper())]
_MONTH = rf"(?P<month>{'|'.join(_NAMES)}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_BEFORE_MONTH = (
    "in of since by early late mid until last that from and during through to between before after each every".split()
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>1[6-9]\d\d|20\d\d)"
_AND_YEAR = rf"(?:,?\s+(?:of\s+)?{_YEAR})?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"\b{_MONTH}\s+{_DAY}(?![\d:]){_AND_YEAR}",
        rf"\b{_DAY}(?:\s+day)?\s+(?:of\s+)?{_MONTH}(?![a-z]){_AND_YEAR}",
        rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}\b",
        r"(?<![\w/-])(?P<number>\d{1,2})(?P<mark>[/-])(?P<day>\d{1,2})(?P=mark)(?P<year>\d{4}|\d\d)(?![\w/-])",
        rf"(?<![\w-]){_YEAR}-(?P<number>\d\d)-(?P<day>\d\d)(?![\w-])",
        rf"\b(?i:{'|'.join(_BEFORE_MONTH)})[\s-]+{_MONTH}(?![a-z])(?!\s+\d)",
    )
)
_BARE_YEAR = re.compile(
    rf"(?:(?<![\w$.,:/-])|(?<=[a-z]-)|(?<=\b\d{{4}}-)){_YEAR}(?:s\b)?(?![\w:]|[.,/]\d|-\d(?!\d{{3}}\b))"
)


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date where it stands; None for what is not said."""

    span: Span
    year: int | None = None
    month: int | None = None
    day: int | None = None

    @property
    def parts(self) -> tuple[int | None, int | None, int | None]:
        return self.year, self.month, self.day


def dates(text: str) -> list[PartialDate]:
    """The dates in a plain text, in order, none overlapping another."""
    found: list[PartialDate] = []
    for form in (*_FORMS, _BARE_YEAR):
        for match in form.finditer(text):
            start, end = match.span("month" if form is _FORMS[-1] else 0)
            if not any(start < each.span.end and each.span.start < end for each in found):
                found.append(_date(match, Span(start, end)))
    return sorted(found, key=lambda date: date.span)


class KnownDates:
    """The dates of a source, and its years wherever they stand."""

    def __init__(self, text: str) -> None:
        self._dates = dates(text)
        self._years = {int(year) for year in re.findall(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)", text)}
        self._years |= {date.year for date in self._dates if date.year}

    def doubts(self, sentence: str) -> Iterator[Doubt]:
        """The dates in a plain sentence that the source does not contain."""
        for date in dates(sentence):
            if not self._holds(date):
                yield Doubt(date.span, DoubtKind.DATE, sentence[slice(*date.span)])

    def _holds(self, date: PartialDate) -> bool:
        if date.month is None:
            return date.year in self._years
        return any(self._agree(date, known) for known in self._dates)

    def _agree(self, date: PartialDate, known: PartialDate) -> bool:
        """Whether the source's date says all that the sentence's says; a year may stand elsewhere in the source."""
        if date.month != known.month or (date.day and date.day != known.day):
            return False
        return date.year is None or known.year == date.year or (known.year is None and date.year in self._years)


def _date(match: re.Match[str], span: Span) -> PartialDate:
    groups = match.groupdict()
    year = full_year(groups["year"]) if groups.get("year") else None
    day = int(groups["day"]) if groups.get("day") else None
    if groups.get("number"):
        month: int | None = int(groups["number"])
    else:
        month = MONTH_NUMBERS[groups["month"][:3].lower()] if groups.get("month") else None
    return PartialDate(span, year, month, day)
