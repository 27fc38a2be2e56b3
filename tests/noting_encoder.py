"""The slow hashing encoder, which notes which briefs it is given texts of: tests see by it what was read, and when."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from slow_encoder import SlowEncoder

from briefbank.models.encoders.port import Embeddings

NOTES = "TEST_NOTES_OF_ENCODER"
"""The variable that names the file of notes."""
_MARK = re.compile(r"exhibit D-(\d+)")


def mark(number: int) -> str:
    """A sentence by which a brief is known again."""
    return f"The record of the stop is in evidence as exhibit D-{number}."


class NotingEncoder(SlowEncoder):
    """Encodes as its parent does; notes the marks of briefs first, one line for each call."""

    def encode_passages(self, texts: Sequence[str]) -> Embeddings:
        marks = sorted({number for text in texts for number in _MARK.findall(text)})
        if marks:
            with Path(os.environ[NOTES]).open("a", encoding="ascii") as notes:
                notes.write(" ".join(marks) + "\n")
        return super().encode_passages(texts)
