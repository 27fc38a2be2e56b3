"""The installer by itself, on a folder of a few files, wherever Wine is up: quick, and without the built folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from certificates import is_signed_by, write_certificate
from PIL import Image
from program import ROOT
from under_wine import DRIVE, WINE, Ended, install, run, windows_path

sys.path[:0] = [str(ROOT / "installer" / name) for name in ("bundle", "windows")]
import launchers  # noqa: E402
import setup_program  # noqa: E402

pytestmark = [
    pytest.mark.skipif(shutil.which("makensis") is None, reason="NSIS is not installed"),
    pytest.mark.skipif(
        subprocess.run(["sh", str(WINE), "ready"], check=False).returncode != 0, reason=f"Wine is not up: {WINE} up"
    ),
]
FOLDER = DRIVE / "Program Files" / "tried" / "BriefBank"
KEY = r"HKLM\Software\Microsoft\Windows\CurrentVersion\Uninstall\BriefBank"
OPENING = r"HKLM\Software\Classes\BriefBank.Pack\shell\open\command"
MENU = DRIVE / "ProgramData/Microsoft/Windows/Start Menu/Programs/BriefBank/BriefBank.lnk"


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """The installer of an older version, which has a module that the newer one has not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setup_program, "__version__", "0.0.9")
        return packed(tmp_path / "older", "_internal/gone.pyc")


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    return packed(tmp_path / "newer", "_internal/new.pyc")


def packed(place: Path, *names: str) -> Path:
    for name in ("LICENSE", "briefbank.exe", "briefbank-ui.exe", *names):
        path = place / "briefbank" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    return setup_program.pack(place / "briefbank", place, is_quick=True)


def test_a_folder_with_documents_of_others_is_refused_and_left_as_it_is(newer: Path) -> None:
    place = DRIVE / "work"
    shutil.rmtree(place, ignore_errors=True)
    brief = place / "docs" / "brief.docx"
    brief.parent.mkdir(parents=True)
    brief.write_bytes(b"mine")
    assert install(newer, rf"/S /D={windows_path(place)}").code == 145
    assert brief.read_bytes() == b"mine"
    assert [path.name for path in place.iterdir()] == ["docs"]


@pytest.mark.parametrize(
    "place", [r"C:\open", r"C:\Program Files", r"C:\Program Files\..\open", r"C:\Program FilesX\open"]
)
def test_for_everybody_only_a_folder_that_users_cannot_change_is_taken(newer: Path, place: str) -> None:
    shutil.rmtree(DRIVE / "open", ignore_errors=True)
    assert install(newer, rf"/S /ALLUSERS /D={place}").code == 161
    assert not (DRIVE / "open").exists()
    assert not (DRIVE / "Program Files" / "briefbank.exe").exists()


def test_an_older_version_is_replaced_and_both_leave_banks_alone(older: Path, newer: Path) -> None:
    shutil.rmtree(FOLDER.parent, ignore_errors=True)
    run("reg", "delete", KEY, "/f")  # of a test that was stopped
    assert install(older, rf"/S /ALLUSERS /D={windows_path(FOLDER)}").code == 0
    assert registered(KEY, "DisplayVersion") == "0.0.9"
    assert windows_path(FOLDER / "briefbank.exe") in run("reg", "query", OPENING).out
    assert MENU.is_file()
    kept = FOLDER / "bank" / "bank.toml"
    kept.parent.mkdir()
    kept.write_bytes(b"kept")

    assert install(newer, "/S /ALLUSERS").code == 0, "it goes where the older version is"
    assert registered(KEY, "DisplayVersion") == setup_program.__version__
    assert (FOLDER / "_internal" / "new.pyc").is_file()
    assert not (FOLDER / "_internal" / "gone.pyc").exists()

    run(FOLDER / "uninstall.exe", "/S", "/ALLUSERS")
    wait_until_gone(FOLDER / "uninstall.exe")
    assert [path.name for path in FOLDER.rglob("*")] == ["bank", "bank.toml"]
    assert kept.read_bytes() == b"kept"
    assert not MENU.exists()
    for left in (KEY, OPENING, r"HKLM\Software\Classes\.bbpack"):
        assert run("reg", "query", left).code != 0, left


def test_it_installs_into_a_folder_with_a_long_path_and_removes_itself_from_there(newer: Path) -> None:
    top = DRIVE / "long to install"
    shutil.rmtree(top, ignore_errors=True)
    folder = top.joinpath(*("folder with a long name " * 4 + str(level) for level in range(3)))
    assert len(windows_path(folder)) > 300
    assert install(newer, f"/S /D={windows_path(folder)}").code == 0
    assert (folder / "_internal" / "new.pyc").is_file()
    run(folder / "uninstall.exe", "/S")
    wait_until_gone(folder / "uninstall.exe")
    assert not folder.exists()


@pytest.mark.skipif(shutil.which("osslsigncode") is None, reason="osslsigncode is not installed")
@pytest.mark.skipif(shutil.which(launchers.COMPILER) is None, reason="MinGW-w64 is not installed")
def test_with_a_certificate_programs_installer_and_uninstaller_are_signed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, alone = write_certificate(tmp_path, passphrase="of the office")
    (tmp_path / "passphrase").write_text("of the office", encoding="utf-8")
    out = tmp_path / "an out folder"
    (out / "briefbank").mkdir(parents=True)
    (out / "briefbank" / "LICENSE").touch()
    Image.new("RGBA", (16, 16)).save(tmp_path / "icon.ico")
    launchers.compile_launchers(out / "briefbank", tmp_path, version="1.0", icon=tmp_path / "icon.ico")
    monkeypatch.setenv("BRIEFBANK_CERTIFICATE", str(certificate))
    monkeypatch.setenv("BRIEFBANK_CERTIFICATE_PASSPHRASE", str(tmp_path / "passphrase"))
    monkeypatch.setattr(sys, "argv", ["setup_program.py", str(out), "--quick"])
    assert setup_program.main() == 0
    (setup,) = out.glob("*.exe")

    shutil.rmtree(FOLDER.parent, ignore_errors=True)
    run("reg", "delete", KEY, "/f")
    assert install(setup, rf"/S /ALLUSERS /D={windows_path(FOLDER)}").code == 0
    installed = sorted(FOLDER.glob("*.exe"))
    assert [path.name for path in installed] == ["briefbank-ui.exe", "briefbank.exe", "uninstall.exe"]
    for program in (setup, *installed):
        assert is_signed_by(alone, program), program.name
    run(FOLDER / "uninstall.exe", "/S", "/ALLUSERS")
    wait_until_gone(FOLDER / "uninstall.exe")


def registered(key: str, name: str) -> str:
    told: Ended = run("reg", "query", key, "/v", name)
    return told.out.split()[-1]


def wait_until_gone(path: Path) -> None:
    """The uninstaller goes on from a temporary folder after it has ended."""
    deadline = time.monotonic() + 120
    while path.exists() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not os.path.lexists(path)
