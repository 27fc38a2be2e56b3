"""Which words of a passage a query matched, which sentence holds most of them, and one plain line that says why the
passage was found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from briefbank.index.tokens import Token, tokenise
from briefbank.search.query import Understanding
from briefbank.values.records import Span

# Coarser than `ingest/sentences.py`, which cuts passages: here a wrong end costs no more than one line of explanation.
# A blank line ends one, and a full stop behind a word too long or too plain to be an abbreviation (`v.`, `App. Div.`).
_SENTENCE_END = re.compile(
    r"(?:\b[a-z]{2,}|\b\w{5,}|[)\]”\"’'\d])[.?!][”\"’')\]]*\s+(?=[“\"‘(\[]*[A-Z])|[?!]\s+|\n\s*\n"
)


def match(understanding: Understanding, text: str) -> tuple[tuple[Span, ...], str]:
    """Return the spans of `text` that the query's words match, in order, and why the passage was found.

    A number marks its parts and what it is a part of (`404(b)` marks `404(b)(2)` and `404`, not `404(a)`), but the
    reason counts it as found only where the passage is as precise.
    """
    numbers = {word.term: number for number, word in enumerate(understanding.words)}
    marked = set(understanding.terms)
    spans: list[Span] = []
    found: list[tuple[Token, int]] = []
    for token in tokenise(text, marked | numbers.keys()):
        held = [numbers[term] for term in token.terms if term in numbers]
        if held:
            found += [(token, number) for number in held]
        if held or token.term in marked:
            spans.append(token.span)
    if understanding.is_sample:
        held_count = len({number for _, number in found})
        return tuple(spans), f"like it in meaning; {held_count} of its {len(numbers)} most telling words"
    return tuple(spans), _reason(understanding.surfaces, found, text, is_marked=bool(spans))


def best_sentence(text: str, matches: Sequence[Span]) -> Span | None:
    """Return the sentence of `text` with the most different matched words, of equal ones the one with the most matches,
    then the first; None where nothing is matched.
    """
    ends = [end.end() for end in _SENTENCE_END.finditer(text)]
    held: dict[int, list[str]] = {}
    for match in matches:
        held.setdefault(bisect_right(ends, match.start), []).append(text[match.start : match.end].casefold())
    if not held:
        return None
    best = max(held, key=lambda number: (len(set(held[number])), len(held[number]), -number))
    bounds = [0, *ends, len(text)]
    sentence = text[bounds[best] : bounds[best + 1]]
    start = bounds[best] + len(sentence) - len(sentence.lstrip())
    return Span(start, start + len(sentence.strip()))


def _reason(surfaces: Sequence[str], found: Sequence[tuple[Token, int]], text: str, *, is_marked: bool) -> str:
    held = {number for _, number in found}
    if not held:
        return f"holds only a part of {_quoted(surfaces)}" if is_marked else "says it in other words"
    missing = [surface for number, surface in enumerate(surfaces) if number not in held]
    if missing:
        return f"holds {len(held)} of your {len(surfaces)} words, not {_quoted(missing)}"
    if len(surfaces) == 1:
        return f"holds {_quoted(surfaces)} {'once' if len(found) == 1 else f'{len(found)} times'}"
    together = "holds both your words" if len(surfaces) == 2 else "holds all your words"
    return f"{together} in one sentence" if _share_a_sentence(found, text, len(surfaces)) else together


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)


def _share_a_sentence(found: Sequence[tuple[Token, int]], text: str, count: int) -> bool:
    ends = [end.end() for end in _SENTENCE_END.finditer(text)]
    held: dict[int, set[int]] = {}
    for token, number in found:
        held.setdefault(bisect_right(ends, token.span.start), set()).add(number)
    return any(len(numbers) == count for numbers in held.values())
