"""What was said in this session, in words, and what takes it back. Knows neither widgets nor how a log is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from briefbank.judgements.feedback.events import Commented, Judged, Rated
from ui.shortcuts import IN_A_SEARCH, STARS, key

_TITLE_CHARS = 30
"""With more, the key behind the title was cut off at the bottom of a window of 1280 pixels."""


NOTHING_TO_REDO = "Nothing to do again: what was undone last was done again, or something else was done since."


Saying = Judged | Rated | Commented


@dataclass(frozen=True, slots=True)
class Step:
    """Something that was done in a window, what takes it back, and what does it again after that."""

    undo: Callable[[], object]
    redo: Callable[[], object]
    is_of_search: bool = False
    """Something said of a search, which is undone where that is seen."""


class UndoHistory:
    """What was done in one window: judgements and steps in matters are undone by one key."""

    def __init__(self) -> None:
        self._done: list[Step] = []
        self._undone: list[Step] = []

    def note(self, step: Step) -> None:
        """Something was done; what was undone before cannot be done again any more."""
        self._done.append(step)
        self._undone.clear()

    def undo(self, *, is_in_a_search: bool) -> bool:
        """Take back what was done last, outside of a search nothing said of one; false where nothing is left."""
        step = _move_last(self._done, self._undone, is_in_a_search=is_in_a_search)
        if step:
            step.undo()
        return step is not None

    def redo(self, *, is_in_a_search: bool) -> bool:
        """Do again what was undone last, as in `undo`."""
        step = _move_last(self._undone, self._done, is_in_a_search=is_in_a_search)
        if step:
            step.redo()
        return step is not None


def _move_last(of: list[Step], to: list[Step], *, is_in_a_search: bool) -> Step | None:
    for place in reversed(range(len(of))):
        if is_in_a_search or not of[place].is_of_search:
            to.append(of.pop(place))
            return to[-1]
    return None


def nothing_to_undo(*, is_in_a_search: bool) -> str:
    """Say that nothing is left to be taken back."""
    if is_in_a_search:
        return "Nothing to undo: nothing was judged, commented on or collected in this window."
    return "Nothing to undo: no matter was changed in this window."


@dataclass(frozen=True, slots=True)
class Act:
    """One thing said of a result or a search, under the id of its event.

    `before` says again what was said there before, so that recording it takes `now` back. `title` is the brief's; empty
    for a comment.
    """

    event_id: str
    now: Saying
    before: Saying
    title: str = ""
    is_undo: bool = False
    is_redo: bool = False

    @property
    def confirmation(self) -> str:
        """What is on the disk now, and how it is taken back: "Marked relevant: State v. Renfrew · … undoes"; of what
        was undone, what holds since.
        """
        title = shortened(self.title)
        if self.is_undo:
            return f"Undone: {_restored(self.now)}{', ' if title else ''}{title}"
        again = "Again: " if self.is_redo else ""
        undoes = f"{key('undo', IN_A_SEARCH).sequences[0]} undoes"
        return f"{again}{_said(self.now)}{': ' if title else ''}{title} · {undoes}"


def shortened(title: str) -> str:
    """Return the case that a title names, without what kind of brief it is."""
    case = title.partition(",")[0]
    return case if len(case) <= _TITLE_CHARS else f"{case[: _TITLE_CHARS - 1].rstrip()}…"


def _said(saying: Saying) -> str:
    match saying:
        case Judged(is_relevant=None):
            return "Mark withdrawn"
        case Judged(is_relevant=is_relevant):
            return "Marked relevant" if is_relevant else "Marked not relevant"
        case Rated(stars=None):
            return "Stars withdrawn"
        case Rated(stars=stars):
            return f"Rated {stars} of {len(STARS)} stars"
        case Commented(text=text):
            return "Comment kept" if text else "Comment withdrawn"


def _restored(saying: Saying) -> str:
    match saying:
        case Judged(is_relevant=None):
            return "the mark is taken back"
        case Judged(is_relevant=is_relevant):
            return "marked relevant again" if is_relevant else "marked not relevant again"
        case Rated(stars=None):
            return "the stars are taken back"
        case Rated(stars=stars):
            return f"rated {stars} of {len(STARS)} stars again"
        case Commented(text=text):
            return "the comment reads as before" if text else "the comment is taken back"
