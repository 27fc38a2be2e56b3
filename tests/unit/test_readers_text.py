"""Reading plain text, and telling files apart by their content."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import office
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from briefbank.bank.local import Bank
from briefbank.errors import EmptyFileError, SourceError, UnsupportedFileError
from briefbank.ingest.readers import read_file
from briefbank.platform.settings import Settings
from briefbank.values.records import Query, Reading


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def texts(reading: Reading) -> list[list[str]]:
    return [[line.text for line in page.lines] for page in reading.pages]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_usual_encodings_are_told_apart(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path / "a.txt", "The “plain view” doctrine — § 3\n".encode(encoding))
    assert texts(read_file(path, Settings())) == [["The “plain view” doctrine — § 3"]]


def test_a_form_feed_starts_a_page_and_blank_rows_leave_their_space(tmp_path: Path) -> None:
    reading = read_file(write(tmp_path / "a.txt", b"one\r\n\r\n  two\fthree"), Settings())
    assert texts(reading) == [["one", "two"], ["three"]]
    assert not reading.has_pages
    first, second = reading.pages[0].lines
    assert second.box.y0 - first.box.y0 == 24
    assert second.box.x0 > first.box.x0
    assert all(word.box.x0 == word.box.x1 for word in second.words)


@pytest.mark.parametrize("data", [b"", b"\x00" * 50, b" \n\t\n"])
def test_files_without_text_are_named(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(EmptyFileError):
        read_file(write(tmp_path / "a.txt", data), Settings())


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.md", b"\x89PNG\r\n\x1a\n" + b"x" * 100),
        ("a.doc", bytes(range(256)) * 40),
    ],
)
def test_files_of_other_kinds_are_refused_by_name(tmp_path: Path, name: str, data: bytes) -> None:
    with pytest.raises(UnsupportedFileError) as caught:
        read_file(write(tmp_path / name, data), Settings())
    assert name in caught.value.message
    assert ("neither a .doc document nor text" in caught.value.message) == (name == "a.doc")
    assert caught.value.advice


@settings(deadline=None, max_examples=50)
@given(st.binary(min_size=1, max_size=400), st.sampled_from([".txt", ".md", ".pdf", ".docx"]))
def test_any_bytes_end_as_a_reading_or_a_named_failure(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, suffix: str
) -> None:
    path = write(tmp_path_factory.getbasetemp() / f"any{suffix}", data)
    with suppress(SourceError):
        assert read_file(path, Settings()).pages


@pytest.mark.parametrize("start", ["A PDF begins with the mark %PDF-1.7.", "%PDF-1.7 is how a PDF begins."])
@pytest.mark.parametrize("suffix", [".txt", ".md"])
def test_a_text_that_quotes_the_mark_of_a_pdf_is_a_text(tmp_path: Path, start: str, suffix: str) -> None:
    path = write(tmp_path / f"note{suffix}", f"{start}\nIt says so in the manual.\n".encode())
    assert texts(read_file(path, Settings())) == [[start, "It says so in the manual."]]


@pytest.mark.parametrize("name", ["brief.docx", "brief.txt"])
def test_a_pdf_under_another_name_is_cited_with_its_pages(empty_bank: Path, folder: Path, name: str) -> None:
    text = office.brief("Ash Rowan", "A-99-20T4", "May 4, 2021", ("THE ARRAY.", office.LINEUP))
    office.write_pdf(folder / "brief.pdf", text).rename(folder / name)
    bank = Bank.open(empty_bank)
    assert bank.index(folder).failures == ()
    best = bank.search(Query("blind administration of the photographic array")).hits[0]
    assert best.document.source_path.endswith(name)
    assert best.document.cited_pages(1, 1) == "sheet 1"
