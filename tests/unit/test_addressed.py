"""“Has State v. Carty been addressed since 2019 in briefs that won”: all briefs that meet it, step by step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import office
import pytest
from program import Briefbank

from briefbank.bank.local import Bank
from briefbank.values.records import Query


def asked(briefbank: Briefbank, bank: Path, *arguments: str) -> dict[str, Any]:
    told = briefbank("search", *arguments, "--bank", bank, "--json")
    assert told.code == 0, told.err
    answer: dict[str, Any] = json.loads(told.out)
    return answer


def days(answer: dict[str, Any]) -> list[str]:
    return [each["filed"] for each in answer["briefs"]]


def test_each_condition_is_a_step_that_says_how_many_briefs_it_leaves(briefbank: Briefbank, decided_bank: Path) -> None:
    question = "has State v. Carty been addressed since 2005 in briefs that won"
    told = asked(briefbank, decided_bank, question)
    assert [(each["text"], each["briefs"]) for each in told["steps"]] == [(None, 3), ("since 2005", 3), ("that won", 1)]
    assert told["steps"][0]["meaning"] == "cites State v. Carty"
    (brief,) = told["briefs"]
    assert (brief["filed"], brief["passages"]) == ("2005-03-03", 1)
    assert brief["passage_id"] in {hit["passage_id"] for hit in told["hits"]}
    printed = briefbank("search", question, "--bank", decided_bank).out
    assert "cites State v. Carty: 3 briefs\nfiled on or after 1 January 2005: 3 briefs\noutcome reversed" in printed
    assert f"[{brief['passage_id']}]" in printed


def test_a_step_is_taken_back_by_refusing_its_words(briefbank: Briefbank, decided_bank: Path) -> None:
    question = "has State v. Carty been addressed since 2018 in briefs that won"
    assert days(asked(briefbank, decided_bank, question)) == []
    without = asked(briefbank, decided_bank, question, "--refuse-hint", "since 2018")
    assert [each["text"] for each in without["steps"]] == [None, "that won"]
    assert days(without) == ["2005-03-03"]
    neither = asked(briefbank, decided_bank, question, "--refuse-hint", "since 2018", "--refuse-hint", "that won")
    assert days(neither) == ["2021-06-01", "2018-05-04", "2005-03-03"]
    assert all("cites State v. Carty" in hit["why"] for hit in neither["hits"])


@pytest.mark.parametrize(
    ("question", "filed"),
    [
        ("has State v. Carty been addressed", ["2021-06-01", "2018-05-04", "2005-03-03"]),
        ("did any brief cite State v. Carty before 2020", ["2018-05-04", "2005-03-03"]),
        ("has State v. Carty been raised since 2010 in briefs that lost", ["2021-06-01"]),
        ("who has cited State v. Carty and State v. Branch", ["2018-05-04"]),
    ],
)
def test_every_brief_that_cites_what_is_asked_for_is_named_newest_first(
    briefbank: Briefbank, decided_bank: Path, question: str, filed: list[str]
) -> None:
    with Bank.open(decided_bank) as bank:
        found = bank.addressed(Query(question))
    assert found is not None
    assert [each.document.filed.isoformat() for each in found.briefs if each.document.filed] == filed


def test_a_brief_that_cites_it_in_several_passages_and_its_table_is_one_brief(
    briefbank: Briefbank, tmp_path: Path
) -> None:
    ode = "State v. Ode, 101 N.J. 5 (1986)"
    points = [
        (f"POINT {number}", f"{office.paragraph(office.FACTS)} {ode}, settles it.") for number in ("I", "II", "III")
    ]
    text = office.brief("Di Lane", "A-0004-22T1", "May 4, 2022", *points)
    office.write_text(tmp_path / "briefs" / "b.txt", f"TABLE OF AUTHORITIES\n\nCases\n\n{ode} ........ 3\n\n{text}")
    assert briefbank("index", tmp_path / "briefs", "--bank", office.write_bank(tmp_path / "bank"), "--quiet").code == 0
    with Bank.open(tmp_path / "bank") as bank:
        found = bank.addressed(Query("has State v. Ode been addressed since 2020"))
    assert found is not None
    assert found.briefs[0].passage_count > 1
    assert ([each.brief_count for each in found.steps], found.hidden_count) == ([1, 1], 0)


def test_won_cases_come_first_where_that_order_is_asked_for(briefbank: Briefbank, decided_bank: Path) -> None:
    told = asked(briefbank, decided_bank, "has State v. Carty been addressed", "--sort", "outcome")
    assert days(told) == ["2005-03-03", "2018-05-04", "2021-06-01"]


def test_an_outcome_that_no_brief_is_known_to_have_sets_no_condition(briefbank: Briefbank, library_bank: Path) -> None:
    told = asked(briefbank, library_bank, "has State v. Carty been addressed in briefs that won")
    assert told["notices"] == ["No brief here is known to have ended so: “that won” sets no condition."]
    assert told["briefs"]
    assert all("cites State v. Carty" in hit["why"] for hit in told["hits"])


@pytest.mark.parametrize("question", ["consent to search a car", "does State v. Carty require suspicion"])
def test_a_question_for_anything_beside_authorities_has_no_such_answer(
    briefbank: Briefbank, library_bank: Path, question: str
) -> None:
    told = asked(briefbank, library_bank, question)
    assert told["briefs"] is told["steps"] is None
