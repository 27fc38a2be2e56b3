"""The summary where it is used: in the real window, among real results, over a real bank and a real feedback log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from scripted import ScriptedSummaries

from briefbank.values.summaries import AI_DISCLAIMER, SummaryPart
from ui.engine import EngineClient
from ui.matters.keeper import MatterStore
from ui.plain import PlainLabel
from ui.reading.guarded_text import GuardedText
from ui.reading.summary import SummaryPanel
from ui.recorder import Recorder
from ui.session import Session
from ui.window import MainWindow

WAIT_MS = 60_000
SECRET = "fabricated"
CTRL = Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(engine: EngineClient, user_folders: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    """The window with results, the summary of the first one open."""
    recorder, matters = Recorder(user_folders / "feedback.sqlite"), MatterStore(user_folders / "matters.sqlite")
    summaries = ScriptedSummaries(*(SummaryPart(f" The {SECRET} holding {number} stands.") for number in range(6)))
    session = Session(engine, recorder, summaries, matters)
    shown = session.make_window()
    qtbot.addWidget(shown)
    shown.show()
    qtbot.waitUntil(shown.isActiveWindow, timeout=WAIT_MS)
    shown.search_space.ask("consent at a prolonged stop")
    qtbot.waitUntil(lambda: bool(shown.search_space.pane.list.cards), timeout=WAIT_MS)
    shown.search_space.pane.list.take_focus()
    qtbot.keyClick(shown.focusWidget(), Qt.Key.Key_S)
    qtbot.waitUntil(lambda: SECRET in "".join(each.accessibleName() for each in summaries_of(shown)), timeout=WAIT_MS)
    QGuiApplication.clipboard().setText("what was copied before")
    yield shown
    shown.close()
    recorder.close()
    matters.close()
    summaries.join()


def summaries_of(window: QWidget) -> list[GuardedText]:
    return window.findChildren(GuardedText)


def panel_of(window: MainWindow, row: int) -> SummaryPanel:
    return window.search_space.pane.list.cards[row].findChildren(SummaryPanel)[0]


def copied() -> str:
    return QGuiApplication.clipboard().text()


def test_no_text_of_the_window_is_nearly_as_large_as_the_warning(window: MainWindow) -> None:
    warning = next(each for each in window.findChildren(QLabel) if each.text() == AI_DISCLAIMER)
    others = [each for each in window.findChildren(QWidget) if each is not warning]
    assert warning.font().bold()
    assert warning.font().pointSizeF() >= 1.25 * max(each.font().pointSizeF() for each in others)


def test_only_the_summary_that_was_opened_is_open_and_none_after_another_search(
    window: MainWindow, qtbot: QtBot
) -> None:
    rows = range(len(window.search_space.pane.list.cards))
    assert [panel_of(window, row).is_open for row in rows].count(True) == 1
    before = {card.hit.passage.id for card in window.search_space.pane.list.cards}
    window.search_space.ask("hearsay of a caller")
    qtbot.waitUntil(
        lambda: {card.hit.passage.id for card in window.search_space.pane.list.cards} != before, timeout=WAIT_MS
    )
    assert window.search_space.pane.list.cards
    assert not any(panel_of(window, row).is_open for row in range(len(window.search_space.pane.list.cards)))


def test_copying_a_result_copies_its_passage_and_never_its_summary(window: MainWindow, qtbot: QtBot) -> None:
    card = window.search_space.pane.list.current
    assert card
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_C)
    assert card.hit.passage.text.split()[0] in copied()
    assert SECRET not in copied()
    for button in card.findChildren(QToolButton):
        if "Copy" in button.text():
            button.click()
            assert SECRET not in copied()


def test_no_key_anywhere_in_the_window_copies_a_summary(window: MainWindow, qtbot: QtBot) -> None:
    """Select all and copy, by every key for it, wherever Tab leads and on the summary itself."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=WAIT_MS)
    QTest.keyClick(window, Qt.Key.Key_L, CTRL)
    reached: list[QWidget] = []
    while (here := window.focusWidget()) not in reached:
        reached.append(here)
        QTest.keyClick(here, Qt.Key.Key_Tab)
    assert any(isinstance(each, GuardedText) for each in reached), "Tab never reached the summary"
    for stop in [*summaries_of(window), *reached]:
        for keys in (
            [(Qt.Key.Key_A, CTRL), (Qt.Key.Key_C, CTRL)],
            [(Qt.Key.Key_A, CTRL), (Qt.Key.Key_Insert, CTRL)],
            [(Qt.Key.Key_C, CTRL | Qt.KeyboardModifier.ShiftModifier)],
        ):
            for code, modifier in keys:
                QTest.keyClick(stop, code, modifier)
            assert SECRET not in copied()


def test_no_file_that_the_program_keeps_holds_a_summary(window: MainWindow, user_folders: Path, qtbot: QtBot) -> None:
    window.close()
    QApplication.processEvents()
    files = [each for each in user_folders.rglob("*") if each.is_file()]
    assert any(each.name.startswith("feedback.sqlite") for each in files)
    for file in files:
        assert SECRET.encode() not in file.read_bytes(), file.name


def test_tab_goes_through_an_open_summary_and_on_and_shift_tab_back(window: MainWindow, qtbot: QtBot) -> None:
    card, page = window.search_space.pane.list.current, window.search_space.page
    assert card
    qtbot.waitUntil(page.view.isVisible, timeout=WAIT_MS)
    card.setFocus()
    way = tabbed(card, page.view, Qt.Key.Key_Tab)
    summary = way.index(card.summary.header)
    assert [type(each) for each in way[summary + 1 : summary + 3]] == [PlainLabel, GuardedText]
    assert page.isAncestorOf(way[summary + 3])
    assert tabbed(page.view, card, Qt.Key.Key_Backtab)[:-1] == way[-2::-1]


def test_tab_goes_through_a_summary_that_stayed_open_in_its_place(window: MainWindow, qtbot: QtBot) -> None:
    """Another result is selected meanwhile."""
    page = window.search_space.page
    opened, selected = window.search_space.pane.list.cards[:2]
    opened.setFocus()
    QTest.keyClick(opened, Qt.Key.Key_Down)
    assert window.focusWidget() is selected
    qtbot.waitUntil(page.view.isVisible, timeout=WAIT_MS)
    before = tabbed(selected, window.search_space.bar.field, Qt.Key.Key_Backtab)
    assert isinstance(before[0], GuardedText)
    assert not any(opened.isAncestorOf(each) for each in tabbed(selected, page.view, Qt.Key.Key_Tab))


def tabbed(start: QWidget, until: QWidget, key: Qt.Key) -> list[QWidget]:
    """What the keyboard reaches with one key, from behind `start` to `until`."""
    start.setFocus()
    way = [start]
    while way[-1] is not until:
        QTest.keyClick(way[-1], key)
        here = start.window().focusWidget()
        assert here is not None
        assert here not in way, f"it comes round to {type(here).__name__} again"
        way.append(here)
    return way[1:]
