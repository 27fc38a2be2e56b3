"""The language model as everybody else sees it: llama.cpp in a child process, which may die over a request and is
started again for the next.

Knows how the child lives and dies, and nothing of llama.cpp itself. No text is logged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from itertools import count
from pathlib import Path
from threading import Condition, Lock
from typing import cast

from briefbank.errors import CancelledError, LanguageModelError
from briefbank.models.language.calls import ModelCalls
from briefbank.models.language.conversation import ChildEndedError, DeathError, ModelChild, Wait
from briefbank.models.language.port import Answer, LanguageModelInfo, Message, Priority, Request
from briefbank.models.language.schema import grammar_of
from briefbank.platform.processes.calls import Call, method_call
from briefbank.platform.progress import CancelToken

_LOOK_S = 0.05
"""How often a cancel is looked for by who waits for a turn."""
_COUNT_S = 60.0
_DEATHS = 3


class Turns:
    """A lock for one request at a time: of those who wait, requests that a person waits for go first, then in order of
    coming.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._waiting: list[tuple[Priority, int]] = []
        self._numbers = count()
        self._is_taken = False

    @contextmanager
    def turn(self, priority: Priority, cancel: CancelToken | None = None) -> Iterator[None]:
        """Wait for a turn and hold it.

        Raises:
            CancelledError: it was cancelled while it waited.
        """
        ticket = (priority, next(self._numbers))
        with self._changed:
            heappush(self._waiting, ticket)
            try:
                while self._is_taken or self._waiting[0] != ticket:
                    if cancel:
                        cancel.check()
                    self._changed.wait(_LOOK_S)
            except BaseException:
                self._waiting.remove(ticket)
                heapify(self._waiting)
                self._changed.notify_all()
                raise
            heappop(self._waiting)
            self._is_taken = True
        try:
            yield
        finally:
            with self._changed:
                self._is_taken = False
                self._changed.notify_all()


def _call(method: Callable[..., object], *given: object) -> Call:
    return method_call(method, *given, on_part=None)[0]


class LlamaCpp:
    """A `port.LanguageModel`; `what_is_off` begins what people read when it fails ("Summaries are off")."""

    def __init__(self, file: Path, info: LanguageModelInfo, *, what_is_off: str, idle_s: float) -> None:
        """Name the model; nothing is started yet. Its memory is given back `idle_s` after the last request."""
        self._file = file
        self._info = info
        self._what_is_off = what_is_off
        self._idle_s = idle_s
        self._turns = Turns()
        self._lock = Lock()
        self._child: ModelChild | None = None
        self._deaths = 0
        self._is_closed = False

    @property
    def info(self) -> LanguageModelInfo:
        """See `port.LanguageModel`."""
        return self._info

    def count_tokens(self, messages: tuple[Message, ...]) -> int:
        """See `port.LanguageModel`."""
        with self._turns.turn(Priority.WAITED_FOR):
            return cast("int", self._ask(_call(ModelCalls.count, messages), None, _COUNT_S, None, None))

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
        with self._turns.turn(request.priority, cancel):
            call = _call(ModelCalls.generate, request)
            return cast("Answer", self._ask(call, request.priority, request.time_limit_s, on_text, cancel))

    def close(self) -> None:
        """See `port.LanguageModel`."""
        with self._lock:
            self._is_closed = True
            child = self._child
        if child:
            child.end()

    def _ask(
        self,
        call: Call,
        priority: Priority | None,
        limit_s: float,
        on_text: Callable[[str], None] | None,
        cancel: CancelToken | None,
    ) -> Answer | int:
        """Ask the child, once more where it ended between two requests; count what goes wrong."""
        if self._deaths >= _DEATHS:
            advice = "Start the program again, or have IT staff look at the model: briefbank models verify."
            why = f"the language model failed {_DEATHS} times in a row"
            raise LanguageModelError(f"{self._what_is_off} because {why}.", advice)
        try:
            for _ in range(2):
                child = self._child_for(priority)
                try:
                    value = Wait(child, call, limit_s, on_text, cancel).value()
                except ChildEndedError:
                    continue
                self._deaths = 0
                return value
        except DeathError as death:
            if self._is_closed:
                raise CancelledError("Stopped as asked.") from None
            self._deaths += 1
            raise death.told(self._what_is_off) from None
        raise LanguageModelError(f"{self._what_is_off} because the language model keeps ending.", "Try again.")

    def _child_for(self, priority: Priority | None) -> ModelChild:
        """The child that runs, or a new one; who is waited for is not served by one that makes way for others."""
        with self._lock:
            if self._is_closed:
                raise CancelledError("Stopped as asked.")
            child = self._child
            if child and child.makes_way and priority is Priority.WAITED_FOR:
                child.end()
            if child is None or not child.is_alive:
                try:
                    child = self._child = ModelChild(self._file, self._info, self._idle_s)
                except OSError as error:
                    why = f"no process can be started ({error.strerror})"
                    raise DeathError(why, "Close other programs.") from error
            child.makes_way = child.makes_way or priority is Priority.BACKGROUND
            return child
