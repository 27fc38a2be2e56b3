"""One child process kept at work: calls queue up, are answered one after the other, and outlive its death.

Knows neither what the calls do nor who asks. Futures are completed in the thread that listens to the child.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from threading import Condition, Thread
from typing import Any, TypeVar

from briefbank.errors import EngineDiedError
from briefbank.platform.processes.calls import Call
from briefbank.platform.processes.child import Child, Part

_LOG = logging.getLogger(__name__)

_QUICK_S = 10.0
"""A child that dies sooner than this after it first spoke, or before, is taken for one that will die again."""
_QUICK_DEATHS = 3
_BACK_OFF_S = 0.5
_END_S = 3.0

A = TypeVar("A")


def _nothing(_: Any) -> None:
    """Ignore what is reported."""


@dataclass(frozen=True, slots=True)
class ChildKind:
    """How a child is started and what is said of it. An eager one is kept running, and given up after three quick
    deaths in the words of `given_up`. Another one is started by the first call, and after a death by the first call
    that follows.
    """

    name: str
    start: Callable[[], Child]
    died: tuple[str, str]
    given_up: tuple[str, str] = ("", "")
    is_newest_first: bool = False

    @property
    def is_eager(self) -> bool:
        return bool(self.given_up[0])


class Answer(Future[A]):
    """What a call will be answered with. `cancel` drops a call that the child has not begun."""

    def __init__(self, call: Call, on_part: Callable[[Any], None], stop: Callable[[Answer[Any]], None]) -> None:
        super().__init__()
        self.call, self.on_part, self._stop = call, on_part, stop
        self.number = 0
        self.is_stopped = False

    def stop(self) -> None:
        """Ask the child to give the call up, also where it has not begun; returns at once. The future is completed in
        either case.
        """
        self._stop(self)


class Supervised:
    """A child that is started again when it dies; calls wait while it does."""

    def __init__(
        self,
        kind: ChildKind,
        *,
        on_notice: Callable[[Any], None] = _nothing,
        on_death: Callable[[EngineDiedError, bool], None] = lambda _error, _is_given_up: None,
    ) -> None:
        """`on_notice` takes what the child tells unasked, `on_death` why it ended and whether it is not started
        again.
        """
        self._kind = kind
        self._on_notice = on_notice
        self._on_death = on_death
        self._changed = Condition()
        self._waiting: deque[Answer[Any]] = deque()
        self._running: Answer[Any] | None = None
        self._child: Child | None = None
        self._first_child: Child | None = None
        self._is_ending = False
        self._given_up: EngineDiedError | None = None
        self._quick_deaths = 0
        self._spoke_at: float | None = None
        self._is_closed = False
        self._thread = Thread(target=self._keep_running, name=f"briefbank-{kind.name}", daemon=True)

    def start(self, child: Child | None = None) -> None:
        """Begin, with a child that runs already if there is one; returns at once."""
        self._first_child = child
        self._thread.start()

    def call(self, call: Call, on_part: Callable[[Any], None] = _nothing) -> Answer[Any]:
        """Queue a call; `on_part` takes what it tells on its way, in the thread that listens."""
        answer: Answer[Any] = Answer(call, on_part, self._stop)
        with self._changed:
            refusal = CancelledError() if self._is_closed else self._given_up
            if refusal is None:
                self._waiting.append(answer)
                self._send_next()
                self._changed.notify_all()
        if refusal is not None:
            answer.set_exception(refusal)
        return answer

    def _stop(self, answer: Answer[Any]) -> None:
        with self._changed:
            answer.is_stopped = True
            if self._child and self._running is answer:
                self._child.stop(answer.number)

    @property
    def is_at_rest(self) -> bool:
        """Whether there is neither a child, one that is being ended included, nor a call for one."""
        with self._changed:
            return not (self._child or self._is_ending or self._running or self._waiting)

    def revive(self) -> bool:
        """Start again after the child was given up. Returns whether one is running already."""
        with self._changed:
            self._given_up, self._quick_deaths = None, 0
            self._changed.notify_all()
            return self._child is not None

    def close(self) -> None:
        """End the child and the thread; calls that were not answered are cancelled."""
        with self._changed:
            self._is_closed = True
            child = self._child or self._first_child
            self._changed.notify_all()
        if child:
            child.end(_END_S)
        if self._thread.is_alive():
            self._thread.join()
        self._fail_all(CancelledError())

    def _keep_running(self) -> None:
        while self._await_need():
            self._spoke_at = None
            try:
                child = self._first_child or self._kind.start()
            except OSError as error:
                _LOG.exception("the %s process cannot be started", self._kind.name)
                self._tell_of_death(error)
                continue
            with self._changed:
                self._first_child = None
                self._child = child
                if self._is_closed:
                    child.tell_to_end()
                self._send_next()
            for message in child.messages():
                self._spoke_at = self._spoke_at or time.monotonic()
                if isinstance(message, Part):
                    self._on_part(message)
                else:
                    self._ended(message.value, message.error)
            with self._changed:
                self._child, self._is_ending = None, True  # nothing more is asked of it
            child.end(_END_S)
            with self._changed:
                self._is_ending = False
            if not self._is_closed:
                self._tell_of_death()

    def _await_need(self) -> bool:
        """Wait until a child is needed; false where none will be."""
        with self._changed:
            while not self._is_closed and (self._given_up or not (self._kind.is_eager or self._waiting)):
                self._changed.wait()
            if self._quick_deaths > 1:
                self._changed.wait_for(lambda: self._is_closed, _BACK_OFF_S * (self._quick_deaths - 1))
            return not self._is_closed

    def _on_part(self, part: Part) -> None:
        if part.number == 0:
            self._on_notice(part.value)
        elif self._running:
            self._running.on_part(part.value)

    def _ended(self, value: object, error: Exception | None) -> None:
        with self._changed:
            pending, self._running = self._running, None
            self._send_next()
        if pending:
            pending.set_exception(error) if error else pending.set_result(value)

    def _send_next(self) -> None:
        """Send the next call that still matters, if the child has nothing in hand. Holding the lock."""
        while self._child and self._running is None and self._waiting:
            pending = self._waiting.pop() if self._kind.is_newest_first else self._waiting.popleft()
            if pending.set_running_or_notify_cancel():
                self._running = pending
                pending.number = self._child.ask(pending.call)
                if pending.is_stopped:
                    self._child.stop(pending.number)

    def _tell_of_death(self, refused: OSError | None = None) -> None:
        """Fail the calls that waited for the child, and decide whether there will be another. `refused` is what the
        system said where there was none.
        """
        is_quick = self._spoke_at is None or time.monotonic() - self._spoke_at < _QUICK_S
        died = EngineDiedError(*self._kind.died)
        if refused and not self._kind.is_eager:
            message = f"The process that does this could not be started: {refused.strerror}."
            died = EngineDiedError(message, "Close other programs, then try again.")
        with self._changed:
            self._quick_deaths = self._quick_deaths + 1 if is_quick else 1
            if self._kind.is_eager and self._quick_deaths >= _QUICK_DEATHS:
                self._given_up = died = EngineDiedError(*self._kind.given_up)
        self._on_death(died, self._given_up is not None)
        self._fail_all(died)

    def _fail_all(self, error: Exception) -> None:
        with self._changed:
            unanswered = [each for each in self._waiting if each.set_running_or_notify_cancel()]
            if self._running:
                unanswered.insert(0, self._running)
            self._running = None
            self._waiting.clear()
        for pending in unanswered:
            pending.set_exception(error)
