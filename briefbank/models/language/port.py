"""What the program asks of a language model, and the prompts it asks with, which are text files in `prompts/`.

A prompt's file begins with its version, which is raised with every change of its text: answers are kept under it.
Knows neither llama.cpp nor what the answers are for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from briefbank.platform.progress import CancelToken


class Speaker(StrEnum):
    """Who says a message; the words of chat templates."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class Priority(IntEnum):
    """Who goes first when several requests wait."""

    WAITED_FOR = 0
    """Somebody looks at the screen for it."""
    BACKGROUND = 1


class StopReason(StrEnum):
    """Why an answer ended."""

    END = "end"
    """The model said that it is complete."""
    LENGTH = "length"
    """`max_tokens` was reached: the answer is cut off, which whoever asked has to say."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation; its text never shows in a `repr`."""

    speaker: Speaker
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Request:
    """One question to the model.

    `schema` is a JSON schema, held by a grammar while the answer is written and checked when it is complete.
    `time_limit_s` is wall-clock time from the moment the model begins with it.
    """

    messages: tuple[Message, ...]
    max_tokens: int
    time_limit_s: float
    schema: Mapping[str, Any] | None = None
    priority: Priority = Priority.WAITED_FOR


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model wrote; its text never shows in a `repr`."""

    text: str = field(repr=False)
    prompt_tokens: int
    answer_tokens: int
    stopped: StopReason


@dataclass(frozen=True, slots=True)
class LanguageModelInfo:
    """Which model answers: its name in the models folder, the SHA-256 of its file, its context in tokens."""

    name: str
    sha256: str
    context_tokens: int


class LanguageModel(Protocol):
    """Answers one request at a time, with temperature 0 and a fixed seed; the same request gets the same answer."""

    @property
    def info(self) -> LanguageModelInfo:
        """Which model answers."""

    def count_tokens(self, messages: tuple[Message, ...]) -> int:
        """Return how many tokens of the context the messages take, with the chat template around them.

        Raises:
            LanguageModelError: the model cannot be used.
        """

    def answer(
        self,
        request: Request,
        *,
        on_text: Callable[[str], None] | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """Answer; `on_text` is told each stretch of text as it is written, in the thread that asked.

        Raises:
            ContextOverflowError: messages and `max_tokens` do not fit into the context; nothing was cut.
            InvalidAnswerError: the answer does not fit the schema.
            TimeLimitError: it took longer than its limit.
            LanguageModelError: the model died, ran out of memory, or cannot be loaded; the next request starts it anew.
            CancelledError: it was cancelled.
        """

    def close(self) -> None:
        """End it and give its memory back."""


@dataclass(frozen=True, slots=True)
class PromptText:
    """A prompt with its version; both texts may hold names in braces, which `messages` fills in."""

    version: str
    system: str
    user: str

    def messages(self, **values: str) -> tuple[Message, ...]:
        """The prompt with its names filled in; braces in the values stay as they are."""
        spoken = ((Speaker.SYSTEM, self.system), (Speaker.USER, self.user))
        return tuple(Message(speaker, _filled(text, values)) for speaker, text in spoken if text)


@cache
def read_prompt(name: str) -> PromptText:
    """Read the prompt of that name."""
    text = files("briefbank.models.language").joinpath("prompts", f"{name}.txt").read_text(encoding="utf-8")
    head, *blocks = re.split(r"^\[(\w+)\]\n", text, flags=re.MULTILINE)
    texts = dict(zip(blocks[::2], (block.strip() for block in blocks[1::2]), strict=True))
    return PromptText(head.partition(":")[2].strip(), texts.get("system", ""), texts["user"])


def _filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), text)
