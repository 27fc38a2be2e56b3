"""Passages handed out to be graded, and what several readers' grades become, through the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from program import Briefbank
from systems import is_private

from briefbank.bank.local import Bank
from briefbank.judgements.evaluate.beir import read_beir_qrels, read_corpus, read_queries
from briefbank.judgements.feedback.agreement import quadratic_kappa
from briefbank.judgements.feedback.events import text_sha256
from briefbank.judgements.pooling.sheet import Pair, read_sheet, write_sheet
from briefbank.values.records import Query, SortOrder

QUERIES = "consent to search at a prolonged stop\nexcited utterance of an absent caller\n"


@pytest.fixture
def pool(briefbank: Briefbank, library_bank: Path, tmp_path: Path) -> Path:
    """A pool of two queries over the library's bank."""
    queries = tmp_path / "queries.txt"
    queries.write_text(QUERIES, encoding="utf-8")
    done = briefbank("feedback", "pool", queries, tmp_path / "pool", "--per-query", 6, "--bank", library_bank, "--json")
    assert done.code == 0, done.err
    assert done.json == {"queries": 2, "pairs": 12, "without_candidates": []}
    return tmp_path / "pool"


def graded(sheet: Path, out: Path, grades: list[int | str]) -> Path:
    """A reader's copy of a JSONL sheet, the grades filled in from the top."""
    head, *lines = sheet.read_text(encoding="utf-8").splitlines()
    filled = [json.dumps({**json.loads(line), "grade": grade}) for line, grade in zip(lines, grades, strict=False)]
    out.write_text("\n".join([head, *filled, *lines[len(grades) :]]) + "\n", encoding="utf-8")
    return out


def cells_of(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.reader(opened))


def test_a_pool_holds_what_the_search_shows_and_hides_where_it_ranked(pool: Path, library_bank: Path) -> None:
    pairs = read_sheet(pool / "pool.jsonl")
    shown = Bank.open(library_bank).search(Query(QUERIES.splitlines()[0], top_k=3, sort=SortOrder.RELEVANCE)).hits
    first = [pair.passage_id for pair in pairs if pair.query_id == "q0001"]
    assert {hit.passage.id for hit in shown} <= set(first)
    assert len(first) == len(set(first)) == 6
    line = json.loads((pool / "pool.jsonl").read_text(encoding="utf-8").splitlines()[1])
    assert set(line) == {"query_id", "query", "passage_id", "text_sha256", "heading", "text", "grade", "note"}
    assert is_private(pool / "pool.jsonl")


def test_the_same_seed_gives_the_same_pool_and_another_another_order(
    briefbank: Briefbank, library_bank: Path, tmp_path: Path, pool: Path
) -> None:
    for name, seed in (("again", 0), ("other", 1)):
        call = ("feedback", "pool", tmp_path / "queries.txt", tmp_path / name, "--per-query", 6, "--seed", seed)
        assert briefbank(*call, "--bank", library_bank).code == 0
    assert (tmp_path / "again" / "pool.csv").read_bytes() == (pool / "pool.csv").read_bytes()
    assert (tmp_path / "other" / "pool.csv").read_bytes() != (pool / "pool.csv").read_bytes()


def test_near_copies_are_handed_out_once(briefbank: Briefbank, library_bank: Path, tmp_path: Path) -> None:
    bank = Bank.open(library_bank)
    found = bank.search(Query("consent", top_k=50, sort=SortOrder.RELEVANCE, include_weak=True)).hits
    copies = {sibling.passage_id for hit in found for sibling in hit.siblings}
    assert copies, "the library holds near-copies"
    queries = tmp_path / "queries.txt"
    queries.write_text("consent\n", encoding="utf-8")
    call = ("feedback", "pool", queries, tmp_path / "pool", "--per-query", 50, "--bank", library_bank)
    assert briefbank(*call).code == 0
    handed = {pair.passage_id for pair in read_sheet(tmp_path / "pool" / "pool.jsonl")}
    families = [{hit.passage.id, *(each.passage_id for each in hit.siblings)} for hit in found if hit.siblings]
    assert all(len(handed & family) <= 1 for family in families)


def test_a_further_run_brings_its_passages(
    briefbank: Briefbank, library_bank: Path, tmp_path: Path, pool: Path
) -> None:
    known = {pair.passage_id for pair in read_sheet(pool / "pool.jsonl") if pair.query_id == "q0001"}
    bank = Bank.open(library_bank)
    every = [passage.id for document in bank.documents() for passage in bank.passages_of(document.id)]
    wanted = next(each for each in every if each not in known)
    run = tmp_path / "other.run"
    run.write_text(f"q0001 Q0 {wanted} 1 9.0 other\n", encoding="utf-8")
    call = ("feedback", "pool", tmp_path / "queries.txt", tmp_path / "wide", "--per-query", 8, "--run", run)
    assert briefbank(*call, "--bank", library_bank).code == 0
    assert wanted in {pair.passage_id for pair in read_sheet(tmp_path / "wide" / "pool.jsonl")}
    run.write_text(f"x1 Q0 {wanted} 1 9.0 other\n", encoding="utf-8")
    refused = briefbank(
        "feedback", "pool", tmp_path / "queries.txt", tmp_path / "no", "--run", run, "--bank", library_bank
    )
    assert refused.code == 2
    assert "ranks nothing" in refused.err
    assert not (tmp_path / "no").exists()


