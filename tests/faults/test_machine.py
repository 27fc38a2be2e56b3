"""`briefbank check --machine`: what this machine keeps readers of hostile files from, tried on it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from program import ROOT, command

from briefbank.errors import ExitCode
from briefbank.platform.confine import landlock, seccomp
from briefbank.platform.windows import api

_OLDER = [sys.executable, str(Path(__file__).with_name("older_kernel.py")), "landlock,seccomp"]
_FILES, _MEMORY = "changes no file of this user", "has no more memory than it is given"


def checked(*before: str, code: ExitCode) -> dict[str, bool]:
    words = [*before, *command("check", "--machine", "--json")]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=200, check=False)
    assert done.returncode == code, done.stderr
    held: dict[str, bool] = json.loads(done.stdout)["held"]
    return held


@pytest.mark.skipif(sys.platform != "linux" or not landlock.version() or not seccomp.is_there(), reason="a new Linux's")
def test_a_machine_that_holds_its_readers_passes() -> None:
    assert checked(code=ExitCode.OK) == {_FILES: True, _MEMORY: True}


@pytest.mark.skipif(sys.platform != "linux", reason="takes Linux's own means away")
def test_a_machine_that_does_not_hold_them_is_told_of_what() -> None:
    assert checked(*_OLDER, code=ExitCode.OTHER) == {_FILES: False, _MEMORY: True}


@pytest.mark.skipif(sys.platform != "win32", reason="of what Windows has")
def test_windows_holds_its_readers_and_wine_is_told_to_hold_only_their_privileges() -> None:
    wine = api.is_wine()
    held = checked(code=ExitCode.OTHER if wine else ExitCode.OK)
    assert held.pop("has no privileges of its user")
    assert len(held) == 3
    assert set(held.values()) == {not wine}
