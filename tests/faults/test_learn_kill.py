"""Learning killed outright, as by a power cut: the bank has what it had or what was learned, and nothing between."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from judged import write_collection
from program import ROOT, Briefbank, command

from briefbank.bank.local import Bank
from briefbank.index.generation import Generation
from briefbank.index.publish import live_generation
from briefbank.platform.layout import Layout
from briefbank.values.records import Query

QUESTION = "consent to search after an unlawful stop"
KILLS = 8


def start(bank: Path, collection: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command("learn", "--bank", bank, "--judgements", collection, "--quiet"),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def passages(bank: Path) -> list[str]:
    generation = Generation.open(live_generation(Layout(bank)))
    return sorted(each.id for document in generation.documents for each in generation.passages_of(document.id))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_killed_run_leaves_the_old_bank_or_the_new_one(
    library_bank: Path, tmp_path: Path, briefbank: Briefbank
) -> None:
    collection = write_collection(tmp_path / "judged")
    whole = Path(shutil.copytree(library_bank, tmp_path / "whole"))
    before = Bank.open(whole).status().generation
    started = time.monotonic()
    assert start(whole, collection).wait() == 0
    seconds = time.monotonic() - started
    assert Bank.open(whole).status().generation != before
    chance = random.Random(11)
    for number in range(KILLS):
        bank = Path(shutil.copytree(library_bank, tmp_path / f"bank-{number}"))
        # Most of what can go wrong is at the end, where the index is written and published.
        moment = seconds * (chance.uniform(0.1, 1.0) if number % 2 else chance.uniform(0.85, 1.05))
        process = start(bank, collection)
        time.sleep(moment)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert passages(bank) == passages(library_bank)
        assert Bank.open(bank).search(Query(QUESTION)).hits
        assert briefbank("check", "--bank", bank).code == 0
        shutil.rmtree(bank)
    again = Path(shutil.copytree(library_bank, tmp_path / "again"))
    process = start(again, collection)
    time.sleep(0.7 * seconds)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert briefbank("learn", "--bank", again, "--judgements", collection, "--quiet").code == 0
    assert not list(again.glob("learning-*"))
    assert Generation.open(live_generation(Layout(again))).learned is not None
