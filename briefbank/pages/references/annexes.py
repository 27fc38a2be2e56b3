"""The exhibits, schedules and other annexes of a document: where each begins, and which one a label means.

Lists of annexes are none, nor is a name that comes again as the running head of its pages.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from briefbank.law.legal_numbers import NUMBER_WORDS
from briefbank.platform.regex import bounded

ANNEXES = frozenset({"exhibit", "schedule", "annex", "appendix", "attachment", "addendum"})
_WORDS = "|".join(NUMBER_WORDS[:12])
LABEL = (
    rf"(?:[A-Z]|AA|BB|CC|DD|EE|FF|\d{{1,2}}(?:\.\d{{1,2}}){{0,2}}(?:\([a-z]{{1,2}}\))?|[IVX]{{1,5}}|(?i:{_WORDS}))(?!\w)"
    r"(?:-(?:\d{1,2}|[A-Z])(?!\w))?"
)
"""What an annex is called: "B", "1.1(u)", "A-1", "Two"."""
_HEADING = bounded(
    r"(?:\A|\n|(?<=\S )(?=[A-Z]))(?P<noun>(?i:exhibit|appendix|annex|schedule|attachment|addendum)) "
    rf"(?i:nos?\. ?|number )?[“\"‘'(]?(?P<label>{LABEL})(?P<sub>(?:[-.]\w{{1,4}}){{0,2}})[”\"’')]?(?=[\s.:;,–—-]|\Z)"
)
_GOES_ON = bounded(r"\s*(?:[,;)]|[a-z])")
_WORD_BEFORE = bounded(r"(?P<word>[\w’'&]*)(?P<end>[^\w\s]?) \Z")
_TITLED = bounded(r"\n\n| ?[-–—:] ")
_LED_TO = frozenset(
    "a an and as at by for from in into of on or per see such that the this to under with within".split()
)
_PART = re.compile(r"[A-Za-z]+|\d+")
_CLOSE = 130
"""Characters from one heading to the next within a list of annexes. Chosen, not measured."""
_LIST = 3
"""Headings of annexes close behind one another from which they are a list of these."""
_RUNNING = 24
"""Characters behind the name that tell two headings of one label apart."""
_TOP = 200
"""Characters in which the name stands under which the document itself was filed as an exhibit."""


class Annexes:
    """The annexes of one text, numbered from 1 in their order; 0 is what stands before the first."""

    def __init__(self, text: str) -> None:
        self._text = text

    def at(self, offset: int) -> int:
        """Return the number of the annex that an offset lies in."""
        return bisect_right(self._starts, offset)

    def is_heading(self, offset: int) -> bool:
        """Whether the name of an annex at an offset heads it or its pages, or is one of a list of them."""
        return offset in self._named

    def numbers(self, noun: str, label: str) -> list[int]:
        """Return the numbers of the annexes of a label."""
        return self._by_name.get(f"{noun} {_same(label)}", [])

    def find(self, noun: str, label: str, body_end: int) -> int | None:
        """Return where the annex of a label begins, if one heading can be it; of several one behind the body."""
        headings = [self._headings[at - 1] for at in self.numbers(noun, label)]
        if not headings:  # of annexes that are not filed a list may stand in their place
            entries = self._entries.get(f"{noun} {_same(label)}", [])
            headings = [each for each in entries if each.start() > body_end]
        found = headings if len(headings) == 1 else [each for each in headings if each.start() > body_end]
        named = {" ".join(self._text[each.end() : each.end() + _RUNNING].split()) for each in found}
        return found[0].start("noun") if len(named) == 1 else None

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, each in enumerate(self._headings, 1):
            found[_name(each)].append(number)
        return dict(found)

    @cached_property
    def _entries(self) -> dict[str, list[re.Match[str]]]:
        found: dict[str, list[re.Match[str]]] = defaultdict(list)
        for each in self._found:
            found[_name(each)].append(each)
        return dict(found)

    @cached_property
    def _starts(self) -> list[int]:
        return [each.start("noun") for each in self._headings]

    @cached_property
    def _named(self) -> frozenset[int]:
        return frozenset(each.start("noun") for each in self._found)

    @cached_property
    def _headings(self) -> list[re.Match[str]]:
        """The headings, without lists of them and running heads."""
        kept: list[re.Match[str]] = []
        own = ""
        for each in _without_lists(self._found):
            name = _name(each)
            if each.start() < _TOP:
                own = own or name
            elif name == own:
                continue
            if not kept or name != _name(kept[-1]):
                kept.append(each)
        return kept

    @cached_property
    def _found(self) -> list[re.Match[str]]:
        return [each for each in _HEADING.finditer(self._text) if not each["sub"] and self._opens(each)]

    def _opens(self, match: re.Match[str]) -> bool:
        """Whether the name of an annex opens it, and is no reference in a sentence or at the head of a line."""
        if not match.start() or match[0].startswith("\n"):
            return match["noun"].isupper() or not _GOES_ON.match(self._text, match.end())
        before = _WORD_BEFORE.search(self._text, max(0, match.start() - 40), match.start())
        if before is None or before["end"] in (",", "(", "“", '"') or before["word"].lower() in _LED_TO:
            return False
        if _GOES_ON.match(self._text, match.end()):
            return False
        if match["noun"].isupper():
            return bool(before["end"]) or not before["word"].isupper()
        is_name = before["word"][:1].isupper() or before["word"].isdecimal()
        return is_name and not before["end"] and _TITLED.match(self._text, match.end()) is not None


def _without_lists(found: Sequence[re.Match[str]]) -> Iterator[re.Match[str]]:
    runs: list[list[re.Match[str]]] = []
    for each in found:
        if runs and each.start() - runs[-1][-1].end() <= _CLOSE and _name(each) != _name(runs[-1][-1]):
            runs[-1].append(each)
        else:
            runs.append([each])
    return (each for run in runs if len(run) < _LIST for each in run)


def _name(match: re.Match[str]) -> str:
    return f"{match['noun'].lower()} {_same(match['label'])}"


def _same(label: str) -> str:
    """A label as it is compared: "ONE", "One" and "1" are the same, as are "A-1" and "A.1"."""
    words = (word.lower() for word in _PART.findall(label))
    return ".".join(str(NUMBER_WORDS.index(word) + 1) if word in NUMBER_WORDS else word for word in words)
