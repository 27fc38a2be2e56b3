"""The figures of the page that an evaluation is shown on, out of its report. Knows neither HTML nor plots."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from briefbank.errors import SourceError
from briefbank.judgements.evaluate.beir import Entry, read_queries, read_query_labels, read_text
from briefbank.judgements.evaluate.compare import Comparison, Interval, compare, mean_intervals
from briefbank.judgements.evaluate.metrics import PerQuery, averages
from briefbank.judgements.evaluate.run import EvaluationReport
from briefbank.judgements.evaluate.taxonomy import intent_of, strategy_of

METRIC = "NDCG@10"
"""What queries and their kinds are compared by, as `briefbank evaluate --compare` does."""

_SYSTEMS = {"bm25": "words", "dense": "meaning", "rrf": "rank fusion", "engine": "whole search"}
FEWEST_FOR_INTERVAL = 5
"""Of fewer queries no interval is told: drawing them anew says next to nothing of others."""
_MOST_KINDS = 24
"""A field of the queries' metadata with more values than this says who or what they are, not of which kind."""


_CURVE_COLUMNS = ("size", "figure", "low", "high")
_CURVE_FILES = "learning-curve*.tsv"
_CURVE_ADVICE = f"Write a line a point, tab-separated: {', '.join(_CURVE_COLUMNS)}."


@dataclass(frozen=True, slots=True)
class Setting:
    """What was measured, and how."""

    collection: str
    qrels: str
    relevant_from: int
    is_judged_only: bool
    settings: str
    encoder: str
    program: str
    when: datetime


@dataclass(frozen=True, slots=True)
class Measured:
    """A mean over queries with its 95 % interval, where there are queries enough for one."""

    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class MetricRow:
    """A metric of the whole search and its stages, by their names, and the gain over rank fusion with its p-value."""

    name: str
    by_system: dict[str, Measured]
    gain: Measured
    p_value: float


@dataclass(frozen=True, slots=True)
class QueryGain:
    """What a query's figure is by rank fusion and by the whole search."""

    id: str
    text: str
    fusion: float
    engine: float

    @property
    def gain(self) -> float:
        return self.engine - self.fusion


@dataclass(frozen=True, slots=True)
class KindRow:
    """The queries of one kind: how many, and their figures."""

    name: str
    query_count: int
    engine: Measured
    fusion: float
    gain: Measured


