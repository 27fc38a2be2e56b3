"""Ctrl-C while indexing: it stops cleanly, says how to go on, and the next run resumes."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import office
import pytest
from program import ROOT, command

from briefbank.bank import Bank
from briefbank.errors import ExitCode
from briefbank.platform.windows import api

FILES = 12


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    """Eleven briefs that are read at once and, last by name, a scan that takes its time."""
    folder = tmp_path / "briefs"
    for number in range(FILES - 1):
        office.write_text(folder / f"{number:02d}.txt", office.memo(f"Arrays {number}", office.LINEUP))
    long = "\n".join([office.paragraph(office.STOP), office.paragraph(office.HEARSAY)] * 2)
    office.write_scan(folder / "scan.pdf", long, dpi=150)
    return folder


def start(folder: Path, bank: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command("index", folder, "--bank", bank, "--quiet"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def files_done(bank: Path) -> int:
    try:
        database = sqlite3.connect(f"file:{bank / 'ledger.sqlite'}?mode=ro", uri=True)
    except sqlite3.OperationalError:
        return 0
    try:
        return int(database.execute("SELECT count(*) FROM file").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        database.close()


def wait_for_files(bank: Path, count: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while files_done(bank) < count:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)


def ctrl_c(process: subprocess.Popen[str]) -> None:
    """As a terminal does it: the signal goes to every process of the group. On Windows Ctrl-Break stands for it, since
    a new group ignores Ctrl-C there.
    """
    if sys.platform == "win32":
        process.send_signal(signal.CTRL_BREAK_EVENT)
    else:
        os.killpg(process.pid, signal.SIGINT)


not_in_wine = pytest.mark.skipif(api.is_wine(), reason="Wine without a console passes no Ctrl-Break on")


@not_in_wine
def test_ctrl_c_ends_with_130_and_the_next_run_goes_on(scans: Path, empty_bank: Path) -> None:
    process = start(scans, empty_bank)
    wait_for_files(empty_bank, 3, process)
    ctrl_c(process)
    out, err = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    assert out == ""
    assert "Run the same command again" in err
    assert "Traceback" not in err
    assert Bank.open(empty_bank).status().generation is None
    report = Bank.open(empty_bank).index(scans)
    assert report.indexed + report.unchanged == FILES
    assert report.unchanged >= 3
    assert report.documents == FILES


@not_in_wine
def test_a_second_ctrl_c_stops_at_once_and_leaves_no_process(scans: Path, empty_bank: Path) -> None:
    process = start(scans, empty_bank)
    wait_for_files(empty_bank, 1, process)
    ctrl_c(process)
    ctrl_c(process)
    _, err = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    assert "Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows asks nobody politely: it ends the process outright")
def test_a_polite_request_to_end_is_obeyed_as_ctrl_c(scans: Path, empty_bank: Path) -> None:
    process = start(scans, empty_bank)
    wait_for_files(empty_bank, 1, process)
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
