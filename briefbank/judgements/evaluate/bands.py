"""Whether what a search calls on point is useful, and whether what it shows first is. Knows passage ids and grades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from briefbank.judgements.evaluate.beir import Qrels
from briefbank.judgements.evaluate.compare import Interval, ratio_interval


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
