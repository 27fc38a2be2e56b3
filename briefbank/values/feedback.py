"""Feedback that leaves the log: which, where to, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class NamesInExport(StrEnum):
    """What becomes of the names of people in exported feedback."""

    KEPT = "kept"
    LISTED = "listed"
    """Nothing is exported yet: a list of what would be taken out is written, for a person to read and approve."""
    TAKEN_OUT = "taken-out"
    """What an approved list names."""


@dataclass(frozen=True, slots=True)
class FeedbackExportWish:
    """Which feedback is to be written where. `is_for_merging`: as JSON lines, which can be merged with other people's;
    else as a table. `approved` is the list that a person has read, for `TAKEN_OUT`.
    """

    log: Path
    out: Path
    is_for_merging: bool
    names: NamesInExport = NamesInExport.KEPT
    approved: Path | None = None


@dataclass(frozen=True, slots=True)
class FeedbackExported:
    """How many lines were written, how many different things went that the approved list does not name, and what of the
    feedback could not be read.
    """

    count: int
    unlisted: int = 0
    problems: tuple[str, ...] = ()
