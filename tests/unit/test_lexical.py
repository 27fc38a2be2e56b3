"""The word index: scores of BM25+, and its edges."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from briefbank.index.lexical import DELTA, K1, B, LexicalIndex, LexicalIndexBuilder, top_rows

PASSAGES = [["stop", "car", "stop"], ["consent"], ["car", "search", "consent", "home"], []]


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    builder = LexicalIndexBuilder()
    for terms in PASSAGES:
        builder.add(terms)
    assert len(builder) == len(PASSAGES)
    builder.write(tmp_path / "lexical")
    return LexicalIndex.open(tmp_path / "lexical", len(PASSAGES))


def bm25_plus(term: str, passage: list[str]) -> float:
    """Lv and Zhai (2011), delta only where the term occurs."""
    frequency = passage.count(term)
    if not frequency:
        return 0.0
    holding = sum(term in other for other in PASSAGES)
    average = sum(map(len, PASSAGES)) / len(PASSAGES)
    weight = frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * len(passage) / average)) + DELTA
    return math.log((len(PASSAGES) + 1) / holding) * weight


@pytest.mark.parametrize("terms", [["stop"], ["car", "consent"], ["car", "car"], ["unheard"], []])
def test_scores_are_those_of_bm25_plus(index: LexicalIndex, terms: list[str]) -> None:
    expected = [sum(bm25_plus(term, passage) for term in terms) for passage in PASSAGES]
    assert index.scores(terms) == pytest.approx(expected, rel=1e-5)


def test_each_term_counts_once_towards_what_a_passage_holds(index: LexicalIndex) -> None:
    assert index.matched_counts(["car", "consent", "car", "unheard"]).tolist() == [1, 1, 2, 0]


def test_a_bank_without_a_single_word_can_be_searched(tmp_path: Path) -> None:
    builder = LexicalIndexBuilder()
    builder.add([])
    builder.write(tmp_path)
    assert LexicalIndex.open(tmp_path, 1).scores(["stop"]).tolist() == [0.0]


def test_an_empty_bank_can_be_searched(tmp_path: Path) -> None:
    LexicalIndexBuilder().write(tmp_path)
    assert LexicalIndex.open(tmp_path, 0).scores(["stop"]).tolist() == []


def test_the_best_rows_come_first_with_ties_by_row_and_depth_may_exceed_the_bank() -> None:
    scores = np.array([1, 3, 0, 3, 2], dtype=np.float32)
    assert top_rows(scores, 10).tolist() == [1, 3, 4, 0]
    assert top_rows(scores, 1).tolist() == [1]
    assert top_rows(scores, 2, np.array([True, False, True, True, True])).tolist() == [3, 4]
