"""Keywords of a profile: words that stand near each other, with a boost, written as `"change control"~5^5`.

The form is that of published work on contract review: words in quotation marks, `~` with how many words apart they may
stand, `^` with how much they count. Must not know what is searched.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from briefbank.errors import UsageError
from briefbank.index.tokens import tokenise

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
