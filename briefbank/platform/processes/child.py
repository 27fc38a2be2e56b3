"""A child process seen from its parent: started, asked, listened to, ended; and one that is kept at work.

What a child says that is not declared ends it; `has_lied` tells. Of one that is kept (`Supervised`) calls queue up, are
answered one after the other, and outlive its death. Knows neither what the calls do nor who asks.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from threading import Condition, Lock, Thread, Timer
from typing import IO, Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, cast

import msgspec

from briefbank.errors import BriefBankError
from briefbank.platform.processes.calls import (
    Ask,
    Call,
    Failed,
    Sender,
    Stop,
    Told,
    ToParent,
    WireError,
    error_of,
    method_call,
    pack,
    receive,
    unpack,
)
from briefbank.platform.processes.this_process import STARTED
from briefbank.platform.windows.jobs import Job

_LOG = logging.getLogger(__name__)
_PIPE_BYTES = 1 << 20  # what Linux lets every user have; a page in pixels goes over in few turns
_NO_MEMORY = 0xC0000017
"""What Windows ends a process with that it has no memory for."""

A = TypeVar("A")
P = ParamSpec("P")


def _job_of(process: subprocess.Popen[bytes]) -> Job | None:
    """Put a process that has been asked nothing yet, and so has started nothing, into a job of its own; None on systems
    that know process groups. Raises OSError, and the process is killed.
    """
    if os.name != "nt":
        return None
    job = None
    try:
        job = Job()
        job.take(process.pid)
    except OSError:
        process.kill()
        process.wait()
        if job:
            job.close()
        raise
    return job


@dataclass(frozen=True, slots=True)
class Part:
    """A value that was reported on the way to an answer; its number is that of the call, 0 where it belongs to none.
    The value is not in the `repr`.
    """

    number: int
    value: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class CallResult:
    """How a call ended: with a value or an error. The value is not in the `repr`."""

    number: int
    value: Any = field(default=None, repr=False)
    error: BriefBankError | None = None


class Child:
    """A module run as a child, which ends when its standard input is closed.

    It is in a process group of its own, so that Ctrl-C in a terminal reaches its parent alone, and killing it kills
    what it started. On Windows it has a job, which ends with this process too.
    """

    def __init__(self, module: str, *arguments: str, notice: Any = None, is_quiet: bool = False) -> None:
        """Start it. `notice` is the type of what it tells unasked; what a quiet one writes to standard error is lost.

        Raises:
            OSError: the system starts no more processes.
        """
        self._name = " ".join((module, *arguments[:1]))
        self._notice = notice
        self._asked: dict[int, Call] = {}
        self._numbers = count(1)
        self._lock = Lock()
        self.was_killed = False
        self.has_lied = False
        self.refused: OSError | None = None
        """What the system said when a message could not be written, though the child was there to read it."""
        # -P: no module is taken from the folder that the program happens to be started in.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if sys.stderr and not is_quiet else subprocess.DEVNULL,
            process_group=None if os.name == "nt" else 0,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            pipesize=_PIPE_BYTES,
        )
        self._job = _job_of(self._process)
        STARTED.add(self._process.pid)
        self._sender = Sender(cast("IO[bytes]", self._process.stdin))
        self._pipe = cast("IO[bytes]", self._process.stdout)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    @property
    def was_killed_by_system(self) -> bool:
        """Whether something other than this program killed it, once it has ended: nearly always the system, for want of
        memory.
        """
        status = self._process.returncode
        return not self.was_killed and status in (_NO_MEMORY, -getattr(signal, "SIGKILL", _NO_MEMORY))

    def ask(self, call: Call) -> int:
        """Send a call and return its number; where the child has just died, `messages` says so."""
        body = msgspec.Raw(pack(call.arguments))
        with self._lock:
            number = next(self._numbers)
            self._asked[number] = call
        self._send(Ask(number, call.declared.name, body))
        return number

    def stop(self, number: int) -> None:
        """Say that nobody waits for that call any more; returns at once."""
        self._send(Stop(number))

    def messages(self) -> Iterator[Part | CallResult]:
        """Yield what it says, until it ends."""
        try:
            # The union is a form of typing's, not a type; msgspec decodes into its members by their tags.
            for message in receive(self._pipe, cast("type[ToParent]", ToParent)):
                yield self._believed(message)
        except WireError as lie:
            _LOG.warning("%s said what it may not (%s) and is ended", self._name, lie)
            self.has_lied = True
            self.kill()

    def tell_to_end(self) -> None:
        """Close its standard input, so that it ends by itself. Returns at once."""
        self._sender.close()

    def kill(self) -> None:
        """Kill it and all that it started. Returns at once."""
        if self.is_running:
            self.was_killed = True
            self._kill_group()

    def _kill_group(self) -> None:
        """Kill its group as one: what forks meanwhile cannot slip away, and a confined process cannot leave it."""
        if self._job:
            self._job.end_all()
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def wait(self, seconds: float) -> None:
        """Wait until it has ended, at most this long."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def end(self, seconds: float) -> int:
        """Tell it to end, wait, and return its status; kill it if it takes longer than that."""
        self.tell_to_end()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()
        if os.name != "nt":
            self._kill_group()  # what it left behind
        if self._job:
            self._job.close()  # and with it what it left behind
        self._pipe.close()
        STARTED.discard(self._process.pid)
        _LOG.info("%s ended with status %s", self._name, self._process.returncode)
        return self._process.returncode

    def _send(self, message: Ask | Stop) -> None:
        try:
            self._sender.send(message)
        except (BrokenPipeError, ValueError):  # it has ended, or was told to
            _LOG.info("%s does not listen", self._name)
        except OSError as error:
            # Half a message may be in the pipe: nothing that follows would be understood, and it would wait for ever.
            _LOG.warning("%s could not be written to (%s) and is ended", self._name, error.strerror)
            self.refused = error
            self.kill()

    def _believed(self, message: ToParent) -> Part | CallResult:
        """Decode the value of a message into the type that the call declares.

        Raises: WireError: it answers a call that was not made, or its value is of another type.
        """
        number = message.number
        if isinstance(message, Told) and number == 0:
            return Part(0, unpack(message.body, self._notice))
        with self._lock:
            call = self._asked.get(number) if isinstance(message, Told) else self._asked.pop(number, None)
        if call is None:
            raise WireError("an answer to nothing")
        if isinstance(message, Told):
            return Part(number, unpack(message.body, call.declared.part))
        if isinstance(message, Failed):
            if message.place:
                _LOG.error("%s met a fault of this program: %r", self._name, message.place[:500])
            return CallResult(number, error=error_of(message))
        return CallResult(number, unpack(message.body, call.declared.answer))


