"""Feedback as files for evaluation and other programs, through the command line."""

from __future__ import annotations

import csv
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from judged import read_trec_qrels
from laptops import START, event, laptop, search
from systems import is_private

from briefbank.bank.local import Bank
from briefbank.judgements.evaluate.beir import (
    read_beir_qrels,
    read_corpus,
    read_queries,
    read_trec_run,
)
from briefbank.judgements.feedback.events import Commented, Event, Judged, Rated, Searched, shown_as
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.judgements.feedback.merge import merge_files
from briefbank.platform.event_log.log import new_id
from briefbank.values.records import Query

QUESTIONS = ("may the police search after consent at a prolonged stop", "excited utterance of an absent caller")


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The log of somebody who judged what the office's bank showed them."""
    monkeypatch.setenv("BRIEFBANK_FEEDBACK", str(tmp_path / "feedback.sqlite"))
    return tmp_path / "feedback.sqlite"


@pytest.fixture
def judged(log: Path, library_bank: Path) -> dict[str, list[tuple[str, bool]]]:
    """Searches in the library's bank, the first two results of each judged; returns what was said by query."""
    told: dict[str, list[tuple[str, bool]]] = {}
    bank = Bank.open(library_bank)
    with FeedbackLog(log) as opened:
        for minute, text in enumerate(QUESTIONS):
            found = bank.search(Query(text))
            made = event(Searched(found.query, found.generation, found.took_ms, shown_as(found.hits)), minute)
            told[text] = [(hit.passage.id, hit.rank == 1) for hit in sorted(found.hits, key=lambda hit: hit.rank)[:2]]
            said = [
                event(Judged(made.id, passage, is_relevant=is_relevant), minute) for passage, is_relevant in told[text]
            ]
            opened.append([made, *said])
    return told


# --- BEIR -----------------------------------------------------------------------------------------------------------


def test_an_exported_folder_goes_straight_into_an_evaluation(
    briefbank: Any, judged: dict[str, list[tuple[str, bool]]], library_bank: Path, tmp_path: Path, office_settings: Path
) -> None:
    out = tmp_path / "beir"
    made = briefbank("feedback", "export", "--format", "beir", out, "--bank", library_bank, "--json")
    assert made.code == 0, made.err
    assert (made.json["queries"], made.json["judgements"], made.json["relevant"], made.json["gone"]) == (2, 4, 2, 0)
    ids = {entry.text: entry.id for entry in read_queries(out)}
    assert read_beir_qrels(out, "feedback") == {
        ids[text]: {passage: int(is_relevant) for passage, is_relevant in said} for text, said in judged.items()
    }
    texts = {entry.id: entry.text for entry in read_corpus(out)}
    bank = Bank.open(library_bank)
    assert len(texts) == made.json["passages"] >= 4
    assert all(bank.passage(each, context=0).passage.text == text for each, text in texts.items())

    after = tmp_path / "after.run"
    measured = briefbank("evaluate", out, "--settings", office_settings, "--run", after, "--json")
    assert measured.code == 0, measured.err
    assert measured.json["query_count"] == 2
    assert 0 < measured.json["metrics"]["Recall@5"] <= 1
    compared = briefbank("evaluate", out, "--compare", out / "shown.run", after, "--json")
    assert compared.code == 0, compared.err
    assert compared.json["MRR@10"]["a"] == 1.0  # the first as shown was judged relevant


@pytest.fixture
def office_settings(tmp_path: Path) -> Path:
    (tmp_path / "bank.toml").write_text('[settings]\nencoder = "hashing"\nweak_below = 0.0\n', encoding="utf-8")
    return tmp_path / "bank.toml"


def test_a_passage_that_reads_differently_now_is_gone_and_told(
    briefbank: Any, log: Path, judged: object, library_bank: Path, tmp_path: Path
) -> None:
    with FeedbackLog(log) as opened:
        search_id = search(opened, "kites", 1, 2)  # of another bank
        opened.append([event(Judged(search_id, "doc1-3", is_relevant=True))])
    made = briefbank("feedback", "export", "--format", "beir", tmp_path / "beir", "--bank", library_bank, "--json")
    assert (made.json["gone"], made.json["lost"], made.json["judgements"], made.json["queries"]) == (2, 1, 4, 3)
    assert len(read_beir_qrels(tmp_path / "beir", "feedback")) == 2


