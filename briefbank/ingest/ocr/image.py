"""A page as a grey picture made ready for OCR: upright text lines, and the way back to the page's own points."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from briefbank.values.records import Box

Grey = npt.NDArray[np.uint8]
"""Shape (height, width), 0 black to 255 white."""

_PROBE_WIDTH_PX = 900
"""Width to which a page is reduced to find its skew; text lines stay apart and the search stays quick."""

_MAX_SKEW_DEG = 7.0
_LEAST_SKEW_DEG = 0.1
_MARGIN = 0.01
"""Share of the page at each edge that does not count as ink: scanners leave black borders there."""

_LEAST_INK = 1e-5
"""Share of dark pixels below which a page is blank: about 80 pixels of a letter page at 300 dpi."""


@dataclass(frozen=True, slots=True)
class Upright:
    """A page picture turned by quarters and then by `skew_deg`; `zoom` is pixels per point."""

    pixels: Grey
    quarters: int
    skew_deg: float
    zoom: float

    @property
    def size_pt(self) -> tuple[float, float]:
        height, width = self.pixels.shape
        return width / self.zoom, height / self.zoom

    def to_points(self, left: float, top: float, width: float, height: float) -> Box:
        """The box in points of the page turned upright by quarters, for one found in `pixels`."""
        rows, columns = self.pixels.shape
        dx, dy = left + width / 2 - columns / 2, top + height / 2 - rows / 2
        angle = math.radians(self.skew_deg)
        x = columns / 2 + dx * math.cos(angle) - dy * math.sin(angle)
        y = rows / 2 + dx * math.sin(angle) + dy * math.cos(angle)
        half_x, half_y = width / 2, height / 2
        return Box(*(round(v / self.zoom, 2) for v in (x - half_x, y - half_y, x + half_x, y + half_y)))

    def straight_points(self, left: float, top: float, width: float, height: float) -> Box:
        """The same on the page as it would be were it not askew."""
        return Box(*(round(v / self.zoom, 2) for v in (left, top, left + width, top + height)))


def is_blank(pixels: Grey) -> bool:
    """Whether there is no ink on the page, its edges aside."""
    inner = pixels[_inside(pixels.shape, _MARGIN)]
    return inner.size == 0 or float(np.mean(inner < threshold_of(inner))) < _LEAST_INK


def ink_of(pixels: Grey) -> npt.NDArray[np.bool_]:
    """Which pixels are ink; none at the edges of the page."""
    dark = np.zeros(pixels.shape, dtype=np.bool_)
    inside = _inside(pixels.shape, _MARGIN)
    dark[inside] = pixels[inside] < threshold_of(pixels[inside])
    return dark


def _inside(shape: tuple[int, ...], margin: float) -> tuple[slice, ...]:
    margins = (max(1, int(margin * size)) for size in shape)
    return tuple(slice(each, -each) for each in margins)


def turned(pixels: Grey, quarters: int, zoom: float) -> Upright:
    """The page turned clockwise by `quarters`, then straightened so that its text lines are level."""
    upright = np.ascontiguousarray(np.rot90(pixels, -quarters))
    skew = find_skew(upright)
    if abs(skew) >= _LEAST_SKEW_DEG:
        from PIL import Image

        picture = Image.fromarray(upright).rotate(skew, resample=Image.Resampling.BICUBIC, fillcolor=255)
        upright = np.asarray(picture)
    else:
        skew = 0.0
    return Upright(upright, quarters % 4, skew, zoom)


def find_skew(pixels: Grey) -> float:
    """Degrees clockwise by which the text lines fall to the right, 0.0 where none can be told.

    The angle at which the ink, projected across the lines, has the sharpest profile (after Postl, 1986).
    """
    return _sharpest(_ink(pixels))[0]


def is_sideways(pixels: Grey) -> bool:
    """Whether the text lines run up or down the page rather than across."""
    x, y = _ink(pixels)
    return len(x) > 0 and _sharpest((y, x))[1] > 1.3 * _sharpest((x, y))[1]


def _ink(pixels: Grey) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Coordinates of the dark pixels of the page reduced, its edges left out."""
    step = max(1, pixels.shape[1] // _PROBE_WIDTH_PX)
    rows, columns = (size // step * step for size in pixels.shape)
    small = pixels[:rows, :columns].reshape(rows // step, step, columns // step, step).min(axis=(1, 3))
    inner = small[_inside(small.shape, 3 * _MARGIN)]
    y, x = np.nonzero(inner < threshold_of(inner)) if inner.size else (np.zeros(0), np.zeros(0))
    return x.astype(np.float64), y.astype(np.float64)


def threshold_of(pixels: Grey) -> float:
    """Grey level between paper and ink: well below the paper, which is what most of the page is."""
    return float(np.median(pixels[::4, ::4])) * 0.65 if pixels.size else 0.0


def _sharpest(ink: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]) -> tuple[float, float]:
    """The skew of the sharpest profile, and how sharp it is relative to an even one."""
    across, down = ink
    if len(down) < 200:
        return 0.0, 0.0

    def sharpness(degrees: float) -> float:
        rows = np.floor(down - across * math.tan(math.radians(degrees))).astype(np.int64)
        profile = np.bincount(rows - rows.min()).astype(np.float64)
        return float(np.sum(np.diff(profile) ** 2) / len(down))

    coarse = max(np.arange(-_MAX_SKEW_DEG, _MAX_SKEW_DEG + 0.01, 0.5), key=lambda a: (sharpness(a), -abs(a)))
    fine = max(np.arange(coarse - 0.5, coarse + 0.51, 0.05), key=lambda a: (sharpness(a), -abs(a)))
    return float(round(fine, 2)), sharpness(fine)
