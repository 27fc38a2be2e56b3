"""An index run killed outright, as by a power cut: the old index searches on, the next run loses and doubles none."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import office
import psutil
import pytest
from program import MANY_KILLS, ROOT, command

from briefbank.bank.local import Bank
from briefbank.index.generation import Generation
from briefbank.index.publish import live_generation
from briefbank.platform.layout import Layout
from briefbank.values.records import Query

POINTS = (office.STOP, office.CONSENT, office.HEARSAY, office.CHARGE, office.SENTENCE, office.LINEUP)
START_S = 0.3
"""What Python itself takes to start; killing earlier tests nothing of ours."""

Content = dict[str, tuple[str, tuple[tuple[str, str], ...]]]


@dataclass(frozen=True, slots=True)
class Office:
    """A folder, a bank that holds a few of its files already, and what a whole run makes of them."""

    folder: Path
    bank: Path
    whole: Content
    seconds: float


def content(bank: Path) -> Content:
    """Every document's source with its passages, by document id; fails on a document that is there twice."""
    generation = Generation.open(live_generation(Layout(bank)))
    found = {
        each.id: (each.source_path, tuple((p.id, p.text) for p in generation.passages_of(each.id)))
        for each in generation.documents
    }
    assert len(found) == len(generation.documents)
    assert sum(len(passages) for _, passages in found.values()) == generation.info.passage_count
    return found


def start(folder: Path, bank: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command("index", folder, "--bank", bank, "--quiet"),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@pytest.fixture(scope="module")
def office_before(tmp_path_factory: pytest.TempPathFactory) -> Office:
    root = tmp_path_factory.mktemp("kill")
    folder = root / "briefs"
    for number in range(24):
        one, other = POINTS[number % 6], POINTS[(number + 1 + number // 6) % 6]
        text = office.brief(
            f"Client {number}", f"A-{1000 + number}-20", f"May {number + 1}, 2020", ("ONE.", one), ("TWO.", other)
        )
        office.write_text(folder / f"brief-{number:02d}.txt", text)
    before = office.write_bank(root / "bank", workers=2)
    assert start(folder, before).wait() == 0
    for number in range(18):
        path = folder / f"brief-{number:02d}.txt"
        path.write_text(path.read_text(encoding="utf-8").replace("conviction", "convictions"), encoding="utf-8")
    if find_spec("tesserocr"):
        office.write_scan(folder / "scan.pdf", office.memo("Arrays", office.LINEUP), dpi=120)
    whole = Path(shutil.copytree(before, root / "whole"))
    began = time.monotonic()
    assert start(folder, whole).wait() == 0
    return Office(folder, before, content(whole), time.monotonic() - began)


def kill_at(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Kill the run after that time, and see that whatever it had started ends with it."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        children = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.wait()
        _gone, left = psutil.wait_procs(children, timeout=60)
        assert not left


def assert_searches(bank: Path) -> None:
    result = Bank.open(bank).search(Query("was the array shown by a blind administrator"))
    assert len(result.hits) == 5


def assert_ends_whole(bank: Path, before: Office) -> None:
    assert start(before.folder, bank).wait() == 0
    assert content(bank) == before.whole
    assert Bank.open(bank).check() == []
    kept = [path.name for path in (bank / "generations").iterdir()]
    assert not [name for name in kept if "." in name]


def test_a_run_killed_again_and_again_still_ends_whole(office_before: Office, tmp_path: Path) -> None:
    bank = Path(shutil.copytree(office_before.bank, tmp_path / "bank"))
    moments = random.Random(6)  # a seed, so that a failure can be repeated
    for _ in range(6):
        kill_at(start(office_before.folder, bank), START_S + moments.random() * 0.7 * office_before.seconds)
        assert_searches(bank)
    assert_ends_whole(bank, office_before)


@pytest.mark.slow
@pytest.mark.timeout(5400)
def test_a_run_killed_at_any_of_many_moments_loses_and_doubles_nothing(office_before: Office, tmp_path: Path) -> None:
    moments = random.Random(50)  # a seed, so that a failure can be repeated
    for number in range(MANY_KILLS):
        bank = Path(shutil.copytree(office_before.bank, tmp_path / f"bank{number}"))
        kill_at(start(office_before.folder, bank), START_S + moments.random() * office_before.seconds)
        assert_searches(bank)
        assert_ends_whole(bank, office_before)
        shutil.rmtree(bank)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_a_run_killed_while_it_exports_the_encoder_leaves_is_cleared_by_the_next(tmp_path: Path) -> None:
    from tiny_bert import write_tiny_bert

    folder = tmp_path / "briefs"
    office.write_text(folder / "memo.txt", office.memo("Arrays", office.LINEUP))
    bank = office.write_bank(tmp_path / "bank", encoder=str(write_tiny_bert(tmp_path / "tiny", POINTS)))
    encoders = bank / "encoders"
    process = start(folder, bank)
    while not list(encoders.iterdir()):
        assert process.poll() is None
        time.sleep(0.002)
    kill_at(process, 0)
    (left,) = encoders.iterdir()
    assert left.name.endswith(".new")
    assert start(folder, bank).wait() == 0
    (exported,) = encoders.iterdir()
    assert "." not in exported.name
    assert Bank.open(bank).check() == []
