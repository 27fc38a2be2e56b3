"""Keywords of a profile: words that stand near each other, with a boost, written as `"change control"~5^5`.

The form is that of published work on contract review: words in quotation marks, `~` with how many words apart they may
stand, `^` with how much they count. What tells samples from everything else is
mined from them: words and pairs are weighed by how much likelier a sample holds them than a passage of the bank does.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from briefbank.errors import UsageError
from briefbank.index.term_index import TermIndex
from briefbank.index.tokens import is_telling, tokenise

_QUOTES = {ord(mark): '"' for mark in "“”„‟«»″"}
_SEPARATORS = " \t\r\n,;[]"
_KEYWORD = re.compile(
    r'(?:"(?P<phrase>[^"]++)"|(?P<word>[^\s,;"\[\]~^]++))'
    r"(?: ?~ ?(?P<reach>\d{1,3}))?(?: ?\^ ?(?P<boost>\d{1,3}(?:\.\d{1,3})?))?(?=[\s,;\[\]]|$)"
)
_MOST = 500
"""Keywords of one profile; chosen far above what people write."""

Places = Mapping[str, Sequence[int]]
"""The places of each term among the words of a text, in ascending order."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """Words that a passage holds within `reach` words of one another in any order; with no reach side by side and in
    order. `boost` is what they count. `text` is as it was written.
    """

    text: str
    terms: tuple[str, ...]
    reach: int | None = None
    boost: float = 1.0

    def is_in(self, places: Places) -> bool:
        """Whether a text whose terms stand at these places holds the keyword."""
        found = [places.get(term, ()) for term in self.terms]
        if not all(found):
            return False
        return _side_by_side(found) if self.reach is None else _within(found, self.reach)

    def __str__(self) -> str:
        reach = "" if self.reach is None else f"~{self.reach}"
        return f'"{self.text}"{reach}' + (f"^{self.boost:g}" if self.boost != 1 else "")


def read_keywords(text: str) -> tuple[Keyword, ...]:
    """Read a list of keywords, with or without brackets around it and commas between them.

    Raises:
        UsageError: a part of it is no keyword; the message repeats it.
    """
    text = text.translate(_QUOTES)
    keywords: list[Keyword] = []
    at = 0
    while at < len(text):
        if text[at] in _SEPARATORS:
            at += 1
            continue
        match = _KEYWORD.match(text, at)
        words = (match["phrase"] or match["word"]) if match else ""
        terms = tuple(token.term for token in tokenise(words))
        if match is None or not terms or len(keywords) == _MOST:
            advice = 'Write keywords like "change control"~5^5, with commas between them.'
            raise UsageError(f"This is no keyword: {text[at : at + 40]}", advice)
        reach = int(match["reach"]) if match["reach"] else None
        keywords.append(Keyword(" ".join(words.split()), terms, reach, float(match["boost"] or 1)))
        at = match.end()
    return tuple(keywords)


def write_keywords(keywords: Iterable[Keyword]) -> str:
    """Write keywords as `read_keywords` reads them."""
    return f"[{', '.join(map(str, keywords))}]"


def places_of(text: str) -> Places:
    """The places of the terms of a text, those of which a legal number is a part included."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, token in enumerate(tokenise(text)):
        for term in token.terms:
            places[term].append(place)
    return places


def _side_by_side(found: Sequence[Sequence[int]]) -> bool:
    starts = set(found[0])
    for number, places in enumerate(found[1:], start=1):
        starts &= {place - number for place in places}
    return bool(starts)


def _within(found: Sequence[Sequence[int]], reach: int) -> bool:
    """Whether one place of each lies in a stretch whose ends are at most `reach` apart."""
    for end in sorted({place for places in found for place in places}):
        last = [bisect_right(places, end) - 1 for places in found]
        if all(at >= 0 and places[at] >= end - reach for at, places in zip(last, found, strict=True)):
            return True
    return False


