"""What a language model is asked for, asked of a real one: SmolLM2, or with `REAL_MODEL=qwen2.5-coder-1.5b-instruct`
another of those that `make models-for-tests` fetches. How good it is, is measured elsewhere.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from llm.fetch import MODELS
from llm.running import children, the_child
from program import ROOT, Briefbank

from briefbank.bank.local import Bank
from briefbank.errors import CancelledError, ContextOverflowError, InvalidAnswerError, LanguageModelError, ModelError
from briefbank.ingest.segment.breaks import PassageSize
from briefbank.ingest.segment.by_model import ModelCutter
from briefbank.judgements.synthesize import Fate, question_for
from briefbank.models.installed import Role, add_model
from briefbank.models.language import LanguageModel, load_language_model
from briefbank.models.language.port import Message, Priority, Request, Speaker
from briefbank.platform.progress import CancelToken
from briefbank.platform.settings import Settings
from briefbank.search.aids import Expander, Grader
from briefbank.search.summaries.write import Pace, Sentence, compose_for, write_summary
from briefbank.values.records import Query

pytestmark = pytest.mark.llm

QUESTION = "can police prolong a stop after the ticket is written"
ASKED = (Message(Speaker.SYSTEM, "You answer in one sentence."), Message(Speaker.USER, "What is a suppression motion?"))
PATIENT_S = 600.0
NAME = os.environ.get("REAL_MODEL") or "smollm2-135m-instruct"


@pytest.fixture(scope="session")
def weights() -> Path:
    if NAME not in MODELS:
        pytest.fail(f"REAL_MODEL={NAME} is none of {', '.join(MODELS)}")
    file = ROOT / "build/models-for-tests" / f"{NAME}.gguf"
    if not file.exists():
        pytest.skip("make models-for-tests has not fetched the models")
    return file


@pytest.fixture(scope="session")
def models(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("real")
    add_model(weights, [Role.SUMMARY, Role.EXPAND, Role.SEGMENT, Role.RERANK, Role.EXTRACT], folder=made)
    return made


@pytest.fixture
def model(models: Path) -> Iterator[LanguageModel]:
    opened = load_language_model(Role.SUMMARY, Settings(), models)
    yield opened
    opened.close()


def test_a_summary_is_written_and_written_the_same_again(model: LanguageModel, own_bank: Path) -> None:
    with Bank.open(own_bank) as bank:
        passages = bank.passages_of(bank.search(Query(QUESTION)).hits[0].document.id)
    told: list[Sentence] = []
    composed = compose_for(passages[0], passages, model)
    pace = Pace(Priority.WAITED_FOR, PATIENT_S)
    first = write_summary(composed, model, pace, told.append, CancelToken())
    assert first
    assert tuple(told) == first
    assert write_summary(composed, model, pace, lambda _: None, CancelToken()) == first


def test_a_question_is_put_in_the_words_of_the_law_or_not_at_all(model: LanguageModel) -> None:
    with suppress(InvalidAnswerError):  # small ones do not come to an end
        assert Expander(model, 0.3, PATIENT_S).expand(QUESTION)


def test_passages_are_graded(model: LanguageModel) -> None:
    grades = Grader(model, PATIENT_S).grades(QUESTION, ["The stop was over.", "The jury was charged."])
    assert len(grades) == 2
    assert all(0 <= grade <= 4 for grade in grades)


def test_sentences_are_cut_into_passages_or_left_to_the_encoder(model: LanguageModel) -> None:
    cutter = ModelCutter(model, PATIENT_S)
    texts = [f"The officer waited for {number} minutes, and asked again." for number in range(20)]
    found = cutter.breaks(texts, np.full(20, 8), np.ones(20, dtype=np.bool_), PassageSize(40, 10, 80))
    assert found is None or found[-1] == 20


def test_a_question_is_made_up_for_a_passage(model: LanguageModel) -> None:
    fate, _ = question_for("The officer asked for consent, which was not voluntary.", model, PATIENT_S, CancelToken())
    assert fate in Fate


def test_a_checklist_is_read_in_the_words_of_the_brief(
    briefbank: Briefbank, own_bank: Path, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_MODELS", str(models))
    item = '[[item]]\nname = "Consent"\nquestion = "Was consent valid?"\nkeywords = \'["consent"]\'\n'
    (tmp_path / "list.toml").write_text(f'name = "Roadside"\n{item}', encoding="utf-8")
    told = briefbank("checklist", "run", tmp_path / "list.toml", "--all", "--with-model", "--bank", own_bank, "--json")
    assert told.code == 0, told.err
    with Bank.open(own_bank) as bank:
        for document in told.json["documents"]:
            texts = {each.id: each.text for each in bank.passages_of(document["document_id"])}
            for extract in (each for answer in document["answers"] for each in answer["extracts"]):
                assert extract["text"] in texts[extract["passage_id"]]


def test_an_answer_is_given_up_while_it_is_written(model: LanguageModel) -> None:
    cancel = CancelToken()
    with pytest.raises(CancelledError):
        model.answer(Request(ASKED, 2_000, PATIENT_S), on_text=lambda _: cancel.cancel(), cancel=cancel)
    assert model.answer(Request(ASKED, 20, PATIENT_S)).text


def test_a_model_that_dies_is_started_again(model: LanguageModel) -> None:
    with pytest.raises(LanguageModelError):
        model.answer(Request(ASKED, 2_000, PATIENT_S), on_text=lambda _: the_child().kill() if children() else None)
    assert model.answer(Request(ASKED, 20, PATIENT_S)).text


def test_a_context_that_is_too_long_is_refused(model: LanguageModel) -> None:
    asked = (Message(Speaker.USER, "The stop was over when the ticket was written. " * 9_000),)
    with pytest.raises(ContextOverflowError):
        model.answer(Request(asked, 20, PATIENT_S))


def test_its_own_template_has_both_speakers_told(model: LanguageModel) -> None:
    system, user = ASKED
    counted = model.count_tokens(ASKED)
    for longer in (
        (replace(system, text=f"{system.text} Be brief."), user),
        (system, replace(user, text="Why? " * 40)),
    ):
        assert model.count_tokens(longer) > counted


def test_a_file_that_is_cut_off_is_refused(weights: Path, tmp_path: Path) -> None:
    cut = shutil.copyfile(weights, tmp_path / "cut.gguf")
    os.truncate(cut, weights.stat().st_size - 4_096)
    with pytest.raises(ModelError, match="its end is missing"):
        add_model(cut, [Role.SUMMARY], folder=tmp_path / "models")
