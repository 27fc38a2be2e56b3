"""What tests of matters do again and again: open their space, make and fill a matter, press keys in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from children import living_children
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QPlainTextEdit
from pytestqt.qtbot import QtBot
from windows import CONSENT, WAIT_MS, ask, press

from briefbank.matters.items import NoteItem
from briefbank.matters.log import MatterLog
from briefbank.matters.state import Matter
from briefbank.values.records import Hit
from ui.engine import EngineClient
from ui.matters.keeper import MatterKeeper
from ui.matters.space import MattersSpace
from ui.window import MainWindow
from ui.wording import headline

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


def keeper_of(window: MainWindow) -> MatterKeeper:
    return window._matters


def current(window: MainWindow) -> Matter:
    """The matter that passages are added to."""
    matter = keeper_of(window).current
    assert matter
    return matter


def space_of(window: MainWindow, qtbot: QtBot) -> MattersSpace:
    """Open the space with its key."""
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_4, CTRL)
    space = window.centralWidget().findChild(MattersSpace)
    assert isinstance(space, MattersSpace)
    return space


def made(window: MainWindow, qtbot: QtBot, *texts: str) -> tuple[MattersSpace, Callable[[], Matter]]:
    """A matter of notes, shown in its space; all of it is confirmed, so that nothing comes over what is told next."""
    keeper_of(window).make("Renfrew II")
    for text in texts:
        keeper_of(window).add(current(window), NoteItem(text))
    qtbot.waitUntil(lambda: not keeper_of(window)._unconfirmed, timeout=WAIT_MS)
    return space_of(window, qtbot), lambda: current(window)


def ask_for_matter(window: MainWindow, qtbot: QtBot) -> Hit:
    """Make a matter and ask a question; returns the first result, whose page is shown."""
    keeper_of(window).make("Renfrew II")
    ask(window, qtbot, CONSENT)
    qtbot.waitUntil(lambda: window.search_space.page.view.pages is not None, timeout=WAIT_MS)
    hit: Hit = window.search_space.pane.list.cards[0].hit
    return hit


def collect(window: MainWindow, qtbot: QtBot) -> Hit:
    """Make a matter of the first result, which is returned."""
    hit = ask_for_matter(window, qtbot)
    press(window, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: len(current(window).passages) == 1, timeout=WAIT_MS)
    return hit


def two_passages(window: MainWindow, qtbot: QtBot) -> tuple[MattersSpace, Hit, Hit]:
    """A matter of the first two results, the second of them selected and shown in its space."""
    first = ask_for_matter(window, qtbot)
    second = window.search_space.pane.list.cards[1].hit
    assert first.document != second.document
    press(window, Qt.Key.Key_A, Qt.Key.Key_Down, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: len(current(window).passages) == 2, timeout=WAIT_MS)
    added = [each.passage_id for each in current(window).passages]
    assert added == [first.passage.id, second.passage.id], "in the order of the keys, whose italics come first"
    space = space_of(window, qtbot)
    space.items.select(1)
    qtbot.waitUntil(lambda: space.page.title.text() == headline(second.document), timeout=WAIT_MS)
    return space, first, second


def texts(matter: Matter) -> list[str]:
    return [entry.item.text for entry in matter.entries]


def on_disk(tmp_path: Path) -> list[list[str]]:
    with MatterLog(tmp_path / "matters.sqlite") as log:
        return [texts(matter) for matter in log.matters()]


def key(window: MainWindow, which: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    focused = window.focusWidget()
    assert focused
    QTest.keyClick(focused, which, modifier)


def write_note(window: MainWindow, qtbot: QtBot, text: str) -> None:
    """Begin a note below the entry selected and type, without leaving it."""
    key(window, Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: isinstance(window.focusWidget(), QPlainTextEdit))
    QTest.keyClicks(window.focusWidget(), text)


def name_asked(window: MainWindow) -> QInputDialog:
    dialog = next(each for each in window.findChildren(QInputDialog) if each.isVisible())
    assert isinstance(dialog, QInputDialog)
    return dialog


@contextmanager
def stopped(engine: EngineClient) -> Iterator[None]:
    """The engine and the page renderer answer nothing meanwhile."""
    children = [child for child in living_children() if str(engine.bank_root) in child.cmdline()]
    assert children
    for child in children:
        child.suspend()
    try:
        yield
    finally:
        for child in children:
            child.resume()
