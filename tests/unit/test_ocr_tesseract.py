"""OCR of single pages with the real program, on pages drawn for the test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import office
import pytest
from pool_at_once import PoolAtOnce
from systems import tesseract

from briefbank.bank.local import Bank
from briefbank.errors import OcrMissingError, TooSlowError
from briefbank.ingest.cache import Cache, ocr_key, stored_ocr_pages
from briefbank.ingest.ocr import tesseract as engine
from briefbank.ingest.ocr.page import ocr_page
from briefbank.platform.settings import Settings
from briefbank.values.records import Page, Query, TextSource
from briefbank.values.unreadable import PAGES_MISSING, UnreadableFile, UnreadableFiles

SETTINGS = Settings(ocr_dpi=200)
ROWS = (
    "POINT II",
    "The consent to search was not voluntary, because the officers",
    "had already drawn their weapons and surrounded the porch.",
    "A person so confronted does not feel free to refuse.",
    "The order denying the motion should therefore be reversed.",
)


def scan(
    path: Path,
    *,
    angle: float = 0.0,
    rows: tuple[str, ...] = ROWS,
    number: str = "",
    over: Callable[[Any], None] | None = None,
) -> Path:
    """A PDF with one page that is only a picture of `rows` and a page `number`, turned clockwise by `angle` degrees."""
    import pymupdf
    from PIL import Image

    with pymupdf.open() as document:
        page = document.new_page(width=612, height=330)
        for index, row in enumerate(rows):
            page.insert_text((90, 60 + 30 * index), row, fontsize=14, fontname="tiro")
        page.insert_text((300, 318), number, fontsize=12, fontname="tiro")
        pixmap = page.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
    picture = Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)
    picture = picture.rotate(-angle, resample=Image.Resampling.BICUBIC, fillcolor=255, expand=angle % 90 == 0)
    pixels = pymupdf.Pixmap(pymupdf.csGRAY, picture.width, picture.height, picture.tobytes(), False)
    with pymupdf.open() as document:
        page = document.new_page(width=picture.width * 0.36, height=picture.height * 0.36)
        page.insert_image(page.rect, pixmap=pixels)
        if over:
            over(page)
        document.save(path)
    return path


@pytest.fixture
def anew() -> Iterator[None]:
    """The engine is looked for once more, and after the test again."""
    forget = (engine._data_folder.cache_clear, engine._engine.cache_clear)
    for each in forget:
        each()
    yield
    for each in forget:
        each()


@tesseract
def test_a_missing_language_is_named_and_where_its_data_goes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, anew: None
) -> None:
    with pytest.raises(OcrMissingError) as caught:
        engine.probe("eng+xyz")
    assert "xyz" in caught.value.message
    assert "TESSDATA_PREFIX" in caught.value.advice
    for code in ("eng", "xyz"):
        (tmp_path / f"{code}.traineddata").write_bytes(b"data that an office brought")
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    assert engine.probe("eng+xyz") == engine.probe("eng")


@tesseract
def test_damaged_data_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, anew: None) -> None:
    monkeypatch.setitem(engine.DATA_SHA256, "eng", "0" * 64)
    with pytest.raises(OcrMissingError, match="damaged"):
        engine.probe("eng")
    with pytest.raises(OcrMissingError, match="damaged"):
        ocr_page(scan(tmp_path / "a.pdf"), 1, SETTINGS)


@tesseract
@pytest.mark.parametrize(("angle", "turn"), [(1.0, 0), (180.0, 180), (90.0, 270)])
def test_a_skewed_or_turned_scan_is_read_upright(tmp_path: Path, angle: float, turn: int) -> None:
    page = ocr_page(scan(tmp_path / "a.pdf", angle=angle), 1, SETTINGS)
    assert [line.text for line in page.lines] == list(ROWS)
    assert (page.rotation_deg, page.source) == (turn, TextSource.OCR)
    assert (page.width_pt, page.height_pt) == pytest.approx((612, 330), abs=1)
    assert page.ocr_confidence is not None
    assert page.ocr_confidence > 0.85
    word = page.lines[1].words[0]
    assert word.box.x0 == pytest.approx(90, abs=6)
    assert word.box.y0 - 6 < 85 < word.box.y1 + 6


@tesseract
@pytest.mark.parametrize("number", ["4", "12"])
def test_a_page_number_that_stands_alone_is_read(tmp_path: Path, number: str) -> None:
    page = ocr_page(scan(tmp_path / "a.pdf", number=number), 1, SETTINGS)
    assert [line.text for line in page.lines] == [*ROWS, number]
    (word,) = page.lines[-1].words
    assert (word.box.x0, word.box.y1) == (pytest.approx(301, abs=2), pytest.approx(318, abs=4))
    assert word.confidence > 0.6


@tesseract
def test_a_stamp_in_the_text_layer_stays_word_for_word(tmp_path: Path) -> None:
    def stamp(page: Any) -> None:
        page.insert_text((200, 20), "FILED, Clerk of the Court, May 05, 2021, A-001234-20", fontsize=8)

    page = ocr_page(scan(tmp_path / "a.pdf", over=stamp), 1, SETTINGS)
    texts = [line.text for line in page.lines]
    assert texts[0] == "FILED, Clerk of the Court, May 05, 2021, A-001234-20"
    assert texts[1:] == list(ROWS)


@tesseract
def test_nothing_is_invented_on_a_speckled_blank_page(tmp_path: Path) -> None:
    import numpy as np
    import pymupdf

    generator = np.random.default_rng(5)
    pixels = np.clip(generator.normal(235, 10, (1100, 850)), 0, 255).astype(np.uint8)
    for y, x in generator.integers(20, 830, (60, 2)):
        pixels[y : y + 2, x : x + 3] = 30
    pixels[:, :5] = 0
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.insert_image(page.rect, pixmap=pymupdf.Pixmap(pymupdf.csGRAY, 850, 1100, pixels.tobytes(), False))
        document.save(tmp_path / "a.pdf")
    read = ocr_page(tmp_path / "a.pdf", 1, SETTINGS)
    assert (read.lines, read.source, read.ocr_confidence) == ((), TextSource.NONE, None)


@tesseract
def test_ocr_stops_at_its_time_limit(tmp_path: Path) -> None:
    with pytest.raises(TooSlowError):
        ocr_page(scan(tmp_path / "a.pdf"), 1, Settings(ocr_dpi=200, ocr_page_timeout_s=0.01))


@tesseract
def test_a_document_is_shown_as_it_was_read_at_the_resolution_set_last(
    empty_bank: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.write_scan(folder / "scan.pdf", office.memo("Arrays", office.LINEUP), dpi=300)
    for name in ("lorne.txt", "quince.txt"):
        (folder / name).unlink()
    for version, dpi in enumerate((300, 200), start=10):
        monkeypatch.setattr("briefbank.ingest.process.PIPELINE_VERSION", version)  # has every file read again
        bank = Bank.open(office.write_bank(empty_bank, ocr_dpi=dpi))
        assert bank.index(folder).failures == ()
        (document,) = bank.documents()
        assert f":{dpi}:" in document.ocr_readings[0]
        file = empty_bank / "cache" / "cache.sqlite"
        with Cache(file) as cache:
            read = cache.get(ocr_key(document.sha256, 1, document.ocr_readings[0]), Page)
        assert stored_ocr_pages(file, document.sha256, document.ocr_readings) == {1: read}


@tesseract
def test_a_page_kept_under_the_number_of_another_is_read_again(
    empty_bank: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.write_scan(folder / "scan.pdf", office.memo("Arrays", office.LINEUP), dpi=200)
    bank = Bank.open(empty_bank)
    bank.index(folder)
    document = next(each for each in bank.documents() if each.ocr_readings)
    key = ocr_key(document.sha256, 1, document.ocr_readings[0])
    file = empty_bank / "cache" / "cache.sqlite"
    with Cache(file) as cache:
        read = cache.get(key, Page)
        assert read
        cache.put(key, replace(read, number=3))
    monkeypatch.setattr("briefbank.ingest.process.PIPELINE_VERSION", 10)  # has every file read again
    Bank.open(empty_bank).index(folder)
    with Cache(file) as cache:
        assert cache.get(key, Page) == read


@pytest.fixture
def half_read(empty_bank: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Bank, list[str]]:
    """A bank of a brief with a typed page and a scanned one, which OCR gave up on, and the files parsed from then on;
    OCR works again.
    """
    import pymupdf

    parsed: list[str] = []
    gives_up = True

    def before(step: str, path: Path) -> None:
        if step == "readfile":
            parsed.append(path.name)

    def read(*words: Any) -> Page:
        if gives_up:
            raise TooSlowError("It took too long.", "Try again.")
        return ocr_page(*words)

    monkeypatch.setattr("briefbank.ingest.ocr.page.ocr_page", read)
    monkeypatch.setattr("briefbank.ingest.texts.GuardedPool", PoolAtOnce)
    monkeypatch.setattr(PoolAtOnce, "before", staticmethod(before), raising=False)
    scanned = office.write_scan(folder / "scan.pdf", office.memo("Arrays", office.LINEUP), dpi=200)
    typed = office.write_pdf(folder / "typed.pdf", office.memo("The stop", office.STOP))
    with pymupdf.open(typed) as whole, pymupdf.open(scanned) as added:
        whole.insert_pdf(added)
        whole.save(folder / "half.pdf")
    for path in set(folder.iterdir()) - {folder / "half.pdf"}:
        path.unlink()
    bank = Bank.open(empty_bank)
    assert bank.index(folder).notes == ((str(folder / "half.pdf"), "OCR gave up on pages 2."),)
    lacks = UnreadableFile(str(folder / "half.pdf"), PAGES_MISSING, "2")
    assert bank.unreadable() == UnreadableFiles(1, (lacks,))
    gives_up = False
    parsed.clear()
    return bank, parsed


@tesseract
def test_a_page_that_ends_its_reader_costs_itself_alone(
    empty_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pymupdf

    office.write_scan(tmp_path / "one.pdf", office.memo("Arrays", office.LINEUP), dpi=200)
    (tmp_path / "briefs").mkdir()
    with pymupdf.open(tmp_path / "one.pdf") as whole:
        for _ in range(2):
            whole.fullcopy_page(0)
        whole.save(tmp_path / "briefs" / "three.pdf")
    read: list[int] = []

    def die_over_the_second(path: Path, number: int, settings: Settings) -> Page:
        read.append(number)
        if number == 2:
            raise OSError(5, "Input/output error")
        return ocr_page(path, number, settings)

    monkeypatch.setattr("briefbank.ingest.ocr.page.ocr_page", die_over_the_second)
    monkeypatch.setattr("briefbank.ingest.texts.GuardedPool", PoolAtOnce)
    monkeypatch.setattr(PoolAtOnce, "before", staticmethod(lambda step, path: None), raising=False)
    bank = Bank.open(empty_bank)
    report = bank.index(tmp_path / "briefs")
    assert [note for _, note in report.notes] == ["OCR gave up on pages 2."]
    assert read == [1, 2, 3, 2]  # the one that failed once more, alone
    assert [each.ocr_page_count for each in bank.documents()] == [2]


@tesseract
def test_pages_missing_from_a_file_are_noted_under_its_new_name_too(
    half_read: tuple[Bank, list[str]], folder: Path
) -> None:
    bank, parsed = half_read
    moved = (folder / "half.pdf").rename(folder / "moved.pdf")
    assert bank.index(folder).notes == ((str(moved), "OCR gave up on pages 2."),)
    os.utime(moved, ns=(1, 1))
    copy = Path(shutil.copy(moved, folder / "copy.pdf"))
    assert bank.index(folder).notes == tuple((str(path), "OCR gave up on pages 2.") for path in (copy, moved))
    assert parsed == []
    assert bank.index(folder, retry_failed=True).notes == ()
    assert bank.unreadable() == UnreadableFiles(2)
    assert "system variables" in " ".join(hit.passage.text for hit in bank.search(Query("system variables")).hits)
