"""A linear adapter of questions, fitted to judgements; the encoder and the passages' vectors stay as they are.

So a bank takes it on without encoding anything again. Knows vectors and grades, neither texts nor rankings.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from briefbank.index.learned import Adapter
from briefbank.judgements.learn.collection import Topic
from briefbank.judgements.learn.targets import listwise_targets

_SHARPNESS = 10.0
"""What cosines are multiplied with before they compete."""
_STEPS = 60
_STEP = 4e-3
_MEAN_DECAY, _SQUARE_DECAY, _LEAST = 0.9, 0.999, 1e-8

Matrix = npt.NDArray[np.floating]
Mask = npt.NDArray[np.bool_]


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
