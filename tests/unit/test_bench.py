"""What the benchmark measures with: its synthetic bank, its questions, its steps and its table."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from hashing_encoder import HashingEncoder

sys.path.append(str(Path(__file__).resolve().parents[1] / "bench"))

from corpus import Material, PassageMaker, make_documents, make_material
from indexing import Stopwatch
from report import Figure, merged, table
from searching import largest_imports, queries


def small_material() -> Material:
    return make_material(HashingEncoder())


def test_synthetic_passages_are_of_passage_length_and_never_the_same() -> None:
    maker = PassageMaker(small_material())
    texts = [maker.draw()[0] for _ in range(300)]
    lengths = [len(text.split()) for text in texts]
    assert len(set(texts)) == len(texts)
    assert 100 < np.mean(lengths) < 220
    assert max(lengths) < 350 + 80 + 10


def test_synthetic_passages_have_unit_vectors_and_documents_that_count_them() -> None:
    batches = list(PassageMaker(small_material()).passages(100))
    passages = [passage for batch, _ in batches for passage in batch]
    vectors = np.concatenate([vectors for _, vectors in batches])
    documents = make_documents(100)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert sum(document.passage_count for document in documents) == len(passages) == 100
    assert {passage.document_id for passage in passages} == {document.id for document in documents}


def test_the_questions_are_distinct_and_some_are_filtered() -> None:
    asked = queries()
    assert len({query.text for query in asked}) == len(asked) >= 60
    assert {query.filters for query in asked[2::3]}.isdisjoint({query.filters for query in asked[::3]})


def test_a_step_within_another_is_taken_off_it() -> None:
    clock = iter((10.0, 11.0, 14.0, 16.0))
    watch = Stopwatch(lambda: next(clock))
    with watch.step("outer"), watch.step("inner"):
        pass
    assert watch.seconds == {"outer": 3.0, "inner": 3.0}


def test_an_import_profile_is_summed_by_package() -> None:
    profile = "import time: self [us] | cumulative | imported package\n" + "\n".join(
        f"import time: {own:9} | {own:10} | {name}" for own, name in ((300, "a.b"), (700, "  a"), (200, "b"))
    )
    assert largest_imports(profile) == [("a", 0.001), ("b", 0.0002)]


def test_a_part_measured_anew_leaves_the_others_as_they_were() -> None:
    before = {"reading": {"at": "earlier"}, "searching": {"at": "earlier"}}
    results = merged(before, "searching", [Figure("p95", 80.0, "ms", 100, is_cost=True)], {}, "now")
    assert results["reading"] == {"at": "earlier"}
    assert results["searching"]["figures"][0]["value"] == 80.0


def test_the_table_names_missed_goals_and_the_change() -> None:
    figures = [Figure("p95", 120.0, "ms", 100, is_cost=True), Figure("rate", 200.0, "pages/s", 100)]
    lines = table(figures, [{"name": "p95", "value": 100.0}]).splitlines()
    assert "MISSED" in lines[0]
    assert "+20 %" in lines[0]
    assert "met" in lines[1]
