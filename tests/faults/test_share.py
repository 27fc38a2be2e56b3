"""A share that is written to, hangs up or comes back while it is read: nothing is lost from the index, all is said."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import office
import pytest
from pool_at_once import Event, PoolAtOnce
from program import ROOT, command
from systems import links

from briefbank.bank.local import Bank
from briefbank.errors import CancelledError, ReaderKilledError, SourceError
from briefbank.platform.files import file_sha256
from briefbank.platform.progress import CancelToken, Progress
from briefbank.values.records import Query


@pytest.fixture
def happen(monkeypatch: pytest.MonkeyPatch) -> Callable[[Event], None]:
    """Have something happen before a step with a file."""
    monkeypatch.setattr("briefbank.ingest.texts.GuardedPool", PoolAtOnce)

    def arrange(event: Event) -> None:
        monkeypatch.setattr(PoolAtOnce, "before", staticmethod(event), raising=False)

    arrange(lambda step, path: None)
    return arrange


@pytest.fixture
def bank(empty_bank: Path, folder: Path, happen: Callable[[Event], None]) -> Bank:
    """A bank of the folder's two briefs."""
    made = Bank.open(empty_bank)
    made.index(folder)
    return made


def sources(bank: Bank) -> list[str]:
    return sorted(Path(each.source_path).name for each in bank.documents())


def has(bank: Bank, words: str) -> bool:
    return any(words in hit.passage.text for hit in bank.search(Query(words)).hits)


def rewrite(path: Path, text: str) -> None:
    office.write_text(path, office.brief("Alder Quince", "A-1482-17T4", "May 4, 2018", ("THE LINEUP.", text)))


def test_a_file_that_changes_while_it_is_read_waits_for_the_next_run(
    bank: Bank, folder: Path, happen: Callable[[Event], None]
) -> None:
    quince = folder / "quince.txt"
    rewrite(quince, office.LINEUP)
    happen(lambda step, path: rewrite(path, office.LINEUP + " " + office.CHARGE) if step == "readfile" else None)
    report = bank.index(folder)
    ((path, note),) = report.notes
    assert path == str(quince)
    assert "changed while" in note
    assert report.failures == ()
    assert has(bank, "reasonable and articulable suspicion")  # as it was before
    happen(lambda step, path: None)
    assert bank.index(folder).notes == ()
    assert has(bank, "blind administration")
    assert has(bank, "purpose or knowledge")


def test_a_file_that_vanishes_while_it_is_read_is_named_and_dropped_by_the_next_run(
    bank: Bank, folder: Path, happen: Callable[[Event], None]
) -> None:
    quince = folder / "quince.txt"
    rewrite(quince, office.LINEUP)
    happen(lambda step, path: path.unlink() if step == "digest" else None)
    report = bank.index(folder)
    ((path, note),) = report.notes
    assert (path, "went away" in note) == (str(quince), True)
    assert sources(bank) == ["lorne.txt", "quince.txt"]
    assert bank.index(folder).removed == 1
    assert sources(bank) == ["lorne.txt"]


