"""Finds dates in running text, and the one on which a document was filed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from briefbank.ingest.metadata.front import Front
from briefbank.law.dates import MONTH_NUMBERS, full_year
from briefbank.platform.regex import bounded
from briefbank.values.records import Fact, Reading

_MONTH = rf"(?P<{{0}}>{'|'.join(sorted(MONTH_NUMBERS, key=len, reverse=True))})\.?"
_DATE = bounded(
    rf"\b{_MONTH.format('m1')}\s+(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(?P<y1>\d{{4}})\b"
    rf"|\b(?P<d2>\d{{1,2}})\s*(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?{_MONTH.format('m2')}\s*,?\s+(?P<y2>\d{{4}})\b"
    r"|\b(?P<y3>\d{4})-(?P<m3>\d{2})-(?P<d3>\d{2})\b"
    r"|(?<![\d/])(?P<m4>\d{1,2})/(?P<d4>\d{1,2})/(?P<y4>\d{4}|\d{2})(?![\d/])",
    re.IGNORECASE,
)
_FIRST_YEAR, _LAST_YEAR = 1950, 2099
_LABEL = re.compile(r"\b(?:date[d]?|filed|submitted|issued|effective)\b", re.IGNORECASE)
_SERVED = re.compile(
    r"\b(?:on (?:this|the)|this|dated|date|certify|served|submitted|signed|e-?filed|delivered)\b", re.IGNORECASE
)
_CLOSED = re.compile(
    rf"\b(?:submitted|dated|signed|certif(?:y|ied)|served|executed)\b[^.]{{0,160}}?(?:{_DATE.pattern})", re.IGNORECASE
)
_SIGNED = re.compile(r"respectfully\s+submitted|^\s*/s/|\bcertificate\s+of\s+service\b", re.IGNORECASE)
_SIGNED_REACH = 14
"""Lines around a signature in which its date stands."""
_CLOSING_LINES = 40
"""Lines at the end of a document in which it says when it was signed or served. Chosen, not measured."""


def dates_in(text: str) -> Iterator[date]:
    """Yield the dates of a text in their order; impossible ones are passed over."""
    for match in _DATE.finditer(text):
        for number in "1234":
            year = match[f"y{number}"]
            if year is None:
                continue
            month = match[f"m{number}"]
            value = _date(year, MONTH_NUMBERS.get(month.lower(), 0) or month, match[f"d{number}"])
            if value is not None:
                yield value


def _date(year: str, month: str | int, day: str) -> date | None:
    try:
        value = date(full_year(year), int(month), int(day))
    except ValueError:
        return None
    return value if _FIRST_YEAR <= value.year <= _LAST_YEAR else None


def find_filed(front: Front, reading: Reading) -> Fact | None:
    """The filing date: of the clerk's stamp, else of the cover, the signature, or the certificate of service."""
    for stamp in front.stamps:
        for value in dates_in(stamp.text):
            return Fact(value.isoformat(), f"{stamp.word.lower()} stamp, page {_first_page(reading)}")
    return _on_cover(front, reading) or _at_signature(reading) or _in_closing(reading)


def _first_page(reading: Reading) -> int:
    return next((page.number for page in reading.pages if page.lines), 1)


def _on_cover(front: Front, reading: Reading) -> Fact | None:
    """A labelled date ("Dated: …"), or a line that is nothing but a date."""
    labelled = [line for line in front.cover if _LABEL.search(line)]
    bare = [line for line in front.cover if _DATE.fullmatch(line.strip(" .,;"))]
    for line in (*labelled, *bare):
        for value in dates_in(line):
            return Fact(value.isoformat(), f"cover, page {_first_page(reading)}")
    return None


def _at_signature(reading: Reading) -> Fact | None:
    """The date by the first signature from the end that has one; of several signatures the brief's own comes first."""
    for page in reversed(reading.pages[1:] if len(reading.pages) > 1 else reading.pages):
        lines = [line.text for line in page.lines]
        for number, line in enumerate(lines):
            if not _SIGNED.search(line):
                continue
            near = " \n ".join(lines[max(0, number - 4) : number + _SIGNED_REACH])
            value = max((each for each in dates_in(near) if _is_said_to_sign(near, each)), default=None)
            if value is not None:
                return Fact(value.isoformat(), f"signature, page {page.number}")
    return None


def _is_said_to_sign(text: str, value: date) -> bool:
    """Whether the date stands alone on its line, or behind a word that signs or serves."""
    for match in _DATE.finditer(text):
        if next(dates_in(match[0]), None) != value:
            continue
        line_start = text.rfind("\n", 0, match.start()) + 1
        if (
            _SERVED.search(text[max(0, match.start() - 120) : match.start()])
            or not text[line_start : match.start()].strip()
        ):
            return True
    return False


def _in_closing(reading: Reading) -> Fact | None:
    """The date of a closing sentence that submits or signs, where nothing else dates the document."""
    lines = [(page.number, line.text) for page in reading.pages for line in page.lines][-_CLOSING_LINES:]
    text = " ".join(line for _, line in lines)
    closing = list(_CLOSED.finditer(text))
    if not closing:
        return None
    value = next(dates_in(closing[-1][0]), None)
    return Fact(value.isoformat(), f"closing text, page {lines[-1][0]}") if value else None
