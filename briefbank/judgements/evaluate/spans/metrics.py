"""Figures over annotated clauses: recall by passages and by characters, presence, F1 and overlap of words, with their
intervals by drawing documents anew. Knows what was found where, nothing of search.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from briefbank.judgements.evaluate.compare import FloatArray, Interval, bootstrap_interval, ratio_interval

LONG_CHUNKS = 20
SIZES = ((0, 9), (10, 19), (20, 39), (40, 10**9))
"""Documents by their number of chunks, both ends included."""
RECALLS = ("recall@5", "recall@10", "recall@35000")
# Each takes every category through anew; the intervals of recalls, which are sums, are of ten times as many.
_RESAMPLES = 1_000


@dataclass(frozen=True, slots=True)
class SpanOutcome:
    """One clause: whether each cutoff found it, and whether what was told did; `is_like` says that something told has
    half of its words in common with it.
    """

    file: str
    category: str
    found: Mapping[str, bool]
    is_told: bool
    is_like: bool


@dataclass(frozen=True, slots=True)
class Presence:
    """One category in one document: how strongly it seems to be there, whether it is, and whether anything was told."""

    file: str
    category: str
    strength: float
    is_there: bool
    is_told: bool


@dataclass(frozen=True, slots=True)
class SpanFigures:
    """Figures from 0 to 1, each with its interval of 95 %; NaN where nothing defines one.

    `presence_auc` and `f1` are means over categories. Of F1 a clause counts as found where what was told holds 75 % of
    it, as missed where it does not, and as false where something was told of a document without the category.
    """

    span_count: int
    document_count: int
    metrics: dict[str, float]
    intervals: dict[str, Interval]


def figures_of(spans: Sequence[SpanOutcome], presences: Sequence[Presence], files: Collection[str]) -> SpanFigures:
    """The figures over some of the documents."""
    spans = [each for each in spans if each.file in files]
    presences = [each for each in presences if each.file in files]
    metrics: dict[str, float] = {}
    intervals: dict[str, Interval] = {}
    for name in (*RECALLS, "jaccard"):
        hits, counts = _by_document(spans, name)
        if len(counts):
            metrics[name] = float(hits.sum() / counts.sum())
            intervals[name] = ratio_interval(hits, counts)
    numbers = {file: number for number, file in enumerate(sorted(files))}
    tables = _tables(spans, presences, numbers)
    for name, statistic in (("presence_auc", _mean_auc), ("f1", _mean_f1)):
        value = statistic(tables, np.ones(len(numbers)))
        if not np.isnan(value):
            metrics[name] = value
            intervals[name] = _interval(statistic, tables, len(numbers))
    return SpanFigures(len(spans), len(files), metrics, intervals)


def gain(before: Sequence[SpanOutcome], after: Sequence[SpanOutcome], name: str) -> tuple[float, Interval]:
    """By how much a recall is higher, of the same clauses, with its interval over documents drawn anew."""
    (first, counts), (second, _) = _by_document(before, name), _by_document(after, name)
    change = second - first
    return float(change.sum() / counts.sum()), ratio_interval(change, counts)


def _by_document(spans: Sequence[SpanOutcome], name: str) -> tuple[FloatArray, FloatArray]:
    """How many clauses were found, and how many there are, by document in the order of names."""
    totals: dict[str, list[int]] = {}
    for each in spans:
        total = totals.setdefault(each.file, [0, 0])
        total[0] += each.is_like if name == "jaccard" else each.found[name]
        total[1] += 1
    values = np.array([totals[file] for file in sorted(totals)], dtype=np.float64).reshape(-1, 2)
    return values[:, 0], values[:, 1]


@dataclass(frozen=True, slots=True)
class _Table:
    """One category, by document: clauses found and missed, whether something false was told, strength, presence."""

    told: FloatArray
    missed: FloatArray
    false: FloatArray
    strength: FloatArray
    is_there: npt.NDArray[np.bool_]


def _tables(
    spans: Sequence[SpanOutcome], presences: Sequence[Presence], numbers: Mapping[str, int]
) -> dict[str, _Table]:
    tables: dict[str, _Table] = {}
    count = len(numbers)
    for category in sorted({each.category for each in presences}):
        told, missed, false, strength = (np.zeros(count) for _ in range(4))
        tables[category] = _Table(told, missed, false, strength, np.zeros(count, dtype=bool))
    for each in presences:
        table, number = tables[each.category], numbers[each.file]
        table.strength[number], table.is_there[number] = each.strength, each.is_there
        table.false[number] = each.is_told and not each.is_there
    for span in spans:
        table = tables[span.category]
        (table.told if span.is_told else table.missed)[numbers[span.file]] += 1
    return tables


def _mean_auc(tables: Mapping[str, _Table], times: FloatArray) -> float:
    """The mean over categories of the chance that one that is there seems stronger than one that is not."""
    values = []
    for table in tables.values():
        there, not_there = table.is_there & (times > 0), ~table.is_there & (times > 0)
        if there.any() and not_there.any():
            higher = table.strength[there][:, None] - table.strength[not_there][None, :]
            wins = (higher > 0) + 0.5 * (higher == 0)
            weights = times[there][:, None] * times[not_there][None, :]
            values.append(float((wins * weights).sum() / weights.sum()))
    return float(np.mean(values)) if values else float("nan")


def _mean_f1(tables: Mapping[str, _Table], times: FloatArray) -> float:
    values = []
    for table in tables.values():
        found = float(times @ table.told)
        wrong = float(times @ (table.missed + table.false))
        if times @ (table.told + table.missed):
            values.append(2 * found / (2 * found + wrong))
    return float(np.mean(values)) if values else float("nan")


def _interval(
    statistic: Callable[[Mapping[str, _Table], FloatArray], float], tables: Mapping[str, _Table], count: int
) -> Interval:
    def of_drawn(places: npt.NDArray[np.int64]) -> float:
        return statistic(tables, np.bincount(places, minlength=count).astype(np.float64))

    return bootstrap_interval(of_drawn, np.arange(count), resamples=_RESAMPLES, is_vectorised=False)


def fitted_thresholds(cases: Sequence[tuple[str, str, float, bool]]) -> dict[tuple[str, str], float]:
    """The strength from which on a category is told of a document, by file and category; given are file, category,
    strength, and whether the category is there.

    Documents are dealt into two halves by a digest of their names. A category's threshold is the one with the best F1
    over documents of the other half; of equally good ones the lowest.
    """
    thresholds: dict[tuple[str, str], float] = {}
    for category in sorted({each[1] for each in cases}):
        of_category = [each for each in cases if each[1] == category]
        for half in (0, 1):
            threshold = best_threshold((each[2], each[3]) for each in of_category if _half(each[0]) != half)
            thresholds |= {(each[0], category): threshold for each in of_category if _half(each[0]) == half}
    return thresholds


def best_threshold(seen: Iterable[tuple[float, bool]]) -> float:
    """The strength from which on telling has the best F1; 0, which tells always, where nothing was there to be told."""
    ordered = sorted(seen, reverse=True)
    there = sum(is_there for _, is_there in ordered)
    best, threshold, found = 0.0, 0.0, 0
    for count, (strength, is_there) in enumerate(ordered, start=1):
        found += is_there
        is_last = count == len(ordered) or ordered[count][0] < strength
        value = 2 * found / (count + there) if there else 0.0
        if is_last and value >= best and value > 0:
            best, threshold = value, strength
    return threshold


def _half(file: str) -> int:
    return hashlib.sha256(file.encode()).digest()[0] % 2
