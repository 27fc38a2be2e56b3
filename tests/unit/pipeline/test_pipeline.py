"""What a second run reads, drops, keeps and publishes. Files are read in this process, so that each step is seen."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import office
import pytest
from index_runs import counts, sources
from systems import links

from briefbank.bank.local import Bank
from briefbank.errors import (
    BankMissingError,
    CancelledError,
    SettingsError,
)
from briefbank.ingest.segment.breaks import PassageSize
from briefbank.office.provenance import OfficeLists, lists_of
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken, Progress
from briefbank.values.records import Query


def test_the_first_run_reads_everything_and_publishes(empty_bank: Path, folder: Path, steps: list[Any]) -> None:
    report = Bank.open(empty_bank).index(folder)
    assert counts(report) == (2, 0, 0, 0)
    assert report.published
    assert report.documents == 2
    assert report.passages > 2
    assert sorted(steps) == [
        ("digest", "lorne.txt"), ("digest", "quince.txt"), ("readfile", "lorne.txt"), ("readfile", "quince.txt"),
    ]  # fmt: skip


def test_a_second_run_reads_nothing_and_publishes_nothing(bank: Bank, folder: Path, steps: list[Any]) -> None:
    before = bank.status().generation
    report = bank.index(folder)
    assert counts(report) == (0, 2, 0, 0)
    assert not report.published
    assert report.generation == before
    assert steps == []


def test_a_file_that_was_only_touched_is_looked_at_but_not_read(bank: Bank, folder: Path, steps: list[Any]) -> None:
    os.utime(folder / "quince.txt", ns=(1, 1))
    report = bank.index(folder)
    assert steps == [("digest", "quince.txt")]
    assert not report.published
    steps.clear()
    bank.index(folder)
    assert steps == []


def test_a_changed_file_alone_is_read_again(bank: Bank, folder: Path, steps: list[Any]) -> None:
    office.write_text(folder / "lorne.txt", office.brief("Petra Lorne", "A-0311-04T2", "", ("LINEUP.", office.LINEUP)))
    report = bank.index(folder)
    assert counts(report) == (1, 1, 0, 0)
    assert ("readfile", "quince.txt") not in steps
    texts = [hit.passage.text for hit in bank.search(Query("hearsay excited utterance", top_k=50)).hits]
    assert not any("803(c)(2)" in text for text in texts)
    assert bank.search(Query("blind administration of the array")).has_exact


def test_a_renamed_file_is_not_read_again_and_appears_once(bank: Bank, folder: Path, steps: list[Any]) -> None:
    (folder / "lorne.txt").rename(folder / "State v. Lorne.txt")
    report = bank.index(folder)
    assert steps == [("digest", "State v. Lorne.txt")]
    assert report.removed == 1
    assert report.published
    assert sources(bank) == ["State v. Lorne.txt", "quince.txt"]


def test_a_removed_file_is_dropped(bank: Bank, folder: Path, steps: list[Any]) -> None:
    (folder / "lorne.txt").unlink()
    assert counts(bank.index(folder)) == (0, 1, 1, 0)
    assert sources(bank) == ["quince.txt"]
    assert steps == []


def test_a_copy_of_a_file_is_one_document(bank: Bank, folder: Path, steps: list[Any]) -> None:
    shutil.copy(folder / "lorne.txt", folder / "copy of lorne.txt")
    report = bank.index(folder)
    assert ("readfile", "copy of lorne.txt") not in steps
    assert report.documents == 2
    assert bank.status().files == 3
    (folder / "lorne.txt").unlink()
    (folder / "copy of lorne.txt").touch()
    bank.index(folder)
    assert sources(bank) == ["copy of lorne.txt", "quince.txt"]


def test_copies_are_counted_in_whichever_folder_they_lie(bank: Bank, folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "lorne.txt", folder / "lorne (2).txt")
    assert bank.index(folder).copies == 1
    other = tmp_path / "zest"
    other.mkdir()
    shutil.copy(folder / "quince.txt", other / "quince.txt")
    report = bank.index(other)
    assert (report.copies, report.documents) == (1, 2)
    assert bank.index(folder).copies == 1  # the first by path stands for all


@links
def test_a_link_replaced_while_the_folder_is_walked_is_a_note_and_read_the_next_time(
    bank: Bank, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, real_readlink = folder / "link.txt", os.readlink
    link.symlink_to(folder / "lorne.txt")

    def replaced_first(path: str) -> str:
        if Path(path) == link:
            link.unlink()
            office.write_text(link, office.memo("Arrays", office.LINEUP))
        return real_readlink(path)

    monkeypatch.setattr(os, "readlink", replaced_first)
    report = bank.index(folder)
    assert report.failures == ()
    assert [path for path, note in report.notes if "next run" in note] == [str(link)]
    assert bank.index(folder).notes == ()
    assert sources(bank) == ["link.txt", "lorne.txt", "quince.txt"]


def test_another_folder_added_later_keeps_the_first(bank: Bank, tmp_path: Path, folder: Path, steps: list[Any]) -> None:
    second = office.write_text(
        tmp_path / "directives" / "d.txt", office.directive("1", "Stops", "May 1, 2020", office.STOP)
    )
    assert bank.index(second.parent).documents == 3
    assert not any(name != "d.txt" for _, name in steps)
    assert bank.index(folder).documents == 3


def test_a_folder_named_in_another_way_is_the_same_folder(
    bank: Bank, folder: Path, steps: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    for name in (folder.name, f"./{folder.name}/", f"{folder.name}/../{folder.name}"):
        report = bank.index(Path(name))
        assert counts(report) == (0, 2, 0, 0), name
        assert not report.published
    assert steps == []


def test_other_passage_sizes_read_everything_again(
    bank: Bank, empty_bank: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("briefbank.ingest.process.PASSAGE_SIZE", PassageSize(60, 30, 350))
    report = Bank.open(empty_bank).index(folder)
    assert counts(report) == (2, 0, 0, 0)
    assert report.published


def test_a_wrong_setting_is_told_before_anything_is_touched(empty_bank: Path) -> None:
    office.write_bank(empty_bank, ocr_dpi=3)
    with pytest.raises(SettingsError):
        Bank.open(empty_bank)


def test_cancelling_keeps_what_was_read_and_publishes_nothing(empty_bank: Path, folder: Path, steps: list[Any]) -> None:
    cancel = CancelToken()

    def after_one_file(progress: Progress) -> None:
        if progress.files_done == 1:
            cancel.cancel()

    bank = Bank.open(empty_bank)
    with pytest.raises(CancelledError):
        bank.index(folder, reporter=after_one_file, cancel=cancel)
    assert bank.status().generation is None
    with pytest.raises(BankMissingError):
        bank.documents()
    report = bank.index(folder)
    assert report.unchanged >= 1
    assert report.documents == 2


def test_cancelling_while_the_index_is_written_stops_and_leaves_the_old_one(bank: Bank, folder: Path) -> None:
    office.write_text(folder / "memo.txt", office.memo("Arrays", office.LINEUP))
    before = bank.status().generation
    cancel = CancelToken()

    def while_writing(progress: Progress) -> None:
        if progress.stage == "writing the index":
            cancel.cancel()

    with pytest.raises(CancelledError):
        bank.index(folder, reporter=while_writing, cancel=cancel)
    assert bank.status().generation == before
    assert bank.index(folder).documents == 3


def test_progress_counts_files_and_pages(empty_bank: Path, folder: Path, steps: list[Any]) -> None:
    told: list[Progress] = []
    Bank.open(empty_bank).index(folder, reporter=told.append)
    by_itself = ["looking", "writing the index", "finishing the index"]
    assert [each.stage for each in told if not each.files_total] == by_itself
    written = [each.files_done for each in told if each.stage == "writing the index" and each.files_total]
    assert written == [0, 1, 2]
    read = [each for each in told if each.stage == "reading"]
    # Both may be read at once, and of a pair the one that takes longest is named.
    assert {""} < {each.current for each in read} <= {"", "lorne.txt", "quince.txt"}
    assert (read[-1].files_done, read[-1].files_total, read[-1].current) == (2, 2, "")
    assert told[-1].pages_done == 2


def test_two_banks_of_one_folder_are_the_same(tmp_path: Path, folder: Path, steps: list[Any]) -> None:
    banks = [Bank.open(office.write_bank(tmp_path / name)) for name in ("one", "other")]
    ids = []
    for bank in banks:
        bank.index(folder)
        ids.append([(hit.passage.id, hit.passage.text) for hit in bank.search(Query("the", top_k=99)).hits])
    assert ids[0] == ids[1] != []


def test_other_rules_for_words_write_a_new_generation(
    bank: Bank, folder: Path, steps: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("briefbank.ingest.pipeline.ANALYSER_VERSION", "another")
    assert bank.index(folder).published
    assert steps == []


def test_a_run_that_ends_while_a_search_opens_the_index_mixes_no_two_generations(
    bank: Bank, empty_bank: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.write_text(folder / "memo.txt", office.memo("Arrays", office.LINEUP))
    lists_read: list[str] = []

    def run_ends_first(layout: Layout, generation: Path) -> OfficeLists:
        lists_read.append(generation.name)
        if len(lists_read) == 1:
            assert Bank.open(empty_bank).index(folder).published
        return lists_of(layout, generation)

    monkeypatch.setattr("briefbank.office.provenance.lists_of", run_ends_first)
    searching = Bank.open(empty_bank)
    for generations in (1, 2):
        assert searching.search(Query("hearsay")).generation == lists_read[-1]
        assert len(set(lists_read)) == generations


def test_the_text_of_a_removed_file_leaves_the_cache(bank: Bank, empty_bank: Path, folder: Path) -> None:
    (folder / "lorne.txt").unlink()
    bank.index(folder)
    database = sqlite3.connect(empty_bank / "cache" / "cache.sqlite")
    keys = [key for (key,) in database.execute("SELECT key FROM item WHERE key LIKE 'document:%'")]
    database.close()
    assert len(keys) == 1
