"""How far a typed word is from a word that may have been meant, in tenths of a missing letter. Knows two words only."""

from __future__ import annotations

from itertools import pairwise

# What a slip costs, chosen by how often hands make it (Damerau 1964; Kernighan, Church and Gale 1990) and not fitted:
# one and the same word is rarely near two others that only these numbers tell apart.
_DOUBLING = 6
"""A letter doubled or a double letter halved: `supression`."""
_SWAP = 8
"""Two letters the wrong way round."""
_LIKELY_SUBSTITUTE = 9
"""A neighbouring key, another vowel, or a letter that sounds the same."""
_MISSED_OR_EXTRA = SPACE = 10
_SUBSTITUTE = 12
_AT_THE_START = 5
"""What a slip in the first letter costs besides: few are made there, and readers see them."""

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_ALIKE = ("aeiouy", "cks", "sz", "vf", "gj", "mn")


def _likely_pairs() -> frozenset[tuple[str, str]]:
    pairs = {(one, other) for group in _ALIKE for one in group for other in group if one != other}
    for row in _ROWS:
        pairs.update(pairwise(row))
    for upper, lower in pairwise(_ROWS):
        pairs.update(zip(upper, lower, strict=False))
        pairs.update(zip(upper[1:], lower, strict=False))
    return frozenset(pairs | {(other, one) for one, other in pairs})


_LIKELY = _likely_pairs()


def cost(typed: str, meant: str, limit: int) -> int:
    """What turns one word into the other (optimal string alignment); `limit + 1` where it costs more than `limit`."""
    start = 0
    while start < min(len(typed), len(meant)) and typed[start] == meant[start]:
        start += 1
    end = 0
    while end < min(len(typed), len(meant)) - start and typed[-1 - end] == meant[-1 - end]:
        end += 1
    first = _AT_THE_START if start == 0 and typed != meant else 0
    # One letter on either side stays, so that a doubled one is seen whichever of the two is the one too many.
    start, end = max(start - 1, 0), max(end - 1, 0)
    total = first + _aligned(typed[start : len(typed) - end], meant[start : len(meant) - end], limit - first)
    return min(total, limit + 1)


def _aligned(typed: str, meant: str, limit: int) -> int:
    before_last: list[int] = []
    last = [_MISSED_OR_EXTRA * place for place in range(len(meant) + 1)]
    for row, letter in enumerate(typed, 1):
        current = [_MISSED_OR_EXTRA * row]
        extra = _DOUBLING if row > 1 and letter == typed[row - 2] else _MISSED_OR_EXTRA
        for column, other in enumerate(meant, 1):
            missed = _DOUBLING if column > 1 and other == meant[column - 2] else _MISSED_OR_EXTRA
            best = min(
                last[column] + extra, current[column - 1] + missed, last[column - 1] + _substitute(letter, other)
            )
            is_swap = row > 1 and column > 1 and letter == meant[column - 2] and typed[row - 2] == other != letter
            current.append(min(best, before_last[column - 2] + _SWAP) if is_swap else best)
        if min(current) > limit:
            return limit + 1
        before_last, last = last, current
    return last[-1]


def _substitute(letter: str, other: str) -> int:
    if letter == other:
        return 0
    return _LIKELY_SUBSTITUTE if (letter, other) in _LIKELY else _SUBSTITUTE
