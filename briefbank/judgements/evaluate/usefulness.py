"""Whether what a search says of its results comes true on judged ones: their probabilities, and what is on point.

Knows passage ids and grades, nothing of search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from briefbank.judgements.evaluate.beir import Qrels
from briefbank.judgements.evaluate.compare import FloatArray, Interval, ratio_interval

Probabilities = Mapping[str, Mapping[str, float]]
"""How probably a passage is useful for a query, 0 to 1, by query id and passage id."""

_BINS = 10


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
    from scipy.stats import binomtest

    def wilson(useful_count: int, count: int) -> Interval:
        low, high = binomtest(useful_count, count).proportion_ci(method="wilson")
        return float(low), float(high)

    places = np.clip((predicted * _BINS).astype(int), 0, _BINS - 1)
    return tuple(
        ReliabilityBin(
            low=place / _BINS,
            high=(place + 1) / _BINS,
            count=int(here.sum()),
            predicted=float(predicted[here].mean()),
            useful_share=float(useful[here].mean()),
            interval=wilson(int(useful[here].sum()), int(here.sum())),
        )
        for place in range(_BINS)
        if (here := places == place).any()
    )


@dataclass(frozen=True, slots=True)
class BandFigures:
    """Shares, 0 to 1. `precision`: of the judged results on point, how many are useful; its 95 % interval is by drawing
    queries anew. `coverage`: of the `answerable_count` queries with a useful passage, how many have a result on point.
    `best_useful`: of how many of these the best match is useful. Which passage newest first shows first cannot be told:
    the passages of a collection have no dates.
    """

    on_point_count: int
    precision: float
    precision_interval: Interval
    answerable_count: int
    coverage: float
    best_useful: float


def band_figures(
    on_point: Mapping[str, Sequence[str]], ranking: Mapping[str, Sequence[str]], qrels: Qrels, relevant_from: int
) -> BandFigures | None:
    """Count passages on point by query, and useful best matches; None where nothing judged is on point.

    What nobody judged is left out of `precision`, and counts as not useful in `best_useful`.
    """
    judged = {
        query: [qrels[query][each] >= relevant_from for each in found if each in qrels[query]]
        for query, found in on_point.items()
    }
    judged = {query: each for query, each in judged.items() if each}
    if not judged:
        return None
    useful = np.array([float(sum(each)) for each in judged.values()])
    counts = np.array([float(len(each)) for each in judged.values()])
    answerable = [query for query, grades in qrels.items() if max(grades.values(), default=0) >= relevant_from]
    return BandFigures(
        on_point_count=int(counts.sum()),
        precision=float(useful.sum() / counts.sum()),
        precision_interval=ratio_interval(useful, counts),
        answerable_count=len(answerable),
        coverage=sum(bool(on_point.get(query)) for query in answerable) / max(len(answerable), 1),
        best_useful=sum(
            qrels[query].get(best, 0) >= relevant_from for query in answerable for best in ranking.get(query, ())[:1]
        )
        / max(len(answerable), 1),
    )
