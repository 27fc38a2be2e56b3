"""What the window's process and its children say to each other: small values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from briefbank.errors import BriefBankError
from briefbank.platform.progress import Progress
from briefbank.reports import SummaryPart


class Role(StrEnum):
    """What a child is for."""

    ENGINE = "engine"
    PAGES = "pages"
    INDEX = "index"
    SUMMARIES = "summaries"


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
    """To an index run: finish the file at hand, keep what was done, report. To summaries: drop the one in hand."""


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


@dataclass(frozen=True, slots=True)
class Written:
    """Another part of the summary in hand."""

    part: SummaryPart


Message = Request | Reopen | Stop | Answered | Failed | Noticed | Moved | Written
