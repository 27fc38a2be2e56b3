"""The plots of the page of an evaluation, as SVG to stand in HTML. Knows the figures, not the page.

Every plot says in words what it shows, for those who do not see it; its table stands on the page. Its colours are
variables of the page's style sheet, so that they follow light and dark.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from briefbank.judgements.evaluate.page.content import (
    FEWEST_FOR_INTERVAL,
    METRIC,
    Content,
    Kinds,
    LearningCurve,
    Measured,
)
from briefbank.judgements.evaluate.usefulness import Reliability
from briefbank.platform.visible import visible_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK, _MUTED, _GRID = "#010101", "#020202", "#030303"
_SERIES = ("#040404", "#050505", "#060606", "#070707")
_VARIABLES = {
    _INK: "--ink", _MUTED: "--muted", _GRID: "--grid", **{each: f"--series-{n}" for n, each in enumerate(_SERIES, 1)},
}  # fmt: skip
"""Colours that stand for variables: matplotlib takes colours alone, and these are used for nothing else."""
_MARKERS = ("o", "s", "^", "D")
_LINES = ("-", "--", "-.", ":")
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text
    "text.parse_math": False,  # a `$` in a label is one
    "font.size": 10.0,
    "axes.edgecolor": _MUTED,
    "axes.labelcolor": _INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": _GRID,
    "text.color": _INK,
    "xtick.color": _MUTED,
    "ytick.color": _MUTED,
    "xtick.labelcolor": _INK,
    "ytick.labelcolor": _INK,
    "legend.frameon": False,
}
_WIDTH_IN = 7.6
_STAGE_METRICS = ("Recall@5", "NDCG@10", "Useful@5")
_LABEL_MOST = 34
"""Characters of a label; the table has it whole."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot as an SVG element, and what it shows in words."""

    svg: str
    words: str