def test_a_changed_file_that_cannot_be_read_fails_and_keeps_its_earlier_text(
    bank: Bank, folder: Path, happen: Callable[[Event], None]
) -> None:
    def fail(step: str, path: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    rewrite(folder / "quince.txt", office.LINEUP)
    happen(fail)
    for _ in range(2):
        (failure,) = bank.index(folder).failures
        assert failure.code == "unreadable"
        assert "keeps the text" in failure.error
        assert sources(bank) == ["lorne.txt", "quince.txt"]
    happen(lambda step, path: None)
    assert bank.index(folder).failures == ()
    assert has(bank, "blind administration")


def test_a_file_whose_reader_the_system_killed_keeps_its_earlier_text_and_is_tried_again(
    bank: Bank, folder: Path, happen: Callable[[Event], None]
) -> None:
    def kill(step: str, path: Path) -> None:
        raise ReaderKilledError("The system killed the process that read the file.", "Give it more memory.")

    rewrite(folder / "quince.txt", office.LINEUP)
    office.write_text(folder / "memo.txt", office.memo("Stops", office.STOP))
    happen(kill)
    for _ in range(2):
        earlier, new = sorted(bank.index(folder).failures, key=lambda each: "memo" in each.path)
        assert (earlier.code, new.code) == ("reader-killed", "reader-killed")
        assert "keeps the text" in earlier.error
        assert sources(bank) == ["lorne.txt", "quince.txt"]
    happen(lambda step, path: None)
    assert bank.index(folder).failures == ()
    assert sources(bank) == ["lorne.txt", "memo.txt", "quince.txt"]


@links
def test_a_link_that_leaves_the_folder_publishes_nothing_and_what_it_published_goes(
    bank: Bank, folder: Path, tmp_path: Path
) -> None:
    key = office.write_text(tmp_path / "office.key", "-----BEGIN PRIVATE KEY-----\n" + office.paragraph(office.STOP))
    link = office.write_text(folder / "note.txt", key.read_text(encoding="utf-8"))
    bank.index(folder)
    assert "note.txt" in sources(bank)  # as an earlier version read it through a link
    link.unlink()
    link.symlink_to(key)
    for _ in range(2):
        (failure,) = bank.index(folder).failures
        assert (failure.path, failure.code) == (str(link), "outside-folder")
        assert "copy" in failure.advice
        assert sources(bank) == ["lorne.txt", "quince.txt"]
    link.unlink()
    link.symlink_to("quince.txt")
    report = bank.index(folder)
    assert (report.failures, report.copies) == ((), 1)


@links
@pytest.mark.parametrize("step_of_swap", ["digest", "readfile"])
def test_a_link_put_in_the_place_of_a_listed_file_publishes_nothing(
    bank: Bank, folder: Path, tmp_path: Path, happen: Callable[[Event], None], step_of_swap: str
) -> None:
    memo = office.write_text(folder / "memo.txt", office.memo("Stops", office.STOP))
    listed = memo.stat()
    key = office.write_text(tmp_path / "office.key", "SECRET ".ljust(listed.st_size, "x"))
    os.utime(key, ns=(listed.st_atime_ns, listed.st_mtime_ns))

    def swap(step: str, path: Path) -> None:
        if step == step_of_swap:
            path.unlink()
            path.symlink_to(key)

    happen(swap)
    (failure,) = bank.index(folder).failures
    assert (failure.path, failure.code) == (str(memo), "outside-folder")
    assert sources(bank) == ["lorne.txt", "quince.txt"]


@pytest.mark.parametrize("leaves_an_empty_folder", [False, True])
def test_a_share_that_goes_while_it_is_read_costs_the_index_nothing(
    bank: Bank, folder: Path, happen: Callable[[Event], None], leaves_an_empty_folder: bool
) -> None:
    away = folder.with_name("away")

    def go(step: str, path: Path) -> None:
        if not away.exists():
            folder.rename(away)
            if leaves_an_empty_folder:
                folder.mkdir()

    for name in ("lorne.txt", "quince.txt"):
        rewrite(folder / name, f"{office.LINEUP} This is {name}.")
    live = bank.status().generation
    happen(go)
    with pytest.raises(SourceError, match="went away") as caught:
        bank.index(folder)
    assert "share" in caught.value.advice
    assert bank.status().generation == live
    assert bank.status().failures == ()
    assert sources(bank) == ["lorne.txt", "quince.txt"]
    if leaves_an_empty_folder:
        folder.rmdir()
    away.rename(folder)
    happen(lambda step, path: None)
    assert bank.index(folder).indexed == 2
    assert has(bank, "blind administration")


def test_a_subfolder_that_cannot_be_listed_is_named_and_keeps_what_it_held(
    bank: Bank, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.write_text(folder / "2019" / "memo.txt", office.memo("Arrays", office.LINEUP))
    bank.index(folder)
    (folder / "lorne.txt").unlink()
    real = os.scandir

    def hang_up(path: Any) -> Any:
        if isinstance(path, Path) and path.name == "2019":
            raise OSError(errno.EHOSTDOWN, os.strerror(errno.EHOSTDOWN), str(path))
        return real(path)

    monkeypatch.setattr("briefbank.ingest.discover.os.scandir", hang_up)
    report = bank.index(folder)
    assert [Path(failure.path).name for failure in report.failures] == ["2019"]
    assert report.removed == 1
    assert sources(bank) == ["memo.txt", "quince.txt"]


@pytest.fixture
def settling(empty_bank: Path, happen: Callable[[Event], None]) -> Bank:
    """A bank that reads no file before it stayed the same for a second."""
    return Bank.open(office.write_bank(empty_bank, settle_s=1.0))


@pytest.fixture
def growing(folder: Path) -> Iterator[Path]:
    """A file that is being copied into the folder."""
    copied, stop = folder / "growing.txt", threading.Event()

    def copy() -> None:
        with copied.open("a", encoding="utf-8") as file:
            while not stop.wait(0.05):
                file.write("The brief goes on. ")
                file.flush()

    thread = threading.Thread(target=copy)
    thread.start()
    yield copied
    stop.set()
    thread.join()


def test_a_file_that_is_being_copied_waits_and_settled_ones_are_read(
    settling: Bank, folder: Path, growing: Path
) -> None:
    os.utime(folder / "lorne.txt", ns=(1, 1))
    report = settling.index(folder)
    assert [path for path, _ in report.notes] == [str(growing)]
    assert report.failures == ()
    assert sources(settling) == ["lorne.txt", "quince.txt"]


def test_settling_is_counted_from_the_end_of_the_walk(
    settling: Bank, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A walk of minutes says nothing of a file that was looked at in its beginning."""
    real, timers = os.scandir, []
    office.write_text(folder / "zest" / "memo.txt", office.memo("Arrays", office.LINEUP))

    def slow(path: Any) -> Any:
        if isinstance(path, Path) and path.name == "zest":
            time.sleep(1.5)
            more = partial(rewrite, folder / "quince.txt", office.CHARGE)
            timers.append(threading.Timer(0.4, more))
            timers[0].start()
        return real(path)

    monkeypatch.setattr("briefbank.ingest.discover.os.scandir", slow)
    report = settling.index(folder)
    for timer in timers:
        timer.join()
    assert [Path(path).name for path, _ in report.notes] == ["quince.txt"]
    assert sources(settling) == ["lorne.txt", "memo.txt"]


def test_waiting_for_files_to_settle_ends_when_asked(empty_bank: Path, folder: Path) -> None:
    bank, cancel = Bank.open(office.write_bank(empty_bank, settle_s=3600.0)), CancelToken()

    def stop(progress: Progress) -> None:
        if progress.stage == "reading":
            threading.Timer(0.2, cancel.cancel).start()

    began = time.monotonic()
    with pytest.raises(CancelledError):
        bank.index(folder, reporter=stop, cancel=cancel)
    assert time.monotonic() - began < 60


def test_a_share_that_nobody_may_write_to_is_indexed_and_left_as_it_is(empty_bank: Path, folder: Path) -> None:
    deep = folder.joinpath(*["a folder of the appeals unit with a long name"] * 7)
    office.write_text(deep / "протокол 証言.txt", office.memo("Arrays", office.LINEUP))
    share = folder.parent / "share"
    share.mkdir()
    before = snapshot(folder)
    call = " ".join(command("index", share, "--bank", empty_bank, "--quiet"))
    script = f"mount --bind {folder} {share} && mount -o remount,bind,ro {share} || exit 99\n"
    script += f"touch {share}/x 2>/dev/null && exit 98\n{call}"
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed")
    words = ["unshare", "-rm", "sh", "-c", script]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120, check=False)
    if done.returncode == 99 or "Operation not permitted" in done.stderr:
        pytest.skip("no read-only disk can be mounted here")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(Bank.open(empty_bank).documents()) == 3
    assert snapshot(folder) == before


def snapshot(folder: Path) -> dict[str, str]:
    return {str(path): file_sha256(path) if path.is_file() else "" for path in sorted(folder.rglob("*"))}
