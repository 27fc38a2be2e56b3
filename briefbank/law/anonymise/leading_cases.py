"""The leading cases of criminal law, which briefs name without saying where they are reported. Knows names only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from briefbank.law.anonymise.lexicon import lexicon, packed
from briefbank.law.citations.names import name_key, party_key, short_names
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_AHEAD = 20
_PARTY = r"[A-Z][\w.'’&-]*"
_PAIR = re.compile(r"(?!United|New|North|South|West|Rhode|Superior|Municipal|In re|Ex parte)[A-Z][a-z]+[ -][A-Z][a-z]+")
_VERSUS = bounded(
    rf"(?P<first>{_PARTY}(?:\s+(?:of\s+)?{_PARTY}){{0,5}})\s+[vV]s?\.?\s+"
    rf"(?P<second>(?:(?:New|North|South|West|Rhode|United)\s+)?[A-Z][\w'’-]*\w(?:\s+County)?)"
)


@dataclass(frozen=True, slots=True)
class LeadingCases:
    """`names` are whole (`miranda v arizona`). Short ones, of one word, are `distinctive`, or are `common` as surnames,
    first names or words; `phrases` finds those of two words (`Wong Sun`).
    """

    names: frozenset[str]
    distinctive: frozenset[str]
    common: frozenset[str]
    phrases: re.Pattern[str]

    def named_in(self, text: str, offset: int = 0) -> list[Span]:
        """Where the text names one of the cases, both parties; offsets count from `offset`."""
        found = [
            Span(offset + start, offset + match.end())
            for match in _VERSUS.finditer(text)
            for start in _starts(match["first"], match.start())
            if name_key(text[start : match.end("first")], match["second"]) in self.names
        ]
        alone = (Span(offset + match.start(), offset + match.end()) for match in self.phrases.finditer(text))
        return [*found, *(span for span in alone if not _is_led(text, span.start - offset))]


@cache
def leading_cases() -> LeadingCases:
    """The cases of `cases.txt.xz`."""
    lines = [line for line in packed("cases.txt.xz").splitlines() if line and not line.startswith("#")]
    names = frozenset(map(_key, lines))
    distinctive, common = _shorts(names)
    pairs = {party for line in lines for party in line.split(" v. ") if _PAIR.fullmatch(party)}
    phrases = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(map(re.escape, pairs)))})(?!\w)")
    return LeadingCases(names, distinctive, common, phrases)


@cache
def distinctive_names(names: frozenset[str]) -> frozenset[str]:
    """What cases, given by their whole names, go by for short if that is no common surname, first name or word."""
    return _shorts(names)[0]


def _shorts(names: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The short names of one word, distinctive and common ones."""
    lists = lexicon()
    places = {part for place in lists.places for part in place}
    shorts = {short for name in names for short in short_names(name) if " " not in short} - places - lists.terms
    common = shorts & (
        lists.common_surnames | lists.ordinary | lists.last_names | lists.first_names | lists.given_names
    )
    return frozenset(shorts - common), frozenset(common)


def _starts(party: str, start: int) -> list[int]:
    """Where the words of a party begin: what was taken for its first ones may belong to the sentence before."""
    return [start + match.start() for match in re.finditer(_PARTY, party)]


def _is_led(text: str, start: int) -> bool:
    """Whether a first name or a title stands before."""
    ahead = re.search(r"(?<!\w)(\w+)\.?\s\Z", text[max(0, start - _AHEAD) : start])
    lists = lexicon()
    return ahead is not None and ahead[1].lower() in lists.given_names | lists.first_names | lists.titles


def _key(line: str) -> str:
    first, versus, second = line.partition(" v. ")
    return name_key(first, second) if versus else party_key(line)
