"""Type out of Tesseract's words: sizes, baselines, bold and raised type, and which unsure words stay."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from briefbank.ingest.ocr.image import Upright
from briefbank.ingest.ocr.tesseract import ReadWord
from briefbank.ingest.ocr.type import fragments_of
from briefbank.ingest.readers.lines import Fragment

ROWS, COLUMNS = 1000, 800
HIGH, LOW, DEEP = 0.68, 0.46, 0.22
SMALL_LETTERS = "acemnorsuvwxz"

Placed = tuple[str, int, int, int, int, int]
"""Text, confidence in per cent, left, top, width, height in pixels."""


def printed(text: str, baseline: int, size: float = 12.0, *, left: int = 100, sure: int = 95) -> list[Placed]:
    """Words as Tesseract boxes them: each just as high and deep as the ink of its letters."""
    placed: list[Placed] = []
    for word in text.split():
        rise = LOW if set(word) <= set(SMALL_LETTERS + "gpqy") else HIGH
        depth = DEEP if set(word) & set("gpqy") else 0.0
        width = round(0.5 * size * len(word))
        placed.append((word, sure, left, baseline - round(rise * size), width, round((rise + depth) * size)))
        left += width + round(0.3 * size)
    return placed


def read(*lines: Sequence[Placed], pixels: np.ndarray | None = None, skew_deg: float = 0.0) -> list[Fragment]:
    words = [[ReadWord(text, sure / 100, *place) for text, sure, *place in line] for line in lines]
    white = np.full((ROWS, COLUMNS), 255, dtype=np.uint8)
    return fragments_of(words, Upright(white if pixels is None else pixels, 0, skew_deg, 1.0))


def texts(fragments: Sequence[Fragment]) -> list[str]:
    return [" ".join(word.text for word in fragment.words) for fragment in fragments]


def test_a_page_without_words_yields_nothing() -> None:
    assert read() == []


def test_lines_of_one_type_have_one_size_and_are_evenly_spaced_whatever_letters_they_hold() -> None:
    lines = read(
        printed("DEFENDANT WAS HELD", 100, 40), printed("once more", 200, 40), printed("paying by phone", 300, 40)
    )
    assert [fragment.size_pt for fragment in lines] == [pytest.approx(40, abs=1.5)] * 3
    assert len({fragment.size_pt for fragment in lines}) == 1
    assert [fragment.baseline for fragment in lines] == pytest.approx([100, 200, 300], abs=1)
    assert [fragment.box.y1 for fragment in lines] == pytest.approx([109, 209, 309], abs=1.5)


def test_a_footnote_is_of_smaller_type_than_the_body() -> None:
    body = [printed("The stop had no lawful basis at all", 100 + 60 * row, 36) for row in range(6)]
    *above, note = read(*body, printed("The hearing was held in the spring", 600, 30))
    assert all(fragment.size_pt == above[0].size_pt for fragment in above)
    assert note.size_pt == pytest.approx(above[0].size_pt * 30 / 36, rel=0.05)


def test_lines_of_a_skewed_page_are_level_and_their_words_are_not() -> None:
    line = printed("The stop had no lawful basis at all", 100, 36)
    (fragment,) = read(line, skew_deg=2.0)
    (straight,) = read(line)
    assert fragment.box == straight.box
    assert fragment.words[0].box.y0 != pytest.approx(fragment.words[-1].box.y0, abs=5)


def test_a_raised_number_is_a_note_mark() -> None:
    line = printed("The stop had no lawful basis", 200, 40)
    left = line[-1][2] + line[-1][4] + 2
    (fragment,) = read([*line, ("3", 90, left, 172, 10, 17)], printed("in 1999", 300, 40))[:1]
    assert [word.text for word in fragment.words if word.is_superscript] == ["3"]


def test_an_unsure_word_stays_where_its_neighbours_are_sure() -> None:
    prose = [
        *printed("The jurors left", 100),
        *printed("carly", 100, left=300, sure=10),
        *printed("that day", 100, left=400),
    ]
    assert texts(read(prose)) == ["The jurors left carly that day"]


def test_the_dots_of_a_table_are_no_words() -> None:
    entry = (
        printed("CONCLUSION", 100, sure=20)
        + printed("cee te ceses eet", 100, left=300, sure=5)
        + printed("11", 100, left=700)
    )
    assert texts(read(entry)) == ["CONCLUSION 11"]


def test_thick_strokes_are_bold() -> None:
    pixels = np.full((ROWS, COLUMNS), 255, dtype=np.uint8)
    lines = [printed("The stop had no lawful basis at all", 100 + 60 * row, 36) for row in range(5)]
    for row in range(5):
        for x in range(100, 700, 12):
            pixels[80 + 60 * row : 100 + 60 * row, x : x + (5 if row == 2 else 3)] = 0
    assert [fragment.bold > 0 for fragment in read(*lines, pixels=pixels)] == [False, False, True, False, False]
