"""The issue profiles that can be run, as the window offers them."""

from __future__ import annotations

from dataclasses import dataclass

from briefbank.values.records import Filters


@dataclass(frozen=True, slots=True)
class OfferedProfile:
    """A profile: its name, its question ("" where it has none), how many samples it has and the filters that all of its
    results meet. `is_own`: this user made it and keeps it; the others are the office's.
    """

    name: str
    question: str
    sample_count: int
    filters: Filters
    is_own: bool

    @property
    def asks(self) -> str:
        """What its results are judged for: its question, or else its name."""
        return self.question or self.name


@dataclass(frozen=True, slots=True)
class ProfilesOffered:
    """The profiles that can be run, by name, and how many cannot be read."""

    profiles: tuple[OfferedProfile, ...] = ()
    unreadable: int = 0
