"""What a disk refuses is told as what it is, with the place, whichever library met it."""

from __future__ import annotations

import errno
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from briefbank.errors import AccessError, BankDamagedError, BriefBankError, DiskError, NoSpaceError
from briefbank.platform.disk import disk_guard, refusal_of

linux_numbers = pytest.mark.skipif(sys.platform == "win32", reason="the numbers are Linux's; Windows has its own")


def full_database() -> None:
    database = sqlite3.connect(":memory:")
    try:
        database.execute("PRAGMA max_page_count = 1")
        database.execute("CREATE TABLE t (a)")
    finally:
        database.close()


def raise_(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    "fill",
    [
        lambda: raise_(OSError(errno.EDQUOT, "over quota")),
        lambda: raise_(RuntimeError("lance error: LanceError(IO): No space left on device (os error 28)")),
        full_database,
    ],
)
def test_a_full_disk_is_told_as_such_by_whatever_library(tmp_path: Path, fill: Callable[[], None]) -> None:
    with pytest.raises(NoSpaceError, match="writing the index"), disk_guard(tmp_path, "writing the index"):
        fill()


@pytest.mark.parametrize("error", [OSError(errno.EINVAL, "broken"), RuntimeError("broken")])
def test_other_errors_are_not_taken_for_a_full_disk(tmp_path: Path, error: Exception) -> None:
    with pytest.raises(type(error), match="broken"), disk_guard(tmp_path, "writing"):
        raise error


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (OSError(errno.ESTALE, "stale"), DiskError),
        pytest.param(
            RuntimeError("lance error: LanceError(IO): Input/output error (os error 5)"), DiskError, marks=linux_numbers
        ),
        (OSError(errno.ENOSPC, "full"), NoSpaceError),
        (OSError(errno.EROFS, "read-only"), AccessError),
        (OSError(errno.EACCES, "denied"), AccessError),
    ],
)
def test_what_names_no_file_is_told_with_the_place_at_hand(
    tmp_path: Path, fault: Exception, kind: type[BriefBankError]
) -> None:
    told = refusal_of(fault, tmp_path)
    assert type(told) is kind
    assert str(tmp_path) in told.message
    assert told.advice


def test_a_file_that_the_fault_names_comes_before_the_place_at_hand(tmp_path: Path) -> None:
    told = refusal_of(OSError(errno.EIO, "broken", str(Path("/srv/briefs/a.pdf"))), tmp_path)
    assert told
    assert str(Path("/srv/briefs/a.pdf")) in told.message


@pytest.mark.parametrize(
    ("code", "kind"),
    [(sqlite3.SQLITE_IOERR_FSYNC, DiskError), (sqlite3.SQLITE_CORRUPT, BankDamagedError)],
)
def test_what_a_database_meets_is_told_by_its_code(tmp_path: Path, code: int, kind: type[BriefBankError]) -> None:
    fault = sqlite3.OperationalError("it failed")
    fault.sqlite_errorcode = code
    assert type(refusal_of(fault, tmp_path)) is kind


def test_a_disk_that_is_copied_from_is_not_taken_for_the_one_that_is_written(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="pulled"), disk_guard(tmp_path / "models", "copying"):
        raise OSError(errno.EIO, "pulled", str(tmp_path / "stick" / "model.gguf"))
