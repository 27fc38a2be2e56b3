"""The numbered sections of a contract, order or statute, for references such as "Clause 4.2" and "Article 32".

Most clauses of a contract have a number and no title, so that no heading tells where they begin: they are found by the
numbers at the head of paragraphs. Exhibits and schedules count by themselves. Knows text and numbers, no mentions.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from briefbank.ingest.structure.numbering import roman_value
from briefbank.platform.regex import bounded
from briefbank.records import SectionKind
from briefbank.references.text import DocumentText

NOUNS = frozenset({"section", "clause", "article"})
_OPENING = bounded(
    r"(?:\A|\n|(?<=[.;:)\]”\"] ))(?P<opening>(?:(?P<noun>(?i:article|section|sec\.|clause))\s|§\s?)?"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,3}|[IVXL]{1,7})(?P<mark>[.):]?)(?:\s|\Z))"
)
"""Where a section may begin: at the head of a line, or behind a full stop where the file lost its lines."""
_ANNEX = bounded(
    r"(?:\A|\n)(?i:exhibit|appendix|annex|schedule|attachment|addendum) "
    r"[“\"(]?(?:[A-Z]{1,2}|\d{1,2}|[IVX]{1,5}|(?i:one|two|three|four|five|six))(?:[-.]\d{1,2}){0,2}[”\")]?(?=[\s.:;,–—-]|\Z)"
)
_OF_BRIEFS = frozenset({SectionKind.ARGUMENT, SectionKind.AUTHORITIES, SectionKind.QUESTIONS, SectionKind.SUMMARY})
_FEWEST = 5
"""Numbered sections from which a document is divided by them; a memorandum has three or four. Chosen, not measured."""
_MOST_SKIPPED = 3
"""How far numbers may be apart that go on from one another: some are reserved, or end a line in another way."""
_TITLE = 80
_CALLS_ITSELF_ONE = bounded(
    r"\b(?i:this) (?:[A-Z][\w&-]* ){0,6}(?:Agreement|AGREEMENT|Contract|Lease|Amendment|Addendum)\b|[“\"]Agreement[”\"]"
)
_HEAD = 6_000
"""Characters in which a contract calls itself one: "This Content License Agreement (“Agreement”) is entered into"."""


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered section: the noun printed before its number ("article", or nothing), the number part by part, where it
    begins in the text, and in which annex, 0 for the document itself.
    """

    noun: str
    number: tuple[int, ...]
    start: int
    annex: int


class Sections:
    """The sections of one document, by number."""

    def __init__(self, text: DocumentText) -> None:
        self._text = text
        self._known: dict[tuple[str, tuple[int, ...], int], Section | None] = {}

    @cached_property
    def divide(self) -> bool:
        """Whether the document is divided by numbered sections, as contracts are and briefs are not."""
        if any(each.section_kind in _OF_BRIEFS for each in self._text.passages):
            return False
        return sum(map(len, self._by_number.values())) >= _FEWEST

    @cached_property
    def are_of_contract(self) -> bool:
        """Whether the document defines its terms as contracts do: it is divided by sections, or calls itself one."""
        if self.divide:
            return True
        is_brief = any(each.section_kind in _OF_BRIEFS for each in self._text.passages)
        return not is_brief and _CALLS_ITSELF_ONE.search(self._text.text, 0, _HEAD) is not None

    def find(self, noun: str, number: Sequence[str], at: int) -> Section | None:
        """Return the one section that a reference at an offset can mean: in the annex that it stands in, else in the
        document itself where that annex has no sections. What is not divided further stands for its parts.
        """
        annex = self._annex_at(at)
        annex = annex if annex in self._divided else min(self._divided, default=0)
        asked = noun, _parts(number), annex
        if asked not in self._known:
            self._known[asked] = self._looked_up(*asked)
        return self._known[asked]

    def _looked_up(self, noun: str, number: tuple[int, ...], annex: int) -> Section | None:
        while number:
            here = self._by_number.get((annex, number), [])
            if here:
                named = [each for each in here if each.noun == noun] or [each for each in here if not each.noun]
                return named[0] if len(named) == 1 else None
            if number[:-1] in self._divided.get(annex, ()):
                return None
            number = number[:-1]
        return None

    def title(self, section: Section) -> str:
        """The words that a section begins with."""
        line = self._text.text[section.start : section.start + 2 * _TITLE].strip()
        first, _, rest = line.partition("\n\n")
        words = f"{first} {rest}" if _OPENING.fullmatch(first) else first
        return words if len(words) <= _TITLE else f"{words[:_TITLE].rsplit(' ', 1)[0]} …"

    @cached_property
    def _by_number(self) -> dict[tuple[int, tuple[int, ...]], list[Section]]:
        """The sections by annex and number."""
        found: dict[tuple[int, tuple[int, ...]], list[Section]] = defaultdict(list)
        seen: set[tuple[str, int, tuple[int, ...]]] = set()
        for each in self._candidates():
            # Only what goes on from a number before it is one: lines begin with dates and sums too.
            steps = (each.number[-1] - step for step in range(1, _MOST_SKIPPED + 1))
            before = {(each.noun, each.annex, (*each.number[:-1], step)) for step in steps}
            if each.number[-1] == 1 or before & seen:
                seen.add((each.noun, each.annex, each.number))
                found[each.annex, each.number].append(each)
        return dict(found)

    @cached_property
    def _divided(self) -> dict[int, set[tuple[int, ...]]]:
        """By annex the numbers that have sections below them, () for the annex itself."""
        divided: dict[int, set[tuple[int, ...]]] = defaultdict(set)
        for annex, number in self._by_number:
            divided[annex] |= {(), number[:-1]}
        return dict(divided)

    @cached_property
    def _annexes(self) -> list[int]:
        return [match.start() for match in _ANNEX.finditer(self._text.text)]

    def _annex_at(self, offset: int) -> int:
        return bisect_right(self._annexes, offset)

    def _candidates(self) -> Iterator[Section]:
        text = self._text.text
        for match in _OPENING.finditer(text):
            is_line = not match.start() or text[match.start()] == "\n"
            has_sign = match["noun"] or match["mark"] or "." in match["number"] or "§" in match["opening"]
            if not has_sign or (not is_line and not _opens_sentence(text, match)):
                continue
            start, number = match.start("opening"), _parts(match["number"].split("."))
            if number and self._text.passage_at(start).section_kind is not SectionKind.CONTENTS:
                noun = (match["noun"] or "").lower().replace("sec.", "section")
                yield Section(noun, number, start, self._annex_at(start))


def _opens_sentence(text: str, match: re.Match[str]) -> bool:
    """Whether a number within a line opens a section: a noun or several parts, and words behind it."""
    behind = text[match.end() : match.end() + 1]
    return ("." in match["number"] or bool(match["noun"])) and (behind.isalpha() or behind in '“"[(')


def _parts(printed: Sequence[str]) -> tuple[int, ...]:
    """The parts of a number that count sections: of "7(b)" the seven, of "IV" four; none where it is a letter."""
    if not printed or not printed[0].isdecimal():
        value = roman_value(printed[0]) if printed and printed[0].isupper() else 0
        return (value,) if value else ()
    parts: list[int] = []
    for part in printed:
        if not part.isdecimal():
            break
        parts.append(int(part))
    return tuple(parts)
