"""A summary from real llama.cpp to the real window's child process. What a tiny random model writes is noise, which the
check has to bear.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from llm.tiny import write_tiny_gguf
from test_summary_remote import Heard, ask, passages_of

from briefbank.bank.local import Bank
from briefbank.bank.remote import RemoteSummaries
from briefbank.models.installed import Role, add_model

pytestmark = pytest.mark.llm

WAIT_S = 120


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A models folder with a tiny model for summaries, which every child process finds too."""
    folder = tmp_path / "models"
    add_model(write_tiny_gguf(tmp_path / "tiny.gguf", context=8192), [Role.SUMMARY], folder=folder)
    monkeypatch.setenv("BRIEFBANK_MODELS", str(folder))
    return folder


@pytest.fixture
def summaries(own_bank: Path, models: Path) -> Iterator[RemoteSummaries]:
    source = RemoteSummaries(own_bank)
    yield source
    source.close()


def test_a_summary_is_written_shown_kept_and_shown_again(summaries: RemoteSummaries, own_bank: Path) -> None:
    model = summaries.model()
    assert model
    assert model.name == "Tiny Random"
    passage_id = passages_of(own_bank)[0]
    first = ask(summaries, passage_id)
    assert first.problem == ("", "")
    assert first.model
    assert first.parts
    began = time.monotonic()
    second = ask(summaries, passage_id)
    assert second.parts == first.parts
    assert time.monotonic() - began < 1


def test_a_summary_can_be_stopped_while_it_is_written(summaries: RemoteSummaries, own_bank: Path) -> None:
    passage_id = passages_of(own_bank)[0]
    heard = Heard()
    cancel = summaries.request(passage_id, heard)
    while not heard.parts and not heard.ended.is_set():
        time.sleep(0.01)
    cancel()
    told = len(heard.parts)
    assert ask(summaries, passage_id).model
    assert len(heard.parts) == told
    assert not heard.ended.is_set()


def test_closing_leaves_no_process_of_the_model(own_bank: Path, models: Path) -> None:
    before = set(psutil.Process().children(recursive=True))
    source = RemoteSummaries(own_bank)
    ask(source, passages_of(own_bank)[0])
    below = set(psutil.Process().children(recursive=True)) - before
    assert any("briefbank.models.language.child" in each.cmdline() for each in below)
    source.close()
    assert not psutil.wait_procs(below, timeout=60)[1]


def test_a_run_ahead_of_time_writes_them_all(own_bank: Path, models: Path) -> None:
    report = Bank.open(own_bank).summarize()
    assert report.written > 5
    assert Bank.open(own_bank).summarize().kept == report.written
