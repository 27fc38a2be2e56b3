"""Expansion, grades, cuts and questions asked of real llama.cpp: noise comes back, in the form that was asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import office
import pytest
from conftest import Open
from llm.tiny import write_tiny_gguf
from program import Briefbank

from briefbank.bank.local import Bank
from briefbank.errors import InvalidAnswerError
from briefbank.ingest.segment.breaks import PassageSize
from briefbank.ingest.segment.by_model import ModelCutter
from briefbank.judgements.synthesize import Fate, question_for
from briefbank.models.installed import Role, add_model
from briefbank.models.language import LanguageModel
from briefbank.platform.progress import CancelToken
from briefbank.search.aids import Expander, Grader
from briefbank.values.records import Query

pytestmark = pytest.mark.llm

QUESTION = "can police prolong a stop after the ticket is written"


def test_an_expansion_that_has_no_end_is_refused(tiny: LanguageModel) -> None:
    with pytest.raises(InvalidAnswerError):
        Expander(tiny, 0.3, 120.0).expand(QUESTION)


def test_every_grade_is_one(tiny: LanguageModel) -> None:
    grades = Grader(tiny, 120.0).grades(QUESTION, ["The stop was over.", "The jury was charged."])
    assert len(grades) == 2
    assert all(0 <= grade <= 4 for grade in grades)


def test_grading_ends_when_its_time_is_up(large_models: Path, open_model: Open) -> None:
    large = open_model(large_models)
    assert Grader(large, 0.5).grades(QUESTION, ["the officer asked for consent to search " * 400] * 3) == []


def test_cuts_come_back_as_numbers_or_not_at_all(tiny: LanguageModel) -> None:
    cutter = ModelCutter(tiny, 120.0)
    texts = [f"This is sentence {number} about the stop." for number in range(20)]
    found = cutter.breaks(texts, np.full(20, 8), np.ones(20, dtype=np.bool_), PassageSize(40, 10, 80))
    assert found is None or found[-1] == 20
    assert cutter.refused_count == (found is None)


def test_a_made_up_question_has_a_fate(tiny: LanguageModel) -> None:
    fate, _ = question_for("The officer asked for consent, which was not voluntary.", tiny, 120.0, CancelToken())
    assert fate in Fate


def test_a_bank_searches_and_cuts_with_a_model_where_it_is_told_to(
    briefbank: Briefbank, own_bank: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = tmp_path / "models"
    monkeypatch.setenv("BRIEFBANK_MODELS", str(models))
    add_model(write_tiny_gguf(tmp_path / "tiny.gguf"), [Role.EXPAND, Role.RERANK, Role.SEGMENT], folder=models)
    office.change_settings(own_bank, expansion_share=0.3, graded_results=3, segmenter="model")
    with Bank.open(own_bank) as bank:
        assert bank.search(Query(QUESTION)).hits
    assert briefbank("index", folder, "--bank", own_bank, "--quiet").code in (0, 12)
    assert briefbank("search", QUESTION, "--bank", own_bank).code == 0
