"""Power that goes while a cluster reads: head, scheduler and workers die in one moment, and what the share had not yet
written is not what it was. The same command, run again, makes the bank of one machine and reads nothing twice.
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import noting_encoder
import office
import psutil
import pytest
from clusters import content, index_here
from noting_encoder import mark
from program import ROOT, command

from briefbank.ingest.cache import Cache
from briefbank.ingest.cluster.share import JobFolder, UnitResult
from briefbank.models.encoders.substitute import VARIABLE
from briefbank.platform.layout import Layout

pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

BRIEFS = 16
LAG_S = 20
PATIENT_S = 600
"""The time limit for reading is of clocks: no file may fail by it in one run alone where the machine is busy."""
POINTS = (office.STOP, office.CONSENT, office.HEARSAY, office.CHARGE, office.SENTENCE, office.LINEUP)
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "without its contents": lambda _: b"",
    "cut in half": lambda data: data[: len(data) // 2],
    "ending in zeros": lambda data: data[: len(data) // 2] + bytes(len(data) - len(data) // 2),
    "all zeros": lambda data: bytes(len(data)),
}
"""What a file may be whose name came to the disk before its contents."""


@pytest.fixture(scope="module")
def briefs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("power") / "briefs"
    for number in range(BRIEFS):
        one, other = POINTS[number % 6], POINTS[(number + 1 + number // 6) % 6]
        points = (("ONE.", f"{mark(number)} {one}"), ("TWO.", f"{other} {mark(number)}"))
        text = office.brief(f"Client {number}", f"A-{1000 + number}-20", f"May {number + 1}, 2020", *points)
        office.write_text(folder / f"brief-{number:02d}.txt", text)
    return folder


@pytest.fixture(scope="module")
def alone(briefs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bank that one machine makes of it."""
    bank = office.write_bank(tmp_path_factory.mktemp("alone") / "bank", read_timeout_s=PATIENT_S)
    index_here(briefs, bank)
    return bank


@dataclass(frozen=True, slots=True)
class Cut:
    """When the power goes: the encoder was given texts so many times, then the head lagged behind until as many results
    lay on the share.
    """

    calls: int
    results: int


class Office:
    """A bank that a cluster of this machine makes of a folder, by one command, run after run."""

    def __init__(self, folder: Path, place: Path) -> None:
        self.bank = office.write_bank(place / "bank", read_timeout_s=PATIENT_S)
        self.share, self._folder = place / "share", folder
        self._notes = place / "notes"
        noting = Path(noting_encoder.__file__)
        self._environment = {
            **os.environ,
            VARIABLE: f"hashing={noting}:NotingEncoder",
            "PYTHONPATH": os.pathsep.join([str(noting.parent), os.environ.get("PYTHONPATH", "")]),
            noting_encoder.NOTES: str(self._notes),
        }
        self._numbers = {
            hashlib.sha256(file.read_bytes()).hexdigest(): int(file.stem[-2:]) for file in folder.iterdir()
        }

    def run(self, cut: Cut | None = None) -> set[int]:
        """Index, until the power goes if it is to; returns the briefs that were being read."""
        self._notes.write_text("", encoding="ascii")
        words = command("index", self._folder, "--bank", self.bank, "--cluster", "local", "--share", self.share)
        head = psutil.Popen(
            [*words, "--quiet"], cwd=ROOT, env=self._environment, stdout=subprocess.DEVNULL, start_new_session=True
        )
        while head.poll() is None and (cut is None or len(self._noted()) < cut.calls):
            time.sleep(0.02)
        if cut and head.poll() is None:
            head.suspend()
            deadline = time.monotonic() + LAG_S
            while len(self._results()) < cut.results and time.monotonic() < deadline:
                time.sleep(0.02)
            cut_power(head)
        else:
            assert head.wait() == 0
        return {int(number) for line in self._noted() for number in line.split()}

    def _noted(self) -> list[str]:
        return self._notes.read_text(encoding="ascii").splitlines()

    def in_bank(self) -> set[int]:
        """The briefs that the bank has."""
        with Cache(Layout(self.bank).cache_file) as cache:
            return {self._numbers[key.split(":")[1]] for key in cache.keys("document:")}

    def on_share(self) -> dict[Path, set[int]]:
        """The files on the share with what workers have read, and the briefs that each holds."""
        found = {}
        for file in self._results():
            result = JobFolder(self.share, file.parents[1].name).result(file.name)
            assert result, "a machine that dies leaves whole files or none"
            found[file] = {self._numbers[read.sha256] for read in result.files if read.sha256}
        return found

    def _results(self) -> list[Path]:
        return sorted(self.share.glob("*/results/[!.]*"))

    def damage(self, results: Iterable[Path], chance: random.Random) -> None:
        """Damage these files on the share and about half of those that hold no results, each in one of the ways."""
        others = [each for each in self.share.rglob("*") if each.is_file() and each.parent.name != "results"]
        for file in (*results, *(each for each in others if chance.random() < 0.5)):
            file.write_bytes(chance.choice(list(DAMAGES.values()))(file.read_bytes()))


def cut_power(head: psutil.Popen) -> None:
    """Kill the head and all that it has started, at once."""
    everyone = [head, *head.children(recursive=True)]
    random.shuffle(everyone)
    for each in everyone:
        with suppress(psutil.NoSuchProcess):
            each.kill()
    _gone, left = psutil.wait_procs(everyone, timeout=10)
    assert not left


def assert_power_may_go(briefs: Path, alone: Path, place: Path, cuts: list[Cut], seed: int = 0) -> dict[str, int]:
    """Cut the power again and again, damage half of what lies on the share after every other cut, and see that no run
    reads again what was finished before; then a last run that ends.
    """
    chance, made, met = random.Random(seed), Office(briefs, place), {"finished": 0, "damaged": 0}
    finished: set[int] = set()
    for number, cut in enumerate(cuts):
        assert not finished & made.run(cut), "what was finished is read again"
        on_share = made.on_share()
        damaged = list(on_share)[::2] if number % 2 == 0 else []
        made.damage(damaged, chance)
        finished = made.in_bank().union(*(on_share[file] for file in on_share.keys() - set(damaged)))
        met["finished"] += len(finished)
        met["damaged"] += len(damaged)
    assert not finished & made.run(), "what was finished is read again"
    assert content(made.bank) == content(alone)
    assert not any(made.share.iterdir()), "no text stays on the share"
    return met


def test_power_that_goes_costs_what_was_being_read_and_no_more(briefs: Path, alone: Path, tmp_path: Path) -> None:
    assert assert_power_may_go(briefs, alone, tmp_path, [Cut(BRIEFS // 4, 2)])["damaged"]


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(3))
def test_power_that_goes_again_and_again_changes_nothing(
    briefs: Path, alone: Path, tmp_path: Path, record_property: Callable[[str, object], None], seed: int
) -> None:
    chance = random.Random(seed)  # a seed, so that a failure can be repeated
    cuts = [Cut(chance.randrange(1, BRIEFS // 2), chance.randrange(3)) for _ in range(6)]
    met = assert_power_may_go(briefs, alone, tmp_path, cuts, seed)
    for what, times in met.items():
        record_property(what, times)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_result_whose_name_came_to_the_disk_before_its_contents_is_none(tmp_path: Path, damage: str) -> None:
    job = JobFolder(tmp_path, "job")
    file = job.folder / "results" / "unit"
    file.parent.mkdir(parents=True)
    result = UnitResult("unit", (), (("key", b"what was read" * 50),), ())
    job.put_result(result)
    assert job.result("unit") == result
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    assert job.result("unit") is None
    assert not file.exists()
