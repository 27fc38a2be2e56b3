"""Queries by intent and strategy."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.judgements.evaluate.taxonomy import Intent, Strategy, groups_of, intent_of, strategy_of, write_per_query


@pytest.mark.parametrize(
    ("text", "intent", "strategy"),
    [
        ("what is the test for abandonment of a kite?", Intent.STANDARD, Strategy.MEANING),
        ("find briefs about tethered balloons", Intent.TOPIC, Strategy.WORDS),
        ("arguments against seizing a kite that nobody flies", Intent.ARGUMENT, Strategy.MEANING),
        ("what is the definition of a tether?", Intent.DEFINITION, Strategy.MEANING),
        ("when was the kite statute amended?", Intent.FACT, Strategy.STEPS),
        ("is State v. Kite still good law?", Intent.GOOD_LAW, Strategy.STEPS),
    ],
)
def test_a_query_has_an_intent_and_a_strategy(text: str, intent: Intent, strategy: Strategy) -> None:
    assert (intent_of(text), strategy_of(text)) == (intent, strategy)


@given(st.text(max_size=60))
def test_any_query_has_both(text: str) -> None:
    assert intent_of(text) in Intent
    assert strategy_of(text) in Strategy


def test_groups_hold_each_query_once_a_kind_and_average_what_is_defined(tmp_path: Path) -> None:
    texts = {"1": "kite strings", "2": "is a kite a balloon?", "3": "balloon strings"}
    values = {"m": {"1": 0.0, "2": 1.0, "3": 0.5}, "n": {"2": 1.0}}
    groups = groups_of(texts, values)
    topic, standard = groups[Intent.TOPIC.value], groups[Intent.STANDARD.value]
    assert (topic.query_count, topic.metrics) == (2, {"m": 0.25})
    assert (standard.query_count, standard.metrics) == (1, {"m": 1.0, "n": 1.0})
    assert sum(group.query_count for group in groups.values()) == 2 * len(texts)
    write_per_query(texts, values, tmp_path / "per-query.tsv")
    with (tmp_path / "per-query.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert [row["query-id"] for row in rows] == ["1", "2", "3"]
    assert (rows[0]["m"], rows[0]["n"]) == ("0.000000", "")
