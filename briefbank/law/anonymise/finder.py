"""All that is found in the texts of one document, of every kind. Must not know what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from briefbank.law.anonymise.citing import cited_in
from briefbank.law.anonymise.forms import forms_in
from briefbank.law.anonymise.people import people_in
from briefbank.law.anonymise.pseudonyms import name_parts
from briefbank.law.anonymise.values import Found, Kind
from briefbank.law.citations import PatternSet, load_patterns
from briefbank.records import Span


@dataclass(frozen=True, slots=True)
class Findings:
    """What tells who people are, text by text, in order and without overlaps; and the names of the cases cited."""

    found: tuple[tuple[Found, ...], ...]
    case_names: frozenset[str]


def find_personal(
    texts: Sequence[str], *, known: Iterable[str] = (), case_names: frozenset[str] = frozenset()
) -> Findings:
    """Find what tells who people are in the texts of one document, which are in reading order.

    `known` are names known from elsewhere: the document's author, parties named in other documents; `case_names` are
    cases cited elsewhere, as `state v carty`.
    """
    known = list(known)
    cited = cited_in(texts, _patterns(), case_names, frozenset(part for name in known for part in name_parts(name)))
    forms = [_apart(text, spans) for text, spans in zip(texts, cited.spans, strict=True)]
    people = people_in(texts, cited, [[each.span for each in found] for found in forms], known)
    found = (
        tuple(sorted([*of_form, *(Found(span, Kind.PERSON) for span in names)]))
        for of_form, names in zip(forms, people, strict=True)
    )
    return Findings(tuple(found), cited.case_names)


def _apart(text: str, kept: Sequence[Span]) -> list[Found]:
    found: list[Found] = []
    taken = list(kept)
    for each in forms_in(text):
        if not each.span.overlaps_any(taken):
            found.append(each)
            taken.append(each.span)
    return found


@cache
def _patterns() -> PatternSet:
    return load_patterns()
