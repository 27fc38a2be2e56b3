"""What our layer costs over bare llama-cpp-python, how quickly it is cancelled, what memory it gives back.

`python tests/bench/language_model.py`, with the part `llm` installed. The model is random and made for this: its
answers are noise, its speed is that of any model of its size.
"""

from __future__ import annotations

import os

os.environ["OMP_WAIT_POLICY"] = "passive"  # as in our child process, so that both sides wait alike

import argparse
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import report
from report import Figure

sys.path.append(str(Path(__file__).resolve().parents[1]))

from llm.tiny import write_tiny_gguf

from briefbank.errors import CancelledError
from briefbank.models import language
from briefbank.models.installed import Role, add_model, model_for
from briefbank.models.language import LanguageModel, load_language_model
from briefbank.models.language.child import thread_count
from briefbank.models.language.port import Message, Request, Speaker
from briefbank.platform.progress import CancelToken

_IDLE_S = 3.0
_WORDS = (
    "the officer stopped motorist court held that consent search voluntary burden state denied motion appeal".split()
)


def main() -> None:
    args = _arguments()
    facts = report.machine()
    print(f"{facts['processor']}, {facts['cores']} cores; load {facts['load']}")
    with tempfile.TemporaryDirectory() as folder:
        models = Path(folder) / "models"
        file = write_tiny_gguf(Path(folder) / "bench.gguf", layers=args.layers, width=1024, context=8192)
        add_model(file, [Role.SUMMARY], folder=models)
        language.IDLE_S = 3_600.0
        model = load_language_model(Role.SUMMARY, folder=models)
        figures = [
            *_first_token(model, models, args.rounds, args.words),
            *_cancelling(model, 2 * args.rounds, args.words),
        ]
        model.close()
        language.IDLE_S = _IDLE_S
        model = load_language_model(Role.SUMMARY, folder=models)
        figures += _memory(model)
        model.close()
    print(report.table(figures, []))


def _prompt(words: int) -> tuple[Message, ...]:
    """A prompt that begins unlike any other, so that nothing of an earlier one can be used again."""
    return (Message(Speaker.USER, " ".join(random.choices(_WORDS, k=words))),)


def _first_token(model: LanguageModel, models: Path, rounds: int, words: int) -> list[Figure]:
    """Seconds to the first token of a long prompt, bare and through our layer, in turns that change places."""
    bare = _bare(models)
    ours = _ours(model)
    bare(_prompt(50)), ours(_prompt(50))  # loaded
    walls: list[tuple[float, float]] = []
    works: list[tuple[float, float]] = []
    for number in range(rounds):
        prompt = _prompt(words)
        first, second = (bare, ours) if number % 2 else (ours, bare)
        took = {each: _timed(each, prompt) for each in (first, second)}
        walls.append((took[ours][0], took[bare][0]))
        works.append((took[ours][1], took[bare][1]))
        print(f"  ours {took[ours][0]:.2f} s ({took[ours][1]:.2f} s of work), bare {took[bare][0]:.2f} s "
              f"({took[bare][1]:.2f} s of work)", flush=True)  # fmt: skip
    return [
        Figure("prompt", model.count_tokens(_prompt(words)), "tokens"),
        Figure("first token, bare llama-cpp-python", statistics.median(bare for _, bare in walls), "s", 5.0),
        Figure("first token, our layer", statistics.median(our for our, _ in walls), "s"),
        Figure("overhead to the first token", _overhead(walls), "%", 5.0, is_cost=True),
        Figure("overhead to the first token, processor time", _overhead(works), "%", 5.0, is_cost=True),
    ]


def _overhead(pairs: list[tuple[float, float]]) -> float:
    return 100 * statistics.median(our / bare - 1 for our, bare in pairs)


def _timed(first_token: Callable[[tuple[Message, ...]], float], prompt: tuple[Message, ...]) -> tuple[float, float]:
    """Seconds by the clock, and of processor time, children's included: a busy machine distorts the first."""
    before = _work_s()
    seconds = first_token(prompt)
    return seconds, _work_s() - before


