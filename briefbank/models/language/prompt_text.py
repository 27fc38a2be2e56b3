"""The prompts, read from their text files. Knows no model and nothing of what is asked.

A file begins with its version, which is raised with every change of its text: answers are kept under it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from briefbank.models.language.port import Message, Speaker


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
    told = dict(zip(blocks[::2], (block.strip() for block in blocks[1::2]), strict=True))
    return PromptText(head.partition(":")[2].strip(), told.get("system", ""), told["user"])


def _filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), text)
