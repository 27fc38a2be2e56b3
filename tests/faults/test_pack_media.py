"""Packs on media that fail: cut off, full of holes, unreadable. Every kind of place ends in an error that says so."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from program import ROOT, command

from briefbank.bank.local import Bank
from briefbank.errors import ExitCode, PackError
from briefbank.office.packs.format import HEAD_BYTES, Head

WHOLE = ROOT / "tests" / "formats" / "pack-4.0.bbpack"
SECTOR_BYTES = 512


def places(pack: Path) -> Iterator[tuple[int, int]]:
    """Stretches of a pack, one of each kind: the parts of its head, the manifest, the archive and its edges."""
    size, manifest = pack.stat().st_size, HEAD_BYTES
    with pack.open("rb") as opened:
        archive = manifest + Head.decode(opened.read(HEAD_BYTES)).manifest_bytes
    yield from ((0, 8), (8, 12), (12, 16), (16, 24), (24, 32), (32, 64), (64, 96), (96, HEAD_BYTES))
    yield from ((manifest, manifest + 4), ((manifest + archive) // 2, archive), (archive - 1, archive))
    for part in range(8):
        middle = archive + (size - archive) * part // 8
        yield middle, middle + SECTOR_BYTES
    yield size - 4, size


def refused(root: Path, pack: Path, key: Path) -> None:
    """Installing ends with PackError and advice."""
    with pytest.raises(PackError) as caught:
        Bank.install(root, pack, trust=key)
    assert caught.value.advice
    assert caught.value.exit_code is ExitCode.DAMAGED


def test_a_pack_cut_off_at_any_kind_of_place_is_refused(tmp_path: Path) -> None:
    whole = WHOLE.read_bytes()
    for start, end in places(WHOLE):
        for at in {start, end - 1}:
            cut = tmp_path / "cut.bbpack"
            cut.write_bytes(whole[:at])
            refused(tmp_path / "new", cut, WHOLE.with_suffix(".pub"))
    assert not (tmp_path / "new").exists()


def test_a_pack_with_a_hole_at_any_kind_of_place_is_refused(tmp_path: Path) -> None:
    whole = WHOLE.read_bytes()
    for start, end in places(WHOLE):
        spoilt = tmp_path / "spoilt.bbpack"
        for instead in (bytes(end - start), b""):  # a sector that was never written; bytes that were skipped
            if whole[start:end] != instead:
                spoilt.write_bytes(whole[:start] + instead + whole[end:])
                refused(tmp_path / "new", spoilt, WHOLE.with_suffix(".pub"))
    assert not (tmp_path / "new").exists()


def failing(call: str, number: int, path: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a command whose `number`-th call on `path` fails as on a broken disk."""
    tracer = [
        "strace",
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-P",
        str(path),
        "-e",
        f"inject={call}:error=EIO:when={number}+",
    ]
    done = [*tracer, *command(*words)]
    return subprocess.run(done, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=100, check=False)


def _can_trace() -> bool:
    if not shutil.which("strace"):
        return False
    return subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False).returncode == 0


needs_strace = pytest.mark.skipif(not _can_trace(), reason="needs strace, and leave to use it")


@needs_strace
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_stick_that_cannot_be_read_any_further_is_named(tmp_path: Path, number: int) -> None:
    pack = Path(shutil.copy(WHOLE, tmp_path / "office.bbpack"))
    words = ("install", pack, "--bank", tmp_path / "bank", "--trust", WHOLE.with_suffix(".pub"), "--quiet")
    done = failing("read", number, pack, *words)
    assert done.returncode == ExitCode.DAMAGED
    assert "The pack cannot be read any further" in done.stderr
    assert not (tmp_path / "bank").exists()
    assert failing("read", 10_000, pack, *words).returncode == 0


@needs_strace
def test_a_bank_whose_disk_fails_while_a_pack_is_installed_searches_as_before(tmp_path: Path) -> None:
    bank = tmp_path / "bank"
    with zipfile.ZipFile(ROOT / "tests" / "formats" / "laptop-2.0.zip") as archive:
        archive.extractall(bank)
    before = (bank / "current").read_bytes()
    words = ("install", WHOLE, "--bank", bank, "--trust", WHOLE.with_suffix(".pub"), "--quiet")
    done = failing("fsync", 1, bank / "generations", *words)
    assert done.returncode == ExitCode.DISK
    assert str(bank) in done.stderr
    assert (bank / "current").read_bytes() == before
    assert all(not finding.is_damage for finding in Bank.open(bank).check())
    assert failing("fsync", 10_000, bank / "generations", *words).returncode == 0
    assert Bank.open(bank).check() == []


@needs_strace
def test_a_stick_that_fails_while_a_pack_is_written_is_named_and_holds_no_pack(
    own_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from briefbank.office.packs.signing_keys import make_key

    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "keys"))
    make_key("Office")
    stick = tmp_path / "stick"
    stick.mkdir()
    part = stick / "office.bbpack.part"
    done = failing("write", 1, part, "pack", stick / "office.bbpack", "--bank", own_bank, "--quiet")
    assert done.returncode == ExitCode.DISK
    assert str(stick) in done.stderr
    assert list(stick.iterdir()) == []
