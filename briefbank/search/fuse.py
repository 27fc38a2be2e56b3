"""Several rankings made one. Knows scores and ids, neither passages nor queries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]

RRF_K = 60


def min_max(scores: npt.NDArray[np.floating]) -> Scores:
    """Scale scores to 0..1; where all are the same, nothing tells them apart and all become 0."""
    if not len(scores):
        return np.empty(0)
    low, high = float(scores.min()), float(scores.max())
    if high == low:
        return np.zeros(len(scores))
    scaled: Scores = (scores.astype(np.float64) - low) / (high - low)
    return scaled


def mix(dense: npt.NDArray[np.floating], lexical: npt.NDArray[np.floating], dense_weight: float) -> Scores:
    """Weighted sum of min-max scaled scores of the same candidates (Lee 1997; CombSUM), shape (candidates,)."""
    return dense_weight * min_max(dense) + (1 - dense_weight) * min_max(lexical)


def reciprocal_rank_fusion(runs: Iterable[Sequence[str]], rrf_k: int = RRF_K) -> dict[str, float]:
    """Score every id of any run by its ranks (Cormack, Clarke and Buettcher 2009); in any order of runs."""
    shares: dict[str, list[float]] = {}
    for run in runs:
        for rank, identifier in enumerate(run, start=1):
            shares.setdefault(identifier, []).append(1 / (rrf_k + rank))
    return {identifier: math.fsum(each) for identifier, each in shares.items()}


def ranked(scores: Mapping[str, float]) -> list[str]:
    """The ids from the best score to the worst, ties by id."""
    return sorted(scores, key=lambda identifier: (-scores[identifier], identifier))
