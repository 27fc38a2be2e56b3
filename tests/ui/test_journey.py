"""From a question to a Word file by the keyboard alone, in the window as it is, dialogs among it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import docx
from PySide6.QtCore import QTimer
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot
from windows import CONSENT, WAIT_MS

from ui.dialogs.export_matter import ExportDialog
from ui.window import MainWindow

MOST_KEYS = 25
"""Beside what is typed: the question, a name, a heading, a note, where the file goes."""


class Keyboard:
    """Presses keys where the focus is, and counts them."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self._window, self._qtbot = window, qtbot
        self.pressed = 0

    def press(self, *keys: str) -> None:
        for each in keys:
            keys = QKeySequence(each)[0]  # not let go of: that would meet what stands there when a dialog has closed
            QTest.keyPress(self.focused, keys.key(), keys.keyboardModifiers())
            self.pressed += 1

    def type(self, text: str) -> None:
        QTest.keyClicks(self.focused, text)

    def until(self, is_so: Callable[[], object]) -> None:
        self._qtbot.waitUntil(lambda: bool(is_so()), timeout=WAIT_MS)

    def in_a_file_dialog(self, name: str) -> None:
        """Type a name and press Return as soon as the dialog, in which everything else waits, is there."""
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog) and isinstance(QApplication.focusWidget(), QLineEdit):
            self.type(name)
            self.press("Return")
        else:
            QTimer.singleShot(20, lambda: self.in_a_file_dialog(name))

    @property
    def focused(self) -> QWidget:
        if not QApplication.activeWindow():
            self._window.activateWindow()  # where a dialog closed; the screen of these tests leaves it to others
            self._qtbot.waitUntil(self._window.isActiveWindow)
        focused = QApplication.focusWidget()
        assert focused
        return focused


def test_a_word_file_is_written_from_a_question_by_at_most_25_keys(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    keys, pane = Keyboard(window, qtbot), window.search_space.pane
    qtbot.waitUntil(window.isActiveWindow)
    out = tmp_path / "motion.docx"

    keys.type(CONSENT)
    keys.press("Return")
    keys.until(lambda: pane.list.cards)
    keys.press("Return")
    keys.until(pane.list.has_focus)
    keys.press("A")
    keys.until(lambda: isinstance(keys.focused, QLineEdit))
    keys.type("Renfrew II")
    keys.press("Return")
    keys.until(pane.list.has_focus)
    keys.press("Down", "A", "Down", "A")
    keys.until(lambda: window._matters.current and len(window._matters.current.passages) == 3)
    keys.press("Ctrl+4", "Ctrl+Return")
    keys.until(lambda: isinstance(keys.focused, QPlainTextEdit))
    keys.type("Ask for the tape.")
    keys.press("Ctrl+Return", "Ctrl+Shift+E")
    keys.until(lambda: window.findChild(ExportDialog))
    dialog = window.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    keys.until(dialog.isActiveWindow)
    QTimer.singleShot(0, lambda: keys.in_a_file_dialog(str(out)))
    with qtbot.waitSignal(dialog.exported, timeout=WAIT_MS):
        keys.press("Return")

    written = "\n".join(each.text for each in docx.Document(str(out)).paragraphs)
    assert "Ask for the tape." in written
    assert written.count("— ") >= 3, "each passage with its source"
    assert keys.pressed <= MOST_KEYS, keys.pressed
