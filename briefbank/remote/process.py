"""A child process and the pipes to it. Knows how it starts and ends, and nothing of what is said."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from briefbank.remote.messages import Message, Role, Sender, receive

_LOG = logging.getLogger(__name__)
_PIPE_BYTES = 1 << 20


class ChildProcess:
    """A child that reads messages on its standard input, writes them on its standard output, and ends with the first.

    It is in a process group of its own, so that Ctrl-C in a terminal reaches this process alone.
    """

    def __init__(self, role: Role, root: Path) -> None:
        """Start it.

        Raises:
            OSError: the system starts no more processes.
        """
        self._role = role
        # -P: no module is taken from the folder that the program happens to be started in.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "briefbank.remote.child", role, str(root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if sys.stderr else subprocess.DEVNULL,
            process_group=None if os.name == "nt" else 0,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            pipesize=_PIPE_BYTES,
        )
        self._sender = Sender(cast("IO[bytes]", self._process.stdin))

    def send(self, message: Message) -> None:
        """Send a message; one that has just died is left to whoever reads `messages`."""
        try:
            self._sender.send(message)
        except (OSError, ValueError):
            _LOG.info("the %s process does not listen", self._role)

    def messages(self) -> Iterator[Message]:
        """Yield what it says, until it ends."""
        with cast("IO[bytes]", self._process.stdout) as pipe:
            yield from receive(pipe)

    def tell_to_end(self) -> None:
        """Close its standard input; returns at once."""
        self._sender.close()

    def end(self, seconds: float) -> None:
        """Tell it to end and wait; kill it if it takes longer than that."""
        self.tell_to_end()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        _LOG.info("the %s process ended with status %s", self._role, self._process.returncode)
