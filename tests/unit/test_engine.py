"""The search engine over small banks made for each question."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sample_index import ENCODER, build, make_document, make_passage

from briefbank.errors import ModelError
from briefbank.index.generation import Generation
from briefbank.platform.settings import Settings
from briefbank.search.engine import SearchEngine
from briefbank.search.scope import scope_of
from briefbank.values.records import DocumentKind, Filters, Query, SearchResult, SectionKind, SortOrder

KITE = "The tethered kite crossed the harbour without a permit."


@pytest.fixture(scope="module")
def generation(tmp_path_factory: pytest.TempPathFactory) -> Generation:
    documents = [
        make_document("old", filed="2003-05-01", court="Harbour Court"),
        make_document("new", filed="2024-02-29", court="O'Hara's Court", kind="directive"),
        make_document("undated"),
    ]
    passages = [
        make_passage("old", 0, "TABLE OF CONTENTS The tethered kite 3", SectionKind.CONTENTS),
        make_passage("old", 1, "On Monday the kite was tethered at the harbour.", SectionKind.FACTS),
        make_passage("old", 2, KITE),
        make_passage("new", 0, "A kite that is tethered may cross. See 404(b)(2)."),
        make_passage("new", 1, "Balloons are another matter; see 2C: 11-3 (a) (1) and 170 N.J. 632."),
        make_passage("undated", 0, "The kite, tethered, was seized."),
        make_passage("undated", 1, "Nothing here concerns the question at all."),
    ]
    return build(tmp_path_factory.mktemp("bank") / "g1", documents, passages)


@pytest.fixture(scope="module")
def engine(generation: Generation) -> SearchEngine:
    return SearchEngine(generation, ENCODER, Settings())


def ids(result: SearchResult) -> list[str]:
    return [hit.passage.id for hit in result.hits]


def test_the_passage_that_holds_the_words_is_best(engine: SearchEngine) -> None:
    result = engine.search(Query("find me briefs about tethered kites crossing a harbour", sort=SortOrder.RELEVANCE))
    best = result.hits[0]
    assert best.passage.text == KITE
    assert [KITE[span.start : span.end] for span in best.matches] == ["tethered", "kite", "crossed", "harbour"]
    assert best.why == "holds all your words in one sentence"
    assert result.has_exact
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)


def test_tables_are_hidden_and_counted_until_asked_for(engine: SearchEngine) -> None:
    result = engine.search(Query("tethered kite"))
    assert "old-000" not in ids(result)
    assert result.hidden_count == 1
    assert result.lowered_count == 1
    everything = engine.search(Query("tethered kite", include_hidden=True, top_k=10))
    assert "old-000" in ids(everything)
    assert (everything.hidden_count, everything.lowered_count) == (0, 0)
    contents = engine.search(Query("tethered kite", filters=Filters(section_kinds=(SectionKind.CONTENTS,))))
    assert ids(contents) == ["old-000"]


def test_facts_rank_lower_by_default(engine: SearchEngine) -> None:
    def score(*, include_hidden: bool) -> float:
        query = Query("tethered kite harbour", sort=SortOrder.RELEVANCE, include_hidden=include_hidden)
        return next(hit.score for hit in engine.search(query).hits if hit.passage.id == "old-001")

    assert score(include_hidden=False) < score(include_hidden=True)


def test_a_citation_that_nobody_cites_is_answered_by_meaning_if_weak_matches_are_asked_for(
    engine: SearchEngine,
) -> None:
    result = engine.search(Query("999(z)", sort=SortOrder.RELEVANCE, include_weak=True))
    assert not result.has_exact
    assert result.hits[0].score > result.hits[-1].score
    assert result.hits[0].why == "says it in other words"


def test_asking_for_more_than_there_is_gives_what_there_is(engine: SearchEngine) -> None:
    assert len(engine.search(Query("kite", top_k=1000, include_weak=True)).hits) == 6
    assert len(engine.search(Query("kite", top_k=2**70, include_weak=True)).hits) == 6


def test_a_scope_of_hidden_passages_alone_counts_those_that_hold_the_words(tmp_path: Path) -> None:
    table = make_passage("old", 0, "TABLE OF CONTENTS The tethered kite 3", SectionKind.CONTENTS)
    engine = SearchEngine(build(tmp_path / "g2", [make_document("old")], [table]), ENCODER, Settings())
    assert engine.search(Query("tethered kite")).hidden_count == 1
    assert engine.search(Query("submarine")).hidden_count == 0


def test_another_encoder_than_the_index_was_built_with_is_refused(generation: Generation) -> None:
    other = SimpleNamespace(digest="another", precision="fp32", dimension=256)
    with pytest.raises(ModelError):
        SearchEngine(generation, other, Settings())  # type: ignore[arg-type]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(
    kinds=st.sets(st.sampled_from(DocumentKind)),
    sections=st.sets(st.sampled_from([SectionKind.ARGUMENT, SectionKind.FACTS, SectionKind.CONTENTS])),
    courts=st.sets(st.sampled_from(["Harbour Court", "O'HARA'S court", "Nowhere"])),
    since=st.none() | st.dates(date(2000, 1, 1), date(2012, 1, 1)),
    until=st.none() | st.dates(date(2012, 1, 1), date(2026, 1, 1)),
    include_hidden=st.booleans(),
    dockets=st.sets(st.sampled_from(["A-1482-17T4", "a-0000-00", "of no brief"])),
)
def test_the_mask_and_the_condition_say_the_same(
    generation: Generation,
    kinds: set[DocumentKind],
    sections: set[SectionKind],
    courts: set[str],
    since: date | None,
    until: date | None,
    include_hidden: bool,
    dockets: set[str],
) -> None:
    filters = Filters(tuple(kinds), since, until, tuple(sections), tuple(courts), dockets=tuple(dockets))
    scope = scope_of(Query("kite", filters=filters, include_hidden=include_hidden), generation.dense)
    rows, _ = generation.dense.search(ENCODER.encode_queries(["kite"])[0], 100, scope.shown)
    assert sorted(rows.tolist()) == np.flatnonzero(scope.mask).tolist()
    rows, _ = generation.dense.search(ENCODER.encode_queries(["kite"])[0], 100, scope.allowed)
    assert sorted(rows.tolist()) == np.flatnonzero(scope.mask | scope.hidden).tolist()
    assert not (scope.mask & scope.hidden).any()


def test_many_searches_need_no_more_threads_than_some(generation: Generation) -> None:
    engine = SearchEngine(generation, ENCODER, Settings())
    before = psutil.Process().num_threads()
    for number in range(400):
        engine.search(Query(f"tethered kite {number}", include_weak=True))
    assert psutil.Process().num_threads() - before < 16
    assert os.environ["TOKIO_WORKER_THREADS"] == "4"
