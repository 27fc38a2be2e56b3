"""One child process seen from outside: calls queue up, are answered one after the other, and outlive its death.

Knows neither what the calls do nor who asks. Futures are completed in the thread that listens to the child.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from pathlib import Path
from threading import Condition, Thread
from typing import Any

from briefbank.errors import EngineDiedError
from briefbank.reports import SummaryPart
from briefbank.services.messages import (
    Answered,
    EngineNotice,
    EngineState,
    Failed,
    Message,
    Noticed,
    Reopen,
    Request,
    Role,
    Stop,
    Written,
)
from briefbank.services.process import ChildProcess

_LOG = logging.getLogger(__name__)

_QUICK_S = 10.0
"""A child that dies sooner than this after it first spoke, or before, is taken for one that will die again."""
_QUICK_DEATHS = 3
_BACK_OFF_S = 0.5
_END_S = 3.0
_DIED = {
    Role.ENGINE: ("The search engine stopped unexpectedly.", "It is being started again; then search once more."),
    Role.PAGES: ("This page could not be shown: showing it failed or took too long.", "Open the original instead."),
    Role.SUMMARIES: (
        "Summaries are off because what writes them stopped unexpectedly.",
        "Try again. If that does not help, tell IT staff: memory may be short.",
    ),
}
_GIVEN_UP = (
    f"The search engine stopped {_QUICK_DEATHS} times in a row and is not started again.",
    "Try again. If that does not help, tell IT staff: memory may be short, or the bank damaged (briefbank check).",
)


class Worker:
    """A child that is started again when it dies; calls wait while it does."""

    def __init__(
        self,
        role: Role,
        root: Path,
        *,
        is_eager: bool,
        is_newest_first: bool,
        on_notice: Callable[[EngineNotice], None] = lambda _notice: None,
        on_written: Callable[[SummaryPart], None] = lambda _part: None,
    ) -> None:
        """An eager child is kept running; another is started by the first call and by the first one after a death."""
        self._role = role
        self._root = root
        self._is_eager = is_eager
        self._is_newest_first = is_newest_first
        self._on_notice = on_notice
        self._on_written = on_written
        self._changed = Condition()
        self._waiting: deque[tuple[Future[Any], Request]] = deque()
        self._running: Future[Any] | None = None
        self._child: ChildProcess | None = None
        self._first_child: ChildProcess | None = None
        self._given_up: EngineDiedError | None = None
        self._quick_deaths = 0
        self._spoke_at: float | None = None
        self._is_closed = False
        self._thread = Thread(target=self._keep_running, name=f"briefbank-{role}", daemon=True)

    def start(self, child: ChildProcess | None = None) -> None:
        """Begin, with a child that runs already if there is one; returns at once."""
        self._first_child = child
        self._thread.start()

    def call(self, name: str, *arguments: object, **options: object) -> Future[Any]:
        """Queue a call of `Bank`."""
        future: Future[Any] = Future()
        with self._changed:
            refusal = CancelledError() if self._is_closed else self._given_up
            if refusal is None:
                self._waiting.append((future, Request(name, arguments, options)))
                self._send_next()
                self._changed.notify_all()
        if refusal is not None:
            future.set_exception(refusal)
        return future

    def stop(self, future: Future[Any]) -> None:
        """Tell the child to give up this call, if it is the one in hand; returns at once."""
        with self._changed:
            if self._child and self._running is future:
                self._child.send(Stop())

    def restart(self) -> None:
        """Try again after the child was given up; one that runs is told to open the bank again."""
        with self._changed:
            self._given_up, self._quick_deaths = None, 0
            if self._child:
                self._child.send(Reopen())
            self._changed.notify_all()

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
                child = self._first_child or ChildProcess(self._role, self._root)
            except OSError:
                _LOG.exception("the %s process cannot be started", self._role)
                self._tell_of_death()
                continue
            with self._changed:
                self._first_child = None
                self._child = child
                if self._is_closed:
                    child.tell_to_end()
                self._send_next()
            for message in child.messages():
                self._take(message)
            with self._changed:
                self._child = None
            child.end(_END_S)
            if not self._is_closed:
                self._tell_of_death()

    def _await_need(self) -> bool:
        """Wait until a child is needed; false where none will be."""
        with self._changed:
            while not self._is_closed and (self._given_up or not (self._is_eager or self._waiting)):
                self._changed.wait()
            if self._quick_deaths > 1:
                self._changed.wait_for(lambda: self._is_closed, _BACK_OFF_S * (self._quick_deaths - 1))
            return not self._is_closed

    def _take(self, message: Message) -> None:
        self._spoke_at = self._spoke_at or time.monotonic()
        if isinstance(message, Noticed):
            self._on_notice(message.notice)
            return
        if isinstance(message, Written):
            self._on_written(message.part)
            return
        with self._changed:
            future, self._running = self._running, None
            self._send_next()
        if future and isinstance(message, Answered):
            future.set_result(message.value)
        elif future and isinstance(message, Failed):
            future.set_exception(message.error)

    def _send_next(self) -> None:
        """Send the next call that still matters, if the child has nothing in hand. Holding the lock."""
        while self._child and self._running is None and self._waiting:
            future, request = self._waiting.pop() if self._is_newest_first else self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                self._running = future
                self._child.send(request)

    def _tell_of_death(self) -> None:
        """Fail the calls that waited for the child, and decide whether there will be another."""
        is_quick = self._spoke_at is None or time.monotonic() - self._spoke_at < _QUICK_S
        died = EngineDiedError(*_DIED[self._role])
        with self._changed:
            self._quick_deaths = self._quick_deaths + 1 if is_quick else 1
            if self._is_eager and self._quick_deaths >= _QUICK_DEATHS:
                self._given_up = died = EngineDiedError(*_GIVEN_UP)
        state = EngineState.FAILED if self._given_up else EngineState.RESTARTING
        self._on_notice(EngineNotice(state, died.message, died.advice))
        self._fail_all(died)

    def _fail_all(self, error: Exception) -> None:
        with self._changed:
            queued = [future for future, _ in self._waiting if future.set_running_or_notify_cancel()]
            unanswered = [self._running, *queued] if self._running else queued
            self._running = None
            self._waiting.clear()
        for future in unanswered:
            future.set_exception(error)
