"""A program killed outright while its user judges: every mark that was shown as kept is kept."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from program import MANY_KILLS, ROOT

from briefbank.judgements.feedback.log import FeedbackLog

PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, "tests")
from PySide6.QtCore import QCoreApplication, QTimer
from hits import result
from ui.recorder import Recorder

application = QCoreApplication([])
recorder = Recorder(Path(sys.argv[1]))
recorder.recorded.connect(lambda event_id: print(event_id, flush=True))
found = result("the stop", *range(1, 6))
search_id = recorder.searched(found, found.hits)
clicks = 0

def click():
    global clicks, search_id
    clicks += 1
    if clicks % 50 == 0:
        search_id = recorder.searched(found, found.hits)
    recorder.judge(search_id, found.hits[clicks % 5], (True, False, None)[clicks % 3])

timer = QTimer()
timer.timeout.connect(click)
timer.start(0)
application.exec()
"""


def acknowledged(path: Path, seconds: float) -> list[str]:
    """Let a program judge, kill it that long after its first mark, and return the ids that it had told as kept."""
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
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
        told += acknowledged(path, moments.random() * 0.3)
    with FeedbackLog(path) as log:
        kept = log.event_ids()
    were_told = set(told)
    assert len(told) > 5 * kills
    assert [each for each in kept if each in were_told] == told


def test_no_mark_is_lost_in_eight_kills(tmp_path: Path) -> None:
    assert_nothing_lost(tmp_path / "feedback.sqlite", 8, seed=8)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_mark_is_lost_in_many_kills(tmp_path: Path) -> None:
    assert_nothing_lost(tmp_path / "feedback.sqlite", MANY_KILLS, seed=50)
