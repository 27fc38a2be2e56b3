"""What the search reached when these figures were frozen, and how far each may fall before `make quality` fails.

The margins are about half the width of the 95 % interval of a paired comparison on so few queries: a change that costs
more than that is no noise.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from briefbank.judgements.evaluate.run import EvaluationReport, evaluate_folder
from briefbank.platform.settings import Settings

CORPORA = Path(__file__).parents[2] / ".." / "shared" / "corpora"
MARGIN = 0.02
FROZEN = {
    ("defender-queries", "dev"): {"Recall@5": 0.660, "NDCG@10": 0.683, "Recall@100": 0.934},
    ("defender-queries", "pooled"): {"Useful@5": 0.697, "NDCG@10": 0.824, "Recall@100": 0.925},
    ("acord", "train"): {"NDCG@5": 0.676, "NDCG@10": 0.722},
}
RELEVANT_FROM = {"dev": 1, "pooled": 2, "train": 1}
ON_POINT_LEAST, COVERED_LEAST, BEST_LEAST = 0.80, 0.84, 0.82
"""Floors of precision and coverage of what is on point, and of the best match. Reached on 23
November 2026: 0.825, 0.868, 0.853."""
WEAK_MOST = 0.01
"""Share of the relevant passages found that the threshold for weak matches may cut."""

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not CORPORA.is_dir(), reason="the judged collections are not beside the checkout"),
]


@pytest.fixture(scope="module", params=sorted(FROZEN), ids="/".join)
def measured(request: pytest.FixtureRequest, pytestconfig: pytest.Config) -> tuple[tuple[str, str], EvaluationReport]:
    collection, qrels = request.param
    if not (CORPORA / collection).is_dir():
        pytest.skip(f"{collection} is not beside the checkout")
    assert pytestconfig.cache is not None
    report = evaluate_folder(
        CORPORA / collection,
        qrels,
        Settings(),
        judged_only=collection == "acord",
        relevant_from=RELEVANT_FROM[qrels],
        cache_folder=pytestconfig.cache.mkdir("vectors"),
    )
    return request.param, report


def test_no_frozen_figure_has_fallen_by_more_than_its_margin(
    measured: tuple[tuple[str, str], EvaluationReport],
) -> None:
    key, report = measured
    fallen = {
        name: (frozen, report.metrics[name])
        for name, frozen in FROZEN[key].items()
        if report.metrics[name] < frozen - MARGIN
    }
    assert not fallen


def test_the_engine_is_above_rank_fusion_and_its_own_parts(
    measured: tuple[tuple[str, str], EvaluationReport],
) -> None:
    _, report = measured
    for name, part in report.parts.items():
        assert report.metrics["NDCG@5"] > part["NDCG@5"], name
        assert report.metrics["Useful@5"] > part["Useful@5"], name


def test_the_threshold_for_weak_matches_cuts_next_to_nothing_relevant(
    measured: tuple[tuple[str, str], EvaluationReport],
) -> None:
    key, report = measured
    if key[0] == "defender-queries":
        assert report.weak_share <= WEAK_MOST


def test_what_is_on_point_is_useful_and_so_is_the_best_match(
    measured: tuple[tuple[str, str], EvaluationReport],
) -> None:
    key, report = measured
    if key == ("defender-queries", "pooled"):
        assert report.bands is not None
        assert report.bands.precision >= ON_POINT_LEAST
        assert report.bands.coverage >= COVERED_LEAST
        assert report.bands.best_useful >= BEST_LEAST
