"""What IT does with the installer: for everybody, over an older version, while the program is open, and away again."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from program import ROOT
from under_wine import DRIVE, WINE, install, run, windows_path

pytestmark = [pytest.mark.windows, pytest.mark.timeout(1800)]
FOLDER = DRIVE / "Program Files" / "ForAll" / "BriefBank"
KEY = r"HKLM\Software\Microsoft\Windows\CurrentVersion\Uninstall\BriefBank"
TYPE = r"HKLM\Software\Classes\BriefBank.Pack\shell\open\command"


def test_it_installs_upgrades_and_removes_for_everybody_and_leaves_banks_alone(setup: Path) -> None:
    run("reg", "delete", KEY, "/f")  # of a test that was stopped
    words = rf"/S /ALLUSERS /D={windows_path(FOLDER)}"
    assert install(setup, words).code == 0
    assert run(FOLDER / "briefbank.exe", "--version").out.startswith("briefbank ")
    assert "0x1" in run("reg", "query", KEY, "/v", "NoModify").out
    assert windows_path(FOLDER / "briefbank.exe") in run("reg", "query", TYPE).out

    kept = [FOLDER / "bank" / "bank.toml", DRIVE / "users/root/AppData/Local/briefbank/feedback.sqlite-kept"]
    stale = FOLDER / "_internal" / "of-the-old-version.pyc"
    for path in (*kept, stale):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"kept")
    assert run(setup, "/S", "/ALLUSERS").code == 0, "an upgrade goes where the older version is"
    assert not stale.exists()
    assert all(path.read_bytes() == b"kept" for path in kept)

    with open_program():
        assert install(setup, words).code == 5
        assert (FOLDER / "_internal" / "start.py").is_file()

    remove(FOLDER)
    assert not (FOLDER / "briefbank.exe").exists()
    assert all(path.read_bytes() == b"kept" for path in kept)
    assert run("reg", "query", KEY).code != 0


def test_the_start_up_script_of_the_guide_installs_once(setup: Path, tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "installing.md").read_text("utf-8")
    script = guide.partition("```bat\n")[2].partition("```")[0]
    shared = r"\\server\share\BriefBank-0.1.0-setup.exe"
    assert shared in script
    written = tmp_path / "briefbank.cmd"
    written.write_text(script.replace(shared, windows_path(setup)), encoding="utf-8", newline="\r\n")
    folder = DRIVE / "Program Files" / "BriefBank"
    run("reg", "delete", KEY, "/f")
    assert run("cmd", "/c", written).code == 0
    assert run(folder / "briefbank.exe", "--version").out.startswith("briefbank ")
    of_this_version = folder / "_internal" / "untouched"
    of_this_version.touch()
    assert run("cmd", "/c", written).code == 0
    assert of_this_version.exists(), "it was installed again"
    remove(folder)


class open_program:  # noqa: N801 - reads as what it does
    """A command line that runs until it is ended."""

    def __enter__(self) -> None:
        watched = DRIVE / "watched"
        watched.mkdir(exist_ok=True)
        words = ["index", windows_path(watched), "--watch", "--bank", windows_path(DRIVE / "watched-bank")]
        command = ["sh", str(WINE), "run", "wine", windows_path(FOLDER / "briefbank.exe"), *words]
        self._started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(15)

    def __exit__(self, *_: object) -> None:
        run("taskkill", "/F", "/IM", "briefbank.exe")
        self._started.kill()
        self._started.wait()


def remove(folder: Path) -> None:
    """Run the uninstaller, which goes on by itself from a temporary folder, and wait until it is done."""
    run(folder / "uninstall.exe", "/S", "/ALLUSERS")
    deadline = time.monotonic() + 300
    while (folder / "uninstall.exe").exists() and time.monotonic() < deadline:
        time.sleep(1)
