"""Where a reader has been: Back and Forward, as in a browser. Knows no widget; kept for the session alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from briefbank.values.cautions import cautions_of_hit
from briefbank.values.records import Document, Hit, Passage, Span

_MOST = 200
"""Places kept. Chosen: nobody goes back farther by pressing a key."""


class Position(NamedTuple):
    """What stands at the view's upper edge: a page, and the distance from its own upper edge in points."""

    page: int
    down_pt: float


@dataclass(frozen=True, slots=True)
class Place:
    """A passage that was shown, the spans of it that were marked, what is known against it, and how far the reader had
    scrolled; `position` is None where it was not left yet. `is_whole` where the document was opened at its beginning.
    """

    document: Document
    passage: Passage
    matches: tuple[Span, ...] = ()
    cautions: tuple[str, ...] = ()
    position: Position | None = None
    is_whole: bool = False


def place_of(hit: Hit) -> Place:
    """Return the passage of a result as it is shown on its page."""
    return Place(hit.document, hit.passage, hit.matches, cautions_of_hit(hit))


class History:
    """The places in the order in which they were gone to, and which of them is shown."""

    def __init__(self) -> None:
        self._places: list[Place] = []
        self._at = -1
        self._is_away = False

    @property
    def can_go_back(self) -> bool:
        """Whether there is a place before this one; from an empty page the last one is that."""
        return self._at > 0 or (self._is_away and self._at == 0)

    @property
    def can_go_forward(self) -> bool:
        return self._at + 1 < len(self._places)

    def leave(self, place: Place) -> None:
        """Note how the place shown looks as it is left."""
        if self._at >= 0 and not self._is_away:
            self._places[self._at] = place

    def leave_empty(self) -> None:
        """Note that nothing is shown now; Back leads to the last place again."""
        self._is_away = self._at >= 0

    def visit(self, place: Place) -> None:
        """Note a new place; those in front of the one before it are forgotten."""
        self._is_away = False
        self._places = [*self._places[: self._at + 1], place][-_MOST:]
        self._at = len(self._places) - 1

    def correct(self, document: Document) -> None:
        self._places = [
            replace(each, document=document) if each.document.id == document.id else each for each in self._places
        ]

    def back(self) -> Place | None:
        if not self.can_go_back:
            return None
        self._at -= 0 if self._is_away else 1
        self._is_away = False
        return self._places[self._at]

    def forward(self) -> Place | None:
        """Return the place behind this one, where one went back from it."""
        if not self.can_go_forward:
            return None
        self._at, self._is_away = self._at + 1, False
        return self._places[self._at]
