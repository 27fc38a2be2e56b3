"""Files that fail, and a cache that is damaged: what is told, what is read again, what stays."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Any

import numpy as np
import office
import pytest
from index_runs import counts, sources

from briefbank.bank.local import Bank
from briefbank.errors import (
    SourceError,
)
from briefbank.index.generation import Generation
from briefbank.index.publish import live_generation
from briefbank.platform.layout import Layout
from briefbank.values.records import Query


def test_a_failed_file_is_told_of_but_not_read_again_until_asked(bank: Bank, folder: Path, steps: list[Any]) -> None:
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    for expected_steps in (2, 0):
        report = bank.index(folder)
        (failure,) = report.failures
        assert failure.path.endswith("broken.pdf")
        assert failure.error
        assert failure.advice
        assert len(steps) == expected_steps
        steps.clear()
    bank.index(folder, retry_failed=True)
    assert steps == [("digest", "broken.pdf"), ("readfile", "broken.pdf")]


def test_a_file_that_was_mended_is_read(bank: Bank, folder: Path) -> None:
    (folder / "memo.txt").write_bytes(b"")
    assert len(bank.index(folder).failures) == 1
    office.write_text(folder / "memo.txt", office.memo("Arrays", office.LINEUP))
    report = bank.index(folder)
    assert (report.indexed, report.failures) == (1, ())


def test_a_brief_replaced_by_a_broken_file_is_dropped_and_named(bank: Bank, folder: Path) -> None:
    (folder / "lorne.txt").write_bytes(b"")
    report = bank.index(folder)
    assert [Path(each.path).name for each in report.failures] == ["lorne.txt"]
    assert sources(bank) == ["quince.txt"]


def test_a_brief_replaced_by_a_scan_keeps_its_text_while_the_ocr_engine_is_missing(
    bank: Bank, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.write_pdf(folder / "memo.pdf", office.memo("Arrays", office.LINEUP))
    bank.index(folder)
    office.write_scan(folder / "memo.pdf", office.memo("Arrays", office.STOP))
    monkeypatch.setitem(sys.modules, "tesserocr", None)
    for _ in range(2):
        report = bank.index(folder)
        assert [(each.path, each.code) for each in report.failures] == [(str(folder / "memo.pdf"), "ocr-missing")]
        assert "keeps the text" in report.failures[0].error
        assert sources(bank) == ["lorne.txt", "memo.pdf", "quince.txt"]


def test_an_emptied_folder_is_refused_and_the_bank_keeps_searching(bank: Bank, folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    with pytest.raises(SourceError):
        bank.index(folder)
    assert len(bank.documents()) == 2
    assert bank.index(folder, remove_missing=True).removed == 2
    assert bank.documents() == ()
    assert bank.search(Query("consent")).hits == ()


def test_files_that_failed_in_another_folder_are_no_failures_of_this_run(
    bank: Bank, tmp_path: Path, folder: Path, steps: list[Any]
) -> None:
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 cut off")
    assert len(bank.index(folder).failures) == 1
    other = tmp_path / "more"
    shutil.copytree(folder, other)
    (other / "broken.pdf").unlink()
    assert not bank.index(other).failures
    assert len(bank.status().failures) == 1


def test_a_damaged_cache_is_deleted_and_all_is_read_again(bank: Bank, empty_bank: Path, folder: Path) -> None:
    before = sources(bank)
    (empty_bank / "cache" / "cache.sqlite").write_bytes(b"no database " * 1000)
    report = bank.index(folder)
    assert counts(report) == (2, 0, 0, 0)
    assert sources(bank) == before


def flip_in_cache(bank: Path, table: str, value: str, where: str = "true", *, place: int = 20) -> None:
    """Flip one bit in a value of every such row, as a disk does."""
    database = sqlite3.connect(bank / "cache" / "cache.sqlite")
    rows = database.execute(f"SELECT key, {value} FROM {table} WHERE {where}").fetchall()
    assert rows
    for key, blob in rows:
        spoilt = bytearray(blob)
        spoilt[place] ^= 1
        database.execute(f"UPDATE {table} SET {value} = ? WHERE key = ?", (bytes(spoilt), key))
    database.commit()
    database.close()


def test_a_document_that_the_cache_cannot_give_back_is_read_again_in_the_same_run(
    bank: Bank, empty_bank: Path, folder: Path, steps: list[Any]
) -> None:
    sha256 = next(each.sha256 for each in bank.documents() if each.source_path.endswith("quince.txt"))
    flip_in_cache(empty_bank, "item", "value", f"key LIKE 'document:{sha256}%'")
    office.write_text(folder / "memo.txt", office.memo("Arrays", office.LINEUP))
    office.write_text(folder / "briefbank.csv", "file,title\nquince.txt,The Quince matter\n")
    report = bank.index(folder)
    assert counts(report) == (2, 1, 0, 0)
    assert [name for step, name in steps if step == "readfile"] == ["memo.txt", "quince.txt"]
    assert {each.metadata.title.value for each in bank.documents()} > {"The Quince matter"}
    assert sources(bank) == ["lorne.txt", "memo.txt", "quince.txt"]
    assert bank.check() == []


def test_a_cache_that_is_damaged_in_its_middle_costs_no_run(
    bank: Bank, empty_bank: Path, folder: Path, steps: list[Any]
) -> None:
    cache = empty_bank / "cache" / "cache.sqlite"
    with cache.open("r+b") as file:
        for start in range(4096, cache.stat().st_size, 4096):
            file.seek(start)
            file.write(b"\xff" * 200)
    office.write_text(folder / "memo.txt", office.memo("Arrays", office.LINEUP))
    assert counts(bank.index(folder)) == (3, 0, 0, 0)
    assert sources(bank) == ["lorne.txt", "memo.txt", "quince.txt"]
    assert bank.check() == []


def test_a_document_lost_from_the_cache_whose_folder_is_away_stops_the_run_and_the_bank_keeps_searching(
    bank: Bank, empty_bank: Path, folder: Path, tmp_path: Path
) -> None:
    office.write_text(tmp_path / "others" / "memo.txt", office.memo("Arrays", office.LINEUP))
    flip_in_cache(empty_bank, "item", "value", "key LIKE 'document:%'")
    folder.rename(tmp_path / "away")
    with pytest.raises(SourceError, match="must be read again but is not there"):
        bank.index(tmp_path / "others")
    assert bank.search(Query("consent")).hits
    (tmp_path / "away").rename(folder)
    assert bank.index(tmp_path / "others").documents == 3


def test_a_flipped_bit_in_a_kept_vector_does_not_come_into_the_index(
    bank: Bank, empty_bank: Path, folder: Path
) -> None:
    def vectors() -> dict[str, list[float]]:
        dense = Generation.open(live_generation(Layout(empty_bank))).dense
        rows = np.arange(len(dense))
        return dict(zip(dense.texts(rows), dense.vectors(rows).tolist(), strict=True))

    before = vectors()
    flip_in_cache(empty_bank, "embedding", "vector", place=30)
    office.write_text(folder / "memo.txt", office.memo("Arrays", office.LINEUP))
    assert bank.index(folder).published
    after = vectors()
    assert len(after) > len(before)
    assert {text: after[text] for text in before} == before


def test_what_a_killed_run_left_of_an_encoder_is_cleared_by_the_next_even_if_nothing_changed(
    bank: Bank, empty_bank: Path, folder: Path
) -> None:
    left = [empty_bank / "encoders" / name for name in (".0a1b.77.new", ".0a1b.77.new.removing", "0a1b.removing")]
    kept = empty_bank / "encoders" / "0a1b"
    for each in (*left, kept):
        each.mkdir()
        (each / "model.onnx").write_bytes(b"half a model")
    assert len(bank.check()) == 4
    assert not bank.index(folder).published
    assert [each.name for each in (empty_bank / "encoders").iterdir()] == [kept.name]
