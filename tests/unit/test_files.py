"""Files and folders that are replaced whole, and what a crash between two steps leaves."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from systems import fsync, is_private

from briefbank.errors import AccessError, DiskError, UsageError
from briefbank.platform.disk import refusal_of
from briefbank.platform.files import (
    make_folder,
    new_file,
    new_folder,
    place_new_folder,
    put_aside,
    read_bounded,
    remove_tree,
    require_regular,
    sync_file,
    sync_folder,
    write_atomic,
    write_new,
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


def test_removing_a_tree_removes_what_an_earlier_try_left(tmp_path: Path) -> None:
    for name in ("tree", "tree.removing"):
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / "deep" / "file").write_text("x", encoding="utf-8")
    remove_tree(tmp_path / "tree")
    remove_tree(tmp_path / "never-there")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(NotADirectoryError) as caught:
            make_folder(folder)
        assert isinstance(refusal_of(caught.value), AccessError)


def test_a_folder_is_placed_only_where_nobody_was_first(tmp_path: Path) -> None:
    for name in ("ours", "theirs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    place_new_folder(tmp_path / "theirs", tmp_path / "bank")
    with pytest.raises(FileExistsError):
        place_new_folder(tmp_path / "ours", tmp_path / "bank")
    assert (tmp_path / "bank" / "file").read_text() == "theirs"
    assert (tmp_path / "ours" / "file").read_text() == "ours"


def test_a_new_file_never_takes_the_place_of_one_made_meanwhile(tmp_path: Path) -> None:
    place = tmp_path / "out.json"

    def write(theirs: bytes) -> None:
        with new_file(place) as temporary:
            temporary.write_bytes(b"ours")
            if theirs:
                place.write_bytes(theirs)

    with pytest.raises(UsageError, match="something at"):
        write(b"theirs")
    assert place.read_bytes() == b"theirs"
    place.unlink()
    write(b"")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("out.json", b"ours")]


def test_a_new_folder_never_takes_the_place_of_one_made_meanwhile(tmp_path: Path) -> None:
    place = tmp_path / "out"

    def write() -> None:
        with new_folder(place) as temporary:
            (temporary / "file").write_bytes(b"ours")
            place.mkdir()
            (place / "file").write_bytes(b"theirs")

    with pytest.raises(UsageError, match="something at"):
        write()
    assert [(each.name, (each / "file").read_bytes()) for each in tmp_path.iterdir()] == [("out", b"theirs")]


@fsync
@pytest.mark.parametrize(
    "act", [lambda path: write_atomic(path, b"x"), sync_file, lambda path: sync_folder(path.parent)]
)
def test_a_disk_that_fails_on_fsync_is_named_with_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: Callable[[Path], None]
) -> None:
    def refuse(_descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    (tmp_path / "current").touch()
    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(OSError, match="Input/output") as caught:
        act(tmp_path / "current")
    told = refusal_of(caught.value)
    assert isinstance(told, DiskError)
    assert str(tmp_path) in told.message


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
    assert outcomes <= {b"x", "it is a pipe or a device, not a file"}


@pytest.mark.parametrize("has_links", [True, False])
def test_a_new_file_never_takes_the_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    if not has_links:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError(errno.EPERM, "no links")))
    assert write_new(tmp_path / "bank.toml", b"first")
    assert not write_new(tmp_path / "bank.toml", b"second")
    assert (tmp_path / "bank.toml").read_bytes() == b"first"
    assert [path.name for path in tmp_path.iterdir()] == ["bank.toml"]
    assert is_private(tmp_path / "bank.toml")


def test_a_folder_in_the_place_of_a_file_is_put_aside_however_often(tmp_path: Path) -> None:
    kept = []
    for number in range(3):
        place = tmp_path / "cache.sqlite"
        place.mkdir()
        (place / "letter").write_text(str(number), encoding="utf-8")
        kept.append(put_aside(place))
    assert [(each / "letter").read_text(encoding="utf-8") for each in kept] == ["0", "1", "2"]
    for text in "ab":
        place.write_text(text, encoding="utf-8")
        assert put_aside(place).read_text(encoding="utf-8") == text
    assert len(list(tmp_path.iterdir())) == 4
