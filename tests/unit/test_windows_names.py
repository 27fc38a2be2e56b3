"""Names and numbers of Windows, which are only words and tables: tried on every system."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from briefbank.errors import DiskError, NoSpaceError
from briefbank.platform.disk import refusal_of
from briefbank.platform.windows.holding import number_of
from briefbank.platform.windows.names import as_listed, as_written, is_device, plain


@pytest.mark.parametrize("name", ["CON", "nul.txt", "aux.pdf", "Com1", "lpt9.tar.gz", "PRN .x", "CONIN$"])
def test_names_of_devices_are_known_whatever_follows_them(name: str) -> None:
    assert is_device(name)


@pytest.mark.parametrize("name", ["console.pdf", "auxiliary.pdf", "com.pdf", "com10.pdf", "State v. Con.pdf", "null"])
def test_names_that_only_begin_so_are_no_devices(name: str) -> None:
    assert not is_device(name)


@pytest.mark.parametrize(
    ("path", "form"),
    [
        (r"C:\briefs\a.pdf", r"C:\briefs\a.pdf"),
        (r"\\server\share\a.pdf", r"\\server\share\a.pdf"),
        (r"C:\briefs\aux.pdf", "\\\\?\\C:\\briefs\\aux.pdf"),
        (r"C:\nul\a.pdf", "\\\\?\\C:\\nul\\a.pdf"),
        (r"\\server\share\aux.pdf", "\\\\?\\UNC\\server\\share\\aux.pdf"),
        ("C:\\briefs\\motion. ", "\\\\?\\C:\\briefs\\motion. "),
        ("C:/briefs/con", "\\\\?\\C:\\briefs\\con"),
        (r"C:\office\..\bank\a.pdf", r"C:\office\..\bank\a.pdf"),
        (r"aux.pdf", "aux.pdf"),
        ("\\\\?\\C:\\aux.pdf", "\\\\?\\C:\\aux.pdf"),
        ("C:\\" + "x" * 300, "\\\\?\\C:\\" + "x" * 300),
    ],
)
def test_a_path_that_windows_would_misread_gets_the_form_that_it_takes_as_written(path: str, form: str) -> None:
    assert as_written(path) == form
    assert plain(form) == path.replace("/", "\\").removeprefix("\\\\?\\")


@pytest.mark.parametrize(
    ("path", "form"),
    [
        (r"C:\office\..\bank\aux.pdf", "\\\\?\\C:\\bank\\aux.pdf"),
        ("C:\\office\\..\\bank\\" + "x" * 250, "\\\\?\\C:\\bank\\" + "x" * 250),
        (r"\\server\share\office\..\aux.pdf", "\\\\?\\UNC\\server\\share\\aux.pdf"),
    ],
)
def test_the_way_back_up_is_gone_from_a_path_that_is_taken_as_written(path: str, form: str) -> None:
    assert as_written(path) == form


def test_a_path_in_other_letters_is_given_those_that_its_folders_list(tmp_path: Path) -> None:
    (tmp_path / "Briefs" / "2019").mkdir(parents=True)
    assert as_listed(tmp_path / "bRIEFS" / "2019" / "not There") == tmp_path / "Briefs" / "2019" / "not There"
    assert as_listed(tmp_path / "Briefs") == tmp_path / "Briefs"


def test_a_full_disk_and_a_share_that_is_gone_are_known_by_windows_own_numbers() -> None:
    assert number_of(112) == errno.ENOSPC
    assert number_of(64) == errno.EIO
    assert number_of(123_456) is None


@pytest.mark.skipif(os.name != "nt", reason="the numbers are Windows'")
@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [(112, NoSpaceError, "No space"), (64, DiskError, "reports a fault"), (1117, DiskError, "reports a fault")],
)
def test_libraries_in_rust_that_tell_windows_number_are_understood(
    number: int, kind: type[Exception], words: str, tmp_path: Path
) -> None:
    refusal = refusal_of(RuntimeError(f"lance error: (os error {number})"), tmp_path)
    assert isinstance(refusal, kind)
    assert words in str(refusal)
