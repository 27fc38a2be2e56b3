"""The program itself, in a process of its own: started, ended from outside, and with a fault in it."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from program import ROOT
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from briefbank import __version__
from ui.app import main as app_main
from ui.application import FaultReporter

WAIT_S = 60

TOLD_WHEN_SHOWN = """
import sys
from PySide6.QtCore import QTimer
from ui import app, application

make = application.make_application
def make_and_tell():
    made = make()
    QTimer.singleShot(0, made, lambda: print("shown", flush=True))
    return made
application.make_application = make_and_tell
sys.exit(app.main())
"""

TWO_WINDOWS = """
import sys
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from ui import app, application

def windows():
    from ui.window import MainWindow
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow) and each.isVisible()]

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
STEPS = [(1, Qt.Key.Key_N, CTRL | SHIFT), (2, Qt.Key.Key_W, CTRL), (1, Qt.Key.Key_W, CTRL)]

def go_on():
    number, key, modifiers = STEPS[0]
    if len(windows()) != number:
        return
    if not windows()[0].isActiveWindow():
        windows()[0].activateWindow()  # which takes a moment; keys go to the window that is active
    else:
        print(number, flush=True)
        del STEPS[0]
        QTest.keyClick(windows()[0], key, modifiers)

make = application.make_application
def make_and_use():
    made = make()
    made.going_on = QTimer(made, interval=200)
    made.going_on.timeout.connect(lambda: go_on() if STEPS else None)
    made.going_on.start()
    return made
application.make_application = make_and_use
sys.exit(app.main())
"""


def start(*arguments: object) -> subprocess.Popen[str]:
    """Start the program; it says `shown` once its event loop runs."""
    return subprocess.Popen(
        [sys.executable, "-c", TOLD_WHEN_SHOWN, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def until_shown(program: subprocess.Popen[str]) -> list[psutil.Process]:
    """Wait for the window and return the processes below it."""
    assert program.stdout
    assert program.stdout.readline().strip() == "shown", program.communicate(timeout=WAIT_S)
    return psutil.Process(program.pid).children(recursive=True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_window_and_all_its_processes_in_order(number: signal.Signals, office_bank: Path) -> None:
    with start("--bank", office_bank) as program:
        below = until_shown(program)
        assert below
        os.kill(program.pid, number)
        _told, errors = program.communicate(timeout=WAIT_S)
    assert program.returncode == 128 + number
    assert errors == ""
    _gone, left = psutil.wait_procs(below, timeout=60)
    assert not left


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells of another process's mask")
def test_whatever_the_window_and_its_processes_make_is_for_their_owner_alone(office_bank: Path) -> None:
    before = os.umask(0o022)
    try:
        with start("--bank", office_bank) as program:
            below = until_shown(program)
            masks = {umask_of(pid) for pid in (program.pid, *(each.pid for each in below))}
            program.terminate()
            program.communicate(timeout=WAIT_S)
    finally:
        os.umask(before)
    assert masks == {"0077"}


def umask_of(pid: int) -> str:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return next(line.split()[1] for line in status.splitlines() if line.startswith("Umask:"))


def test_the_program_goes_on_with_a_second_window_and_ends_with_the_last(office_bank: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TWO_WINDOWS, "--bank", str(office_bank)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=WAIT_S,
        check=False,
    )
    assert (done.stdout.split(), done.stderr, done.returncode) == (["1", "2", "1"], "", 0)


def test_the_window_opens_where_there_is_no_bank_yet(tmp_path: Path) -> None:
    with start("--bank", tmp_path / "nothing") as program:
        until_shown(program)
        program.terminate()
        _told, errors = program.communicate(timeout=WAIT_S)
    assert errors == ""
    assert not (tmp_path / "nothing").exists()


def test_the_program_tells_its_version_without_a_window() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ui", "--version"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == f"briefbank {__version__}"


@pytest.fixture
def teller(qtbot: QtBot) -> Iterator[FaultReporter]:
    yield FaultReporter()
    for box in boxes():
        box.close()


def boxes() -> list[QMessageBox]:
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, QMessageBox) and each.isVisible()]


def fail(teller: FaultReporter) -> None:
    try:
        raise ValueError("the text of a brief")
    except ValueError as fault:
        teller(type(fault), fault, fault.__traceback__)


def test_a_fault_is_told_by_its_place_and_never_with_its_text(
    teller: FaultReporter, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        fail(teller)
    (box,) = boxes()
    for told in (caplog.text, box.text() + box.informativeText()):
        assert "the text of a brief" not in told
    assert "ValueError at test_app.py" in caplog.text
    assert "ValueError at test_app.py" in box.informativeText()


def test_a_fault_that_keeps_coming_is_shown_once_and_again_after_it_was_read(teller: FaultReporter) -> None:
    for _ in range(3):
        fail(teller)
    (box,) = boxes()
    box.accept()
    assert boxes() == []
    fail(teller)
    assert len(boxes()) == 1


def test_a_library_that_qt_lacks_is_named_before_the_window_opens(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def load(name: str) -> None:
        if name == "libEGL.so.1":
            raise OSError(name)

    monkeypatch.setattr("ui.app.ctypes.CDLL", load)
    monkeypatch.setattr("ui.app.sys.platform", "linux")
    assert app_main(["--bank", "no-bank"]) == 1
    assert "libEGL.so.1" in caplog.text
    assert "libegl1" in caplog.text
