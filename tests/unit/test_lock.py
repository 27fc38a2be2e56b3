"""The writer's lock: who holds it, since when, and when it may be taken away."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from program import ROOT

from briefbank.errors import BankInUseError, ExitCode
from briefbank.platform.lock import break_lock, writer_lock


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "writer.lock"


def leave(lock: Path, **said: object) -> None:
    """Leave behind what another machine's program says of itself."""
    since = datetime.now(UTC) - timedelta(hours=5)
    owner = {
        "user": "marisol", "host": "index-2", "pid": 4711, "started": 0.0, "program": "briefbank 0.1.0",
        "since": since.isoformat(timespec="seconds"), **said,
    }  # fmt: skip
    lock.touch()
    lock.with_suffix(".owner").write_text(json.dumps(owner), encoding="utf-8")


def test_the_lock_is_held_by_one_and_free_again_after(lock: Path) -> None:
    with writer_lock(lock):
        for _ in range(2):  # whoever was refused must not have freed it
            with pytest.raises(BankInUseError, match="process"), writer_lock(lock):
                pytest.fail("two writers")
    with writer_lock(lock):
        assert lock.is_file()


@pytest.fixture
def holder(lock: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program on this machine that holds the lock."""
    words = "import sys, pathlib; from briefbank.platform.lock import writer_lock\n"
    words += "with writer_lock(pathlib.Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", words, str(lock)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip() == b"held"
        yield other
        other.kill()


def test_the_one_who_is_refused_is_told_who_holds_it_and_since_when(
    lock: Path, holder: subprocess.Popen[bytes]
) -> None:
    with pytest.raises(BankInUseError) as caught, writer_lock(lock):
        pytest.fail("two writers")
    assert f"process {holder.pid}" in caught.value.message
    assert platform.node() in caught.value.message
    assert "0 min" in caught.value.message
    assert "--break-lock" not in caught.value.advice


def test_a_lock_whose_holder_runs_is_not_broken(lock: Path, holder: subprocess.Popen[bytes]) -> None:
    with pytest.raises(BankInUseError):
        break_lock(lock)
    assert lock.with_suffix(".owner").exists()


def test_what_a_killed_program_left_is_no_lock(lock: Path, holder: subprocess.Popen[bytes]) -> None:
    holder.kill()
    holder.wait()
    assert lock.with_suffix(".owner").exists()
    with writer_lock(lock):
        pass
    assert not lock.with_suffix(".owner").exists()


def test_another_machines_lock_holds_and_is_explained(lock: Path) -> None:
    leave(lock)
    with pytest.raises(BankInUseError) as caught, writer_lock(lock):
        pytest.fail("two writers")
    for word in ("process 4711 of marisol on index-2", "briefbank 0.1.0", "(5 h)"):
        assert word in caught.value.message
    assert "--break-lock" in caught.value.advice


def test_another_machines_lock_can_be_broken_and_is_then_ours(lock: Path) -> None:
    leave(lock)
    assert "marisol on index-2" in break_lock(lock)
    with writer_lock(lock):
        assert json.loads(lock.with_suffix(".owner").read_text())["host"] == platform.node()
    assert break_lock(lock) == ""


def test_a_process_number_that_was_given_out_again_is_not_the_holder(
    lock: Path, holder: subprocess.Popen[bytes]
) -> None:
    leave(lock, host=platform.node(), pid=holder.pid, started=1.0)
    assert str(holder.pid) in break_lock(lock)


def test_a_damaged_note_of_the_owner_keeps_nobody_out(lock: Path) -> None:
    lock.with_suffix(".owner").write_bytes(b'{"pid": ')
    with writer_lock(lock):
        pass


def test_indexing_can_take_a_lock_that_was_left(briefbank: Any, own_bank: Path, folder: Path) -> None:
    leave(own_bank / "writer.lock")
    refused = briefbank("index", folder, "--bank", own_bank, "--quiet")
    assert refused.code == ExitCode.IN_USE
    assert "index-2" in refused.err
    taken = briefbank("index", folder, "--bank", own_bank, "--quiet", "--break-lock")
    assert taken.code == ExitCode.OK
    assert "taken from" in taken.err
