"""Two briefs side by side: one is kept while the page goes on following the list, each read by its own keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from matters import current, keeper_of
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from windows import CONSENT, WAIT_MS, ask, opened, press

from briefbank.values.records import Fact, Hit
from ui.briefs.space import BriefsSpace
from ui.engine import EngineClient
from ui.reading.panel import PagePanel
from ui.window import MainWindow
from ui.wording import headline

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@pytest.fixture
def window(engine: EngineClient, tmp_path: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    """The window with the answers to a question, the first of them on its page, the keyboard in the results."""
    with opened(engine, tmp_path / "feedback.sqlite") as shown:
        shown.resize(1366, 728)
        qtbot.waitUntil(shown.isActiveWindow)
        ask(shown, qtbot, CONSENT)
        press(shown)
        until_shown(shown.search_space.page, hits(shown)[0], qtbot)
        yield shown


def hits(window: MainWindow) -> list[Hit]:
    return [card.hit for card in window.search_space.pane.list.cards]


def title_of(hit: Hit) -> str:
    return headline(hit.document)


def until_shown(panel: PagePanel, hit: Hit, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: bool(panel.view.pages and panel.view.pages.document.id == hit.document.id), timeout=WAIT_MS)


def side_of(window: MainWindow) -> PagePanel:
    assert window.beside.is_open
    assert window.beside.side
    return window.beside.side


def strike(window: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    focused = window.focusWidget()
    assert focused
    QTest.keyClick(focused, key, modifier)


def keep_beside(window: MainWindow, qtbot: QtBot) -> PagePanel:
    strike(window, Qt.Key.Key_Backslash, CTRL)
    side = side_of(window)
    until_shown(side, hits(window)[0], qtbot)
    return side


def test_a_brief_is_kept_beside_while_the_page_follows_the_list(window: MainWindow, qtbot: QtBot) -> None:
    first, second = hits(window)[:2]
    side = keep_beside(window, qtbot)
    strike(window, Qt.Key.Key_Down)
    until_shown(window.search_space.page, second, qtbot)
    assert window.search_space.page.title.text() == title_of(second)
    assert side.title.text() == title_of(first)
    assert side.view.outline, "the passage is outlined there too"


def test_a_brief_is_kept_where_it_is_being_read(window: MainWindow, qtbot: QtBot) -> None:
    page = window.search_space.page
    long = next(hit for hit in hits(window) if hit.document.page_count > 1)
    while window.search_space.pane.list.current.hit != long:  # type: ignore[union-attr]
        strike(window, Qt.Key.Key_Down)
    until_shown(page, long, qtbot)
    strike(window, Qt.Key.Key_G, CTRL)
    strike(window, Qt.Key.Key_End)
    read = page.view.page
    assert read > 1
    strike(window, Qt.Key.Key_Backslash, CTRL)
    side = side_of(window)
    until_shown(side, long, qtbot)
    assert window.focusWidget() is page.view
    assert side.view.page == read
    strike(window, Qt.Key.Key_Home)
    assert (page.view.page, side.view.page) == (1, read), "two places of one brief"


def test_nothing_is_offered_to_be_kept_beside_while_no_brief_is_shown(window: MainWindow, qtbot: QtBot) -> None:
    page = window.search_space.page
    assert page.beside.isEnabled()
    page.clear()
    assert not page.beside.isEnabled()
    strike(window, Qt.Key.Key_Down)
    until_shown(page, hits(window)[1], qtbot)
    strike(window, Qt.Key.Key_Backslash, CTRL)
    page.clear()
    assert page.beside.isEnabled(), "it closes the brief beside"
    page.beside.click()
    assert not window.beside.is_open
    assert not page.beside.isEnabled()


@pytest.mark.parametrize("size", [(1366, 768), (832, 440)])
def test_headings_share_the_left_column_and_take_nothing_from_the_page_until_the_list_is_folded(
    window: MainWindow, qtbot: QtBot, size: tuple[int, int]
) -> None:
    window.resize(*size)
    page, splitter = window.search_space.page, window.search_space.splitter
    qtbot.waitUntil(lambda: page.outline.count() > 0, timeout=WAIT_MS)
    before = page.view.width()
    strike(window, Qt.Key.Key_O, CTRL | SHIFT)
    assert page.outline.hasFocus()
    assert (page.isAncestorOf(page.outline), splitter.is_folded, page.view.width()) == (False, False, before)
    strike(window, Qt.Key.Key_F9)
    assert page.isAncestorOf(page.outline)
    strike(window, Qt.Key.Key_F9)
    assert not page.isAncestorOf(page.outline)
    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: page.isAncestorOf(page.outline), timeout=WAIT_MS)


def test_the_list_makes_room_for_two_pages_and_is_back_after_them(window: MainWindow, qtbot: QtBot) -> None:
    page, splitter = window.search_space.page, window.search_space.splitter
    before = splitter.sizes()
    page.view.setFocus()
    strike(window, Qt.Key.Key_D)
    assert splitter.is_folded
    qtbot.waitUntil(lambda: page.view.zoom > 0.7, timeout=WAIT_MS)
    strike(window, Qt.Key.Key_D)
    assert not splitter.is_folded
    assert splitter.sizes() == before
    strike(window, Qt.Key.Key_F9)
    strike(window, Qt.Key.Key_D)
    strike(window, Qt.Key.Key_D)
    assert splitter.is_folded, "somebody folded it"


def test_what_is_corrected_of_a_brief_holds_beside_too(window: MainWindow, qtbot: QtBot) -> None:
    side = keep_beside(window, qtbot)
    document = hits(window)[0].document
    title = Fact("State v. Corrected", "corrected here")
    window._engine.corrected.emit(replace(document, metadata=replace(document.metadata, title=title)))
    assert side.title.text().startswith("State v. Corrected")
    assert window.search_space.page.title.text().startswith("State v. Corrected")
    side.copy_with_source()
    assert "— State v. Corrected" in QGuiApplication.clipboard().text()


def test_the_key_that_keeps_a_brief_beside_closes_it_and_gives_the_room_back(window: MainWindow, qtbot: QtBot) -> None:
    before = window.search_space.splitter.sizes()
    side = keep_beside(window, qtbot)
    assert window.width() == 1366
    strike(window, Qt.Key.Key_Backslash, CTRL)
    assert not window.beside.is_open
    assert side.is_empty
    assert window.search_space.splitter.sizes() == before
    assert window.focusWidget() is window.search_space.pane.list.current


def test_a_result_is_opened_beside_and_the_results_keep_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    first, second = hits(window)[:2]
    keep_beside(window, qtbot)
    strike(window, Qt.Key.Key_Down)
    strike(window, Qt.Key.Key_Return, SHIFT)
    side = side_of(window)
    until_shown(side, second, qtbot)
    assert window.focusWidget() is window.search_space.pane.list.current
    until_shown(window.search_space.page, second, qtbot)
    strike(window, Qt.Key.Key_G, CTRL)
    strike(window, Qt.Key.Key_G, CTRL)
    assert window.focusWidget() is side.view
    strike(window, Qt.Key.Key_Left, ALT)
    until_shown(side, first, qtbot)
    assert window.search_space.page.title.text() == title_of(second)


def test_the_keys_for_reading_act_on_the_brief_that_the_keyboard_is_in(window: MainWindow, qtbot: QtBot) -> None:
    page, side = window.search_space.page, keep_beside(window, qtbot)
    strike(window, Qt.Key.Key_F, CTRL)
    assert (page.find_bar.isVisible(), side.find_bar.isVisible()) == (True, False)
    strike(window, Qt.Key.Key_Escape)
    assert window.focusWidget() is page.view
    strike(window, Qt.Key.Key_G, CTRL)
    strike(window, Qt.Key.Key_F, CTRL)
    assert (page.find_bar.isVisible(), side.find_bar.isVisible()) == (False, True)
    QTest.keyClicks(side.find_bar.field, "stop")
    qtbot.waitUntil(lambda: side.finder.count > 0, timeout=WAIT_MS)
    assert page.finder.count == 0
    strike(window, Qt.Key.Key_Backslash, CTRL)
    assert not window.beside.is_open
    assert window.focusWidget() is page.view


def test_what_is_kept_beside_stays_when_another_space_is_opened(window: MainWindow, qtbot: QtBot) -> None:
    first = hits(window)[0]
    side = keep_beside(window, qtbot)
    strike(window, Qt.Key.Key_2, CTRL)
    space = window.centralWidget().findChild(BriefsSpace)
    assert space
    qtbot.waitUntil(lambda: bool(space.status.text().endswith("briefs")), timeout=WAIT_MS)
    assert side.isVisible()
    assert side.title.text() == title_of(first)
    strike(window, Qt.Key.Key_J, CTRL)
    strike(window, Qt.Key.Key_Down)
    strike(window, Qt.Key.Key_Return, SHIFT)
    qtbot.waitUntil(lambda: side.title.text() not in ("", title_of(first)), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: space.page.title.text() == side.title.text(), timeout=WAIT_MS)


def test_what_is_beside_is_added_to_the_matter(window: MainWindow, qtbot: QtBot) -> None:
    keeper_of(window).make("Renfrew II")
    first = hits(window)[0]
    side = keep_beside(window, qtbot)
    strike(window, Qt.Key.Key_Down)
    side.view.setFocus()
    strike(window, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: len(current(window).passages) == 1, timeout=WAIT_MS)
    assert current(window).passages[0].passage_id == first.passage.id


def test_a_key_folds_the_list_away_and_going_there_unfolds_it(window: MainWindow) -> None:
    before = window.search_space.splitter.sizes()
    strike(window, Qt.Key.Key_F9)
    assert window.search_space.splitter.is_folded
    assert window.focusWidget() is window.search_space.page.view
    strike(window, Qt.Key.Key_J, CTRL)
    assert window.search_space.pane.isVisible()
    assert window.focusWidget() is window.search_space.pane.list.current
    assert window.search_space.splitter.sizes() == before


def test_a_question_is_seen_from_its_beginning_beside_two_briefs(window: MainWindow, qtbot: QtBot) -> None:
    field = window.search_space.bar.field
    ask(
        window, qtbot, f"{CONSENT} and what of a motorist who was told that the trooper would wait for a warrant anyway"
    )
    press(window)
    until_shown(window.search_space.page, hits(window)[0], qtbot)
    keep_beside(window, qtbot)
    assert field.fontMetrics().horizontalAdvance(field.text()) > field.width()
    assert field.cursorPositionAt(QPoint(3, field.height() // 2)) == 0
    strike(window, Qt.Key.Key_L, CTRL)
    assert field.selectedText() == field.text()


def test_a_list_folded_leaves_its_room_to_both_briefs(window: MainWindow, qtbot: QtBot) -> None:
    page, side = window.search_space.page, keep_beside(window, qtbot)
    narrow = page.width()
    strike(window, Qt.Key.Key_F9)
    assert page.width() > narrow + 80
    assert abs(page.width() - side.width()) <= 16
    strike(window, Qt.Key.Key_F9)
    assert abs(page.width() - narrow) <= 16


def test_where_there_is_no_room_for_three_columns_the_list_gives_way(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(853, 480)
    side = keep_beside(window, qtbot)
    page = window.search_space.page
    assert window.search_space.splitter.is_folded
    assert window.width() == 853
    assert min(page.width(), side.width()) >= 360
    assert side.mapTo(window, side.rect().topRight()).x() <= 853
    window.resize(1366, 728)
    assert window.search_space.pane.isVisible()
    window.resize(853, 480)
    assert window.search_space.splitter.is_folded
    strike(window, Qt.Key.Key_J, CTRL)
    assert window.search_space.pane.isVisible()
    assert not window.beside.is_open


def test_the_room_given_to_a_brief_beside_is_not_remembered(
    window: MainWindow, engine: EngineClient, qtbot: QtBot, tmp_path: Path
) -> None:
    before = window.search_space.splitter.sizes()
    keep_beside(window, qtbot)
    assert window.search_space.splitter.sizes() != before
    window.close()
    with opened(engine, tmp_path / "feedback-2.sqlite") as again:
        again.resize(1366, 728)
        assert again.search_space.splitter.sizes() == before
        assert not again.beside.is_open


def test_a_list_folded_for_want_of_room_is_there_again_in_every_space_once_the_brief_beside_is_closed(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(853, 480)
    keep_beside(window, qtbot)
    assert window.search_space.splitter.is_folded
    strike(window, Qt.Key.Key_2, CTRL)
    space = window.centralWidget().findChild(BriefsSpace)
    assert space
    assert space.splitter.is_folded
    window.beside.close_side()
    assert not space.splitter.is_folded
    strike(window, Qt.Key.Key_1, CTRL)
    assert not window.search_space.splitter.is_folded


def test_a_list_that_somebody_folded_stays_folded_when_the_brief_beside_is_closed(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(853, 480)
    strike(window, Qt.Key.Key_2, CTRL)
    strike(window, Qt.Key.Key_F9)
    space = window.centralWidget().findChild(BriefsSpace)
    assert space
    assert space.splitter.is_folded
    strike(window, Qt.Key.Key_1, CTRL)
    press(window)
    keep_beside(window, qtbot)
    strike(window, Qt.Key.Key_2, CTRL)
    window.beside.close_side()
    assert space.splitter.is_folded
