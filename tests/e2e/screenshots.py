"""Drives the window on a real screen as a defender would, and keeps a picture of each step.

`python tests/e2e/screenshots.py FOLDER [--bank DIR] [--ask TEXT] [--dark] [--scale 2] [--size 1920x1040]`. Starts a
virtual screen (Xvfb) where none is there. Ends with an error where a step does not come about.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ui.window import MainWindow

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "can police ask a motorist for consent to search without suspicion"
NOTHING = "zymurgy quokka flibbertigibbet"
_WAIT_S = 90.0
_SETTLE_MS = 1_500


@contextmanager
def screen(width_px: int, height_px: int) -> Iterator[None]:
    """A screen of that size: a virtual one, on a free display, for as long as this lasts."""
    read, write = os.pipe()
    words = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width_px}x{height_px}x24", "-nolisten", "tcp"]
    server = subprocess.Popen(words, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as told:
            os.environ["DISPLAY"] = f":{told.readline().strip()}"
        os.environ.pop("WAYLAND_DISPLAY", None)
        os.environ["QT_QPA_PLATFORM"] = "xcb"
        yield
    finally:
        server.terminate()
        server.wait()


def _wait(milliseconds: int) -> None:
    """Let the window work. QTest.qWait would keep every other thread of Python waiting meanwhile."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


class Driver:
    """The hands and the camera."""

    def __init__(self, window: MainWindow, folder: Path, suffix: str) -> None:
        self._window, self._folder, self._suffix = window, folder, suffix

    def until(self, is_so: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + _WAIT_S
        while not is_so():
            if time.monotonic() > deadline:
                sys.exit(f"waited in vain until {what}")
            _wait(20)

    def press(self, *keys: str) -> None:
        from PySide6.QtGui import QKeySequence
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QApplication

        for key in keys:
            QTest.keySequence(QApplication.focusWidget() or self._window, QKeySequence(key))

    def ask(self, text: str) -> None:
        from PySide6.QtTest import QTest

        before = self._window.search_space.search.shown
        self.press("Ctrl+L")
        QTest.keyClicks(self._window.search_space.bar.field, text)
        self.press("Return")
        self.until(lambda: self._window.search_space.search.shown is not before, "the search is answered")

    def keep(self, name: str) -> None:
        _wait(_SETTLE_MS)  # what is on its way (a page, a cursor) is there by then
        path = self._folder / f"{name}{self._suffix}.png"
        if not self._window.screen().grabWindow(self._window.winId()).save(str(path)):
            sys.exit(f"cannot write {path}")


def walk_through(window: MainWindow, driver: Driver, question: str) -> None:
    """First sight, a search, reading, judging, the summary, nothing found, help."""
    driver.keep("starting")
    driver.until(lambda: window.search_space.generation, "the engine is ready")
    driver.ask(question)
    driver.press("Ctrl+J")
    driver.until(lambda: window.search_space.pane.list.current, "a result has the focus")
    driver.until(lambda: window.search_space.page.view.pages, "the page is there")
    driver.keep("window")
    driver.press("Ctrl+Shift+O")
    driver.keep("outline")
    driver.press("Ctrl+Shift+O", "Ctrl+J", "R", "X")
    driver.keep("judged")
    driver.press("X", "S")
    driver.keep("summary")
    driver.press("S", "Ctrl+B")
    driver.keep("best-match")
    driver.ask(NOTHING)
    driver.keep("nothing")


def main() -> None:
    args = _arguments()
    args.folder.mkdir(parents=True, exist_ok=True)
    os.environ["QT_SCALE_FACTOR"] = str(args.scale)
    with (
        tempfile.TemporaryDirectory() as home,
        screen(*(int(each * args.scale) for each in args.size)),
    ):
        for name in ("DATA", "CONFIG", "CACHE", "STATE"):
            os.environ[f"XDG_{name}_HOME"] = home
        _drive(args, Path(home))


def _drive(args: argparse.Namespace, home: Path) -> None:
    from briefbank.bank.remote import RemoteSummaries
    from ui import theme
    from ui.application import make_application
    from ui.engine import EngineClient
    from ui.matters.keeper import MatterStore
    from ui.recorder import Recorder
    from ui.session import Session

    app = make_application()
    theme.wear(app, theme.DARK if args.dark else theme.LIGHT)
    engine, recorder, summaries = (
        EngineClient(args.bank),
        Recorder(home / "feedback.sqlite"),
        RemoteSummaries(args.bank),
    )
    matters = MatterStore(home / "matters.sqlite")
    engine.bank.start()
    try:
        session = Session(engine, recorder, summaries, matters)
        window = session.make_window()
        window.setGeometry(0, 0, *args.size)
        window.show()
        window.activateWindow()
        driver = Driver(window, args.folder, "-dark" if args.dark else "")
        driver.until(window.isVisible, "the window is on the screen")
        walk_through(window, driver, args.ask)
        window.close()
    finally:
        summaries.close()
        engine.close()
        recorder.close()
        matters.close()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bank", type=Path, default=ROOT / "build" / "demo-bank")
    parser.add_argument("--ask", default=QUESTION)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--size", type=lambda text: tuple(map(int, text.split("x"))), default=(1366, 728))
    return parser.parse_args()


if __name__ == "__main__":
    main()
