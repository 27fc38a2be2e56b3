"""The child of a language model without llama.cpp: what it answers is in the words of the request.

Run as `python -m toy_model FILE SHA256 CONTEXT_TOKENS`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from briefbank.errors import CancelledError
from briefbank.models.language import child
from briefbank.models.language.port import Answer, Message, Request, StopReason
from briefbank.platform.progress import CancelToken


class ToyModel:
    """A model that says which process it is in, hangs, or writes until it is stopped."""

    def __init__(self, file: Path, sha256: str, context_tokens: int) -> None:
        if sha256 == "slow":
            time.sleep(600)

    def answer(self, request: Request, *, on_text: Callable[[str], None], cancel: CancelToken) -> Answer:
        on_text("begun ")
        match request.messages[0].text:
            case "hang":
                time.sleep(600)
            case "write":
                while not cancel.is_cancelled:
                    time.sleep(0.01)
                raise CancelledError("Stopped as asked.")
            case "fail":
                raise ValueError("a secret")
        on_text("ended")
        return Answer(str(os.getpid()), 1, 2, StopReason.END)

    def count_tokens(self, messages: tuple[Message, ...]) -> int:
        return len(messages)


if __name__ == "__main__":
    child.LoadedModel = ToyModel  # type: ignore[assignment,misc]
    child.main()
