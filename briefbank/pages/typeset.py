"""Pages set from the text that the bank holds, for documents without pages and for files that are gone or have changed.

A passage whose place on the filed page is known is set there, line by line; text of a document without pages flows over
sheets of its own. Must not know why a document is set.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import filterfalse, groupby
from statistics import median
from typing import Any

from briefbank.ingest.readers.mupdf import import_pymupdf
from briefbank.ingest.structure.rows import fold
from briefbank.pages.source import RenderedPage, has_place, rendered
from briefbank.pages.word_file import Face, SetLine, SetPassage
from briefbank.values.pages import PageLink, PageSize, Typography
from briefbank.values.records import Box, Line, Page, Passage, PlacedWord, TextSource, Word

_WIDTH_PT, _HEIGHT_PT, _MARGIN_PT = 612.0, 792.0, 72.0
_SIZE_PT, _LEADING_PT, _GAP_PT = 11.5, 16.0, 9.0
_MOST_SHEETS = 2_000
"""Sheets after which the text breaks off; nothing that an office writes is longer."""

_ASCENT, _MOST_BODY = 0.78, 1.3
"""Where the baseline stands in a line's box, and how large its letters may be, as shares of the box's height; boxes
from OCR are no higher than the ink.
"""
_UNDERLINE, _LINE_PT = 0.88, 0.6
_RAISED_BY, _RAISED_SIZE = 0.33, 0.65
_MOST_SET_IN_PT = 180.0
_LETTERS = Face.BOLD | Face.ITALIC


@dataclass(frozen=True, slots=True)
class TypesetWord:
    """A word that was set: `start` and `end` are offsets in the text of the passage `passage_id`."""

    text: str
    passage_id: str
    start: int
    end: int
    page: int
    box: Box
    size_pt: float
    face: Face
    line: int


class TypesetPages:
    """Pages made of set words."""

    held_bytes = 0

    def __init__(
        self,
        words: Sequence[TypesetWord],
        sizes: tuple[PageSize, ...],
        known: Mapping[str, SetPassage] | None = None,
    ) -> None:
        """`known` tells by the ids of passages how their file sets them, where that is known."""
        self.sizes = sizes
        self._known = known
        self._pages: dict[int, list[TypesetWord]] = {}
        self._passages: dict[str, list[TypesetWord]] = {}
        for word in words:
            self._pages.setdefault(word.page, []).append(word)
            self._passages.setdefault(word.passage_id, []).append(word)

    def close(self) -> None:
        """Nothing is open."""

    def picture(self, number: int, scale: float) -> RenderedPage:
        pymupdf = import_pymupdf()

        size = self.sizes[number - 1]
        faces = _faces()
        with pymupdf.open() as document:
            page = document.new_page(width=size.width_pt, height=size.height_pt)
            writer = pymupdf.TextWriter(page.rect)
            for word in self._pages.get(number, ()):
                baseline = word.box.y0 + _ASCENT * (word.box.y1 - word.box.y0)
                is_raised = Face.RAISED in word.face
                at = word.box.x0, baseline - (_RAISED_BY * word.size_pt if is_raised else 0.0)
                size_pt = word.size_pt * (_RAISED_SIZE if is_raised else 1.0)
                writer.append(at, word.text, faces[word.face & _LETTERS], size_pt)
            writer.write_text(page)
            for x0, x1, y in _underlines(self._pages.get(number, ())):
                page.draw_line((x0, y), (x1, y), width=_LINE_PT)
            return rendered(page, scale)

    def page(self, number: int) -> Page:
        lines = []
        for _, run in groupby(self._pages.get(number, ()), key=lambda word: word.line):
            words = tuple(_read(word) for word in run)
            lines.append(Line(words, words[0].box))
        source = TextSource.TEXT_LAYER if lines else TextSource.NONE
        return Page(number, *self.sizes[number - 1], tuple(lines), source)

    def links(self, number: int) -> tuple[PageLink, ...]:
        del number
        return ()

    def placed(self, passage: Passage) -> list[PlacedWord]:
        words = self._passages.get(passage.id, ())
        return [PlacedWord(word.start, word.end, word.page, word.box) for word in words]

    def typography(self, passage: Passage) -> Typography:
        """As the passage's file sets it; nothing where that is not known: the bank holds words without their type."""
        return self._known[passage.id].typography(passage.text) if self._known else Typography()


def _read(word: TypesetWord) -> Word:
    faces = (Face.RAISED, Face.ITALIC, Face.BOLD, Face.UNDERLINED)
    return Word(word.text, word.box, 1.0, *(each in word.face for each in faces))


