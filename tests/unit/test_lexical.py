"""The word index: scores of BM25+, and its edges."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest

from briefbank.index import lexical
from briefbank.index.lexical import LexicalIndex, LexicalIndexBuilder
from briefbank.index.selection import Selection
from briefbank.index.term_index import DELTA, K1, B

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
    assert index.scores(terms).at(np.arange(len(PASSAGES))) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("terms", "rows", "is_there"),
    [(["car", "consent", "car"], [0, 1, 2], True), (["car", "consent"], [0, 1], False), (["unheard"], [0, 2], False)],
)
def test_what_holds_all_words_is_known_within_a_selection(
    index: LexicalIndex, terms: list[str], rows: list[int], *, is_there: bool
) -> None:
    mask = np.isin(np.arange(len(PASSAGES)), rows)
    assert index.has_all(terms, Selection(mask, None)) is is_there


def test_a_bank_without_a_single_word_can_be_searched(tmp_path: Path) -> None:
    builder = LexicalIndexBuilder()
    builder.add([])
    builder.write(tmp_path)
    assert LexicalIndex.open(tmp_path, 1).scores(["stop"]).at(np.arange(1)).tolist() == [0.0]


def test_the_weights_are_those_of_bm25s_itself_to_the_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bm25s import BM25

    monkeypatch.setattr(lexical, "_BATCH", 7)
    chooser = random.Random(5)
    passages = [[chooser.choice("abcdefghij") * chooser.randint(1, 3) for _ in range(n % 9)] for n in range(40)]
    builder, numbers = LexicalIndexBuilder(), dict[str, int]()
    for each in passages:
        builder.add(each)
    builder.write(tmp_path)
    rows = [[numbers.setdefault(word, len(numbers)) for word in each] for each in passages]
    plain = BM25(k1=K1, b=B, delta=DELTA, method="bm25+", backend="numpy")
    plain.index((rows, numbers), show_progress=False)
    starts = plain.scores["indptr"]
    expected = plain.scores["data"] + np.repeat(plain.nonoccurrence_array[: len(starts) - 1], np.diff(starts))
    for name, array in (("data", expected), ("indices", plain.scores["indices"]), ("indptr", starts)):
        ours = np.load(tmp_path / f"{name}.csc.index.npy")
        assert ours.dtype == array.dtype
        assert ours.tobytes() == array.tobytes()
    assert BM25.load(tmp_path).vocab_dict == plain.vocab_dict
