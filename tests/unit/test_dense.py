"""The table of passages and vectors: read, searched, filtered, and refused where it is damaged."""

from __future__ import annotations

import itertools
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
from sample_index import ENCODER, build, make_document, make_passage

from briefbank.errors import BankDamagedError
from briefbank.index import dense
from briefbank.index.generation import Generation
from briefbank.index.selection import OneOf, Selection
from briefbank.index.vectors import NAME as HALVES
from briefbank.values.records import Passage

WORDS = "stop car search consent home warrant officer judge jury plea sentence appeal record motion witness".split()


def passages_of(count: int) -> list[Passage]:
    choose = random.Random(7)
    return [make_passage(f"d{n % 3}", n // 3, " ".join(choose.choices(WORDS, k=8))) for n in range(count)]


@pytest.fixture
def passages() -> list[Passage]:
    return passages_of(20)


@pytest.fixture
def generation(tmp_path: Path, passages: list[Passage]) -> Generation:
    return build(tmp_path / "g1", [make_document(f"d{n}") for n in range(3)], passages)


def test_passages_come_back_as_they_were_written_in_the_order_asked(
    generation: Generation, passages: list[Passage]
) -> None:
    assert generation.dense.passages(np.array([7, 0, 19])) == [passages[7], passages[0], passages[19]]
    assert generation.passage(passages[4].id) == passages[4]
    assert generation.passage("' OR 1 = 1") is None


def test_a_column_of_places_in_the_record_is_no_neighbour(tmp_path: Path) -> None:
    texts = (
        "The stop was short.",
        "56 RR5:86\n57 3 CR 12.\n58 Id. at 90",
        "He drove on.",
        "4 RR 12–14",
        "5 miles later",
    )
    made = build(tmp_path / "made", [make_document("d")], [make_passage("d", n, each) for n, each in enumerate(texts)])
    found = made.in_context(make_passage("d", 2, texts[2]), 1)
    assert [each.text for each in (*found.before, *found.after)] == [texts[0], texts[4]]


def test_search_is_exact_on_a_small_bank_and_obeys_its_condition(
    generation: Generation, passages: list[Passage]
) -> None:
    vectors = ENCODER.encode_passages([each.text for each in passages])
    rows, similarities = generation.dense.search(vectors[5], 4)
    assert rows[0] == 5
    assert similarities == pytest.approx(np.sort(vectors @ vectors[5])[::-1][:4], abs=1e-5)
    assert generation.dense.vectors(rows) @ vectors[5] == pytest.approx(similarities, abs=1e-5)
    rows, _ = generation.dense.search(vectors[5], 50, Selection.meeting(generation.dense, [OneOf("document", (1,))]))
    assert sorted(rows.tolist()) == [row for row, each in enumerate(passages) if each.document_id == "d1"]


def test_a_vector_index_finds_nearly_all_that_is_near(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "EXACT_SEARCH_ROWS", 500)
    passages = passages_of(900)
    generation = build(tmp_path / "g1", [make_document(f"d{n}") for n in range(3)], passages, batch=300)
    vectors = ENCODER.encode_passages([each.text for each in passages])
    found = []
    for query in vectors[:20]:
        nearest = set(np.argsort(-(vectors @ query), kind="stable")[:10].tolist())
        found.append(len(nearest & set(generation.dense.search(query, 60)[0].tolist())) / 10)
    assert np.mean(found) > 0.95


def test_an_index_of_an_older_program_without_half_vectors_finds_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dense, "EXACT_SEARCH_ROWS", 500)
    passages = passages_of(900)
    now = build(tmp_path / "g1", [make_document(f"d{n}") for n in range(3)], passages, batch=300).dense
    older = shutil.copytree(tmp_path / "g1", tmp_path / "g2")
    (older / HALVES).unlink()
    before = dense.DenseIndex.open(older)
    only = [None, Selection.meeting(now, [OneOf("document", (1,))])]
    for query, within in itertools.product(ENCODER.encode_passages([each.text for each in passages[:20]]), only):
        found, known = now.begin_search(query, 30, within)(), before.begin_search(query, 30, within)()
        assert found.cosines == pytest.approx(known.cosines, abs=1e-3)
        assert found.vectors @ query == pytest.approx(found.cosines, abs=1e-6)
        assert now.ranking_vectors(found.rows) == pytest.approx(now.vectors(found.rows), abs=1e-3)
        assert before.ranking_vectors(found.rows).tolist() == now.vectors(found.rows).tolist()


def test_half_vectors_that_are_cut_short_are_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "EXACT_SEARCH_ROWS", 500)
    build(tmp_path / "g1", [make_document(f"d{n}") for n in range(3)], passages_of(900))
    with (tmp_path / "g1" / HALVES).open("r+b") as file:
        file.truncate(900 * ENCODER.dimension * 2 - 1)
    with pytest.raises(BankDamagedError, match="cut short"):
        dense.DenseIndex.open(tmp_path / "g1")
