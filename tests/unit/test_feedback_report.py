"""Feedback in figures, and how far two people agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laptops import laptop, search

from briefbank.judgements.export.report import report_of
from briefbank.judgements.feedback.agreement import cohens_kappa
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.judgements.feedback.merge import merge_files, temporary_log
from briefbank.judgements.feedback.sources import read_source
from briefbank.values.records import Query

MONTH = 31 * 24 * 60


def pairs(table: list[list[int]]) -> list[tuple[int, int]]:
    return [(one, other) for one, row in enumerate(table) for other, count in enumerate(row) for _ in range(count)]


def test_kappa_and_its_error_are_those_of_fleiss() -> None:
    """Fleiss, Statistical Methods for Rates and Proportions, table 18.1: κ = .68, standard error .087."""
    told = cohens_kappa(pairs([[75, 1, 4], [5, 4, 1], [0, 0, 10]]))
    assert told.items == 100
    assert told.observed == pytest.approx(0.89)
    assert told.kappa == pytest.approx(0.676, abs=0.0005)
    assert told.low is not None
    assert told.high is not None
    assert (told.high - told.low) / (2 * 1.96) == pytest.approx(0.088, abs=0.001)


def test_kappa_at_its_ends() -> None:
    assert cohens_kappa([(1, 1), (0, 0)]).kappa == 1
    assert cohens_kappa([(1, 0), (0, 1)]).kappa == -1
    assert cohens_kappa([(1, 1), (1, 1)]).kappa is None
    assert cohens_kappa([]).kappa is None


labels = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


@given(labels)
def test_kappa_has_no_order_of_people_and_lies_in_its_interval(told: list[tuple[bool, bool]]) -> None:
    there, back = cohens_kappa(told), cohens_kappa([(other, one) for one, other in told])
    assert (there.kappa is None) == (back.kappa is None)
    if there.kappa is not None:
        assert there.low is not None
        assert there.high is not None
        assert there.kappa == pytest.approx(back.kappa)
        assert -1 <= there.low <= there.kappa + 1e-9
        assert there.kappa - 1e-9 <= there.high <= 1
        assert there.kappa <= there.observed + 1e-9


@pytest.fixture
def merged(tmp_path: Path) -> Path:
    a = laptop(
        tmp_path / "a.sqlite",
        [("is consent valid?", 1, True), ("is consent valid?", 2, False), ("find briefs about lineups", 1, True)],
        minutes=[0, 1, MONTH],
    )
    b = laptop(tmp_path / "b.sqlite", [("is consent valid?", 1, True), ("is consent valid?", 2, True)], minutes=[0, 1])
    with FeedbackLog(a) as log:
        search(log, "is State v. Carty still good law?", minute=2)
        search(log, Query("", like_passage="doc1-3"), minute=3)
    merge_files([a, b], tmp_path / "all.sqlite")
    return tmp_path / "all.sqlite"


def test_searches_and_judgements_are_counted_by_month_intent_and_strategy(merged: Path) -> None:
    with temporary_log(read_source(merged).events) as database:
        report = report_of(database)
    assert report.people == 2
    assert (report.total.searches, report.total.judged_searches, report.total.shown) == (7, 5, 21)
    assert (report.total.judged, report.total.relevant) == (5, 4)
    assert report.total.judged_share == pytest.approx(5 / 7)
    assert report.total.relevant_share == pytest.approx(4 / 5)
    assert {month: each.searches for month, each in report.by_month.items()} == {"2024-05": 6, "2024-06": 1}
    assert {name: each.searches for name, each in report.by_intent.items()} == {
        "standard, rule or doctrine": 4,
        "good law": 1,
        "more like a passage": 1,
        "topical search": 1,
    }
    assert report.by_strategy["agentic"].searches == 1
    for group in (report.by_month, report.by_intent, report.by_strategy):
        assert sum(each.judged for each in group.values()) == report.total.judged
    (pair,) = report.agreement
    assert (pair.agreement.items, pair.agreement.observed, pair.agreement.kappa) == (2, 0.5, 0.0)


def test_a_single_person_has_no_agreement(tmp_path: Path) -> None:
    with temporary_log(read_source(laptop(tmp_path / "a.sqlite", [("x", 1, True)])).events) as database:
        assert report_of(database).agreement == ()


def test_the_command_tells_figures_and_no_query(briefbank: Any, merged: Path) -> None:
    told = briefbank("feedback", "report", "--log", merged)
    assert told.code == 0
    assert "2024-06" in told.out
    assert "good law" in told.out
    assert "2 judged by both, 50% alike, kappa +0.00" in told.out
    assert "Carty" not in told.out
    table = briefbank("feedback", "report", "--log", merged, "--json").json
    assert table["total"]["searches"] == 7
    assert table["agreement"][0]["agreement"]["items"] == 2
