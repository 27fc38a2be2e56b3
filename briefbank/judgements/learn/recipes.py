"""The ways of learning that are tried, from judged questions to what a search applies, and how an adapter is fitted.

Knows no folds and no figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from briefbank.index.learned import Adapter, Card, Learned
from briefbank.judgements.learn.collection import Topic, listwise_targets
from briefbank.judgements.learn.tuning import Tuner

_SHARPNESS = 10.0
"""What cosines are multiplied with before they compete."""
_STEPS = 60
_STEP = 4e-3
_MEAN_DECAY, _SQUARE_DECAY, _LEAST = 0.9, 0.999, 1e-8

Matrix = npt.NDArray[np.floating]
Mask = npt.NDArray[np.bool_]

_FIRMNESS = {"firm": 1e-2, "free": 1e-3}
_DENSE_WEIGHTS = (0.45, 0.75)
"""On both sides of the one delivered; finer steps are noise with some dozens of questions."""


def fit_adapter(topics: Sequence[Topic], firmness: float) -> Adapter:
    """Find the adapter that brings questions nearest to what was judged relevant.

    For each question the passages of `listwise_targets` compete (softmax of their cosines), and the grades say what
    share each should have (ListNet; Cao et al. 2007). `firmness` weighs the
    squared distance of the matrix from the identity, which few questions would leave far behind. Adam (Kingma and Ba
    2015), all of it in one batch: the same topics give the same matrix.
    """
    targets = listwise_targets(topics)
    questions = targets.questions
    identity = np.eye(questions.shape[1], dtype=np.float32)
    matrix = identity
    mean: Matrix = np.zeros_like(identity)
    square: Matrix = np.zeros_like(identity)
    for step in range(1, _STEPS + 1):
        change = slope(matrix, questions, targets.passages, targets.shares, targets.competes)
        change = change + 2 * firmness * (matrix - identity)
        mean = _MEAN_DECAY * mean + (1 - _MEAN_DECAY) * change
        square = _SQUARE_DECAY * square + (1 - _SQUARE_DECAY) * change**2
        size = _STEP * np.sqrt(1 - _SQUARE_DECAY**step) / (1 - _MEAN_DECAY**step)
        matrix = (matrix - size * mean / (np.sqrt(square) + _LEAST)).astype(np.float32)
    return Adapter(matrix, questions)


def slope(matrix: Matrix, questions: Matrix, passages: Matrix, shares: Matrix, competes: Mask) -> Matrix:
    """The gradient, by the matrix, of the mean cross-entropy between shares and odds.

    `questions` and `passages` are unit vectors; `shares` and `competes` have shape (questions, passages).
    """
    moved = questions @ matrix.T
    lengths = np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), _LEAST)
    asked = moved / lengths
    logits = np.where(competes, _SHARPNESS * asked @ passages.T, -np.inf)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    error = _SHARPNESS * (odds / odds.sum(axis=1, keepdims=True) - shares) / len(questions)
    by_asked = error @ passages
    by_moved = (by_asked - asked * (by_asked * asked).sum(axis=1, keepdims=True)) / lengths
    result: Matrix = by_moved.T @ questions
    return result


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
