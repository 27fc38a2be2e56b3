"""Scans indexed with a server that plays olmOCR: what gets into the bank, and what becomes of the server's faults."""

from __future__ import annotations

import base64
import re
import shutil
import struct
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import office
import pytest
from pool_at_once import PoolAtOnce
from program import Briefbank
from scripted_server import Answer, Script, always, completion, front_matter, page_of, serving

from briefbank.bank.local import Bank
from briefbank.errors import CancelledError, SettingsError, TooSlowError
from briefbank.ingest.ocr.olmocr import reader
from briefbank.ingest.segment.breaks import PassageSize
from briefbank.platform.progress import CancelToken
from briefbank.values.records import Query, Span
from briefbank.values.state import IndexReport

pytestmark = pytest.mark.olmocr

MEMO = office.memo("Consent", office.CONSENT)
BETTER = MEMO.replace("hood of the patrol car", "**bonnet** of the patrol car")
"""As olmOCR might read it: with a word that nobody would take from Tesseract."""

REFUSED = Answer(b"{}", status=400)


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    """A folder with one scan of one page."""
    folder = tmp_path / "briefs"
    folder.mkdir()
    office.write_scan(folder / "memo.pdf", MEMO)
    return folder


def many_pages(path: Path, count: int) -> Path:
    """A scan of `count` pages, each a copy of the first."""
    import pymupdf

    office.write_scan(path, MEMO)
    with pymupdf.open(path) as document:
        for _ in range(count - 1):
            document.fullcopy_page(0)
        document.save(path.with_suffix(".more"))
    path.with_suffix(".more").replace(path)
    return path


def bank_of(tmp_path: Path, script: Script, **settings: object) -> Bank:
    return Bank.open(office.write_bank(tmp_path / "bank", ocr_server=script.url, **settings))


def notes(report: IndexReport) -> str:
    return " ".join(note for _, note in report.notes)


def text_of(bank: Bank) -> str:
    return " ".join(passage.text for each in bank.documents() for passage in bank.passages_of(each.id))


def test_the_servers_words_are_searched_and_stand_where_they_are_printed(scans: Path, tmp_path: Path) -> None:
    with serving(always(page_of(BETTER))) as script:
        bank = bank_of(tmp_path, script)
        report = bank.index(scans)
    assert (report.failures, report.notes, len(script.asked)) == ((), (), 1)
    hit = bank.search(Query("bonnet of the patrol car")).hits[0]
    assert "bonnet of the patrol car" in hit.passage.text
    assert hit.passage.ocr_confidence is not None
    assert hit.passage.ocr_confidence > 0.85
    words = bank.page_text(hit.document.id, 1).words
    (before, bonnet) = next(pair for pair in pairwise(words) if pair[1].text == "bonnet")
    assert (before.text, before.line) == ("the", bonnet.line)
    assert before.box.x1 < bonnet.box.x0
    at = hit.passage.text.index("bonnet")
    (marked,) = bank.marks(hit.passage.id, (Span(at, at + 6),)).matches[0]
    assert marked.box == pytest.approx(bonnet.box, abs=3)


def test_what_the_server_read_is_kept(scans: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(always(page_of(BETTER))) as script:
        bank_of(tmp_path, script).index(scans)
        again = Bank.open(office.write_bank(tmp_path / "again", ocr_server=script.url))
        shutil.copytree(tmp_path / "bank" / "cache", tmp_path / "again" / "cache", dirs_exist_ok=True)
        monkeypatch.setattr("briefbank.ingest.process.PASSAGE_SIZE", PassageSize(100, 30, 350))
        again.index(scans)
        assert "bonnet" in text_of(again)
        assert len(script.asked) == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (REFUSED, r"the server refused \(400\)"),
        (completion(front_matter() + BETTER, finish_reason="length"), "cut off"),
        (completion("I am sorry, I cannot read that."), "front matter"),
        (page_of("Lorem " * 4000), "loop"),
        (page_of(" ".join(f"word{number}" for number in range(60_000))), "more than is printed"),
    ],
)
def test_a_page_that_the_server_fails_on_is_read_by_tesseract_with_the_reason(
    scans: Path, tmp_path: Path, answer: Answer, reason: str
) -> None:
    with serving(always(answer)) as script:
        bank = bank_of(tmp_path, script)
        report = bank.index(scans)
    assert report.failures == ()
    assert re.search(f"Page 1: read by Tesseract alone, as .*{reason}", notes(report))
    assert "hood of the patrol car" in text_of(bank)


def test_pages_that_the_server_failed_on_are_asked_for_again_on_request(scans: Path, tmp_path: Path) -> None:
    with serving(always(REFUSED, page_of(BETTER))) as script:
        bank = bank_of(tmp_path, script)
        assert "Tesseract alone" in notes(bank.index(scans))
        assert "Tesseract alone" in notes(bank.index(scans))
        assert len(script.asked) == 1
        assert bank.index(scans, retry_failed=True).notes == ()
        assert "bonnet" in text_of(bank)


def test_engines_that_disagree_are_told_of(scans: Path, tmp_path: Path) -> None:
    with serving(always(page_of("Quite another page, on which nothing of the kind is said at all."))) as script:
        bank = bank_of(tmp_path, script)
        report = bank.index(scans)
    assert "Page 1: the OCR engines disagree" in notes(report)
    assert "hood of the patrol car" in text_of(bank)


