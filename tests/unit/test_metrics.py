"""Metrics, on rankings whose scores are known."""

from __future__ import annotations

import math

import pytest

from briefbank.judgements.evaluate.metrics import judged_share, score, score_queries

QRELS = {"q1": {"a": 3, "b": 1, "z": 0}, "q2": {"c": 2}}


def test_a_perfect_ranking_scores_one() -> None:
    values = score({"q1": ["a", "b"], "q2": ["c"]}, QRELS)
    assert {name: value for name, value in values.items() if name not in ("Recall@1", "Useful@5")} == {
        "Recall@5": 1, "Recall@10": 1, "Recall@100": 1, "NDCG@5": 1, "NDCG@10": 1, "MRR@10": 1, "MAP@100": 1,
    }  # fmt: skip
    assert values["Recall@1"] == pytest.approx((1 / 2 + 1) / 2)
    assert values["Useful@5"] == pytest.approx((2 / 5 + 1 / 5) / 2)


def test_the_rank_alone_decides_and_grades_are_gains() -> None:
    values = score({"q1": ["x", "b", "a"], "q2": []}, QRELS)
    ideal = 3 + 1 / math.log2(3)
    assert values["NDCG@5"] == pytest.approx((1 / math.log2(3) + 3 / math.log2(4)) / ideal / 2)
    assert values["MRR@10"] == pytest.approx(1 / 2 / 2)
    assert values["Recall@5"] == pytest.approx(1 / 2)


def test_the_judged_share_counts_explicit_zeros_as_judged() -> None:
    assert judged_share({"q1": ["z", "x"], "q2": ["c", "y"]}, QRELS, 1) == 1.0
    assert judged_share({"q1": ["z", "x"], "q2": ["c", "y"]}, QRELS, 5) == 0.5
    assert judged_share({}, QRELS, 5) == 0.0


def test_star_precision_divides_by_what_there_could_be_and_skips_queries_without_such_a_passage() -> None:
    grades = {f"p{n}": 4 for n in range(7)} | {"x": 3, "y": 2, "z": 0}
    qrels = {"many": grades, "few": {"a": 4, "b": 3, "c": 1}, "none": {"a": 2, "b": 1}}
    ranking = {"many": ["z", "p0", "p1", "x", "y"], "few": ["c", "a", "u", "v", "w", "b"], "none": ["a"]}
    values = score_queries(ranking, qrels)
    assert values["5-star@5"] == {"many": 2 / 5, "few": 1.0}
    assert values["4-star@5"] == {"many": 3 / 5, "few": 1 / 2}
    assert values["3-star@5"] == {"many": 4 / 5, "few": 1 / 2, "none": 1.0}
    assert score(ranking, qrels)["5-star@5"] == pytest.approx((2 / 5 + 1) / 2)


def test_stars_are_told_only_where_grades_run_to_4() -> None:
    assert not any("star" in name for name in score({"q1": ["a"]}, QRELS))


def test_what_counts_as_relevant_can_be_raised() -> None:
    assert score({"q1": ["b"], "q2": ["c"]}, QRELS, relevant_from=2)["Recall@5"] == pytest.approx(1 / 2)
