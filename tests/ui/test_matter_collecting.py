"""Passages and words of pages collected into the current matter by one key, and taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from matters import (
    CTRL,
    ask_for_matter,
    collect,
    current,
    keeper_of,
    key,
    name_asked,
    on_disk,
    space_of,
    stopped,
    texts,
    write_note,
)
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot
from windows import CONSENT, WAIT_MS, ask, press

from ui.engine import EngineClient
from ui.window import MainWindow


def test_a_adds_the_result_to_a_matter_whose_name_is_asked_once(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    ask(window, qtbot, CONSENT)
    first, second = (card.hit for card in window.search_space.pane.list.cards[:2])
    press(window, Qt.Key.Key_A)
    assert name_asked(window).windowTitle() == "New matter"
    name_asked(window).setTextValue("Renfrew II")
    name_asked(window).accept()
    qtbot.waitUntil(lambda: "Added to Renfrew II" in window.bottom.state, timeout=WAIT_MS)
    assert window.bottom.state.endswith("· Ctrl+Z undoes")
    press(window, Qt.Key.Key_Down, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: on_disk(tmp_path) == [[first.passage.text, second.passage.text]], timeout=WAIT_MS)
    item = current(window).passages[0]
    assert (item.document_sha256, item.passage_id) == (first.document.sha256, first.passage.id)
    assert item.pages == first.document.cited_pages(first.passage.page_first, first.passage.page_last)


@pytest.mark.timeout(120, method="thread")  # a dialog that blocks hears no signal
def test_the_window_goes_on_while_a_name_is_asked_for(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, CONSENT)
    hit = window.search_space.pane.list.cards[0].hit
    press(window, Qt.Key.Key_A)
    assert keeper_of(window).matters == ()
    name_asked(window).reject()
    press(window, Qt.Key.Key_A)
    name_asked(window).setTextValue(" Renfrew II ")
    name_asked(window).accept()
    qtbot.waitUntil(lambda: len(current(window).passages) == 1, timeout=WAIT_MS)
    assert current(window).name == "Renfrew II"
    assert current(window).passages[0].passage_id == hit.passage.id


def test_esc_at_the_name_of_a_new_matter_makes_none_and_leads_back_to_the_result(
    window: MainWindow, qtbot: QtBot
) -> None:
    ask(window, qtbot, CONSENT)
    press(window, Qt.Key.Key_Down)
    card, seen = window.focusWidget(), []

    def leave() -> None:
        dialog = QApplication.activeModalWidget()
        field = dialog.findChild(QLineEdit)
        seen.append(field.width() - field.fontMetrics().horizontalAdvance("State v. Renfrew, motion to suppress"))
        QTest.keyClick(dialog, Qt.Key.Key_Escape)

    QTimer.singleShot(300, window, leave)
    press(window, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: bool(seen), timeout=WAIT_MS)
    (room_left_px,) = seen
    assert room_left_px > 0
    assert keeper_of(window).matters == ()
    assert window.focusWidget() is card


def test_a_passage_that_a_matter_holds_is_not_added_again(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    collect(window, qtbot)
    press(window, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: "Already in Renfrew II" in window.bottom.state, timeout=WAIT_MS)
    assert len(current(window).entries) == 1
    assert len(on_disk(tmp_path)[0]) == 1


def test_a_on_the_page_adds_what_is_selected_with_its_page(window: MainWindow, qtbot: QtBot) -> None:
    hit = ask_for_matter(window, qtbot)
    press(window, Qt.Key.Key_Return)
    view = window.search_space.page.view
    qtbot.waitUntil(lambda: view.loader.texts.get(view.page) is not None, timeout=WAIT_MS)
    QTest.keyClick(view, Qt.Key.Key_A, CTRL)
    qtbot.waitUntil(lambda: bool(view.selection.text()), timeout=WAIT_MS)
    QTest.keyClick(view, Qt.Key.Key_A)
    (item,) = current(window).passages
    assert item.is_excerpt
    assert item.text == view.selection.text().strip()
    assert item.pages == hit.document.cited_pages(view.page, view.page)


def test_ctrl_z_in_a_search_takes_back_what_was_done_last_be_it_a_mark_or_a_passage_added(
    window: MainWindow, qtbot: QtBot
) -> None:
    ask(window, qtbot, CONSENT)
    card = window.search_space.pane.list.cards[0]
    press(window, Qt.Key.Key_R, Qt.Key.Key_A)
    name_asked(window).setTextValue("Renfrew II")
    name_asked(window).accept()
    qtbot.waitUntil(lambda: bool(current(window).passages), timeout=WAIT_MS)
    window.activateWindow()  # as a window manager does once the question for a name is gone
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert current(window).passages == ()
    assert card.verdict.verdict is True
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)  # the matter that was made for it
    assert keeper_of(window).current is None
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert card.verdict.verdict is None


def test_a_passage_whose_italics_are_awaited_is_kept_when_the_window_closes(
    own_window: MainWindow, own_engine: EngineClient, qtbot: QtBot, tmp_path: Path
) -> None:
    hit = ask_for_matter(own_window, qtbot)
    with stopped(own_engine):
        press(own_window, Qt.Key.Key_A)
        assert own_window.close()
    assert on_disk(tmp_path) == [[hit.passage.text]]


def test_ctrl_z_takes_a_passage_back_whose_italics_are_awaited_and_no_mark_before_it(
    own_window: MainWindow, own_engine: EngineClient, qtbot: QtBot
) -> None:
    passage = ask_for_matter(own_window, qtbot).passage
    card = own_window.search_space.pane.list.cards[0]
    with stopped(own_engine):
        press(own_window, Qt.Key.Key_R, Qt.Key.Key_A)
        QTest.keyClick(own_window, Qt.Key.Key_Z, CTRL)
        assert card.verdict.verdict is True
    own_engine.bank.typography(passage.id, passage.text).result(60)
    qtbot.wait(50)
    assert current(own_window).passages == ()


def test_a_passage_that_comes_late_leaves_the_note_that_is_being_written(
    own_window: MainWindow, own_engine: EngineClient, qtbot: QtBot
) -> None:
    hit = ask_for_matter(own_window, qtbot)
    with stopped(own_engine):
        press(own_window, Qt.Key.Key_A)
        space_of(own_window, qtbot)
        write_note(own_window, qtbot, "Ask for ")
    qtbot.waitUntil(lambda: len(current(own_window).passages) == 1, timeout=WAIT_MS)
    qtbot.wait(50)
    assert isinstance(own_window.focusWidget(), QPlainTextEdit)
    QTest.keyClicks(own_window.focusWidget(), "the tape.")
    key(own_window, Qt.Key.Key_Return, CTRL)
    assert texts(current(own_window)) == ["Ask for the tape.", hit.passage.text]
