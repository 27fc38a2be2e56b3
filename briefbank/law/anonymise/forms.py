"""Finds what has a form of its own: e-mail addresses, phone numbers, dates of birth, postal addresses, and the numbers
of cases and files that `law/dockets.py` knows.

`forms.toml` says how the others are written. Knows single texts only, and nothing of names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from briefbank.law.catalogue import Catalogue, found_in
from briefbank.law.dockets import file_numbers
from briefbank.values.records import Span

FORMS = Catalogue("anonymise/forms.toml")
_DASHES = {ord(each): "-" for each in "–‑‐−"}


class Kind(StrEnum):
    """What a stretch of text tells of somebody."""

    PERSON = "person"
    ADDRESS = "address"
    DOCKET = "docket"
    BIRTH = "birth"
    PHONE = "phone"
    EMAIL = "email"


@dataclass(frozen=True, slots=True, order=True)
class PersonalSpan:
    """A stretch of text that is to go, and why."""

    span: Span
    kind: Kind


def forms_in(text: str) -> Iterator[PersonalSpan]:
    """Yield what is found, kind by kind; stretches may overlap, those yielded first count."""
    text = text.translate(_DASHES)
    yield from _all("email", Kind.EMAIL, text)
    yield from _births(text)
    for group in ("address", "crossing", "home"):
        yield from _all(group, Kind.ADDRESS, text)
    yield from (PersonalSpan(span, Kind.DOCKET) for span in file_numbers(text))
    for group in ("phone", "called"):
        yield from _all(group, Kind.PHONE, text)


def _all(group: str, kind: Kind, text: str) -> Iterator[PersonalSpan]:
    return (PersonalSpan(found_in(match), kind) for match in FORMS[group].finditer(text))


def _births(text: str) -> Iterator[PersonalSpan]:
    """Dates of birth, and those that the same sentence goes on to list: `…, B. on DATE; and C. on DATE`."""
    event = FORMS["event"]
    for match in FORMS.matches("birth", text):
        if event.search(match.groupdict().get("between") or ""):
            continue
        span = found_in(match)
        yield PersonalSpan(span, Kind.BIRTH)
        end = span.end
        while (further := FORMS.match_at("born_too", text, end)) and not event.search(further.group()):
            yield PersonalSpan(found_in(further), Kind.BIRTH)
            end = further.end()
