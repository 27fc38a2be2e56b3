"""Finds what may be a page number at the head or foot of a scanned page: Tesseract's layout takes a single figure that
stands alone for a speck, and passes it over. Knows neither files nor programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from briefbank.ingest.ocr.image import Grey, Upright, ink_of
from briefbank.values.records import Line

# Chosen on the scanned samples (23 November 2026): of 54 page numbers on them the layout finds 11, and this 37 more.
_HEAD_SHARE, _FOOT_SHARE = 0.12, 0.87
"""Shares of the page's height above and below which page numbers stand."""
_CLEAR_PT = 3.0
"""Space between the text and what stands alone, and between the rows of what does."""
_APART_PT = 10.0
"""Space between two things that stand side by side."""
_HEIGHT_PT, _WIDTH_PT = (4.5, 18.0), (1.0, 60.0)
"""Least and greatest height and width of a number with the strokes or the word around it."""
_MOST_TRIED = 2
"""At each end of a page; a page with more of them there is speckled or written on."""
_PAD_PT = 10.0
"""White paper around the picture of a number, without which Tesseract reads nothing."""


class Ink(NamedTuple):
    """A stretch of a page that may be a number, in pixels, and how many of its pixels are dark."""

    left: int
    top: int
    width: int
    height: int
    dark: int


def lone_ink(upright: Upright, lines: Sequence[Line]) -> tuple[list[Ink], list[Ink]]:
    """What stands alone above the highest and below the lowest of the lines that were read, the darkest first."""
    zoom, rows = upright.zoom, len(upright.pixels)
    first = min((line.box.y0 for line in lines), default=0.0) - _CLEAR_PT
    last = max((line.box.y1 for line in lines), default=rows / zoom) + _CLEAR_PT
    ink = ink_of(upright.pixels)
    head = _numbers(ink, 0, int(min(first * zoom, _HEAD_SHARE * rows)), zoom)
    foot = _numbers(ink, int(max(last * zoom, _FOOT_SHARE * rows)), rows, zoom)
    return head, foot


def picture_of(upright: Upright, ink: Ink) -> Grey:
    """The ink on white paper of its own, without the specks around it."""
    pad = int(_PAD_PT * upright.zoom)
    cut = upright.pixels[ink.top : ink.top + ink.height, ink.left : ink.left + ink.width]
    return np.pad(cut, pad, constant_values=255)


def _numbers(ink: npt.NDArray[np.bool_], top: int, end: int, zoom: float) -> list[Ink]:
    found = [
        each
        for each in _pieces(ink, top, end, zoom)
        if _HEIGHT_PT[0] <= each.height / zoom <= _HEIGHT_PT[1] and _WIDTH_PT[0] <= each.width / zoom <= _WIDTH_PT[1]
    ]
    return sorted(found, key=lambda each: (-each.dark, each.left))[:_MOST_TRIED]


def _pieces(ink: npt.NDArray[np.bool_], top: int, end: int, zoom: float) -> Iterator[Ink]:
    """Everything between two rows of the picture that is apart from the rest."""
    if top >= end:
        return
    for above, below in _runs(ink[top:end].sum(axis=1), _CLEAR_PT * zoom):
        band = ink[top + above : top + below]
        for left, right in _runs(band.sum(axis=0), _APART_PT * zoom):
            rows = np.flatnonzero(band[:, left:right].any(axis=1))
            first, last = int(rows[0]), int(rows[-1]) + 1
            dark = int(band[first:last, left:right].sum())
            yield Ink(left, top + above + first, right - left, last - first, dark)


def _runs(dark: npt.NDArray[np.int_], gap_px: float) -> Iterator[tuple[int, int]]:
    """The stretches with ink, joined over gaps that are no wider: first place, and the one behind the last."""
    places = np.flatnonzero(dark)
    if not len(places):
        return
    cuts = np.flatnonzero(np.diff(places) > gap_px)
    for first, last in zip((0, *(cuts + 1)), (*cuts, len(places) - 1), strict=True):
        yield int(places[first]), int(places[last]) + 1
