"""What both forms of an index promise: a large one finds what a small one of the same passages finds."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from sample_index import ENCODER, build, make_document, make_passage

from briefbank.errors import BankNewerError
from briefbank.index import dense, full_text
from briefbank.index.generation import Generation
from briefbank.index.manifest import Form
from briefbank.index.notes import Annotator
from briefbank.index.selection import OneOf, Selection
from briefbank.index.tokens import index_terms
from briefbank.ingest.annotate import annotate
from briefbank.law.citations import load_patterns
from briefbank.platform import versions
from briefbank.platform.settings import Settings
from briefbank.search.engine import SearchEngine
from briefbank.values.records import Passage, Query, SectionKind

WORDS = (
    "stop car search consent home warrant officer judge jury plea sentence appeal record motion witness vehicle "
    "harbour kite lantern ferry"
).split()
KINDS = (SectionKind.ARGUMENT, SectionKind.ARGUMENT, SectionKind.FACTS, SectionKind.CONTENTS)
EQUIVALENTS = {"car": ("vehicl",), "vehicl": ("car",)}
PATTERNS = load_patterns()


def passages_of(count: int) -> list[Passage]:
    choose = random.Random(11)
    made = []
    for number in range(count):
        words = choose.choices(WORDS, weights=range(1, len(WORDS) + 1), k=choose.randint(6, 40))
        text = f"{' '.join(words)}. See 170 N.J. 632 and N.J.S.A. 2C:{number % 9}-3(a). Word{number // 2}."
        made.append(make_passage(f"d{number % 7}", number // 7, text, KINDS[number % len(KINDS)]))
    return sorted(made, key=lambda each: each.document_id)


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> dict[Form, Generation]:
    documents = [make_document(f"d{n}", filed=f"20{n:02}-01-01" if n else None) for n in range(7)]
    annotator = Annotator(lambda each: annotate(each, PATTERNS), PATTERNS)
    root, passages = tmp_path_factory.mktemp("forms"), passages_of(400)
    return {form: build(root / form, documents, passages, batch=90, annotator=annotator, form=form) for form in Form}


def selections(generation: Generation) -> list[Selection]:
    index = generation.dense
    return [
        Selection.meeting(index, []),
        Selection.meeting(index, [OneOf("section_kind", ("argument", "facts"))]),
        Selection.meeting(index, [OneOf("document", (2,)), OneOf("row", (120, 130), negated=True)]),
        Selection.meeting(index, [OneOf("document", ())]),
    ]


QUESTIONS = (
    ["car", "warrant"], ["kite", "kite", "plea"], ["170 nj 632"], ["2c:4-3(a)"], ["unheard"], ["unheard", "juri"], [],
)  # fmt: skip


@pytest.mark.parametrize("terms", QUESTIONS)
@pytest.mark.parametrize("number", range(4))
def test_words_find_the_same_passages_in_the_same_order(
    forms: dict[Form, Generation], terms: list[str], number: int
) -> None:
    small, large = forms[Form.SMALL], forms[Form.LARGE]
    exact = small.lexical.scores(terms, EQUIVALENTS)
    found = large.lexical.scores(terms, EQUIVALENTS)
    every = np.arange(400)
    assert found.at(every) == pytest.approx(exact.at(every), rel=1e-5, abs=1e-6)
    rows = exact.best(30, selections(small)[number])
    assert exact.at(found.best(30, selections(large)[number])) == pytest.approx(exact.at(rows), rel=1e-5)


@pytest.mark.parametrize("narrowed_to", [("facts",), ("argument", "facts"), ()])
def test_what_is_shown_and_what_is_kept_back_are_found_at_once_as_one_after_the_other(
    forms: dict[Form, Generation], narrowed_to: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_text, "_LEAST_CANDIDATES", 10)  # so that not every passage is a candidate
    for generation in forms.values():
        wide = Selection.meeting(generation.dense, [])
        narrow = wide.narrowed(generation.dense, [OneOf("section_kind", narrowed_to)])
        scores = generation.lexical.scores(["warrant", "kite"], EQUIVALENTS)
        found = scores.best_in_both(5, wide, narrow)
        assert [each.tolist() for each in found] == [scores.best(5, each).tolist() for each in (wide, narrow)]
        assert len(found[1]) == (5 if narrowed_to else 0)


def test_terms_are_as_rare_in_both_and_are_counted_alike(forms: dict[Form, Generation]) -> None:
    small, large = (forms[form].lexical for form in (Form.SMALL, Form.LARGE))
    rows = np.arange(0, 400, 7)
    for term in ("car", "170 nj 632", "2c:4-3", "word17", "unheard"):
        assert (large.holders(term), large.rarity(term)) == (small.holders(term), small.rarity(term))
        assert large.count_holding(term, rows) == small.count_holding(term, rows)
    for terms in (["car", "kite"], ["170 nj 632", "word17"], ["car", "unheard"]):
        assert large.count_holding_all(terms) == small.count_holding_all(terms)


@pytest.mark.parametrize("number", range(4))
def test_what_holds_all_words_is_found_in_both(forms: dict[Form, Generation], number: int) -> None:
    groups = [(["car", "kite"], 3.0), (["lantern"], 1.0), (["unheard"], 9.0)]
    answers = []
    for generation in forms.values():
        within = selections(generation)[number]
        has_all = [
            generation.lexical.has_all(terms, within) for terms in (["car", "kite"], ["word17"], ["unheard"], [])
        ]
        answers.append((has_all, generation.lexical.best_holding(groups, 400, within).tolist()))
    assert answers[0] == answers[1]


def test_weighted_words_score_the_same(forms: dict[Form, Generation]) -> None:
    weights = {"car": 0.5, "kite": 0.3, "ferri": 0.2}
    exact, found = (forms[form].lexical.weighted_scores(weights) for form in (Form.SMALL, Form.LARGE))
    rows = exact.best(20)
    assert found.at(rows) == pytest.approx(exact.at(rows), rel=1e-5)
    assert exact.at(found.best(20)) == pytest.approx(exact.at(rows), rel=1e-5)


@pytest.mark.parametrize("form", Form)
def test_vectors_come_back_and_find_what_is_near(forms: dict[Form, Generation], form: Form) -> None:
    generation = forms[form]
    vectors = ENCODER.encode_passages(generation.dense.texts(np.arange(400)))
    assert generation.dense.vectors(np.arange(400)) == pytest.approx(vectors, abs=1e-3)
    rows, cosines = generation.dense.search(vectors[17], 10)
    assert cosines == pytest.approx(np.sort(vectors @ vectors[17])[::-1][:10], abs=2e-3)
    assert generation.dense.vectors(rows).dtype == np.float32


def test_grouped_vectors_find_nearly_all_that_is_near(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "_LEAST_GROUPED", 500)
    passages = passages_of(1_000)
    generation = build(tmp_path / "g", [make_document(f"d{n}") for n in range(7)], passages, batch=500, form=Form.LARGE)
    vectors = ENCODER.encode_passages([each.text for each in passages])
    found = []
    for query in vectors[::50]:
        nearest = set(np.argsort(-(vectors @ query), kind="stable")[:10].tolist())
        found.append(len(nearest & set(generation.dense.search(query, 60)[0].tolist())) / 10)
    assert np.mean(found) > 0.9


@pytest.mark.parametrize("compared", [0, 50_000])
def test_no_selected_passage_is_lost_among_grouped_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compared: int
) -> None:
    monkeypatch.setattr(dense, "_LEAST_GROUPED", 500)
    monkeypatch.setattr(dense, "_SHARE_LOOKED_AT", 0.02)
    monkeypatch.setattr(dense, "_COMPARED_ROWS", compared)
    documents = [make_document(f"d{n}") for n in range(7)]
    generation = build(tmp_path / "g", documents, passages_of(1_000), batch=500, form=Form.LARGE)
    (question,) = ENCODER.encode_passages(["consent to search a car"])
    for each in selections(generation)[1:]:
        rows, _ = generation.dense.search(question, max(int(each.mask.sum()), 1), each)
        assert sorted(rows.tolist()) == np.flatnonzero(each.mask).tolist()


@pytest.mark.parametrize(
    "text", ["consent to search a car", "jury warrant", "170 N.J. 632", "kite /s ferry", "2c:4-3(a)", "worf17 lantern"]
)
def test_a_search_shows_the_same_in_both(forms: dict[Form, Generation], text: str) -> None:
    shown = []
    for generation in forms.values():
        result = SearchEngine(generation, ENCODER, Settings()).search(Query(text, include_weak=True))
        hits = [(hit.passage, hit.document, hit.matches, hit.siblings) for hit in result.hits]
        shown.append((hits, result.hidden_count, result.has_exact, result.corrections, result.notices, result.counts))
    assert shown[0] == shown[1]


def test_an_index_says_its_form_and_a_program_that_knows_only_the_small_one_refuses_it(
    forms: dict[Form, Generation], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [forms[form].info.form for form in Form] == list(Form)
    monkeypatch.setattr(versions, "GENERATION_LARGE", versions.GENERATION_WITH_LEARNED)
    Generation.open(forms[Form.SMALL].folder)
    with pytest.raises(BankNewerError):
        Generation.open(forms[Form.LARGE].folder)


def test_no_term_has_the_sign_that_stands_for_spaces() -> None:
    assert "_" not in "".join(index_terms("under_score a_b 1_2 170 N.J. 632 § 2C:11-3(a)_(1)"))


@pytest.mark.parametrize("form", Form)
def test_an_empty_bank_can_be_searched_in_both(tmp_path: Path, form: Form) -> None:
    generation = build(tmp_path / "g", [], [], form=form)
    assert generation.lexical.scores(["stop"]).best(3).tolist() == []
    assert not generation.lexical.has_all(["stop"], Selection.meeting(generation.dense, []))
