"""Summaries by the language model: who writes them, and how they arrive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SummariesReport:
    """How writing summaries ahead of time ended. `written`, `kept` and `failed` count passages; those in `kept` had a
    summary already. Of the sentences written, `sentences_marked` have a doubt shown beside them, and
    `sentences_withheld` are not shown because they cite what the source does not contain.
    """

    written: int
    kept: int
    failed: int
    sentences_marked: int
    sentences_withheld: int
    seconds: float


@dataclass(frozen=True, slots=True)
class SummaryModel:
    """The model that writes summaries: its name, and an ISO date: in `SummarySource.model` that of the model's file, in
    `SummaryListener.done` the day on which the summary was written.
    """

    name: str
    date: str


@dataclass(frozen=True, slots=True)
class SummaryPart:
    """A stretch of generated text, with the white space that belongs before it. `doubt` is empty, or names what in it
    the source does not contain ("the citation 1 N.J. 2"). Neither is in the `repr`, so that no traceback and no log has
    them.
    """

    text: str = field(repr=False)
    doubt: str = field(default="", repr=False)


class SummaryListener(Protocol):
    """Is called with a summary as it is written, from any thread: with each part in order, then once with how it ended.
    It is not called any more after it was cancelled.
    """

    def part_written(self, part: SummaryPart) -> None:
        """Another stretch of the summary."""

    def done(self, model: SummaryModel) -> None:
        """The summary is complete."""

    def failed(self, message: str, advice: str) -> None:
        """There will be no summary; the text is for people."""


class SummarySource(Protocol):
    """Writes summaries of passages, one at a time, without making the caller wait."""

    def model(self) -> SummaryModel | None:
        """Return the model, or None where none is installed. Answers at once: the window's thread asks."""

    def request(self, passage_id: str, listener: SummaryListener) -> Callable[[], None]:
        """Ask for a summary and return at once a function that cancels it, which returns at once too and may be called
        late or twice. Asking for another summary does not cancel this one.
        """
