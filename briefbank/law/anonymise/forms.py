"""Finds what has a form of its own: e-mail addresses, phone numbers, dockets, dates of birth, postal addresses.

`forms.toml` says how they are written, and `law/dockets.py` which dockets captions are read for. Knows single texts
only, and nothing of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from briefbank.law.anonymise.catalogue import Catalogue, found_in
from briefbank.law.dockets import COMPLAINT, DOCKET
from briefbank.values.records import Span

FORMS = Catalogue("forms.toml")
_CAPTIONED = re.compile(rf"(?<![\w§.:-])(?:{DOCKET.pattern}|{COMPLAINT.pattern})(?![\w-])", re.IGNORECASE)
"""What a caption is read for, in small letters and with a scan's gaps too; longer numbers are left to `forms.toml`."""
_DASHES = {ord(each): "-" for each in "–‑‐−"}
_DIGITS_LEAST = 5
_SHORT = re.compile(r"\d{1,2}-\d\d-\d{1,3}")
_YEAR = re.compile(r"(?:19|20)\d\d")


class Kind(StrEnum):
    """What a stretch of text tells of somebody."""

    PERSON = "person"
    ADDRESS = "address"
    DOCKET = "docket"
    BIRTH = "birth"
    PHONE = "phone"
    EMAIL = "email"


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """A stretch of text that is to go, and why."""

    span: Span
    kind: Kind


def forms_in(text: str) -> Iterator[Found]:
    """Yield what is found, kind by kind; stretches may overlap, those yielded first count."""
    text = text.translate(_DASHES)
    yield from _all("email", Kind.EMAIL, text)
    yield from _births(text)
    for group in ("address", "crossing", "home"):
        yield from _all(group, Kind.ADDRESS, text)
    yield from (Found(Span(*match.span()), Kind.DOCKET) for match in _CAPTIONED.finditer(text))
    for match in FORMS["docket"].finditer(text):
        if _is_docket(match.group()):
            yield Found(found_in(match), Kind.DOCKET)
    yield from _labelled_dockets(text)
    yield from (each for each in _all("filed", Kind.DOCKET, text) if _is_docket(text[slice(*each.span)]))
    for group in ("phone", "called"):
        yield from _all(group, Kind.PHONE, text)


def _all(group: str, kind: Kind, text: str) -> Iterator[Found]:
    return (Found(found_in(match), kind) for match in FORMS[group].finditer(text))


def _is_docket(text: str) -> bool:
    digits = sum(each.isdigit() for each in text)
    # New Jersey's appeals begin anew with every term, so their numbers are short.
    is_appeal = text.startswith(("A-", "AM-")) and digits > 0
    return (is_appeal or digits >= _DIGITS_LEAST or bool(_SHORT.fullmatch(text))) and not _is_date(text)


def _is_date(text: str) -> bool:
    parts = text.split("-")
    return len(parts) == len("mdy") and text.replace("-", "").isdigit() and bool(_YEAR.fullmatch(parts[2]))


def _labelled_dockets(text: str) -> Iterator[Found]:
    for match in chain(FORMS["labelled"].finditer(text), FORMS["labelled_short"].finditer(text)):
        if _YEAR.fullmatch(match["value"]):
            continue
        yield Found(found_in(match), Kind.DOCKET)
        end = match.end("value")
        while further := FORMS["further"].match(text, end):
            yield Found(found_in(further), Kind.DOCKET)
            end = further.end("value")


def _births(text: str) -> Iterator[Found]:
    """Dates of birth, and those that the same sentence goes on to list: `…, B. on DATE; and C. on DATE`."""
    event = FORMS["event"]
    for match in FORMS.matches("birth", text):
        if event.search(match.groupdict().get("between") or ""):
            continue
        span = found_in(match)
        yield Found(span, Kind.BIRTH)
        end = span.end
        while (further := FORMS.match_at("born_too", text, end)) and not event.search(further.group()):
            yield Found(found_in(further), Kind.BIRTH)
            end = further.end()
