"""Where the window opens: on screens of every size, as it was left on each, and back on one that is there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QRect

from ui.placement import fitted

LAPTOP = {"name": "eDP-1", "x": 0, "y": 0, "width": 1366, "height": 768}
DESK = {"name": r"\\.\DISPLAY2", "x": 1366, "y": 0, "width": 1920, "height": 1080}
OPEN = r"""
import sys
from PySide6.QtCore import QCoreApplication, QRect, QSettings, QSize
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter, QWidget
from ui import placement

QCoreApplication.setOrganizationName("briefbank")
QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, sys.argv[1])
app = QApplication([])
window, splitter = QMainWindow(), QSplitter()
splitter.setObjectName("parts")
for _ in range(2):
    splitter.addWidget(QWidget())
window.setCentralWidget(splitter)
window.setMinimumSize(832, 440)
placement.restore(window, QSize(1280, 800), splitter)
window.show()
app.processEvents()
room = window.screen().availableGeometry()
print(*window.geometry().getRect(), int(room.contains(window.geometry())), int(window.isMaximized()), *splitter.sizes())
exec(sys.argv[2])
app.processEvents()
placement.keep(window, splitter)
"""


DIALOGS = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QWidget
from ui import theme
from ui.index_run import IndexRun
from ui.engine import EngineClient
from ui.rail import WindowMenu
from ui.preferences import Scheme, TextSize
from ui.recorder import Recorder

class NoSummaries:
    def model(self):
        return None

app = QApplication([])
theme.apply(app, Scheme.LIGHT, TextSize.LARGEST)
window, home = QWidget(), Path(sys.argv[1])
engine, recorder = EngineClient(home / "bank"), Recorder(home / "feedback.sqlite")
menu = WindowMenu(engine, NoSummaries(), recorder, IndexRun(engine), window)
window.show()
for name in [each for each in dir(menu) if each.startswith("show_")]:
    getattr(menu, name)()
    app.processEvents()
    for dialog in window.findChildren(QDialog):
        buttons = [each for each in dialog.findChildren(QAbstractButton) if each.text() and each.isVisible()]
        cut = sum(each.height() < each.sizeHint().height() for each in buttons)
        print(name, dialog.width(), dialog.height(), cut)
        dialog.close()
        dialog.deleteLater()
    app.sendPostedEvents(None, 52)
recorder.close()
engine.close()
"""


def open_on(tmp_path: Path, *screens: dict[str, object], then: str = "", scale: str = "1") -> list[int]:
    """Open a window in a process with these screens, do something with it and close it; its place, whether it is inside
    the screen, whether it is maximised, and the sizes of its parts.
    """
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": [{"logicalDpi": 96, "dpr": 1, **each} for each in screens]}))
    environment = {**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={config}", "QT_SCALE_FACTOR": scale}
    words = [sys.executable, "-c", OPEN, str(tmp_path), then]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    return [int(each) for each in done.stdout.split()]


@pytest.mark.parametrize(
    ("width", "height", "scale", "expected"),
    [(1366, 768, "1", (1280, 727)), (1920, 1080, "2", (952, 499)), (1366, 768, "2", (675, 343))],
)
def test_the_first_window_fits_a_small_screen(
    tmp_path: Path, width: int, height: int, scale: str, expected: tuple[int, int]
) -> None:
    screen = {**LAPTOP, "width": width, "height": height}
    _, _, *size, is_inside, _, _, _ = open_on(tmp_path, screen, scale=scale)
    assert is_inside
    assert tuple(size) == expected


def test_the_first_window_stands_in_the_middle_of_a_large_screen(tmp_path: Path) -> None:
    x, y, width, height, *_ = open_on(tmp_path, {**DESK, "x": 0})
    assert (width, height) == (1280, 800)
    assert abs(x - 320) <= 4
    assert 100 <= y <= 180


def test_the_window_comes_back_as_it_was_left_on_each_screen(tmp_path: Path) -> None:
    left = "window.setGeometry(40, 60, 900, 500); splitter.setSizes([200, 700])"
    open_on(tmp_path, LAPTOP, then=left)
    open_on(tmp_path, {**DESK, "x": 0}, then="window.setGeometry(100, 80, 1700, 900); splitter.setSizes([700, 1000])")
    x, y, width, height, *_, first, second = open_on(tmp_path, LAPTOP)
    assert (x, y, width, height) == (40, 60, 900, 500)
    assert first < second / 2
    assert open_on(tmp_path, {**DESK, "x": 0})[:4] == [100, 80, 1700, 900]


def test_a_window_left_on_a_second_screen_opens_there_again(tmp_path: Path) -> None:
    open_on(tmp_path, LAPTOP, DESK, then="window.setGeometry(1500, 90, 1600, 850)")
    assert open_on(tmp_path, LAPTOP, DESK)[:4] == [1500, 90, 1600, 850]


def test_a_window_left_on_a_screen_that_is_gone_comes_back_onto_one_that_is_there(tmp_path: Path) -> None:
    open_on(tmp_path, LAPTOP, DESK, then="window.setGeometry(1500, 90, 1600, 850)")
    _, _, width, height, is_inside, *_ = open_on(tmp_path, LAPTOP)
    assert is_inside
    assert (width, height) == (1358, 727)


def test_a_maximised_window_is_maximised_again_and_has_its_old_size_below(tmp_path: Path) -> None:
    open_on(tmp_path, LAPTOP, then="window.setGeometry(40, 60, 900, 500)")
    open_on(tmp_path, LAPTOP, then="window.showMaximized()")
    assert open_on(tmp_path, LAPTOP, then="window.showNormal()")[5] == 1
    assert open_on(tmp_path, LAPTOP)[:6] == [40, 60, 900, 500, 1, 0]


def test_a_damaged_place_is_as_none(tmp_path: Path) -> None:
    kept = 'QSettings().setValue("window/eDP-1 1366x768/place", "1 2 x"); placement.keep = lambda *_: None'
    open_on(tmp_path, LAPTOP, then=kept)
    _, _, width, height, is_inside, *_ = open_on(tmp_path, LAPTOP)
    assert is_inside
    assert (width, height) == (1280, 727)


def test_dialogs_open_no_larger_than_a_small_screen_with_all_their_buttons_whole(tmp_path: Path) -> None:
    """1366 by 768 at 150 %, in the largest text."""
    config = tmp_path / "screens.json"
    screen = {**LAPTOP, "width": 910, "height": 512, "logicalDpi": 96, "dpr": 1}
    config.write_text(json.dumps({"screens": [screen]}), encoding="utf-8")
    environment = {**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={config}", "XDG_CONFIG_HOME": str(tmp_path)}
    words = [sys.executable, "-c", DIALOGS, str(tmp_path)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stderr
    told = {name: [int(each) for each in numbers] for name, *numbers in map(str.split, done.stdout.splitlines())}
    assert len(told) >= 5
    assert {name: size for name, (*size, _) in told.items() if size[0] > 902 or size[1] > 471} == {}
    assert {name: cut for name, (_, _, cut) in told.items() if cut} == {}


@pytest.mark.parametrize(
    ("wished", "expected"),
    [
        (QRect(10, 10, 50, 50), QRect(10, 10, 50, 50)),
        (QRect(-30, 90, 50, 50), QRect(0, 50, 50, 50)),
        (QRect(5, 5, 500, 40), QRect(0, 5, 100, 40)),
    ],
)
def test_a_place_is_moved_and_shrunk_by_as_little_as_brings_it_onto_the_screen(wished: QRect, expected: QRect) -> None:
    assert fitted(wished, QRect(0, 0, 100, 100)) == expected
