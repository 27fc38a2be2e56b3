"""The numbers that courts give to cases: how they are printed, and when two are one.

Captions are read by these, exports take out what they find, and unpublished cases are cited by them. A new form of an
appellate court is an entry of `_DOCKETS`; of other numbers of cases and files, which exports alone take out, one of
`dockets.toml`. Must not know captions, exports or citations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from briefbank.law.catalogue import Catalogue, found_in
from briefbank.law.legal_numbers import folded
from briefbank.values.records import Span

_DOCKETS = {
    # Scans part what belongs together, and clerks type as they please: gaps and small letters are read.
    "texas": r"\d{2}\s?-\s?\d{2}\s?-\s?\d{4,5}\s?-?\s?C[RV]",
    "texas_criminal": r"(?:PD|AP|WR)-\d{3,5}-\d{2}",
    "new_york": r"APL-\d{4}-\d{5}",
    "new_jersey": r"A-\s?\d{1,6}-\s?\d{2}(?:\s?T\s?\d)?",
}
"""Of appellate courts: `01-19-00417-CR`, `PD-1041-19`, `APL-2019-00417`, `A-1482-17T4`."""
DOCKET = re.compile("|".join(rf"\b(?P<{name}>{form})\b" for name, form in _DOCKETS.items()), re.IGNORECASE)
COMPLAINT = re.compile(r"\b[SW]-\d{4}-\d{6}-\d{4}\b", re.IGNORECASE)
"""The number of a New Jersey trial court's papers before there is an indictment."""
_NUMBER = r"[A-Z]{0,3}-?\d[\w.:-]*\d\w*(?:-[A-Z]{2,3}\b)*"
_LABELLED_DOCKETS = re.compile(
    r"(?:\b(?:docket|appeal|appellate\s+case|app\.?\s+div\.?\s+docket|case)\s*(?:no|number|nos|#)[.:#]*\s*"
    r"|\bcase\s+(?=\d:\d\d-)|^\W*nos?\.\s*(?=\d\d-\d))"
    rf"(?P<numbers>{_NUMBER}(?:(?:\s*[,;&]|\s+and)+\s*(?:nos?\.\s*)?{_NUMBER})*)",
    re.IGNORECASE,
)
"""What stands behind a word for a docket on a caption, whatever the court: `Docket Nos. 19-45, 19-46`.

Exports find these by `dockets.toml`, which has to tell them from prose: `in this case no 21-year-old man`.
"""
_DASH = "[-–‑]"
_COURTS_OWN = "|".join(form.replace(r"\d{3,5}", r"(?:\d\d,)?\d{3,5}").replace("-", _DASH) for form in _DOCKETS.values())
_PARTED = rf"(?:{_DASH}\s?)?"
_FEDERAL = rf"(?:\d\d?:)?\d\d{_PARTED}(?:CR|CV|MC|MJ|CRIM|CIV){_PARTED}\d{{1,6}}(?:{_DASH}[A-Z\d]{{1,5}}){{0,3}}"
CITED = rf"(?:\b(?:{_COURTS_OWN}|{_FEDERAL})(?![\w–-]))"
"""How cases are cited by their docket, ignoring case: also with other dashes and a comma (`WR-85,833-01`), and federal
trial courts' (`2:19-cr-00123-ABC`)."""
ANY_CITED = rf"(?:{CITED}|\b(?!Nos?\.)(?=\S{{0,20}}?\d\d)(?:[\w:.]{{0,20}}\w)(?:{_DASH}\s?[\w:.]{{0,20}}\w){{0,6}})"
"""As `CITED`, or any other number with two digits, for where the words before say that it is a docket."""
_ONE_CITED = re.compile(rf"(?P<own>\b(?:{_COURTS_OWN})(?![\w–-]))|{ANY_CITED}", re.IGNORECASE)
_OF_DISTRICT = re.compile(r"(?:\d{1,2}:)?(\d\d)-?(CR|CV|MC|MJ)-?(\d+).*")
_TEXAN_PARTS = re.compile(r"(\d\d)-(\d\d)-(\d+)-?(C[RV])")
NUMBERS = Catalogue("dockets.toml")
_CAPTIONED = re.compile(rf"(?<![\w§.:-])(?:{DOCKET.pattern}|{COMPLAINT.pattern})(?![\w-])", re.IGNORECASE)
"""What a caption is read for, in small letters and with a scan's gaps too; longer numbers are left to `NUMBERS`."""
_DIGITS_LEAST = 5
_SHORT = re.compile(r"\d{1,2}-\d\d-\d{1,3}")
_YEAR = re.compile(r"(?:19|20)\d\d")


