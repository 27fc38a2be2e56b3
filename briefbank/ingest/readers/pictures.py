"""Which pictures are pictures of text, as a pasted page of a report: the one rule for all files, by how a picture looks
at 72 pixels an inch. Reading them is left to OCR.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Grey = npt.NDArray[np.uint8]
"""Shape (height, width), 0 black to 255 white, a pixel a point."""

_LEAST_WIDTH_PT, _LEAST_HEIGHT_PT = 150, 20
_LEAST_PT2 = 2 * 72 * 72
"""Width, height and area below which nothing is looked at: seals, logos and signatures are mostly smaller."""

# Chosen on the 70 pictures on pages with typed text in 107 filed briefs (28 November 2026): all 12 with text are
# found, and of 58 others 12: maps, handwriting, a sketch, a signature, two photographs.
_LIGHT, _MUCH_PAPER, _MUCH_NIGHT = 190, 0.60, 0.75
"""Grey of paper, and share of a picture that must be as its paper is; more of it where that is dark, as on a screen:
photographs by night have 0.7."""
_PAPER_STEP, _INK_STEP = 24, 60
"""Difference from the paper up to which a pixel is paper, and from which it is ink."""
_INK = 0.03, 0.40
"""Least and greatest share of ink."""
_STRIP_PX = 60
"""Width of the strips in which lines are counted, so that a picture may be somewhat askew."""
_ROW_INK = 0.08
"""Share of ink of a strip's row from which it is of a line."""
_LINE_PX = 3, 16
"""Height of the lines of type."""
_LEAST_LINES, _STRIP_SHARE = 2, 0.25
"""Lines that a strip must have, and share of the strips that must have them."""


def is_large_enough(width_pt: float, height_pt: float) -> bool:
    """Whether a picture may hold a text, by the size in which it is shown."""
    return width_pt >= _LEAST_WIDTH_PT and height_pt >= _LEAST_HEIGHT_PT and width_pt * height_pt >= _LEAST_PT2


def is_of_text(picture: Grey) -> bool:
    """Whether a picture shows lines of type on paper, upright or sideways."""
    if not picture.size:
        return False
    shades = np.bincount((picture >> 4).ravel(), minlength=16)
    paper = int(np.median(picture[picture >> 4 == int(shades.argmax())]))
    away = np.abs(picture.astype(np.int16) - paper)
    is_paper = float((away <= _PAPER_STEP).mean()) >= (_MUCH_PAPER if paper >= _LIGHT else _MUCH_NIGHT)
    ink = away > _INK_STEP
    return is_paper and _INK[0] <= float(ink.mean()) <= _INK[1] and (_has_lines(ink) or _has_lines(ink.T))


def _has_lines(ink: npt.NDArray[np.bool_]) -> bool:
    strips = [ink[:, left : left + _STRIP_PX] for left in range(0, max(1, ink.shape[1] - _STRIP_PX // 2), _STRIP_PX)]
    counts = [_line_count(strip.mean(axis=1) > _ROW_INK) for strip in strips]
    return sum(count >= _LEAST_LINES for count in counts) >= _STRIP_SHARE * len(counts)


def _line_count(is_inked: npt.NDArray[np.bool_]) -> int:
    turns = np.diff(np.concatenate(([0], is_inked.astype(np.int8), [0])))
    heights = np.flatnonzero(turns == -1) - np.flatnonzero(turns == 1)
    return int(((heights >= _LINE_PX[0]) & (heights <= _LINE_PX[1])).sum())
