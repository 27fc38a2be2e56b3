"""The window's thread opens no file and no database while somebody searches, judges, reads and looks into the menu."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot
from windows import CONSENT, WAIT_MS, ask, press

from briefbank.bank.remote import RemoteSummaries
from ui.engine import EngineClient
from ui.matters.keeper import MatterStore
from ui.recorder import Recorder
from ui.session import Session
from ui.window import MainWindow

ROOT = Path(__file__).parents[2]
_PROGRAM = (
    ROOT / "ui",
    ROOT / "briefbank",
    ROOT / "LICENSE",
    Path(sys.prefix),
    Path(sys.prefix).resolve(),
    Path(sys.base_prefix),
)
OWN = tuple(map(str, _PROGRAM))
"""Where the program lies with its own code and texts, which are read when they are first needed."""
WATCHED = (
    "open",
    "sqlite3.connect",
    "os.listdir",
    "os.scandir",
    "os.remove",
    "os.rename",
    "subprocess.Popen",
    "glob.glob",
)
_seen: list[str] | None = None


def _on_event(event: str, args: tuple[object, ...]) -> None:
    if _seen is None or event not in WATCHED or threading.current_thread() is not threading.main_thread():
        return
    place = str(args[0]) if args else ""
    is_own = str(Path(place).absolute()).startswith(OWN) or place in sys.path or "__path_hook__" in place
    if not isinstance(args[0], int) and not is_own:
        _seen.append(f"{event} {place}")


@contextmanager
def watched() -> Iterator[list[str]]:
    """What this thread opens outside of the program's own folders as long as this lasts."""
    global _seen  # noqa: PLW0603  # an audit hook cannot be taken away again
    if not getattr(sys, "_briefbank_hook", False):
        sys.addaudithook(_on_event)
        sys._briefbank_hook = True  # type: ignore[attr-defined]
    _seen = found = []
    try:
        yield found
    finally:
        _seen = None


def test_the_watch_sees_what_is_opened(tmp_path: Path) -> None:
    with watched() as opened:
        (tmp_path / "briefs.txt").write_text("x", encoding="utf-8")
    assert opened == [f"open {tmp_path / 'briefs.txt'}"]


def test_the_window_s_thread_opens_nothing_from_the_first_search_to_the_last_dialog(
    qtbot: QtBot, engine: EngineClient, tmp_path: Path
) -> None:
    summaries = RemoteSummaries(engine.bank_root)
    with watched() as opened:
        recorder = Recorder(tmp_path / "feedback.sqlite")
        matters = MatterStore(tmp_path / "matters.sqlite")
        session = Session(engine, recorder, summaries, matters)
        window = session.make_window()
        window.show()
        try:
            work(window, qtbot)
        finally:
            window.close()
    assert recorder.close() == 0
    assert matters.close() == 0
    summaries.close()
    window.deleteLater()
    assert not opened, "\n".join(opened)


def work(window: MainWindow, qtbot: QtBot) -> None:
    """Search, read, judge, summarise, copy, and open every space and every dialog of the menu."""
    space = window.search_space
    ask(window, qtbot, CONSENT)
    qtbot.waitUntil(lambda: space.page.view.pages is not None, timeout=WAIT_MS)
    press(window, Qt.Key.Key_R, Qt.Key.Key_4, Qt.Key.Key_X, Qt.Key.Key_S, Qt.Key.Key_C)
    window._matters.make("Renfrew")
    press(window, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: bool(window._matters.current.passages), timeout=WAIT_MS)
    QTest.qWait(300)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    press(window, Qt.Key.Key_Down, Qt.Key.Key_Return)
    QTest.qWait(300)
    window.bottom.comment.setText("the second one")
    ask(window, qtbot, "photographic array shown by the detective")
    for name in window._spaces:
        window.open_space(name)
        QTest.qWait(200)
    for show in (window.menu.show_settings, window.menu.show_about, window.menu.show_help, window.menu.show_index):
        show()
        QTest.qWait(100)
        for dialog in window.findChildren(QDialog):
            dialog.close()
    qtbot.waitUntil(lambda: space._recorder.unwritten == 0, timeout=WAIT_MS)
