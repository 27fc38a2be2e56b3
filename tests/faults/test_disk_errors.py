"""A disk that fails: whoever runs a command is told which one, with an exit code that says so."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from program import ROOT, Result, command

from briefbank.errors import ExitCode

pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace, which lets calls fail")


def run_with_failing(calls: str, place: Path | None, first: int, *arguments: object) -> Result:
    """Run a command whose calls fail with an input/output error, from the first-th on; those to one file if named."""
    only = ["-P", str(place)] if place else []
    faults = ["-e", f"trace={calls}", "-e", f"inject={calls}:error=EIO:when={first}+"]
    words = ["strace", "-f", "-o", "/dev/null", *only, *faults, *command(*arguments)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120, check=False)
    return Result(done.returncode, done.stdout, done.stderr)


def run(*arguments: object) -> Result:
    """Run a command on a disk that works."""
    done = subprocess.run(
        command(*arguments), cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    return Result(done.returncode, done.stdout, done.stderr)


def require_disk_named(result: Result, place: Path) -> None:
    assert result.code == ExitCode.DISK, result.err
    assert str(place) in result.err
    assert "Input/output error" in result.err or "disk I/O error" in result.err
    assert "fault in BriefBank" not in result.err


@pytest.mark.parametrize("first", [1, 5, 20])
def test_a_disk_that_does_not_keep_what_is_indexed_is_named(own_bank: Path, folder: Path, first: int) -> None:
    before = (own_bank / "current").read_bytes()
    told = run_with_failing("fsync,fdatasync", None, first, "index", folder, "--bank", own_bank, "--quiet")
    require_disk_named(told, own_bank)
    assert (own_bank / "current").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "verb"),
    [("bank.toml", ("search", "consent")), ("current", ("search", "stop")), ("ledger.sqlite", ("status",))],
)
def test_a_disk_that_cannot_be_read_is_named(own_bank: Path, name: str, verb: tuple[str, ...]) -> None:
    told = run_with_failing("read,pread64", own_bank / name, 1, *verb, "--bank", own_bank)
    require_disk_named(told, own_bank)


@pytest.mark.parametrize("verb", [("check",), ("check", "--repair")])
def test_seals_that_the_disk_does_not_give_for_once_are_kept(own_bank: Path, verb: tuple[str, ...]) -> None:
    seals = own_bank / "seals.json"
    assert run("check", "--bank", own_bank).code == 0
    before = seals.read_bytes()
    told = run_with_failing("read,pread64", seals, 1, *verb, "--bank", own_bank)
    require_disk_named(told, own_bank)
    assert seals.read_bytes() == before