def test_a_passage_that_got_another_id_is_found_by_its_text(
    briefbank: Any, log: Path, library_bank: Path, tmp_path: Path
) -> None:
    found = Bank.open(library_bank).search(Query(QUESTIONS[0]))
    shown = shown_as(found.hits[:1])
    with FeedbackLog(log) as opened:
        made = event(Searched(Query("kites"), "old", 1.0, (replace(shown[0], passage_id="old-7"),)))
        opened.append([made, event(Judged(made.id, "old-7", is_relevant=True))])
    told = briefbank("feedback", "export", "--format", "beir", tmp_path / "beir", "--bank", library_bank, "--json")
    assert told.json["gone"] == 0
    (grades,) = read_beir_qrels(tmp_path / "beir", "feedback").values()
    assert grades == {found.hits[0].passage.id: 1}


def test_an_export_with_another_offices_bank_says_that_nothing_is_in_it(
    briefbank: Any, judged: object, folder: Path, empty_bank: Path, tmp_path: Path
) -> None:
    (folder / "quince.txt").unlink()
    (folder / "lorne.txt").write_text("Nothing that anybody was shown.", encoding="utf-8")
    assert briefbank("index", folder, "--bank", empty_bank, "--quiet").code == 0
    made = briefbank("feedback", "export", "--format", "beir", tmp_path / "beir", "--bank", empty_bank, "--json")
    assert made.code == 12
    assert made.json["passages"] == 0
    assert "--bank" in made.err


def test_a_list_or_log_that_is_not_there_is_named_as_such(briefbank: Any, log: Path, tmp_path: Path) -> None:
    export = ("feedback", "export", "--format", "jsonl", tmp_path / "lines.jsonl")
    assert "There is no feedback yet" in briefbank(*export).err
    result = briefbank(*export, "--log", tmp_path / "nosuch.sqlite")
    assert (result.code, "There is no file" in result.err) == (8, True)
    result = briefbank(*export, "--approved", tmp_path / "nosuch.csv")
    assert result.code == 8
    assert "There is no approved list" in result.err
    assert "Errno" not in result.err


