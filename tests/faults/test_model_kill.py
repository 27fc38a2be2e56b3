"""The language model's child killed, hung, stopped and left idle: each costs its request at most, and says why."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import guarded
import psutil
import pytest
from children import living_children

from briefbank.errors import CancelledError, ExitCode, LanguageModelError, TimeLimitError
from briefbank.models.language import llama
from briefbank.models.language.llama import LlamaCpp
from briefbank.models.language.port import LanguageModelInfo, Message, Request, Speaker
from briefbank.platform.progress import CancelToken

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the processes are killed by signals")

Open = Callable[..., LlamaCpp]


def request(words: str = "who", limit_s: float = 60) -> Request:
    return Request((Message(Speaker.USER, words),), 10, limit_s)


@pytest.fixture
def open_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    monkeypatch.setattr(llama, "CHILD", "toy_model")
    opened: list[LlamaCpp] = []

    def open_(sha256: str = "", idle_s: float = 60) -> LlamaCpp:
        info = LanguageModelInfo("toy", sha256, 1)
        opened.append(LlamaCpp(Path("toy"), info, what_is_off="Summaries are off", idle_s=idle_s))
        return opened[-1]

    with guarded.on_the_path():
        yield open_
        for model in opened:
            model.close()


@pytest.fixture
def model(open_model: Open) -> LlamaCpp:
    return open_model()


def the_child() -> psutil.Process:
    (child,) = (each for each in living_children() if "toy_model" in each.cmdline())
    return child


def kill(number: int = signal.SIGKILL) -> None:
    os.kill(the_child().pid, number)


def test_an_answer_is_told_in_parts_in_the_thread_that_asked(model: LlamaCpp) -> None:
    heard: list[tuple[str, threading.Thread]] = []
    answer = model.answer(request(), on_text=lambda text: heard.append((text, threading.current_thread())))
    assert heard == [("begun ", threading.current_thread()), ("ended", threading.current_thread())]
    assert (answer.text, answer.answer_tokens) == (str(the_child().pid), 2)
    assert model.count_tokens(request().messages) == 1


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (signal.SIGKILL, "want of memory"),
        (signal.SIGILL, "another processor"),
        (signal.SIGSEGV, "SIGSEGV"),
        (signal.SIGABRT, "SIGABRT"),
    ],
)
def test_a_model_that_dies_costs_its_request_and_says_why(model: LlamaCpp, number: int, why: str) -> None:
    with pytest.raises(LanguageModelError, match=f"^Summaries are off because .*{why}"):
        model.answer(request("hang"), on_text=lambda _: kill(number))
    assert model.answer(request()).answer_tokens == 2


def test_a_model_that_hangs_is_ended_and_the_next_request_is_answered(model: LlamaCpp) -> None:
    began = time.monotonic()
    with pytest.raises(TimeLimitError, match="did not answer"):
        model.answer(request("hang", limit_s=0.1))
    assert time.monotonic() - began < 30
    assert model.answer(request()).answer_tokens == 2


def test_a_model_that_takes_too_long_to_load_is_ended(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama, "_LOAD_S", 0.5)
    with pytest.raises(TimeLimitError, match="not loaded"):
        open_model("slow").answer(request())


def test_after_three_deaths_in_a_row_it_is_off(model: LlamaCpp) -> None:
    for _ in range(3):
        with pytest.raises(LanguageModelError, match="want of memory"):
            model.answer(request("hang"), on_text=lambda _: kill())
    with pytest.raises(LanguageModelError, match="failed 3 times in a row") as caught:
        model.answer(request())
    assert caught.value.exit_code == ExitCode.MODEL


def test_deaths_with_answers_between_them_do_not_add_up(model: LlamaCpp) -> None:
    for _ in range(4):
        with pytest.raises(LanguageModelError, match="want of memory"):
            model.answer(request("hang"), on_text=lambda _: kill())
        assert model.answer(request()).answer_tokens == 2


def test_a_model_that_died_between_two_requests_costs_none(model: LlamaCpp) -> None:
    first = model.answer(request()).text
    kill()
    assert model.answer(request()).text != first


def test_memory_is_given_back_after_a_while_and_the_next_request_is_answered(open_model: Open) -> None:
    model = open_model(idle_s=0.2)
    first = model.answer(request()).text
    the_child().wait(30)
    assert model.answer(request()).text != first


def test_a_request_that_comes_as_the_model_goes_to_rest_is_answered(open_model: Open) -> None:
    model = open_model(idle_s=0.15)
    for wait_ms in (145, 150, 155):
        assert model.answer(request()).answer_tokens == 2
        time.sleep(wait_ms / 1_000)


def test_a_request_is_stopped_and_the_model_stays(model: LlamaCpp) -> None:
    cancel = CancelToken()
    with pytest.raises(CancelledError):
        model.answer(request("write"), on_text=lambda _: cancel.cancel(), cancel=cancel)
    stopped = the_child().pid
    assert model.answer(request()).text == str(stopped)


def test_a_model_that_does_not_stop_is_killed(model: LlamaCpp) -> None:
    cancel = CancelToken()
    with pytest.raises(CancelledError):
        model.answer(request("hang"), on_text=lambda _: cancel.cancel(), cancel=cancel)
    stuck = the_child()
    assert model.answer(request()).text != str(stuck.pid)


def test_a_listener_that_fails_stops_the_answer_and_no_other(model: LlamaCpp) -> None:
    def fail(_: str) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        model.answer(request("write"), on_text=fail)
    assert model.answer(request()).text == str(the_child().pid)


def test_a_fault_is_named_without_its_text(model: LlamaCpp) -> None:
    with pytest.raises(LanguageModelError, match="ValueError") as caught:
        model.answer(request("fail"))
    assert "secret" not in str(caught.value)


def test_closing_cancels_the_request_in_hand_and_ends_the_model(model: LlamaCpp) -> None:
    begun = threading.Event()
    closing = threading.Thread(target=lambda: (begun.wait(60), model.close()))
    closing.start()
    with pytest.raises(CancelledError):
        model.answer(request("hang"), on_text=lambda _: begun.set())
    closing.join()
    assert not [each for each in living_children() if "toy_model" in each.cmdline()]
    with pytest.raises(CancelledError):
        model.answer(request())
