"""One request to a language model's child process: sent, waited for, given up; and in words what its death means.

Knows the messages, and nothing of llama.cpp itself. No text is logged.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from signal import Signals
from threading import Thread
from typing import cast

from briefbank.errors import BriefBankError, CancelledError, LanguageModelError, ModelError, TimeLimitError
from briefbank.models.language.calls import Began, Wrote
from briefbank.models.language.port import Answer, LanguageModelInfo
from briefbank.platform.processes.calls import Call
from briefbank.platform.processes.child import Child, Outcome, Part
from briefbank.platform.progress import CancelToken

_LOG = logging.getLogger(__name__)

_LOOK_S = 0.02
"""How often whoever waits looks whether it was cancelled."""
_PATIENCE_S = 2.0
"""How long a child that was told to stop, or is past its time, may take before it is killed."""
_LOAD_S = 600.0
"""A large model on a slow disk is first read for its digest, then again."""
_END_S = 3.0
_ILLEGAL_INSTRUCTION = (-4, 0xC000001D)


class ChildEndedError(Exception):
    """The child had ended before it saw the request, for want of work or for reasons of its own."""


class DeathError(Exception):
    """The child died, or had to be killed; `error` where there is a better one than its death."""

    def __init__(self, why: str, advice: str, error: BriefBankError | None = None) -> None:
        super().__init__(why)
        self._why = why
        self._advice = advice
        self._error = error

    def told(self, what_is_off: str) -> BriefBankError:
        return self._error or LanguageModelError(f"{what_is_off} because {self._why}.", self._advice)


class ModelChild:
    """One child process, and a thread that collects what it says; None at its end. One that has worked in the
    background makes way for other programs ever after, for the system lets nobody take that back.
    """

    def __init__(self, file: Path, info: LanguageModelInfo, idle_s: float) -> None:
        self.makes_way = False
        self.has_loaded = False
        self._has_ended = False
        self.messages: SimpleQueue[Part | Outcome | None] = SimpleQueue()
        self.status = 0
        arguments = (str(file), info.sha256, str(info.context_tokens), str(idle_s))
        self._process = Child("briefbank.models.language.child", *arguments, is_quiet=True)
        self._thread = Thread(target=self._collect, name="briefbank-llm", daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether it may still say something, its end included."""
        return not self._has_ended

    @property
    def was_killed_by_system(self) -> bool:
        return self._process.was_killed_by_system

    def ask(self, call: Call) -> int:
        return self._process.ask(call)

    def stop(self, number: int) -> None:
        self._process.stop(number)

    def kill(self) -> None:
        self._process.kill()
        self._thread.join()

    def end(self) -> None:
        self._process.tell_to_end()
        self._thread.join(_END_S)
        if self._thread.is_alive():
            self.kill()

    def _collect(self) -> None:
        for message in self._process.messages():
            self.messages.put(message)
        self.status = self._process.end(_END_S)
        self._has_ended = True
        self.messages.put(None)


class Wait:
    """One request while it is waited for."""

    def __init__(
        self,
        child: ModelChild,
        call: Call,
        limit_s: float,
        on_text: Callable[[str], None] | None,
        cancel: CancelToken | None,
    ) -> None:
        self._child = child
        self._call = call
        self._number = 0
        self._limit_s = limit_s
        self._on_text = on_text
        self._cancel = cancel
        self._has_begun = False
        self._give_up_at = time.monotonic() + _LOAD_S

    def value(self) -> Answer | int:
        """Wait for it. Whatever ends the wait, the child does not go on with the request."""
        self._number = self._child.ask(self._call)
        is_done = False
        try:
            while not (self._cancel and self._cancel.is_cancelled):
                message = self._next()
                if isinstance(message, Outcome):
                    is_done = True
                    return self._result(message)
                if message and isinstance(message.value, Wrote) and self._on_text:
                    self._on_text(message.value.text)
        except (DeathError, ChildEndedError):
            is_done = True
            raise
        finally:
            if not is_done:
                self._child.stop(self._number)
        self._wait_until_stopped()
        raise CancelledError("Stopped as asked.")

    def _next(self) -> Part | Outcome | None:
        """What the child says next about this request, or None for now."""
        if time.monotonic() > self._give_up_at:
            self._child.kill()
            raise self._hung()
        try:
            message = self._child.messages.get(timeout=_LOOK_S)
        except Empty:
            return None
        if message is None:
            raise self._died()
        if message.number != self._number:  # of a request that was given up
            return None
        if isinstance(message, Part) and isinstance(message.value, Began):
            self._has_begun = self._child.has_loaded = True
            self._give_up_at = time.monotonic() + self._limit_s + _PATIENCE_S
        return message

    def _wait_until_stopped(self) -> None:
        """Wait until the model is free again. One that is still being loaded goes on with that: it will be needed."""
        self._give_up_at = time.monotonic() + _PATIENCE_S
        while self._has_begun:
            try:
                if isinstance(self._next(), Outcome):
                    return
            except DeathError:
                _LOG.info("the language model was killed, for it did not stop when it was told to")
                return

    def _result(self, outcome: Outcome) -> Answer | int:
        error = outcome.error
        if error is None:
            return cast("Answer | int", outcome.value)
        cannot_load = not self._has_begun and not isinstance(error, CancelledError)
        if cannot_load and type(error) is not ModelError:
            raise DeathError(error.message, error.advice, error)
        raise error

    def _hung(self) -> DeathError:
        if not self._has_begun:
            message = f"The model was not loaded within {_LOAD_S:g} s."
            error = TimeLimitError(message, "Install a smaller model, or see whether the disk is slow.")
        else:
            error = TimeLimitError("The language model did not answer any more and was ended.", "Try again.")
        return DeathError(error.message, error.advice, error)

    def _died(self) -> DeathError | ChildEndedError:
        status = self._child.status
        if not self._has_begun and (status == 0 or self._child.has_loaded):
            return ChildEndedError()
        _LOG.warning("the language model ended with status %s", status)
        if status in _ILLEGAL_INSTRUCTION:
            advice = "Have IT staff install llama-cpp-python as built for this processor (models/README.md)."
            return DeathError("llama.cpp was built for another processor than this one", advice)
        if self._child.was_killed_by_system:
            advice = "Close other programs and try again; if it happens again, install a smaller model."
            return DeathError("the system ended the language model, most likely for want of memory", advice)
        name = Signals(-status).name if -status in list(Signals) else f"status {status}"
        return DeathError(f"the language model stopped unexpectedly ({name})", "Try again.")
