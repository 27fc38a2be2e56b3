"""Fills pages with lines, footnotes at the foot and flowing over; must not know what the lines say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from samplebuilder.typeset import Line

SEPARATOR_PT = 12.0
_CARRIED_SHARE = 0.6
_LEAST_NOTE_LINES = 2


@dataclass(slots=True)
class Sheet:
    """One page: lines with their tops in points below the upper margin, and the lines of its footnotes."""

    body: list[tuple[float, Line]] = field(default_factory=list)
    notes: list[Line] = field(default_factory=list)
    used: float = 0

    def room(self, height: float) -> float:
        """Return the height that is still free of `height`."""
        return height - self.used - self.notes_height

    @property
    def notes_height(self) -> float:
        """The height of the footnotes with their rule."""
        return sum(line.height for line in self.notes) + (SEPARATOR_PT if self.notes else 0)

    @property
    def text(self) -> str:
        """What the page says, lines joined, hyphens at line ends gone."""
        joined = " ".join(line.text for _, line in self.body) + " " + " ".join(line.text for line in self.notes)
        return joined.replace("- ", "-") if "- " in joined else joined


class Break(Line):
    """Forces a new page."""


BREAK = Break(0)


def paginate(lines: Sequence[Line], notes: Mapping[str, Sequence[Line]], height: float) -> list[Sheet]:
    """Distribute lines over pages of `height` points."""
    sheets = [Sheet()]
    carried: list[Line] = []

    def turn() -> Sheet:
        sheet = Sheet()
        _add_notes(sheet, carried, height * _CARRIED_SHARE)
        sheets.append(sheet)
        return sheet

    sheet = sheets[0]
    for at, line in enumerate(lines):
        if isinstance(line, Break):
            if sheet.body:
                sheet = turn()
            continue
        if not line.pieces and not line.rules and not sheet.body:
            continue
        called = [note for label in line.notes for note in notes[label]]
        least = sum(note.height for note in called[:_LEAST_NOTE_LINES])
        least += SEPARATOR_PT if called and not sheet.notes else 0
        if sheet.body and sheet.room(height) < _needed(lines, at) + least:
            sheet = turn()
            if not line.pieces and not line.rules:
                continue
        sheet.body.append((sheet.used, line))
        sheet.used += line.height
        carried += called
        _add_notes(sheet, carried, sheet.room(height))
    while carried:
        turn()
    return sheets


def _needed(lines: Sequence[Line], at: int) -> float:
    needed = 0.0
    for line in lines[at:]:
        needed += line.height
        if not line.together:
            break
    return needed


def _add_notes(sheet: Sheet, carried: list[Line], room: float) -> None:
    if carried and not sheet.notes:
        room -= SEPARATOR_PT
    while carried and carried[0].height <= room:
        room -= carried[0].height
        sheet.notes.append(carried.pop(0))
