"""Summaries on Windows: a tiny model of random weights, run by llama.cpp as it was compiled for the folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from llm.tiny import write_tiny_gguf
from under_wine import briefbank, windows_path

pytestmark = [pytest.mark.windows, pytest.mark.timeout(1800)]


def test_a_language_model_is_added_and_writes_summaries(bank: Path, data: Path) -> None:
    model = write_tiny_gguf(data / "tiny.gguf", context=8192)
    models = {"BRIEFBANK_MODELS": windows_path(data / "models")}
    added = briefbank("models", "add", model, "--role", "summary", "--quiet", **models)
    assert added.code == 0, added.said
    summarized = data / "summarized"
    shutil.copytree(bank, summarized)
    documents = briefbank("documents", "--bank", summarized, "--json").json["documents"]
    short = min(documents, key=lambda document: document["passages"])
    words = ("summarize", "--document", short["document_id"], "--bank", summarized, "--quiet", "--json")
    done = briefbank(*words, seconds=1500, **models)
    assert done.code == 0, done.said
    assert done.json["written"] == short["passages"]
    again = briefbank(*words, seconds=1500, **models)
    assert again.json["kept"] == short["passages"]
