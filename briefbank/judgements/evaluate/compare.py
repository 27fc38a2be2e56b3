"""Two runs compared query by query, with a significance test. Knows values per query, neither runs nor search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from briefbank.judgements.evaluate.metrics import PerQuery

FloatArray = npt.NDArray[np.float64]
Interval = tuple[float, float]
"""The lower and upper bound of what holds with 95 % confidence."""

_RESAMPLES = 10_000
_SEED = 20_260_101
_LEVEL = 0.95
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
    """Bound each metric's mean with 95 % confidence (bootstrap over the queries that define it, percentiles)."""
    together: dict[tuple[str, ...], list[str]] = {}
    for metric, each in values.items():
        together.setdefault(tuple(sorted(each)), []).append(metric)
    intervals: dict[str, Interval] = {}
    for queries, metrics in together.items():
        if queries:
            columns = np.array([[values[metric][query] for metric in metrics] for query in queries])
            means = _resampled_sums(columns) / len(queries)
            intervals |= {metric: bounds(means[:, place]) for place, metric in enumerate(metrics)}
    return intervals


def ratio_interval(sums: FloatArray, counts: FloatArray) -> Interval:
    """Bound sum(sums) / sum(counts) with 95 % confidence, both by query, none of the counts 0, by drawing queries anew.

    So results of one query, which resemble one another, are drawn together.
    """
    resampled = _resampled_sums(np.column_stack((sums, counts)))
    return bounds(resampled[:, 0] / resampled[:, 1])


def _resampled_sums(columns: FloatArray) -> FloatArray:
    """Sums of each column over rows drawn anew with replacement, the same ones for all; shape (resamples, columns)."""
    random = np.random.default_rng(_SEED)
    count = len(columns)
    drawn = (np.bincount(random.integers(0, count, count), minlength=count) for _ in range(_RESAMPLES))
    return np.array([times @ columns for times in drawn])


def bounds(resampled: FloatArray) -> Interval:
    """What holds with 95 % confidence, from a figure of samples drawn anew."""
    tail = 100 * (1 - _LEVEL) / 2
    low, high = np.percentile(resampled, [tail, 100 - tail])
    return float(low), float(high)


def _compare(a: Mapping[str, float], b: Mapping[str, float]) -> Comparison:
    queries = sorted(a.keys() & b.keys())
    first, second = (np.array([values[query] for query in queries]) for values in (a, b))
    change = second - first
    mean = float(change.mean())
    random = np.random.default_rng(_SEED)
    low, high = bounds(change[random.integers(0, len(change), (_RESAMPLES, len(change)))].mean(axis=1))
    signs = random.choice((-1.0, 1.0), (_RESAMPLES, len(change)))
    as_extreme = int((np.abs((signs * change).mean(axis=1)) >= abs(mean) - _EQUAL).sum())
    order = np.lexsort((np.arange(len(change)), -np.abs(change)))
    return Comparison(
        a=float(first.mean()),
        b=float(second.mean()),
        difference=mean,
        low=low,
        high=high,
        p_value=(as_extreme + 1) / (_RESAMPLES + 1),
        gained=tuple(queries[place] for place in order if change[place] > _EQUAL),
        lost=tuple(queries[place] for place in order if change[place] < -_EQUAL),
    )
