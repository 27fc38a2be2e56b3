"""Nearness of words and manner of writing, and the ranking that they enter."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_index import ENCODER, build, make_document, make_passage

from briefbank.index.lexical import LexicalIndex, LexicalIndexBuilder
from briefbank.index.term_index import EQUIVALENT_SHARE
from briefbank.index.tokens import index_terms, own_terms, surfaces
from briefbank.platform.settings import Settings
from briefbank.search.engine import SearchEngine
from briefbank.search.retrieve import thesaurus
from briefbank.search.signals import REACH, Proximity, argument_style
from briefbank.values.records import Query, SortOrder


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    builder = LexicalIndexBuilder()
    for each in (
        ["car", "stop"],
        ["vehicl", "stop"],
        ["car", "vehicl", "of"],
        ["of", "tree"],
        ["of", "tree", "404(b)"],
    ):
        builder.add(each)
    builder.write(tmp_path / "lexical")
    return LexicalIndex.open(tmp_path / "lexical", 5)


def test_words_near_one_another_count_and_words_far_apart_do_not() -> None:
    proximity = Proximity({"a": 1.0, "b": 1.0})
    near, far = ["a", *["x"] * (REACH - 1), "b"], ["a", *["x"] * REACH, "b"]
    assert proximity.closeness(near) > proximity.closeness(far) == 0.0
    assert proximity.closeness([*near, *["x"] * REACH, *near]) > proximity.closeness(near)
    assert proximity.closeness(near) == proximity.closeness(near[::-1])
    assert proximity.closeness(["a", "a", "a"]) == 0.0
    assert Proximity({"a": 1.0}).closeness(["a", "b"]) == 0.0


@given(st.text(max_size=80))
def test_the_register_of_any_text_lies_within_its_bounds(text: str) -> None:
    assert -1 <= argument_style(text, surfaces(text)) <= 1.5


@given(st.text(max_size=80))
def test_own_terms_are_among_the_terms_of_the_index(text: str) -> None:
    assert set(own_terms(surfaces(text))) <= set(index_terms(text))


def test_an_equivalent_counts_for_less_than_the_word_and_once(index: LexicalIndex) -> None:
    plain = index.scores(["car"]).values
    found = index.scores(["car"], {"car": ("vehicl",)}).values
    assert found[0] == plain[0]
    assert found[2] == plain[2]
    assert found[1] == pytest.approx(EQUIVALENT_SHARE * index.scores(["vehicl"]).values[1])
    assert found[3] == 0.0


def test_the_thesaurus_is_mutual_and_no_word_stands_for_itself() -> None:
    for term, others in thesaurus().items():
        assert others
        assert term not in others
        assert all(term in thesaurus()[other] for other in others)


def test_the_order_does_not_depend_on_how_many_are_asked_for(tmp_path: Path) -> None:
    places = ["harbour", "meadow", "tower", "bridge", "market"]
    passages = [
        make_passage("a", n, f"A kite of size {n} over the {places[n % 5]} {'and the kite string ' * (n % 4)}")
        for n in range(40)
    ]
    engine = SearchEngine(build(tmp_path / "g", [make_document("a")], passages), ENCODER, Settings(candidate_depth=10))

    def ids(top_k: int) -> list[str]:
        query = Query("kite string over the harbour", top_k=top_k, sort=SortOrder.RELEVANCE, include_weak=True)
        return [hit.passage.id for hit in engine.search(query).hits]

    assert ids(10)[:5] == ids(5)
