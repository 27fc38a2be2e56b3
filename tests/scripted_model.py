"""A language model that answers what a test wrote, through the real port: whole, streamed, cancellable, countable."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from briefbank.errors import BriefBankError, ContextOverflowError
from briefbank.models.language.port import Answer, LanguageModelInfo, Message, Request, StopReason
from briefbank.platform.progress import CancelToken

Step = str | dict[str, list[str]] | BriefBankError


class ScriptedModel:
    """Plays its steps one after the other, again and again. A token is a word."""

    def __init__(self, *steps: Step, name: str = "Scripted 1B", sha256: str = "5" * 64, context: int = 4096) -> None:
        self.requests: list[Request] = []
        self.is_closed = False
        self.on_piece: Callable[[str], None] = lambda _piece: None
        self._steps = steps
        self._info = LanguageModelInfo(name, sha256, context)

    @property
    def info(self) -> LanguageModelInfo:
        return self._info

    def count_tokens(self, messages: Sequence[Message]) -> int:
        return sum(len(message.text.split()) for message in messages)

    def answer(
        self,
        request: Request,
        *,
        on_text: Callable[[str], None] | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        if self.count_tokens(request.messages) + request.max_tokens > self._info.context_tokens:
            raise ContextOverflowError("Too long.", "Ask for less.")
        step = self._steps[len(self.requests) % len(self._steps)]
        self.requests.append(request)
        if isinstance(step, BriefBankError):
            raise step
        text = json.dumps(step) if isinstance(step, dict) else step
        for start in range(0, len(text), 7):
            piece = text[start : start + 7]
            self.on_piece(piece)
            if cancel:
                cancel.check()
            if on_text:
                on_text(piece)
        return Answer(text, self.count_tokens(request.messages), len(text.split()), StopReason.END)

    def close(self) -> None:
        self.is_closed = True