def _work_s() -> float:
    me = psutil.Process()
    return sum(sum(each.cpu_times()[:2]) for each in (me, *me.children()))


def _bare(models: Path) -> Callable[[tuple[Message, ...]], float]:
    import llama_cpp

    installed = model_for(Role.SUMMARY, models)
    assert installed
    threads = thread_count()
    llama: Any = llama_cpp.Llama(
        str(installed.weights_path),
        n_ctx=8192,
        n_threads=threads,
        n_threads_batch=threads,
        verbose=False,
    )

    def seconds(prompt: tuple[Message, ...]) -> float:
        llama.reset()
        began = time.perf_counter()
        turns = [{"role": str(each.speaker), "content": each.text} for each in prompt]
        for chunk in llama.create_chat_completion(turns, max_tokens=2, temperature=0, stream=True):
            if chunk["choices"][0]["delta"].get("content"):
                break
        return time.perf_counter() - began

    return seconds


def _ours(model: LanguageModel) -> Callable[[tuple[Message, ...]], float]:
    def seconds(prompt: tuple[Message, ...]) -> float:
        at: list[float] = []
        began = time.perf_counter()
        model.answer(Request(prompt, 2, 600), on_text=lambda _text: at.append(time.perf_counter()))
        return at[0] - began

    return seconds


def _cancelling(model: LanguageModel, rounds: int, words: int) -> list[Figure]:
    """Milliseconds from cancelling to a model that is free again, at random moments."""
    figures = []
    for name, prompt_words, tokens in (("reading", words, 2), ("writing", 20, 7_000)):
        waits_ms = []
        for _ in range(rounds):
            child = _child()
            waits_ms.append(_cancel(model, Request(_prompt(prompt_words), tokens, 600), random.uniform(0.3, 3.0)))
            assert _child() == child, "it was killed"
        figures += [
            Figure(f"cancelling while {name}, median", statistics.median(waits_ms), "ms"),
            Figure(f"cancelling while {name}, longest of {rounds}", max(waits_ms), "ms", 200, is_cost=True),
        ]
    return figures


def _cancel(model: LanguageModel, request: Request, after_s: float) -> float:
    cancel = CancelToken()
    at: list[float] = []

    def stop() -> None:
        at.append(time.perf_counter())
        cancel.cancel()

    timer = threading.Timer(after_s, stop)
    timer.start()
    try:
        model.answer(request, cancel=cancel)
    except CancelledError:
        return 1_000 * (time.perf_counter() - at[0])
    raise AssertionError("it was done before it was cancelled")


def _memory(model: LanguageModel) -> list[Figure]:
    model.answer(Request(_prompt(100), 2, 600))
    child = _child()
    loaded = child.memory_info().rss
    began = time.perf_counter()
    child.wait(60)
    waited_s = time.perf_counter() - began
    left = sum(each.memory_info().rss for each in psutil.Process().children())
    return [
        Figure("memory of the model's process after an answer", loaded / 1e6, "MB"),
        Figure(f"memory of it when idle for {_IDLE_S:g} s", left / 1e6, "MB", 0.0, is_cost=True),
        Figure("given back after", waited_s, "s", _IDLE_S + 1, is_cost=True),
    ]


def _child() -> psutil.Process:
    (child,) = (each for each in psutil.Process().children() if "briefbank.models.language.child" in each.cmdline())
    return child


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the language model's layer on this machine.")
    parser.add_argument("--rounds", type=int, default=5, help="pairs of prompts, and half the cancellings of each kind")
    parser.add_argument("--layers", type=int, default=4, help="layers of the model, 12 million weights each")
    parser.add_argument("--words", type=int, default=2_000, help="words of a prompt")
    return parser.parse_args()


if __name__ == "__main__":
    main()
