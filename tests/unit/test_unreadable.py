"""Files that could not be read: counted and named wherever people search, laptops included."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import office
import pytest
from program import ROOT, Briefbank

from briefbank import errors
from briefbank.bank.local import Bank
from briefbank.index.manifest import read_unreadable, write_unreadable
from briefbank.office.packs import signing_keys
from briefbank.values.records import Query
from briefbank.values.unreadable import (
    DEAD_LINK,
    NOT_A_FILE,
    NOT_LISTED,
    PAGES_MISSING,
    PARTS_MISSING,
    STRANGE_NAME,
    UnreadableFile,
    UnreadableFiles,
)

BROKEN = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog"
CODES = {"broken.pdf": "damaged-file", "plan.xls": "unsupported-file"}


def named(unreadable: UnreadableFiles | None) -> dict[str, str]:
    assert unreadable is not None
    return {each.name: each.code for each in unreadable.files}


def test_what_failed_is_part_of_the_index_and_travels_in_its_pack(
    library_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, briefbank: Briefbank
) -> None:
    here = Bank.open(library_bank).unreadable()
    assert named(here) == CODES
    assert here is not None
    assert (here.known_files, here.told) == (8, "2 of 8 unreadable")
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "keys"))
    signing_keys.make_key("Office of the Example")
    Bank.open(library_bank).pack(tmp_path / "office.bbpack")
    Bank.install(tmp_path / "laptop", tmp_path / "office.bbpack")
    assert Bank.open(tmp_path / "laptop").unreadable() == here
    told = briefbank("status", "--bank", tmp_path / "laptop").out
    assert "Unreadable  2 of 8 files" in told
    for file in here.files:
        assert f"Unreadable: {file.path}\n    {file.problem}\n    {file.advice}" in told
    listed = json.loads(briefbank("status", "--bank", tmp_path / "laptop", "--json").out)["unreadable"]
    assert [each["path"] for each in listed["files"]] == [each.path for each in here.files]


def test_a_file_is_named_once_where_it_failed(library_bank: Path, briefbank: Briefbank) -> None:
    told = briefbank("status", "--bank", library_bank).out
    assert told.count("broken.pdf\n") == 1
    assert "Files       8 known, 2 failed\nUnreadable  2 of 8 files: 2 failed\n" in told


def test_a_file_that_fails_or_is_mended_is_told_although_no_other_changed(empty_bank: Path, folder: Path) -> None:
    bank = Bank.open(empty_bank)
    bank.index(folder)
    assert bank.unreadable() == UnreadableFiles(2)
    (folder / "late.pdf").write_bytes(BROKEN)
    assert bank.index(folder).published
    assert named(bank.unreadable()) == {"late.pdf": "damaged-file"}
    assert not bank.index(folder).published
    (folder / "late.pdf").unlink()
    assert bank.index(folder).published
    assert bank.unreadable() == UnreadableFiles(2)


@pytest.mark.skipif(os.name == "nt", reason="names of files are Unicode there")
def test_a_folder_that_cannot_be_looked_at_is_told_until_it_can(empty_bank: Path, folder: Path, tmp_path: Path) -> None:
    bank = Bank.open(empty_bank)
    closed = Path(os.fsdecode(os.fsencode(folder / "closed ") + b"\xff"))  # no UTF-8
    closed.mkdir()
    bank.index(folder)
    assert named(bank.unreadable()) == {"closed \ufffd": STRANGE_NAME}
    office.write_text(tmp_path / "other" / "memo.txt", office.memo("Arrays", office.LINEUP))
    bank.index(tmp_path / "other")
    assert named(bank.unreadable()) == {"closed \ufffd": STRANGE_NAME}
    closed.rename(folder / "open")
    bank.index(folder)
    assert named(bank.unreadable()) == {}


@pytest.mark.skipif(os.name == "nt", reason="pipes, and links that anybody may make")
def test_what_is_never_opened_is_told_with_its_own_reason(
    empty_bank: Path, folder: Path, tmp_path: Path, briefbank: Briefbank
) -> None:
    os.mkfifo(folder / "pipe.txt")
    (folder / "gone.pdf").symlink_to(folder / "nowhere.pdf")
    report = briefbank("index", folder, "--bank", empty_bank, "--json").json
    assert {Path(each["path"]).name: each["code"] for each in report["failures"]} == {
        "gone.pdf": DEAD_LINK,
        "pipe.txt": NOT_A_FILE,
    }
    told = briefbank("status", "--bank", empty_bank).out
    assert f"{folder / 'gone.pdf'}\n    It is a link that leads to nothing." in told
    assert f"{folder / 'pipe.txt'}\n    It is neither a file nor a folder" in told
    assert "may read it" not in told
    assert "Files       2 known, 0 failed\nUnreadable  2 of 4 files: 2 never opened\n" in told
    office.write_text(tmp_path / "other" / "memo.txt", office.memo("Arrays", office.LINEUP))
    Bank.open(empty_bank).index(tmp_path / "other")
    assert named(Bank.open(empty_bank).unreadable()) == {"gone.pdf": DEAD_LINK, "pipe.txt": NOT_A_FILE}


def test_of_an_index_of_an_older_program_it_is_said_that_nothing_is_known(tmp_path: Path, briefbank: Briefbank) -> None:
    with zipfile.ZipFile(ROOT / "tests" / "formats" / "bank-1.0.zip") as archive:
        archive.extractall(tmp_path / "bank")
    assert Bank.open(tmp_path / "bank").unreadable() is None
    assert "Unreadable  not known: an older program" in briefbank("status", "--bank", tmp_path / "bank").out


def test_a_table_of_a_newer_form_is_unknown_and_not_misread(tmp_path: Path) -> None:
    write_unreadable(tmp_path, UnreadableFiles(9))
    file = tmp_path / "unreadable.json"
    assert read_unreadable(tmp_path) == UnreadableFiles(9)
    file.write_text(json.dumps({"version": 2, "files": "elsewhere"}))
    assert read_unreadable(tmp_path) is None


def test_every_error_of_a_file_has_words_for_people_who_are_not_it() -> None:
    codes = {
        each.code
        for each in errors.__dict__.values()
        if isinstance(each, type) and issubclass(each, errors.SourceError)
    }
    codes -= {errors.ChangingFileError.code}  # waits for the next run
    unknown = UnreadableFile("/briefs/a.pdf", "?")
    for code in {*codes, errors.OcrMissingError.code, NOT_LISTED}:
        file = replace(unknown, code=code)
        assert file.problem != unknown.problem, code
        assert file.advice != unknown.advice, code
        assert code not in file.problem
    partly = UnreadableFile("C:\\Briefs\\Memo 2.pdf", PAGES_MISSING, "3, 5")
    assert partly.name == "Memo 2.pdf"
    assert partly.problem.startswith("Pages 3, 5 could not be read")


@pytest.fixture(scope="module")
def lacking(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank that lacks a memo on suppression, a transcript filed under a client's name, and a brief of the State;
    shared, so never changed.
    """
    made = tmp_path_factory.mktemp("lacking")
    folder = Path(shutil.copytree(library, made / "library"))
    for name in ("Suppression_memo-2019.pdf", "clients/Okonkwo/transcript.pdf", "State brief on the stop.pdf"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(BROKEN)
    root = office.write_bank(made / "bank")
    Bank.open(root).index(folder)
    return root


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("motion for suppression of the phone", "Suppression_memo-2019.pdf"),
        ("SUPPRESSIONS", "Suppression_memo-2019.pdf"),
        ("what did okonkwo say", "transcript.pdf"),
        ('"suppression" or stop', "Suppression_memo-2019.pdf"),
        ("did the State stop the car", None),
        ("a memo of 2019", "Suppression_memo-2019.pdf"),
        ("a memo on the stop of a car", None),
        ("hearsay", None),
    ],
)
def test_a_search_names_the_unreadable_file_that_may_hold_the_answer(
    lacking: Path, query: str, named: str | None
) -> None:
    told = [each for each in Bank.open(lacking).search(Query(query)).notices if "could not be read" in each]
    assert told == ([f"{named} could not be read; it may hold what you look for."] if named else [])


