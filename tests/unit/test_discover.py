"""What of a folder is taken for a brief, what is passed over, and what is named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from program import ROOT
from systems import byte_names, links, pipes, unix_names

from briefbank.errors import NotAFileError, OutsideFolderError, SourceError
from briefbank.ingest.beneath import SourcePlace
from briefbank.ingest.discover import FolderIdentity, SourceFile, Unlisted, discover, require_source
from briefbank.platform.layout import Layout

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


def test_what_programs_leave_beside_briefs_is_passed_over(tmp_path: Path) -> None:
    fill(tmp_path, "~$brief.docx", ".~lock.brief.odt#", "._brief.pdf", ".DS_Store", "Thumbs.db", "desktop.ini",
         "brief.pdf.part", "briefbank.csv", ".hidden/brief.pdf", "brief.pdf")  # fmt: skip
    assert list(found(tmp_path)) == ["brief.pdf"]


def test_a_folder_that_links_to_itself_is_walked_once(tmp_path: Path) -> None:
    fill(tmp_path, "brief.pdf")
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    assert list(found(tmp_path)) == ["brief.pdf"]


def test_a_folder_mounted_below_itself_is_walked_once(tmp_path: Path) -> None:
    fill(tmp_path, "2019/brief.pdf", "2019/again/.keep")
    walk = "import sys, pathlib; from briefbank.ingest.discover import discover\n"
    walk += "print(*(each.path.name for each in discover(pathlib.Path(sys.argv[1]), {'.pdf'})))"
    script = f'mount --rbind {tmp_path} {tmp_path}/2019/again || exit 99; {sys.executable} -c "$1" {tmp_path}'
    words = ["unshare", "-rm", "sh", "-c", script, "sh", walk]
    try:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60, check=False)
    except FileNotFoundError:
        pytest.skip("unshare is not installed")
    if done.returncode == 99 or "Operation not permitted" in done.stderr:
        pytest.skip("nothing can be mounted here")
    assert (done.stdout, done.stderr) == ("brief.pdf\n", "")


@pipes
def test_what_is_neither_file_nor_folder_is_named_and_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    (only,) = discover(tmp_path, SUFFIXES)
    assert isinstance(only, Unlisted)
    assert "pipe.pdf" in only.error.message
    assert only.error.code == NotAFileError.code


@pytest.mark.parametrize(
    "name",
    ["Κατάθεση – протокол 証言 ملف", "a\u0301 decomposed", pytest.param("line\nbreak ✓", marks=unix_names)],
)
def test_names_in_any_script_and_three_hundred_characters_deep_are_found(tmp_path: Path, name: str) -> None:
    deep = "/".join(["folder of the appeals unit with a long name"] * 7)
    fill(tmp_path, f"{deep}/{name}.pdf")
    assert len(deep) > 300
    assert found(tmp_path) == {f"{deep}/{name}.pdf": True}


def test_a_share_that_went_away_is_not_the_folder_it_was(tmp_path: Path) -> None:
    share = tmp_path / "share"
    fill(share, "brief.pdf")
    identity = FolderIdentity(share)
    identity.require_same()
    share.rename(tmp_path / "unmounted")
    with pytest.raises(SourceError, match="went away"):
        identity.require_same()
    share.mkdir()
    fill(share, "brief.pdf")
    with pytest.raises(SourceError, match="went away"):
        identity.require_same()


@pytest.mark.parametrize("name", ["brief.pdf"])
def test_what_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    fill(tmp_path, "brief.pdf")
    with pytest.raises(SourceError, match=name):
        list(discover(tmp_path / name, SUFFIXES))


@links
def test_a_link_that_leaves_the_folder_comes_with_its_refusal(tmp_path: Path) -> None:
    briefs = tmp_path / "briefs"
    fill(tmp_path, "secret.txt", "briefs/brief.txt", "briefs/2019/other.txt", "sibling/x.txt")
    (briefs / "absolute.txt").symlink_to(tmp_path / "secret.txt")
    (briefs / "2019" / "relative.txt").symlink_to("../../secret.txt")
    (briefs / "chain.txt").symlink_to("absolute.txt")
    (briefs / "device.txt").symlink_to("/dev/zero")
    (briefs / "within.txt").symlink_to(briefs / "2019" / "other.txt")
    (briefs / "2019" / "up.txt").symlink_to("../brief.txt")
    (briefs / "folder").symlink_to(tmp_path / "sibling", target_is_directory=True)
    files = [each for each in discover(briefs, SUFFIXES) if isinstance(each, SourceFile)]
    refused = {each.path.name: each.refusal for each in files if each.refusal}
    assert set(refused) == {"absolute.txt", "relative.txt", "chain.txt", "device.txt"}
    assert all(error.code == "outside-folder" and error.advice for error in refused.values())
    assert {each.path.name for each in files} - set(refused) == {"brief.txt", "other.txt", "within.txt", "up.txt"}


@links
def test_a_folder_that_is_reached_by_a_link_itself_may_be_indexed(tmp_path: Path) -> None:
    fill(tmp_path, "real/brief.txt")
    (tmp_path / "real" / "again.txt").symlink_to("brief.txt")
    (tmp_path / "share").symlink_to(tmp_path / "real", target_is_directory=True)
    assert list(found(tmp_path / "share")) == ["again.txt", "brief.txt"]
    assert not any(isinstance(each, SourceFile) and each.refusal for each in discover(tmp_path / "share", SUFFIXES))


@byte_names
def test_a_folder_whose_name_is_not_utf8_is_an_error_of_its_own(tmp_path: Path) -> None:
    fill(tmp_path, "brief.pdf")
    strange = Path(os.fsdecode(os.fsencode(tmp_path) + b"/2019-\xff"))
    strange.mkdir()
    (strange / "inner.pdf").write_bytes(b"text")
    kinds = {type(each).__name__: each.path.name for each in discover(tmp_path, SUFFIXES)}
    assert kinds == {"SourceFile": "brief.pdf", "Unlisted": strange.name}
    with pytest.raises(SourceError, match="UTF-8"):
        require_source(strange, tmp_path / "bank")


@links
def test_a_link_into_a_bank_inside_the_folder_comes_with_its_refusal(tmp_path: Path) -> None:
    bank = tmp_path / "archive" / "bank"
    Layout(bank).create()
    fill(tmp_path, "brief.txt", "archive/other.txt", "archive/bank/secret.txt", "archive/bank/cache/kept.txt")
    (tmp_path / "settings.txt").symlink_to(bank / "bank.toml")
    (tmp_path / "deep.txt").symlink_to("archive/bank/cache/kept.txt")
    (tmp_path / "archive" / "near.txt").symlink_to("bank/secret.txt")
    (tmp_path / "within.txt").symlink_to("archive/other.txt")
    files = [each for each in discover(tmp_path, SUFFIXES) if isinstance(each, SourceFile)]
    refused = {each.path.name for each in files if each.refusal}
    assert refused == {"settings.txt", "deep.txt", "near.txt"}
    assert {each.path.name for each in files} - refused == {"brief.txt", "other.txt", "within.txt"}
    with pytest.raises(OutsideFolderError, match="of a bank"), SourcePlace(tmp_path, tmp_path / "deep.txt").opened():
        pass
