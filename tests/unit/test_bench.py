"""What the benchmark measures with: its synthetic bank, its questions, its steps and its table."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from hashing_encoder import HashingEncoder

sys.path.append(str(Path(__file__).resolve().parents[1] / "bench"))

from corpus import Material, PassageMaker, make_documents, make_material
from report import Figure, merged, table


def small_material() -> Material:
    return make_material(HashingEncoder())


def test_synthetic_passages_have_unit_vectors_and_documents_that_count_them() -> None:
    batches = list(PassageMaker(small_material()).passages(100))
    passages = [passage for batch, _ in batches for passage in batch]
    vectors = np.concatenate([vectors for _, vectors in batches])
    documents = make_documents(100)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert sum(document.passage_count for document in documents) == len(passages) == 100
    assert {passage.document_id for passage in passages} == {document.id for document in documents}


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
