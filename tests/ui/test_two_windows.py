"""A second window: it shares the engine and the logs, shows and undoes what is its own, and goes by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from children import living_children
from matters import keeper_of, key, on_disk, space_of
from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from scripted import ScriptedSummaries, Wait
from shiboken6 import isValid
from windows import CONSENT, WAIT_MS, ask, press

from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.matters.items import NoteItem
from ui.engine import EngineClient
from ui.matters.keeper import MatterStore
from ui.recorder import Recorder
from ui.session import Session
from ui.window import MainWindow

OTHER = "photographic array shown by the detective"
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def session(engine: EngineClient, tmp_path: Path) -> Iterator[Session]:
    """The program with one window open."""
    recorder, matters = Recorder(tmp_path / "feedback.sqlite"), MatterStore(tmp_path / "matters.sqlite")
    made = Session(engine, recorder, ScriptedSummaries(model=None), matters)
    made.make_window().show()
    yield made
    for window in tuple(made.windows):
        window.close()
        window.deleteLater()
    assert (recorder.close(), matters.close()) == (0, 0)
    delete_closed()


@pytest.fixture
def pair(session: Session, qtbot: QtBot) -> tuple[MainWindow, MainWindow]:
    """Two windows, the second opened with its key."""
    (first,) = session.windows
    qtbot.waitUntil(first.isActiveWindow)
    QTest.keyClick(first, Qt.Key.Key_N, CTRL | SHIFT)
    first, second = session.windows
    qtbot.waitUntil(second.isActiveWindow)
    return first, second


def delete_closed() -> None:
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()


def use(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def undo(window: MainWindow, qtbot: QtBot) -> None:
    use(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)


def test_a_second_window_searches_by_itself_and_starts_no_process(
    pair: tuple[MainWindow, MainWindow], qtbot: QtBot
) -> None:
    first, second = pair
    assert second.windowTitle() == f"{first.windowTitle()} (2)"
    before = {child.pid for child in living_children()}
    ask(first, qtbot, CONSENT)
    ask(second, qtbot, OTHER)
    assert first.search_space.bar.field.text() == CONSENT
    assert first.search_space.pane.list.cards[0].hit != second.search_space.pane.list.cards[0].hit
    assert {child.pid for child in living_children()} == before


def test_each_window_undoes_what_was_said_in_it(pair: tuple[MainWindow, MainWindow], qtbot: QtBot) -> None:
    first, second = pair
    ask(first, qtbot, CONSENT)
    ask(second, qtbot, OTHER)
    said_first = first.search_space.pane.list.cards[0].verdict
    said_second = second.search_space.pane.list.cards[0].verdict
    use(first, qtbot)
    press(first, Qt.Key.Key_R)
    use(second, qtbot)
    press(second, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: second.bottom.state.startswith("Marked not relevant"), timeout=WAIT_MS)
    assert first.bottom.state.startswith("Marked relevant")
    undo(first, qtbot)
    assert (said_first.verdict, said_second.verdict) == (None, False)
    undo(first, qtbot)
    assert first.bottom.state.startswith("Nothing to undo")
    assert said_second.verdict is False


def test_what_is_said_of_a_result_is_seen_where_another_window_shows_it(
    pair: tuple[MainWindow, MainWindow], qtbot: QtBot
) -> None:
    for window in pair:
        ask(window, qtbot, CONSENT)
    first, second = pair
    said, seen = (window.search_space.pane.list.cards[0] for window in pair)
    use(first, qtbot)
    press(first, Qt.Key.Key_R, Qt.Key.Key_4)
    qtbot.waitUntil(lambda: (seen.verdict.verdict, seen.stars.stars) == (True, 4), timeout=WAIT_MS)
    assert seen.verdict.is_kept
    assert second.bottom.judged.startswith("1 of")
    assert "Marked" not in second.bottom.state
    undo(first, qtbot)
    undo(first, qtbot)
    qtbot.waitUntil(lambda: (seen.verdict.verdict, seen.stars.stars) == (None, 0), timeout=WAIT_MS)
    assert (said.verdict.verdict, said.stars.stars) == (None, 0)


def test_each_window_collects_in_a_matter_of_its_own_choice_and_both_see_all(
    pair: tuple[MainWindow, MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    first, second = pair
    keeper_of(first).make("Renfrew II")
    keeper_of(second).make("Oakes")
    for window in pair:
        use(window, qtbot)
        space = space_of(window, qtbot)
        matter = keeper_of(window).current
        assert matter
        assert space.title.text() == matter.name
        keeper_of(window).add(matter, NoteItem(f"of {matter.name}"))
    assert {each.name for each in keeper_of(first).matters} == {"Renfrew II", "Oakes"}
    qtbot.waitUntil(lambda: "Added to Oakes" in second.bottom.state, timeout=WAIT_MS)
    assert "Oakes" not in first.bottom.state
    use(first, qtbot)
    key(first, Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: on_disk(tmp_path) == [[], ["of Oakes"]], timeout=WAIT_MS)


def test_a_window_closes_by_itself_and_the_other_goes_on(
    session: Session, pair: tuple[MainWindow, MainWindow], qtbot: QtBot
) -> None:
    first, second = pair
    ask(first, qtbot, CONSENT)
    use(first, qtbot)
    QTest.keyClick(first, Qt.Key.Key_W, CTRL)
    delete_closed()
    assert not isValid(first)
    assert session.windows == [second]
    ask(second, qtbot, CONSENT)
    use(second, qtbot)
    press(second, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: second.bottom.state.startswith("Marked relevant"), timeout=WAIT_MS)
    keeper_of(second).make("Renfrew II")
    qtbot.waitUntil(lambda: second.bottom.state.startswith("Made Renfrew II"), timeout=WAIT_MS)


def test_quitting_closes_all_windows(session: Session, pair: tuple[MainWindow, MainWindow], qtbot: QtBot) -> None:
    first, second = pair
    use(first, qtbot)
    QTest.keyClick(first, Qt.Key.Key_Q, CTRL)
    assert session.windows == []
    assert not first.isVisible()
    assert not second.isVisible()


def test_quitting_keeps_the_comment_that_is_being_written_in_another_window(
    pair: tuple[MainWindow, MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    first, second = pair
    ask(first, qtbot, CONSENT)
    first.bottom.comment.setFocus()
    QTest.keyClicks(first.bottom.comment, "found it")
    use(second, qtbot)
    QTest.keyClick(second, Qt.Key.Key_Q, CTRL)
    first.search_space._recorder.flush()
    with FeedbackLog(tmp_path / "feedback.sqlite") as log:
        assert [each.text for each in log.question_comments().values()] == ["found it"]


def test_a_summary_that_is_being_written_stops_with_its_window(
    engine: EngineClient, tmp_path: Path, qtbot: QtBot
) -> None:
    summaries = ScriptedSummaries(Wait())
    recorder, matters = Recorder(tmp_path / "feedback.sqlite"), MatterStore(tmp_path / "matters.sqlite")
    session = Session(engine, recorder, summaries, matters)
    first, second = session.make_window(), session.make_window()
    first.show()
    ask(first, qtbot, CONSENT)
    press(first, Qt.Key.Key_S)
    assert len(summaries.requests) == 1
    first.close()
    assert summaries.cancelled == summaries.requests
    second.close()
    second.deleteLater()
    delete_closed()
    assert (recorder.close(), matters.close()) == (0, 0)
    summaries.join()


def test_a_second_window_stands_over_the_first_and_is_found_where_it_was_left(
    session: Session, pair: tuple[MainWindow, MainWindow], qtbot: QtBot
) -> None:
    first, second = pair
    assert second.size() == first.size()
    assert second.geometry() != first.geometry()
    left = QRect(60, 70, 900, 500)
    second.setGeometry(left)
    second.close()
    delete_closed()
    use(first, qtbot)
    QTest.keyClick(first, Qt.Key.Key_N, CTRL | SHIFT)
    again = session.windows[1]
    assert again.geometry() == left
    assert first.geometry() != left


def test_a_second_window_offers_the_searches_of_before(session: Session, qtbot: QtBot) -> None:
    (first,) = session.windows
    qtbot.waitUntil(first.isActiveWindow)
    ask(first, qtbot, CONSENT)
    QTest.keyClick(first, Qt.Key.Key_N, CTRL | SHIFT)
    assert CONSENT in session.windows[1].search_space.bar.field.history
