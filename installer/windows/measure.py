"""Measures the program for Windows under Wine beside one for Linux: `measure.py --bank BANK [--installed]`.

With `--installed` the installer of `make windows` and the folder of `make bundle` are installed first, which is timed
too; else the built folder and this checkout are compared. Both ask the same bank the same questions in turn, each time
as a new process, so that load of the machine meets both. Files are in the system's cache. Ratios tell more than
seconds; of Windows itself they tell nothing.
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
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
_WINDOWS = ROOT / "build" / "windows"
_LINUX = ROOT / "build" / "bundle" / "briefbank"
_PLACE = "C:\\measured"
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
    installing: list[str] = field(default_factory=list)
    removing: list[str] = field(default_factory=list)
    install_s: list[float] = field(default_factory=list)
    first_start_s: list[float] = field(default_factory=list)
    start_s: list[float] = field(default_factory=list)
    process_s: list[float] = field(default_factory=list)
    search_ms: list[float] = field(default_factory=list)

    def install(self) -> None:
        """Install the program, where there is an installer, and start it for the first time."""
        if self.installing:
            began = time.perf_counter()
            subprocess.run(self.installing, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            self.install_s.append(time.perf_counter() - began)
        self.start()
        self.first_start_s.append(self.start_s.pop())

    def remove(self) -> None:
        """Take the program away again, where it does not lie in a folder that goes anyway."""
        if self.removing:
            subprocess.run(self.removing, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

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
        words = [*self.command, "--version"]
        subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        self.start_s.append(time.perf_counter() - began)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--installed", action="store_true", help="install both programs first")
    arguments = parser.parse_args()
    with TemporaryDirectory() as scratch:
        sides = _sides(arguments.bank.resolve(), Path(scratch) if arguments.installed else None)
        try:
            _measure(sides, arguments.rounds)
        finally:
            for side in sides:
                side.remove()
    _print(*sides)
    return 0


def _measure(sides: tuple[Side, Side], rounds: int) -> None:
    for side in sides:
        side.install()
        side.ask(_QUESTIONS[0])
        side.process_s.clear()
        side.search_ms.clear()
    for _ in range(rounds):
        for question in _QUESTIONS:
            for side in sides:
                side.start()
                side.ask(question)


def _sides(bank: Path, prefix: Path | None) -> tuple[Side, Side]:
    """Windows' side and Linux's; where there is a prefix, each with how it is installed, on Linux below the prefix."""
    wine = ["sh", str(HERE / "wine" / "wine"), "run", "wine"]
    if prefix is None:
        built = _of_wine(_WINDOWS / "briefbank" / "briefbank.exe")
        return Side([*wine, built], _of_wine(bank)), Side([sys.executable, "-m", "briefbank"], str(bank))
    (setup,) = _WINDOWS.glob("BriefBank-*-setup.exe")
    installing = [*wine, _of_wine(setup), "/S", f"/D={_PLACE}"]
    removing = [*wine, rf"{_PLACE}\uninstall.exe", "/S"]
    windows = Side([*wine, rf"{_PLACE}\briefbank.exe"], _of_wine(bank), installing, removing)
    home = ["env", f"HOME={prefix}", "XDG_DATA_HOME="]
    linux = Side([str(prefix / ".local/bin/briefbank")], str(bank), [*home, str(_LINUX / "install.sh")])
    return windows, linux


def _print(windows: Side, linux: Side) -> None:
    sys.stdout.write(f"{'':34}{'Wine':>9}{'Linux':>9}{'ratio':>8}\n")
    rows = {
        "installing, s": (windows.install_s, linux.install_s, 0.5),
        "first briefbank --version, s": (windows.first_start_s, linux.first_start_s, 0.5),
        "briefbank --version, s, median": (windows.start_s, linux.start_s, 0.5),
        "cold start and search, s, median": (windows.process_s, linux.process_s, 0.5),
        "search alone, ms, p50": (windows.search_ms, linux.search_ms, 0.5),
        "search alone, ms, p95": (windows.search_ms, linux.search_ms, 0.95),
    }
    for name, (one, other, share) in rows.items():
        if not one or not other:
            continue
        first, second = _at(one, share), _at(other, share)
        sys.stdout.write(f"{name:34}{first:9.2f}{second:9.2f}{first / second:8.2f}\n")


def _at(values: list[float], share: float) -> float:
    return statistics.median(values) if share == 0.5 else statistics.quantiles(values, n=100)[round(share * 100) - 1]


def _of_wine(path: Path) -> str:
    return "Z:" + str(path).replace("/", "\\")


if __name__ == "__main__":
    sys.exit(main())
