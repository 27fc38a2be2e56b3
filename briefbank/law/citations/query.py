"""Finds the citations in a query: as in a brief, and by the names and numbers that the bank knows."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from briefbank.law.citations.citation import AuthorityKind
from briefbank.law.citations.docketed import dockets_in
from briefbank.law.citations.names import CaseName, case_names, name_key
from briefbank.law.citations.patterns import PatternSet
from briefbank.law.citations.reporters import cases_asked_for
from briefbank.law.legal_numbers import LOOKS_LEGAL, folded, number_key
from briefbank.values.records import Span

_NUMBER = re.compile(r"(?<![\w:.(-])\d[\w]*(?:[:.-]\w+)*(?:\s?\(\w{1,4}\))*")
_LEGAL = re.compile(LOOKS_LEGAL)
_WORD = re.compile(r"[^\W_](?:[\w'’&.-]*[\w.])?")
_VERSUS = frozenset({"v", "v.", "vs", "vs."})
_LONGEST_SIDE = 6


@dataclass(frozen=True, slots=True)
class QueryCitation:
    """A citation in a query: where, and the spellings that the bank knows it by."""

    span: Span
    keys: tuple[str, ...]
    kind: AuthorityKind


def citations_in_query(
    text: str, patterns: PatternSet, known: Callable[[str], Collection[str]]
) -> tuple[QueryCitation, ...]:
    """The citations in a query, in order.

    `known` gives, for a key or name, those that the bank holds: itself and, of a rule, its subdivisions. A reporter
    citation, rule, statute or the docket of a case that is named counts though no passage cites it; a name, a docket or
    a bare number by itself only where one does.
    """
    found: list[QueryCitation] = []
    text = folded(text)

    def add(span: Span, kind: AuthorityKind, keys: Collection[str]) -> None:
        if not span.overlaps_any(each.span for each in found):
            found.append(QueryCitation(span, tuple(dict.fromkeys(keys)), kind))

    for case, is_certain in cases_asked_for(text):
        if is_certain or known(case.key):
            add(case.span, AuthorityKind.CASE, [case.key])
    # Who types no capitals means them: most patterns begin with the name of a state.
    for law in patterns.mentions(text) or patterns.mentions(text.title()):
        named = known(law.number) if not law.family else known(law.key)
        if law.family or named:
            add(law.span, law.kind, named or [law.key])
    for start, end, key in _names(text, known):
        add(Span(start, end), AuthorityKind.CASE, [key])
    names = case_names(text)
    for name in names:
        if " v " not in name.key and known(name.key):
            add(name.span, AuthorityKind.CASE, [name.key])
    _add_numbers(text, names, known, add)
    return tuple(sorted(found, key=lambda each: each.span))


def _add_numbers(
    text: str,
    names: Sequence[CaseName],
    known: Callable[[str], Collection[str]],
    add: Callable[[Span, AuthorityKind, Collection[str]], None],
) -> None:
    """Add the dockets of a question, and the bare numbers of rules and statutes that the bank knows."""
    for docket in dockets_in(text, names):
        held = [key for each in (*docket.keys, *docket.shared) for key in known(each)]
        if held or docket.name:
            add(docket.span, AuthorityKind.CASE, held or docket.keys)
    for number in _NUMBER.finditer(text):
        if _LEGAL.search(number.group()) and (keys := known(number_key(number.group()))):
            add(Span(*number.span()), AuthorityKind.RULE, keys)


def _names(text: str, known: Callable[[str], Collection[str]]) -> list[tuple[int, int, str]]:
    """The case names that the bank knows: the most words on either side of each `v.`."""
    words = list(_WORD.finditer(text))
    found = []
    for place, word in enumerate(words):
        if word.group().lower() in _VERSUS and 0 < place < len(words) - 1:
            found += _longest(
                text, words[max(0, place - _LONGEST_SIDE) : place], words[place + 1 :][:_LONGEST_SIDE], known
            )
    return found


def _longest(
    text: str, before: list[re.Match[str]], after: list[re.Match[str]], known: Callable[[str], Collection[str]]
) -> list[tuple[int, int, str]]:
    for last in reversed(after):
        for first in before:
            key = name_key(text[first.start() : before[-1].end()], text[after[0].start() : last.end()])
            if known(key):
                return [(first.start(), last.end(), key)]
    return []
