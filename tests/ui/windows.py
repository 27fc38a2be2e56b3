"""The real window over the office's bank, and what tests do with it again and again."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from scripted import ScriptedSummaries

from briefbank.values.bands import BriefHits
from briefbank.values.records import Hit
from ui.authorities.space import AuthoritySpace
from ui.draft.space import DraftSpace
from ui.engine import EngineClient
from ui.matters.keeper import MatterStore
from ui.recorder import Recorder
from ui.session import Session
from ui.window import MainWindow

WAIT_MS = 60_000
CONSENT = "is consent valid after an unlawful stop"

_Space = TypeVar("_Space", bound=QWidget)


@contextmanager
def started(bank: Path) -> Iterator[EngineClient]:
    """An engine on the bank, the processes that search and that render its pages running; closed at the end."""
    engine = EngineClient(bank)
    engine.bank.start()
    document = engine.bank.documents().result(WAIT_MS / 1000)[0]
    engine.bank.document_pages(document.id).exception(WAIT_MS / 1000)  # starts the page renderer
    yield engine
    engine.close()


@contextmanager
def opened(engine: EngineClient, log: Path) -> Iterator[MainWindow]:
    """Show the window at 1280×720 and close it at the end."""
    recorder = Recorder(log)
    matters = MatterStore(log.with_name("matters.sqlite"))
    session = Session(engine, recorder, ScriptedSummaries(model=None), matters)
    window = session.make_window()
    window.resize(1280, 720)
    window.show()
    try:
        yield window
    finally:
        window.close()
        assert recorder.close() == 0
        assert matters.close() == 0
        window.deleteLater()
        QApplication.sendPostedEvents(None, 52)  # deferred deletion
        QApplication.processEvents()


def go_to_space(window: MainWindow, qtbot: QtBot, key: Qt.Key, kind: type[_Space]) -> _Space:
    """Go to a space with Ctrl and its key."""
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
    space = window.centralWidget().findChild(kind)
    assert isinstance(space, kind)
    return space


def ask(window: MainWindow, qtbot: QtBot, text: str) -> None:
    """Type a question, press Enter and wait for the answer."""
    window.search_space.bar.field.setText(text)
    QTest.keyClick(window.search_space.bar.field, Qt.Key.Key_Return)
    answered(window, qtbot)


def answered(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until no answer is awaited any more."""
    qtbot.waitUntil(lambda: not window.search_space.search.is_waiting, timeout=WAIT_MS)


def press(window: MainWindow, *keys: Qt.Key) -> None:
    """Press keys on the selected card."""
    window.search_space.pane.list.take_focus()
    for key in keys:
        focused = window.focusWidget()
        assert isinstance(focused, QWidget)
        QTest.keyClick(focused, key)


def titles(window: MainWindow) -> list[str]:
    """The passages shown, in their order on the screen."""
    return [card.hit.passage.id for card in window.search_space.pane.list.cards]


def briefs(*hits: Hit) -> tuple[BriefHits, ...]:
    """Each hit as the only one of its brief, as the list takes them."""
    return tuple(BriefHits((hit,)) for hit in hits)


@contextmanager
def display() -> Iterator[str]:
    """A virtual X screen for as long as this lasts; its name."""
    read, write = os.pipe()
    words = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1366x768x24", "-nolisten", "tcp"]
    server = subprocess.Popen(words, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as told:
            yield f":{told.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


def press_focused(space: QWidget, *keys: Qt.Key) -> None:
    """Press keys, each where the focus then is."""
    for key in keys:
        focused = space.window().focusWidget()
        assert focused is not None
        QTest.keyClick(focused, key)


def go_to(space: AuthoritySpace | DraftSpace, text: str) -> None:
    """Press Down until the line that begins so is selected."""
    for _ in range(40):
        if space.tree.current and space.tree.current.text.startswith(text):
            return
        press_focused(space, Qt.Key.Key_Down)
    raise AssertionError(text)
