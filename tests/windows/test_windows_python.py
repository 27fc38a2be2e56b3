"""The project's own tests, run by the Windows Python under Wine: every folder of them, and twenty kills of each."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from program import ROOT
from under_wine import BUILT, WINE

pytestmark = [pytest.mark.windows, pytest.mark.timeout(10_800)]
SCRIPT = ROOT / "installer" / "windows" / "run_tests.py"
KILLS = {
    "index": "tests/faults/test_kill.py",
    "pack and install": "tests/faults/test_pack_kill.py",
    "judging": "tests/faults/test_feedback_kill.py",
    "collecting": "tests/faults/test_matter_kill.py",
}


@pytest.fixture(scope="module")
def work() -> Path:
    """What `make windows` fetched, on a machine that has Wine; else the tests are skipped, and say so."""
    if not (BUILT / "work" / "wheels").is_dir():
        pytest.skip("the program for Windows is not built: make windows")
    if subprocess.run(["sh", str(WINE), "ready"], check=False).returncode:
        pytest.skip(f"Wine is not up: {WINE} up")
    return BUILT / "work"


def passed(work: Path, name: str, *words: str) -> None:
    """Run tests; how many passed, and why others were skipped, stays in build/windows/tests-NAME.log."""
    log = BUILT / f"tests-{name}.log"
    with log.open("wb") as out:
        done = subprocess.run(
            [sys.executable, str(SCRIPT), str(work), "-q", "-rsfE", "--tb=short", *words],
            cwd=ROOT, env=dict(os.environ), stdout=out, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
    end = log.read_text(encoding="utf-8", errors="replace")[-3000:]
    assert done.returncode == 0, f"{log}:\n{end}"
    assert " passed" in end


@pytest.mark.parametrize("folder", ["unit", "contract", "formats", "faults"])
def test_the_tests_of_a_folder_pass_on_windows(work: Path, folder: str) -> None:
    passed(work, folder, "-n", "2", "--dist", "loadfile", f"tests/{folder}")


@pytest.mark.parametrize("what", KILLS)
def test_twenty_kills_lose_nothing_on_windows(work: Path, what: str) -> None:
    passed(work, f"killed-{what.partition(' ')[0]}", "-m", "slow", "-k", "many", KILLS[what])
