"""An index run on a cluster makes the bank that one machine makes, whatever dies meanwhile."""

from __future__ import annotations

import platform
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import office
import psutil
import pytest
import slow_encoder
from clusters import content, index_here, index_with, kills
from program import ROOT, Briefbank, command, python_path

from briefbank.bank.local import Bank
from briefbank.errors import EngineDiedError, ReaderKilledError
from briefbank.ingest.cluster import reading
from briefbank.ingest.cluster.machines import local_cluster
from briefbank.platform.layout import Layout

pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

POINTS = (office.STOP, office.CONSENT, office.HEARSAY, office.CHARGE, office.SENTENCE, office.LINEUP)
PATIENT_S = 600
"""The time limit for reading is of clocks: no file may fail by it in one run alone where the machine is busy."""
HOST = "127.0.0.1"
WAIT_S = 120


@pytest.fixture(scope="module")
def briefs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of twelve briefs, a copy, a scan, and two files that cannot be read."""
    folder = tmp_path_factory.mktemp("cluster") / "briefs"
    for number in range(12):
        one, other = POINTS[number % 6], POINTS[(number + 1 + number // 6) % 6]
        text = office.brief(
            f"Client {number}", f"A-{1000 + number}-20", f"May {number + 1}, 2020", ("ONE.", one), ("TWO.", other)
        )
        office.write_text(folder / f"{number % 3}" / f"brief-{number:02d}.txt", text)
    shutil.copy(folder / "0" / "brief-00.txt", folder / "copy.txt")
    office.write_scan(folder / "scan.pdf", office.memo("Arrays", office.LINEUP), dpi=120)
    (folder / "empty.txt").write_bytes(b"")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    return folder


@pytest.fixture(scope="module")
def alone(briefs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bank that one machine makes of it."""
    bank = new_bank(tmp_path_factory.mktemp("alone"))
    index_here(briefs, bank)
    return bank


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all processes read slowly."""
    slow = Path(slow_encoder.__file__)
    monkeypatch.setenv("BRIEFBANK_TEST_ENCODER", f"hashing={slow}:SlowEncoder")
    monkeypatch.setenv("PYTHONPATH", python_path(slow.parent))


def new_bank(place: Path) -> Path:
    return office.write_bank(place / "bank", read_timeout_s=PATIENT_S)


def test_a_cluster_makes_the_bank_that_one_machine_makes(
    briefs: Path, alone: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bank, told = new_bank(tmp_path), []
    with local_cluster(briefs, 2) as local:
        report = index_with(local, briefs, bank, lambda at: told.append((at.files_done, at.files_total)))
        assert content(bank) == content(alone)
        assert (report.indexed, len(report.failures), report.copies) == (14, 2, 1)
        assert (16, 16) in told
        assert not index_here(briefs, bank).published
        Layout(bank).ledger_file.unlink()
        assert index_with(local, briefs, bank).pages == 0, "what the bank has is not read again"
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("slowly")
@pytest.mark.parametrize("seed", range(3))
def test_killed_workers_change_nothing(briefs: Path, alone: Path, tmp_path: Path, seed: int) -> None:
    bank = new_bank(tmp_path)
    with local_cluster(briefs, 2) as local:
        with kills(local, 5, seed) as on_progress:
            report = index_with(local, briefs, bank, on_progress)
        if len(report.failures) > 2:  # files over which workers died again and again
            assert {each.code for each in report.failures} >= {ReaderKilledError.code}
            index_with(local, briefs, bank)
    assert content(bank) == content(alone)


@pytest.mark.slow
def test_a_file_that_kills_its_workers_fails_alone_and_by_name(
    tmp_path: Path, slowly: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others that were given out with it are read all the same; once it kills no more, the next run reads it."""
    folder, bank = tmp_path / "briefs", new_bank(tmp_path)
    for number in range(4):
        office.write_text(folder / f"memo-{number}.txt", office.memo(f"Matter {number}", POINTS[number]))
    text = office.memo("Mushrooms", f"{office.STOP} {slow_encoder.DEADLY}")
    deadly = office.write_text(folder / "deadly.txt", text)
    with local_cluster(folder, 1) as local:
        report = index_with(local, folder, bank)
    [failure] = report.failures
    assert (failure.path, failure.code) == (str(deadly), ReaderKilledError.code)
    assert "died again and again while they read this file" in failure.error
    assert report.indexed == 4
    monkeypatch.undo()
    whole = new_bank(tmp_path / "whole")
    index_here(folder, whole)
    with Bank.open(bank) as opened:
        assert opened.index(folder, retry_failed=True).indexed == 1
    assert content(bank) == content(whole)


