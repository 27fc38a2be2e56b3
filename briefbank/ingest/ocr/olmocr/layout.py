"""Where words go that stand on a page in a place nobody told: by the room that is left, and the size of the type.

Knows boxes and lines, not readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from briefbank.ingest.ocr.olmocr.plain import PrintedWord
from briefbank.values.records import Box, Line, Page, Word

_LETTER_EM = 0.5
"""Width of a letter with its share of spaces, in letter sizes: what the usual faces have on average."""

_USUAL_PT = 12.0
_OPEN_EM = 0.8
"""Height between two lines, in letter sizes, from which another line may stand there."""

_BESIDE = 0.5
"""Share of their natural width from which words are taken to stand at the end of a line."""


@dataclass(frozen=True, slots=True)
class Ink:
    """What a page's picture shows: the share of it that is dark, and where, in shares of its width and height.

    `turn_deg` is how the page was turned clockwise for it.
    """

    share: float
    left: float = 0.0
    top: float = 0.0
    right: float = 1.0
    bottom: float = 1.0
    turn_deg: int = 0


@dataclass(frozen=True, slots=True)
class ScanPicture:
    """A page as PNG in base64, and what is dark on it."""

    png_base64: str
    ink: Ink
    is_blank: bool


@dataclass(frozen=True, slots=True)
class Gap:
    """The room between two lines: behind line number `line` (half-numbers sort between lines), to the margins."""

    line: float
    area: Box
    size_pt: float
    end_of_line: float
    is_open: bool

    @property
    def left(self) -> float:
        return self.area.x0

    @property
    def right(self) -> float:
        return self.area.x1

    @classmethod
    def around(cls, page: Page, above: int | None, below: int | None) -> Gap:
        """The room behind line `above`; before `below` where there is none above. One of them is a line of the page."""
        lines = page.lines
        if above is None:
            above = below - 1 if below else None
        upper = lines[above] if above is not None else None
        under = 0 if above is None else above + 1
        lower = lines[under] if under < len(lines) else None
        beside = upper or lower or lines[0]
        size = beside.size_pt
        top = upper.box.y1 if upper else max(0.0, beside.box.y0 - 2 * size)
        bottom = lower.box.y0 if lower else min(page.height_pt, beside.box.y1 + 2 * size)
        margins = min(line.box.x0 for line in lines), max(line.box.x1 for line in lines)
        area = Box(margins[0], min(top, bottom), margins[1], max(top, bottom))
        end = upper.box.x1 if upper else margins[0]
        return cls(-0.5 if above is None else above + 0.5, area, size, end, bottom - top >= _OPEN_EM * size)

    def has_room_beside(self, run: Sequence[PrintedWord]) -> bool:
        """Whether words fit behind the line above."""
        return self.area.x1 - self.end_of_line >= _BESIDE * _width(run, self.size_pt)


def laid_out(tokens: Sequence[PrintedWord], area: Box, confidence: float) -> tuple[Line, ...]:
    """Set words in lines that fill an area from above, a new one for each of olmOCR's."""
    size = min(_USUAL_PT, max(area.y1 - area.y0, 1.0))
    rows = list(_rows(tokens, max(area.x1 - area.x0, 1.0), size))
    pitch = (area.y1 - area.y0) / len(rows)
    size = min(size, pitch) if pitch > 0 else size
    lines = []
    for number, row in enumerate(rows):
        top = area.y0 + number * pitch
        width = min(area.x1 - area.x0, _width(row, size))
        box = Box(round(area.x0, 2), round(top, 2), round(area.x0 + width, 2), round(top + size, 2))
        is_bold = all(token.is_bold for token in row)
        lines.append(Line(tuple(spread(row, box, confidence)), box, round(size, 2), is_bold))
    return tuple(lines)


def spread(tokens: Sequence[PrintedWord], area: Box, confidence: float) -> Iterator[Word]:
    """Set words side by side over an area, by their lengths."""
    letters = sum(len(token.text) + 1 for token in tokens) - 1
    step = (area.x1 - area.x0) / letters
    at = 0
    for token in tokens:
        end = at + len(token.text)
        box = Box(round(area.x0 + at * step, 2), area.y0, round(area.x0 + end * step, 2), area.y1)
        yield Word(token.text, box, confidence, token.is_superscript, token.is_italic)
        at = end + 1


def _rows(tokens: Sequence[PrintedWord], width: float, size: float) -> Iterator[list[PrintedWord]]:
    row: list[PrintedWord] = []
    for token in tokens:
        if row and (token.starts_line or _width([*row, token], size) > width):
            yield row
            row = []
        row.append(token)
    yield row


def _width(tokens: Sequence[PrintedWord], size: float) -> float:
    return _LETTER_EM * size * sum(len(token.text) + 1 for token in tokens)
