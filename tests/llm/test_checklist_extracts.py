"""A checklist read by real llama.cpp: noise chooses the sentences, and they are the brief's all the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from llm.tiny import write_tiny_gguf
from program import Briefbank

from briefbank.bank.local import Bank
from briefbank.models.installed import Role, add_model

pytestmark = pytest.mark.llm

LIST = """
name = "Roadside"

[[item]]
name = "Consent"
question = "Was consent valid?"
definition = "Whether whoever consented was free to refuse."
keywords = '["consent detention"~20^5]'
"""


def test_whatever_a_model_chooses_is_word_for_word_the_brief(
    briefbank: Briefbank, own_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = tmp_path / "models"
    monkeypatch.setenv("BRIEFBANK_MODELS", str(models))
    add_model(write_tiny_gguf(tmp_path / "tiny.gguf"), [Role.EXTRACT], folder=models)
    (tmp_path / "list.toml").write_text(LIST, encoding="utf-8")
    told = briefbank("checklist", "run", tmp_path / "list.toml", "--all", "--with-model", "--bank", own_bank, "--json")
    assert told.code == 0, told.err
    assert told.json["model"]
    with Bank.open(own_bank) as bank:
        for document in told.json["documents"]:
            texts = {each.id: each.text for each in bank.passages_of(document["document_id"])}
            for answer in document["answers"]:
                assert answer["by_model"] or answer["note"]
                for extract in answer["extracts"]:
                    assert extract["text"] in texts[extract["passage_id"]]
