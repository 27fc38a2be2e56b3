"""Fusion, by its laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.search.rank import mix, of_best, reciprocal_rank_fusion

runs = st.lists(st.lists(st.sampled_from("abcdefghij"), unique=True), min_size=1, max_size=5)


@given(runs)
def test_fusion_is_the_union_of_its_runs(given_runs: list[list[str]]) -> None:
    assert set(reciprocal_rank_fusion(given_runs)) == set().union(*given_runs)


@given(runs, st.randoms(use_true_random=False))
def test_the_order_of_the_runs_changes_nothing(given_runs: list[list[str]], random: object) -> None:
    shuffled = list(given_runs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert reciprocal_rank_fusion(shuffled) == reciprocal_rank_fusion(given_runs)


def test_the_first_of_both_runs_wins_and_ties_go_by_id() -> None:
    scores = reciprocal_rank_fusion([["b", "a", "x"], ["a", "b"]])
    assert scores["a"] == pytest.approx(1 / 61 + 1 / 62)
    assert sorted(scores, key=lambda each: (-scores[each], each)) == ["a", "b", "x"]


@given(st.lists(st.floats(-100, 100, width=32), max_size=8))
def test_shares_of_the_best_are_at_most_1_and_keep_the_order(values: list[float]) -> None:
    shares = of_best(np.array(values, dtype=np.float32))
    assert len(shares) == len(values)
    assert (shares <= 1).all()
    if values and max(values) > 0:
        assert shares.max() == pytest.approx(1)
        assert all(
            shares[i] <= shares[j] for i in range(len(values)) for j in range(len(values)) if values[i] < values[j]
        )
    else:
        assert not shares.any()


@given(st.lists(st.floats(0, 100, width=32), min_size=1, max_size=8), st.floats(0, 100, width=32))
def test_a_worse_candidate_more_changes_no_share(values: list[float], other: float) -> None:
    worse = min(other, max(values))
    assert of_best(np.array([*values, worse]))[:-1] == pytest.approx(of_best(np.array(values)))


def test_a_mix_weighs_meaning_against_words() -> None:
    dense, lexical = np.array([0.2, 0.6]), np.array([9.0, 1.0])
    assert mix(dense, lexical, 0.6).tolist() == pytest.approx([0.6 / 3 + 0.4, 0.6 + 0.4 / 9])
    assert mix(dense, lexical, 0.0).tolist() == pytest.approx([1.0, 1 / 9])