def labelled_dockets(line: str) -> list[str]:
    """The numbers that a caption's line has behind a word for a docket, in capitals."""
    found = _LABELLED_DOCKETS.search(line)
    return [each.upper() for each in re.findall(_NUMBER, found["numbers"], re.IGNORECASE)] if found else []


def normal_docket(match: re.Match[str]) -> str:
    """What `DOCKET` matched, in capitals and without gaps, a Texan one with all its hyphens."""
    text = re.sub(r"\s", "", match[0]).upper()
    if match["texas"] and (parts := _TEXAN_PARTS.fullmatch(text)):
        return "-".join(parts.groups())
    return text


def docket_key(text: str) -> tuple[str, ...]:
    """Return what a number has in common with the same one as another writes it: with and without gaps, small letters,
    leading zeros or the letter of the term.
    """
    text = folded(text)
    match = DOCKET.fullmatch(text.strip())
    plain = normal_docket(match) if match else re.sub(r"\s", "", text).upper()
    return tuple(part.lstrip("0") for part in re.sub(r"T\d$", "", plain).split("-"))


def is_same_docket(one: str, other: str) -> bool:
    """Whether two numbers are one."""
    return docket_key(one) == docket_key(other)


class CitedDocket(NamedTuple):
    """A docket in a citation; `is_of_one_court` says that its form is that of one court, and the number no other's."""

    span: Span
    key: str
    is_of_one_court: bool


def cited_dockets(text: str, start: int, end: int) -> Iterator[CitedDocket]:
    """Yield the dockets in a part of a text that holds nothing else but `Nos.` and `and`."""
    for match in _ONE_CITED.finditer(text, start, end):
        number = re.sub(r"[\s,]", "", re.sub(_DASH, "-", match[0])).upper()
        if district := _OF_DISTRICT.fullmatch(number.replace("CRIM", "CR").replace("CIV", "CV")):
            number = "-".join(district.groups())
        if any(map(str.isdigit, number)):
            yield CitedDocket(Span(*match.span()), "-".join(docket_key(number)).lower(), match["own"] is not None)


def file_numbers(text: str) -> Iterator[Span]:
    """Yield the numbers of cases, files, inmates and reports; they may overlap, those yielded first count."""
    yield from (Span(*match.span()) for match in _CAPTIONED.finditer(text))
    yield from (found_in(match) for match in NUMBERS["docket"].finditer(text) if _may_be_number(match.group()))
    for match in chain(NUMBERS["labelled"].finditer(text), NUMBERS["labelled_short"].finditer(text)):
        if _YEAR.fullmatch(match["value"]):
            continue
        yield found_in(match)
        end = match.end("value")
        while further := NUMBERS["further"].match(text, end):
            yield found_in(further)
            end = further.end("value")
    filed = map(found_in, NUMBERS["filed"].finditer(text))
    yield from (span for span in filed if _may_be_number(text[slice(*span)]))


def _may_be_number(text: str) -> bool:
    digits = sum(each.isdigit() for each in text)
    # New Jersey's appeals begin anew with every term, so their numbers are short.
    is_appeal = text.startswith(("A-", "AM-")) and digits > 0
    return (is_appeal or digits >= _DIGITS_LEAST or bool(_SHORT.fullmatch(text))) and not _is_date(text)


def _is_date(text: str) -> bool:
    parts = text.split("-")
    return len(parts) == len("mdy") and text.replace("-", "").isdigit() and bool(_YEAR.fullmatch(parts[2]))
