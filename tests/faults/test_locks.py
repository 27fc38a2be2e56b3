"""Two programs on one bank: one writes, the other is refused; anyone may search, even where nobody can write."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from program import ROOT, command

from briefbank.bank.local import Bank
from briefbank.errors import ExitCode
from briefbank.platform.lock import writer_lock
from briefbank.values.records import Query


@pytest.mark.parametrize("verb", ["index", "rollback"])
def test_a_second_writer_is_refused_with_5_and_told_by_whom(
    briefbank: Any, own_bank: Path, library: Path, verb: str
) -> None:
    holder = (
        "import sys, pathlib; from briefbank.platform.lock import writer_lock\n"
        "with writer_lock(pathlib.Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    lock = own_bank / "writer.lock"
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(lock)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip() == b"held"
        result = briefbank(verb, *([library] if verb == "index" else []), "--bank", own_bank)
        assert result.code == ExitCode.IN_USE
        assert f"process {other.pid}" in result.err
        assert "again" in result.err
        other.kill()
    with writer_lock(lock):
        pass  # the lock of a killed program is free


def test_searching_and_telling_go_on_while_another_writes(briefbank: Any, own_bank: Path) -> None:
    with writer_lock(own_bank / "writer.lock"):
        assert briefbank("search", "consent", "--bank", own_bank).code == 0
        assert briefbank("status", "--bank", own_bank).code == 0
        assert briefbank("check", "--bank", own_bank).code == 0


def test_an_open_bank_takes_up_what_another_program_publishes(briefbank: Any, own_bank: Path, folder: Path) -> None:
    reader = Bank.open(own_bank)
    before = reader.search(Query("consent")).generation
    assert briefbank("index", folder, "--bank", own_bank, "--quiet").code == ExitCode.OK
    assert reader.search(Query("consent")).generation != before


def test_a_bank_that_nobody_can_write_is_searched_and_checked(library_bank: Path, tmp_path: Path) -> None:
    mount = tmp_path / "read-only"
    mount.mkdir()
    calls = [
        command("search", "consent", "--bank", mount, "--json"),
        command("documents", "--bank", mount),
        command("status", "--bank", mount),
        command("check", "--bank", mount),
    ]
    script = f"mount --bind {library_bank} {mount} && mount -o remount,bind,ro {mount} || exit 99\n"
    script += f"touch {mount}/x 2>/dev/null && exit 98\n" + "\n".join(f"{' '.join(call)} || exit $?" for call in calls)
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed")
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    if done.returncode == 99 or "Operation not permitted" in done.stderr:
        pytest.skip("no read-only disk can be mounted here")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.JSONDecoder().raw_decode(done.stdout)[0]["hits"]
    assert "The bank is sound." in done.stdout
