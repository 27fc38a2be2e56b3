"""Child processes of this program, and the pair of pipes that each is spoken to by: small values, pickled.

Both ends are this program and the pipes have no name, so that nobody else can speak on them. Knows nothing of what is
said.
"""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from threading import Lock
from typing import IO, Any, cast

from briefbank.platform.processes.own import STARTED

_LOG = logging.getLogger(__name__)
_PIPE_BYTES = 1 << 20


class Sender:
    """Writes messages to a pipe, from any thread."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._lock = Lock()

    def send(self, message: object) -> None:
        """Write a message.

        Raises:
            OSError: nobody reads the other end any more.
        """
        with self._lock:
            pickle.dump(message, self._pipe, protocol=pickle.HIGHEST_PROTOCOL)
            self._pipe.flush()

    def close(self) -> None:
        """Say that nothing more will come."""
        with self._lock:
            try:
                self._pipe.close()
            except OSError:  # what was left to write has no reader
                return


def receive(pipe: IO[bytes]) -> Iterator[Any]:
    """Yield what comes until the other end is closed, or its process dies in the middle of a message."""
    while True:
        try:
            message = pickle.load(pipe)  # noqa: S301 - see above: only this program can write here
        except (EOFError, OSError, pickle.UnpicklingError):
            return
        yield message


def take_pipes() -> tuple[IO[bytes], Sender]:
    """In a child, keep the pipes to itself: what libraries print goes to standard error, and grandchildren inherit
    neither.
    """
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(source, "rb"), Sender(os.fdopen(sink, "wb"))


class ChildProcess:
    """A module run as a child: it reads messages on its standard input, writes them on its standard output, and ends
    when the first is closed.

    It is in a process group of its own, so that Ctrl-C in a terminal reaches this process alone.
    """

    def __init__(self, module: str, *arguments: str, is_quiet: bool = False) -> None:
        """Start it; what a quiet one writes to standard error goes nowhere.

        Raises:
            OSError: the system starts no more processes.
        """
        self._name = " ".join((module, *arguments[:1]))
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
        STARTED.add(self._process.pid)
        self._sender = Sender(cast("IO[bytes]", self._process.stdin))

    def send(self, message: object) -> None:
        """Send a message; one that has just died is left to whoever reads `messages`."""
        try:
            self._sender.send(message)
        except (OSError, ValueError):
            _LOG.info("%s does not listen", self._name)

    def messages(self) -> Iterator[Any]:
        """Yield what it says, until it ends."""
        with cast("IO[bytes]", self._process.stdout) as pipe:
            yield from receive(pipe)

    def tell_to_end(self) -> None:
        """Close its standard input; returns at once."""
        self._sender.close()

    def kill(self) -> None:
        """End it where it stands; returns at once."""
        self._process.kill()

    def end(self, seconds: float) -> int:
        """Tell it to end, wait, and return its status; kill it if it takes longer than that."""
        self.tell_to_end()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        _LOG.info("%s ended with status %s", self._name, self._process.returncode)
        return self._process.returncode
