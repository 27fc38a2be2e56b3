"""The numbered sections of a contract, order or statute, for references such as "Clause 4.2" and "Article 32".

Most clauses of a contract have a number and no title, so that no heading tells where they begin: they are found by the
numbers at the head of paragraphs. What stands behind the heading of an exhibit or schedule counts for itself and is
not looked at. Knows text and numbers, no mentions.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from briefbank.ingest.structure.numbering import roman_value
from briefbank.law.legal_numbers import NUMBER_WORDS
from briefbank.pages.references.text import DocumentText
from briefbank.platform.regex import bounded
from briefbank.values.records import SectionKind

NOUNS = frozenset({"section", "clause", "article", "paragraph", "subsection", "subclause", "subparagraph"})
_INNER = NOUNS - {"section", "clause", "article"}
"""What counts within a section, so that another section's of the same number may be meant."""
_OPENING = bounded(
    r"(?:\A|\n|(?<=\S[ \u00a0])|(?<=\S[ \u00a0]{2}))(?P<opening>(?:(?P<noun>(?i:article|section|sec\.|clause))\s|§\s?)?"
    rf"(?P<number>\d{{1,3}}(?:\.\d{{1,3}}){{0,3}}|[IVXL]{{1,7}}|(?i:{'|'.join(NUMBER_WORDS)}))(?P<mark>[.):]?)"
    r"(?:\s|\Z|(?=\([a-z]{1,3}\)\s)|(?<=\d\.)(?=[A-Z]{3})))"
)
"""Where a section may begin: at the head of a line, or within one where the file lost its lines."""
_OPENED_BEFORE = bounded(r"(?:[.;:)\]”\"]|(?P<word>[A-Z\d][\w’'&-]*,?))[ \u00a0]{1,2}\Z")
"""In front of a section within a line: the end of another one, or of its own article's title."""
_LED_TO = frozenset(
    (
        "section sections article articles clause clauses paragraph paragraphs exhibit schedule annex appendix part"
        " rule item no form version subsection subsections class chapter title act page january february march april"
        " may june july august september october november december"
        " a an and as at by for from in into of on or per see such that the this to under with within through both"
    ).split()
)
_CONTENTS_GAP, _CONTENTS_RUN = 130, 5
"""A list of contents: so many numbers in a row, with so few characters from each to the next. Chosen, not measured."""
_IN_BRACKET = bounded(r"\([a-z]{2,} ")
"""Behind a number that is named, not set: "Sections 15.2, 15.4 (as applicable)"."""
_ANNEX = bounded(
    r"(?:\A|\n)(?P<name>(?i:exhibit|schedule|annex|appendix|attachment|addendum) [“\"]?[\w-]{1,12})[”\".:]?"
    r"(?: ?[–—-]? ?[A-Z][^\n.;]{0,60})?(?=\n|\Z)"
)
_RUNNING_HEADS = 3
"""Headings of one annex from which they are a running head, as that of an agreement that was filed as an exhibit."""
_OF_BRIEFS = frozenset({SectionKind.ARGUMENT, SectionKind.AUTHORITIES, SectionKind.QUESTIONS, SectionKind.SUMMARY})
_IN_CAPITALS = bounded(r"(?:(?i:article|section|sec\.|clause)\s)?[§\dIVXL.]+[.):]?\s+[A-Z]{4}")
_RUNNING, _RUNNING_TIMES = 24, 6
"""Characters behind a number that, where they come again so often, are the foot of a page: "17. Source: …". Chosen on
contracts whose feet were read as sections, as the next three are, not measured.
"""
_SHORTEST_PAGE = 600
"""Characters between two feet: what comes again more closely is a list."""
_FEWEST, _FEWEST_OF_CONTRACT = 5, 3
"""Numbered sections from which a document is divided by them, and one that calls itself a contract; a memorandum has
three or four. Chosen, not measured.
"""
_MOST_SKIPPED = 3
"""How far numbers may be apart that go on from one another: some are reserved, or end a line in another way."""
_TITLE = 80
_CALLS_ITSELF_ONE = bounded(
    r"\b(?i:this) (?:[A-Z][\w&-]* ){0,6}(?:Agreement|AGREEMENT|Contract|Lease|Amendment|Addendum)\b|[“\"]Agreement[”\"]"
)
_AMENDS = bounded(r"\b(?i:this) (?:[\w.]{1,12} ){0,2}(?:Amendment|AMENDMENT)\b")
_HEAD = 6_000
"""Characters in which a contract calls itself one: "This Content License Agreement (“Agreement”) is entered into"."""


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered section: the noun printed before its number ("article", or nothing), the number part by part, where it
    begins in the text. `is_loose` where it opens no line.
    """

    noun: str
    number: tuple[int, ...]
    start: int
    is_loose: bool = False


class Sections:
    """The sections of one document, by number."""

    def __init__(self, text: DocumentText) -> None:
        self._text = text
        self._known: dict[tuple[str, tuple[str, ...]], Section | None] = {}

    @cached_property
    def divide(self) -> bool:
        """Whether the document is divided by numbered sections, as contracts are and briefs are not."""
        count = sum(map(len, self._by_number.values()))
        return not self._is_brief and (count >= _FEWEST or (count >= _FEWEST_OF_CONTRACT and self._calls_itself_one))

    @cached_property
    def are_of_contract(self) -> bool:
        """Whether the document defines its terms as contracts do: it is divided by sections, or calls itself one."""
        return self.divide or (not self._is_brief and self._calls_itself_one)

    @cached_property
    def amend(self) -> bool:
        """Whether the document changes another one, whose sections it names."""
        return _AMENDS.search(self._text.text, 0, _HEAD) is not None

    @cached_property
    def first(self) -> int:
        """Where the first section begins; a list of contents stands above it."""
        return self._ordered[0].start if self._ordered else 0

    @cached_property
    def _is_brief(self) -> bool:
        return any(each.section_kind in _OF_BRIEFS for each in self._text.passages)

    @cached_property
    def _calls_itself_one(self) -> bool:
        return _CALLS_ITSELF_ONE.search(self._text.text, 0, _HEAD) is not None

    def find(self, noun: str, number: Sequence[str], at: int) -> Section | None:
        """Return the one section that a reference at an offset can mean; what is not divided further stands for its
        parts, 3(b)(v). Within an exhibit or schedule none: its sections have numbers of their own.
        """
        if at >= self._body_end:
            return None
        asked = noun, tuple(number)
        if asked not in self._known:
            self._known[asked] = self._meant(*asked)
        return self._known[asked]

    def _meant(self, noun: str, number: Sequence[str]) -> Section | None:
        counted = _parts(number)
        here = self._by_number.get(counted, [])
        found = [each for each in here if each.noun == noun] or [each for each in here if not each.noun]
        if len(counted) == 1 and (*counted, 1) in self._by_number:
            found = [each for each in found if self._is_followed(each)]
        if noun not in _INNER:
            found = [each for each in found if not each.is_loose] or found
        if any(map(str.isupper, number[len(counted) :])):  # "Section 27A" is no part of the twenty-seventh
            return None
        if len(found) <= 1:
            return found[0] if found else None
        return None if noun in _INNER else self._in_the_longest_run(found)

    def _is_followed(self, section: Section) -> bool:
        """Whether the parts of a section come next, as 4.1 behind 4; an item of a list of the same number has none."""
        at = bisect_right(self._ordered, section.start, key=lambda each: each.start)
        following = self._ordered[at].number if at < len(self._ordered) else ()
        return following[: len(section.number)] == section.number

    def _in_the_longest_run(self, found: Sequence[Section]) -> Section | None:
        """Of several sections of a number the one with a title in capitals, or whose neighbours are counted furthest:
        others are items of a list.
        """
        titled = [each for each in found if _IN_CAPITALS.match(self._text.text, each.start)]
        if len(titled) == 1:
            return titled[0]
        runs = {each: self._runs[each] for each in found if each in self._runs}
        best = max(runs.values(), default=None)
        longest = [each for each, run in runs.items() if run == best]
        return longest[0] if len(longest) == 1 else None

    @cached_property
    def _body_end(self) -> int:
        """Where the first exhibit or schedule behind a section begins."""
        found: dict[str, list[int]] = defaultdict(list)
        for match in _ANNEX.finditer(self._text.text):
            found[match["name"].lower()].append(match.start("name"))
        behind = (starts[0] for starts in found.values() if len(starts) < _RUNNING_HEADS)
        first = next((each.start for each in self._candidates), 0)
        return min((start for start in behind if start > first), default=len(self._text.text) + 1)

    def title(self, section: Section) -> str:
        """The words that a section begins with."""
        line = self._text.text[section.start : section.start + 2 * _TITLE].strip()
        first, _, rest = line.partition("\n\n")
        words = f"{first} {rest}" if _OPENING.fullmatch(first) else first
        return words if len(words) <= _TITLE else f"{words[:_TITLE].rsplit(' ', 1)[0]} …"

    @cached_property
    def _ordered(self) -> list[Section]:
        """The sections in the order of the text."""
        return sorted((each for found in self._by_number.values() for each in found), key=lambda each: each.start)

    @cached_property
    def _by_number(self) -> dict[tuple[int, ...], list[Section]]:
        """The sections by number."""
        found: dict[tuple[int, ...], list[Section]] = defaultdict(list)
        seen: set[tuple[str, tuple[int, ...]]] = set()
        candidates = [each for each in self._candidates if each.start < self._body_end]
        at_lines = {(each.noun, each.number) for each in candidates if not each.is_loose}
        for each in candidates:
            # Only what goes on from a number before it is one: lines begin with dates and sums too.
            parent, last = each.number[:-1], each.number[-1]
            steps = range(1, 2 if each.is_loose else _MOST_SKIPPED + 1)
            before = {(each.noun, (*parent, last - step)) for step in steps}
            is_below = bool(parent) and any((noun, parent) in seen for noun in ("", *NOUNS))
            # The first may stand in another form than the others, or within a line, as may the next.
            behind = {(each.noun, (*parent, last + step)) for step in range(1, _MOST_SKIPPED + 1)}
            is_first = last == 1 or (last < _MOST_SKIPPED and not behind.isdisjoint(at_lines))
            if each.is_loose:
                is_first = last == 1 and not parent
            if before & seen or is_below or is_first:
                seen.add((each.noun, each.number))
                found[each.number].append(each)
        return dict(found)

    @cached_property
    def _feet(self) -> set[int]:
        """Where a number is that of a page, with a running foot behind it."""
        behind: dict[str, list[int]] = defaultdict(list)
        for match in _OPENING.finditer(self._text.text):
            words = self._text.text[match.end() : match.end() + _RUNNING]
            if not match["noun"] and len(words.split()) > 1:
                behind[words].append(match.start("opening"))
        return {
            start
            for starts in behind.values()
            if len(starts) >= _RUNNING_TIMES and min(b - a for a, b in pairwise(starts)) > _SHORTEST_PAGE
            for start in starts
        }

    @cached_property
    def _runs(self) -> dict[Section, tuple[int, int]]:
        """How many sections are counted in the run that a section belongs to, and over how many characters."""
        runs: list[list[Section]] = []
        latest: dict[tuple[str, tuple[int, ...]], list[list[Section]]] = defaultdict(list)
        for each in self._ordered:
            of_it = latest[each.noun, each.number[:-1]]
            run = next(
                (run for run in reversed(of_it) if 0 < each.number[-1] - run[-1].number[-1] <= _MOST_SKIPPED), None
            )
            if run is None:
                run = []
                of_it.append(run)
                runs.append(run)
            run.append(each)
        return {each: (len(run), run[-1].start - run[0].start) for run in runs for each in run}

    @cached_property
    def _candidates(self) -> list[Section]:
        """What may be a section, without lists of contents and the numbers of pages."""
        return list(_without_contents([each for each in self._numbered() if each.start not in self._feet]))

    def _numbered(self) -> Iterator[Section]:
        """Where a number may open a section; for one within a line more has to speak."""
        text = self._text.text
        for match in _OPENING.finditer(text):
            is_line = not match.start() or text[match.start()] == "\n"
            has_sign = match["noun"] or match["mark"] or "." in match["number"] or "§" in (match["opening"] or "")
            if match["number"].lower() in NUMBER_WORDS and not match["noun"]:
                continue
            if _IN_BRACKET.match(text, match.end()):
                continue
            if not has_sign or (not is_line and not _opens_sentence(text, match)):
                continue
            start, number = match.start("opening"), _parts(match["number"].split("."))
            if number and self._text.passage_at(start).section_kind is not SectionKind.CONTENTS:
                noun = (match["noun"] or "").lower().replace("sec.", "section")
                yield Section(noun, number, start, not is_line)


def _without_contents(found: Sequence[Section]) -> Iterator[Section]:
    """What is left without lists of contents, in which numbers follow each other closely and come again behind them."""
    run: list[Section] = []
    for place, each in enumerate([*found, None]):
        if run and (each is None or not _is_next_in_contents(run[-1], each)):
            later = {other.number for other in found[place:]}
            is_list = len(run) >= _CONTENTS_RUN and sum(other.number in later for other in run) > len(run) // 2
            yield from () if is_list else run
            run = []
        if each is not None:
            run.append(each)


def _is_next_in_contents(one: Section, other: Section) -> bool:
    return other.start - one.start <= _CONTENTS_GAP and other.number > one.number


def _opens_sentence(text: str, match: re.Match[str]) -> bool:
    """Whether a number within a line opens a section: words with a capital behind it, and the end of others before."""
    behind = text[match.end() : match.end() + 1]
    before = _OPENED_BEFORE.search(text, max(0, match.start() - 40), match.start())
    is_deep = match["number"].count(".") > 1 and before is not None and not before["word"]
    if not (behind.isupper() or behind in '“"[(' or is_deep) or before is None:
        return False
    word = before["word"]
    if word:
        is_named = match["noun"] and match["noun"].isupper() and not word.isupper()
        return bool(is_named or "." in match["number"]) and word.lower().rstrip(",") not in _LED_TO
    return "." in match["number"] or bool(match["noun"] or match["mark"])


def _parts(printed: Sequence[str]) -> tuple[int, ...]:
    """The parts of a number that count sections: of "7(b)" the seven, of "IV" or "Four" four; none of a letter."""
    if printed and printed[0].lower() in NUMBER_WORDS:
        return (NUMBER_WORDS.index(printed[0].lower()) + 1,)
    if not printed or not printed[0].isdecimal():
        value = roman_value(printed[0]) if printed and printed[0].isupper() else 0
        return (value,) if value else ()
    parts: list[int] = []
    for part in printed:
        if not part.isdecimal():
            break
        parts.append(int(part))
    return tuple(parts[:-1] if len(parts) > 1 and not parts[-1] else parts)  # "7.0" is 7
