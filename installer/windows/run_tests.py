"""Runs the project's tests by the Windows Python, under Wine: `run_tests.py WORK [PYTEST WORDS…]`, with Python 3.11.

WORK is where `make windows` put what it fetched (`build/windows/work`). A Python for tests is made there once: CPython
and the wheels of the offline folder, checked in the same way, and pytest with what the tests need. Tests of what only
other systems have are skipped and say why. The exit code is pytest's.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import cpython
import packages

ROOT = Path(__file__).resolve().parents[2]
WINE = ROOT / "installer" / "windows" / "wine" / "wine"
_TOOLS = (
    *("pytest", "pluggy", "iniconfig", "hypothesis", "sortedcontainers", "pytest-qt", "pytest-socket"),
    *("pytest-timeout", "pytest-xdist", "execnet", "gguf", "onnx", "protobuf", "ml-dtypes"),
)
"""What is not in the offline folder; pinned by `constraints.txt`, never shipped."""

TESTS = ("tests/unit", "tests/contract", "tests/formats", "tests/faults")
_SECONDS = "--timeout=600"
"""A test's, twice what it has elsewhere: processes start three to five times slower under Wine."""


def main() -> int:
    """Make the Python, run the tests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path, help="the folder with the wheels")
    arguments, words = parser.parse_known_args()
    work: Path = arguments.work.resolve()
    python = make_python(work)
    command = ["sh", str(WINE), "run", "wine", _named(python), "-X", "utf8", "-m", "pytest", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, _SECONDS, *(words or TESTS)], cwd=ROOT, env=environment(work), check=False
    ).returncode


def make_python(work: Path) -> Path:
    """The interpreter of a Windows Python that takes `PYTHONPATH`, as the embedded one does not."""
    folder = work / "python-for-tests"
    if not (folder / "whole").is_file():
        shutil.rmtree(folder, ignore_errors=True)
        cpython.unpack(cpython.fetch(work), folder)
        (folder / "python311._pth").unlink()
        with zipfile.ZipFile(folder / "python311.zip") as library:
            library.extractall(folder / "Lib")
        (folder / "DLLs").mkdir()
        for module in folder.glob("*.pyd"):
            module.rename(folder / "DLLs" / module.name)
        site = folder / "Lib" / "site-packages"
        packages.fetch(work / "wheels")
        packages.unpack(work / "wheels", site)
        packages.add(_TOOLS, ROOT / "constraints.txt", site)
        (folder / "whole").touch()
    return folder / "python.exe"


def environment(work: Path) -> dict[str, str]:
    """What the Windows Python is told: where the checkout is, and to keep byte code out of it."""
    cache = _named(work / "bytecode")
    storage = _named(work / "hypothesis")
    told = {"PYTHONPATH": _named(ROOT), "PYTHONPYCACHEPREFIX": cache, "HYPOTHESIS_STORAGE_DIRECTORY": storage}
    return {**os.environ, **told}


def _named(path: Path) -> str:
    return "Z:" + str(path).replace("/", "\\")


if __name__ == "__main__":
    sys.exit(main())