@dataclass(frozen=True, slots=True)
class Kinds:
    """Queries divided by one thing that is known of them; queries without it are in no row."""

    name: str
    source: str
    rows: tuple[KindRow, ...]


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A figure reached with `size` judged queries, or whatever was counted, and its interval."""

    size: float
    figure: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """Points by size, under the name of their file."""

    name: str
    points: tuple[CurvePoint, ...]


@dataclass(frozen=True, slots=True)
class Content:
    """Everything that the page shows. `gains` are ordered from the greatest gain to the greatest loss."""

    setting: Setting
    report: EvaluationReport
    metrics: tuple[MetricRow, ...]
    gains: tuple[QueryGain, ...]
    kinds: tuple[Kinds, ...]
    curves: tuple[LearningCurve, ...]

    @property
    def systems(self) -> list[str]:
        """What is compared, the whole search last."""
        return list(_SYSTEMS.values())

    @property
    def compared(self) -> Comparison:
        """The whole search compared with rank fusion by METRIC."""
        return self.report.over_rrf[METRIC]


def gather(report: EvaluationReport, setting: Setting, folder: Path, curves: Sequence[LearningCurve] = ()) -> Content:
    """Gather what the page shows of an evaluation of the BEIR folder `folder`.

    Raises:
        SourceError: the queries cannot be read any more.
    """
    engine, fusion = report.per_query[METRIC], report.parts_per_query["rrf"][METRIC]
    queries = [entry for entry in read_queries(folder) if entry.id in engine]
    gains = [QueryGain(each.id, each.text, fusion[each.id], engine[each.id]) for each in queries]
    return Content(
        setting=setting,
        report=report,
        metrics=_metrics(report),
        gains=tuple(sorted(gains, key=lambda each: (-each.gain, each.id))),
        kinds=tuple(_kinds(report, queries, read_query_labels(folder))),
        curves=tuple(curves),
    )


def _metrics(report: EvaluationReport) -> tuple[MetricRow, ...]:
    values = {**report.parts_per_query, "engine": report.per_query}
    measured = {name: _measured(each) for name, each in values.items()}
    return tuple(
        MetricRow(
            metric,
            {shown: measured[name][metric] for name, shown in _SYSTEMS.items()},
            _gain(compared, len(report.per_query[metric])),
            compared.p_value,
        )
        for metric, compared in report.over_rrf.items()
    )


def _gain(compared: Comparison, query_count: int) -> Measured:
    bounds = (compared.low, compared.high) if query_count >= FEWEST_FOR_INTERVAL else None
    return Measured(compared.difference, bounds)


def _measured(values: PerQuery) -> dict[str, Measured]:
    intervals = mean_intervals(values)
    return {
        metric: Measured(mean, intervals[metric] if len(values[metric]) >= FEWEST_FOR_INTERVAL else None)
        for metric, mean in averages(values).items()
    }


def _kinds(report: EvaluationReport, queries: Sequence[Entry], labels: Mapping[str, dict[str, str]]) -> Iterable[Kinds]:
    by_rules: tuple[tuple[str, Callable[[str], str]], ...] = (("intent", intent_of), ("strategy", strategy_of))
    for name, classify in by_rules:
        kinds = {entry.id: str(classify(entry.text)) for entry in queries}
        yield Kinds(name, "found by rules over the query's words", _kind_rows(report, kinds))
    for field, values in labels.items():
        kinds = {entry.id: values[entry.id] for entry in queries if entry.id in values}
        if 2 <= len(set(kinds.values())) <= _MOST_KINDS:
            yield Kinds(field, "as the file of queries says", _kind_rows(report, kinds))


def _kind_rows(report: EvaluationReport, kinds: Mapping[str, str]) -> tuple[KindRow, ...]:
    members: dict[str, list[str]] = {}
    for query, kind in kinds.items():
        members.setdefault(kind, []).append(query)
    largest_first = sorted(members.items(), key=lambda item: (-len(item[1]), item[0]))
    return tuple(_kind_row(report, name, queries) for name, queries in largest_first)


def _kind_row(report: EvaluationReport, name: str, queries: Sequence[str]) -> KindRow:
    engine, fusion = (
        {METRIC: {query: values[METRIC][query] for query in queries}}
        for values in (report.per_query, report.parts_per_query["rrf"])
    )
    compared = compare(fusion, engine)[METRIC]
    return KindRow(name, len(queries), _measured(engine)[METRIC], compared.a, _gain(compared, len(queries)))


def read_learning_curves(files: Sequence[Path], folder: Path) -> tuple[LearningCurve, ...]:
    """Read the files named, or where none is those of the collection's folder, `learning-curve*.tsv`.

    Raises:
        SourceError: a file is missing or cannot be read, or a line is wrong, which is named.
    """
    return tuple(_read_curve(file) for file in files or sorted(folder.glob(_CURVE_FILES)))


def _read_curve(file: Path) -> LearningCurve:
    text = read_text(file, _CURVE_ADVICE)
    lines = [(number, line.split("\t")) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if lines and lines[0][1] == list(_CURVE_COLUMNS):
        del lines[0]
    points = [_point(file, number, fields) for number, fields in lines]
    if not points:
        raise SourceError(f"{file} holds no point of a learning curve.", _CURVE_ADVICE)
    return LearningCurve(file.stem, tuple(sorted(points, key=lambda point: point.size)))


def _point(file: Path, number: int, fields: list[str]) -> CurvePoint:
    try:
        size, figure, low, high = map(float, fields)
    except ValueError as error:
        raise SourceError(f"{file}, line {number}: four numbers are expected.", _CURVE_ADVICE) from error
    if not all(map(math.isfinite, (size, figure, low, high))) or size <= 0 or not low <= figure <= high:
        what = "the size must be above 0, and the figure from low to high"
        raise SourceError(f"{file}, line {number}: {what}.", _CURVE_ADVICE)
    return CurvePoint(size, figure, low, high)
