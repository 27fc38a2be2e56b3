"""Two runs compared query by query, with a significance test. Knows values per query, neither runs nor search."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from briefbank.judgements.evaluate.metrics import PerQuery

FloatArray = npt.NDArray[np.float64]
Interval = tuple[float, float]
"""The lower and upper bound of what holds with 95 % confidence."""

_RESAMPLES = 10_000
_BATCH = 500
"""Samples drawn at a time: of 3,000 queries some 12 MB."""
# Fixed, so that the same two runs give the same answer each time.
_SEED = 20_260_101
_LEVEL = 0.95
# Differences as small are those of rounding.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Comparison:
    """One metric of two runs, A and B, over the queries that define it in both.

    `difference` is B − A; `low` and `high` bound it with 95 % confidence (paired bootstrap over queries, percentiles);
    `p_value` is that of the two-sided paired randomisation test (Fisher; Smucker, Allan and Carterette 2007). `gained`
    and `lost` are the queries for which B is better and worse, by the size of the change.
    """

    a: float
    b: float
    difference: float
    low: float
    high: float
    p_value: float
    gained: tuple[str, ...]
    lost: tuple[str, ...]


def compare(a: PerQuery, b: PerQuery) -> dict[str, Comparison]:
    """Compare two runs metric by metric; the same two give the same answer each time."""
    return {name: _compare(a[name], b[name]) for name in a if name in b and a[name].keys() & b[name].keys()}


def mean_intervals(values: PerQuery) -> dict[str, Interval]:
    """Bound each metric's mean with 95 % confidence, over the queries that define it."""
    return {
        metric: bootstrap_interval(np.mean, np.array([each[query] for query in sorted(each)]))
        for metric, each in values.items()
        if each
    }


def ratio_interval(sums: FloatArray, counts: FloatArray) -> Interval:
    """Bound sum(sums) / sum(counts) with 95 % confidence, both by query, none of the counts 0.

    Results of one query, which resemble one another, are drawn together.
    """
    return bootstrap_interval(lambda a, b, axis=-1: a.sum(axis=axis) / b.sum(axis=axis), sums, counts)


def bootstrap_interval(
    statistic: Callable[..., Any], *columns: npt.NDArray[Any], resamples: int = _RESAMPLES, is_vectorised: bool = True
) -> Interval:
    """Bound a statistic of columns with 95 % confidence: percentiles over rows (queries or documents) drawn anew.

    Samples for which the statistic is NaN do not count.
    """
    if len(columns[0]) == 1:  # which scipy refuses
        value = float(statistic(*columns))
        return value, value
    from scipy.stats import DegenerateDataWarning, bootstrap

    random = np.random.default_rng(_SEED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateDataWarning)  # of NaN
        found = bootstrap(
            columns, statistic, n_resamples=resamples, batch=_BATCH, vectorized=is_vectorised, paired=True,
            method="percentile", rng=random,
        )  # fmt: skip
    low, high = np.nanquantile(found.bootstrap_distribution, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return float(low), float(high)


def _compare(a: Mapping[str, float], b: Mapping[str, float]) -> Comparison:
    queries = sorted(a.keys() & b.keys())
    first, second = (np.array([values[query] for query in queries]) for values in (a, b))
    change = second - first
    low, high = bootstrap_interval(np.mean, change)
    order = np.lexsort((np.arange(len(change)), -np.abs(change)))
    return Comparison(
        a=float(first.mean()),
        b=float(second.mean()),
        difference=float(change.mean()),
        low=low,
        high=high,
        p_value=_p_value(change),
        gained=tuple(queries[place] for place in order if change[place] > _EQUAL),
        lost=tuple(queries[place] for place in order if change[place] < -_EQUAL),
    )


def _p_value(change: FloatArray) -> float:
    if len(change) == 1:  # which scipy refuses
        return 1.0
    from scipy.stats import permutation_test

    random = np.random.default_rng(_SEED)
    # The changes have their signs exchanged: all ways of it where there are no more than _RESAMPLES.
    found = permutation_test(
        (change,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=_RESAMPLES,
        batch=_BATCH,
        rng=random,
    )
    return float(found.pvalue)
