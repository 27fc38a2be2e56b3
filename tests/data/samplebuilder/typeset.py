"""Breaks styled text into lines of placed pieces; must not know pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import pymupdf

from samplebuilder.source import Run, curly, runs

_FONTS = {
    ("serif", False, False): "tiro", ("serif", True, False): "tibo",
    ("serif", False, True): "tiit", ("serif", True, True): "tibi",
    ("mono", False, False): "cour", ("mono", True, False): "cobo",
    ("mono", False, True): "coit", ("mono", True, True): "cobi",
}  # fmt: skip
_HYPHENATED = re.compile(r"([A-Za-z]{4,})((?:tion|sion|ment|ness|tive|ture)(?:s|al|ally|ed|ly)?[.,;]?)")
MARK_SIZE = 0.62


@dataclass(frozen=True, slots=True)
class Style:
    """How a paragraph is set. Lengths in points; `left` and `right` are insets, `first` the first line's more."""

    size: float = 12
    leading: float = 24
    left: float = 0
    right: float = 0
    first: float = 0
    align: str = "left"
    family: str = "serif"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """Text at `x` points from the left margin, on its line's base line plus `rise`."""

    x: float
    text: str
    font: str
    size: float
    rise: float = 0
    underlined: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line: `rules` are strokes (x0, y0, x1, y1) from its left top; `text` is its text for looking things up.

    `together` keeps it on one page with the line after it; `anchor` is the block that begins here, or -1.
    """

    height: float
    pieces: tuple[Piece, ...] = ()
    rules: tuple[tuple[float, float, float, float], ...] = ()
    text: str = ""
    notes: tuple[str, ...] = ()
    together: bool = False
    anchor: int = -1
    baseline: float = 0


@dataclass(frozen=True, slots=True)
class _Word:
    pieces: tuple[Run, ...]
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.pieces if not run.note)


@cache
def font(name: str) -> pymupdf.Font:
    """Return a built-in font."""
    return pymupdf.Font(name)


@cache
def text_width(text: str, name: str, size: float) -> float:
    """Return the width of a text in points."""
    return float(font(name).text_length(text, fontsize=size))


def font_name(style: Style, run: Run) -> str:
    """Return the font of a run within a style."""
    return _FONTS[style.family, style.bold or run.bold, run.italic]


def set_text(text: str, width: float, style: Style, marks: dict[str, str] | None = None) -> list[Line]:
    """Break a text with markup into lines no wider than `width`. `marks` gives the shown mark of a note's label."""
    prepared = text if style.family == "mono" else curly(text)
    return set_runs(runs(prepared), width, style, marks)


def set_runs(parts: Iterable[Run], width: float, style: Style, marks: dict[str, str] | None = None) -> list[Line]:
    """Break runs into lines no wider than `width`."""
    words = list(_words(parts, style, marks or {}))
    lines: list[Line] = []
    row: list[_Word] = []
    while words or row:
        first = 0 if lines else style.first
        room = width - style.left - style.right - first
        row, words = _fill(row, words, room, style)
        lines.append(_line(row, style, width, first, is_last=not words))
        row = []
    return lines


def _words(parts: Iterable[Run], style: Style, marks: dict[str, str]) -> Iterator[_Word]:
    pending: list[Run] = []
    notes: list[str] = []
    for part in parts:
        is_underlined = style.family == "mono" and part.italic
        run = replace(part, italic=False, underlined=True) if is_underlined else part
        if run.note:
            pending.append(replace(run, text=marks.get(run.note, "")))
            notes.append(run.note)
            continue
        for piece in re.split(r"( +)", run.text):
            if piece and not piece.strip(" "):
                if pending:
                    yield _Word(tuple(pending), tuple(notes))
                pending, notes = [], []
            elif piece:
                pending.append(replace(run, text=piece))
    if pending:
        yield _Word(tuple(pending), tuple(notes))


def _run_width(run: Run, style: Style) -> float:
    return text_width(run.text, font_name(style, run), style.size * MARK_SIZE if run.note else style.size)


def _width(word: _Word, style: Style) -> float:
    return sum(_run_width(run, style) for run in word.pieces)


def _fill(row: list[_Word], words: list[_Word], room: float, style: Style) -> tuple[list[_Word], list[_Word]]:
    space = text_width(" ", _FONTS[style.family, False, False], style.size)
    used = 0.0
    for at, word in enumerate(words):
        gap = space if row else 0
        if row and used + gap + _width(word, style) > room:
            halves = _hyphenate(word, room - used - gap, style)
            return ([*row, halves[0]], [halves[1], *words[at + 1 :]]) if halves else (row, words[at:])
        row.append(word)
        used += gap + _width(word, style)
    return row, []


def _hyphenate(word: _Word, room: float, style: Style) -> tuple[_Word, _Word] | None:
    if len(word.pieces) != 1 or style.align == "centre" or style.bold:
        return None
    run = word.pieces[0]
    found = _HYPHENATED.fullmatch(run.text)
    if not found or _run_width(head := replace(run, text=found[1] + "-"), style) > room:
        return None
    return _Word((head,)), _Word((replace(run, text=found[2]),))


def _line(row: list[_Word], style: Style, width: float, first: float, *, is_last: bool) -> Line:
    space = text_width(" ", _FONTS[style.family, False, False], style.size)
    room = width - style.left - style.right - first
    used = sum(_width(word, style) for word in row) + space * (len(row) - 1)
    x = style.left + first
    if style.align == "centre":
        x += (room - used) / 2
    elif style.align == "justify" and not is_last and len(row) > 1:
        space += (room - used) / (len(row) - 1)
    pieces: list[Piece] = []
    for word in row:
        for run in word.pieces:
            size, rise = (style.size * MARK_SIZE, style.size * 0.36) if run.note else (style.size, 0)
            pieces.append(Piece(x, run.text, font_name(style, run), size, rise, run.underlined))
            x += _run_width(run, style)
        x += space
    text = " ".join(word.text for word in row)
    return Line(
        height=style.leading,
        pieces=tuple(_with_spaces(pieces, row)),
        text=text,
        notes=tuple(note for word in row for note in word.notes),
        baseline=style.leading - 0.28 * style.size,
    )


def _with_spaces(pieces: list[Piece], row: list[_Word]) -> Iterator[Piece]:
    """Give the last piece of each word but the last of the line its blank, so that the text layer has it."""
    ends = set()
    at = 0
    for word in row[:-1]:
        at += len(word.pieces)
        ends.add(at - 1)
    for at, piece in enumerate(pieces):
        yield replace(piece, text=piece.text + " ") if at in ends else piece


def moved(line: Line, dx: float, dy: float) -> Line:
    """Return the line's pieces and rules moved."""
    pieces = tuple(replace(piece, x=piece.x + dx, rise=piece.rise - dy) for piece in line.pieces)
    return replace(line, pieces=pieces, rules=tuple((a + dx, b + dy, c + dx, d + dy) for a, b, c, d in line.rules))


def gap(height: float, *, together: bool = False) -> Line:
    """Return empty space; it vanishes at the top of a page."""
    return Line(height, together=together)
