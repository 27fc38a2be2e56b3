"""Kills on a file system that forgets what was not synced: what a power cut would leave, by the system itself.

Method: LazyFS under the kill tests. LazyFS cannot be had from any package index, so `forgetful.py` does the same in a
hundred lines of FUSE. An index run works on it and is killed together with the file system at any moment; the program
opens what was synced. Where the replayed trace tries all that a few runs may leave, this tries many runs, and what is
written through memory maps. Needs FUSE; skipped where it may not mount.

Longer: `make test-slow`; TRUST_CUTS says how many power cuts (default 15).
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import office
import pytest
from looking import bank_seen
from program import ROOT, command

from briefbank.bank.local import Bank
from briefbank.ingest.cache import Cache

CUTS = int(os.environ.get("TRUST_CUTS", "15"))
START_SHARE = 0.3
"""About how much of a run goes by before it does anything; a cut before that tests nothing of ours."""


@contextmanager
def forgetful(kept: Path, mounted: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Mount the file system; killing the process it yields is the power cut."""
    mounted.mkdir()
    words = [sys.executable, str(Path(__file__).parent / "forgetful.py"), str(kept), str(mounted)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 20
        while not mounted.is_mount():
            if process.poll() is not None or time.monotonic() > deadline:
                raise OSError("the file system cannot be mounted")
            time.sleep(0.02)
        yield process
    finally:
        process.kill()
        process.wait()
        subprocess.run(["umount", "-l", str(mounted)], capture_output=True, check=False)


@cache
def _can_mount() -> bool:
    if sys.platform != "linux" or not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return False
    with TemporaryDirectory() as folder:
        kept = Path(folder) / "kept"
        kept.mkdir()
        try:
            with forgetful(kept, Path(folder) / "mounted"):
                return True
        except OSError:
            return False


@pytest.fixture(autouse=True)
def _needs_fuse() -> None:
    if not _can_mount():
        pytest.skip("FUSE may not mount here, or mfusepy or libfuse is missing")


@pytest.fixture(scope="module")
def briefs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("forgetful") / "briefs"
    office.write_text(folder / "one.txt", office.memo("Arrays", office.LINEUP))
    return folder


@pytest.fixture(scope="module")
def bank_before(briefs: Path) -> Path:
    """A bank of one file; two more have come since."""
    bank = office.write_bank(briefs.parent / "bank")
    Bank.open(bank).index(briefs)
    office.write_text(briefs / "two.txt", office.memo("Consent at the stop", office.CONSENT))
    office.write_text(briefs / "three.txt", office.memo("The stop", office.STOP))
    return bank


def cut(briefs: Path, before: Path, place: Path, seconds: float) -> Path:
    """Index on the forgetful disk and cut the power after that time; returns the bank as the disk kept it."""
    kept = Path(shutil.copytree(before, place / "kept" / "bank"))
    with forgetful(kept.parent, place / "mounted") as disk:
        words = command("index", briefs, "--bank", place / "mounted" / "bank", "--quiet")
        process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            assert process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            disk.kill()  # the disk first, so that nothing is synced any more
            process.kill()
            process.wait()
        disk.kill()
        disk.wait()
    return kept


def documents(bank: Path) -> int:
    seen = bank_seen(bank)
    return len(seen[1])


@pytest.fixture(scope="module")
def finished(briefs: Path, bank_before: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """A bank whose power was cut when the run had ended well, and how long that took, in seconds."""
    began = time.monotonic()
    bank = cut(briefs, bank_before, tmp_path_factory.mktemp("finished"), 120)
    return bank, time.monotonic() - began


def cut_again_and_again(briefs: Path, before: Path, place: Path, whole_s: float, seed: int, cuts: int) -> None:
    chance = random.Random(seed)  # a seed, so that a failure can be repeated
    finished = 0
    for number in range(cuts):
        bank = cut(briefs, before, place / str(number), chance.uniform(START_SHARE, 1.1) * whole_s)
        held = documents(bank)
        assert held in (1, 3)
        finished += held == 3
        assert Bank.open(bank).index(briefs).documents == 3
        assert Bank.open(bank).check() == []
        shutil.rmtree(place / str(number))
    print(f"{cuts} power cuts, {finished} of them after the new index was published")


def test_the_disk_forgets_what_was_not_synced(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    with forgetful(kept, tmp_path / "mounted") as disk:
        for name in ("synced", "forgotten"):
            with (tmp_path / "mounted" / f"{name}.new").open("wb") as file:
                file.write(b"text")
                if name == "synced":
                    file.flush()
                    os.fsync(file.fileno())
            (tmp_path / "mounted" / f"{name}.new").rename(tmp_path / "mounted" / name)
            assert (tmp_path / "mounted" / name).read_bytes() == b"text"
        disk.kill()
        disk.wait()
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == {"synced": b"text", "forgotten": b""}


def test_an_index_that_was_acknowledged_outlives_a_power_cut(finished: tuple[Path, float]) -> None:
    bank, _ = finished
    assert documents(bank) == 3
    assert Bank.open(bank).check() == []


def test_a_power_cut_while_indexing_costs_nothing(
    briefs: Path, bank_before: Path, finished: tuple[Path, float], tmp_path: Path
) -> None:
    cut_again_and_again(briefs, bank_before, tmp_path, finished[1], 1, 1)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_power_cuts_while_indexing_cost_nothing(
    briefs: Path, bank_before: Path, finished: tuple[Path, float], tmp_path: Path
) -> None:
    cut_again_and_again(briefs, bank_before, tmp_path, finished[1], 2, CUTS)


def test_what_other_machines_read_is_on_the_disk_when_the_cache_has_taken_it(tmp_path: Path) -> None:
    """Only then is it removed from the share."""
    kept, mounted = tmp_path / "kept", tmp_path / "mounted"
    kept.mkdir()
    taking = (
        "import sys; from pathlib import Path; from briefbank.ingest.cache import Cache; "
        f"Cache(Path({str(mounted / 'cache.sqlite')!r})).take([('document:taken', b'text')], ()); "
        "print('taken', flush=True); sys.stdin.read()"
    )
    with (
        forgetful(kept, mounted) as disk,
        subprocess.Popen([sys.executable, "-c", taking], cwd=ROOT, stdin=-1, stdout=-1, encoding="utf-8") as head,
    ):
        assert head.stdout
        assert head.stdout.readline() == "taken\n"
        disk.kill()
        disk.wait()
        head.kill()
    with Cache(kept / "cache.sqlite") as cache:
        assert cache.keys("document:") == ["document:taken"]
