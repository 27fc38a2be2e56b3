"""The table in which IT says something of documents."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from briefbank.ingest.sidecar import SIDECAR_NAME, Overrides, Table, read_sidecars, with_overrides
from briefbank.values.records import Fact, Metadata


def read(folder: Path) -> Overrides:
    return read_sidecars(folder, [Table(path, folder) for path in folder.rglob(SIDECAR_NAME)])


def overrides(folder: Path) -> Mapping[str, Mapping[str, str]]:
    found = read(folder)
    assert not found.problems
    return found.values


def write(folder: Path, content: str, encoding: str = "utf-8") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SIDECAR_NAME).write_text(content, encoding=encoding)
    return folder


def test_a_folder_without_a_table_overrides_nothing(tmp_path: Path) -> None:
    assert overrides(tmp_path) == {}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_table_is_read_however_the_spreadsheet_wrote_it(tmp_path: Path, delimiter: str) -> None:
    rows = [["File", "Filed", "court", "title"], ["a.pdf", "2019-05-01", "", "State v. Quince"]]
    write(tmp_path, "\n".join(delimiter.join(row) for row in rows), "utf-8-sig")
    assert overrides(tmp_path) == {str(tmp_path / "a.pdf"): {"filed": "2019-05-01", "title": "State v. Quince"}}


def test_an_older_spreadsheets_letters_are_read(tmp_path: Path) -> None:
    write(tmp_path, "file,author\na.pdf,José Peña\n", "cp1252")
    assert overrides(tmp_path)[str(tmp_path / "a.pdf")] == {"author": "José Peña"}


def test_bytes_that_are_no_letters_do_not_stop_the_run(tmp_path: Path) -> None:
    (tmp_path / SIDECAR_NAME).write_bytes(b"file,author\na.pdf,Pe\xf1a \x81\n")
    assert overrides(tmp_path)[str(tmp_path / "a.pdf")] == {"author": "Peña \ufffd"}


def test_a_date_without_hyphens_becomes_an_iso_date(tmp_path: Path) -> None:
    write(tmp_path, "file,filed\na.pdf,20190501\n")
    assert overrides(tmp_path)[str(tmp_path / "a.pdf")] == {"filed": "2019-05-01"}


def test_files_are_named_relative_to_their_table_in_either_way(tmp_path: Path) -> None:
    write(tmp_path, "file,kind\n2019\\a.pdf,brief\n2019/b.pdf,internal\n")
    assert set(overrides(tmp_path)) == {str(tmp_path / "2019" / "a.pdf"), str(tmp_path / "2019" / "b.pdf")}


def test_the_table_nearer_to_a_file_wins(tmp_path: Path) -> None:
    write(tmp_path, "file,court,docket\n2019/a.pdf,Far,A-1\n")
    write(tmp_path / "2019", "file,court\na.pdf,Near\n")
    assert overrides(tmp_path) == {str(tmp_path / "2019" / "a.pdf"): {"court": "Near", "docket": "A-1"}}


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("title\nx\n", "'file'"),
        ("", "'file'"),
        ("file,tilte\na.pdf,x\n", "tilte"),
        ("file,filed\na.pdf,5/1/2019\n", "Line 2"),
        ("file,title,filed\na.pdf,x,\nb.pdf,x,2019-02-30\n", "Line 3"),
        ("file,kind\na.pdf,letter\n", "letter"),
        ("file,title\na.pdf," + "x" * 200_000 + "\n", "Line 2"),
        ("file,title\na.pdf," + "x" * 2_000 + "\n", "Line 2: 'title' has 2000 characters"),
        ("x" * 200_000, "first line"),
        ("\x00\x01\x02PK\x03\x04" * 50, "unknown columns"),
    ],
)
def test_what_cannot_be_understood_of_a_table_is_named_with_its_place(tmp_path: Path, content: str, named: str) -> None:
    found = read(write(tmp_path, content))
    (problem,) = found.problems
    assert named in problem.error
    assert problem.path == str(tmp_path / SIDECAR_NAME)
    assert problem.advice
    assert len(problem.error) < 500


def test_rows_beside_a_bad_one_count(tmp_path: Path) -> None:
    write(tmp_path, "file,filed\na.pdf,2019-05-01\nb.pdf,spring\nc.pdf," + "9" * 200_000 + "\nd.pdf,2020-05-01\n")
    found = read(tmp_path)
    assert [Path(path).name for path in found.values] == ["a.pdf", "d.pdf"]
    assert [problem.error[:7] for problem in found.problems] == ["Line 3:", "Line 4:"]


def test_a_table_of_nothing_but_bad_rows_is_named_in_a_few_lines(tmp_path: Path) -> None:
    found = read(write(tmp_path, "file,filed\n" + "a.pdf,spring\n" * 1_000))
    assert len(found.problems) == 21
    assert "980 more rows" in found.problems[-1].error


@pytest.mark.skipif(os.name == "nt", reason="there are no such files")
@pytest.mark.parametrize("kind", ["pipe", "endless", "link out"])
def test_what_is_no_table_of_this_folder_is_named_and_costs_no_other(tmp_path: Path, kind: str) -> None:
    briefs = write(tmp_path / "briefs", "file,author\na.pdf,Ines Calder\n")
    table = briefs / "2019" / SIDECAR_NAME
    table.parent.mkdir()
    if kind == "pipe":
        os.mkfifo(table)
    else:
        table.symlink_to("/dev/zero" if kind == "endless" else write(tmp_path / "out", "file\n") / SIDECAR_NAME)
    found = read(briefs)
    (problem,) = found.problems
    assert problem.path == str(table)
    assert list(found.values) == [str(briefs / "a.pdf")]
    assert found.unknown == {table.parent}


def test_a_row_without_a_file_tells_the_outcome_of_its_docket(tmp_path: Path) -> None:
    write(tmp_path, "docket,outcome\na-0417-19,Reversed and remanded\nA-0418-19,affirmed\n")
    write(tmp_path / "2019", "file,docket,outcome\n,A-417-19T2,vacated\nb.pdf,A-7-19,\n")
    found = read(tmp_path)
    assert not found.problems
    assert dict(found.values) == {str(tmp_path / "2019" / "b.pdf"): {"docket": "A-7-19"}}
    below, beside = tmp_path / "2019" / "a.pdf", tmp_path / "2020" / "a.pdf"
    assert found.outcome_of(below, ["A-0417-19"]) == "vacated", "the nearer table wins"
    assert found.outcome_of(beside, ["A-0417-19"]) == "Reversed and remanded"
    assert found.outcome_of(beside, ["A-0418-19", "A-0417-19"]) == "affirmed; Reversed and remanded"
    assert found.outcome_of(beside, ["A-0500-19"]) == found.outcome_of(tmp_path.parent / "a.pdf", ["A-0417-19"]) == ""


@pytest.mark.parametrize(
    ("row", "named"),
    [
        (",A-1-19,", "tells docket;"),
        (",,affirmed", "tells outcome;"),
        (",A-1-19,granted,State v. Quince", "tells docket, outcome, title;"),
        (",a-17-19,reversed", "line 2 has another outcome of a-17-19"),
        (",A-1-19," + "x" * 2_000, "'outcome' has 2000 characters"),
    ],
)
def test_what_an_outcome_by_docket_lacks_is_named_with_its_line(tmp_path: Path, row: str, named: str) -> None:
    found = read(write(tmp_path, f"file,docket,outcome,title\n,A-17-19,affirmed\n\n{row}\n,A-18-19,granted\n"))
    (problem,) = found.problems
    assert problem.error.startswith("Line 4: ")
    assert named in problem.error
    assert [found.outcome_of(tmp_path / "a.pdf", [each]) for each in ("A-17-19", "A-18-19")] == ["affirmed", "granted"]


def test_overrides_say_where_they_come_from_and_leave_the_rest() -> None:
    found = Metadata(title=Fact("State v. Q", "caption"), kind=Fact("brief", "caption"))
    changed = with_overrides(found, {"filed": "2019-05-01", "title": "State v. Quince"})
    assert changed.title == Fact("State v. Quince", SIDECAR_NAME)
    assert changed.filed == Fact("2019-05-01", SIDECAR_NAME)
    assert changed.kind == found.kind
