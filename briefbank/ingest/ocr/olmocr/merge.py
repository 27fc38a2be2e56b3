"""One page out of two readings: olmOCR's words on Tesseract's lines, with their boxes, sizes and order.

Keeps what Tesseract is sure of and olmOCR left out (running heads, page numbers), and marks where the two disagree.
Runs in a worker, which imports it before it is confined: so not numpy, which starts threads. Must not know servers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from briefbank.ingest.ocr.olmocr.align import Alignment, WordShare, align
from briefbank.ingest.ocr.olmocr.plain import PrintedWord, tokens_of
from briefbank.values.records import Box, Line, Page, TextSource, Word

MERGE_VERSION = 1
"""Raised when other pages come of the same two readings."""

ALONE = 0.5
"""Confidence of a word that only one engine reads."""

_DOUBTFUL = 0.75
"""Mean confidence below which the engines disagree on a page: on less than half of its letters they agree."""

_SURE = 0.80
"""Confidence of Tesseract's from which its page stands where the engines disagree: that much print is no invention,
and its words are kept where olmOCR has none."""

_SURE_LINE = 0.6
_LEAST_INK_PT2 = 1.0
"""Square points of ink for each letter read, below which a page does not hold that text; print of 12 points has 13."""

_LETTER_EM = 0.5
"""Width of a letter with its share of spaces, in letter sizes: what the usual faces have on average."""

_USUAL_PT = 12.0
_OPEN_EM = 0.8
"""Height between two lines, in letter sizes, from which another line may stand there."""

_BESIDE = 0.5
"""Share of their natural width from which words are taken to stand at the end of a line."""

_HYPHENS = ("-", "‐", "\xad", "–", "—", "/")


def disagrees(page: Page) -> bool:
    """Whether a merged page is one on which the two engines read different things."""
    return page.ocr_confidence is not None and page.ocr_confidence < _DOUBTFUL


def merge(page: Page, markdown: str, ink: Ink) -> tuple[Page, str]:
    """Return the page of both readings, or Tesseract's own and the reason why olmOCR's cannot be used."""
    tokens = tokens_of(markdown)
    letters = sum(map(str.isalnum, "".join(token.text for token in tokens)))
    if letters * _LEAST_INK_PT2 > ink.share * page.width_pt * page.height_pt:
        return page, "the server read more than is printed"
    if not tokens and page.source is not TextSource.OCR:
        return page, ""
    if not page.lines:
        return _only(page, tokens, ink), ""
    merged = _Merging(page, tokens).page()
    if disagrees(merged) and (not tokens or (page.ocr_confidence or 0.0) >= _SURE):
        return replace(page, ocr_confidence=merged.ocr_confidence), ""
    return merged, ""


def _only(page: Page, tokens: Sequence[PrintedWord], ink: Ink) -> Page:
    """A page on which Tesseract found no word; nobody knows where on it the words stand, but for where ink is."""
    width, height = (page.width_pt, page.height_pt)
    if (ink.turn_deg - page.rotation_deg) % 180:
        width, height = height, width
    area = Box(ink.left * width, ink.top * height, ink.right * width, ink.bottom * height)
    lines = _laid_out(tokens, area)
    return Page(page.number, width, height, lines, TextSource.OCR, ALONE, ink.turn_deg)


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
class _Gap:
    """The room between two lines: behind line number `line` (half-numbers sort between lines), to the margins."""

    line: float
    area: Box
    size_pt: float
    end_of_line: float
    is_open: bool

    @classmethod
    def around(cls, page: Page, above: int | None, below: int | None) -> _Gap:
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


@dataclass(frozen=True, slots=True)
class _Set:
    """A word put onto a line; `order` is its place among the words that Tesseract found, in reading order."""

    order: float
    word: Word
    is_bold: bool = False


class _Merging:
    """The words of one page on their way onto its lines."""

    def __init__(self, page: Page, tokens: Sequence[PrintedWord]) -> None:
        self._page = page
        self._tokens = tokens
        self._words = [word for line in page.lines for word in line.words]
        self._line_of = [number for number, line in enumerate(page.lines) for _ in line.words]
        self._matches = align([token.text for token in tokens], [word.text for word in self._words])
        self._lines: list[list[_Set]] = [[] for _ in page.lines]
        self._added: list[tuple[float, Line]] = []

    def page(self) -> Page:
        for token, match in zip(self._tokens, self._matches, strict=True):
            self._put(token, match)
        for left, run, right in self._unplaced():
            self._insert(left, run, right)
        self._keep()
        numbered = [(float(number), self._line(number)) for number in range(len(self._lines))]
        whole = sorted([*numbered, *self._added], key=lambda pair: pair[0])
        lines = tuple(line for _, line in whole if line.words)
        sure = math.fsum(word.confidence * len(word.text) for line in lines for word in line.words)
        confidence = sure / max(1, sum(len(word.text) for line in lines for word in line.words))
        return replace(self._page, lines=lines, source=TextSource.OCR, ocr_confidence=round(confidence, 4))

    def _put(self, token: PrintedWord, match: Alignment) -> None:
        """Set a token where it stands, in two parts if it is broken at the end of a line."""
        groups = [(line, list(run)) for line, run in groupby(match.places, key=lambda place: self._line_of[place.word])]
        if match.agreed == 0 and groups:
            groups = [max(groups, key=lambda group: sum(place.end - place.start for place in group[1]))]
        cuts = [0, *(run[0].cut for _, run in groups[1:]), len(token.text)]
        for number, (line, run) in enumerate(groups):
            text = token.text[cuts[number] : cuts[number + 1]]
            if not text or any(self._is_exact(place.word) for place in run):
                continue
            if number + 1 < len(groups) and not text.endswith(_HYPHENS):
                text += "-"
            box = Box.around(self._box(place) for place in run)
            word = Word(text, box, self._sure(run, match.agreed), self._is_raised(token, run), token.is_italic)
            self._lines[line].append(_Set(run[0].word + run[0].start, word, token.is_bold))

    def _is_exact(self, word: int) -> bool:
        """Whether a word comes from the text layer (a stamp), which is what it says."""
        return self._words[word].confidence == 1.0

    def _box(self, place: WordShare) -> Box:
        box = self._words[place.word].box
        width = box.x1 - box.x0
        return Box(
            round(box.x0 + place.start * width, 2), box.y0, round(max(box.x0 + place.end * width, box.x0), 2), box.y1
        )

    def _sure(self, run: Sequence[WordShare], agreed: float) -> float:
        """Two engines that read the same are wrong only if both are; what they read differently, one alone reads."""
        own = math.fsum(self._words[place.word].confidence for place in run) / len(run)
        both = 1 - (1 - own) ** 2
        return min(round(agreed * both + (1 - agreed) * ALONE, 4), 0.9999)

    def _is_raised(self, token: PrintedWord, run: Sequence[WordShare]) -> bool:
        return token.is_superscript or (
            token.text.isdecimal() and all(self._words[place.word].is_superscript for place in run)
        )

    def _keep(self) -> None:
        """Words of Tesseract's that olmOCR left out stay where Tesseract is sure of them."""
        taken = {place.word for match in self._matches for place in match.places if not self._is_exact(place.word)}
        start = 0
        for number, line in enumerate(self._page.lines):
            own = range(start, start + len(line.words))
            start = own.stop
            mean = math.fsum(word.confidence for word in line.words) / max(1, len(line.words))
            is_whole = mean >= _SURE_LINE and taken.isdisjoint(own)
            for at in own:
                word = self._words[at]
                if at not in taken and (is_whole or word.confidence >= _SURE):
                    if not self._is_exact(at):
                        word = replace(word, confidence=min(word.confidence, ALONE))
                    self._lines[number].append(_Set(at, word, line.is_bold))

    def _unplaced(self) -> Iterator[tuple[WordShare | None, list[PrintedWord], WordShare | None]]:
        """Runs of tokens that stand nowhere, within a line of olmOCR's text, and the places beside them."""
        placed = [at for at, match in enumerate(self._matches) if match.places]
        for before, after in zip([-1, *placed], [*placed, len(self._matches)], strict=True):
            left = self._matches[before].places[-1] if before >= 0 else None
            right = self._matches[after].places[0] if after < len(self._matches) else None
            run: list[PrintedWord] = []
            for token in self._tokens[before + 1 : after]:
                if token.starts_line and run:
                    yield left, run, right
                    run = []
                run.append(token)
            if run:
                yield left, run, right

    def _insert(self, left: WordShare | None, run: Sequence[PrintedWord], right: WordShare | None) -> None:
        """Give words that only olmOCR reads the room between their neighbours, on a line of theirs or between two."""
        here = self._line_of[left.word] if left else None
        there = self._line_of[right.word] if right else None
        if left and right and here == there and right.word >= left.word:
            self._squeeze(left, run, self._box(left).x1, self._box(right).x0)
            return
        gap = _Gap.around(self._page, here, there)
        has_room = gap.area.x1 - gap.end_of_line >= _BESIDE * _width(run, gap.size_pt)
        if gap.is_open and (run[0].starts_line or not has_room):
            self._added += [(gap.line, line) for line in _laid_out(run, gap.area)]
        elif left:
            self._squeeze(left, run, self._box(left).x1, gap.area.x1)
        elif right:
            self._squeeze(right._replace(start=-1.0), run, gap.area.x0, self._box(right).x0)

    def _squeeze(self, beside: WordShare, run: Sequence[PrintedWord], x0: float, x1: float) -> None:
        """Set words between `x0` and `x1` on the line of `beside`, behind it."""
        line = self._line_of[beside.word]
        own = self._words[beside.word].box
        width = min(max(x1 - x0, 1.0), 0.5 * self._page.lines[line].size_pt * sum(len(t.text) + 1 for t in run))
        x0 = min(x0, self._page.width_pt - 1.0)
        area = Box(x0, own.y0, min(x0 + width, self._page.width_pt), own.y1)
        order = beside.word + (beside.end if beside.start >= 0 else -0.5) - 1e-3
        for number, word in enumerate(_spread(run, area)):
            self._lines[line].append(_Set(order + number * 1e-6, word, run[number].is_bold))

    def _line(self, number: int) -> Line:
        placed = sorted(self._lines[number], key=lambda each: each.order)
        line = self._page.lines[number]
        letters = sum(len(each.word.text) for each in placed)
        bold = sum(len(each.word.text) for each in placed if each.is_bold)
        italic = sum(len(each.word.text) for each in placed if each.word.is_italic)
        return replace(
            line,
            words=tuple(each.word for each in placed),
            is_bold=line.is_bold or 2 * bold > letters,
            is_italic=line.is_italic or 2 * italic > letters,
        )


def _laid_out(tokens: Sequence[PrintedWord], area: Box) -> tuple[Line, ...]:
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
        lines.append(Line(tuple(_spread(row, box)), box, round(size, 2), is_bold))
    return tuple(lines)


def _spread(tokens: Sequence[PrintedWord], area: Box) -> Iterator[Word]:
    """Set words side by side over an area, by their lengths."""
    letters = sum(len(token.text) + 1 for token in tokens) - 1
    step = (area.x1 - area.x0) / letters
    at = 0
    for token in tokens:
        end = at + len(token.text)
        box = Box(round(area.x0 + at * step, 2), area.y0, round(area.x0 + end * step, 2), area.y1)
        yield Word(token.text, box, ALONE, token.is_superscript, token.is_italic)
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
