"""The ways of learning that are tried, from judged questions to what a search applies.

Knows no folds and no figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from briefbank.index.learned import Card, Learned
from briefbank.judgements.learn.adapter import fit_adapter
from briefbank.judgements.learn.collection import Topic
from briefbank.judgements.learn.tuning import Tuner

_FIRMNESS = {"firm": 1e-2, "free": 1e-3}
_DENSE_WEIGHTS = (0.45, 0.75)
"""On both sides of the one delivered; finer steps are noise with some dozens of questions."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """An adapter of a firmness (None: no adapter), an encoder tuned to questions, both, or a weight of meaning against
    words (None: as it is set).
    """

    name: str
    firmness: float | None = None
    is_tuned: bool = False
    dense_weight: float | None = None


NOTHING = Recipe("as it is")


def recipes(*, can_tune: bool) -> tuple[Recipe, ...]:
    """All that is tried, from the least to the most that it changes; the first one learns nothing."""
    weights = [Recipe(f"meaning {weight}", dense_weight=weight) for weight in _DENSE_WEIGHTS]
    adapters = [Recipe(f"{how} adapter", firmness) for how, firmness in _FIRMNESS.items()]
    both = Recipe("tuned encoder and adapter", _FIRMNESS["free"], is_tuned=True)
    tuned = [Recipe("tuned encoder", is_tuned=True), both] if can_tune else []
    return NOTHING, *weights, *adapters, *tuned


def fit(tried: Sequence[Recipe], topics: Sequence[Topic], tuner: Tuner | None, seed: int) -> dict[Recipe, Learned]:
    """Fit recipes to judged questions; those of one firmness share an adapter, and all of them the tuned encoder."""
    adapters = {
        firmness: None if firmness is None else fit_adapter(topics, firmness)
        for firmness in {recipe.firmness for recipe in tried}
    }
    tuned = tuner.fit(topics, seed) if tuner and any(recipe.is_tuned for recipe in tried) else None
    return {
        recipe: Learned(
            Card(recipe.name, dense_weight=recipe.dense_weight),
            adapters[recipe.firmness],
            tuned if recipe.is_tuned else None,
        )
        for recipe in tried
    }
