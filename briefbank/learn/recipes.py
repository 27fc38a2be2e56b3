"""The ways of learning that are tried, from judged questions to what a search applies.

Knows no folds and no figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from briefbank.index.learned import Card, Learned
from briefbank.learn.adapter import fit_adapter
from briefbank.learn.topics import Topic

_FIRMNESS = {"firm": 1e-2, "free": 1e-3}
_DENSE_WEIGHTS = (0.45, 0.75)
"""On both sides of the one delivered; finer steps are noise with some dozens of questions."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """An adapter of a firmness (None: no adapter), or a weight of meaning against words (None: as it is set)."""

    name: str
    firmness: float | None = None
    dense_weight: float | None = None


def recipes() -> tuple[Recipe, ...]:
    """All that is tried, from the least to the most that it changes; the first one learns nothing."""
    weights = tuple(Recipe(f"meaning {weight}", dense_weight=weight) for weight in _DENSE_WEIGHTS)
    adapters = tuple(Recipe(f"{how} adapter", firmness) for how, firmness in _FIRMNESS.items())
    return Recipe("as it is"), *weights, *adapters


def fit(tried: Sequence[Recipe], topics: Sequence[Topic]) -> dict[Recipe, Learned]:
    """Fit recipes to judged questions; those of one firmness share an adapter."""
    adapters = {
        firmness: None if firmness is None else fit_adapter(topics, firmness)
        for firmness in {recipe.firmness for recipe in tried}
    }
    return {
        recipe: Learned(Card(recipe.name, dense_weight=recipe.dense_weight), adapters[recipe.firmness])
        for recipe in tried
    }
