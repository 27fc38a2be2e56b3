"""What the system refuses (no permission, a read-only disk, a folder that is not there) is named, with what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from namespaces import needs_small_disk
from program import ROOT, Briefbank, Result, command

from briefbank.bank.local import Bank
from briefbank.errors import AccessError, ExitCode
from briefbank.platform.disk import refusal_of
from briefbank.platform.processes.calls import fault_of

IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
AS_ANYBODY = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if IS_ROOT else []
"""Makes permissions hold for root too."""

needs_permissions = pytest.mark.skipif(
    os.name == "nt" or (bool(AS_ANYBODY) and shutil.which("setpriv") is None),
    reason="permissions are POSIX's, and root may read and write everywhere",
)


def run(*words: str) -> Result:
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120, check=False)
    return Result(done.returncode, done.stdout, done.stderr)


def require_named(result: Result, place: Path) -> None:
    assert result.code == ExitCode.OTHER
    assert str(place) in result.err
    assert "\n  " in result.err, "no advice"
    assert "fault" not in result.err


@needs_permissions
@pytest.mark.parametrize(
    ("mode", "arguments"),
    [
        (0o500, ("index", "{folder}", "--quiet")),
        (0o500, ("rollback",)),
        (0o000, ("search", "consent")),
        (0o000, ("status",)),
        (0o000, ("index", "{folder}", "--quiet")),
    ],
)
def test_a_bank_without_permission_is_named(
    own_bank: Path, folder: Path, mode: int, arguments: tuple[str, ...]
) -> None:
    own_bank.chmod(mode)
    try:
        told = [each.format(folder=folder) for each in arguments]
        require_named(run(*AS_ANYBODY, *command(*told, "--bank", own_bank)), own_bank)
    finally:
        own_bank.chmod(0o700)


@needs_permissions
def test_a_folder_that_may_not_be_written_is_named(library_bank: Path, folder: Path, tmp_path: Path) -> None:
    shut = tmp_path / "shut"
    shut.mkdir(mode=0o500)
    require_named(run(*AS_ANYBODY, *command("index", folder, "--bank", shut / "bank", "--quiet")), shut / "bank")
    environment = f"BRIEFBANK_KEYS={tmp_path / 'keys'}"
    made = run("env", environment, *command("keys", "make", "Office"))
    assert made.code == 0, made.err
    pack = command("pack", shut / "office.bbpack", "--bank", library_bank, "--quiet")
    require_named(run("env", environment, *AS_ANYBODY, *pack), shut)


@needs_small_disk
def test_a_read_only_disk_is_named(library_bank: Path, folder: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = f"mount --bind {library_bank} {disk} && mount -o remount,bind,ro {disk} || exit 99\n"
    calls = (
        command("index", folder, "--bank", disk, "--quiet"),
        command("rollback", "--bank", disk),
        command("index", folder, "--bank", disk / "new", "--quiet"),
        command("check", "--repair", "--bank", disk),
    )
    for call in calls:
        result = run("unshare", "-rm", "sh", "-c", mounted + " ".join(call))
        require_named(result, disk)
        assert "read-only" in result.err


def test_an_evaluation_looks_where_it_will_write_before_it_works(
    briefbank: Briefbank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib", reason="the page is drawn with the extra 'report'")

    def work(*_: object) -> None:
        pytest.fail("it worked before it looked")

    monkeypatch.setattr("briefbank.judgements.evaluate.run.read_corpus", work)
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "a.tsv").write_text("q1\tp1\t1\n", encoding="utf-8")
    for option in ("--run", "--per-query", "--report"):
        require_named(briefbank("evaluate", tmp_path, option, tmp_path / "no" / "x"), tmp_path / "no")
    for option in ("--run", "--per-query"):
        require_named(briefbank("evaluate", tmp_path, option, tmp_path), tmp_path)


@needs_permissions
def test_a_page_of_an_evaluation_in_a_shut_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "a.tsv").write_text("q1\tp1\t1\n", encoding="utf-8")
    shut = tmp_path / "shut"
    shut.mkdir(mode=0o500)
    require_named(run(*AS_ANYBODY, *command("evaluate", tmp_path, "--report", shut / "page.html")), shut / "page.html")


def test_the_window_is_told_what_the_system_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError) as refused:
        Bank.create(tmp_path / "file" / "bank")
    told = fault_of(refused.value)
    assert isinstance(told, AccessError)
    assert str(tmp_path / "file") in told.message


def test_a_file_that_the_program_lost_is_still_its_own_fault(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as lost:
        (tmp_path / "lost").read_bytes()
    assert refusal_of(lost.value) is None
