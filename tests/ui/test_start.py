"""What the window begins with: searches made before, the newest briefs, and what the bank holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot
from windows import CONSENT, WAIT_MS, answered, ask, opened

from briefbank.bank.port import EngineState
from briefbank.values.records import DocumentKind, Filters, Query
from briefbank.values.unreadable import UnreadableFile, UnreadableFiles
from ui.engine import EngineClient
from ui.matters.space import MattersSpace
from ui.plain import PlainLabel
from ui.search.pane import State
from ui.window import MainWindow
from ui.wording import day


@pytest.fixture
def window(qtbot: QtBot, engine: EngineClient, tmp_path: Path) -> Iterator[MainWindow]:
    with opened(engine, tmp_path / "feedback.sqlite") as shown:
        qtbot.waitUntil(lambda: bool(_listed(shown, "Newest briefs")), timeout=WAIT_MS)
        QTest.qWait(20)
        yield shown


def test_the_newest_briefs_are_offered_and_open_at_their_first_page(window: MainWindow, qtbot: QtBot):
    documents = window._engine.bank.documents().result(60)
    newest = max((each for each in documents if each.filed), key=lambda each: each.filed)
    offered = _listed(window, "Newest briefs")
    assert offered[0].startswith(f"{day(newest.filed)} · ")
    button = _button(window, offered[0])
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    page = window.search_space.page
    qtbot.waitUntil(lambda: page.view.pages is not None and page.view.page == 1, timeout=WAIT_MS)
    assert page.view.pages is not None
    assert page.view.pages.document.filed == newest.filed


def test_what_becomes_known_later_leaves_the_buttons_alone(window: MainWindow):
    before = _button(window, _listed(window, "Newest briefs")[0])
    window.search_space.set_unreadable(UnreadableFiles(9, (UnreadableFile("/briefs/scan.pdf", "no-text"),)))
    assert _state(window).note.endswith("1 of 9 unreadable")
    QTest.qWait(20)
    assert _button(window, _listed(window, "Newest briefs")[0]) is before


def test_what_the_bank_holds_and_lacks_is_said(window: MainWindow, qtbot: QtBot):
    qtbot.waitUntil(lambda: "unreadable" in _state(window).note, timeout=WAIT_MS)
    documents = len(window._engine.bank.documents().result(60))
    assert _state(window).note.startswith(f"{documents} briefs · indexed ")
    assert _state(window).note.endswith(window.bottom.unreadable)


def test_a_saved_search_and_an_earlier_one_are_asked_again_from_the_start(
    window: MainWindow, qtbot: QtBot, engine: EngineClient, tmp_path: Path
):
    directives = Query(CONSENT, filters=Filters(kinds=(DocumentKind.DIRECTIVE,)))
    window.search_space._recorder.save_search("Consent, directives", directives)
    qtbot.waitUntil(lambda: _listed(window, "Saved searches") == ["Consent, directives"], timeout=WAIT_MS)
    ask(window, qtbot, "photographic array shown by the detective")
    window.close()
    qtbot.waitUntil(lambda: window.search_space._recorder.unwritten == 0)
    with opened(engine, tmp_path / "feedback.sqlite") as again:
        qtbot.waitUntil(lambda: bool(_listed(again, "Earlier searches")), timeout=WAIT_MS)
        QTest.qWait(20)
        assert _listed(again, "Earlier searches") == ["photographic array shown by the detective"]
        qtbot.waitUntil(lambda: bool(_buttons(again, "Consent, directives")), timeout=WAIT_MS)
        _button(again, "Consent, directives").click()
        answered(again, qtbot)
        assert again.search_space.filter_bar.filters == directives.filters
        assert {card.hit.document.metadata.kind.value for card in again.search_space.pane.list.cards} == {"directive"}


def test_the_matters_worked_on_last_are_offered_and_open(window: MainWindow, qtbot: QtBot):
    keeper = window._matters
    keeper.make("Renfrew II")
    keeper.make("Oakes")
    qtbot.waitUntil(lambda: len(_listed(window, "Matters")) == 2, timeout=WAIT_MS)
    QTest.qWait(20)
    assert _listed(window, "Matters")[0] == "Oakes · 0 passages"
    _button(window, "Renfrew II · 0 passages").click()
    assert keeper.current is not None
    assert keeper.current.name == "Renfrew II"
    assert window.findChild(MattersSpace).isVisible()


def test_who_has_searched_is_told_how_an_issue_is_made_until_there_is_one(
    window: MainWindow, qtbot: QtBot, engine: EngineClient, tmp_path: Path
):
    assert not _hints(window), "nothing is said of it to somebody who has not searched yet"
    ask(window, qtbot, CONSENT)
    window.close()
    qtbot.waitUntil(lambda: window.search_space._recorder.unwritten == 0)
    with opened(engine, tmp_path / "feedback.sqlite") as again:
        qtbot.waitUntil(lambda: bool(_hints(again)), timeout=WAIT_MS)
        assert "Mark such answers with R" in _hints(again)[0]


def test_without_an_index_there_is_one_obvious_thing_to_do(
    qtbot: QtBot, start_engine: Callable[[Path], EngineClient], tmp_path: Path
):
    engine = start_engine(tmp_path / "none")
    with opened(engine, tmp_path / "feedback.sqlite") as window:
        qtbot.waitUntil(lambda: engine.notice.state is EngineState.FAILED, timeout=WAIT_MS)
        QTest.qWait(20)
        (button,) = [each for each in window.search_space.pane._view.findChildren(QPushButton) if each.isVisible()]
        assert button.text() == "Index a folder …"
        assert button.isDefault()


def _state(window: MainWindow) -> State:
    state = window.search_space.pane.state
    assert state is not None
    return state


def _listed(window: MainWindow, heading: str) -> list[str]:
    lists = window.search_space.pane.state.lists if window.search_space.pane.state else ()
    return [action.text for each in lists if each.heading == heading for action in each.actions]


def _hints(window: MainWindow) -> list[str]:
    """What is said in the place of issues."""
    shown = window.search_space.pane._view.findChildren(PlainLabel)
    hints = {each.empty for each in window.search_space.pane.state.lists} if window.search_space.pane.state else set()
    return [each.text() for each in shown if each.text() and each.text() in hints and each.isVisible()]


def _buttons(window: MainWindow, text: str) -> list[QToolButton]:
    buttons = window.search_space.pane._view.findChildren(QToolButton)
    return [each for each in buttons if each.accessibleName() == text and each.isVisible()]


def _button(window: MainWindow, text: str) -> QToolButton:
    (button,) = _buttons(window, text)
    return button
