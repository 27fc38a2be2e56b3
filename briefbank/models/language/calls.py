"""What a process asks of its language model's child."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from briefbank.models.language.port import Answer, Message, Request
from briefbank.platform.processes.calls import table


class Began(msgspec.Struct, frozen=True, tag="began"):
    """The model is loaded, and begins with the request."""


class Wrote(msgspec.Struct, frozen=True, tag="wrote"):
    """A stretch of the answer."""

    text: str


class ModelCalls(Protocol):
    """What the child answers."""

    def generate(self, request: Request, on_part: Callable[[Began | Wrote], None]) -> Answer:
        """Answer a request."""

    def count(self, messages: tuple[Message, ...], on_part: Callable[[Began | Wrote], None]) -> int:
        """Count the tokens of these messages."""


CALLS = table(ModelCalls.generate, ModelCalls.count)
