"""The program for Windows as `make windows` built it, installed under Wine."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from under_wine import BUILT, DRIVE, PROGRAMS, WINE, briefbank, end_wine, run


@pytest.fixture(scope="session")
def setup() -> Path:
    """The installer, on a machine that has Wine; else the tests are skipped, and say so."""
    found = sorted(BUILT.glob("BriefBank-*-setup.exe"))
    if not found:
        pytest.skip("the program for Windows is not built: make windows")
    if subprocess.run(["sh", str(WINE), "ready"], check=False).returncode:
        pytest.skip(f"Wine is not up: {WINE} up")
    return found[-1]


@pytest.fixture(scope="session")
def installed(setup: Path) -> Iterator[Path]:
    """The folder that the installer made for this user, without asking anything."""
    shutil.rmtree(PROGRAMS, ignore_errors=True)
    done = run(setup, "/S")
    assert done.code == 0, done.said
    yield PROGRAMS
    end_wine()


@pytest.fixture(scope="session")
def data(installed: Path) -> Path:
    """A new user's folder for what these tests make, on Windows' own drive."""
    folder = DRIVE / "tried"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def bank(installed: Path, data: Path) -> Path:
    """The samples, indexed on Windows with the encoder that is shipped; two of them are broken on purpose."""
    done = briefbank("index", installed / "samples", "--bank", data / "bank", "--quiet", "--json", seconds=1500)
    assert done.code == 12, done.said
    return data / "bank"
