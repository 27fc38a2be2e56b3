"""What `index` tells at the command line, and what it takes."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import office
import pytest
from program import Briefbank
from systems import byte_names, links

from briefbank.errors import ExitCode


def test_indexing_reports_to_people_and_to_programs(briefbank: Any, folder: Path, empty_bank: Path) -> None:
    first = briefbank("index", folder, "--bank", empty_bank, "--json")
    assert first.code == 0
    assert first.json["indexed"] == first.json["documents"] == 2
    assert first.json["published"] is True
    assert "looking" in first.err
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7")
    second = briefbank("index", folder, "--bank", empty_bank, "--quiet")
    assert second.code == ExitCode.SOME_FAILED
    assert "0 indexed, 2 unchanged, 0 removed, 1 failed" in second.out
    assert "cop" not in second.out
    shutil.copy(folder / "lorne.txt", folder / "lorne (2).txt")
    (folder / "briefbank.csv").write_text("file,author\ngone.pdf,Ines Calder\n", encoding="utf-8")
    third = briefbank("index", folder, "--bank", empty_bank, "--quiet")
    assert "1 file is a copy of another; identical files are one document." in third.out
    assert re.search(r"Note: .*gone\.pdf\n {4}\S", third.out)
    assert re.search(r"Failed: .*broken\.pdf\n {4}\S.*\n {4}\S", second.out)
    assert second.err == ""


def test_an_empty_folder_is_refused_and_nothing_is_published(briefbank: Any, empty_bank: Path, tmp_path: Path) -> None:
    (tmp_path / "share").mkdir()
    told = briefbank("index", tmp_path / "share", "--bank", empty_bank, "--quiet")
    assert (told.code, told.out) == (ExitCode.SOURCE_UNREADABLE, "")
    assert "holds no files to index" in told.err
    assert "share is connected" in told.err
    assert briefbank("documents", "--bank", empty_bank).code == ExitCode.BANK_MISSING
    meant = briefbank("index", tmp_path / "share", "--bank", empty_bank, "--quiet", "--remove-missing")
    assert meant.code == ExitCode.OK


@links
def test_a_folder_that_holds_only_what_cannot_be_looked_at_is_not_called_empty(
    briefbank: Any, empty_bank: Path, tmp_path: Path
) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "share" / "memo.pdf").symlink_to(tmp_path / "nowhere.pdf")
    told = briefbank("index", tmp_path / "share", "--bank", empty_bank, "--quiet")
    assert told.code == ExitCode.SOME_FAILED
    assert "leads to nothing" in told.out


def test_folder_and_bank_may_be_named_from_where_one_stands(
    briefbank: Any, folder: Path, empty_bank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    result = briefbank("index", folder.name, "--bank", empty_bank.name, "--json")
    assert (result.code, result.json["indexed"]) == (0, 2)
    monkeypatch.setenv("BRIEFBANK_BANK", empty_bank.name)
    assert briefbank("status", "--json").json["documents"] == 2


@byte_names
def test_names_that_are_no_text_or_would_move_a_terminal_are_shown_harmlessly(
    briefbank_process: Briefbank, folder: Path, empty_bank: Path
) -> None:
    (folder / os.fsdecode(b"bad\xff\xfename.txt")).write_text("A memo.", encoding="utf-8")
    (folder / "red\x1b[31m.xls").write_bytes(b"no sheet")
    told = briefbank_process("index", folder, "--bank", empty_bank, "--quiet")
    assert told.code == ExitCode.SOME_FAILED
    assert "bad\\udcff" in told.out
    assert "red\\x1b[31m.xls" in told.out
    assert "\x1b" not in told.out
    again = briefbank_process("index", folder, "--bank", empty_bank, "--quiet", "--json")
    assert any("red" in failure["path"] for failure in again.json["failures"])


def test_a_folder_that_is_none_leaves_no_bank_behind(briefbank: Any, tmp_path: Path) -> None:
    result = briefbank("index", tmp_path / "nowhere", "--bank", tmp_path / "bank")
    assert result.code == ExitCode.SOURCE_UNREADABLE
    assert list(tmp_path.iterdir()) == []


def test_a_bank_is_not_indexed_into_itself(briefbank: Any, own_bank: Path) -> None:
    for folder, told in ((own_bank, "is the bank itself"), (own_bank / "generations", "lies in the bank")):
        result = briefbank("index", folder, "--bank", own_bank, "--quiet")
        assert result.code == ExitCode.USAGE
        assert told in result.err


def test_a_missing_tesseract_is_named_and_everything_else_is_read(
    briefbank: Any, folder: Path, empty_bank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.write_scan(folder / "scan.pdf", office.memo("Arrays", office.LINEUP))
    monkeypatch.setitem(sys.modules, "tesserocr", None)
    result = briefbank("index", folder, "--bank", empty_bank, "--json")
    assert result.code == ExitCode.OCR_MISSING
    assert result.json["documents"] == 2
    (failure,) = result.json["failures"]
    assert failure["code"] == "ocr-missing"
    assert "tesseract" in (failure["error"] + failure["advice"]).lower()
