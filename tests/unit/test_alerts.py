"""The office's list of authorities to be careful with, from the table to the warning on a result."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from program import Briefbank
from systems import pipes

from briefbank.bank.local import Bank
from briefbank.values.records import Query, SortOrder

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
    told = "ites State v. Carty, 170 N.J. 632 (2002): limited to stops of cars, see the memo"
    assert set(carty(own_bank)) == {(f"c{told} (office's list, Appeals unit, 31 May 2024)",)}
    assert f"! C{told}" in briefbank("search", "State v. Carty", "--bank", own_bank).out
    counts = {
        each["authority"]: each["passages"]
        for each in json.loads(briefbank("alerts", "--bank", own_bank, "--json").out)["alerts"]
    }
    assert counts == {"State v. Carty, 170 N.J. 632 (2002)": len(carty(own_bank)), "N.J.R.E. 803(c)(27)": 0}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("authority,says\nState v. Nobody,careful\n", "is no citation"),
        ("authority,says\n170 N.J. 632,\n", "does not say"),
        ("authority,says,date\n170 N.J. 632,careful,May 2024\n", "is no date"),
        ("case,says\n170 N.J. 632,careful\n", "has the columns"),
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


@pipes
def test_a_pipe_in_the_place_of_the_list_is_refused_by_name(briefbank: Briefbank, own_bank: Path) -> None:
    os.mkfifo(own_bank / "alerts.csv")
    answer = briefbank("alerts", "--bank", own_bank)
    assert answer.code == 3
    assert "alerts.csv" in answer.err
    assert "pipe" in answer.err


BAD_ROWS = TABLE + "State v. Nobody,no citation,,\n170 N.J. 632,careful,May 2024,\n170 N.J. 632,careful, very,,,\n"


def test_a_bad_row_is_named_and_the_others_serve(briefbank: Briefbank, own_bank: Path) -> None:
    (own_bank / "alerts.csv").write_text(BAD_ROWS, encoding="utf-8")
    assert all(carty(own_bank))
    result = Bank.open(own_bank).search(Query("consent"))
    assert [("line 4" in each, "line 5" in each, "line 6" in each) for each in result.notices] == [
        (True, False, False), (False, True, False), (False, False, True),
    ]  # fmt: skip
    assert all("the other alerts are shown" in each for each in result.notices)
    assert Bank.open(own_bank).search(Query("consent /s search")).notices == result.notices
    searched = briefbank("search", "consent", "--bank", own_bank)
    assert searched.code == 0
    status, check = briefbank("status", "--bank", own_bank), briefbank("check", "--bank", own_bank)
    listed = briefbank("alerts", "--bank", own_bank)
    assert (status.code, check.code, listed.code) == (0, 0, 3)
    for told in (searched.out, status.out, check.out, listed.err):
        assert told.count("line 4: “State v. Nobody” is no citation") == 1
    assert "2 authorities listed" in listed.out


LONG = "x" * 140_000
SPOILT = {
    "long": f"170 N.J. 632,{LONG}",
    "long in quotes": f'170 N.J. 632,"{LONG[::2]}\n{LONG[::2]}",,',
    "open quote": '170 N.J. 632,"no end',
    "quote within": '170 N.J. 632,"an "end" too many',
}


@pytest.mark.parametrize("spoilt", SPOILT.values(), ids=SPOILT)
def test_a_row_that_breaks_the_table_is_named_by_its_line_and_no_other_is_lost(own_bank: Path, spoilt: str) -> None:
    rows = [*TABLE.splitlines(), spoilt, '"State v. King, 44 N.J. 346 (1965)",limited,,', "", "1 N.J. 2,old,,"]
    (own_bank / "alerts.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    bank = Bank.open(own_bank)
    assert [each.says.split(";")[0] for each in bank.alerts()] == [
        "limited to stops of cars, see the memo", "amended", "limited", "old",
    ]  # fmt: skip
    told = bank.alert_problems()
    assert "alerts.csv, line 4: " in told[0].message
    assert all(len(each.message) < 400 for each in told)


@pytest.mark.parametrize("text", ["case,says\n170 N.J. 632,careful\n", 'authority,says\n"170 N.J. 632,careful\n', ""])
def test_a_list_that_cannot_be_used_fails_no_search_and_says_that_no_alert_is_shown(own_bank: Path, text: str) -> None:
    (own_bank / "alerts.csv").write_text(text, encoding="utf-8")
    result = Bank.open(own_bank).search(Query("consent"))
    assert result.hits
    assert ["no alert is shown" in each for each in result.notices] == [True]


def test_a_mended_list_is_taken_up_by_a_running_engine(own_bank: Path, table: Path) -> None:
    (own_bank / "alerts.csv").write_text("case,says\n", encoding="utf-8")
    bank = Bank.open(own_bank)
    assert bank.search(Query("State v. Carty")).notices
    (own_bank / "alerts.csv").write_bytes(table.read_bytes())
    result = bank.search(Query("State v. Carty"))
    assert not result.notices
    assert all(hit.warnings for hit in result.hits)


PATTERN = """
[[pattern]]
title = "Directives"
family = "ag directive"
regex = "AG Directive (?P<number>[0-9]{4}-[0-9]+)"
examples = ["AG Directive 2021-5"]
"""


def test_a_running_engine_takes_up_the_office_s_changed_citations(own_bank: Path) -> None:
    (own_bank / "alerts.csv").write_text("authority,says\nAG Directive 2021-5,withdrawn\n", encoding="utf-8")
    bank = Bank.open(own_bank)
    assert "is no citation" in bank.search(Query("consent")).notices[0]
    (own_bank / "citations.toml").write_text(PATTERN, encoding="utf-8")
    assert not bank.search(Query("consent")).notices
    (own_bank / "citations.toml").write_text("[[pattern", encoding="utf-8")
    assert any("citations.toml" in each for each in bank.search(Query("consent")).notices)


def test_damaged_citations_of_the_office_are_told_of_without_a_list(briefbank: Briefbank, own_bank: Path) -> None:
    (own_bank / "citations.toml").write_text("[[pattern", encoding="utf-8")
    result = Bank.open(own_bank).search(Query("consent"))
    assert result.hits
    assert ["citations.toml is not valid TOML" in each for each in result.notices] == [True]
    for verb in ("status", "check"):
        assert "citations.toml is not valid TOML" in briefbank(verb, "--bank", own_bank).out


def test_whoever_shows_a_passage_or_hands_it_on_hands_on_the_warning(
    briefbank: Briefbank, own_bank: Path, table: Path
) -> None:
    briefbank("alerts", "--set", table, "--bank", own_bank)
    warning = "Cites State v. Carty, 170 N.J. 632 (2002): limited to stops of cars, see the memo"
    warning += " (office's list, Appeals unit, 31 May 2024)"
    found = json.loads(briefbank("search", "State v. Carty", "--bank", own_bank, "--json").out)["hits"]
    assert {tuple(each["cautions"]) for each in found} == {(warning,)}
    asked = "--context", 9, "--bank", own_bank
    passage = next(each["passage_id"] for each in found if each["source_path"].endswith(".pdf"))
    shown = json.loads(briefbank("show", passage, *asked, "--json").out)
    others = [each["cautions"] for each in (*shown["before"], *shown["after"])]
    assert shown["passage"]["cautions"] == [warning]
    assert [] in others
    assert briefbank("show", passage, *asked).out.count(f"! {warning}") == 1 + others.count([warning])


def test_a_brief_s_own_words_carry_the_warning_for_what_they_cite(own_bank: Path, table: Path) -> None:
    bank = Bank.open(own_bank)
    bank.set_alerts(table)
    hit = next(each for each in bank.search(Query("State v. Carty", top_k=50)).hits if each.passage.section_path)
    assert [len(each.cautions) for each in bank.own_words(hit.passage.id) if each.passage_id == hit.passage.id] == [1]


def test_a_citation_that_is_warned_of_is_found_on_its_page(own_bank: Path, table: Path) -> None:
    bank = Bank.open(own_bank)
    bank.set_alerts(table)
    quince = next(each for each in bank.documents() if each.source_path.endswith("quince.pdf"))
    (mark,) = bank.alert_marks(quince.id)
    assert mark.warning.startswith("cites State v. Carty, 170 N.J. 632 (2002): limited")
    printed = []
    for page, box in mark.boxes:
        words = bank.page_text(quince.id, page).words
        middles = [((word.box.x0 + word.box.x1) / 2, (word.box.y0 + word.box.y1) / 2, word.text) for word in words]
        printed += [text for x, y, text in middles if box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1]
    assert " ".join(printed).startswith("State v. Carty, 170 N.J. 632")
    assert set(mark.boxes) < {*mark.boxes, *mark.passage}
    hale = next(each for each in bank.documents() if each.source_path.endswith("hale.docx"))
    assert bank.alert_marks(hale.id) == ()
    bank.close()
