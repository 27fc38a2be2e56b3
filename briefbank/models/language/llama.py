"""The language model as everybody else sees it: llama.cpp in a child process, which may die over a request and is
started again for the next.

Knows the child, and nothing of llama.cpp itself. No text is logged.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError as DroppedError
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from signal import Signals
from typing import Any

from briefbank.errors import BriefBankError, CancelledError, LanguageModelError, TimeLimitError
from briefbank.models.language.port import Answer, LanguageModel, LanguageModelInfo, Message, Request
from briefbank.models.language.schema import grammar_of
from briefbank.platform.processes.calls import method_call
from briefbank.platform.processes.child import Child, ChildKind, Death, Supervised
from briefbank.platform.progress import CancelToken

CHILD = "briefbank.models.language.child"

_LOOK_S = 0.02
"""How often whoever waits looks whether it was cancelled."""
_COUNT_S = 60.0
_LOAD_S = 600.0
"""A large model on a slow disk is first read for its digest, then again."""
_ILLEGAL_INSTRUCTION = (-4, 0xC000001D)


class LlamaCpp:
    """A `port.LanguageModel`; `what_is_off` begins what people read when it fails ("Summaries are off")."""

    def __init__(self, file: Path, info: LanguageModelInfo, *, what_is_off: str, idle_s: float) -> None:
        """Name the model; no process is started yet. Its memory is given back `idle_s` after the last request."""
        self._info = info
        again = "Start the program again, or have IT staff look at the model: briefbank models verify."
        arguments = (str(file), info.sha256, str(info.context_tokens))
        kind = ChildKind(
            "llm",
            lambda: Child(CHILD, *arguments, notice=int, is_quiet=True),
            partial(_died, what_is_off),
            LanguageModelError(f"{what_is_off} because the language model failed 3 times in a row.", again),
            load_s=_LOAD_S,
            idle_s=idle_s,
        )
        self._child = Supervised(kind)

    @property
    def info(self) -> LanguageModelInfo:
        """See `port.LanguageModel`."""
        return self._info

    def count_tokens(self, messages: tuple[Message, ...]) -> int:
        """See `port.LanguageModel`."""
        return int(self._ask(_COUNT_S, None, None, LanguageModel.count_tokens, messages))

    def answer(
        self,
        request: Request,
        *,
        on_text: Callable[[str], None] | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """See `port.LanguageModel`.

        Raises:
            ValueError: the schema has no bounds (a mistake of this program).
        """
        if request.schema is not None:
            grammar_of(request.schema)
        answer: Answer = self._ask(request.time_limit_s, on_text, cancel, LanguageModel.answer, request)
        return answer

    def close(self) -> None:
        """See `port.LanguageModel`."""
        self._child.close()

    def _ask(
        self,
        limit_s: float,
        on_text: Callable[[str], None] | None,
        cancel: CancelToken | None,
        method: Callable[..., Any],
        *given: object,
    ) -> Any:
        """Ask the child and wait. Whatever ends the wait, the child does not go on with the request."""
        heard: SimpleQueue[str | None] = SimpleQueue()
        call, _ = method_call(method, *given)
        waited = self._child.call(call, heard.put, limit_s)
        waited.add_done_callback(lambda _: heard.put(None))
        try:
            while not (cancel and cancel.is_cancelled):
                try:
                    text = heard.get(timeout=_LOOK_S)
                except Empty:
                    continue
                if text is None:
                    return waited.result()
                if on_text:
                    on_text(text)
        except DroppedError:
            raise CancelledError("Stopped as asked.") from None
        finally:
            if not (waited.done() or waited.cancel()):
                waited.stop()
        raise CancelledError("Stopped as asked.")


def _died(what_is_off: str, death: Death) -> BriefBankError:
    if death.is_late and death.has_loaded:
        return TimeLimitError("The language model did not answer any more and was ended.", "Try again.")
    if death.is_late:
        message = f"The model was not loaded within {_LOAD_S:g} s."
        return TimeLimitError(message, "Install a smaller model, or see whether the disk is slow.")
    if death.refused:
        why, advice = f"no process can be started ({death.refused})", "Close other programs."
    elif death.status in _ILLEGAL_INSTRUCTION:
        why = "llama.cpp was built for another processor than this one"
        advice = "Have IT staff install llama-cpp-python as built for this processor (models/README.md)."
    elif death.is_by_system:
        why = "the system ended the language model, most likely for want of memory"
        advice = "Close other programs and try again; if it happens again, install a smaller model."
    else:
        name = Signals(-death.status).name if -death.status in list(Signals) else f"status {death.status}"
        why, advice = f"the language model stopped unexpectedly ({name})", "Try again."
    return LanguageModelError(f"{what_is_off} because {why}.", advice)