def _underlines(words: Iterable[TypesetWord]) -> Iterator[tuple[float, float, float]]:
    """Where lines are drawn below words, from left to right and how far down; one for words beside each other."""
    for (_, is_underlined), run in groupby(words, key=lambda word: (word.line, Face.UNDERLINED in word.face)):
        if is_underlined:
            below = list(run)
            first = below[0].box
            yield first.x0, below[-1].box.x1, first.y0 + _UNDERLINE * (first.y1 - first.y0)


def typeset_in_place(passages: Sequence[Passage], page_count: int) -> TypesetPages:
    """Set each passage into the boxes of its lines, on as many pages as the file had. One of a file in it that has no
    pages flows over the page where it begins, which is as long as that takes.
    """
    words: list[TypesetWord] = []
    measure = _Measure()
    lines = 0
    for passage in filter(has_place, passages):
        words.extend(_fill(passage, lines, measure))
        lines += len(passage.boxes)
    reach = dict.fromkeys(range(1, page_count + 1), (_WIDTH_PT, _HEIGHT_PT))
    for number, flowing in groupby(filterfalse(has_place, passages), key=lambda passage: passage.page_first):
        setter = _Typesetter(number, math.inf)
        setter.add_all(flowing)
        words += setter.words
        reach[number] = (_WIDTH_PT, max([_HEIGHT_PT, *(word.box.y1 + _MARGIN_PT for word in setter.words)]))
    for box in (box for passage in passages for box in passage.boxes):
        width, height = reach.get(box.page, (_WIDTH_PT, _HEIGHT_PT))
        reach[box.page] = (max(width, box.box.x1), max(height, box.box.y1))
    return TypesetPages(words, tuple(PageSize(*reach[number]) for number in range(1, page_count + 1)))


def _fill(passage: Passage, first_line: int, measure: _Measure) -> Iterator[TypesetWord]:
    """Spread a passage's words over its lines in proportion to their widths, in letters of one size where they fit."""
    boxes = [each.box for each in passage.boxes]
    words = [(match.start(), _clean(match.group())) for match in re.finditer(r"\S+", passage.text)]
    space = measure(" ", Face.PLAIN)
    widths = [measure(text, Face.PLAIN) + space for _, text in words]
    rows = _shares(widths, [box.x1 - box.x0 for box in boxes])
    fitting = [
        (box.x1 - box.x0) / max(sum(widths[row.start : row.stop]) - space, space)
        for box, row in zip(boxes, rows, strict=True)
    ]
    usual = median([min(fit, _MOST_BODY * (box.y1 - box.y0)) for fit, box in zip(fitting, boxes, strict=True)] or [0.0])
    for line, (place, row, fit) in enumerate(zip(passage.boxes, rows, fitting, strict=True), first_line):
        x, size = place.box.x0, min(usual, fit)
        for at in row:
            start, text = words[at]
            box = Box(x, place.box.y0, x + size * (widths[at] - space), place.box.y1)
            yield TypesetWord(text, passage.id, start, start + len(text), place.page, box, size, Face.PLAIN, line)
            x += size * widths[at]


def _shares(widths: Sequence[float], rooms: Sequence[float]) -> list[range]:
    """Which words go on which line, so that every line holds its share of their width; all are placed."""
    total, room = max(sum(widths), 1e-9), max(sum(rooms), 1e-9)
    rows: list[range] = []
    at, done, reached = 0, 0.0, 0.0
    for each in rooms:
        first = at
        reached += each / room
        while at < len(widths) and (done + widths[at] / 2 < reached * total or len(rows) == len(rooms) - 1):
            done += widths[at]
            at += 1
        rows.append(range(first, at))
    return rows


def typeset_on_sheets(passages: Sequence[Passage], known: Mapping[str, SetPassage] | None = None) -> TypesetPages:
    """Let the text of a document without pages flow over letter sheets, set as its file does where that is known."""
    setter = _Typesetter(known=known or {})
    setter.add_all(passages)
    sheets = max(1, min(setter.page, _MOST_SHEETS))
    return TypesetPages(setter.words, (PageSize(_WIDTH_PT, _HEIGHT_PT),) * sheets, known)


