"""Looking at a folder again and again: what is told, what is waited out, and how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import office
import pytest
from program import ROOT, command
from systems import signals

from briefbank.errors import BankDamagedError, BankInUseError, BriefBankError, CancelledError, ExitCode, SourceError
from briefbank.ingest.watch import watch
from briefbank.platform.progress import CancelToken
from briefbank.values.state import Failure, IndexReport

SAME = IndexReport("g1", True, 2, 0, 0, (), (), 2, 8, 4, 0.1)
AWAY = SourceError("The share is away.", "Connect it.")
Came = IndexReport | BriefBankError


def told_of(*looks: Came) -> list[Came]:
    """What is told of these looks, the last of which is followed by a request to stop."""
    cancel, left, told = CancelToken(), list(looks), list[Came]()

    def look() -> IndexReport:
        came = left.pop(0)
        if not left:
            cancel.cancel()
        if isinstance(came, BriefBankError):
            raise came
        return came

    watch(look, 0.0, cancel, told.append)
    assert not left
    return told


def test_a_look_that_finds_nothing_new_is_not_told_of() -> None:
    later = replace(SAME, published=False, indexed=0, unchanged=2)
    assert told_of(SAME, later, later) == [SAME]


def test_a_new_generation_or_failure_is_told() -> None:
    grown = replace(SAME, generation="g2")
    failed = replace(grown, failures=(Failure("a.pdf", "damaged-file", "It is damaged.", "Save it again."),))
    assert told_of(SAME, grown, failed, failed) == [SAME, grown, failed]


def test_a_failure_is_told_once_and_again_only_when_it_has_come_back() -> None:
    first, second = (Failure(name, "damaged-file", "It is damaged.", "Save it again.") for name in ("a.pdf", "b.pdf"))
    note = ("c.pdf", "OCR gave up on page 3.")
    one = replace(SAME, failures=(first,), notes=(note,))
    both = replace(one, generation="g2", failures=(first, second))
    told = told_of(one, both, AWAY, both, SAME, one)
    assert told == [one, replace(both, failures=(second,), notes=()), AWAY,
                    replace(both, failures=(), notes=()), SAME, one]  # fmt: skip


@pytest.mark.parametrize("problem", [AWAY, BankInUseError("Another program is writing.", "Wait.")])
def test_a_trouble_that_passes_is_told_once_and_waited_out(problem: BriefBankError) -> None:
    assert told_of(SAME, problem, problem, SAME) == [SAME, problem, SAME]


def test_a_trouble_that_stays_ends_the_watch() -> None:
    with pytest.raises(BankDamagedError):
        told_of(SAME, BankDamagedError("The bank is damaged.", "Check it."), SAME)


def test_a_cancelled_look_ends_the_watch_without_a_word() -> None:
    cancel = CancelToken()

    def look() -> IndexReport:
        raise CancelledError("Stopped as asked.")

    watch(look, 3600.0, cancel, pytest.fail)


def wait_for(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


@signals
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_watch_takes_up_new_files_and_ends_cleanly_when_asked(empty_bank: Path, folder: Path, stop: int) -> None:
    words = command("index", folder, "--bank", empty_bank, "--quiet", "--json", "--watch", "--every", "0.01")
    out = folder.parent / "out"
    with out.open("wb") as file:
        running = subprocess.Popen(words, cwd=ROOT, stdout=file, stderr=subprocess.PIPE)
        try:
            wait_for(lambda: len(reports(out)) == 1, "the first look")
            memo = office.memo("Arrays", office.LINEUP)
            office.write_text(folder / "memo.txt", memo)
            wait_for(lambda: len(reports(out)) == 2, "the second look")
            running.send_signal(stop)
            _, errors = running.communicate(timeout=120)
        finally:
            running.kill()
            running.communicate()
    assert running.returncode == ExitCode.OK
    assert b"Traceback" not in errors
    assert [report["documents"] for report in reports(out)] == [2, 3]
    assert not list(empty_bank.glob("*.owner"))


def reports(file: Path) -> list[dict[str, Any]]:
    text, found, decoder = file.read_text(encoding="utf-8").strip(), [], json.JSONDecoder()
    while text:
        try:
            report, end = decoder.raw_decode(text)
        except json.JSONDecodeError:
            break
        found.append(report)
        text = text[end:].strip()
    return found


def test_a_watch_that_would_forget_a_share_again_and_again_is_refused(briefbank: Any, folder: Path) -> None:
    result = briefbank("index", folder, "--bank", folder.parent / "bank", "--watch", "--remove-missing")
    assert result.code == ExitCode.USAGE
    assert briefbank("index", folder, "--watch", "--every", "0").code == ExitCode.USAGE


@signals
def test_a_watch_waits_for_a_share_that_is_not_there_yet(empty_bank: Path, folder: Path) -> None:
    away = folder.rename(folder.with_name("away"))
    words = command("index", folder, "--bank", empty_bank, "--quiet", "--watch", "--every", "0.01")
    running = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert running.stderr is not None
        assert b"is not a folder" in running.stderr.readline()
        away.rename(folder)
        assert running.stdout is not None
        assert running.stdout.readline().startswith(b"2 indexed")
        running.terminate()
        running.communicate(timeout=120)
    finally:
        running.kill()
        running.communicate()
    assert running.returncode == ExitCode.OK
