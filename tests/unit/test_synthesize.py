"""Questions made up for passages: which passages, which questions, and a run that is stopped and goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program import Briefbank
from scripted_model import ScriptedModel
from systems import is_private

import briefbank.models.language
from briefbank.bank.local import Bank
from briefbank.errors import CancelledError, InvalidAnswerError, TimeLimitError, UsageError
from briefbank.judgements.evaluate.beir import read_beir_qrels, read_corpus, read_queries
from briefbank.judgements.synthesize import Fate, question_for
from briefbank.models.installed import Role
from briefbank.models.language.port import Request
from briefbank.platform.progress import CancelToken, Progress

PASSAGE = """Consent to search is valid only where it is knowing and voluntary. The State must show that the driver knew
of the right to refuse, because a person on the roadside may not feel free to decline. Here the trooper told him nothing
of the kind, and he therefore did not waive it."""


def told(query: str, *, helps: bool = True) -> str:
    return json.dumps({"helps": helps, "query": query})


@pytest.mark.parametrize(
    ("answer", "fate"),
    [
        (told("must the state prove that a driver knew of the right to refuse consent"), Fate.KEPT),
        (told("", helps=False), Fate.DECLINED),
        (told("consent", helps=True), Fate.DROPPED),
        (told("was consent valid under State v. Carty, 170 N.J. 632"), Fate.DROPPED),
        (told("did Mr. Okafor know of the right to refuse"), Fate.DROPPED),
        (told("a person on the roadside may not feel free to decline"), Fate.DROPPED),
        (InvalidAnswerError("nonsense"), Fate.FAILED),
    ],
)
def test_a_question_is_kept_only_if_it_is_one_that_could_be_asked(answer: object, fate: Fate) -> None:
    model = ScriptedModel(answer)  # type: ignore[arg-type]
    found, question = question_for(PASSAGE, model, 5.0, CancelToken())
    assert found is fate
    assert bool(question) == (fate is Fate.KEPT)
    assert PASSAGE in model.requests[0].messages[-1].text


class Asker(ScriptedModel):
    """Answers with words of the passage that it is shown, so that each question leads back."""

    def answer(self, request, **rest):  # type: ignore[no-untyped-def]
        words = request.messages[-1].text.split()
        self._steps = (told(" ".join(words[12:30:3]).strip(".,;:").lower()),)
        return super().answer(request, **rest)


@pytest.fixture
def asker(monkeypatch: pytest.MonkeyPatch) -> Asker:
    model = Asker("")
    monkeypatch.setattr(briefbank.models.language, "load_language_model", lambda role, settings=None: model)
    monkeypatch.setattr("briefbank.models.installed.model_for", lambda role, folder=None, *, form="": None)
    return model


def graded_by(*steps: object, monkeypatch: pytest.MonkeyPatch, asker: Asker) -> ScriptedModel:
    """Install a grader that answers these beside the asker."""
    judge = ScriptedModel(*steps)  # type: ignore[arg-type]
    models = {Role.EXPAND: asker, Role.RERANK: judge}
    monkeypatch.setattr(briefbank.models.language, "load_language_model", lambda role, settings=None: models[role])
    monkeypatch.setattr("briefbank.models.installed.model_for", lambda role, folder=None, *, form="": role)
    return judge


def test_a_question_that_the_grader_gave_no_grade_is_tried_again_by_the_run_that_goes_on(
    own_bank: Path, tmp_path: Path, asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = graded_by(TimeLimitError("slow"), json.dumps({"grade": 3}), monkeypatch=monkeypatch, asker=asker)
    bank = Bank.open(own_bank)
    cancel = CancelToken()
    ungraded: list[Request] = []

    def stop(progress: Progress) -> None:
        if judge.requests:
            ungraded.append(asker.requests[-1])
            cancel.cancel()

    with pytest.raises(CancelledError):
        bank.synthesize(tmp_path / "out", count=1, seed=3, reporter=stop, cancel=cancel)
    assert judge.requests[0].time_limit_s > 100
    before = len(asker.requests)
    report = bank.synthesize(tmp_path / "out", count=1, seed=3)
    assert asker.requests[before].messages == ungraded[0].messages
    assert (report.kept, report.failed) == (1, 0)


def test_questions_become_a_collection_that_can_be_evaluated(
    briefbank: Briefbank, own_bank: Path, tmp_path: Path, asker: Asker
) -> None:
    out = tmp_path / "made-up"
    made = briefbank("synthesize", out, "--count", "2", "--bank", own_bank, "--json")
    assert made.code == 0, made.err
    assert made.json["kept"] == 2
    questions = [each.text for each in read_queries(out)]
    assert len(set(questions)) == 2
    assert not any(question in made.out + made.err for question in questions)
    corpus = {each.id for each in read_corpus(out)}
    judged = {passage for grades in read_beir_qrels(out, "synthetic").values() for passage in grades}
    assert judged < corpus
    assert [path for path in (out, *out.rglob("*")) if not is_private(path)] == []
    assert not list(tmp_path.glob("*.answers"))
    settings = tmp_path / "bank.toml"
    settings.write_text('[settings]\nencoder = "hashing"\n', encoding="utf-8")
    measured = briefbank("evaluate", out, "--qrels", "synthetic", "--settings", settings, "--json")
    assert measured.code == 0, measured.err


def test_a_run_that_is_stopped_goes_on_and_ends_like_one_that_was_not(
    own_bank: Path, tmp_path: Path, asker: Asker
) -> None:
    bank = Bank.open(own_bank)
    bank.synthesize(tmp_path / "whole", count=2, seed=3)
    cancel = CancelToken()

    def stop(progress: Progress) -> None:
        if progress.files_done == 1:
            cancel.cancel()

    with pytest.raises(CancelledError):
        bank.synthesize(tmp_path / "parts", count=2, seed=3, reporter=stop, cancel=cancel)
    answers = tmp_path / "parts.answers"
    with answers.open("ab") as file:
        file.write(b'{"passage_id": "cut o')
    asked = len(asker.requests)
    reports: list[Progress] = []
    bank.synthesize(tmp_path / "parts", count=2, seed=3, reporter=reports.append)
    assert asker.requests[asked:]
    assert (reports[0].files_done, reports[0].seconds_left) == (1, None)
    for name in ("queries.jsonl", "qrels/synthetic.tsv", "corpus.jsonl"):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.parametrize(("folder", "count", "problem"), [("out", 0, "At least one"), (".", 1, "There is something")])
def test_what_cannot_be_is_refused_before_a_model_is_looked_for(
    own_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, count: int, problem: str
) -> None:
    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "models"))
    with pytest.raises(UsageError, match=problem):
        Bank.open(own_bank).synthesize(tmp_path / folder, count=count, seed=0)


def test_without_a_model_it_says_what_to_install(
    briefbank: Briefbank, own_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "models"))
    refused = briefbank("synthesize", tmp_path / "out", "--bank", own_bank)
    assert refused.code == 9
    assert f"--role {Role.EXPAND}" in refused.err


def test_answers_of_another_run_are_not_mixed_in(own_bank: Path, tmp_path: Path, asker: Asker) -> None:
    bank = Bank.open(own_bank)
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(CancelledError):
        bank.synthesize(tmp_path / "out", count=1, seed=3, cancel=cancel)
    with pytest.raises(UsageError, match="another"):
        bank.synthesize(tmp_path / "out", count=1, seed=4)
