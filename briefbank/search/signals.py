"""What the text of a passage says beyond its scores: how near the query's words stand, and whether it argues law.

`rank` reads both of the best candidates and adds a little for each. Knows terms and words, neither index nor scores.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import combinations, compress

# Chosen on 22 November 2026, not measured by itself. A reach of 4 gained 0.7 points of NDCG@10 in a trial on 70 judged
# queries, which is within noise.
REACH = 15
"""How many words apart two words of a query may stand and still belong together."""
# Chosen, not measured: a pair that stands near once counts 2/3, twice 4/5, and never more than 1.
_HALF = 0.5
"""Occurrences of a pair, beyond the first, that count half."""

# References to transcripts and appendices as the states print them, and testimony set out as question and answer. Every
# branch begins with a letter, which `re` looks for first: several times as fast as a word boundary.
_RECORD = re.compile(
    r"R(?<![A-Za-z.]R)\.?R\.?(?=[\s:)\d])|C(?<!\wC)\.?R\.?\s(?:at\s)?\d|T(?<=\dT)\s?\d|T(?<!\wT)r\.\s?(?:at\s)?\d"
    r"|N(?<!\wN)\.?T\.\s?(?:at\s)?\d|R(?<!\wR)P\s\d|[DP](?<!\w[DP])c?a\s?\d|[AR](?<!\w[AR])a\s?\d"
    r"|Q(?<!\wQ)[.:]\s|A(?<=[?.] A)[.:]\s|THE (?:COURT|WITNESS|DEFENDANT|STATE):|M[RS]S?\. [A-Z]{2,}:"
)
_REASONING = frozenset(
    """court courts held hold holds holding rule rules ruling standard test doctrine exception statute statutes law
    require requires required requirement must may whether unless therefore thus however because although under see cf
    review reviewed appellate""".split()
)
# The three below were chosen on 22 November 2026; none was measured by itself. What the whole bonus won: `rank.py`.
_RECORD_FULL = 0.02
"""References to the record per word at which a passage is all record."""
_REASONING_FULL = 0.08
"""Share of words of reasoning at which a passage argues as a brief does."""
_REASONING_MOST = 1.5
"""Where more reasoning adds nothing."""


class Proximity:
    """The pairs of a query's words, each weighing as much as the lighter of its words."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._terms = frozenset(weights)
        self._weights = {
            (min(one, other), max(one, other)): min(weights[one], weights[other])
            for one, other in combinations(weights, 2)
        }
        self._total = math.fsum(self._weights.values())

    def closeness(self, terms: Sequence[str]) -> float:
        """The share, 0 to 1, of the pairs that stand near one another somewhere among the terms of a passage, in order.

        More occurrences of a pair add less and less, as in the sequential dependence model (Metzler and Croft 2005),
        here over all pairs instead of neighbours only.
        """
        if not self._total:
            return 0.0
        near: dict[tuple[str, str], int] = {}
        places = list(compress(enumerate(terms), map(self._terms.__contains__, terms)))
        for number, (place, term) in enumerate(places):
            for before, other in reversed(places[:number]):
                if place - before > REACH:
                    break
                if other != term:
                    pair = (term, other) if term < other else (other, term)
                    near[pair] = near.get(pair, 0) + 1
        found = math.fsum(self._weights[pair] * count / (count + _HALF) for pair, count in near.items())
        return found / self._total


def argument_style(text: str, surfaces: Sequence[str]) -> float:
    """From −1 (all record) to 1.5 (dense with legal reasoning); `surfaces` are the folded words of the text.

    A defender looks for argument and authority. Testimony and narration repeat the words of a question without
    answering it, also in the middle of an argument, where the kind of the section cannot tell.
    """
    if not surfaces:
        return 0.0
    record = len(_RECORD.findall(text)) / len(surfaces)
    reasoning = sum(map(_REASONING.__contains__, surfaces)) / len(surfaces)
    return min(reasoning / _REASONING_FULL, _REASONING_MOST) - min(record / _RECORD_FULL, 1.0)
