"""How far two people agree beyond chance: Cohen's kappa with its interval. Knows pairs of labels only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt

# The normal distribution's quantile of 0.975.
_Z_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Agreement:
    """`kappa` is None where it is not defined: there is nothing, or both people gave one and the same label throughout.

    `low` and `high` bound it with 95 % confidence. `observed` is the share of items on which they agree.
    """

    items: int
    observed: float
    kappa: float | None
    low: float | None
    high: float | None


def cohens_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> Agreement:
    """Cohen's (1960) kappa of the labels that two people gave to the same items.

    The interval is that of the large-sample standard error of Fleiss, Cohen and Everitt (1969), cut at ±1; with a few
    items it is too narrow to lean on.
    """
    count = len(pairs)
    if not count:
        return Agreement(0, 0.0, None, None, None)
    cells = {cell: number / count for cell, number in Counter(pairs).items()}
    first: Counter[Hashable] = Counter()
    second: Counter[Hashable] = Counter()
    for (one, other), share in cells.items():
        first[one] += share  # type: ignore[assignment]
        second[other] += share  # type: ignore[assignment]
    observed = sum(share for (one, other), share in cells.items() if one == other)
    chance = sum(first[label] * second[label] for label in first)
    if chance >= 1:
        return Agreement(count, observed, None, None, None)
    kappa = (observed - chance) / (1 - chance)
    on_diagonal = sum(
        share * (1 - (first[one] + second[one]) * (1 - kappa)) ** 2
        for (one, other), share in cells.items()
        if one == other
    )
    off_diagonal = (1 - kappa) ** 2 * sum(
        share * (second[one] + first[other]) ** 2 for (one, other), share in cells.items() if one != other
    )
    variance = on_diagonal + off_diagonal - (kappa - chance * (1 - kappa)) ** 2
    reach = _Z_95 * sqrt(max(variance, 0.0) / count) / (1 - chance)
    return Agreement(count, observed, kappa, max(kappa - reach, -1.0), min(kappa + reach, 1.0))


def quadratic_kappa(pairs: Sequence[tuple[int, int]], grades: int) -> float | None:
    """Cohen's (1968) kappa with quadratic weights for grades from 0 to `grades` - 1: 1 is full agreement, 0 chance.

    None where it is not defined: there is nothing, or chance alone would agree fully.
    """
    count = len(pairs)
    if not count:
        return None
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    observed = sum((one - other) ** 2 for one, other in pairs) / count
    chance = sum(
        (one - other) ** 2 * first[one] * second[other] for one in range(grades) for other in range(grades)
    ) / (count * count)
    return 1 - observed / chance if chance else None