# Measured with `evaluate --spans` on 2,283 clauses of 183 contracts, profiles from one half run on the other: recall at
# 10 of 90.6 with 50 words, 91.0 with 100, 91.1 with 200; weighed by log-odds alone 89.6, by share and rarity 88.7.
WORDS = 100
# Measured on the same contracts: whether one holds a clause at all is told with an AUC of 0.85 by 30 pairs, 0.87 by 60.
KEYWORDS = 60
REACH = 5
"""Words apart that a mined pair may stand; as in the published keywords of contract reviews."""
_STRONGEST = 5.0
"""The boost of the most telling pair, as in the same keywords."""
_LEAST_SAMPLES = 2
_LOOKED_UP = 600
"""Pairs whose frequency in the bank is looked up, the most frequent of the samples first."""

_Pair = tuple[str, str]
_Key = TypeVar("_Key")


def telling_words(texts: Iterable[str], index: TermIndex, count: int = WORDS) -> Mapping[str, float]:
    """The terms that set texts apart, each with its weight; the weights add up to 1."""
    held = [{token.term for token in tokenise(text)} for text in texts]
    frequencies = Counter(term for terms in held for term in terms if is_telling(term) and index.holders(term) > 1)
    weights = _weighed(frequencies, len(held), index, index.holders)
    chosen = sorted(weights, key=lambda term: (-weights[term], term))[:count]
    total = math.fsum(weights[term] for term in chosen)
    return {term: weights[term] / total for term in chosen}


def mined_keywords(texts: Sequence[str], index: TermIndex, count: int = KEYWORDS) -> tuple[Keyword, ...]:
    """Pairs of words near each other that several texts hold and few passages of the bank do, the most telling first.

    How many passages hold both words anywhere stands for how many hold them near each other, which would take reading
    the whole bank: measured, it decides as well.
    """
    held = [_pairs(text) for text in texts]
    frequencies = Counter(pair for pairs in held for pair in pairs)
    frequent = sorted(frequencies, key=lambda pair: (-frequencies[pair], pair))
    several = islice((pair for pair in frequent if frequencies[pair] >= _LEAST_SAMPLES), _LOOKED_UP)

    def holders(pair: _Pair) -> int:
        return index.count_holding_all(pair)

    weights = _weighed({pair: frequencies[pair] for pair in several}, len(held), index, holders)
    chosen = sorted(weights, key=lambda pair: (-weights[pair], pair))[:count]
    forms = Counter((pair, form) for pairs in held for pair, form in pairs.items())
    keywords = []
    for pair in chosen:
        written = max((form for key, form in forms if key == pair), key=lambda form: (forms[pair, form], form))
        boost = max(round(_STRONGEST * weights[pair] / weights[chosen[0]], 1), 0.1)
        terms = tuple(token.term for token in tokenise(written))
        keywords.append(Keyword(written, terms, REACH, boost))
    return tuple(keywords)


def _weighed(
    frequencies: Mapping[_Key, int], text_count: int, index: TermIndex, holders: Callable[[_Key], int]
) -> dict[_Key, float]:
    """What is likelier in a text than in a passage, with the share of texts that hold it times its log-odds ratio."""
    weights = {}
    for key, frequency in frequencies.items():
        share = (frequency + 0.5) / (text_count + 1)
        share_of_bank = (holders(key) + 0.5) / (len(index) + 1)
        if share > share_of_bank:
            weights[key] = share * (_log_odds(share) - _log_odds(share_of_bank))
    return weights


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))


def _pairs(text: str) -> dict[_Pair, str]:
    """The pairs of telling words that stand near each other, in alphabetical order, each as it is first written."""
    words = [(place, each) for place, each in enumerate(tokenise(text)) if is_telling(each.term)]
    pairs: dict[_Pair, str] = {}
    for number, (place, word) in enumerate(words):
        for other_place, other in islice(words, number + 1, None):
            if other_place - place > REACH:
                break
            if word.term != other.term:
                pair = min(word.term, other.term), max(word.term, other.term)
                pairs.setdefault(pair, f"{word.surface} {other.surface}")
    return pairs
