"""Processes of the remote bank killed outright: told at once, mended by themselves, and none outlives the window's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import office
import psutil
import pytest
from children import living_children
from program import ROOT
from systems import signals

from briefbank.bank.local import Bank
from briefbank.bank.port import ChildRole, EngineNotice, EngineState
from briefbank.bank.remote import RemoteBank
from briefbank.errors import EngineDiedError
from briefbank.values.records import Query

QUESTION = Query("may the police search after consent at a prolonged stop")
WAIT_S = 60
NOTICED_S = 0.5

PARENT = """
import signal, sys, time
from pathlib import Path
from briefbank.values.records import Query
from briefbank.bank.remote import RemoteBank
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has its background jobs ignore it
bank = RemoteBank(Path(sys.argv[1]), on_notice=lambda notice: None)
bank.start()
hit = bank.search(Query("consent")).result().hits[0]
bank.document_pages(hit.document.id).result()
bank.index(Path(sys.argv[2]), reporter=lambda told: print(told.stage, flush=True))
try:
    time.sleep(600)
except KeyboardInterrupt:
    bank.close()
    print("closed", flush=True)
"""


@dataclass
class Watched:
    """A remote bank, and when it told what."""

    root: Path
    told: list[tuple[float, EngineNotice]] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self.bank = RemoteBank(self.root, on_notice=self._on_notice)

    def _on_notice(self, notice: EngineNotice) -> None:
        with self.changed:
            self.told.append((time.monotonic(), notice))
            self.changed.notify_all()

    def wait_for(self, state: EngineState, *, after: int = 0) -> float:
        """Wait until the state is told, after so many notices; returns when it was."""
        with self.changed:
            assert self.changed.wait_for(lambda: self._found(state, after), WAIT_S), self.told
            return self._found(state, after)[0]

    def _found(self, state: EngineState, after: int) -> list[float]:
        return [when for when, notice in self.told[after:] if notice.state is state]

    def child(self, role: ChildRole) -> psutil.Process:
        return next(each for each in living_children() if each.cmdline()[-2:] == [role, str(self.root)])

    def kill(self, role: ChildRole) -> float:
        """Kill a child and return when."""
        self.child(role).kill()
        return time.monotonic()


@pytest.fixture
def watched(own_bank: Path) -> Iterator[Watched]:
    made = Watched(own_bank)
    made.bank.start()
    yield made
    made.bank.close()


def test_an_engine_killed_in_mid_search_is_told_of_at_once_and_searches_again(watched: Watched) -> None:
    watched.wait_for(EngineState.READY)
    watched.child(ChildRole.ENGINE).suspend()  # so that the search is in hand when it is killed
    pending = [watched.bank.search(QUESTION) for _ in range(3)]
    killed = watched.kill(ChildRole.ENGINE)
    for future in pending:
        with pytest.raises(EngineDiedError) as caught:
            future.result(NOTICED_S)
        assert caught.value.advice
    assert watched.wait_for(EngineState.RESTARTING) - killed < NOTICED_S
    assert watched.bank.search(QUESTION).result(WAIT_S).hits
    watched.wait_for(EngineState.READY, after=2)


def test_an_engine_that_keeps_dying_is_given_up_until_it_is_asked_for_again(watched: Watched) -> None:
    for number in range(3):
        watched.wait_for(EngineState.READY, after=2 * number)
        watched.kill(ChildRole.ENGINE)
        watched.wait_for(EngineState.FAILED if number == 2 else EngineState.RESTARTING, after=2 * number)
    assert watched.told[-1][1].advice
    with pytest.raises(EngineDiedError):
        watched.bank.search(QUESTION).result(NOTICED_S)
    watched.bank.restart()
    assert watched.bank.search(QUESTION).result(WAIT_S).hits


def test_a_page_maker_that_dies_costs_its_page_and_no_search(watched: Watched) -> None:
    hit = watched.bank.search(QUESTION).result(WAIT_S).hits[0]
    watched.bank.document_pages(hit.document.id).result(WAIT_S)
    watched.child(ChildRole.PAGES).suspend()
    page = watched.bank.page_text(hit.document.id, 1)
    watched.kill(ChildRole.PAGES)
    with pytest.raises(EngineDiedError, match="page"):
        page.result(NOTICED_S)
    assert watched.bank.search(QUESTION).result(WAIT_S).hits
    assert watched.bank.page_text(hit.document.id, 1).result(WAIT_S).words
    assert [notice.state for _, notice in watched.told] == [EngineState.READY]


def test_an_index_run_that_dies_is_told_of_and_loses_nothing(watched: Watched, tmp_path: Path) -> None:
    scans(tmp_path / "scans")
    reading = threading.Event()
    run = watched.bank.index(
        tmp_path / "scans", reporter=lambda told: reading.set() if told.stage == "reading" else None
    )
    assert reading.wait(WAIT_S)
    watched.kill(ChildRole.INDEX)
    with pytest.raises(EngineDiedError, match="index run") as caught:
        run.result(WAIT_S)
    assert caught.value.advice
    assert watched.bank.search(QUESTION).result(WAIT_S).hits
    assert Bank.open(watched.root).check() == []


def scans(folder: Path) -> None:
    folder.mkdir()
    for number in range(8):
        office.write_scan(folder / f"{number}.pdf", office.memo("Arrays", office.LINEUP), dpi=100 + number)


def start_parent(bank: Path, folder: Path) -> tuple[subprocess.Popen[str], list[psutil.Process]]:
    """A program with all three children, indexing, and everything below it."""
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(bank), str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    assert parent.stdout
    while parent.stdout.readline().strip() != "reading":
        assert parent.poll() is None
    below = psutil.Process(parent.pid).children(recursive=True)
    assert {ChildRole.ENGINE, ChildRole.PAGES, ChildRole.INDEX} <= {
        each.cmdline()[-2] for each in below if len(each.cmdline()) > 1
    }
    return parent, below


Ending = Callable[[subprocess.Popen[str]], None]


def kill_outright(parent: subprocess.Popen[str]) -> None:
    parent.kill()
    parent.communicate(timeout=WAIT_S)


def press_ctrl_c(parent: subprocess.Popen[str]) -> None:
    """As a terminal does it: to the whole group in the foreground."""
    os.killpg(parent.pid, signal.SIGINT)
    told, errors = parent.communicate(timeout=WAIT_S)
    assert "closed" in told
    assert errors == ""


@pytest.mark.parametrize("end", [kill_outright, pytest.param(press_ctrl_c, marks=signals)])
def test_no_process_outlives_the_one_that_started_it(end: Ending, own_bank: Path, tmp_path: Path) -> None:
    scans(tmp_path / "scans")
    parent, below = start_parent(own_bank, tmp_path / "scans")
    end(parent)
    _gone, left = psutil.wait_procs(below, timeout=60)
    assert not left, [each.cmdline() for each in left]
    assert Bank.open(own_bank).search(QUESTION).hits


@pytest.mark.parametrize(
    "code", ["import time; time.sleep(600)", "while True: pass", "import re; re.match('(a+)+$', 'a' * 60 + 'b')"]
)
def test_a_page_that_takes_too_long_ends_its_process(code: str) -> None:
    script = f"from briefbank.bank.child import guarded\nwith guarded(seconds=0.3):\n    {code}"
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=WAIT_S, check=False)
    assert done.returncode == 1
    assert done.stderr == b""
    assert time.monotonic() - began < 100


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory so")
def test_a_page_that_takes_too_much_memory_is_refused_and_the_next_is_not() -> None:
    script = """
from briefbank.errors import TooLargeError
from briefbank.bank.child import guarded
for size in (1 << 30, 1 << 20):
    try:
        with guarded(memory_bytes=1 << 28):
            print(len(bytearray(size)))
    except TooLargeError as problem:
        print(problem.advice)
print(len(bytearray(1 << 30)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=WAIT_S, check=False
    )
    refused, shown, after = done.stdout.splitlines()
    assert "original" in refused
    assert (shown, after) == (str(1 << 20), str(1 << 30))