def test_a_passage_that_others_are_to_be_like_asks_for_no_file(lacking: Path) -> None:
    bank = Bank.open(lacking)
    passage = bank.search(Query("stop")).hits[0].passage.id
    assert not bank.search(Query("", like_passage=passage)).notices


def test_of_many_names_that_match_three_are_told_and_the_others_counted(empty_bank: Path, folder: Path) -> None:
    for number in range(5):
        (folder / f"Suppression {number}.pdf").write_bytes(BROKEN)
    bank = Bank.open(empty_bank)
    bank.index(folder)
    told = bank.search(Query("suppression")).notices
    assert len(told) == 4
    assert told[-1] == "2 more files whose names match could not be read either."


def test_the_command_line_tells_it_with_the_results(lacking: Path, briefbank: Briefbank) -> None:
    told = "Suppression_memo-2019.pdf could not be read; it may hold what you look for."
    assert told in briefbank("search", "suppression", "--bank", lacking).out
    assert json.loads(briefbank("search", "suppression", "--bank", lacking, "--json").out)["notices"] == [told]


def test_what_a_file_holds_besides_and_what_its_page_hides_is_told_wherever_it_is_listed(
    empty_bank: Path, folder: Path, briefbank: Briefbank
) -> None:
    from test_readers_pdf import prose, write_pdf

    def draw(page: Any) -> None:
        prose(page)
        page.insert_text((72, 740), "Tabitha Quillfeather of Oxbow Lane")
        for box in page.search_for("Quillfeather"):
            page.draw_rect(box, color=None, fill=(0, 0, 0))

    import pymupdf

    with pymupdf.open(write_pdf(folder / "drawn.pdf", draw)) as document:
        document.embfile_add("plea. final.doc", b"\0\1\2", filename="plea. final.doc")
        document.save(folder / "held.pdf")
    (folder / "drawn.pdf").unlink()
    assert briefbank("index", folder, "--bank", empty_bank).code == 0
    here = Bank.open(empty_bank).unreadable()
    assert here is not None
    (held,) = (each for each in here.files if each.name == "held.pdf")
    assert (held.code, held.pages) == (PARTS_MISSING, "attachment 1 “plea. final.doc”")
    assert "with parts not read" in briefbank("status", "--bank", empty_bank).out
    (note,) = (each.note for each in Bank.open(empty_bank).documents() if each.source_path.endswith("held.pdf"))
    assert (
        note == "1 passage is blacked out (page 1). Not read, though the file holds it: attachment 1 “plea. final.doc”."
    )
    assert note in briefbank("documents", "--bank", empty_bank).out
