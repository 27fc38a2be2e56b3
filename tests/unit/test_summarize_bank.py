"""`briefbank summarize` and `Bank.summary` over a real bank, with a scripted model behind the real port."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from program import Briefbank
from scripted_model import ScriptedModel

from briefbank.bank.local import Bank
from briefbank.errors import InvalidAnswerError, LanguageModelError, UsageError
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken
from briefbank.values.summaries import SummaryPart

SECRET = "fabricated"
ANSWER = {"legal_issue": [f"The {SECRET} issue is the stop."], "facts": ["Mr. Zebulon waited."], "posture": []}
NOTHING: dict[str, list[str]] = {"legal_issue": [], "facts": [], "posture": []}


def some_passage(root: Path) -> tuple[Bank, str]:
    bank = Bank.open(root)
    document = max(bank.documents(), key=lambda each: each.passage_count)
    return bank, bank.passages_of(document.id)[3].id


def test_all_is_summarised_once_and_nothing_of_it_printed(briefbank: Briefbank, own_bank: Path, install) -> None:
    model = install(ANSWER, NOTHING)
    first = briefbank("--verbose", "summarize", "--all", "--bank", own_bank, "--json")
    assert first.code == 0, first.err
    assert first.json["written"] == len(model.requests) / 2 > 5
    assert first.json["sentences_marked"] == first.json["written"]
    assert model.is_closed
    again = briefbank("summarize", "--all", "--bank", own_bank)
    assert f"0 written, {first.json['written']} were there, 0 failed" in again.out
    for told in (first.out, first.err, again.out, again.err):
        assert SECRET not in told
        assert "Zebulon" not in told


def test_one_document_is_summarised_alone(briefbank: Briefbank, own_bank: Path, install) -> None:
    install(ANSWER, NOTHING)
    bank, passage_id = some_passage(own_bank)
    document_id = bank.passage(passage_id).passage.document_id
    done = briefbank("summarize", "--document", document_id, "--bank", own_bank, "--json")
    assert done.code == 0
    assert 0 < done.json["written"] <= len(bank.passages_of(document_id))
    assert briefbank("summarize", "--document", "none", "--bank", own_bank).code == 2
    assert briefbank("summarize", "--bank", own_bank).code == 2


def test_without_a_model_it_ends_with_the_exit_code_of_models(
    briefbank: Briefbank, own_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "none"))
    done = briefbank("summarize", "--all", "--bank", own_bank)
    assert done.code == 9
    assert "No language model" in done.err


def test_a_passage_without_an_answer_is_counted_and_tried_again(briefbank: Briefbank, own_bank: Path, install) -> None:
    install(InvalidAnswerError("No.", ""), *(ANSWER, NOTHING) * 40)
    first = briefbank("summarize", "--all", "--bank", own_bank, "--json")
    assert first.code == 12
    assert first.json["failed"] == 1
    install(ANSWER, NOTHING)
    assert briefbank("summarize", "--all", "--bank", own_bank, "--json").json["written"] == 1


def test_a_model_that_dies_again_and_again_ends_the_run(briefbank: Briefbank, own_bank: Path, install) -> None:
    model = install(LanguageModelError("Summaries are off because the model died.", "Tell IT."))
    done = briefbank("summarize", "--all", "--bank", own_bank)
    assert done.code == 9
    assert "the model died" in done.err
    assert len(model.requests) == 3


def test_ctrl_c_stops_a_run_that_the_next_one_takes_up(briefbank: Briefbank, own_bank: Path, install) -> None:
    model = install(ANSWER, NOTHING)
    model.on_piece = _once_at(model, 5)
    assert briefbank("summarize", "--all", "--bank", own_bank).code == 130
    install(ANSWER, NOTHING)
    rest = briefbank("summarize", "--all", "--bank", own_bank, "--json").json
    assert rest["kept"] == 2
    assert rest["written"] > 2


def _once_at(model: ScriptedModel, request: int):
    def interrupt(_piece: str) -> None:
        if len(model.requests) == request:
            model.on_piece = lambda _piece: None
            signal.raise_signal(signal.SIGINT)

    return interrupt


def test_tables_and_captions_are_not_summarised(own_bank: Path, install) -> None:
    model = install(ANSWER, NOTHING)
    bank = Bank.open(own_bank)
    bank.summarize()
    hidden = [
        passage.text
        for document in bank.documents()
        for passage in bank.passages_of(document.id)
        if passage.section_kind in ("caption", "signature")
    ]
    assert hidden
    asked = [request.messages[1].text for request in model.requests]
    assert not [text for text in hidden for each in asked if f"### PASSAGE\n{text}" in each]


def test_the_bank_shows_a_summary_part_by_part(own_bank: Path, install) -> None:
    install(ANSWER, NOTHING)
    bank, passage_id = some_passage(own_bank)
    parts: list[SummaryPart] = []
    model = bank.summary(passage_id, parts.append, CancelToken())
    assert model.name == "Scripted 1B"
    assert SECRET in "".join(part.text for part in parts)
    with pytest.raises(UsageError):
        bank.summary("none", parts.append)


def test_an_index_run_forgets_the_summaries_of_files_that_left(
    briefbank: Briefbank, folder: Path, empty_bank: Path, install
) -> None:
    install(ANSWER, NOTHING)
    briefbank("index", folder, "--bank", empty_bank, "--quiet")
    kept = briefbank("summarize", "--all", "--bank", empty_bank, "--json").json["written"]
    (folder / "lorne.txt").unlink()
    briefbank("index", folder, "--bank", empty_bank, "--quiet")
    (left,) = Bank.open(empty_bank).documents()
    rest = briefbank("summarize", "--all", "--bank", empty_bank, "--json").json
    assert 0 < rest["kept"] < kept
    assert _documents_in(empty_bank) == {left.id}


def _documents_in(bank: Path) -> set[str]:
    import sqlite3

    database = sqlite3.connect(Layout(bank).summaries_file)
    found = {row[0] for row in database.execute("SELECT document_id FROM summary")}
    database.close()
    return found


def test_no_verb_prints_a_summary(briefbank: Briefbank, own_bank: Path, install) -> None:
    install(ANSWER, NOTHING)
    bank, passage_id = some_passage(own_bank)
    bank.summarize()
    document_id = bank.passage(passage_id).passage.document_id
    for call in (
        ("search", "consent stop", "--json"),
        ("show", passage_id, "--json"),
        ("documents", "--json"),
        ("status", "--json"),
        ("check", "--json"),
        ("summarize", "--document", document_id, "--json"),
    ):
        done = briefbank(*call, "--bank", own_bank)
        assert SECRET not in done.out + done.err, call
        json.loads(done.out)
