"""What the window needs of whoever writes summaries; the language model stands behind it, or nobody.

Generated text passes through here and nowhere else: never into a log, an export or a copy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SummaryModel:
    """The model that writes: its name and the ISO date of what it is told with: of the model in `SummarySource.model`,
    of the summary in `SummaryListener.done`.
    """

    name: str
    date: str


@dataclass(frozen=True, slots=True)
class SummaryPart:
    """A stretch of generated text, with the white space that belongs before it. `doubt` is empty, or names what in it
    the source does not contain ("the citation 1 N.J. 2"). Neither shows in the part's `repr`, so that no traceback or
    log carries them.
    """

    text: str = field(repr=False)
    doubt: str = field(default="", repr=False)


class SummaryListener(Protocol):
    """Told from any thread, in order: parts as they are written, then one of done and failed; nothing after cancel."""

    def part_written(self, part: SummaryPart) -> None:
        """Another stretch of the summary."""

    def done(self, model: SummaryModel) -> None:
        """The summary is complete."""

    def failed(self, message: str, advice: str) -> None:
        """There will be no summary; the text is for people."""


class SummarySource(Protocol):
    """Writes summaries of passages, one at a time."""

    def model(self) -> SummaryModel | None:
        """Return the model, or None where none is installed. Answers at once: the window's thread asks."""

    def request(self, passage_id: str, listener: SummaryListener) -> Callable[[], None]:
        """Begin a summary and return at once with what cancels it; cancelling returns at once too, and may come late
        or twice. A request replaces none: who wants another summary cancels the first.
        """
