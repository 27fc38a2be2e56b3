"""The table in which IT says something of documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from briefbank.errors import SourceError
from briefbank.ingest.sidecar import SIDECAR_NAME, read_sidecars, with_overrides
from briefbank.records import Fact, Metadata


def overrides(folder: Path) -> dict[str, dict[str, str]]:
    return read_sidecars(folder, folder.rglob(SIDECAR_NAME))


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
        ("file,filed\na.pdf,5/1/2019\n", "line 2"),
        ("file,title,filed\na.pdf,x,\nb.pdf,x,2019-02-30\n", "line 3"),
        ("file,kind\na.pdf,letter\n", "letter"),
    ],
)
def test_a_table_that_cannot_be_understood_is_refused_with_its_place(tmp_path: Path, content: str, named: str) -> None:
    with pytest.raises(SourceError, match=named) as caught:
        overrides(write(tmp_path, content))
    assert SIDECAR_NAME in caught.value.message
    assert caught.value.advice


def test_overrides_say_where_they_come_from_and_leave_the_rest() -> None:
    found = Metadata(title=Fact("State v. Q", "caption"), kind=Fact("brief", "caption"))
    changed = with_overrides(found, {"filed": "2019-05-01", "title": "State v. Quince"})
    assert changed.title == Fact("State v. Quince", SIDECAR_NAME)
    assert changed.filed == Fact("2019-05-01", SIDECAR_NAME)
    assert changed.kind == found.kind
