"""Citations, case names, rules and statutes: each one in a sentence is cited by the source too. Knows no other claims.

Short forms, other spellings and fewer subdivisions are the writer's right; another page, year or subdivision is not.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from briefbank.law.citations import PatternSet, load_patterns
from briefbank.law.citations.names import CaseName, case_names
from briefbank.law.citations.reporters import CaseMention, case_mentions
from briefbank.law.grounding.numbers import amounts, value_of
from briefbank.law.grounding.plain import Doubt, DoubtKind, words
from briefbank.law.legal_numbers import NUMBER_WORDS, ORDINAL_WORDS, number_key
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_PINS = bounded(
    r"(?:(?:,?\s*(?:at\s+)?(?:pp?\.\s*)?|\s?-\s?)\*?\d{1,4}(?!\d)(?!\.?\s+[A-Z][\w.]*(?:\s?[A-Z\d][\w.]*){0,2}\s+\d)"
    r"(?:\s?(?:&\s?)?nn?\.\s?\d+)?|\s?(?:&\s?)?nn?\.\s?\d+)+"
)
_NOTES = re.compile(r"nn?\.\s?\d+")
_YEAR_BEHIND = re.compile(r"[^;()]{0,60}\((?:[^()]*?\s)?(?P<year>1[6-9]\d\d|20\d\d)[^()]*\)")
_YEAR_BEFORE = re.compile(r"\((?:[^()]*\s)?(?P<year>1[6-9]\d\d|20\d\d)\)\s*\Z")
_YEAR_IN_BRACKETS = re.compile(r"\s{0,9}\([^()]{0,40}\d{4}\)")
_NAME_REACH = 160
_LONGEST_RANGE = 60
_SECTION = bounded(
    r"(?<![\w.:-])(?P<lead>(?:§++|[Ss]ections?|[Aa]rticles?|[Aa]rts?\.|[Rr]ules?|[Cc]hapters?|R\.|CPL|CPLR|U\.?S\.?S\.?G\.?|Code|Law"
    r"|Title|[Ss]ec\.|[Ss]ubsections?|[Pp]aragraphs?|¶+)\s*+(?:§++\s*+)?)?"
    r"(?P<number>\d+(?:[A-Za-z]\d+)?[A-Za-z]?(?:[.:]\d+[A-Za-z]?)*(?:-\d+(?:[.:]\d+)*[a-z]?)?(?:(?:,?\s(?:subds?\.|subdivisions?|subsections?)\s?)?\s?\(\w{1,4}\))*)(?![\w])"
)
_ALSO = bounded(r"\s*(?:,|&|and|or|to|through|-)\s*(?:and\s+|or\s+)?")
_LOOKS_LIKE_SECTION = re.compile(r"\w\(|:|\d[A-Za-z]|\d-\d+\.|\.\d+[A-Za-z]")
_CLOCK_TIME = re.compile(r"\d{1,2}:\d\d")
_VALUE = rf"(?:[IVXL]+\b|\d{{1,2}}\b|(?i:{'|'.join(NUMBER_WORDS[:10])})\b)"
_LABELLED = re.compile(
    r"\b(?P<label>[Pp]oints?|POINTS?|[Cc]ounts?|COUNTS?|[Pp]arts?|PARTS?|[Aa]mend(?:ment)?s?\.?)\s+"
    rf"(?P<values>{_VALUE}(?:(?:,\s*|\s+)(?:and\s+|or\s+|&\s+)?{_VALUE}){{0,9}})"
)
_ORDINAL = rf"(?:\d{{1,2}}(?:st|nd|rd|th)|(?:twenty-)?(?:{'|'.join(ORDINAL_WORDS)}))"
_AMENDMENTS = re.compile(
    rf"\b(?P<values>{_ORDINAL}(?:(?:,\s*|\s+)(?:and\s+|or\s+)?{_ORDINAL}){{0,4}})\s+Amend(?:ments?|\.)", re.IGNORECASE
)
_POSSESSIVE = re.compile(r"'s\b")
_GOVERNMENTS = frozenset({"state", "people", "commonwealth", "united", "states", "the", "of", "v"})


@dataclass(frozen=True, slots=True)
class _Section:
    """What looks like the number of a section or rule; `is_sure` where its form or the words before it say so."""

    span: Span
    number: str
    is_sure: bool


class KnownAuthorities:
    """What a source cites, and where (`spans`)."""

    def __init__(self, text: str) -> None:
        cases = case_mentions(text)
        self._text = text
        self._pages: dict[tuple[str, str], set[int]] = defaultdict(set)
        self._first_pages: dict[tuple[str, str], set[int]] = defaultdict(set)
        self._years: dict[tuple[str, str], set[int]] = defaultdict(set)
        self._before: dict[tuple[str, str], set[str]] = defaultdict(set)
        for case in cases:
            self._note(case)
        self._names = [_sides(name.key) for name in _names(text)]
        self._rules: dict[str, set[str]] = defaultdict(set)
        for rule in _patterns().mentions(text):
            self._rules[rule.number].add(rule.family)
        self._numbers = {section.number for section in _sections(text)} | self._rules.keys()
        self._labels = {label for _, label in _labelled(text)}
        self.spans = _spans(text, cases)

    def doubts(self, sentence: str) -> Iterator[Doubt]:
        """The authorities in a plain sentence that the source does not cite, or not so."""
        cases = case_mentions(sentence)
        yield from self._cases(sentence, cases)
        cited = [Span(case.span.start, _cite_end(sentence, case)) for case in cases]
        rules = [each for each in _patterns().mentions(sentence) if not each.span.overlaps_any(cited)]
        for rule in rules:
            if not self._holds_rule(rule.family, rule.number):
                yield _doubt(sentence, rule.span, DoubtKind.RULE)
        yield from self._numbered(sentence, cited + [rule.span for rule in rules])

    def _cases(self, sentence: str, cases: list[CaseMention]) -> Iterator[Doubt]:
        for case in cases:
            if not self._holds_case(sentence, case):
                yield _doubt(sentence, Span(case.span.start, _cite_end(sentence, case)), DoubtKind.CITATION)
        for name in _names(sentence):
            if not self._holds_name(name.key):
                yield _doubt(sentence, name.span, DoubtKind.CASE)

    def _numbered(self, sentence: str, taken: list[Span]) -> Iterator[Doubt]:
        """Sections, and points, counts, parts and amendments."""
        for section in _sections(sentence):
            if section.is_sure and not section.span.overlaps_any(taken) and not self._holds_number(section.number):
                yield _doubt(sentence, section.span, DoubtKind.RULE)
        for span, label in _labelled(sentence):
            if label not in self._labels:
                yield _doubt(sentence, span, DoubtKind.RULE)

    def _note(self, case: CaseMention) -> None:
        text, volume = self._text, (case.volume, case.reporter)
        end = _cite_end(text, case)
        self._pages[volume].update(_pages(text[case.span.start : end], case))
        if not case.is_short:
            self._first_pages[volume].add(case.page)
        self._years[volume].update(_years(text, case.span.start, end))
        self._before[volume].update(words(text[max(0, case.span.start - _NAME_REACH) : case.span.start]))

    def _holds_case(self, sentence: str, case: CaseMention) -> bool:
        volume = case.volume, case.reporter
        if volume not in self._pages:
            return False
        if not case.is_short and case.page not in self._first_pages[volume]:
            return False
        end = _cite_end(sentence, case)
        years, known_years = _years(sentence, case.span.start, end), self._years[volume]
        if known_years and not years <= known_years:
            return False
        named = [name for name in _names(sentence) if 0 <= case.span.start - name.span.end <= 3]
        if any(not set(_own_words(name.key)) & self._before[volume] for name in named):
            return False
        return _pages(sentence[case.span.start : end], case) <= self._pages[volume]

    def _holds_name(self, key: str) -> bool:
        sides = _sides(key)
        return any(
            len(sides) == len(known) and all(_agree(one, other) for one, other in zip(sides, known, strict=True))
            for known in self._names
        )

    def _holds_rule(self, family: str, number: str) -> bool:
        families = {each for known, kinds in self._rules.items() if _covers(known, number) for each in kinds}
        if families:
            return not family or family in families or bool(families & {"", "rule"})
        return self._holds_number(number)

    def _holds_number(self, number: str) -> bool:
        return any(_covers(known, number) for known in self._numbers)


def authority_spans(sentence: str) -> list[Span]:
    """Where a plain text cites: what stands there is no number, date or name of its own."""
    return _spans(sentence, case_mentions(sentence))


def _spans(sentence: str, cases: list[CaseMention]) -> list[Span]:
    spans = [Span(case.span.start, _cite_end(sentence, case)) for case in cases]
    spans += [section.span for section in _sections(sentence) if section.is_sure]
    spans += [rule.span for rule in _patterns().mentions(sentence)]
    return spans + [span for span, _ in _labelled(sentence)]


def name_spans(sentence: str) -> list[Span]:
    """Where a plain sentence names cases."""
    return [name.span for name in _names(sentence)]


@cache
def _patterns() -> PatternSet:
    return load_patterns()


def _sections(text: str) -> list[_Section]:
    found: list[_Section] = []
    for match in _SECTION.finditer(text):
        number = number_key(match["number"])
        is_led = bool(match["lead"]) or (
            bool(found) and found[-1].is_sure and bool(_ALSO.fullmatch(text, found[-1].span.end, match.start()))
        )
        is_time = _CLOCK_TIME.fullmatch(number) and not is_led
        is_sure = is_led or (bool(_LOOKS_LIKE_SECTION.search(match["number"])) and not is_time)
        found.append(_Section(Span(*match.span()), number, is_sure))
    return found


def _names(text: str) -> list[CaseName]:
    """The case names in a text; a possessive belongs to none of them."""
    return case_names(_POSSESSIVE.sub("  ", text))


def _cite_end(text: str, case: CaseMention) -> int:
    """The end of a citation with its pages and the year in brackets behind it."""
    pins = _PINS.match(text, case.span.end)
    end = pins.end() if pins else case.span.end
    year = _YEAR_IN_BRACKETS.match(text, end)
    return year.end() if year else end


def _pages(cite: str, case: CaseMention) -> set[int]:
    """The pages of a citation, those within its ranges included: `484-85` is 484 and 485."""
    behind = _NOTES.sub("", cite[case.span.end - case.span.start :].partition("(")[0])
    pages = {case.page}
    for match in re.finditer(r"(\d+)(?:\s?-\s?(\d+))?", f"{case.page}{behind}"):
        first, last = match[1], match[2] or match[1]
        whole = int(first[: max(0, len(first) - len(last))] + last)
        pages.update(range(int(first), min(whole, int(first) + _LONGEST_RANGE) + 1))
    return pages


def _years(text: str, start: int, end: int) -> set[int]:
    within = re.search(r"\((?:[^()]*\s)?(\d{4})\)\Z", text[start:end])
    behind = within or _YEAR_BEHIND.match(text, end)
    found = {int(within[1])} if within else {int(behind["year"])} if behind else set()
    before = _YEAR_BEFORE.search(text, max(0, start - 40), start)
    return found | ({int(before["year"])} if before else set())


def _sides(key: str) -> list[list[str]]:
    return [side.split() for side in key.split(" v ")]


def _own_words(key: str) -> list[str]:
    return [word for word in key.split() if word not in _GOVERNMENTS]


def _agree(one: list[str], other: list[str]) -> bool:
    """Whether two spellings of a side are one: the shorter one is within the longer, at its beginning or end."""
    short, long = sorted((one, other), key=len)
    return bool(short) and (long[: len(short)] == short or long[-len(short) :] == short)


def _covers(known: str, number: str) -> bool:
    """Whether the source's number is this one, or a subdivision of it."""
    return known == number or (known.startswith(number) and known[len(number)] in "(.-")


def _labelled(text: str) -> Iterator[tuple[Span, tuple[str, int]]]:
    """Points, counts, parts and amendments with their numbers, however written; each of several."""
    for match in _LABELLED.finditer(text):
        for word in re.findall(r"\w+", match["values"]):
            if (value := value_of(word)) is not None:
                yield Span(*match.span()), (match["label"][:4].lower(), value)
    for match in _AMENDMENTS.finditer(text):
        for amount in amounts(match["values"]):
            yield Span(*match.span()), ("amen", int(amount.value))


def _doubt(sentence: str, span: Span, kind: DoubtKind) -> Doubt:
    return Doubt(span, kind, sentence[slice(*span)].strip(" ,"))
