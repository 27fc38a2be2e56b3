"""How near one another the words of a query stand in a passage. Knows terms and their weights, no index."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

REACH = 15
"""How many words apart two words of a query may stand and still belong together."""
_HALF = 0.5
"""Occurrences of a pair, beyond the first, that count half."""


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
        places = [(place, term) for place, term in enumerate(terms) if term in self._terms]
        for number, (place, term) in enumerate(places):
            for before, other in reversed(places[:number]):
                if place - before > REACH:
                    break
                if other != term:
                    pair = (term, other) if term < other else (other, term)
                    near[pair] = near.get(pair, 0) + 1
        found = math.fsum(self._weights[pair] * count / (count + _HALF) for pair, count in near.items())
        return found / self._total