def plot_stages(content: Content) -> Plot:
    """The whole search and its stages side by side, with intervals."""
    rows = [row for row in content.metrics if row.name in _STAGE_METRICS]

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for place, system in enumerate(content.systems):
            heights = [index + (place - 1.5) * 0.17 for index in range(len(rows))]
            measured = [row.by_system[system] for row in rows]
            _whiskers(axes, measured, heights, len(content.systems) - 1 - place, system)  # colours as in other plots
        axes.set_yticks(range(len(rows)), [row.name for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlabel("mean over queries, 95 % interval")
        figure.legend(loc="outside upper center", ncols=4)

    told = (
        f"{row.name}: {', '.join(f'{name} {value.value:.3f}' for name, value in row.by_system.items())}" for row in rows
    )
    return _plot("stages", 0.9 + 0.85 * len(rows), draw, f"The search and its stages. {'; '.join(told)}.")


def plot_gains(content: Content) -> Plot:
    """The gain of each query over rank fusion, from the greatest to the greatest loss."""
    gains = np.array([each.gain for each in content.gains])
    mean = content.compared
    is_bounded = len(gains) >= FEWEST_FOR_INTERVAL

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        edges = np.arange(len(gains) + 1) + 0.5
        axes.stairs(np.maximum(gains, 0), edges, fill=True, color=_SERIES[0], label="gained")
        axes.stairs(np.minimum(gains, 0), edges, fill=True, color=_SERIES[1], label="lost")
        if is_bounded:
            axes.axhspan(mean.low, mean.high, color=_MUTED, alpha=0.25, linewidth=0)
        axes.axhline(
            mean.difference, color=_INK, linewidth=1.2, linestyle="--", label="mean" + ", 95 % interval" * is_bounded
        )
        axes.axhline(0, color=_MUTED, linewidth=0.8)
        axes.set_xlim(edges[0], edges[-1])
        axes.locator_params(axis="x", integer=True)
        axes.set_xlabel("queries, by gain")
        axes.set_ylabel(f"gain in {METRIC}")
        figure.legend(loc="outside upper center", ncols=3)

    bounds = f", its interval {mean.low:+.3f} to {mean.high:+.3f}" if is_bounded else ""
    words = (
        f"{METRIC} of each query, whole search less rank fusion: {len(mean.gained)} gained, {len(mean.lost)} lost, "
        f"{len(gains) - len(mean.gained) - len(mean.lost)} are alike. The mean is {mean.difference:+.3f}"
        f"{bounds}; the greatest gain {gains.max():+.3f}, the least {gains.min():+.3f}."
    )
    return _plot("gains", 3.4, draw, words)


def plot_kinds(kinds: Kinds, name: str) -> Plot:
    """The search and its gain by kind of query, with intervals."""
    rows = kinds.rows
    heights = list(map(float, range(len(rows))))

    def draw(figure: Figure) -> None:
        figures, gains = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
        _whiskers(figures, [row.engine for row in rows], heights, 0, "whole search")
        fusions = [row.fusion for row in rows]
        figures.scatter(fusions, heights, marker="|", s=90, color=_SERIES[1], label="rank fusion", zorder=3)
        figures.set_yticks(heights, [f"{_short(row.name)} ({row.query_count})" for row in rows])
        figures.set_ylim(len(rows) - 0.5, -0.5)
        figures.set_xlabel(METRIC)
        _whiskers(gains, [row.gain for row in rows], heights, 2, "gain")
        gains.axvline(0, color=_MUTED, linewidth=0.8)
        gains.set_xlabel("gain over rank fusion")
        figure.legend(loc="outside upper center", ncols=3)

    told = (
        f"{row.name}, {row.query_count} queries: {row.engine.value:.3f}, gain {row.gain.value:+.3f}" for row in rows
    )
    return _plot(name, 1.2 + 0.32 * len(rows), draw, f"{METRIC} by {kinds.name}. {'; '.join(told)}.")


def plot_reliability(reliability: Reliability) -> Plot:
    """Predicted probability against the share that is useful; below, how many results there are."""
    bins = reliability.bins
    predicted, useful = [each.predicted for each in bins], [each.useful_share for each in bins]

    def draw(figure: Figure) -> None:
        curve, counts = figure.subplots(2, 1, sharex=True, height_ratios=(4, 1))
        curve.plot((0, 1), (0, 1), color=_MUTED, linestyle="--", linewidth=1, label="as predicted")
        whiskers = np.array(
            [(each.useful_share - each.interval[0], each.interval[1] - each.useful_share) for each in bins]
        )
        curve.errorbar(
            predicted, useful, yerr=np.maximum(whiskers.T, 0), color=_SERIES[0], marker="o", capsize=3, linewidth=1.4,
            label="observed, 95 % interval",
        )  # fmt: skip
        curve.set_ylim(-0.02, 1.02)
        curve.set_ylabel("share that is useful")
        counts.bar([(each.low + each.high) / 2 for each in bins], [each.count for each in bins], 0.09, color=_SERIES[0])
        counts.set_ylabel("results")
        counts.set_xlim(0, 1)
        counts.set_xlabel("predicted probability of being useful")
        figure.legend(loc="outside upper center", ncols=2)

    told = (f"predicted {each.predicted:.2f}, useful {each.useful_share:.2f} of {each.count}" for each in bins)
    return _plot("reliability", 4.6, draw, f"Predicted and observed shares by bin: {'; '.join(told)}.")


def plot_curves(curves: Sequence[LearningCurve]) -> Plot:
    """Each learning curve with its intervals; sizes on a logarithmic axis where they span more than a factor of 20."""
    sizes = [point.size for curve in curves for point in curve.points]

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for place, curve in enumerate(curves):
            figures = [point.figure for point in curve.points]
            whiskers = [[p.figure - p.low for p in curve.points], [p.high - p.figure for p in curve.points]]
            axes.errorbar(
                [point.size for point in curve.points], figures, yerr=whiskers, label=_short(curve.name), capsize=3,
                linewidth=1.4, color=_series(place), marker=_MARKERS[place % 4], linestyle=_LINES[place // 4 % 4],
            )  # fmt: skip
        if max(sizes) > 20 * min(sizes):
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(lambda size, _: f"{size:,.6g}")
        axes.set_xlabel("size: judged queries learned from")
        axes.set_ylabel("figure, 95 % interval")
        figure.legend(loc="outside upper center", ncols=2)

    told = (
        f"{curve.name}: {curve.points[0].figure:.3f} at {curve.points[0].size:g} to {curve.points[-1].figure:.3f} at "
        f"{curve.points[-1].size:g}"
        for curve in curves
    )
    return _plot("curves", 3.4, draw, f"Learning curves. {'; '.join(told)}.")


def _series(place: int) -> str:
    return _SERIES[place % len(_SERIES)]


def _short(label: str) -> str:
    shown = visible_name(label)
    return shown if len(shown) <= _LABEL_MOST else f"{shown[: _LABEL_MOST - 1]}…"


def _whiskers(axes: Axes, measured: Sequence[Measured], heights: Sequence[float], place: int, label: str) -> None:
    """Draw means as markers, each with its interval as a line where it has one."""
    for height, each in zip(heights, measured, strict=True):
        if each.interval:
            axes.hlines(height, *each.interval, color=_series(place), linewidth=1.6)
    values = [each.value for each in measured]
    axes.scatter(values, heights, marker=_MARKERS[place], s=26, color=_series(place), label=label, zorder=3)


def _plot(name: str, height_in: float, draw: Callable[[Figure], None], words: str) -> Plot:
    """Draw on a figure and give it as an SVG element, of which a page may hold several: ids begin with `name`."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    written = io.StringIO()
    nothing: dict[str, Any] = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with mpl.rc_context({**_STYLE, "svg.hashsalt": name}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # the page has fonts of its own
        figure = Figure((_WIDTH_IN, height_in), layout="constrained")
        draw(figure)
        figure.savefig(written, format="svg", transparent=True, metadata=nothing)
    svg = written.getvalue()
    svg = svg[svg.index("<svg ") :]
    svg = re.sub(r'(?<=[ "(])(id="|url\(#|xlink:href="#)', rf"\1{name}-", svg)
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, f"var({variable})")
    return Plot(svg, visible_name(words))