_QUICK_S = 10.0
"""A child that answered nothing and dies sooner than this after it first spoke is taken for one that will die again."""
_MOST_DEATHS = 3
"""In a row, with nothing answered between them. Whoever gives a child up says this number to people."""
_BACK_OFF_S = 0.5  # times the deaths before
_END_S = 3.0  # then it is killed
_PATIENCE_S = 2.0
"""How long a child that was told to stop, or is past the time of a call, may take before it is killed."""


def _nothing(_: Any) -> None:
    """Ignore what is reported."""


@dataclass(frozen=True, slots=True)
class Death:
    """How a child ended that should not have: with its exit status, killed by the system (for want of memory) or for
    being late, after it had loaded or not; `refused` is what the system said where it could not even be started.
    """

    status: int = 0
    is_by_system: bool = False
    is_late: bool = False
    has_loaded: bool = False
    refused: str = ""


@dataclass(frozen=True, slots=True)
class ChildKind:
    """How a child is started, kept, and what is said of its death. An eager one is kept running; another one is started
    by the first call, and after a death by the first call that follows. After three deaths in a row with nothing
    answered between them it is given up in the words of `given_up`, where there are any.

    With `load_s` calls have limits of time: the child speaks when it has loaded what it works with, within that time,
    and when it begins with a call. `idle_s` after the last answer it is ended.
    """

    name: str
    start: Callable[[], Child]
    died: Callable[[Death], BriefBankError]
    given_up: BriefBankError | None = None
    is_eager: bool = False
    is_newest_first: bool = False
    load_s: float | None = None
    idle_s: float | None = None


