"""A child process seen from its parent: started, asked, listened to, ended.

Knows nothing of what the calls do. What a child says that is not declared ends it; `has_lied` tells.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from threading import Lock
from typing import IO, Any, cast

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
    pack,
    receive,
    unpack,
)
from briefbank.platform.processes.this_process import STARTED
from briefbank.platform.windows.jobs import Job

_LOG = logging.getLogger(__name__)
_PIPE_BYTES = 1 << 20
_NO_MEMORY = 0xC0000017
"""What Windows ends a process with that it has no memory for."""


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
class Outcome:
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

    def messages(self) -> Iterator[Part | Outcome]:
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
        if not self.is_running:
            return
        self.was_killed = True
        if self._job:
            self._job.end_all()
            return
        with suppress(ProcessLookupError):
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

    def _believed(self, message: ToParent) -> Part | Outcome:
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
            return Outcome(number, error=error_of(message))
        return Outcome(number, unpack(message.body, call.declared.answer))
