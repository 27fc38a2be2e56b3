"""What goes wrong costs the request in hand and says why; the next one gets a new model. No noise, no text told."""

from __future__ import annotations

import logging
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from llm.running import Open, children, the_child
from llm.tiny import write_tiny_gguf

from briefbank.errors import ExitCode, LanguageModelError, ModelError
from briefbank.models.installed import Role, add_model
from briefbank.models.language import LanguageModel
from briefbank.models.language.llama import LlamaCpp
from briefbank.models.language.port import LanguageModelInfo, Message, Request, Speaker
from briefbank.platform.files import sha256_once

pytestmark = pytest.mark.llm

PLANTED = "zanzibar"
ASKED = Request((Message(Speaker.USER, f"the motorist of {PLANTED} gave consent"),), 40, 60)
ENDLESS = replace(ASKED, max_tokens=8_000)


def kill(number: int = signal.SIGKILL) -> None:
    """End the model; what it wrote before may still be told after."""
    for child in children():
        os.kill(child.pid, number)


def installed_in(folder: Path) -> Path:
    """A model of its own in `folder`; returns its weights file."""
    model = add_model(write_tiny_gguf(folder / "tiny.gguf"), [Role.SUMMARY], folder=folder / "models")
    return model.weights_path


def test_a_model_that_was_changed_since_is_refused_before_it_is_loaded(tmp_path: Path, open_model: Open) -> None:
    weights = installed_in(tmp_path)
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    with pytest.raises(ModelError, match="SHA-256 differs") as caught:
        open_model(tmp_path / "models").answer(ASKED)
    assert type(caught.value) is ModelError
    assert caught.value.exit_code == ExitCode.MODEL


def test_a_model_file_that_is_gone_is_named(tmp_path: Path, open_model: Open) -> None:
    installed_in(tmp_path).unlink()
    with pytest.raises(ModelError, match=r"missing: .*tiny\.gguf"):
        open_model(tmp_path / "models").answer(ASKED)


def loose_model(file: Path, context_tokens: int = 512) -> LlamaCpp:
    """A model that nobody looked at when it was installed."""
    info = LanguageModelInfo("loose", sha256_once(file), context_tokens)
    return LlamaCpp(file, info, what_is_off="Summaries are off", idle_s=60)


def test_a_file_that_llama_cpp_refuses_is_refused_with_its_reason(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = write_tiny_gguf(tmp_path / "odd.gguf")
    file.write_bytes(file.read_bytes().replace(b"llama", b"alpac"))
    model = loose_model(file)
    with pytest.raises(LanguageModelError, match="unknown model architecture"):
        model.answer(ASKED)
    model.close()
    assert capfd.readouterr() == ("", "")


def test_a_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    file = write_tiny_gguf(tmp_path / "cut.gguf")
    file.write_bytes(file.read_bytes()[:-1_000])
    model = loose_model(file)
    with pytest.raises(ModelError, match="its end is missing"):
        model.answer(ASKED)
    model.close()


def test_a_model_without_a_chat_template_is_refused(tmp_path: Path) -> None:
    model = loose_model(write_tiny_gguf(tmp_path / "base.gguf", chat_template=None))
    with pytest.raises(LanguageModelError, match="no chat template"):
        model.answer(ASKED)
    model.close()


@pytest.mark.parametrize("template", ["{% if %}", "{{ messages[0].text.more }}", "{{ raise_exception('never') }}"])
def test_a_template_that_cannot_be_used_tells_no_text(tmp_path: Path, template: str) -> None:
    model = loose_model(write_tiny_gguf(tmp_path / "odd.gguf", chat_template=template))
    with pytest.raises(LanguageModelError) as caught:
        model.answer(ASKED)
    assert PLANTED not in str(caught.value)
    model.close()


def test_a_context_that_memory_cannot_hold_is_refused_before_it_is_tried(tmp_path: Path) -> None:
    model = loose_model(write_tiny_gguf(tmp_path / "tiny.gguf"), context_tokens=10**10)
    with pytest.raises(LanguageModelError, match="GB of memory") as caught:
        model.answer(ASKED)
    assert "llm_context_tokens" in caught.value.advice
    model.close()


def test_memory_is_given_back_after_a_while_and_the_next_request_is_answered(
    tiny_models: Path, open_model: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("briefbank.models.language.IDLE_S", 1.0)
    model = open_model(tiny_models)
    first = model.answer(ASKED)
    child = the_child()
    assert child.memory_info().rss > 20_000_000
    child.wait(10)
    assert not children()
    assert model.answer(ASKED) == first


def test_nothing_of_a_request_is_printed_or_logged(
    large: LanguageModel, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answer = large.answer(ASKED)
    with pytest.raises(LanguageModelError):
        large.answer(ENDLESS, on_text=lambda _text: kill())
    assert capfd.readouterr() == ("", "")
    assert "ended with status" in caplog.text
    assert PLANTED not in caplog.text
    assert PLANTED not in repr(ASKED)
    assert answer.text[:20] not in caplog.text + repr(answer)
