from __future__ import annotations

import os
from pathlib import Path

import pytest

from briefbank.errors import SourceError
from briefbank.ingest.discover import SourceFile, discover

SUFFIXES = frozenset({".pdf", ".docx", ".txt", ".md"})


def fill(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * len(name))


def found(folder: Path) -> dict[str, bool]:
    files = [each for each in discover(folder, SUFFIXES) if isinstance(each, SourceFile)]
    return {each.path.relative_to(folder).as_posix(): each.supported for each in files}


def test_files_are_found_at_any_depth_in_a_stable_order(tmp_path: Path) -> None:
    fill(tmp_path, "b.pdf", "a.TXT", "2019/State v. Quince/brief.docx", "2018/memo.md")
    assert list(found(tmp_path)) == ["a.TXT", "b.pdf", "2018/memo.md", "2019/State v. Quince/brief.docx"]


def test_a_format_that_no_reader_takes_is_named_not_hidden(tmp_path: Path) -> None:
    fill(tmp_path, "old.wpd", "README", "new.pdf")
    assert found(tmp_path) == {"README": False, "new.pdf": True, "old.wpd": False}


def test_what_programs_leave_beside_briefs_is_passed_over(tmp_path: Path) -> None:
    fill(tmp_path, "~$brief.docx", ".~lock.brief.odt#", "._brief.pdf", ".DS_Store", "Thumbs.db", "desktop.ini",
         "brief.pdf.part", "briefbank.csv", ".hidden/brief.pdf", "brief.pdf")  # fmt: skip
    assert list(found(tmp_path)) == ["brief.pdf"]


def test_size_and_time_are_those_of_the_file(tmp_path: Path) -> None:
    fill(tmp_path, "brief.pdf")
    (file,) = discover(tmp_path, SUFFIXES)
    assert isinstance(file, SourceFile)
    stat = (tmp_path / "brief.pdf").stat()
    assert (file.size_bytes, file.mtime_ns) == (stat.st_size, stat.st_mtime_ns)


def test_a_folder_that_links_to_itself_is_walked_once(tmp_path: Path) -> None:
    fill(tmp_path, "brief.pdf")
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    assert list(found(tmp_path)) == ["brief.pdf"]


def test_a_file_that_cannot_be_looked_at_is_an_error_of_its_own(tmp_path: Path) -> None:
    fill(tmp_path, "brief.pdf")
    (tmp_path / "gone.pdf").symlink_to(tmp_path / "nowhere.pdf")
    kinds = [type(each) for each in discover(tmp_path, SUFFIXES)]
    assert kinds == [SourceFile, SourceError]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_subfolder_that_cannot_be_read_is_an_error_of_its_own(tmp_path: Path) -> None:
    fill(tmp_path, "brief.pdf", "closed/secret.pdf")
    (tmp_path / "closed").chmod(0)
    try:
        kinds = [type(each) for each in discover(tmp_path, SUFFIXES)]
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert kinds == [SourceFile, SourceError]


@pytest.mark.parametrize("name", ["nowhere", "brief.pdf"])
def test_what_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    fill(tmp_path, "brief.pdf")
    with pytest.raises(SourceError, match=name):
        list(discover(tmp_path / name, SUFFIXES))


def test_a_bank_inside_the_folder_is_no_source(tmp_path: Path) -> None:
    (tmp_path / "brief.txt").write_text("text", encoding="utf-8")
    bank = tmp_path / "bank"
    (bank / "generations").mkdir(parents=True)
    (bank / "bank.toml").write_text("", encoding="utf-8")
    (bank / "note.txt").write_text("text", encoding="utf-8")
    assert [each.path.name for each in discover(tmp_path, {".txt"})] == ["brief.txt"]


def test_a_name_that_is_not_utf8_is_an_error_of_its_own(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/brief-\xff.txt")).write_bytes(b"text")
    (only,) = discover(tmp_path, {".txt"})
    assert isinstance(only, SourceError)
    assert "UTF-8" in only.message
    assert only.message.isascii()
