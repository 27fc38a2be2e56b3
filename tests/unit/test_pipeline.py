"""What a second run reads, drops, keeps and publishes. Files are read in this process, so that each step is seen."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import office
import pytest
from pool_at_once import PoolAtOnce

from briefbank.bank import Bank
from briefbank.errors import (
    BankMissingError,
    CancelledError,
    SettingsError,
    SourceError,
)
from briefbank.index.generation import Generation
from briefbank.index.publish import live_generation
from briefbank.ingest.segment.breaks import PassageSize
from briefbank.office.provenance import OfficeLists, lists_of
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken, Progress
from briefbank.records import Fact, Filters, Query
from briefbank.reports import IndexReport


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The steps taken with files, as they are taken."""
    taken: list[tuple[str, str]] = []
    before = staticmethod(lambda step, path: taken.append((step, path.name)))
    monkeypatch.setattr("briefbank.ingest.texts.GuardedPool", PoolAtOnce)
    monkeypatch.setattr(PoolAtOnce, "before", before, raising=False)
    return taken


@pytest.fixture
def bank(empty_bank: Path, folder: Path, steps: list[tuple[str, str]]) -> Bank:
    """A bank of the folder's two briefs."""
    made = Bank.open(empty_bank)
    made.index(folder)
    steps.clear()
    return made


def sources(bank: Bank) -> list[str]:
    return sorted(Path(each.source_path).name for each in bank.documents())


def counts(report: IndexReport) -> tuple[int, int, int, int]:
    return report.indexed, report.unchanged, report.removed, len(report.failures)