def test_readers_who_agree_make_a_collection_that_can_be_evaluated(
    briefbank: Briefbank, pool: Path, tmp_path: Path
) -> None:
    sheet = pool / "pool.jsonl"
    one = graded(sheet, tmp_path / "ann.jsonl", [3, 2, 1, 0, 0, 0, 3, 0, 0, 1, 2, 0])
    two = graded(sheet, tmp_path / "ben.jsonl", [3, 3, 1, 0, 0, 0, 3, 0, 0, 0, 2, 0])
    done = briefbank("feedback", "adjudicate", one, two, "--out", tmp_path / "judged", "--json")
    assert done.code == 0, done.err
    assert (done.json["settled"], done.json["disputed"], done.json["ungraded"]) == (12, 0, 0)
    assert done.json["agreement"][0]["quadratic_kappa"] > 0.9
    qrels = read_beir_qrels(tmp_path / "judged", "judged")
    pairs = read_sheet(sheet)
    assert qrels["q0001"][pairs[1].passage_id] == 2  # the lower of two on one side of useful
    assert 0 in qrels["q0001"].values()
    assert {each.id for each in read_queries(tmp_path / "judged")} == {"q0001", "q0002"}
    assert {each.id for each in read_corpus(tmp_path / "judged")} == {pair.passage_id for pair in pairs}
    assert not (tmp_path / "judged" / "third-reading.csv").exists()


def test_what_two_readers_differ_on_goes_to_a_third_and_is_settled_by_the_median(
    briefbank: Briefbank, pool: Path, tmp_path: Path
) -> None:
    sheet = pool / "pool.jsonl"
    one = graded(sheet, tmp_path / "ann.jsonl", [3, 2, 1])
    two = graded(sheet, tmp_path / "ben.jsonl", [0, 1, 1])
    told = briefbank("feedback", "adjudicate", one, two, "--out", tmp_path / "first")
    assert "2 pairs for a third reader" in told.out
    assert "9 pairs graded by nobody" in told.out
    third = read_sheet(tmp_path / "first" / "third-reading.jsonl")
    assert [(pair.grade, pair.note) for pair in third] == [(None, ""), (None, "")]
    assert third == read_sheet(tmp_path / "first" / "third-reading.csv")
    cy = graded(tmp_path / "first" / "third-reading.jsonl", tmp_path / "cy.jsonl", [2, 2])
    done = briefbank("feedback", "adjudicate", one, two, cy, "--out", tmp_path / "second", "--json")
    assert (done.json["settled"], done.json["disputed"]) == (3, 0)
    grades = read_beir_qrels(tmp_path / "second", "judged")["q0001"]
    assert [grades[pair.passage_id] for pair in read_sheet(sheet)[:3]] == [2, 2, 1]


@pytest.mark.parametrize("grade", ["4", "yes"])
def test_a_grade_that_is_none_is_named_with_its_line(
    briefbank: Briefbank, pool: Path, tmp_path: Path, grade: str
) -> None:
    wrong = graded(pool / "pool.jsonl", tmp_path / "ann.jsonl", [3, grade])
    done = briefbank("feedback", "adjudicate", wrong, "--out", tmp_path / "judged")
    assert done.code == 8
    assert "line 3" in done.err
    assert grade in done.err


def test_sheets_of_different_texts_are_not_put_together(briefbank: Briefbank, pool: Path, tmp_path: Path) -> None:
    one = graded(pool / "pool.jsonl", tmp_path / "ann.jsonl", [3])
    pairs = read_sheet(one)
    changed = [Pair(**{**_fields(pair), "text": "x", "text_sha256": text_sha256("x"), "grade": 1}) for pair in pairs]
    write_sheet(changed, tmp_path / "ben.jsonl", "guide")
    refused = briefbank("feedback", "adjudicate", one, tmp_path / "ben.jsonl", "--out", tmp_path / "judged")
    assert refused.code == 2
    assert "reads differently" in refused.err


def _fields(pair: Pair) -> dict[str, Any]:
    return {name: getattr(pair, name) for name in Pair.__slots__}


TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n\t"), min_size=1)


@given(
    st.lists(
        st.builds(Pair, TEXT, TEXT, TEXT, st.just("d" * 64), TEXT, TEXT, st.none() | st.integers(0, 3), TEXT),
        min_size=1, max_size=4, unique_by=lambda pair: pair.key,
    ),
    st.sampled_from(["sheet.csv", "sheet.jsonl"]),
)  # fmt: skip
def test_any_sheet_reads_back_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[Pair], name: str
) -> None:
    file = tmp_path_factory.mktemp("sheet") / name
    write_sheet(pairs, file, "a guide\nof two lines")
    assert read_sheet(file) == pairs
    if name.endswith(".csv"):
        assert not any(cell.startswith(tuple("=+-@\t\r")) for row in cells_of(file) for cell in row)


def test_quadratic_kappa_of_a_worked_example() -> None:
    # Observed: one pair differs by 1, one by 2 of six. Worked by hand: 1 - (5 / 6) / (64 / 36).
    pairs = [(0, 0), (1, 1), (2, 2), (3, 3), (2, 1), (0, 2)]
    by_hand = 1 - (5 / 6) / (sum((a - b) ** 2 for a, _ in pairs for _, b in pairs) / 36)
    assert quadratic_kappa(pairs, 4) == pytest.approx(by_hand)
    assert quadratic_kappa([(2, 2), (2, 2)], 4) is None
    assert quadratic_kappa([], 4) is None
