"""How thick the strokes of printed letters are, which tells bold type; knows pixels, not words."""

from __future__ import annotations

import numpy as np

from briefbank.ingest.ocr.image import Upright, threshold_of
from briefbank.records import Box

_LEAST_RUNS = 20


class Strokes:
    """Measures stroke widths on one page, so that its threshold is found only once."""

    def __init__(self, upright: Upright) -> None:
        self._ink = upright.pixels < threshold_of(upright.pixels)
        self._zoom = upright.zoom

    def width_pt(self, box: Box) -> float:
        """The usual width of the strokes in a box of the straightened page, in points; 0.0 where there are too few.

        Dark runs along pixel rows are as long as a stem is wide wherever they cross one; the middle half of them leaves
        out hairlines and the bars of letters.
        """
        left, top, right, bottom = (max(0, round(self._zoom * edge)) for edge in box)
        ink = np.pad(self._ink[top:bottom, left:right].astype(np.int8), ((0, 0), (1, 1)))
        turns = np.diff(ink, axis=1)
        starts, ends = np.nonzero(turns == 1)[1], np.nonzero(turns == -1)[1]
        if len(starts) < _LEAST_RUNS:
            return 0.0
        runs = np.sort(ends - starts)
        quarter = len(runs) // 4
        return float(np.mean(runs[quarter : len(runs) - quarter])) / self._zoom
