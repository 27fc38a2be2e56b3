"""Where a cross-encoder that was added puts results in order, and where it leaves them alone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from sample_index import ENCODER, build, make_document, make_passage

from briefbank.errors import ModelError
from briefbank.index.generation import Generation
from briefbank.platform.settings import Settings
from briefbank.search.aids import ModelAids
from briefbank.search.engine import SearchEngine
from briefbank.values.bands import arranged
from briefbank.values.records import Query, SearchResult, SortOrder

TEXTS = (
    "The kite crossed the harbour.",
    "A kite in the harbour was seized, see State v. Carty, 170 N.J. 632 (2002).",
    "The harbour forbids a kite that is longer than a yard and was not weighed.",
    "Whoever flies a kite near the harbour needs a permit, and no permit was asked for or shown to the warden.",
)


@dataclass
class LongestFirst:
    """Prefers long passages, takes its time, fails where it has to, and notes what it was asked to read."""

    pause_s: float = 0.0
    fault: ModelError | None = None
    read: list[tuple[str, list[str]]] = field(default_factory=list)
    digest = "0" * 64

    def scores(self, question: str, passages: Sequence[str]) -> npt.NDArray[np.float32]:
        if self.fault:
            raise self.fault
        time.sleep(self.pause_s)
        self.read.append((question, list(passages)))
        return np.array([len(passage) for passage in passages], dtype=np.float32)


@pytest.fixture(scope="module")
def generation(tmp_path_factory: pytest.TempPathFactory) -> Generation:
    documents = [make_document(name, filed=f"20{number:02d}-01-01") for number, name in enumerate("abcd", 10)]
    passages = [make_passage(name, 0, text) for name, text in zip("abcd", TEXTS, strict=True)]
    return build(tmp_path_factory.mktemp("bank") / "g1", documents, passages)


def asked(text: str) -> Query:
    return Query(text, sort=SortOrder.RELEVANCE)


ASKED = asked("kite harbour")


def search(
    generation: Generation, added: LongestFirst | None = None, query: Query = ASKED, **chosen: float
) -> SearchResult:
    settings = Settings(weak_below=0.0, **{"graded_results": 50, **chosen})  # type: ignore[arg-type]
    return SearchEngine(generation, ENCODER, settings, aids=ModelAids(cross_encoder=added)).search(query)


def texts(result: SearchResult) -> list[str]:
    return [hit.passage.text for hit in result.hits]


def test_it_puts_the_best_in_order_says_so_and_each_place_keeps_its_score(generation: Generation) -> None:
    plain, reranked = search(generation), search(generation, LongestFirst())
    assert texts(reranked) == sorted(TEXTS, key=len, reverse=True) != texts(plain)
    assert [hit.score for hit in reranked.hits] == [hit.score for hit in plain.hits]
    assert [hit.rank for hit in reranked.hits] == [1, 2, 3, 4]
    assert reranked.notices == ("A cross-encoder chose the order of the best 4.",)


def test_it_reads_the_question_and_as_many_results_as_are_set(generation: Generation) -> None:
    added, plain = LongestFirst(), texts(search(generation))
    reranked = texts(search(generation, added, graded_results=2))
    assert added.read == [("kite harbour", plain[:2])]
    assert reranked == [*sorted(plain[:2], key=len, reverse=True), *plain[2:]]


def test_results_by_date_stay_by_date(generation: Generation) -> None:
    by_date = arranged(search(generation, LongestFirst()).hits, SortOrder.RECENCY)
    assert [hit.passage.text for hit in by_date] == list(TEXTS[::-1])
    assert [hit.rank for hit in by_date] != [1, 2, 3, 4]


@pytest.mark.parametrize(
    "text", ["170 N.J. 632", "kite harbour N.J.R.E. 404(b)", " ".join([*TEXTS, *TEXTS]), "since 2011"]
)
def test_a_cross_encoder_leaves_citations_pasted_texts_and_bare_conditions_alone(
    generation: Generation, text: str
) -> None:
    added = LongestFirst()
    found = search(generation, added, asked(text))
    assert texts(found) == texts(search(generation, query=asked(text)))
    assert not added.read
    assert not found.notices


def test_one_that_fails_leaves_the_order_and_says_so(generation: Generation) -> None:
    found = search(generation, LongestFirst(fault=ModelError("It has gone.")))
    assert texts(found) == texts(search(generation))
    assert found.notices == ("Ranked without the cross-encoder: It has gone.",)


def test_what_there_is_no_time_for_stays_behind_what_was_read(tmp_path: Path) -> None:
    documents = [make_document(name) for name in "abcdefgh"]
    passages = [make_passage(name, 0, "kite " * (number + 1)) for number, name in enumerate("abcdefgh")]
    generation = build(tmp_path / "g1", documents, passages)
    plain = texts(search(generation, query=asked("kite")))
    slow = search(generation, LongestFirst(pause_s=0.2), asked("kite"), grading_time_s=0.1)
    assert texts(slow) == [*sorted(plain[:4], key=len, reverse=True), *plain[4:]]
    assert slow.notices == ("A cross-encoder chose the order of the best 4.",)
