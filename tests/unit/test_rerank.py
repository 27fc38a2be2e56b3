"""Where a reranker, learned or added, puts results in order, which of two does, and where they leave them alone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_index import ENCODER, build, make_document, make_passage

from briefbank.errors import ModelError
from briefbank.index.generation import Generation
from briefbank.index.learned import Card, Learned
from briefbank.index.publish import live_generation
from briefbank.platform.layout import Layout
from briefbank.platform.settings import Settings
from briefbank.search.aids import ModelAids
from briefbank.search.engine import SearchEngine
from briefbank.search.rerank import blended
from briefbank.values.records import Query, SearchResult, SortOrder

TEXTS = (
    "The kite crossed the harbour.",
    "A kite in the harbour was seized, see State v. Carty, 170 N.J. 632 (2002).",
    "The harbour forbids a kite that is longer than a yard and was not weighed.",
    "Whoever flies a kite near the harbour needs a permit, and no permit was asked for or shown to the warden.",
)


@dataclass
class LongestFirst:
    """Prefers long passages to short ones, and notes what it was asked to read."""

    read: list[tuple[str, list[str]]] = field(default_factory=list)
    digest = "0" * 64

    def scores(self, question: str, passages: Sequence[str]) -> npt.NDArray[np.float32]:
        self.read.append((question, list(passages)))
        return np.array([len(passage) for passage in passages], dtype=np.float32)

    def write(self, folder: Path) -> None:
        raise NotImplementedError


@pytest.fixture(scope="module")
def generation(tmp_path_factory: pytest.TempPathFactory) -> Generation:
    documents = [make_document(name, filed=f"20{number:02d}-01-01") for number, name in enumerate("abcd", 10)]
    passages = [make_passage(name, 0, text) for name, text in zip("abcd", TEXTS, strict=True)]
    return build(tmp_path_factory.mktemp("bank") / "g1", documents, passages)


def search(generation: Generation, query: Query, reranker: LongestFirst | None = None, **chosen: float) -> SearchResult:
    learned = Learned(Card("reranker", reranker_weight=1.0), reranker=reranker) if reranker else None
    settings = Settings(weak_below=0.0, **chosen)  # type: ignore[arg-type]
    return SearchEngine(replace(generation, learned=learned), ENCODER, settings).search(query)


def asked(text: str = "kite harbour") -> Query:
    return Query(text, sort=SortOrder.RELEVANCE)


def texts(result: SearchResult) -> list[str]:
    return [hit.passage.text for hit in result.hits]


def test_a_reranker_puts_the_best_in_order_and_scores_still_fall(generation: Generation) -> None:
    plain, reranked = search(generation, asked()), search(generation, asked(), LongestFirst())
    assert texts(reranked) == sorted(TEXTS, key=len, reverse=True) != texts(plain)
    assert [hit.score for hit in reranked.hits] == [hit.score for hit in plain.hits]
    assert [hit.rank for hit in reranked.hits] == [1, 2, 3, 4]


def test_it_reads_the_question_and_as_many_results_as_are_set(generation: Generation) -> None:
    reranker = LongestFirst()
    plain = texts(search(generation, asked()))
    reranked = texts(search(generation, asked(), reranker, reranked_results=2))
    assert reranker.read == [("kite harbour", plain[:2])]
    assert reranked == [*sorted(plain[:2], key=len, reverse=True), *plain[2:]]


def test_it_is_switched_off_by_a_setting(generation: Generation) -> None:
    reranker = LongestFirst()
    assert texts(search(generation, asked(), reranker, reranked_results=0)) == texts(search(generation, asked()))
    assert not reranker.read


@pytest.mark.parametrize("text", ["170 N.J. 632", "kite harbour N.J.R.E. 404(b)", " ".join([*TEXTS, *TEXTS])])
def test_citations_and_pasted_texts_keep_their_order(generation: Generation, text: str) -> None:
    reranker = LongestFirst()
    assert texts(search(generation, asked(text), reranker)) == texts(search(generation, asked(text)))
    assert not reranker.read


def test_terms_and_connectors_keep_their_order(library_bank: Path) -> None:
    generation, reranker = Generation.open(live_generation(Layout(library_bank))), LongestFirst()
    query = asked("stop & (consent or suspicion)")
    assert len(texts(search(generation, query, reranker))) > 1
    assert texts(search(generation, query, reranker)) == texts(search(generation, query))
    assert not reranker.read


def test_results_by_date_stay_by_date(generation: Generation) -> None:
    by_date = search(generation, Query("kite harbour", sort=SortOrder.RECENCY), LongestFirst())
    assert texts(by_date) == list(TEXTS[::-1])
    assert [hit.rank for hit in by_date.hits] != [1, 2, 3, 4]


@dataclass
class ShortestFirst(LongestFirst):
    """A cross-encoder that prefers short passages, takes its time, and fails where it has to."""

    pause_s: float = 0.0
    fault: ModelError | None = None

    def scores(self, question: str, passages: Sequence[str]) -> npt.NDArray[np.float32]:
        if self.fault:
            raise self.fault
        time.sleep(self.pause_s)
        return -LongestFirst.scores(self, question, passages)


def search_with(
    generation: Generation, added: LongestFirst, own: LongestFirst | None = None, text: str = "kite", **chosen: float
) -> SearchResult:
    learned = Learned(Card("reranker", reranker_weight=1.0), reranker=own) if own else None
    settings = Settings(weak_below=0.0, **{"graded_results": 50, **chosen})  # type: ignore[arg-type]
    engine = SearchEngine(replace(generation, learned=learned), ENCODER, settings, aids=ModelAids(cross_encoder=added))
    return engine.search(asked(text))


def test_a_cross_encoder_that_was_added_goes_before_a_learned_reranker_and_says_so(generation: Generation) -> None:
    own, added = LongestFirst(), ShortestFirst()
    found = search_with(generation, added, own)
    assert texts(found) == sorted(TEXTS, key=len)
    assert not own.read
    said = "A cross-encoder chose the order of the best 4, in place of the reranker that was learned."
    assert found.notices == (said,)
    alone = "A cross-encoder chose the order of the best 4."
    assert search_with(generation, added).notices == (alone,)
    assert search_with(generation, added, own, reranked_results=0).notices == (alone,)


@pytest.mark.parametrize(
    "text", ["170 N.J. 632", "kite harbour N.J.R.E. 404(b)", " ".join([*TEXTS, *TEXTS]), "since 2011"]
)
def test_a_cross_encoder_leaves_citations_pasted_texts_and_bare_conditions_alone(
    generation: Generation, text: str
) -> None:
    added = ShortestFirst()
    found = search_with(generation, added, text=text)
    assert texts(found) == texts(search(generation, asked(text)))
    assert not added.read
    assert not found.notices


def test_one_that_fails_leaves_the_order_and_says_so(generation: Generation) -> None:
    found = search_with(generation, ShortestFirst(fault=ModelError("It has gone.")))
    assert texts(found) == texts(search(generation, asked("kite")))
    assert found.notices == ("Ranked without the cross-encoder: It has gone.",)


def test_what_there_is_no_time_for_stays_behind_what_was_read(tmp_path: Path) -> None:
    documents = [make_document(name) for name in "abcdefgh"]
    passages = [make_passage(name, 0, "kite " * (number + 1)) for number, name in enumerate("abcdefgh")]
    generation = build(tmp_path / "g1", documents, passages)
    plain = texts(search(generation, asked("kite")))
    slow = search_with(generation, ShortestFirst(pause_s=0.2), grading_time_s=0.1)
    assert texts(slow) == [*sorted(plain[:4], key=len), *plain[4:]]
    assert slow.notices == ("A cross-encoder chose the order of the best 4.",)


@given(st.lists(st.tuples(st.floats(0, 2), st.floats(-20, 20, width=32)), min_size=1, max_size=12))
def test_without_weight_the_order_stays_and_with_it_every_result_does(pairs: list[tuple[float, float]]) -> None:
    pairs.sort(key=lambda pair: -pair[0])
    fused, read = np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs], dtype=np.float32)
    assert blended(fused, read, 0.0).tolist() == list(range(len(pairs)))
    assert sorted(blended(fused, read, 0.1).tolist()) == list(range(len(pairs)))
