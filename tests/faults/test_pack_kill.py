"""Packing and installing killed outright, as by a power cut or a stick pulled out: the old bank searches on."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import office
import pytest
from program import END_BY_KILL, MANY_KILLS, ROOT, command

from briefbank.bank.local import Bank
from briefbank.office.packs import signing_keys
from briefbank.platform.scratch import scratch_folder
from briefbank.values.records import Query

QUESTION = Query("was the array shown by a blind administrator")


@dataclass(frozen=True, slots=True)
class Office:
    """An indexed bank whose pack takes a while, a laptop with an earlier pack, and how long both ways take."""

    bank: Path
    laptop: Path
    pack: Path
    start_s: float
    pack_s: float
    install_s: float


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    root = tmp_path_factory.mktemp("kill-pack")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BRIEFBANK_KEYS", str(root / "keys"))
        patch.setenv("BRIEFBANK_MODELS", str(root / "models"))
        signing_keys.make_key("Office")
        office.write_text(root / "briefs" / "only.txt", office.memo("Arrays", office.LINEUP))
        bank = office.write_bank(root / "bank")
        Bank.open(bank).index(root / "briefs")
        Bank.open(bank).pack(root / "earlier.bbpack")
        Bank.install(root / "laptop", root / "earlier.bbpack")
        office.write_text(root / "briefs" / "more.txt", office.memo("More arrays", office.LINEUP))
        Bank.open(bank).index(root / "briefs")
        write_summaries(bank / "cache" / "summaries.sqlite")
        start_s = timed("status", "--bank", bank)
        pack_s = timed("pack", root / "whole.bbpack", "--bank", bank, "--quiet")
        spare = Path(shutil.copytree(root / "laptop", root / "spare"))
        install_s = timed("install", root / "whole.bbpack", "--bank", spare, "--quiet")
        yield Office(bank, root / "laptop", root / "whole.bbpack", start_s, pack_s, install_s)


def write_summaries(path: Path) -> None:
    """Forty megabytes beside the index make packing and installing long enough to be killed within."""
    rows = ((f"{number:06d}", np.random.default_rng(number).bytes(20_000)) for number in range(2_000))
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("CREATE TABLE summary (id TEXT PRIMARY KEY, item BLOB NOT NULL) STRICT, WITHOUT ROWID")
        database.execute("BEGIN")
        database.executemany("INSERT INTO summary VALUES (?, ?)", rows)
        database.execute("COMMIT")


def timed(*words: object) -> float:
    began = time.monotonic()
    assert subprocess.run(command(*words), cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode == 0
    return time.monotonic() - began


def killed_after(seconds: float, *words: object) -> None:
    process = subprocess.Popen(command(*words), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def moments(seed: int, count: int, start_s: float, whole_s: float) -> list[float]:
    """Moments of the work itself: killing Python while it starts tests nothing of ours."""
    draw = random.Random(seed)  # a seed, so that a failure can be repeated
    return [0.6 * start_s + draw.random() * (whole_s - 0.6 * start_s) for _ in range(count)]


def install_killed(before: Office, laptop: Path, seconds: float) -> None:
    killed_after(seconds, "install", before.pack, "--bank", laptop, "--quiet")
    bank = Bank.open(laptop)
    assert bank.search(QUESTION).hits
    assert all(not finding.is_damage for finding in bank.check())
    assert len(bank.documents()) in (1, 2)


def assert_installs(before: Office, laptop: Path) -> None:
    Bank.install(laptop, before.pack)
    bank = Bank.open(laptop)
    assert len(bank.documents()) == 2
    assert bank.check() == []
    assert len(bank.status().other_generations) == 1
    bank.rollback()
    assert len(Bank.open(laptop).documents()) == 1


def pack_killed(before: Office, folder: Path, seconds: float) -> None:
    out = folder / "new.bbpack"
    killed_after(seconds, "pack", out, "--bank", before.bank, "--quiet")
    if not out.exists():
        Bank.open(before.bank).pack(out)
    assert out.read_bytes() == before.pack.read_bytes()
    assert [path.name for path in folder.iterdir() if not path.name.endswith(".part")] == [out.name]


def test_an_install_killed_again_and_again_loses_nothing(before: Office, tmp_path: Path) -> None:
    laptop = Path(shutil.copytree(before.laptop, tmp_path / "laptop"))
    for seconds in moments(3, 4, before.start_s, before.install_s):
        install_killed(before, laptop, seconds)
    assert_installs(before, laptop)


def test_a_killed_pack_is_no_pack(before: Office, tmp_path: Path) -> None:
    for seconds in moments(4, 2, before.start_s, before.pack_s):
        folder = tmp_path / f"{seconds}"
        folder.mkdir()
        pack_killed(before, folder, seconds)


KILLED = """
import sys
import psutil
from pathlib import Path
from briefbank.bank.local import Bank

def die(progress):
    if progress.stage == sys.argv[3] and progress.files_done > 2:
        psutil.Process().kill()

if sys.argv[3] == "packing":
    Bank.open(Path(sys.argv[1])).pack(Path(sys.argv[2]), reporter=die)
else:
    Bank.install(Path(sys.argv[1]), Path(sys.argv[2]), reporter=die)
"""


def die_while(stage: str, bank: Path, pack: Path, temporary: Path) -> None:
    words = [sys.executable, "-c", KILLED, str(bank), str(pack), stage]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ, "TMPDIR": str(temporary)}, check=False)
    assert done.returncode == END_BY_KILL


def test_what_a_killed_pack_left_of_the_bank_is_removed_by_the_next(
    before: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    die_while("packing", before.bank, tmp_path / "new.bbpack", temporary)
    assert list(temporary.rglob("summaries.sqlite"))
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with scratch_folder() as of_another:
        Bank.open(before.bank).pack(tmp_path / "new.bbpack")
        assert of_another.is_dir()
    assert list(temporary.iterdir()) == []


def test_what_a_killed_first_install_left_is_removed_by_the_next(before: Office, tmp_path: Path) -> None:
    place = tmp_path / "place"
    die_while("unpacking", place / "bank", before.pack, tmp_path)
    assert [path.name for path in place.iterdir()] != []
    assert not (place / "bank").exists()
    assert Bank.install(place / "bank", before.pack).is_new
    assert [path.name for path in place.iterdir()] == ["bank"]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_an_install_killed_at_any_of_many_moments_loses_nothing(before: Office, tmp_path: Path) -> None:
    for number, seconds in enumerate(moments(50, MANY_KILLS, before.start_s, before.install_s)):
        laptop = Path(shutil.copytree(before.laptop, tmp_path / f"laptop{number}"))
        install_killed(before, laptop, seconds)
        assert_installs(before, laptop)
        shutil.rmtree(laptop)


def test_what_an_install_left_that_was_killed_while_it_sealed_is_removed_by_the_next(
    before: Office, tmp_path: Path
) -> None:
    assert Bank.install(tmp_path / "bank", before.pack).is_new
    left = tmp_path / "bank" / ".seals.json.1-1.tmp"
    left.write_bytes(b"half")
    assert not Bank.install(tmp_path / "bank", before.pack).is_new
    assert not left.exists()


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_pack_killed_at_any_of_many_moments_is_a_whole_one_or_none(before: Office, tmp_path: Path) -> None:
    for number, seconds in enumerate(moments(51, MANY_KILLS, before.start_s, before.pack_s)):
        folder = tmp_path / f"stick{number}"
        folder.mkdir()
        pack_killed(before, folder, seconds)
        shutil.rmtree(folder)