def size_of(request: dict[str, Any]) -> tuple[int, int]:
    """Width and height of the picture that the server was sent."""
    png = base64.b64decode(request["messages"][0]["content"][1]["image_url"]["url"].partition(",")[2])
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_a_page_that_the_server_finds_turned_is_sent_again_turned(scans: Path, tmp_path: Path) -> None:
    turned = page_of("", is_rotation_valid=False, rotation_correction=90)
    with serving(always(turned, page_of(BETTER))) as script:
        bank = bank_of(tmp_path, script)
        assert bank.index(scans).notes == ()
        first, second = map(size_of, script.asked)
    assert max(first) == 1288
    assert first == second[::-1]
    assert "bonnet" in text_of(bank)


def test_a_page_that_is_never_upright_is_not_turned_for_ever(scans: Path, tmp_path: Path) -> None:
    turned = page_of(BETTER, is_rotation_valid=False, rotation_correction=90)
    with serving(always(turned)) as script:
        bank = bank_of(tmp_path, script)
        bank.index(scans)
        assert len(script.asked) == 4
    assert "bonnet" in text_of(bank)


def test_the_server_is_not_asked_about_a_blank_page(scans: Path, tmp_path: Path) -> None:
    import pymupdf

    memo = scans / "memo.pdf"
    with pymupdf.open(memo) as document:
        document.new_page(width=612, height=792).insert_image(
            pymupdf.Rect(0, 0, 612, 792), pixmap=pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 850, 1100), False)
        )
        document[1].draw_rect(document[1].rect, color=(1, 1, 1), fill=(1, 1, 1))
        document.save(memo.with_suffix(".two"))
    memo.with_suffix(".two").replace(memo)
    with serving(always(page_of(BETTER))) as script:
        bank = bank_of(tmp_path, script)
        assert bank.index(scans).notes == ()
        assert len(script.asked) == 1
    assert bank.documents()[0].page_count == 2


def test_several_pages_are_on_their_way_but_no_more_than_the_server_takes(
    scans: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "PAGES_AT_ONCE", 2)
    many_pages(scans / "memo.pdf", 5)
    with serving(lambda *_: Answer(page_of(BETTER).body, wait_s=2.0)) as script:
        report = bank_of(tmp_path, script).index(scans)
        assert (len(script.asked), script.most_at_once) == (5, 2)
    assert (report.pages, report.notes) == (5, ())


def test_a_server_that_has_gone_is_not_asked_about_every_page(
    scans: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "PAGES_AT_ONCE", 1)
    many_pages(scans / "memo.pdf", 6)
    with serving(always(REFUSED)) as script:
        report = bank_of(tmp_path, script).index(scans)
        assert len(script.asked) == 3
    assert "stopped answering" in notes(report)
    assert report.failures == ()


def test_cancelling_does_not_wait_for_the_server(scans: Path, tmp_path: Path) -> None:
    cancel = CancelToken()
    with serving(always(Answer(b"{}", wait_s=100))) as script:
        bank = bank_of(tmp_path, script)

        def stop_when_asked() -> None:
            while not script.asked:
                time.sleep(0.02)
            cancel.cancel()

        thread = threading.Thread(target=stop_when_asked)
        thread.start()
        with pytest.raises(CancelledError):
            bank.index(scans, cancel=cancel)
        ended = time.monotonic()
        thread.join()
        assert time.monotonic() - ended < 5


def test_scans_wait_for_a_server_that_is_away(scans: Path, tmp_path: Path, briefbank: Briefbank) -> None:
    with serving(always(page_of(BETTER))) as script:
        bank = bank_of(tmp_path, script)
        url = script.url
    office.write_text(scans / "note.txt", office.memo("Arrays", office.LINEUP))
    told = briefbank("index", scans, "--bank", tmp_path / "bank", "--quiet")
    assert told.code == 10
    assert "OCR server" in told.out
    assert "photographic array" in text_of(bank)
    with serving(always(page_of(BETTER))) as script:
        office.write_bank(tmp_path / "bank", ocr_server=script.url)
        assert script.url != url
        assert Bank.open(tmp_path / "bank").index(scans).failures == ()


def test_a_page_that_tesseract_gives_up_is_read_by_the_server_alone(
    scans: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(*_: object) -> None:
        raise TooSlowError("It took too long.", "Try again.")

    monkeypatch.setattr("briefbank.ingest.ocr.page.ocr_page", give_up)
    monkeypatch.setattr("briefbank.ingest.texts.GuardedPool", PoolAtOnce)
    monkeypatch.setattr(PoolAtOnce, "before", staticmethod(lambda step, path: None), raising=False)
    with serving(always(page_of(BETTER))) as script:
        bank = bank_of(tmp_path, script)
        report = bank.index(scans)
    assert "Page 1: only the OCR server could read it" in notes(report)
    assert "bonnet of the patrol car" in text_of(bank)


def test_a_wrong_address_stops_the_run(scans: Path, tmp_path: Path) -> None:
    bank = Bank.open(office.write_bank(tmp_path / "bank", ocr_server="the machine upstairs"))
    with pytest.raises(SettingsError, match="ocr_server"):
        bank.index(scans)


def test_what_is_not_installed_is_named(scans: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "find_spec", lambda _: None)
    with serving(always(page_of(BETTER))) as script:
        (failure,) = bank_of(tmp_path, script).index(scans).failures
    assert failure.code == "ocr-missing"
    assert "briefbank[olmocr]" in failure.advice