class _Typesetter:
    """Sets words one behind the other, and knows where the next one goes."""

    def __init__(
        self, page: int = 1, height_pt: float = _HEIGHT_PT, known: Mapping[str, SetPassage] | None = None
    ) -> None:
        self.words: list[TypesetWord] = []
        self._known = known or {}
        self.page = page
        self._height_pt = height_pt
        self._last = page + _MOST_SHEETS - 1
        self._measure = _Measure()
        self._line = 0
        self._left, self._right = _MARGIN_PT, _WIDTH_PT - _MARGIN_PT
        self._x, self._y = _MARGIN_PT, _MARGIN_PT

    def add_all(self, passages: Iterable[Passage]) -> None:
        """Set passages one behind the other, as far as there are sheets."""
        before: Passage | None = None
        for passage in passages:
            if before is not None:
                self._between(before, passage)
            self._add(passage)
            before = passage
            if self.page > self._last:
                break

    def _between(self, before: Passage, passage: Passage) -> None:
        """Leave the space between two passages: that which the first one's span holds behind its text."""
        blanks = before.span.end - before.span.start - len(before.text)
        if blanks > 1 or before.section_path != passage.section_path:
            self._paragraph()

    def _add(self, passage: Passage) -> None:
        headings = {fold(heading) for heading in passage.section_path}
        known = self._known.get(passage.id)
        start = 0
        for paragraph in re.split(r"(\n[ \t]*\n)", passage.text):
            if not paragraph.strip():
                self._paragraph()
            else:
                face = Face.BOLD if fold(paragraph) in headings and not known else Face.PLAIN
                self._add_lines(passage, start, paragraph, face, known)
            start += len(paragraph)

    def _add_lines(self, passage: Passage, start: int, paragraph: str, face: Face, known: SetPassage | None) -> None:
        for match in re.finditer(r"\n|\S+", paragraph):
            at = start + match.start()
            if match.group() == "\n":
                self._next_line()
            elif self.page <= self._last:
                if known and self._is_at_left:
                    self._set_in(known.line_at(at))
                self._add_word(passage, at, match.group(), known.face_at(at) if known else face)

    def _set_in(self, line: SetLine) -> None:
        """Begin the lines that come as far to the right as the file does."""
        shift = min(line.indent_pt, _MOST_SET_IN_PT)
        self._left = _MARGIN_PT + shift
        self._right = _WIDTH_PT - _MARGIN_PT - (shift if line.is_quotation else 0.0)
        self._x = self._left

    @property
    def _is_at_left(self) -> bool:
        return self._x <= self._left

    def _add_word(self, passage: Passage, start: int, word: str, face: Face) -> None:
        letters = face & _LETTERS
        for piece in _pieces(word, (self._right - self._left) / _SIZE_PT, self._measure, letters):
            text = _clean(piece)
            width = _SIZE_PT * self._measure(text, letters) * (_RAISED_SIZE if Face.RAISED in face else 1.0)
            if not self._is_at_left and self._x + width > self._right:
                self._next_line()
            box = Box(self._x, self._y, self._x + width, self._y + _LEADING_PT)
            end = start + len(piece)
            self.words.append(TypesetWord(text, passage.id, start, end, self.page, box, _SIZE_PT, face, self._line))
            start = end
            self._x += width
        self._x += _SIZE_PT * self._measure(" ", letters)

    def _next_line(self, gap_pt: float = 0.0) -> None:
        self._line += 1
        self._x = self._left
        self._y += _LEADING_PT + gap_pt
        if self._y + _LEADING_PT > self._height_pt - _MARGIN_PT:
            self.page += 1
            self._y = _MARGIN_PT

    def _paragraph(self) -> None:
        if not self._is_at_left:
            self._next_line(_GAP_PT)


def _pieces(word: str, room: float, measure: _Measure, face: Face) -> Iterator[str]:
    """A word, cut where it is longer than a line."""
    while (width := measure(_clean(word), face)) > room:
        fitting = max(1, int(len(word) * room / width * 0.95))
        if fitting >= len(word):
            break
        yield word[:fitting]
        word = word[fitting:]
    yield word


class _Measure:
    """The width of words in letter sizes, each measured once."""

    def __init__(self) -> None:
        self._faces = _faces()
        self._known: dict[tuple[str, Face], float] = {}

    def __call__(self, text: str, face: Face) -> float:
        key = (text, face)
        if key not in self._known:
            self._known[key] = self._faces[face].text_length(text, 1.0)
        return self._known[key]


@cache
def _faces() -> dict[Face, Any]:
    """Regular, bold, italic, and bold and italic, from among MuPDF's own fonts."""
    pymupdf = import_pymupdf()
    names = {Face.PLAIN: "tiro", Face.BOLD: "tibo", Face.ITALIC: "tiit", _LETTERS: "tibi"}
    return {face: pymupdf.Font(name) for face, name in names.items()}


def _clean(text: str) -> str:
    """The text with one blank in place of each character that cannot be printed."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
