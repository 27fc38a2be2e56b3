"""OCR against the text layer of real briefs: pages rendered as a poor scan must come back nearly word for word."""

from __future__ import annotations

import io
import random
import statistics
from pathlib import Path

import numpy as np
import pytest

from briefbank.ingest.ocr.page import ocr_page
from briefbank.ingest.readers import read_file
from briefbank.platform.settings import Settings
from briefbank.values.records import Page

BRIEFS = Path(__file__).parents[2].parent / "shared" / "corpora" / "briefs"
_ALIKE = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\xad": "-", "…": "..."})


def words_of(page: Page) -> list[str]:
    """Words as both sides of the comparison write them: quotation marks and dashes in one form."""
    return [word.text.translate(_ALIKE) for line in page.lines for word in line.words]


def word_error_rate(truth: list[str], read: list[str]) -> float:
    """Word-level Levenshtein distance divided by the number of true words."""
    row = list(range(len(read) + 1))
    for i, true_word in enumerate(truth, 1):
        diagonal, row[0] = row[0], i
        for j, read_word in enumerate(read, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (true_word != read_word))
    return row[-1] / len(truth)


def scan_of(source: Path, number: int, target: Path, *, dpi: int = 200, skew_deg: float = 1.0, seed: int = 0) -> None:
    """Write one page of `source` as a scan: a skewed, blurred, noisy JPEG that fills the page of a new PDF."""
    import pymupdf
    from PIL import Image, ImageFilter

    with pymupdf.open(source) as document:
        pixmap = document[number - 1].get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
        picture = Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)
    picture = picture.rotate(skew_deg, resample=Image.Resampling.BICUBIC, fillcolor=255)
    grey = np.asarray(picture.filter(ImageFilter.GaussianBlur(0.6)), dtype=np.float64) * 0.9 + 15
    noisy = grey + np.random.default_rng(seed).normal(0, 12, grey.shape)
    buffer = io.BytesIO()
    Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)).save(buffer, "JPEG", quality=75)
    with pymupdf.open() as document:
        page = document.new_page(width=pixmap.width * 72 / dpi, height=pixmap.height * 72 / dpi)
        page.insert_image(page.rect, stream=buffer.getvalue())
        document.save(target)


def pages_with_text(count: int, seed: int) -> list[tuple[Path, Page]]:
    """Pages of running text out of different briefs, the same ones for the same seed."""
    chosen: list[tuple[Path, Page]] = []
    generator = random.Random(seed)
    files = sorted(BRIEFS.glob("*.pdf"))
    for path in generator.sample(files, len(files)):
        pages = [p for p in read_file(path, Settings()).pages if len(words_of(p)) >= 150 and not p.rotation_deg]
        if pages:
            chosen.append((path, generator.choice(pages)))
        if len(chosen) == count:
            break
    return chosen


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.skipif(not BRIEFS.is_dir(), reason="the real briefs are not beside the checkout")
def test_a_skewed_noisy_scan_at_200_dpi_is_read_with_at_most_three_wrong_words_in_a_hundred(tmp_path: Path) -> None:
    rates = []
    for index, (path, truth) in enumerate(pages_with_text(8, seed=1)):
        scan = tmp_path / f"{index}.pdf"
        scan_of(path, truth.number, scan, seed=index)
        rates.append(word_error_rate(words_of(truth), words_of(ocr_page(scan, 1, Settings()))))
    assert statistics.median(rates) <= 0.03
