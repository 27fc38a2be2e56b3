"""The office's list of authorities to be careful with, from the table to the warning on a result."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from program import Briefbank

from briefbank.bank import Bank
from briefbank.records import Query, SortOrder

TABLE = """authority,says,date,source
"State v. Carty, 170 N.J. 632 (2002)","limited to stops of cars, see the memo",2024-05-31,Appeals unit
N.J.R.E. 803(c)(27),amended; check the present text,,
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "careful.csv"
    file.write_text(TABLE, encoding="utf-8-sig")
    return file


def carty(bank: Path) -> list[tuple[str, ...]]:
    hits = Bank.open(bank).search(Query("State v. Carty", top_k=50, sort=SortOrder.RELEVANCE)).hits
    return [hit.warnings for hit in hits]


def test_every_passage_that_cites_a_listed_case_carries_the_warning(
    briefbank: Briefbank, own_bank: Path, table: Path
) -> None:
    assert carty(own_bank)
    assert not any(carty(own_bank))
    assert briefbank("alerts", "--set", table, "--bank", own_bank).code == 0
    told = "cites State v. Carty, 170 N.J. 632 (2002): limited to stops of cars, see the memo"
    assert set(carty(own_bank)) == {(f"{told} (Appeals unit, 2024-05-31)",)}
    assert told in briefbank("search", "State v. Carty", "--bank", own_bank).out
    counts = {
        each["authority"]: each["passages"]
        for each in json.loads(briefbank("alerts", "--bank", own_bank, "--json").out)["alerts"]
    }
    assert counts == {"State v. Carty, 170 N.J. 632 (2002)": len(carty(own_bank)), "N.J.R.E. 803(c)(27)": 0}


def test_an_open_bank_takes_up_a_changed_list(own_bank: Path, table: Path) -> None:
    bank = Bank.open(own_bank)
    assert not any(hit.warnings for hit in bank.search(Query("State v. Carty")).hits)
    bank.set_alerts(table)
    assert all(hit.warnings for hit in bank.search(Query("State v. Carty")).hits)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("authority,says\nState v. Nobody,careful\n", "is no citation"),
        ("authority,says\n170 N.J. 632,\n", "does not say"),
        ("authority,says,date\n170 N.J. 632,careful,May 2024\n", "is no date"),
        ("case,says\n170 N.J. 632,careful\n", "has the columns"),
        ("authority,says\n170 N.J. 632,careful, very\n", "more cells"),
        ("", "has the columns"),
    ],
)
def test_a_table_that_is_wrong_is_refused_and_the_list_stays(
    briefbank: Briefbank, own_bank: Path, table: Path, text: str, said: str
) -> None:
    assert briefbank("alerts", "--set", table, "--bank", own_bank).code == 0
    table.write_text(text, encoding="utf-8")
    refused = briefbank("alerts", "--set", table, "--bank", own_bank)
    assert refused.code == 3
    assert said in refused.err
    assert all(carty(own_bank))


def test_a_table_that_is_not_there_is_a_wrong_call(briefbank: Briefbank, own_bank: Path, table: Path) -> None:
    refused = briefbank("alerts", "--set", table.with_name("none.csv"), "--bank", own_bank)
    assert refused.code == 2
    assert "There is no table" in refused.err


@pytest.mark.skipif(os.name == "nt", reason="modes of files")
def test_the_list_is_its_owners_alone(briefbank: Briefbank, own_bank: Path, table: Path) -> None:
    briefbank("alerts", "--set", table, "--bank", own_bank)
    assert (own_bank / "alerts.csv").stat().st_mode & 0o077 == 0


def test_a_pipe_in_the_place_of_the_list_is_refused_by_name(briefbank: Briefbank, own_bank: Path) -> None:
    os.mkfifo(own_bank / "alerts.csv")
    answer = briefbank("alerts", "--bank", own_bank)
    assert answer.code == 3
    assert "alerts.csv" in answer.err
    assert "pipe" in answer.err
