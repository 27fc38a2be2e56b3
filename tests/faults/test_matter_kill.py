"""A program killed outright, or out of space, while its user collects: what was acknowledged is kept."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from namespaces import needs_small_disk
from program import MANY_KILLS, ROOT

from briefbank.matters.log import MatterLog

PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, "tests")
from hits import result
from briefbank.matters.events import Event, ItemAdded, ItemMoved, MatterMade
from briefbank.platform.event_log.log import new_id, utc_now
from briefbank.matters.items import passage_item
from briefbank.matters.log import MatterLog

hit = result("the stop", 1).hits[0]
item = passage_item(hit.passage, hit.document)
with MatterLog(Path(sys.argv[1])) as log:
    def tell(content):
        event = Event(new_id(), utc_now(), content)
        log.append([event])
        print(event.id, flush=True)
    matter = new_id()
    tell(MatterMade(matter, "Renfrew"))
    while True:
        item_id = new_id()
        tell(ItemAdded(matter, item_id, item))
        tell(ItemMoved(matter, item_id, ""))
"""


def acknowledged(path: Path, seconds: float) -> list[str]:
    """Let a program collect, kill it that long after its first event, and return the ids that it had told as kept."""
    words = [sys.executable, "-c", PROGRAM, str(path)]
    program = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8")
    assert program.stdout
    first = program.stdout.readline()
    time.sleep(seconds)
    program.kill()
    told, _ = program.communicate()
    lines = (first + told).splitlines(keepends=True)
    return [line.strip() for line in lines if line.endswith("\n")]  # a line cut short was not told


def assert_nothing_lost(path: Path, kills: int, seed: int) -> None:
    moments = random.Random(seed)  # a seed, so that a failure can be repeated
    told: list[str] = []
    for _ in range(kills):
        told += acknowledged(path, moments.random() * 0.2)
    with MatterLog(path) as log:
        kept, matters = log.event_ids(), log.matters()
    were_told = set(told)
    assert len(told) > 2 * kills
    assert [each for each in kept if each in were_told] == told
    assert len(matters) >= kills


def test_nothing_collected_is_lost_in_six_kills(tmp_path: Path) -> None:
    assert_nothing_lost(tmp_path / "matters.sqlite", 6, seed=6)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_nothing_collected_is_lost_in_many_kills(tmp_path: Path) -> None:
    assert_nothing_lost(tmp_path / "matters.sqlite", MANY_KILLS, seed=50)


FULL = """
import sys
from pathlib import Path
sys.path.insert(0, "tests")
from hits import result
from briefbank.errors import NoSpaceError
from briefbank.matters.events import Event, ItemAdded, MatterMade
from briefbank.platform.event_log.log import new_id, utc_now
from briefbank.matters.items import passage_item
from briefbank.matters.log import MatterLog

disk = Path(sys.argv[1])
hit = result("the stop", 1).hits[0]
item = passage_item(hit.passage, hit.document)
kept, refused = [], 0

def tell(content):
    event = Event(new_id(), utc_now(), content)
    log.append([event])
    kept.append(event.id)

with MatterLog(disk / "matters.sqlite") as log:
    tell(MatterMade("m", "Renfrew"))
    with (disk / "filler").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass
    for number in range(50):
        try:
            tell(ItemAdded("m", str(number), item))
        except NoSpaceError as error:
            assert "Free some space" in error.advice
            refused += 1
    (disk / "filler").unlink()
    tell(ItemAdded("m", "last", item))
with MatterLog(disk / "matters.sqlite") as log:
    assert log.event_ids() == kept
    assert log.matters()[0].entries[-1].id == "last"
print("refused" if refused else "never full")
"""


@needs_small_disk
def test_a_full_disk_is_told_as_such_and_costs_nothing_that_was_kept(tmp_path: Path) -> None:
    disk, program = tmp_path / "disk", tmp_path / "program.py"
    disk.mkdir()
    program.write_text(FULL, encoding="utf-8")
    script = f"mount -t tmpfs -o size=4m tmpfs {disk} && {sys.executable} {program} {disk}"
    words = ["unshare", "-rm", "sh", "-c", script]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=100, check=False)
    assert done.stdout == "refused\n", done.stderr
