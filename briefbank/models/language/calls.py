"""What a process asks of its language model's child."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from briefbank.models.language.port import Answer, Message, Request
from briefbank.platform.processes.calls import LongCall, Turn, table

if TYPE_CHECKING:
    from briefbank.models.language.generate import LoadedModel


class Began(msgspec.Struct, frozen=True, tag="began"):
    """The model is loaded, and begins with the request."""


class Wrote(msgspec.Struct, frozen=True, tag="wrote"):
    """A stretch of the answer."""

    text: str


class Generate(LongCall["LoadedModel", Answer, Began | Wrote], frozen=True):
    """Answer a request."""

    request: Request

    def run(self, turn: Turn[LoadedModel, Began | Wrote], /) -> Answer:
        return turn.on.answer(
            self.request,
            is_cancelled=lambda: turn.cancel.is_cancelled,
            on_text=lambda text: turn.tell(Wrote(text)),
        )


class Count(LongCall["LoadedModel", int, Began], frozen=True):
    """Count the tokens of these messages."""

    messages: tuple[Message, ...]

    def run(self, turn: Turn[LoadedModel, Began], /) -> int:
        return turn.on.count(self.messages)


CALLS = table(Generate, Count)
