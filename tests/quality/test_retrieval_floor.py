from __future__ import annotations

from pathlib import Path

import pytest

from briefbank.evaluate.run import EvaluationReport, evaluate_folder
from briefbank.settings import Settings

FOLDER = Path(__file__).parents[2] / ".." / "shared" / "corpora" / "defender-queries"
PLAIN_RRF_RECALL_5 = 0.575
"""Rank fusion of plain BM25 and all-MiniLM-L6-v2 on the development queries."""

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not FOLDER.is_dir(), reason="the development queries are not beside the checkout"),
]


@pytest.fixture(scope="module")
def report(pytestconfig: pytest.Config) -> EvaluationReport:
    assert pytestconfig.cache is not None
    return evaluate_folder(FOLDER, "dev", Settings(), cache_folder=pytestconfig.cache.mkdir("vectors"))


def test_the_engine_is_not_below_its_own_parts(report: EvaluationReport) -> None:
    for name, part in report.parts.items():
        assert report.metrics["Recall@5"] >= part["Recall@5"], name
        assert report.metrics["NDCG@10"] >= part["NDCG@10"], name


def test_the_engine_is_above_plain_fusion(report: EvaluationReport) -> None:
    assert report.metrics["Recall@5"] > PLAIN_RRF_RECALL_5
