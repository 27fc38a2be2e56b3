"""Files that are replaced, and indexes that are published, while other programs have them open: the same on every
system, though Windows lets nobody replace or remove a file that is open.
"""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
import time
from contextlib import closing, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread

import office
import pytest
from program import ROOT

from briefbank.bank.local import Bank
from briefbank.errors import AccessError, UsageError
from briefbank.index.publish import publish, roll_back, start_generation
from briefbank.platform.disk import refusal_of
from briefbank.platform.files import new_file, sync_folder, write_atomic
from briefbank.platform.layout import Layout
from briefbank.platform.windows import api

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


def publish_one(layout: Layout, hours: int) -> str:
    building = start_generation(layout, NOON + timedelta(hours=hours))
    (building / "content").write_bytes(b"%d" % hours * 5000)
    return publish(layout, building)


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    made = Layout(tmp_path / "bank")
    made.create()
    return made


def test_the_live_generation_can_be_named_anew_while_others_read_its_name(layout: Layout) -> None:
    write_atomic(layout.current_file, b"0\n")
    is_done = Event()
    read: list[str | None] = []
    faults: list[OSError] = []

    def keep_reading() -> None:
        try:
            while not is_done.is_set():
                read.append(layout.current())
                time.sleep(0.005)  # the engine looks every few seconds
        except OSError as error:
            faults.append(error)

    readers = [Thread(target=keep_reading) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for number in range(1, 40):
            write_atomic(layout.current_file, b"%d\n" % number)
    finally:
        is_done.set()
        for reader in readers:
            reader.join()
    assert faults == []
    assert layout.current() == "39"
    assert {"39", *read} <= {str(number) for number in range(40)}


def test_a_file_that_is_read_for_a_moment_is_replaced_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "current"
    write_atomic(path, b"old")
    opened = path.open("rb")

    def close_soon() -> None:
        time.sleep(0.3)
        opened.close()

    closer = Thread(target=close_soon)
    closer.start()
    write_atomic(path, b"new")
    closer.join()
    assert path.read_bytes() == b"new"
    assert [each.name for each in tmp_path.iterdir()] == ["current"]


@pytest.mark.skipif(os.name != "nt", reason="elsewhere files that are open are replaced too")
def test_whoever_cannot_replace_a_file_is_told_that_another_program_may_have_it_open(tmp_path: Path) -> None:
    path = tmp_path / "current"
    write_atomic(path, b"old")
    with path.open("rb"), pytest.raises(PermissionError) as raised:
        write_atomic(path, b"new")
    refusal = refusal_of(raised.value)
    assert isinstance(refusal, AccessError)
    assert "another program has open" in refusal.advice
    assert path.read_bytes() == b"old"


def test_publishing_and_going_back_work_while_a_window_searches_an_older_generation(layout: Layout) -> None:
    oldest = publish_one(layout, 0)
    held = layout.generation(oldest) / "content"
    with held.open("rb") as file, closing(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)) as mapped:
        names = [publish_one(layout, hours) for hours in (1, 2, 3)]
        assert layout.current() == names[-1]
        assert roll_back_without_digests(layout) == names[-2]
        assert mapped[:3] == b"000"
    last = publish_one(layout, 4)
    kept = sorted(each.name for each in layout.generations.iterdir())
    assert kept == [names[-2], last]


def roll_back_without_digests(layout: Layout) -> str:
    """Go back; these generations have no manifest to be looked at."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("briefbank.index.publish.require_intact", lambda *_: None)
        return roll_back(layout)


@pytest.mark.skipif(os.name != "nt", reason="the names are Windows'")
@pytest.mark.parametrize("name", ["CON.docx", "nul", "matter. "])
def test_a_name_that_windows_does_not_keep_is_refused_before_anything_is_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="Windows keeps no file"), new_file(Path(f"{tmp_path}\\{name}")):
        pytest.fail("it was begun")


@pytest.mark.skipif(os.name != "nt", reason="the numbers are Windows'")
@pytest.mark.parametrize(("number", "is_told"), [(1117, True), (433, True), (1, False), (5, False), (50, False)])
def test_a_disk_that_fails_while_a_folder_is_flushed_is_told_and_one_that_cannot_flush_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, *, is_told: bool
) -> None:
    def fail(*_words: object, path: str | None = None) -> None:
        raise api.fault(number, path)

    monkeypatch.setattr(api, "done", fail)
    with pytest.raises(OSError, match=r"\S") if is_told else nullcontext():
        sync_folder(tmp_path)


WINDOW = """
import sys
from pathlib import Path
from briefbank.bank.local import Bank
from briefbank.values.records import Query
bank = Bank.open(Path(sys.argv[1]))
for asked in sys.stdin:
    print(len(bank.search(Query("was the stop prolonged")).hits), flush=True)
"""


def test_indexing_and_going_back_work_while_another_process_searches_and_old_indexes_go_when_it_ends(
    empty_bank: Path, folder: Path
) -> None:
    def index_one_more(name: str) -> None:
        office.write_text(folder / name, office.memo(name, office.LINEUP))
        assert Bank.open(empty_bank).index(folder).indexed == 1

    Bank.open(empty_bank).index(folder)
    words = [sys.executable, "-c", WINDOW, str(empty_bank)]
    with subprocess.Popen(
        words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1
    ) as window:
        assert window.stdin
        assert window.stdout

        def search() -> int:
            window.stdin.write("ask\n")
            return int(window.stdout.readline())

        found = search()
        assert found > 0
        for name in ("one.txt", "two.txt", "three.txt"):
            index_one_more(name)
            assert search() >= found
        Bank.open(empty_bank).rollback()
        assert search() >= found
        window.stdin.close()
    assert window.returncode == 0
    index_one_more("four.txt")
    assert len(list((empty_bank / "generations").iterdir())) == 2
    assert Bank.open(empty_bank).check() == []
