"""Files and folders that are replaced whole, and what a crash between two steps leaves."""

from __future__ import annotations

import errno
import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from briefbank.errors import NoSpaceError
from briefbank.platform.files import file_sha256, remove_tree, space_guard, sync_tree, write_atomic


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(data=st.binary(max_size=200))
def test_an_atomic_write_replaces_the_file_and_leaves_nothing_else(tmp_path: Path, data: bytes) -> None:
    write_atomic(tmp_path / "current", data)
    assert [path.name for path in tmp_path.iterdir()] == ["current"]
    assert (tmp_path / "current").read_bytes() == data


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_atomic(tmp_path / "current", b"old")

    def refuse(_descriptor: int) -> None:
        raise OSError(errno.EIO, "broken disk")

    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(OSError, match="broken disk"):
        write_atomic(tmp_path / "current", b"new")
    assert (tmp_path / "current").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["current"]


def test_a_digest_is_that_of_the_whole_file(tmp_path: Path) -> None:
    data = bytes(range(256)) * 5000
    (tmp_path / "file").write_bytes(data)
    assert file_sha256(tmp_path / "file") == hashlib.sha256(data).hexdigest()


def test_removing_a_tree_removes_what_an_earlier_try_left(tmp_path: Path) -> None:
    for name in ("tree", "tree.removing"):
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / "deep" / "file").write_text("x", encoding="utf-8")
    remove_tree(tmp_path / "tree")
    remove_tree(tmp_path / "never-there")
    assert list(tmp_path.iterdir()) == []


def test_syncing_a_tree_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_bytes(b"x")
    sync_tree(tmp_path / "a")
    assert (tmp_path / "a" / "b" / "file").read_bytes() == b"x"


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
        lambda: raise_(OSError(errno.ENOSPC, "full")),
        lambda: raise_(OSError(errno.EDQUOT, "over quota")),
        lambda: raise_(RuntimeError("lance error: LanceError(IO): No space left on device (os error 28)")),
        full_database,
    ],
)
def test_a_full_disk_is_told_as_such_by_whatever_library(tmp_path: Path, fill: Callable[[], None]) -> None:
    with pytest.raises(NoSpaceError, match="writing the index"), space_guard(tmp_path, "writing the index"):
        fill()


@pytest.mark.parametrize("error", [OSError(errno.EIO, "broken"), RuntimeError("broken")])
def test_other_errors_are_not_taken_for_a_full_disk(tmp_path: Path, error: Exception) -> None:
    with pytest.raises(type(error), match="broken"), space_guard(tmp_path, "writing"):
        raise error
