"""Whether probabilities of being useful come true on judged results. Knows probabilities and grades, not search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np

from briefbank.judgements.evaluate.beir import Qrels
from briefbank.judgements.evaluate.compare import FloatArray, Interval, ratio_interval

Probabilities = Mapping[str, Mapping[str, float]]
"""How probably a passage is useful for a query, 0 to 1, by query id and passage id."""

_BINS = 10
_Z = 1.959964
"""The quantile of the normal distribution for 95 % confidence."""


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Judged results with a probability from `low` up to `high`: how many, their mean probability, and the share of
    them that is useful with its 95 % interval (Wilson 1927, which takes results for independent).
    """

    low: float
    high: float
    count: int
    predicted: float
    useful_share: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far predicted probabilities agree with judgements.

    `brier` is the mean squared difference between probability and outcome (Brier 1950; 0 is perfect), its interval by
    drawing queries anew; `brier_of_share` is what always predicting the share of useful results would score.
    """

    query_count: int
    result_count: int
    useful_share: float
    brier: float
    brier_interval: Interval
    brier_of_share: float
    bins: tuple[ReliabilityBin, ...]


def reliability_of(probabilities: Probabilities, qrels: Qrels, relevant_from: int) -> Reliability | None:
    """Compare the probabilities of judged results with their grades; None where no judged result has one.

    Grades from `relevant_from` are useful. What nobody judged is left out.
    """
    by_query = [
        [(value, qrels[query][passage] >= relevant_from) for passage, value in of_query.items()]
        for query, each in probabilities.items()
        if (of_query := {passage: value for passage, value in each.items() if passage in qrels.get(query, ())})
    ]
    if not by_query:
        return None
    predicted, useful = np.array([pair for pairs in by_query for pair in pairs], dtype=np.float64).T
    squared = [sum((value - is_useful) ** 2 for value, is_useful in pairs) for pairs in by_query]
    share = float(useful.mean())
    return Reliability(
        query_count=len(by_query),
        result_count=len(predicted),
        useful_share=share,
        brier=float(((predicted - useful) ** 2).mean()),
        brier_interval=ratio_interval(np.array(squared), np.array([float(len(pairs)) for pairs in by_query])),
        brier_of_share=share * (1 - share),
        bins=_bins(predicted, useful),
    )


def _bins(predicted: FloatArray, useful: FloatArray) -> tuple[ReliabilityBin, ...]:
    """Ten bins of equal width; those without a result are left out."""
    places = np.clip((predicted * _BINS).astype(int), 0, _BINS - 1)
    return tuple(
        ReliabilityBin(
            low=place / _BINS,
            high=(place + 1) / _BINS,
            count=int(here.sum()),
            predicted=float(predicted[here].mean()),
            useful_share=float(useful[here].mean()),
            interval=_wilson(float(useful[here].mean()), int(here.sum())),
        )
        for place in range(_BINS)
        if (here := places == place).any()
    )


def _wilson(share: float, count: int) -> Interval:
    spread = _Z * sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2))
    middle = share + _Z**2 / (2 * count)
    scale = 1 + _Z**2 / count
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
