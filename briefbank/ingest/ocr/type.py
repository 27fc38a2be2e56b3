"""Tesseract's words to lines of type: it measures ink, while structure compares sizes and baselines.

Both are worked out from which letters a word has, and bold type from how thick its strokes are, on the straightened
picture. Knows neither files nor pages.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from briefbank.ingest.ocr.image import Upright, threshold_of
from briefbank.ingest.ocr.tesseract import ReadWord
from briefbank.ingest.readers.lines import Fragment
from briefbank.values.records import Box, Word

_SURE, _SURE_SHARE = 0.30, 0.75
"""Confidence from which a word is taken as read, and the share of such words from which a line keeps its others too:
in running text an unsure word is a word misread, among many others it is a row of dots, a rule or a speck."""

_TITLE = re.compile(r"[A-Z]{5,}[.:]?")
"""An unsure word that is kept anywhere: a heading whose underline confused the reading. Dots read as small letters."""

_LEADER = re.compile(r"[.…·]{2}|(.)\1\1|\w{18}")

_ASCENT, _DESCENT = 0.89, 0.22
"""How far a line of type reaches above and below its baseline, as shares of its size; PDF fonts say about the same."""

_HEIGHT = 0.68
_HEIGHTS = (
    dict.fromkeys("acegmnopqrsuvwxyz:;", 0.46) | dict.fromkeys("-–—~", 0.3) | dict.fromkeys(".,_…", 0.1) | {"t": 0.58}
)
_DEPTHS = dict.fromkeys("gjpqyQ()[]§", 0.22) | dict.fromkeys(",;", 0.14)
"""Ink above and below the baseline by letter, as shares of the type size; the faces that briefs are set in agree."""

_TELLING, _TELLING_LETTERS = 0.6, 6
"""Confidence of a word, and letters of such words on a line, from which its height tells the type size."""

_SAME_SIZE = 0.11
"""Deviation from the page's usual size up to which a line is taken to be of that size: notes are smaller by a sixth."""

_BOLD = 1.25
"""How much thicker than usual on its page the strokes of a line must be for its type to be bold; they are by half."""

_RAISED = 0.2
"""Share of the type size by which a number must stand above the baseline to be raised."""

_LEAST_RUNS = 20
"""Dark runs in the box of a line below which its strokes are not measured: a dash or a page number has so few."""


@dataclass(frozen=True, slots=True)
class _Ink:
    """A word with its box on the straightened picture, in points."""

    word: Word
    level: Box


def fragments_of(read: Iterable[Iterable[ReadWord]], upright: Upright) -> list[Fragment]:
    """The lines of type that Tesseract's words make.

    Boxes of words are where the words stand on the page, those of lines where they would stand were the page straight.
    """
    placed = ([ink for word in line for ink in _ink(word, upright)] for line in read)
    lines = [kept for line in placed if (kept := _without_rules(_without_noise(line)))]
    if not lines:
        return []
    sizes = _sizes(lines)
    usual = _usual(lines, sizes)
    sizes = [usual if abs(size - usual) <= _SAME_SIZE * usual else size for size in sizes]
    fragments = [_fragment(line, size) for line, size in zip(lines, sizes, strict=True)]
    dark = upright.pixels < threshold_of(upright.pixels)
    weights = [_stroke_pt(dark, fragment.box, upright.zoom) / fragment.size_pt for fragment in fragments]
    bold = _BOLD * _usual(lines, weights)
    return [
        replace(fragment, bold=fragment.letters) if weight > bold > 0 else fragment
        for fragment, weight in zip(fragments, weights, strict=True)
    ]


def _usual(lines: Sequence[Sequence[_Ink]], values: Sequence[float]) -> float:
    """The median of a value of lines, by words."""
    return statistics.median(value for line, value in zip(lines, values, strict=True) for _ in line)


def _ink(word: ReadWord, upright: Upright) -> Iterator[_Ink]:
    place = word.left, word.top, word.width, word.height
    box, straight = upright.to_points(*place), upright.straight_points(*place)
    return (_Ink(Word(part, box, round(word.confidence, 4)), straight) for part in word.text.split())


def _without_noise(words: Sequence[_Ink]) -> list[_Ink]:
    sure = sum(ink.word.confidence >= _SURE for ink in words)
    keeps_unsure = sure >= _SURE_SHARE * len(words)
    return [
        ink
        for ink in words
        if ink.word.confidence >= _SURE
        or _TITLE.fullmatch(ink.word.text)
        or (keeps_unsure and not _LEADER.search(ink.word.text))
    ]


def _without_rules(words: Sequence[_Ink]) -> list[_Ink]:
    """Words without the strokes that are rules of a form; a stroke among words of its height is the pronoun `I`."""
    if not words:
        return []
    kept: list[_Ink] = []
    usual = statistics.median(_tallness(ink) for ink in words)
    for ink in words:
        if ink.word.text != "|":
            kept.append(ink)
        elif len(words) > 1 and _tallness(ink) <= 1.5 * usual:
            kept.append(replace(ink, word=replace(ink.word, text="I")))
    return kept


def _tallness(ink: _Ink) -> float:
    return ink.level.y1 - ink.level.y0


def _reach(text: str) -> tuple[float, float]:
    """How far the ink of a word reaches above and below its baseline, as shares of the type size."""
    return max(_HEIGHTS.get(c, _HEIGHT) for c in text), max(_DEPTHS.get(c, 0.0) for c in text)


def _sizes(lines: Sequence[Sequence[_Ink]]) -> list[float]:
    """The type size of each line in points: what most of its words, each by its letters, are high.

    A line with too few letters to tell has the size of the one before it.
    """
    sizes: list[float] = []
    for line in lines:
        telling = [ink for ink in line if ink.word.confidence >= _TELLING and sum(map(str.isalnum, ink.word.text)) > 1]
        if sum(len(ink.word.text) for ink in telling) >= _TELLING_LETTERS or not sizes:
            sizes.append(statistics.median(_tallness(ink) / sum(_reach(ink.word.text)) for ink in telling or line))
        else:
            sizes.append(sizes[-1])
    return sizes


def _fragment(line: Sequence[_Ink], size: float) -> Fragment:
    baseline = statistics.median(ink.level.y1 - _reach(ink.word.text)[1] * size for ink in line)
    highest = baseline - _RAISED * size
    words = tuple(
        replace(ink.word, is_superscript=ink.word.text.isdecimal() and ink.level.y1 < highest) for ink in line
    )
    left, right = min(ink.level.x0 for ink in line), max(ink.level.x1 for ink in line)
    box = Box(left, round(baseline - _ASCENT * size, 2), right, round(baseline + _DESCENT * size, 2))
    return Fragment(words, box, size, baseline, sum(len(word.text) for word in words))


def _stroke_pt(dark: npt.NDArray[np.bool_], box: Box, zoom: float) -> float:
    """The usual width of the strokes in a box of the straightened page, in points; 0.0 where there are too few.

    Dark runs along pixel rows are as long as a stem is wide wherever they cross one; the middle half of them leaves
    out hairlines and the bars of letters.
    """
    left, top, right, bottom = (max(0, round(zoom * edge)) for edge in box)
    turns = np.diff(np.pad(dark[top:bottom, left:right].astype(np.int8), ((0, 0), (1, 1))), axis=1)
    starts, ends = np.nonzero(turns == 1)[1], np.nonzero(turns == -1)[1]
    if len(starts) < _LEAST_RUNS:
        return 0.0
    runs = np.sort(ends - starts)
    quarter = len(runs) // 4
    return float(np.mean(runs[quarter : len(runs) - quarter])) / zoom
