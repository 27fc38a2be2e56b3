"""From which strength on a category is told of a document, fitted on other documents than it is used on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

Key = tuple[str, str]
"""A document's file and a category."""


def fitted(cases: Sequence[tuple[str, str, float, bool]]) -> dict[Key, float]:
    """The threshold of each case, given as file, category, strength, and whether the category is there.

    Documents are dealt into two halves by a digest of their names. A category's threshold is the one with the best F1
    over documents of the other half; of equally good ones the lowest.
    """
    thresholds: dict[Key, float] = {}
    for category in sorted({each[1] for each in cases}):
        of_category = [each for each in cases if each[1] == category]
        for half in (0, 1):
            threshold = best_threshold((each[2], each[3]) for each in of_category if _half(each[0]) != half)
            thresholds |= {(each[0], category): threshold for each in of_category if _half(each[0]) == half}
    return thresholds


def best_threshold(seen: Iterable[tuple[float, bool]]) -> float:
    """The strength from which on telling has the best F1; 0, which tells always, where nothing was there to be told."""
    ordered = sorted(seen, reverse=True)
    there = sum(is_there for _, is_there in ordered)
    best, threshold, found = 0.0, 0.0, 0
    for count, (strength, is_there) in enumerate(ordered, start=1):
        found += is_there
        is_last = count == len(ordered) or ordered[count][0] < strength
        value = 2 * found / (count + there) if there else 0.0
        if is_last and value >= best and value > 0:
            best, threshold = value, strength
    return threshold


def _half(file: str) -> int:
    return hashlib.sha256(file.encode()).digest()[0] % 2
