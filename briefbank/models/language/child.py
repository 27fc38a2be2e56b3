"""The inside of a language model's child process: loads the model, answers one request after the other, and ends when
nobody has asked for a while or nobody listens any more; so its memory is given back.

Run as `python -m briefbank.models.language.child FILE SHA256 CONTEXT_TOKENS IDLE_S`. Writes neither log nor terminal.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import psutil

from briefbank.errors import LanguageModelError
from briefbank.models.language.calls import CALLS, Began, Wrote
from briefbank.models.language.generate import LoadedModel
from briefbank.models.language.port import Answer, Message, Priority, Request
from briefbank.platform.processes.parent_link import Job, ParentLink
from briefbank.platform.progress import CancelToken

_NICE = 10
"""The priority number ("niceness") of work in the background."""


def main() -> None:
    """Serve until nobody asks."""
    # Read when llama.cpp is loaded. Threads that spin while they wait stall one another on a machine with other work.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    file, sha256, context_tokens, idle_s = sys.argv[1:]
    line = ParentLink(CALLS)
    model: LoadedModel | None = None

    def result(job: Job) -> object:
        nonlocal model
        model = model or LoadedModel(Path(file), sha256, int(context_tokens))
        job.cancel.check()
        job.tell(Began())
        return job.run(_Answering(model, job.cancel))

    while job := line.next(float(idle_s)):
        job.answer(result, _named)
    os._exit(0)


class _Answering:
    """A `ModelCalls` with the model that was loaded."""

    def __init__(self, model: LoadedModel, cancel: CancelToken) -> None:
        self._model, self._cancel = model, cancel

    def generate(self, request: Request, on_part: Callable[[Began | Wrote], None]) -> Answer:
        if request.priority is Priority.BACKGROUND:
            _make_way()
        return self._model.answer(
            request, is_cancelled=lambda: self._cancel.is_cancelled, on_text=lambda text: on_part(Wrote(text))
        )

    def count(self, messages: tuple[Message, ...], on_part: Callable[[Began | Wrote], None]) -> int:  # noqa: ARG002
        return self._model.count(messages)


def _named(fault: Exception) -> LanguageModelError:
    return LanguageModelError(f"The language model met a fault ({type(fault).__name__}).", "Try again.")


def _make_way() -> None:
    """Let whatever else runs go first. On Linux each thread has a priority of its own."""
    if sys.platform == "win32":
        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
        return
    nice = max(os.getpriority(os.PRIO_PROCESS, 0), _NICE)
    for thread in psutil.Process().threads() if sys.platform == "linux" else ():
        os.setpriority(os.PRIO_PROCESS, thread.id, nice)
    os.setpriority(os.PRIO_PROCESS, 0, nice)


if __name__ == "__main__":
    main()
