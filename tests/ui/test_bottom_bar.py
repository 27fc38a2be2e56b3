"""The line at the bottom: what failed is read before what was done, and none of both is lost."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from windows import CONSENT, ask

from briefbank.errors import NoSpaceError
from ui.bottom_bar import BottomBar
from ui.window import MainWindow
from ui.wording import COPIED

_FAILED = "Not recorded yet: The disk is full. Make room."


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a screen reader was told, as it comes."""
    said: list[str] = []
    monkeypatch.setattr(BottomBar, "announce", lambda _self, message: said.append(message))
    return said


def test_what_is_confirmed_while_a_failure_is_read_follows_it(
    window: MainWindow, qtbot: QtBot, announced: list[str]
) -> None:
    bottom = window.bottom
    ask(window, qtbot, CONSENT)
    window.search_space.pane.list.take_focus()
    held = bottom._text
    bottom._timer.setInterval(300)
    window.search_space._recorder.failed.emit(NoSpaceError("The disk is full.", "Make room."))
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_C)
    assert bottom.state == _FAILED
    assert announced[-2:] == [_FAILED, COPIED]
    qtbot.waitUntil(lambda: bottom.state == COPIED)
    qtbot.waitUntil(lambda: bottom.state == held)


def test_failures_are_read_one_after_the_other_each_once(qtbot: QtBot, announced: list[str]) -> None:
    bottom = BottomBar()
    qtbot.addWidget(bottom)
    bottom.set_state("2 briefs")
    bottom._timer.setInterval(50)
    bottom.show_message("Copied.")
    shown = [bottom.state]
    for message in ("One failed.", "Another failed.", "One failed."):
        bottom.show_failure(message)
    while bottom.state != "2 briefs":
        if bottom.state != shown[-1]:
            shown.append(bottom.state)
        qtbot.wait(5)
    assert shown == ["Copied.", "One failed.", "Another failed."]
    assert announced == ["Copied.", "One failed.", "Another failed.", "One failed."]
