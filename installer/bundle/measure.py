"""Measures how soon the offline folder starts beside an installation from source, in alternating rounds of one run:
`measure.py BUNDLE --bank BANK [--source FOLDER_OF_PROGRAMS]`. The window is timed on a virtual screen (Xvfb), from the
start of its process until its colours are on it. Files are in the system's cache: both sides are started once before.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

_QUESTION = "is consent valid if the stop was prolonged"
_LIMIT_S = 60.0
_PAUSE_S = 0.005
_DISPLAY = ":88"
_LEAST_CHANGED = 0.3
"""Share of the screen that must differ from the empty one: the window is there, and painted."""

Timed = Callable[[Path], float]


def main() -> int:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--source", type=Path, default=Path(sys.executable).parent, help="where its briefbank lies")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "HOME": scratch, "XDG_DATA_HOME": scratch, "XDG_CONFIG_HOME": scratch}
        bank = str(arguments.bank)
        measures: dict[str, Timed] = {
            "briefbank --version": lambda programs: _ended([programs / "briefbank", "--version"], environment),
            "briefbank search": lambda programs: _ended(
                [programs / "briefbank", "search", _QUESTION, "--bank", bank], environment
            ),
            "window visible": lambda programs: _visible([programs / "briefbank-ui", "--bank", bank], environment),
        }
        sys.stdout.write(f"{'median seconds':24}{'bundle':>9}{'source':>9}\n")
        for name, timed in measures.items():
            bundle, source = _alternating(timed, arguments.bundle, arguments.source, arguments.rounds)
            sys.stdout.write(f"{name:24}{bundle:9.2f}{source:9.2f}\n")
    return 0


def _alternating(timed: Timed, first: Path, second: Path, rounds: int) -> tuple[float, float]:
    seconds: dict[Path, list[float]] = {first: [], second: []}
    for number in range(rounds + 1):
        for programs, told in seconds.items():
            taken = timed(programs)
            if number:
                told.append(taken)
    return statistics.median(seconds[first]), statistics.median(seconds[second])


def _ended(command: list[Path | str], environment: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def _visible(command: list[Path | str], environment: dict[str, str]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        screen = subprocess.Popen(
            ["Xvfb", _DISPLAY, "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-fbdir", folder]
        )
        try:
            picture = Path(folder) / "Xvfb_screen0"
            time.sleep(1)
            empty = picture.read_bytes()
            began = time.perf_counter()
            window = subprocess.Popen(command, env={**environment, "DISPLAY": _DISPLAY, "QT_QPA_PLATFORM": "xcb"})
            try:
                while not _is_painted(empty, picture.read_bytes()):
                    if time.perf_counter() - began > _LIMIT_S:
                        raise TimeoutError("the window did not show")
                    time.sleep(_PAUSE_S)
                return time.perf_counter() - began
            finally:
                window.terminate()
                window.wait()
        finally:
            screen.terminate()
            screen.wait()


def _is_painted(empty: bytes, now: bytes) -> bool:
    sampled = range(len(empty) // 5, len(empty), 4001)
    return sum(empty[at] != now[at] for at in sampled) >= _LEAST_CHANGED * len(sampled)


if __name__ == "__main__":
    sys.exit(main())
