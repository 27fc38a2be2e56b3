"""What the window's process and its children say to each other: small values, pickled onto a pair of pipes.

Both ends are this program and the pipes have no name, so that nobody else can speak on them.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock
from typing import IO

from briefbank.errors import BriefBankError
from briefbank.progress import Progress


class Role(StrEnum):
    """What a child is for."""

    ENGINE = "engine"
    PAGES = "pages"
    INDEX = "index"


class EngineState(StrEnum):
    """Where the engine process is. Calls may be made in every state but CLOSED; they wait until it is ready."""

    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"
    """It cannot work (no bank, damaged, model missing): `EngineNotice.message` and `.advice` say what to do."""
    RESTARTING = "restarting"
    """It died and is being started again; the calls that were waiting for it failed with EngineDiedError."""
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class EngineNotice:
    """A change of the engine's state, for people; `generation` is the live one, empty until it is known.

    `is_missing`: it failed because there is no bank, or no index in it.
    """

    state: EngineState
    message: str = ""
    advice: str = ""
    generation: str = ""
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """A call of `Bank`, by the name of its method. One is answered before the next is sent."""

    call: str
    arguments: tuple[object, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reopen:
    """To the engine: open the bank again, whether it looks changed or not."""


@dataclass(frozen=True, slots=True)
class Stop:
    """To an index run: finish the file at hand, keep what was done and report."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The value that the request in hand returned."""

    value: object


@dataclass(frozen=True, slots=True)
class Failed:
    """The error that the request in hand raised."""

    error: BriefBankError


@dataclass(frozen=True, slots=True)
class Noticed:
    """The engine has something to tell that nobody asked for."""

    notice: EngineNotice


@dataclass(frozen=True, slots=True)
class Moved:
    """How far an index run is."""

    progress: Progress


Message = Request | Reopen | Stop | Answered | Failed | Noticed | Moved


class Sender:
    """Writes messages to a pipe, from any thread."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._lock = Lock()

    def send(self, message: Message) -> None:
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


def receive(pipe: IO[bytes]) -> Iterator[Message]:
    """Yield what comes until the other end is closed, or its process dies in the middle of a message."""
    while True:
        try:
            message: Message = pickle.load(pipe)  # noqa: S301 - see above: only this program can write here
        except (EOFError, OSError, pickle.UnpicklingError):
            return
        yield message
