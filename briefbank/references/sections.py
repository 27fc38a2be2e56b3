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
from itertools import pairwise

from briefbank.ingest.structure.numbering import roman_value
from briefbank.platform.regex import bounded
from briefbank.records import SectionKind
from briefbank.references.text import DocumentText

NOUNS = frozenset({"section", "clause", "article", "paragraph", "subsection", "subclause", "subparagraph"})
ANNEXES = frozenset({"exhibit", "schedule", "annex", "appendix", "attachment", "addendum"})
_INNER = NOUNS - {"section", "clause", "article"}
"""What counts within a section, so that another section's of the same number may be meant."""
_OPENING = bounded(
    r"(?:\A|\n|(?<=\S[ \u00a0])|(?<=\S[ \u00a0]{2}))(?P<opening>(?:(?P<noun>(?i:article|section|sec\.|clause))\s|§\s?)?"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,3}|[IVXL]{1,7})(?P<mark>[.):]?)(?:\s|\Z))"
)
"""Where a section may begin: at the head of a line, or within one where the file lost its lines."""
_OPENED_BEFORE = bounded(r"(?:[.;:)\]”\"]|(?P<word>[A-Z][\w’'&-]*,?))[ \u00a0]{1,2}\Z")
"""In front of a section within a line: the end of another one, or of its own article's title."""
_LED_TO = frozenset(
    (
        "section sections article articles clause clauses paragraph paragraphs exhibit schedule annex appendix part"
        " rule item no form version subsection subsections class chapter title act page january february march april"
        " may june july august september october november december"
    ).split()
)
_CONTENTS_GAP, _CONTENTS_RUN = 130, 5
"""A list of contents: so many numbers in a row, with so few characters from each to the next. Chosen, not measured."""
_GOES_ON = bounded(r"\s*(?:[,;)]|[a-z])")
_LETTERED = bounded(r"(?:\A|(?<=[\s.;:,]))\(?(?P<mark>[a-z]|[ivx]{1,5}|[A-Z])[).](?=\s)")
_AS_LETTER = bounded(r"[A-Za-z]|[ivx]{1,5}")
_ANNEX = bounded(
    r"(?:\A|\n|(?<=[.;:)\]”\"_] )(?=[A-Z]{4}))(?P<noun>(?i:exhibit|appendix|annex|schedule|attachment|addendum)) "
    r"[“\"(]?(?P<label>[A-Z]{1,2}|\d{1,2}|[IVX]{1,5}|(?i:one|two|three|four|five|six))(?:[-.]\d{1,2}){0,2}[”\")]?(?=[\s.:;,–—-]|\Z)"
)
_OF_BRIEFS = frozenset({SectionKind.ARGUMENT, SectionKind.AUTHORITIES, SectionKind.QUESTIONS, SectionKind.SUMMARY})
_IN_CAPITALS = bounded(r"(?:(?i:article|section|sec\.|clause)\s)?[§\dIVXL.]+[.):]?\s+[A-Z]{4}")
_RUNNING, _RUNNING_TIMES = 24, 6
"""Characters behind a number that, where they come again so often, are the foot of a page: "17. Source: …". Chosen on
contracts whose feet were read as sections, as the next three are, not measured.
"""
_SHORTEST_PAGE = 600
"""Characters between two feet: what comes again more closely is a list."""
_LIST_OF_ANNEXES = 3
"""Headings of annexes close behind one another from which they are a list of these."""
_FEWEST_OF_ANNEX = 3
"""Numbered sections of an annex from which a number that it lacks is not looked for in the others."""
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
        self._known: dict[tuple[str, tuple[str, ...], int], Section | None] = {}

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
        document. What is not divided further stands for its parts, but for parts with letters that are found in it.
        """
        if noun in ANNEXES:
            return self._annex(noun, number[0])
        annex = self._annex_at(at)
        asked = noun, tuple(number), annex if annex in self._divided else min(self._divided, default=0)
        if asked not in self._known:
            self._known[asked] = self._meant(*asked)
        return self._known[asked]

    def _meant(self, noun: str, number: Sequence[str], annex: int) -> Section | None:
        """The section that a reference in an annex means."""
        counted = _parts(number)
        found = self._looked_up(noun, counted, annex) or self._elsewhere(noun, counted, annex)
        parts = [part for each in found if (part := self._part_of(each, number))]
        if len(parts) == 1:
            return parts[0]
        if len(found) <= 1:
            return found[0] if found else None
        return None if noun in _INNER else self._in_the_longest_run(found)

    def _looked_up(self, noun: str, number: tuple[int, ...], annex: int) -> tuple[Section, ...]:
        """The sections of a number in an annex, those under the very noun where there are such."""
        here = self._by_number.get((annex, number), [])
        return tuple([each for each in here if each.noun == noun] or [each for each in here if not each.noun])

    def _elsewhere(self, noun: str, number: tuple[int, ...], annex: int) -> tuple[Section, ...]:
        """Those of a number that an annex lacks, where it is hardly divided and one of the others alone has it."""
        if sum(len(each) == 1 for at, each in self._by_number if at == annex) >= _FEWEST_OF_ANNEX:
            return ()
        found = [each for other in self._divided if other != annex and (each := self._looked_up(noun, number, other))]
        return found[0] if len(found) == 1 else ()

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

    def _part_of(self, section: Section, number: Sequence[str]) -> Section | None:
        """The part of a section that letters name, 3(b)(v); None where they name none, or none that is found in it."""
        start, end = section.start, self._end(section)
        marks = [part for part in number[len(section.number) :] if _AS_LETTER.fullmatch(part)]
        for part in marks:
            items = (each for each in _LETTERED.finditer(self._text.text, start, end) if each["mark"] == part)
            if (first := next(items, None)) is None:
                return None
            start = first.start()
        return Section(section.noun, section.number, start, section.annex) if marks else None

    def _end(self, section: Section) -> int:
        """Where the next section begins that is no part of this one."""
        depth, last = len(section.number), section.number[-1]
        parent = section.number[:-1]
        for each in self._ordered:
            goes_on = each.number[: depth - 1] == parent and len(each.number) >= depth
            is_next = goes_on and 0 < each.number[depth - 1] - last <= _MOST_SKIPPED
            if each.start > section.start and (is_next or (parent and len(each.number) < depth)):
                return each.start
        return len(self._text.text)

    def _annex(self, noun: str, label: str) -> Section | None:
        """The annex of a label, where one heading alone can be it: lists of annexes and running heads are left out."""
        headings = [each for each in self._annex_headings if each["noun"].lower() == noun and each["label"] == label]
        body = max((each.start for each in self._ordered if each.annex == min(self._divided, default=0)), default=0)
        found = headings if len(headings) == 1 else [each for each in headings if each.start() > body]
        named = {" ".join(self._text.text[each.end() : each.end() + _RUNNING].split()) for each in found}
        return Section(noun, (), found[0].start("noun"), 0) if len(named) == 1 else None

    @cached_property
    def _annex_headings(self) -> list[re.Match[str]]:
        """The headings of annexes, without lists of them."""
        text = self._text.text
        runs: list[list[re.Match[str]]] = []
        for each in _ANNEX.finditer(text):
            if _heads_annex(text, each):
                if runs and each.start() - runs[-1][-1].end() <= _CONTENTS_GAP:
                    runs[-1].append(each)
                else:
                    runs.append([each])
        return [each for run in runs if len(run) < _LIST_OF_ANNEXES for each in run]

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
    def _by_number(self) -> dict[tuple[int, tuple[int, ...]], list[Section]]:
        """The sections by annex and number."""
        found: dict[tuple[int, tuple[int, ...]], list[Section]] = defaultdict(list)
        seen: set[tuple[str, int, tuple[int, ...]]] = set()
        candidates = [each for each in self._candidates() if each[0].start not in self._feet]
        for each, is_loose in _without_contents(candidates):
            # Only what goes on from a number before it is one: lines begin with dates and sums too.
            parent, last = each.number[:-1], each.number[-1]
            steps = range(1, 2 if is_loose else _MOST_SKIPPED + 1)
            before = {(each.noun, each.annex, (*parent, last - step)) for step in steps}
            is_below = bool(parent) and any((noun, each.annex, parent) in seen for noun in ("", *NOUNS))
            if before & seen or (is_below if is_loose and parent else last == 1 or is_below):
                seen.add((each.noun, each.annex, each.number))
                found[each.annex, each.number].append(each)
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
        latest: dict[tuple[str, int, tuple[int, ...]], list[list[Section]]] = defaultdict(list)
        for each in self._ordered:
            of_it = latest[each.noun, each.annex, each.number[:-1]]
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

    def _candidates(self) -> Iterator[tuple[Section, bool]]:
        """What may be a section, and whether it stands within a line, so that more has to speak for it."""
        text = self._text.text
        for match in _OPENING.finditer(text):
            is_line = not match.start() or text[match.start()] == "\n"
            has_sign = match["noun"] or match["mark"] or "." in match["number"] or "§" in (match["opening"] or "")
            if not has_sign or (not is_line and not _opens_sentence(text, match)):
                continue
            start, number = match.start("opening"), _parts(match["number"].split("."))
            if number and self._text.passage_at(start).section_kind is not SectionKind.CONTENTS:
                noun = (match["noun"] or "").lower().replace("sec.", "section")
                yield Section(noun, number, start, self._annex_at(start)), not is_line


def _heads_annex(text: str, match: re.Match[str]) -> bool:
    """Whether the name of an annex opens it, and is no reference that begins a line."""
    return match["noun"].isupper() or not _GOES_ON.match(text, match.end())


def _without_contents(found: Sequence[tuple[Section, bool]]) -> Iterator[tuple[Section, bool]]:
    """What is left without lists of contents, in which numbers follow each other closely and come again behind them."""
    run: list[tuple[Section, bool]] = []
    for place, each in enumerate([*found, None]):
        if run and (each is None or not _is_next_in_contents(run[-1][0], each[0])):
            later = {other.number for other, _ in found[place:]}
            is_list = len(run) >= _CONTENTS_RUN and sum(other.number in later for other, _ in run) > len(run) // 2
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
    if not (behind.isupper() or behind in '“"[(') or before is None:
        return False
    word = before["word"]
    if word:
        return "." in match["number"] and word.lower() not in _LED_TO
    return "." in match["number"] or bool(match["noun"] or match["mark"])


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
    return tuple(parts[:-1] if len(parts) > 1 and not parts[-1] else parts)  # "7.0" is 7
