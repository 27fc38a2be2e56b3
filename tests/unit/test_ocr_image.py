"""Making a page picture ready for OCR: skew, turns, blank pages, and the way back to points."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from briefbank.ingest.ocr.image import Grey, find_skew, is_blank, is_sideways, turned

SIZE = (1100, 850)


def striped(skew_deg: float = 0.0) -> Grey:
    """A page of broken dark bars where text lines would be, falling to the right by `skew_deg`."""
    generator = np.random.default_rng(3)
    pixels = np.full(SIZE, 240, dtype=np.uint8)
    for top in range(120, 980, 24):
        for left in range(100, 740, 18):
            if generator.random() < 0.8:
                pixels[top : top + 9, left : left + 13] = 20
    return np.asarray(Image.fromarray(pixels).rotate(-skew_deg, resample=Image.Resampling.BICUBIC, fillcolor=240))


@pytest.mark.parametrize("skew", [-4.3, -1.0, 0.0, 0.4, 2.5])
def test_the_skew_of_text_lines_is_found_to_a_tenth_of_a_degree(skew: float) -> None:
    assert find_skew(striped(skew)) == pytest.approx(skew, abs=0.1)
    assert find_skew(turned(striped(skew), 0, 1.0).pixels) == pytest.approx(0, abs=0.1)


def test_a_page_turned_by_a_quarter_is_seen_to_be_sideways() -> None:
    assert not is_sideways(striped())
    assert is_sideways(np.ascontiguousarray(np.rot90(striped())))


def test_a_box_found_on_the_straightened_page_lies_where_the_ink_was() -> None:
    pixels = np.full(SIZE, 255, dtype=np.uint8)
    pixels[200:210, 600:640] = 0
    skewed = striped(3.0).copy()
    skewed[:300, 500:] = 240
    skewed = np.minimum(skewed, pixels)
    upright = turned(skewed, 0, 2.0)
    dark = np.argwhere(upright.pixels[:250, 540:700] < 100) + np.array([0, 540])
    top, left = dark.min(axis=0)
    bottom, right = dark.max(axis=0)
    box = upright.to_points(float(left), float(top), float(right - left), float(bottom - top))
    assert ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2) == pytest.approx((310.0, 102.5), abs=1.0)


def test_paper_of_any_shade_with_a_dark_border_is_blank_and_a_single_word_is_ink() -> None:
    generator = np.random.default_rng(1)
    for pixels in (np.full(SIZE, 255, np.uint8), generator.normal(225, 8, SIZE).clip(0, 255).astype(np.uint8)):
        pixels[:, :6] = pixels[:8] = 0
        assert is_blank(pixels)
        assert find_skew(pixels) == 0.0
        pixels[500:512, 400:440] = 10
        assert not is_blank(pixels)
