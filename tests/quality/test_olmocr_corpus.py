"""olmOCR's words on the pages of real briefs: rendered as poor scans, with the true text in the server's place, every
word must stand where it is printed.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from test_ocr_corpus import BRIEFS, pages_with_text, scan_of

from briefbank.ingest.ocr.olmocr.merge import Ink, disagrees, merge
from briefbank.ingest.ocr.page import ocr_page
from briefbank.platform.settings import Settings
from briefbank.values.records import Box, Line, Page, Word

PAGES = 16
SKEW_DEG = 1.0
SLACK_PT = 3.0
_ASCII = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})


def answer_for(page: Page, generator: random.Random) -> tuple[str, list[tuple[str, Box]]]:
    """The page as olmOCR might print it, with its small mistakes, and where each word is printed.

    Lines are joined into paragraphs, broken words are whole again; one word in two hundred is left out, one in a
    hundred is misread.
    """
    pieces: list[str] = []
    printed: list[tuple[str, Box]] = []
    broken: tuple[str, Box] | None = None
    for word, starts_paragraph in _words(page):
        text, box = word.text.translate(_ASCII), word.box
        if broken:
            text, box, broken = broken[0] + text, broken[1], None
        elif starts_paragraph:
            pieces.append("\n\n")
        if text.endswith("-") and text[:-1].isalpha():
            broken = text[:-1], box
            continue
        chance = generator.random()
        if chance < 0.005:
            continue
        if chance < 0.015:
            at = generator.randrange(len(text))
            text = text[:at] + generator.choice("aeinost") + text[at + 1 :]
        pieces += [f"*{text}*" if word.is_italic and text.isalpha() else text, " "]
        printed.append((text, box))
    return "".join(pieces), printed


def _words(page: Page) -> Iterator[tuple[Word, bool]]:
    """The words, and whether a paragraph begins with one; dots that lead to a page number are no words."""
    right = max(line.box.x1 for line in page.lines)
    begins = [True, *(_ends_paragraph(line, below, right) for line, below in pairwise(page.lines))]
    for line, is_first in zip(page.lines, begins, strict=True):
        words = [word for word in line.words if word.text.strip(".…·")]
        yield from ((word, is_first and word is words[0]) for word in words)


def _ends_paragraph(line: Line, below: Line, right: float) -> bool:
    return line.box.x1 < right - 60 or below.box.y0 - line.box.y1 > line.size_pt or line.is_bold != below.is_bold


def on_the_scan(box: Box, page: Page) -> tuple[float, float]:
    """Where the middle of a box is on the skewed scan of its page."""
    angle = math.radians(SKEW_DEG)
    across, down = page.width_pt / 2, page.height_pt / 2
    x, y = (box.x0 + box.x1) / 2 - across, (box.y0 + box.y1) / 2 - down
    return across + x * math.cos(angle) + y * math.sin(angle), down - x * math.sin(angle) + y * math.cos(angle)


def stands_right(text: str, box: Box, truth: Page, merged: Page) -> bool:
    """Whether the word, or the part of it before a break, stands where it is printed."""
    x, y = on_the_scan(box, truth)
    half_x, half_y = (box.x1 - box.x0) / 2 + SLACK_PT, (box.y1 - box.y0) / 2 + SLACK_PT
    return any(
        abs((word.box.x0 + word.box.x1) / 2 - x) <= half_x and abs((word.box.y0 + word.box.y1) / 2 - y) <= half_y
        for line in merged.lines
        for word in line.words
        if word.text == text or text.startswith(word.text.rstrip("-") or text)
    )


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not BRIEFS.is_dir(), reason="the real briefs are not beside the checkout")
def test_98_words_in_100_stand_where_they_are_printed(tmp_path: Path) -> None:
    right = total = 0
    for index, (path, truth) in enumerate(pages_with_text(PAGES, seed=3)):
        scan = tmp_path / f"{index}.pdf"
        scan_of(path, truth.number, scan, skew_deg=SKEW_DEG, seed=index)
        own = ocr_page(scan, 1, Settings(ocr_page_timeout_s=600))
        markdown, printed = answer_for(truth, random.Random(index))
        merged, reason = merge(own, markdown, Ink(0.1))
        assert (reason, disagrees(merged)) == ("", False)
        total += len(printed)
        right += sum(stands_right(text, box, truth, merged) for text, box in printed)
    assert right >= 0.98 * total, f"{right} of {total}"
