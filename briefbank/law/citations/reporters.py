"""Finds citations to reporters, in full (`170 N.J. 632`) and short (`170 N.J. at 640`), by the tables of eyecite.

Only its tables and expressions are used: what it does besides (courts, judges' dates, case names) takes twenty times as
long, about 25 ms a passage. Knows single texts only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from briefbank.law.legal_numbers import case_key, reporter_key
from briefbank.values.records import Span

if TYPE_CHECKING:
    from eyecite.models import CitationToken, Edition, Token

_PLAIN = {ord(each): " " for each in "\n\t\r\f\v\u00a0\u2009\u202f"} | {0x2019: "'", 0x2018: "'"}
_PAGE = re.compile(r"\d{1,12}\Z")
_PRINTED = re.compile(
    r"[A-Z].*\.|WL\Z|.*LEXIS\Z|U\.?S\Z|NJ|[ASFP]\.?\s?[234]d\Z|[NS]\.?[EW]\.?\s?\d?d?\Z|So\s?[23]d\Z"
    r"|[A-Z][A-Za-z]+\s?[2-5](?:d|th)\Z|[A-Z][A-Za-z]+\sApp(?:\s[2-5](?:d|th))?\Z"
)
"""A reporter has a full stop, or is one of those often written without, as New York, Michigan and Oregon do (`34 NY3d
545`, `260 Or App 88`): `Thompson 3` is none."""
_NEUTRAL = "neutral"
_YEAR = re.compile(r"(?:19[89]|20[0-4])\d\Z")
_IN_A_CITATION = re.compile(r"[,;(=]\s\Z")
"""In front of a citation that nothing else tells from words and numbers: "People v Roe, 488 Mich 210"."""
_VOLUME_FIRST = r"(?:^|[^a-zA-Z0-9])((?P<volume>[1-9]\d*) "
"""How nine of ten of eyecite's expressions begin; a match of one begins a character before such a number."""
_VOLUME = re.compile(r"(?<![a-zA-Z0-9])[1-9]\d* ")
_SIGN = " §§? ?("
"""What the expressions for codes hold that eyecite tries on every text."""
_LIKELY = re.compile(r"\d(?:\s+|-)[A-Z]|[a-zA-Z.]\s*§|[A-Z][a-z]+\.\s\d")
"""What every citation that eyecite knows holds; looking for this is quick, and half of the passages have none."""


@dataclass(frozen=True, slots=True)
class CaseMention:
    """A citation to a reporter where it stands; of a short one `page` is the page referred to."""

    span: Span
    volume: str
    reporter: str
    page: int
    is_short: bool

    @property
    def key(self) -> str:
        return f"{self.volume} {self.reporter} {self.page}"


@dataclass(frozen=True, slots=True)
class LawMention:
    """A statute that eyecite knows, with its key."""

    span: Span
    key: str


Mention = TypeVar("Mention", CaseMention, LawMention)


def reporter_mentions(text: str) -> tuple[list[CaseMention], list[LawMention]]:
    """The cases and the statutes cited in a text, each in order, none overlapping another of its kind."""
    if not _LIKELY.search(text):
        return [], []
    cases: list[CaseMention] = []
    laws: list[LawMention] = []
    for token in _extractors().tokens(text.translate(_PLAIN)):
        edition = _edition_of(token)  # type: ignore[arg-type]
        source = edition.reporter.source
        groups = token.groups
        if source == "laws":
            parts = [*groups.values()]
            key = " ".join(reporter_key(part) for part in parts if part)
            laws.append(LawMention(Span(token.start, token.end), key))
        elif source == "reporters" and _is_case(token, text):  # type: ignore[arg-type]
            volume, reporter, _ = case_key(groups["volume"], edition.short_name, groups["page"]).split(" ")
            span = Span(token.start, token.end)
            cases.append(CaseMention(span, volume, reporter, int(groups["page"]), bool(token.short)))  # type: ignore[attr-defined]
    return _apart(cases), _apart(laws)


def _is_case(token: CitationToken, text: str) -> bool:
    """Whether it is a case's, and no number beside a word: a court's own citation begins with a year (`2014 CO 63`)."""
    volume, reporter, page = (token.groups.get(name) or "" for name in ("volume", "reporter", "page"))
    if not (volume.isdigit() and _PAGE.match(page)):
        return False
    if _PRINTED.match(reporter):
        return True
    if _edition_of(token).reporter.cite_type == _NEUTRAL and not _YEAR.match(volume):
        return False
    is_named_so = len(reporter) > len("MS") and _YEAR.match(volume) is not None
    return is_named_so or _IN_A_CITATION.search(text, max(token.start - 2, 0), token.start) is not None


def _edition_of(token: CitationToken) -> Edition:
    return (token.exact_editions or token.variation_editions)[0]


def _apart(mentions: Sequence[Mention]) -> list[Mention]:
    kept: list[Mention] = []
    # Last by the key: eyecite tells two reporters of one abbreviation in another order from run to run.
    for mention in sorted(mentions, key=lambda each: (each.span.start, -each.span.end, each.key)):
        if not kept or mention.span.start >= kept[-1].span.end:
            kept.append(mention)
    return kept


class _Extractors:
    """Eyecite's expressions for citations. Gives the same tokens as its `AhocorasickTokenizer`, in a fixed order and in
    a fifth of the time: that one tells expressions apart by their whole text, and tries each at every place.
    """

    def __init__(self) -> None:
        from eyecite.models import CitationToken
        from eyecite.tokenizers import EXTRACTORS, AhocorasickTokenizer

        self._every = [each for each in EXTRACTORS if each.constructor == CitationToken.from_match]
        self._begins_with_volume = [each.regex.startswith(_VOLUME_FIRST) for each in self._every]
        # No expression for citations ignores case today; one that did would have to be tried on every text.
        always = [number for number, each in enumerate(self._every) if each.flags or not each.strings]
        self._with_sign = {number for number in always if _SIGN in self._every[number].regex}
        self._always = set(always) - self._with_sign
        self._filter = AhocorasickTokenizer.make_ahocorasick_filter(
            ("".join(written.split()), number)
            for number, each in enumerate(self._every)
            if not each.flags
            for written in each.strings
        )

    def tokens(self, text: str) -> Iterator[Token]:
        """Every citation that some expression finds, those of one expression in order and apart."""
        starts = [max(match.start() - 1, 0) for match in _VOLUME.finditer(text)]
        for number in self._possible(text):
            extractor = self._every[number]
            if self._begins_with_volume[number]:
                yield from map(extractor.get_token, _matches_at(extractor.compiled_regex, text, starts))
            else:
                yield from map(extractor.get_token, extractor.get_matches(text))

    def _possible(self, text: str) -> list[int]:
        """The numbers of the expressions whose reporter stands in a text, whatever white space stands within it."""
        found = self._always | self._with_sign if "§" in text else set(self._always)
        for _, numbers in self._filter.iter("".join(text.split())):
            found.update(numbers)
        return sorted(found)


def _matches_at(regex: re.Pattern[str], text: str, starts: Sequence[int]) -> Iterator[re.Match[str]]:
    """What `finditer` yields of an expression that can begin at these places alone."""
    end = 0
    for start in starts:
        if start >= end and (match := regex.match(text, start)):
            yield match
            end = match.end()


@cache
def _extractors() -> _Extractors:
    return _Extractors()
