"""Finds the citations in a query, quickly: by patterns and by the names that the bank knows. Imports no eyecite."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from briefbank.law.citations.docketed import dockets_in
from briefbank.law.citations.names import case_names, name_key
from briefbank.law.citations.patterns import PatternSet
from briefbank.law.legal_numbers import LOOKS_LEGAL, case_key, number_key, reporter_key
from briefbank.values.records import Span

_CASE = re.compile(
    r"(?<![\w:.-])(?P<volume>\d{1,4})\s+(?P<reporter>[A-Za-z][A-Za-z.'’ ]{0,28}?"
    r"(?:\s?[234](?:d|th|nd|rd)|\s\(\d(?:st|d|th)\))?\.?),?"
    r"\s+(?:at\s+)?(?P<page>\d{1,12})\b"
)
_NUMBER = re.compile(r"(?<![\w:.(-])\d[\w]*(?:[:.-]\w+)*(?:\s?\(\w{1,4}\))*")
_LEGAL = re.compile(LOOKS_LEGAL)
_WORD = re.compile(r"[^\W_](?:[\w'’&.-]*[\w.])?")
_VERSUS = frozenset({"v", "v.", "vs", "vs."})
_LONGEST_SIDE = 6
_YEAR = re.compile(r"(?:19[89]|20[0-4])\d\Z")
_BEHIND_NAME = re.compile(r"[,(]\s*\Z")


@dataclass(frozen=True, slots=True)
class QueryCitation:
    """A citation in a query: where, and the spellings that the bank knows it by."""

    span: Span
    keys: tuple[str, ...]


def citations_in_query(
    text: str, patterns: PatternSet, known: Callable[[str], Collection[str]]
) -> tuple[QueryCitation, ...]:
    """The citations in a query, in order.

    `known` gives, for a key or name, those that the bank holds: itself and, of a rule, its subdivisions. A reporter
    citation, rule, statute or the docket of a case that is named counts though no passage cites it; a name, a docket or
    a bare number by itself only where one does.
    """
    found: list[QueryCitation] = []

    def add(start: int, end: int, keys: Collection[str]) -> None:
        span = Span(start, end)
        if not span.overlaps_any(each.span for each in found):
            found.append(QueryCitation(span, tuple(dict.fromkeys(keys))))

    for case in _CASE.finditer(text):
        key = case_key(case["volume"], case["reporter"], case["page"])
        if known(key) or _is_reporter(case):
            add(*case.span(), [key])
    for rule in patterns.mentions(text):
        named = known(rule.number) if not rule.family else known(rule.key)
        if rule.family or named:
            add(*rule.span, named or [rule.key])
    for start, end, key in _names(text, known):
        add(start, end, [key])
    for docket in dockets_in(text, case_names(text)):
        held = [key for each in (*docket.keys, *docket.shared) for key in known(each)]
        if held or docket.name:
            add(*docket.span, held or docket.keys)
    for number in _NUMBER.finditer(text):
        if _LEGAL.search(number.group()) and (keys := known(number_key(number.group()))):
            add(*number.span(), keys)
    return tuple(sorted(found, key=lambda each: each.span))


def _is_reporter(case: re.Match[str]) -> bool:
    """Whether there is such a reporter, printed with more than the full stop of `12 in. 5` or `5 min. 3`; without any
    only behind a name or a year: `People v Roe, 488 Mich 210`, `2014 CO 63`.
    """
    printed = case["reporter"]
    if "." in printed:
        is_printed = printed[0].isupper() or "." in printed[:-1] or printed[-1].isdigit()
    else:
        is_printed = printed[0].isupper() and bool(
            _YEAR.match(case["volume"]) or _BEHIND_NAME.search(case.string, 0, case.start())
        )
    return is_printed and reporter_key(printed) in _reporters()


@cache
def _reporters() -> frozenset[str]:
    """The reporters that eyecite knows, in `reporter_key`'s spelling: its own tables take 0.1 s to load."""
    return frozenset(files("briefbank.law.citations").joinpath("reporters.txt").read_text(encoding="utf-8").split())


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
