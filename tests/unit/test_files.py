"""Files and folders that are replaced whole, and what a crash between two steps leaves."""

from __future__ import annotations

import errno
import hashlib
import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from briefbank.errors import NoSpaceError
from briefbank.platform.files import (
    file_sha256,
    read_bounded,
    remove_tree,
    require_regular,
    space_guard,
    sync_tree,
    write_atomic,
)


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


def test_a_file_of_a_foreign_folder_is_read_up_to_its_bound(tmp_path: Path) -> None:
    file = tmp_path / "briefbank.csv"
    file.write_bytes(b"x" * 10)
    assert read_bounded(file, 10) == b"x" * 10
    for refused in (lambda: read_bounded(file, 9), lambda: require_regular(file, 9)):
        with pytest.raises(OSError, match="larger than 9 bytes"):
            refused()
    with pytest.raises(IsADirectoryError):
        read_bounded(tmp_path, 10)
    with pytest.raises(FileNotFoundError):
        read_bounded(tmp_path / "nothing", 10)


@pytest.mark.skipif(os.name == "nt", reason="there are no such files")
@pytest.mark.parametrize("kind", ["pipe", "endless"])
def test_a_pipe_and_an_endless_file_are_refused_at_once(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "briefbank.csv"
    if kind == "pipe":
        os.mkfifo(file)
    else:
        file.symlink_to("/dev/zero")
    with pytest.raises(OSError, match="pipe or a device"):
        read_bounded(file, 1 << 20)


@pytest.mark.skipif(os.name == "nt", reason="there are no such files")
def test_a_pipe_put_in_the_place_of_a_file_keeps_nobody_waiting(tmp_path: Path) -> None:
    """Whatever comes between the look and the opening: each try ends with the file's bytes or an error."""
    file, pipe, ready = tmp_path / "t.csv", tmp_path / "pipe", tmp_path / "ready.csv"
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            ready.write_bytes(b"x")
            ready.replace(file)
            os.mkfifo(pipe)
            pipe.replace(file)

    outcomes: set[object] = set()
    file.write_bytes(b"x")
    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        for _ in range(300):
            try:
                outcomes.add(read_bounded(file, 10))
            except OSError as error:
                outcomes.add(error.strerror)
    finally:
        stop.set()
        swapper.join()
    assert outcomes <= {b"x", "It is a pipe or a device, not a file"}