class Answer(Future[A]):
    """What a call will be answered with. `cancel` drops a call that the child has not been given."""

    def __init__(
        self, call: Call, on_part: Callable[[Any], None], limit_s: float, stop: Callable[[Answer[Any]], None]
    ) -> None:
        super().__init__()
        self.call, self.on_part, self.limit_s, self._stop = call, on_part, limit_s, stop
        self.number = 0
        self.is_stopped = False
        self.has_begun = False

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
        on_death: Callable[[BriefBankError, bool], None] = lambda _error, _is_given_up: None,
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
        self._is_late = self._is_resting = False
        self._given_up: BriefBankError | None = None
        self._deaths = 0
        self._spoke_at: float | None = None
        self._has_answered = False
        self._is_closed = False
        self._timer: Timer | None = None
        self._thread = Thread(target=self._keep_running, name=f"briefbank-{kind.name}", daemon=True)

    def start(self, child: Child | None = None) -> None:
        """Begin before the first call, with a child that runs already if there is one; returns at once."""
        with self._changed:
            self._first_child = child
            self._begin()

    def _begin(self) -> None:
        if self._thread.ident is None:
            self._thread.start()

    def call(self, call: Call, on_part: Callable[[Any], None] = _nothing, limit_s: float = 0) -> Answer[Any]:
        """Queue a call; `on_part` takes what it tells on its way, in the thread that listens. `limit_s` counts from
        when the child begins with it.
        """
        answer: Answer[Any] = Answer(call, on_part, limit_s, self._stop)
        with self._changed:
            refusal = CancelledError() if self._is_closed else self._given_up
            if refusal is None:
                self._begin()
                self._waiting.append(answer)
                self._send_next()
                self._changed.notify_all()
        if refusal is not None:
            answer.set_exception(refusal)
        return answer

    def revive(self) -> bool:
        """Start again after the child was given up. Returns whether one is running already."""
        with self._changed:
            self._given_up, self._deaths = None, 0
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
        with self._changed:
            unanswered = self._take_unanswered()
        for answer in unanswered:
            answer.set_exception(CancelledError())

    def _stop(self, answer: Answer[Any]) -> None:
        with self._changed:
            answer.is_stopped = True
            if self._child and self._running is answer:
                self._child.stop(answer.number)
                if answer.has_begun:  # what is still being loaded will be needed
                    self._kill_after(_PATIENCE_S)

    def _keep_running(self) -> None:
        while self._await_need():
            self._spoke_at, self._has_answered = None, False
            try:
                child = self._first_child or self._kind.start()
            except OSError as error:
                _LOG.exception("the %s process cannot be started", self._kind.name)
                self._mourn(Death(refused=error.strerror or type(error).__name__))
                continue
            with self._changed:
                self._first_child = None
                self._child = child
                self._is_late = self._is_resting = False
                if self._is_closed:
                    child.tell_to_end()
                self._send_next()
            for message in child.messages():
                self._spoke_at = self._spoke_at or time.monotonic()
                if isinstance(message, Part):
                    self._take(message)
                else:
                    self._ended(message.value, message.error)
            with self._changed:
                self._child = None  # nothing more is asked of it
                self._set_timer(None)
            status = child.end(_END_S)
            if not (self._is_closed or self._is_resting):
                has_loaded = self._spoke_at is not None
                self._mourn(Death(status, child.was_killed_by_system, self._is_late, has_loaded))

    def _await_need(self) -> bool:
        """Wait until a child is needed; false where none will be."""
        with self._changed:
            while not self._is_closed and (self._given_up or not (self._kind.is_eager or self._waiting)):
                self._changed.wait()
            if self._deaths > 1:
                self._changed.wait_for(lambda: self._is_closed, _BACK_OFF_S * (self._deaths - 1))
            return not self._is_closed

    def _take(self, part: Part) -> None:
        with self._changed:
            running = self._running
            if running and not running.has_begun:
                running.has_begun = True
                self._kill_after(_PATIENCE_S + (0 if running.is_stopped else running.limit_s))
        if part.number == 0:
            self._on_notice(part.value)
        elif running:
            running.on_part(part.value)

    def _ended(self, value: object, error: Exception | None) -> None:
        with self._changed:
            self._has_answered = True
            answer, self._running = self._running, None
            self._deaths = 0
            self._set_timer(None)
            self._send_next()
            if self._running is None and self._kind.idle_s is not None:
                self._set_timer(Timer(self._kind.idle_s, self._rest, (self._child,)))
        if answer:
            answer.set_exception(error) if error else answer.set_result(value)

    def _send_next(self) -> None:
        """Send the next call that still matters, if the child has nothing in hand. Holding the lock."""
        while self._child and self._running is None and self._waiting:
            answer = self._waiting.pop() if self._kind.is_newest_first else self._waiting.popleft()
            if answer.running() or answer.set_running_or_notify_cancel():
                self._running = answer
                answer.number = self._child.ask(answer.call)
                if self._kind.load_s is not None:
                    self._kill_after(self._kind.load_s)
                if answer.is_stopped:
                    self._child.stop(answer.number)

    def _kill_after(self, seconds: float) -> None:
        """Kill the child unless the call in hand is ended by then. Holding the lock."""
        if self._kind.load_s is not None:
            self._set_timer(Timer(seconds, self._kill_late, (self._running,)))

    def _kill_late(self, answer: Answer[Any]) -> None:
        with self._changed:
            if self._child and self._running is answer:
                self._is_late = True
                self._child.kill()

    def _rest(self, child: Child) -> None:
        with self._changed:
            if self._child is child and self._running is None:
                self._child, self._is_resting = None, True
                child.tell_to_end()

    def _set_timer(self, timer: Timer | None) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = timer
        if timer:
            timer.daemon = True
            timer.start()

    def _mourn(self, death: Death) -> None:
        """Fail the call in hand, and decide whether there will be another child. One that a child had not begun with,
        which was at work before, waits for the next child; so do other calls, but where the child is an eager one.
        """
        died = self._kind.died(death)
        with self._changed:
            failed = self._running
            had_loaded = self._kind.load_s is not None and death.has_loaded
            if failed and had_loaded and not (failed.has_begun or death.is_late):
                self._waiting.appendleft(failed)
                self._running = None
                return
            was_slow = self._spoke_at is not None and time.monotonic() - self._spoke_at >= _QUICK_S
            if not (failed and failed.is_stopped):
                self._deaths = 1 if self._has_answered or (was_slow and not failed) else self._deaths + 1
            if self._kind.given_up and self._deaths >= _MOST_DEATHS:
                self._given_up = self._kind.given_up
                died = self._given_up if self._kind.is_eager else died
            unanswered = self._take_unanswered(waiting=self._kind.is_eager or not failed or bool(self._given_up))
        self._on_death(died, self._given_up is not None)
        for answer in unanswered:
            answer.set_exception(died)

    def _take_unanswered(self, *, waiting: bool = True) -> list[Answer[Any]]:
        """Return the call in hand and, if wanted, those that wait, which are forgotten here. Holding the lock."""
        taken = [self._running] if self._running else []
        self._running = None
        if waiting:
            taken += [each for each in self._waiting if each.running() or each.set_running_or_notify_cancel()]
            self._waiting.clear()
        return taken


class Asker(Protocol):
    """Has children that make calls."""

    def send(self, role: str, call: Call, on_part: Callable[[Any], None]) -> Answer[Any]:
        """Have the child of this role make a call; `on_part` takes what is reported on its way."""


class RemoteMethod(Generic[P, A]):
    """A method that is declared by its hints and made in the child of a role. Called, it returns the future of its
    answer.
    """

    def __init__(self, method: Callable[Concatenate[Any, P], A], role: str) -> None:
        self.method, self.role = method, role

    def __get__(self, asker: Asker, owner: object = None) -> Callable[P, Answer[A]]:
        def ask(*given: P.args, **named: P.kwargs) -> Answer[A]:
            return asker.send(self.role, *method_call(self.method, *given, **named))

        return ask
