"""What of a folder is new, changed, unchanged, failed or gone."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from systems import links

from briefbank.errors import ConverterMissingError, SourceError
from briefbank.ingest.ledger import LedgerEntry
from briefbank.ingest.plan import IndexPlan, make_plan

SUFFIXES = frozenset({".pdf", ".txt"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "briefs"
    made.mkdir()
    (made / "a.pdf").write_bytes(b"content")
    return made


def entry(path: Path, *, size: int | None = None, sha256: str | None = "aa", error: str | None = None) -> LedgerEntry:
    stat = path.stat() if path.exists() else None
    size_bytes = stat.st_size if stat and size is None else size or 0
    return LedgerEntry(str(path), size_bytes, stat.st_mtime_ns if stat else 0, sha256, error_code=error)


def plan(
    folder: Path,
    *entries: LedgerEntry,
    cached: bool = True,
    retry_failed: bool = False,
    remove_missing: bool = False,
) -> IndexPlan:
    known = {each.path: each for each in entries}
    return make_plan(
        folder, SUFFIXES, known, lambda _: cached, retry_failed=retry_failed, remove_missing=remove_missing
    )


def names(files: list[object]) -> list[str]:
    return [Path(str(getattr(each, "path", each))).name for each in files]


def test_a_new_file_is_read(folder: Path) -> None:
    made = plan(folder)
    assert names([*made.to_read]) == ["a.pdf"]
    assert not made.unchanged


def test_a_file_of_the_same_size_and_time_is_unchanged(folder: Path) -> None:
    made = plan(folder, entry(folder / "a.pdf"))
    assert names([*made.unchanged]) == ["a.pdf"]
    assert not made.to_read


def test_a_changed_file_is_read_again(folder: Path) -> None:
    assert names([*plan(folder, entry(folder / "a.pdf", size=3)).to_read]) == ["a.pdf"]


def test_a_file_whose_cached_reading_is_gone_is_read_again(folder: Path) -> None:
    assert names([*plan(folder, entry(folder / "a.pdf"), cached=False).to_read]) == ["a.pdf"]


def test_a_failed_file_is_read_again_only_when_asked(folder: Path) -> None:
    failed = entry(folder / "a.pdf", error="damaged-file")
    assert not plan(folder, failed).to_read
    assert names([*plan(folder, failed, retry_failed=True).to_read]) == ["a.pdf"]


@pytest.mark.parametrize("code", ["ocr-missing", "unreadable"])
def test_a_failure_that_is_not_the_files_own_is_tried_again(folder: Path, code: str) -> None:
    assert plan(folder, entry(folder / "a.pdf", error=code)).to_read


def test_a_file_of_another_format_is_refused_by_name(folder: Path) -> None:
    (folder / "b.xls").write_bytes(b"x")
    ((file, error),) = plan(folder).refused
    assert file.path.name == "b.xls"
    assert ".xls" in error.message


def test_files_that_are_gone_are_named(folder: Path) -> None:
    made = plan(folder, entry(folder / "a.pdf"), entry(folder / "z.pdf"))
    assert names([*made.gone]) == ["z.pdf"]


def test_a_folder_that_is_suddenly_empty_is_not_believed(folder: Path) -> None:
    known = entry(folder / "a.pdf")
    (folder / "a.pdf").unlink()
    with pytest.raises(SourceError, match="1 file") as caught:
        plan(folder, known)
    assert "--remove-missing" in caught.value.advice
    assert names([*plan(folder, known, remove_missing=True).gone]) == ["a.pdf"]


@links
def test_what_could_not_be_looked_at_is_not_gone_and_the_rest_is(folder: Path) -> None:
    (folder / "dead.pdf").symlink_to(folder / "nowhere")
    made = plan(folder, entry(folder / "a.pdf"), entry(folder / "dead.pdf"), entry(folder / "z.pdf"))
    assert names([*made.gone]) == ["z.pdf"]
    assert [each.path.name for each in made.unlisted] == ["dead.pdf"]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every folder, and Windows knows no mode"
)
def test_what_an_unreadable_folder_holds_is_not_gone(folder: Path) -> None:
    closed = folder / "closed"
    closed.mkdir()
    known = entry(closed / "deeper" / "z.pdf")
    closed.chmod(0)
    try:
        made = plan(folder, entry(folder / "a.pdf"), known)
    finally:
        closed.chmod(0o700)
    assert not made.gone
    assert len(made.unlisted) == 1


def test_a_share_that_lost_most_of_its_files_is_not_believed(folder: Path) -> None:
    known = [entry(folder / f"{number}.pdf") for number in range(10)]
    with pytest.raises(SourceError, match="10 others") as caught:
        plan(folder, *known)
    assert "--remove-missing" in caught.value.advice
    assert len(plan(folder, *known, remove_missing=True).gone) == 10
    assert len(plan(folder, *known[:9]).gone) == 9


def test_a_format_waits_for_its_converter_and_is_read_when_that_is_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "old.doc").write_bytes(b"x")
    monkeypatch.setattr("briefbank.ingest.readers.find_converter", lambda: None)
    ((_, error),) = plan(folder).refused
    assert isinstance(error, ConverterMissingError)
    assert "LibreOffice" in error.message
    failed = replace(entry(folder / "old.doc"), error_code=error.code)
    assert not plan(folder, failed).to_read[1:]
    known = {failed.path: failed}
    later = make_plan(folder, SUFFIXES | {".doc"}, known, lambda _: True, retry_failed=False, remove_missing=False)
    assert names([*later.to_read]) == ["a.pdf", "old.doc"]
