"""Ctrl-C while indexing: it stops cleanly, says how to go on, and the next run resumes."""

from __future__ import annotations

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import office
import pytest
from hashing_encoder import HashingEncoder
from program import ROOT, command

from briefbank.bank.local import Bank
from briefbank.errors import CancelledError, ExitCode
from briefbank.ingest.cache import Cache
from briefbank.ingest.discover import SourceFile
from briefbank.ingest.embed import embedding_keys
from briefbank.ingest.process import FileProcessor
from briefbank.models.encoders import Embeddings
from briefbank.platform.progress import POLL_S, CancelToken
from briefbank.platform.settings import Settings
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


class LastWord(HashingEncoder):
    """An encoder that is asked to stop while it is at work, and takes a while to."""

    def __init__(self, cancel: CancelToken) -> None:
        self._cancel = cancel

    def encode_passages(self, texts: Sequence[str]) -> Embeddings:
        self._cancel.cancel()
        time.sleep(5 * POLL_S)
        return super().encode_passages(texts)


def test_what_is_being_encoded_when_it_stops_is_kept(tmp_path: Path) -> None:
    office.write_text(tmp_path / "briefs" / "stop.txt", office.memo("State v. Array", office.STOP))
    brief = tmp_path / "briefs" / "stop.txt"
    file = SourceFile(brief, brief.stat().st_size, brief.stat().st_mtime_ns, supported=True, folder=brief.parent)
    cancel = CancelToken()
    with (
        Cache(tmp_path / "cache.sqlite") as cache,
        closing(
            FileProcessor(Settings(), cache, tmp_path / "work", tmp_path / "none.toml", cancel, LastWord(cancel))
        ) as files,
    ):
        with pytest.raises(CancelledError):
            list(files.process([[file]], is_known=lambda _: False, on_began=lambda _: None, on_ocr_page=lambda: None))
        (kept,) = files.documents.digests()
        assert kept == hashlib.sha256(brief.read_bytes()).hexdigest()
        document = files.documents.get(kept)
        assert document is not None
        keys = embedding_keys(files.embedder.digest, [each.text for each in document.passages])
        assert cache.embeddings(keys).keys() == set(keys)


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
