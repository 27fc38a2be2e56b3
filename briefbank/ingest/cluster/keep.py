"""Keeps the programs of a cluster running on this machine: starts them, and starts anew what dies.

Must not know what they do.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from briefbank.errors import EngineDiedError
from briefbank.ingest.cluster.programs import Options, error_of, read_port
from briefbank.platform.progress import POLL_S, CancelToken

_MODULE = "briefbank.ingest.cluster.programs"
_QUICK_S = 10.0
"""A program that ends sooner than this after its start is taken for one that will end so again, and waited for."""
_PAUSE_S = 5.0
_END_S = 3.0
_LISTENING_S = 0.05
"""How often is looked whether a scheduler listens: it does a second after its start."""
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""A worker process is for one core, and its encoder's threads are not to take the others'."""


@dataclass(slots=True)
class _Kept:
    options: Options
    process: subprocess.Popen[bytes]
    started: float = field(default_factory=time.monotonic)
    not_before: float = 0.0


class Keeper:
    """Programs that are kept running until `close`."""

    def __init__(self, programs: Sequence[Options]) -> None:
        self._kept = [_Kept(each, _start(each)) for each in programs]
        self.restarts = 0

    @property
    def pids(self) -> list[int]:
        """The process ids of the programs, in their order."""
        return [each.process.pid for each in self._kept]

    def look(self) -> None:
        """Start what has died, at once the first time, then after a pause.

        Raises:
            OSError: nothing can be started.
            UsageError: a program would end again as it did.
        """
        now = time.monotonic()
        for each in self._kept:
            status = each.process.poll()
            if status is None or now < each.not_before:
                continue
            if error := error_of(each.options, status):
                raise error
            _close_input(each.process)
            each.not_before = now + _PAUSE_S if now - each.started < _QUICK_S else 0.0
            each.process, each.started = _start(each.options), now
            self.restarts += 1

    def watch(self, cancel: CancelToken) -> None:
        """Keep the programs running until the work is cancelled."""
        while not cancel.is_cancelled:
            self.look()
            cancel.wait(POLL_S)

    def close(self) -> None:
        """End the programs, and what they started."""
        for each in self._kept:
            _close_input(each.process)
        for each in self._kept:
            try:
                each.process.wait(_END_S)
            except subprocess.TimeoutExpired:
                each.process.kill()
                each.process.wait()


@contextmanager
def kept(*programs: Options) -> Iterator[Keeper]:
    """Keep programs running while the block lasts.

    Raises:
        EngineDiedError: they cannot be started.
    """
    try:
        keeper = Keeper(programs)
    except OSError as error:
        raise EngineDiedError(f"No process can be started: {error.strerror}.", "Close other programs.") from error
    try:
        yield keeper
    finally:
        keeper.close()


def listening_port(told: Path, scheduler: Keeper, cancel: CancelToken) -> int:
    """Wait until a scheduler listens, and return the port that it wrote into the file `told`.

    Raises:
        CancelledError: asked to stop.
        UsageError: it cannot listen where it is told to.
    """
    while not (port := read_port(told)):
        cancel.check()
        scheduler.look()
        cancel.wait(_LISTENING_S)
    return port


def _start(options: Options) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", _MODULE, msgspec.json.encode(options).decode()],
        stdin=subprocess.PIPE,
        env={**os.environ, **_ONE_THREAD},
        process_group=None if os.name == "nt" else 0,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _close_input(process: subprocess.Popen[bytes]) -> None:
    if process.stdin:
        process.stdin.close()
