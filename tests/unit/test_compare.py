"""Two runs compared: intervals and p-values against their laws."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from briefbank.judgements.evaluate.compare import compare

values = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=12)


def runs(pairs: list[tuple[float, float]]) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    return tuple({"m": {f"q{n}": pair[side] for n, pair in enumerate(pairs)}} for side in (0, 1))  # type: ignore[return-value]


@hypothesis_settings(max_examples=25, deadline=None)
@given(values)
def test_swapping_the_runs_swaps_the_answer(pairs: list[tuple[float, float]]) -> None:
    a, b = runs(pairs)
    there, back = compare(a, b)["m"], compare(b, a)["m"]
    assert there.difference == pytest.approx(-back.difference, abs=1e-12)
    assert there.low == pytest.approx(-back.high, abs=1e-9)
    assert (set(there.gained), set(there.lost)) == (set(back.lost), set(back.gained))
    assert there.p_value == back.p_value


@hypothesis_settings(max_examples=25, deadline=None)
@given(values)
def test_the_interval_holds_the_difference_and_the_test_is_a_probability(pairs: list[tuple[float, float]]) -> None:
    found = compare(*runs(pairs))["m"]
    assert found.low - 1e-9 <= found.difference <= found.high + 1e-9 or len(pairs) < 3
    assert 0 < found.p_value <= 1


def test_a_run_against_itself_differs_in_nothing() -> None:
    a, _ = runs([(0.2, 0.0), (0.7, 0.0), (1.0, 0.0)])
    same = compare(a, a)["m"]
    assert (same.difference, same.low, same.high, same.p_value) == (0.0, 0.0, 0.0, 1.0)
    assert (same.gained, same.lost) == ((), ())


def test_the_p_value_is_that_of_all_exchanges_of_signs() -> None:
    changes = [0.3, 0.2, 0.4, 0.1, 0.5, -0.05, 0.25, 0.35]
    found = compare(*runs([(0.5, 0.5 + change) for change in changes]))["m"]
    total = sum(changes)
    extreme = 0
    for pattern in range(2 ** len(changes)):
        signed = sum(change if pattern >> place & 1 else -change for place, change in enumerate(changes))
        extreme += abs(signed) >= total - 1e-9
    assert found.p_value == pytest.approx(extreme / 2 ** len(changes), abs=0.004)
    assert found.gained[0] == "q4"
    assert found.lost == ("q5",)
    assert math.isclose(found.difference, total / len(changes))


def test_only_queries_that_both_define_are_compared() -> None:
    found = compare({"m": {"a": 0.1, "b": 0.9}, "n": {"a": 0.1}}, {"m": {"b": 1.0, "c": 0.0}, "n": {"c": 1.0}})
    assert set(found) == {"m"}
    assert (found["m"].a, found["m"].b) == (0.9, 1.0)