def test_the_first_run_reads_everything_and_publishes(empty_bank: Path, folder: Path, steps: list[Any]) -> None:
    report = Bank.open(empty_bank).index(folder)
    assert counts(report) == (2, 0, 0, 0)
    assert report.published
    assert report.documents == 2
    assert report.passages > 2
    assert sorted(steps) == [
        ("digest", "lorne.txt"), ("digest", "quince.txt"), ("parse", "lorne.txt"), ("parse", "quince.txt"),
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
    assert ("parse", "quince.txt") not in steps
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
    assert ("parse", "copy of lorne.txt") not in steps
    assert report.documents == 2
    assert bank.status().files == 3
    (folder / "lorne.txt").unlink()
    (folder / "copy of lorne.txt").touch()
    bank.index(folder)
    assert sources(bank) == ["copy of lorne.txt", "quince.txt"]


def test_a_sidecar_alone_publishes_without_reading(bank: Bank, folder: Path, steps: list[Any]) -> None:
    table = folder / "briefbank.csv"
    table.write_text(
        "file,filed,court,outcome\nlorne.txt,2006-07-01,Supreme Court of New Jersey,affirmed\n", encoding="utf-8"
    )
    assert bank.index(folder).published
    assert steps == []
    changed = next(each for each in bank.documents() if each.source_path.endswith("lorne.txt"))
    assert changed.filed is not None
    assert changed.filed.isoformat() == "2006-07-01"
    assert changed.metadata.filed is not None
    assert changed.metadata.filed.found_in == "briefbank.csv"
    assert bank.search(Query("hearsay", filters=Filters(outcomes=("affirmed",)))).hits
    assert not bank.index(folder).published
    table.unlink()
    assert bank.index(folder).published
    again = next(each for each in bank.documents() if each.source_path.endswith("lorne.txt"))
    assert again.metadata.outcome is None


def test_outcomes_by_docket_reach_the_briefs_of_that_docket_without_reading(
    bank: Bank, folder: Path, steps: list[Any]
) -> None:
    lorne = next(each for each in bank.documents() if each.source_path.endswith("lorne.txt"))
    assert lorne.metadata.docket
    table = folder / "briefbank.csv"
    office.write_text(table, f"docket,outcome\n{lorne.metadata.docket.value.lower()},reversed\nA-9999-99,affirmed\n")
    report = bank.index(folder)
    assert report.published
    assert steps == []
    assert not report.failures
    ((path, note),) = report.notes
    assert path == str(table)
    assert note == "1 of its 2 dockets is on no brief below this folder: A-9999-99 (line 3)."
    outcomes = {Path(each.source_path).name: each.metadata.outcome for each in bank.documents()}
    assert outcomes == {"lorne.txt": Fact("reversed", "briefbank.csv"), "quince.txt": None}
    again = bank.index(folder)
    assert (again.published, again.notes) == (False, report.notes)
    office.write_text(table, f"file,docket,outcome\n,{lorne.metadata.docket.value},reversed\nlorne.txt,,affirmed\n")
    bank.index(folder)
    outcomes = {Path(each.source_path).name: each.metadata.outcome for each in bank.documents()}
    assert outcomes["lorne.txt"] == Fact("affirmed", "briefbank.csv"), "what is said of the file itself wins"
    table.unlink()
    bank.index(folder)
    assert not any(each.metadata.outcome for each in bank.documents())


def test_a_row_without_a_file_is_noted_and_is_no_failure(bank: Bank, folder: Path) -> None:
    rows = "file,author\nlorne.txt,Ines Calder\ngone.pdf,Ines Calder\n"
    (folder / "briefbank.csv").write_text(rows, encoding="utf-8")
    report = bank.index(folder)
    ((path, note),) = report.notes
    assert path == str(folder / "gone.pdf")
    assert "briefbank.csv" in note
    assert report.failures == ()
    (folder / "late").mkdir()
    office.write_text(folder / "late" / "memo.txt", office.memo("Stops", office.STOP))
    assert bank.index(folder / "late").notes == ()  # the row is of a file elsewhere


def test_copies_are_counted_in_whichever_folder_they_lie(bank: Bank, folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "lorne.txt", folder / "lorne (2).txt")
    assert bank.index(folder).copies == 1
    other = tmp_path / "zest"
    other.mkdir()
    shutil.copy(folder / "quince.txt", other / "quince.txt")
    report = bank.index(other)
    assert (report.copies, report.documents) == (1, 2)
    assert bank.index(folder).copies == 1  # the first by path stands for all


@pytest.mark.parametrize("bad", ["file,filed\nlorne.txt,last spring\n", "\x01\x02 no table at all"])
def test_a_sidecar_that_cannot_be_understood_keeps_what_it_said_before(bank: Bank, folder: Path, bad: str) -> None:
    table = folder / "briefbank.csv"
    table.write_text("file,filed\nlorne.txt,2006-07-01\n", encoding="utf-8")
    bank.index(folder)
    table.write_text(bad, encoding="utf-8")
    office.write_text(folder / "memo.txt", office.memo("Stops", office.STOP))
    report = bank.index(folder)
    (failure,) = report.failures
    assert failure.path == str(table)
    filed = {Path(each.source_path).name: str(each.filed) for each in bank.documents()}
    assert filed.keys() == {"lorne.txt", "memo.txt", "quince.txt"}  # the run went on
    assert filed["lorne.txt"] == "2006-07-01"


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
    assert steps == [("digest", "broken.pdf"), ("parse", "broken.pdf")]


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
    bank: Bank, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.write_pdf(folder / "memo.pdf", office.memo("Arrays", office.LINEUP))
    bank.index(folder)
    office.write_scan(folder / "memo.pdf", office.memo("Arrays", office.STOP))
    monkeypatch.setenv("PATH", str(tmp_path))
    for _ in range(2):
        report = bank.index(folder)
        assert [(each.path, each.code) for each in report.failures] == [(str(folder / "memo.pdf"), "ocr-missing")]
        assert "keeps the text" in report.failures[0].error
        assert sources(bank) == ["lorne.txt", "memo.pdf", "quince.txt"]


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


def test_an_emptied_folder_is_refused_and_the_bank_keeps_searching(bank: Bank, folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    with pytest.raises(SourceError):
        bank.index(folder)
    assert len(bank.documents()) == 2
    assert bank.index(folder, remove_missing=True).removed == 2
    assert bank.documents() == ()
    assert bank.search(Query("consent")).hits == ()


def test_another_folder_added_later_keeps_the_first(bank: Bank, tmp_path: Path, folder: Path, steps: list[Any]) -> None:
    second = office.write_text(
        tmp_path / "directives" / "d.txt", office.directive("1", "Stops", "May 1, 2020", office.STOP)
    )
    assert bank.index(second.parent).documents == 3
    assert not any(name != "d.txt" for _, name in steps)
    assert bank.index(folder).documents == 3


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


def test_a_folder_named_in_another_way_is_the_same_folder(
    bank: Bank, folder: Path, steps: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    for name in (folder.name, f"./{folder.name}/", f"{folder.name}/../{folder.name}"):
        report = bank.index(Path(name))
        assert counts(report) == (0, 2, 0, 0), name
        assert not report.published
    assert steps == []


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
    assert [name for step, name in steps if step == "parse"] == ["memo.txt", "quince.txt"]
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


def test_other_passage_sizes_read_everything_again(
    bank: Bank, empty_bank: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("briefbank.ingest.pipeline.PASSAGE_SIZE", PassageSize(60, 30, 350))
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


def test_a_sidecar_holds_whichever_folder_is_indexed_next(
    bank: Bank, empty_bank: Path, tmp_path: Path, folder: Path
) -> None:
    (folder / "briefbank.csv").write_text("file,author\nlorne.txt,Ines Calder\n", encoding="utf-8")
    bank.index(folder)
    other = office.write_text(
        tmp_path / "directives" / "d.txt", office.directive("1", "Stops", "May 1, 2020", office.STOP)
    ).parent
    shutil.rmtree(empty_bank / "cache")
    bank.index(other)
    (folder / "late").mkdir()
    office.write_text(folder / "late" / "memo.txt", office.memo("Stops", office.STOP))
    bank.index(folder / "late")
    changed = next(each for each in bank.documents() if each.source_path.endswith("lorne.txt"))
    assert changed.metadata.author is not None
    assert changed.metadata.author.value == "Ines Calder"


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