@pytest.mark.slow
def test_a_worker_that_would_read_otherwise_is_refused_by_name(
    briefs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warned: list[str] = []
    with local_cluster(briefs, 1) as local:
        monkeypatch.setattr(reading, "_engine_name", lambda _: "tesseract-9.9/2")
        with pytest.raises(EngineDiedError, match="No machine of the cluster"):
            index_with(local, briefs, new_bank(tmp_path), warn=warned.append, patience_s=15.0)
    [told] = warned
    assert told.startswith(f"{platform.node()} takes no part")
    assert told.endswith("instead of tesseract-9.9/2.")


@contextmanager
def running(*words: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Have a command run until the block ends; yields it with what it says once it is at work. Ctrl-C ends it."""
    process = subprocess.Popen(
        command("cluster", *words), cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True
    )
    try:
        assert process.stdout
        yield process, process.stdout.readline()
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            assert process.wait(WAIT_S) == 0
        assert process.stdout
        process.stdout.close()


def wait_until(happened: Any) -> None:
    deadline = time.monotonic() + WAIT_S
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("slowly")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no Ctrl-C to one process")
def test_a_scheduler_that_dies_ends_the_run_and_the_next_one_completes_it(
    briefs: Path, alone: Path, tmp_path: Path, briefbank_process: Briefbank
) -> None:
    """By the command line, as IT runs it: the workers wait for the scheduler's successor."""
    keys, bank = tmp_path / "keys", new_bank(tmp_path)
    told = briefbank_process("cluster", "certificates", keys, HOST)
    assert (told.code, f"copy {keys / HOST} to that machine" in told.out) == (0, True)
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    here, address = ("--certificates", keys / HOST), f"tls://{HOST}:{port}"
    scheduler = ("scheduler", "--listen", HOST, "--port", port, *here)
    words = ("index", briefs, "--bank", bank, "--cluster", address, *here)

    def machines() -> dict[str, tuple[int, int]]:
        rows = briefbank_process("cluster", "status", address, *here, "--json").json["machines"]
        return {each["name"]: (each["workers"], each["at_work"]) for each in rows}

    assert briefbank_process("cluster", "status", address, *here).code != 0
    with running("worker", address, "--folder", briefs, "--workers", 1, *here) as (_, line):
        assert line == f"1 process for {address}. Stop with Ctrl-C.\n"
        with running(*scheduler) as (process, listens):
            assert address in listens
            wait_until(lambda: machines() == {platform.node(): (1, 0)})
            run = subprocess.Popen(
                command(*words), cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, encoding="utf-8"
            )
            wait_until(lambda: Layout(bank).cache_file.exists() and cached(bank) > 2)
            process.kill()
            _, said = run.communicate(timeout=WAIT_S)
            assert (run.returncode, "The scheduler of the cluster went away." in said) == (1, True)
        done = cached(bank)
        assert 2 < done < 13
        with running(*scheduler):
            assert briefbank_process(*words, "--quiet").code == 12
    assert content(bank) == content(alone)


def cached(bank: Path) -> int:
    """How many documents a bank has in its cache."""
    import sqlite3

    with sqlite3.connect(f"{Layout(bank).cache_file.as_uri()}?mode=ro", uri=True) as database:
        [[count]] = database.execute("SELECT count(*) FROM item WHERE key LIKE 'document:%'")
    return int(count)


@pytest.mark.slow
@pytest.mark.usefixtures("slowly")
def test_a_head_that_is_killed_leaves_no_process_and_the_next_run_goes_on(
    briefs: Path, alone: Path, tmp_path: Path, briefbank_process: Briefbank
) -> None:
    bank = new_bank(tmp_path)
    words = ("index", briefs, "--bank", bank, "--cluster", "local", "--quiet")
    head = psutil.Popen(command(*words), cwd=ROOT, stderr=subprocess.DEVNULL)
    wait_until(lambda: Layout(bank).cache_file.exists() and cached(bank) > 2)
    family = head.children(recursive=True)
    head.kill()
    head.wait()
    _, left = psutil.wait_procs(family, timeout=WAIT_S)
    assert not left
    assert briefbank_process(*words).code == 12
    assert content(bank) == content(alone)
