"""What a process and its language model's child say to each other. Each request has a number, so that the answer to
one that was given up is never taken for the answer to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from briefbank.errors import BriefBankError
from briefbank.models.language.port import Answer, Message, Request


@dataclass(frozen=True, slots=True)
class Ask:
    """To the child: answer this."""

    number: int
    request: Request


@dataclass(frozen=True, slots=True)
class Count:
    """To the child: how many tokens are these?"""

    number: int
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Stop:
    """To the child: nobody waits for that request any more."""

    number: int


@dataclass(frozen=True, slots=True)
class Began:
    """The model is loaded, and begins with the request."""

    number: int


@dataclass(frozen=True, slots=True)
class Wrote:
    """A stretch of the answer; its text never shows in a `repr`."""

    number: int
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of the request."""

    number: int
    value: Answer | int


@dataclass(frozen=True, slots=True)
class Failed:
    """Why nothing came of it; `place` says where in the code a fault of this program happened."""

    number: int
    error: BriefBankError
    place: str = ""


Told = Began | Wrote | Answered | Failed
