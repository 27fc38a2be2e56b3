"""What the window needs of whoever writes summaries; the language model stands behind it, or nobody.

Generated text passes through here and nowhere else: never into a log, an export or a copy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SummaryModel:
    """The model that writes: its name, and the ISO date it was installed or the summary was made."""

    name: str
    date: str


@dataclass(frozen=True, slots=True)
class SummaryPart:
    """A stretch of generated text. `doubt` is empty, or says what in it the source does not contain."""

    text: str
    doubt: str = ""


class SummaryListener(Protocol):
    """Told from any thread, in order: parts while they are written, then one of done and failed; nothing after cancel."""

    def part_written(self, part: SummaryPart) -> None:
        """Another stretch of the summary."""

    def done(self, model: SummaryModel) -> None:
        """The summary is complete."""

    def failed(self, message: str, advice: str) -> None:
        """There will be no summary; the text is for people."""


class SummarySource(Protocol):
    """Writes summaries of passages, one at a time."""

    def model(self) -> SummaryModel | None:
        """Return the model, or None where none is installed."""

    def request(self, passage_id: str, listener: SummaryListener) -> Callable[[], None]:
        """Begin a summary and return at once with what cancels it."""


class NoModel:
    """The source where no language model is installed."""

    def model(self) -> SummaryModel | None:
        """Return None."""
        return None

    def request(self, passage_id: str, listener: SummaryListener) -> Callable[[], None]:
        """Refuse, and say why."""
        listener.failed("No language model is installed.", "Ask IT staff to install one.")
        return lambda: None
