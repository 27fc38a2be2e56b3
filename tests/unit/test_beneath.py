"""Opening files of the source folder, while somebody puts links in their way."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from systems import links, pipes

from briefbank.errors import ChangingFileError, OutsideFolderError
from briefbank.ingest.beneath import SourcePlace

SECRET, BRIEF = b"-----BEGIN PRIVATE KEY-----", b"A brief."


@pytest.fixture
def briefs(tmp_path: Path) -> Path:
    folder = tmp_path / "briefs"
    (folder / "2019").mkdir(parents=True)
    (folder / "2019" / "brief.txt").write_bytes(BRIEF)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "brief.txt").write_bytes(SECRET)
    return folder


def read(folder: Path, path: Path) -> bytes:
    with SourcePlace(folder, path).opened() as opened:
        assert opened.name == path.name
        return opened.read_bytes()


@links
@pytest.mark.parametrize("target", ["../outside/brief.txt", "{tmp}/outside/brief.txt", "/proc/self/environ"])
def test_a_link_out_of_the_folder_is_refused(briefs: Path, tmp_path: Path, target: str) -> None:
    (briefs / "link.txt").symlink_to(target.format(tmp=tmp_path))
    with pytest.raises(OutsideFolderError, match=r"link\.txt"):
        read(briefs, briefs / "link.txt")


@links
def test_a_link_to_a_folder_outside_is_refused_for_what_is_below_it(briefs: Path, tmp_path: Path) -> None:
    (briefs / "linked").symlink_to(tmp_path / "outside")
    with pytest.raises(OutsideFolderError):
        read(briefs, briefs / "linked" / "brief.txt")


@links
@pytest.mark.parametrize("target", ["2019/brief.txt", "{tmp}/briefs/2019/brief.txt", "../briefs/2019/brief.txt"])
def test_a_link_within_the_folder_is_read(briefs: Path, tmp_path: Path, target: str) -> None:
    (briefs / "link.txt").symlink_to(target.format(tmp=tmp_path))
    assert read(briefs, briefs / "link.txt") == BRIEF


@pipes
def test_a_pipe_is_refused_without_waiting_for_a_writer(briefs: Path) -> None:
    os.mkfifo(briefs / "pipe.txt")
    with pytest.raises(OSError, match="pipe"):
        read(briefs, briefs / "pipe.txt")


@links
def test_what_was_opened_is_read_whatever_becomes_of_its_name(briefs: Path, tmp_path: Path) -> None:
    path = briefs / "2019" / "brief.txt"
    with SourcePlace(briefs, path).opened() as opened:
        path.unlink()
        path.symlink_to(tmp_path / "outside" / "brief.txt")
        assert opened.read_bytes() == BRIEF


@contextmanager
def swapping(here: Path, ours: Path, theirs: Path) -> Iterator[None]:
    """Let `here` be a link to `theirs` and the real `ours` by turns, as fast as can be."""
    stop = threading.Event()

    def swap() -> None:
        link = here.with_name("link")
        while not stop.is_set():
            link.symlink_to(theirs)
            here.rename(ours)
            link.rename(here)
            here.unlink()
            ours.rename(here)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@links
@pytest.mark.parametrize("what", ["2019", "2019/brief.txt"])
def test_a_link_put_in_between_never_leads_out(briefs: Path, tmp_path: Path, what: str) -> None:
    here = briefs / what
    outside = tmp_path / "outside" / ("brief.txt" if here.is_file() else "")
    read_bytes: set[bytes] = set()
    with swapping(here, here.with_name("aside"), outside):
        deadline = time.monotonic() + 1.5
        while time.monotonic() < deadline:
            try:
                read_bytes.add(read(briefs, briefs / "2019" / "brief.txt"))
            except (OutsideFolderError, ChangingFileError, FileNotFoundError):
                continue
    assert read_bytes <= {BRIEF}


@links
def test_a_link_replaced_while_it_is_resolved_is_a_file_that_changes(
    briefs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = briefs / "link.txt"
    link.symlink_to(briefs / "2019" / "brief.txt")
    real_readlink = os.readlink

    def replaced_first(path: str) -> str:
        link.unlink()
        link.write_bytes(BRIEF)
        return real_readlink(path)

    monkeypatch.setattr(os, "readlink", replaced_first)
    with pytest.raises(ChangingFileError, match="replaced"):
        read(briefs, link)