def test_a_bank_without_an_index_is_as_good_as_none(
    briefbank: Any, judged: object, empty_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_BANK", str(empty_bank))
    export = ("feedback", "export", "--format", "jsonl", tmp_path / "lines.jsonl")
    listed = briefbank(*export, "--anonymise")
    assert listed.code == 0, listed.err
    assert "no bank to learn names from" in listed.err
    assert briefbank(*export, "--approved", tmp_path / "lines.jsonl.confidential-review.csv").code == 0
    assert briefbank(*export, "--anonymise", "--bank", empty_bank).code == 4


def test_without_the_anonymiser_only_the_anonymised_export_is_missing(
    briefbank: Any, judged: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "briefbank.law.anonymise", None)
    export = ("feedback", "export", "--format", "jsonl")
    refused = briefbank(*export, tmp_path / "told.jsonl", "--anonymise")
    assert refused.code == 2
    assert "without the anonymiser" in refused.err
    assert "Export on a machine" in refused.err
    assert briefbank(*export, tmp_path / "plain.jsonl").code == 0


# --- TREC -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def people(tmp_path: Path, log: Path) -> Path:
    """A merged log: on passage 1 of "the stop" two say yes and one no, on 2 one each, 3 all no; withdrawn: 4."""
    files = [
        laptop(tmp_path / "a.sqlite", [("the stop", 1, True), ("the stop", 2, True), ("the stop", 3, False)]),
        laptop(tmp_path / "b.sqlite", [("the stop", 1, False), ("the stop", 2, False), ("the stop", 3, False)]),
        laptop(tmp_path / "c.sqlite", [("the stop", 1, False), ("the stop", 1, True), ("hearsay", 3, None)]),
    ]
    with FeedbackLog(files[2]) as opened:
        search_id = search(opened, Query("", like_passage="doc9-1"), 1, minute=9)
        opened.append([event(Judged(search_id, "doc1-3", is_relevant=True), 9)])
        opened.append([event(Rated(search(opened, "the stop", 2, 1, minute=10), "doc1-3", 5), 10)])
        opened.append([event(Commented(search(opened, "=1+1", 2, minute=11), "-nothing, of use"), 11)])
    merge_files(files, tmp_path / "all.sqlite")
    return tmp_path / "all.sqlite"


def test_what_people_say_is_put_together_with_explicit_zeros(briefbank: Any, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "trec"
    made = briefbank("feedback", "export", "--format", "trec", out, "--log", people, "--json")
    assert made.code == 0, made.err
    queries = dict(reversed(line.split("\t")) for line in (out / "queries.tsv").read_text().splitlines())
    assert set(queries) == {"the stop", "hearsay", "'=1+1"}  # no formula
    qrels = read_trec_qrels(out / "feedback.qrels")
    assert qrels == {queries["the stop"]: {"doc1-3": 1, "doc2-3": 1, "doc3-3": 0}}
    assert (made.json["divided"], made.json["left_out"]) == (2, 1)


def test_the_run_is_what_the_last_search_showed_by_relevance(briefbank: Any, people: Path, tmp_path: Path) -> None:
    assert briefbank("feedback", "export", "--format", "trec", tmp_path / "trec", "--log", people).code == 0
    run = read_trec_run(tmp_path / "trec" / "shown.run")
    shown = {tuple(passage for passage, _ in hits): hits for hits in run.values()}
    assert set(shown) == {("doc1-3", "doc2-3"), ("doc1-3", "doc2-3", "doc3-3"), ("doc2-3",)}
    assert shown["doc1-3", "doc2-3"] == [("doc1-3", 1.0), ("doc2-3", 0.5)]


def test_stars_make_grades_as_acord_has_them(briefbank: Any, people: Path, tmp_path: Path) -> None:
    told = briefbank("feedback", "export", "--format", "trec", "--grades", "stars", tmp_path / "t", "--log", people)
    assert told.code == 0
    assert list(read_trec_qrels(tmp_path / "t" / "feedback.qrels").values()) == [{"doc1-3": 4}]


# --- CSV and JSON lines ---------------------------------------------------------------------------------------------


def test_a_table_for_spreadsheets_holds_each_result_and_no_formula(
    briefbank: Any, people: Path, tmp_path: Path
) -> None:
    assert briefbank("feedback", "export", "--format", "csv", tmp_path / "t.csv", "--log", people).code == 0
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({row["search_id"] for row in rows}) == 12
    assert {row["is_relevant"] for row in rows} == {"", "0", "1"}
    said = [row for row in rows if row["query"] == "the stop" and row["is_relevant"]]
    assert sum(row["is_relevant"] == "1" for row in said) == 3
    assert len(said) == 7
    formula = next(row for row in rows if row["comment"])
    assert (formula["query"], formula["comment"]) == ("'=1+1", "'-nothing, of use")
    assert [row["stars"] for row in rows if row["stars"]] == ["5"]


def test_since_a_day_comes_with_the_searches_that_are_spoken_of(briefbank: Any, log: Path, tmp_path: Path) -> None:
    day = timedelta(days=1)
    with FeedbackLog(log) as opened:
        early = search(opened, "the stop")
        search(opened, "never judged")
        opened.append([Event(new_id(), START + 30 * day, Judged(early, "doc1-3", is_relevant=True))])
    out = tmp_path / "late.jsonl"
    since = (START + 20 * day).date()
    assert briefbank("feedback", "export", "--format", "jsonl", out, "--since", since, "--json").json["events"] == 2
    report = merge_files([out], tmp_path / "late.sqlite")
    assert (report.events, report.problems) == (2, ())
    nothing = briefbank("feedback", "export", "--format", "jsonl", tmp_path / "x", "--since", "2030")
    assert nothing.code == 2
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("form", ["csv", "beir"])
def test_nothing_is_overwritten_and_all_is_its_owners(
    briefbank: Any, log: Path, judged: object, library_bank: Path, tmp_path: Path, form: str
) -> None:
    out = tmp_path / "out"
    export = ("feedback", "export", "--format", form, out, "--bank", library_bank)
    assert briefbank(*export).code == 0
    paths = [out, *out.rglob("*")]
    assert [each for each in paths if not is_private(each)] == []
    before = {each: each.read_bytes() for each in paths if each.is_file()}
    again = briefbank(*export)
    assert again.code == 2
    assert "already" in again.err
    assert {each: each.read_bytes() for each in [out, *out.rglob("*")] if each.is_file()} == before
    assert not list(tmp_path.glob(".out*"))


def test_a_place_that_cannot_be_written_is_told(briefbank: Any, log: Path, judged: object, tmp_path: Path) -> None:
    told = briefbank("feedback", "export", "--format", "csv", tmp_path / "no" / "such" / "x.csv")
    assert told.code == 8
    assert "folder that exists" in told.err
