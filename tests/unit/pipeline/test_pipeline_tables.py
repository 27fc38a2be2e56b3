"""What tables of IT beside the briefs say of them, and when it reaches the index."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import office
import pytest

from briefbank.bank.local import Bank
from briefbank.values.records import Fact, Filters, Query


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


@pytest.mark.parametrize("is_whole_path", [True, False])
def test_a_table_in_a_received_folder_speaks_for_that_folder_alone(
    bank: Bank, folder: Path, *, is_whole_path: bool
) -> None:
    received = folder / "received"
    office.write_text(received / "memo.txt", office.memo("Stops", office.STOP))
    other = folder / "lorne.txt" if is_whole_path else "x/../../lorne.txt"
    rows = f"file,author\n{other},Nobody\nmemo.txt,Ines Calder\n"
    office.write_text(received / "briefbank.csv", rows)
    (failure,) = bank.index(folder).failures
    assert (failure.path, "not in the folder of this table" in failure.error) == (
        str(received / "briefbank.csv"),
        True,
    )
    authors = {Path(each.source_path).name: each.metadata.author for each in bank.documents()}
    assert authors["memo.txt"] is not None
    assert authors["memo.txt"].value == "Ines Calder"
    assert authors["lorne.txt"] is None or authors["lorne.txt"].value != "Nobody"


def test_a_row_of_a_folder_tells_the_kind_of_all_below_it_and_the_nearest_counts(bank: Bank, folder: Path) -> None:
    for name in ("papers/a.txt", "papers/old/b.txt", "papers/old/c.txt"):
        office.write_text(folder / name, office.memo(name, office.STOP))
    rows = "file,kind\npapers/,directive\npapers/old/,internal\npapers/old/c.txt,brief\nlorne.txt,directive\n"
    office.write_text(folder / "briefbank.csv", rows)
    assert not bank.index(folder).failures
    found = {Path(each.source_path).name: each.metadata for each in bank.documents()}
    assert {name: str(found[name].kind.value) for name in ("a.txt", "b.txt", "c.txt")} == {
        "a.txt": "directive",
        "b.txt": "internal",
        "c.txt": "brief",
    }
    assert {name for name, each in found.items() if each.speaks_for_office} == {"a.txt", "lorne.txt"}
    office.write_text(folder / "briefbank.csv", "file,kind,author\npapers/,directive,Ines Calder\n")
    (failure,) = bank.index(folder).failures
    assert "it can tell the kind alone" in failure.error
