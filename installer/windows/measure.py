"""Measures the program for Windows under Wine beside the one of this checkout: `measure.py --bank BANK [--rounds N]`.

Both ask the same bank the same questions in turn, each time as a new process, so that load of the machine meets both.
Files are in the system's cache. Ratios tell more than seconds; of Windows itself they tell nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
_PROGRAM = ROOT / "build" / "windows" / "briefbank" / "briefbank.exe"
_QUESTIONS = (
    "is consent valid if the stop was prolonged",
    "prolonged stop",
    "State v. Carty, 170 N.J. 632",
    "consent /s search",
    "hearsay of an absent caller",
    "photo array shown by a detective who knew the suspect",
    "jury instruction on an element",
    "juvenile waiver hearing",
    "speedy trial delay",
    "alibi witness counsel did not call",
)


@dataclass(slots=True)
class Side:
    """One of the two programs, and what was measured of it: seconds of processes, milliseconds of searches."""

    command: list[str]
    bank: str
    start_s: list[float] = field(default_factory=list)
    process_s: list[float] = field(default_factory=list)
    search_ms: list[float] = field(default_factory=list)

    def ask(self, question: str) -> None:
        """Search in a new process."""
        began = time.perf_counter()
        words = [*self.command, "search", question, "--bank", self.bank, "--json"]
        said = subprocess.run(words, capture_output=True, encoding="utf-8", check=True).stdout
        self.process_s.append(time.perf_counter() - began)
        self.search_ms.append(json.loads(said)["took_ms"])

    def start(self) -> None:
        """Start, say the version and end."""
        began = time.perf_counter()
        subprocess.run([*self.command, "--version"], capture_output=True, check=True)
        self.start_s.append(time.perf_counter() - began)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    bank: Path = arguments.bank.resolve()
    wine = ["sh", str(HERE / "wine" / "wine"), "run", "wine"]
    sides = [Side([*wine, _of_wine(_PROGRAM)], _of_wine(bank)), Side([sys.executable, "-m", "briefbank"], str(bank))]
    for side in sides:
        side.ask(_QUESTIONS[0])
        side.process_s.clear()
        side.search_ms.clear()
    for _ in range(arguments.rounds):
        for question in _QUESTIONS:
            for side in sides:
                side.start()
                side.ask(question)
    _print(*sides)
    return 0


def _print(windows: Side, linux: Side) -> None:
    sys.stdout.write(f"{'':34}{'Wine':>9}{'Linux':>9}{'ratio':>8}\n")
    rows = {
        "briefbank --version, s, median": (windows.start_s, linux.start_s, 0.5),
        "cold start and search, s, median": (windows.process_s, linux.process_s, 0.5),
        "search alone, ms, p50": (windows.search_ms, linux.search_ms, 0.5),
        "search alone, ms, p95": (windows.search_ms, linux.search_ms, 0.95),
    }
    for name, (one, other, share) in rows.items():
        first, second = _at(one, share), _at(other, share)
        sys.stdout.write(f"{name:34}{first:9.2f}{second:9.2f}{first / second:8.2f}\n")


def _at(values: list[float], share: float) -> float:
    return statistics.median(values) if share == 0.5 else statistics.quantiles(values, n=100)[round(share * 100) - 1]


def _of_wine(path: Path) -> str:
    return "Z:" + str(path).replace("/", "\\")


if __name__ == "__main__":
    sys.exit(main())
