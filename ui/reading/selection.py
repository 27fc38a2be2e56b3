"""Text selected on pages, from one letter to another in reading order; knows words and their boxes, no widget."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

from PySide6.QtCore import QPoint

from briefbank.values.pages import PageText, Typography
from briefbank.values.records import Box, Span, TextSource
from ui.wording import lowered, raised

_BROKEN = re.compile(r"(\w+)[-\u00ad\u2010]$")
_EDGES = re.compile(r"^\W+|\W+$")
_INDENT_PT = 10.0
_PARAGRAPH_PITCH = 1.4
"""How much farther apart than usual two lines are from which a paragraph ends between them."""


class TextPosition(NamedTuple):
    """A place between two letters: before letter `letter` of word `word`, both from 0, on page `page`."""

    page: int
    word: int
    letter: int


class TextRange(NamedTuple):
    """A stretch of text; `start` is not behind `end`."""

    start: TextPosition
    end: TextPosition

    @property
    def is_empty(self) -> bool:
        return self.start == self.end

    @property
    def pages(self) -> range:
        return range(self.start.page, self.end.page + 1)


class PageSelection:
    """What is selected on the pages of a view, which draws itself anew after each change."""

    def __init__(self, texts: Mapping[int, PageText], at: Callable[[QPoint], tuple[int, float, float]]) -> None:
        """`texts` are the words of pages as they come; `at` tells the page at a point of the view, and the point on it,
        in points.
        """
        self._texts, self._at = texts, at
        self._anchor: TextRange | None = None
        self._is_by_word = False
        self.selected: TextRange | None = None

    @property
    def is_begun(self) -> bool:
        """Whether there is a place from which a selection can be extended."""
        return self._anchor is not None

    @property
    def pages(self) -> range:
        return self.selected.pages if self.selected else range(0)

    def text(self) -> str | None:
        """The selected words, empty without a selection; None where the words of a page are not there yet."""
        return selected_text(self._texts, self.selected) if self.selected else ""

    def printed(self, text: str) -> Typography:
        """How the selected words are printed, as ranges of their text."""
        return printed_words(self._texts, self.selected, text) if self.selected else Typography()

    def boxes(self, number: int) -> tuple[Box, ...]:
        text = self._texts.get(number)
        return tuple(boxes_on(text, self.selected)) if text and self.selected else ()

    def select_page(self, number: int) -> None:
        text = self._texts.get(number)
        self._select(whole_page(text) if text else None)

    def clear(self) -> None:
        self._anchor = self.selected = None

    def begin(self, point: QPoint, *, is_by_word: bool = False) -> None:
        """Begin at a point with nothing selected, or with the word there."""
        self._is_by_word = is_by_word
        self._anchor = self._reach(point)
        self._select(self._anchor if is_by_word else None)

    def extend(self, point: QPoint) -> None:
        reach = self._reach(point)
        if reach and self._anchor:
            self._select(TextRange(min(reach.start, self._anchor.start), max(reach.end, self._anchor.end)))

    def _select(self, selected: TextRange | None) -> None:
        self.selected = selected if selected and not selected.is_empty else None

    def _reach(self, point: QPoint) -> TextRange | None:
        """The place at a point, or the word there while whole words are selected."""
        number, x_pt, y_pt = self._at(point)
        text = self._texts.get(number)
        place = place_at(text, x_pt, y_pt) if text else None
        if text is None or place is None:
            return None
        return word_at(text, place) if self._is_by_word else TextRange(place, place)


def place_at(text: PageText, x_pt: float, y_pt: float) -> TextPosition | None:
    """The place nearest to a point of the page; None on a page without words."""
    if not text.words:
        return None

    def distance(at: int) -> tuple[float, float]:
        box = text.words[at].box
        return _beyond(y_pt, box.y0, box.y1), _beyond(x_pt, box.x0, box.x1)

    at = min(range(len(text.words)), key=distance)
    word = text.words[at]
    width = max(word.box.x1 - word.box.x0, 0.01)
    share = min(max((x_pt - word.box.x0) / width, 0.0), 1.0)
    return TextPosition(text.number, at, round(share * len(word.text)))


def is_over_text(text: PageText, x_pt: float, y_pt: float) -> bool:
    """Whether a point lies on a word."""
    return any(w.box.x0 <= x_pt <= w.box.x1 and w.box.y0 <= y_pt <= w.box.y1 for w in text.words)


def word_at(text: PageText, place: TextPosition) -> TextRange:
    """The word around a place."""
    length = len(text.words[place.word].text)
    return TextRange(TextPosition(place.page, place.word, 0), TextPosition(place.page, place.word, length))


def whole_page(text: PageText) -> TextRange | None:
    """All words of a page; None where there are none."""
    if not text.words:
        return None
    last = len(text.words) - 1
    return TextRange(TextPosition(text.number, 0, 0), TextPosition(text.number, last, len(text.words[last].text)))


def boxes_on(text: PageText, selected: TextRange) -> list[Box]:
    """What a selection covers on one page, line by line."""
    boxes = []
    for line in _lines(text, selected):
        covered = [_cut(text, at, selected) for at in line]
        y0, y1 = min(box.y0 for box in covered), max(box.y1 for box in covered)
        boxes.append(Box(covered[0].x0, y0, covered[-1].x1, y1))
    return boxes


def selected_text(texts: Mapping[int, PageText], selected: TextRange) -> str | None:
    """The words selected: lines joined, a blank line between paragraphs and between pages.

    None where the words of a page are not there yet.
    """
    if any(number not in texts for number in selected.pages):
        return None
    pages = (_page_text(texts[number], selected) for number in selected.pages)
    return "\n\n".join(page for page in pages if page)


def printed_words(texts: Mapping[int, PageText], selected: TextRange, text: str) -> Typography:
    """Return how the words of a selection are printed, as ranges of `text`, their `selected_text`."""
    found: dict[str, list[Span]] = {"is_italic": [], "is_quoted": [], "is_bold": [], "is_underlined": []}
    at = 0
    for page in (texts[number] for number in selected.pages):
        for place in (place for line in _lines(page, selected) for place in line):
            start = -1
            for letter in page.words[place].text[slice(*_letters(page, place, selected))]:
                while text[at : at + 1].isspace():
                    at += 1
                if lowered(text[at : at + 1]) == letter:  # else it is a hyphen, gone between two lines
                    start, at = (at if start < 0 else start), at + 1
            for name, spans in found.items():
                if start < 0 or not getattr(page.words[place], name):
                    continue
                if spans and not text[spans[-1].end : start].strip():
                    start_of_all = spans.pop().start
                    spans.append(Span(start_of_all, at))
                else:
                    spans.append(Span(start, at))
    italics, quotes, bold, underlined = (tuple(each) for each in found.values())
    is_unknown = not italics and any(texts[number].source is TextSource.OCR for number in selected.pages)
    return Typography(None if is_unknown else italics, (), quotes, bold, underlined)


def _page_text(text: PageText, selected: TextRange) -> str:
    lines = _lines(text, selected)
    pitch = _usual_pitch(text, lines)
    known = {_EDGES.sub("", word.text).lower() for word in text.words}
    written = _written(text, lines[0], selected) if lines else ""
    for above, line in pairwise(lines):
        following = _written(text, line, selected)
        if _begins_paragraph(text, above, line, pitch):
            written += "\n\n" + following
        else:
            written = _joined(written, following, known)
    return written


def _joined(written: str, following: str, known: Collection[str]) -> str:
    """Two lines of a paragraph as one. A hyphen between them stays unless the page has the word without it, since
    briefs are rarely hyphenated and often say "cross-examination".
    """
    broken = _BROKEN.search(written)
    if not broken or not following[:1].isalnum():
        return f"{written} {following}"
    word = broken[1] + _EDGES.sub("", following.split(maxsplit=1)[0])
    is_one_word = written.endswith("\u00ad") or word.lower() in known
    return (written[:-1] if is_one_word else written) + following


def _lines(text: PageText, selected: TextRange) -> list[list[int]]:
    """The numbers of the words of a page that a selection touches, line by line."""
    if selected.is_empty or text.number not in selected.pages:
        return []
    first = selected.start.word if selected.start.page == text.number else 0
    last = selected.end.word if selected.end.page == text.number else len(text.words) - 1
    touched = [at for at in range(first, min(last + 1, len(text.words))) if range(*_letters(text, at, selected))]
    return [list(run) for _, run in groupby(touched, key=lambda at: text.words[at].line)]


def _letters(text: PageText, at: int, selected: TextRange) -> tuple[int, int]:
    """The letters of a word that are selected."""
    here = (text.number, at)
    start = selected.start.letter if here == selected.start[:2] else 0
    return start, selected.end.letter if here == selected.end[:2] else len(text.words[at].text)


def _written(text: PageText, line: Sequence[int], selected: TextRange) -> str:
    written = ""
    for at in line:
        word, letters = text.words[at], text.words[at].text[slice(*_letters(text, at, selected))]
        gap = "" if word.is_raised or not written else " "
        written += gap + (raised(letters, [Span(0, len(letters))]) if word.is_raised else letters)
    return written


def _cut(text: PageText, at: int, selected: TextRange) -> Box:
    """The part of a word's box that is selected, its letters taken to be of one width."""
    word, (start, end) = text.words[at], _letters(text, at, selected)
    width = (word.box.x1 - word.box.x0) / len(word.text)
    return Box(word.box.x0 + start * width, word.box.y0, word.box.x0 + end * width, word.box.y1)


def _beyond(value: float, low: float, high: float) -> float:
    return max(low - value, value - high, 0.0)


def _usual_pitch(text: PageText, lines: Sequence[Sequence[int]]) -> float:
    feet = [text.words[line[0]].box.y1 for line in lines]
    steps = [below - above for above, below in pairwise(feet) if below > above]
    return median(steps) if steps else 0.0


def _begins_paragraph(text: PageText, above: Sequence[int], line: Sequence[int], pitch: float) -> bool:
    before, here = text.words[above[0]], text.words[line[0]]
    if before.is_quoted != here.is_quoted:
        return True
    return here.box.y1 - before.box.y1 > _PARAGRAPH_PITCH * pitch or here.box.x0 > before.box.x0 + _INDENT_PT
