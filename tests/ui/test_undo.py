"""Judgements and comments are confirmed below, taken back by one key, and shown again on return; nothing is deleted."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from children import living_children
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from windows import CONSENT, WAIT_MS, answered, ask, opened, press, titles

from briefbank.judgements.feedback.events import Commented, Judged, Rated
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.values.records import Hit
from ui.engine import EngineClient
from ui.search.card import ResultCard
from ui.shortcuts import IN_THE_RESULTS
from ui.undo import Act
from ui.window import MainWindow

OTHER = "photographic array shown by the detective"
CTRL = Qt.KeyboardModifier.ControlModifier
AGAIN = Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier
OLD_AGAIN = Qt.Key.Key_Y, CTRL


@pytest.fixture
def window(window: MainWindow, qtbot: QtBot) -> MainWindow:
    ask(window, qtbot, CONSENT)
    return window


def undo(window: MainWindow, qtbot: QtBot) -> None:
    """Press Ctrl+Z where the focus is, and wait for the disk."""
    focused = window.focusWidget()
    assert isinstance(focused, QWidget)
    QTest.keyClick(focused, Qt.Key.Key_Z, CTRL)
    settle(window, qtbot)


def settle(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until all is written and shown."""
    qtbot.waitUntil(lambda: window.search_space._recorder.unwritten == 0, timeout=WAIT_MS)
    qtbot.wait(20)


def said(card: ResultCard) -> tuple[bool | None, int]:
    return card.verdict.verdict, card.stars.stars


def case_of(hit: Hit) -> str:
    """The case that a brief's title names, as long as the bottom of the window has room for."""
    case = hit.document.metadata.title.value.partition(",")[0]
    return case if len(case) <= 30 else f"{case[:29].rstrip()}…"


def judgements(log: Path) -> list[int | None]:
    with closing(sqlite3.connect(log)) as reader:
        return [each for (each,) in reader.execute("SELECT is_relevant FROM judgement ORDER BY rowid")]


def test_each_judgement_is_confirmed_with_its_brief_and_how_to_undo_it(window: MainWindow, qtbot: QtBot) -> None:
    press(window, Qt.Key.Key_Down)
    assert window.search_space.pane.list.current
    title = case_of(window.search_space.pane.list.current.hit)
    for key, words in (
        (Qt.Key.Key_R, "Marked relevant"),
        (Qt.Key.Key_N, "Marked not relevant"),
        (Qt.Key.Key_N, "Mark withdrawn"),
        (Qt.Key.Key_4, "Rated 4 of 5 stars"),
        (Qt.Key.Key_4, "Stars withdrawn"),
    ):
        press(window, key)
        wanted = f"{words}: {title} · Ctrl+Z undoes"
        qtbot.waitUntil(lambda wanted=wanted: window.bottom.state == wanted, timeout=WAIT_MS)


def test_the_key_that_undoes_is_in_sight_behind_a_long_title_in_a_narrow_window(
    window: MainWindow, qtbot: QtBot
) -> None:
    card = window.search_space.pane.list.cards[0]
    known = card.hit.document.metadata
    long = replace(
        known, title=replace(known.title, value="State in the Interest of a Child v. Division of Youth and Family")
    )
    card.hit = replace(card.hit, document=replace(card.hit.document, metadata=long))
    window.resize(1000, 700)
    press(window, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: "Ctrl+Z undoes" in window.bottom.state, timeout=WAIT_MS)
    assert window.bottom.state == "Marked relevant: State in the Interest of a Ch… · Ctrl+Z undoes"
    shown = window.bottom._state
    drawn = shown.fontMetrics().elidedText(shown.text(), shown._mode, shown.contentsRect().width())
    assert drawn.endswith("Ctrl+Z undoes")


def test_ctrl_z_takes_judgements_back_one_by_one(window: MainWindow, qtbot: QtBot, log: Path) -> None:
    first, second, *_ = window.search_space.pane.list.cards
    press(window, Qt.Key.Key_R, Qt.Key.Key_4, Qt.Key.Key_2, Qt.Key.Key_N, Qt.Key.Key_Down, Qt.Key.Key_R)
    assert [said(first), said(second)] == [(False, 2), (True, 0)]
    for expected in (
        [(False, 2), (None, 0)],
        [(True, 2), (None, 0)],
        [(True, 4), (None, 0)],
        [(True, 0), (None, 0)],
        [(None, 0), (None, 0)],
    ):
        undo(window, qtbot)
        assert [said(first), said(second)] == expected
        assert first.verdict.is_kept
    title = case_of(first.hit)
    assert window.bottom.state == f"Undone: the mark is taken back, {title}"
    assert window.bottom.judged.startswith("0 of")
    undo(window, qtbot)
    assert window.bottom.state.startswith("Nothing to undo")
    with FeedbackLog(log) as kept:
        assert kept.marks() == {}
    assert judgements(log) == [1, 0, 1, None, 1, None], "nothing is deleted: what was said before is said anew"


def test_what_was_undone_is_said_again_one_by_one_until_something_else_is_said(
    window: MainWindow, qtbot: QtBot, log: Path
) -> None:
    first, *_ = window.search_space.pane.list.cards
    press(window, Qt.Key.Key_R, Qt.Key.Key_4, Qt.Key.Key_N)
    for _ in range(3):
        undo(window, qtbot)
    for keys, expected in ((AGAIN, (True, 0)), (AGAIN, (True, 4)), (OLD_AGAIN, (False, 4))):
        assert isinstance(window.focusWidget(), QWidget)
        QTest.keyClick(window.focusWidget(), *keys)
        settle(window, qtbot)
        assert said(first) == expected
    assert window.bottom.state == f"Again: Marked not relevant: {case_of(first.hit)} · Ctrl+Z undoes"
    QTest.keyClick(window.focusWidget(), *AGAIN)
    assert window.bottom.state.startswith("Nothing to do again")
    for expected in ((True, 4), (True, 0)):
        undo(window, qtbot)
        assert said(first) == expected
    press(window, Qt.Key.Key_5)
    QTest.keyClick(window.focusWidget(), *AGAIN)
    settle(window, qtbot)
    assert said(first) == (True, 5)
    assert judgements(log)[:6] == [1, 0, 1, None, 1, 0], "nothing is deleted: what is said again is said anew"


def test_an_undone_mark_becomes_the_one_of_an_earlier_session_again(
    window: MainWindow, qtbot: QtBot, engine: EngineClient, log: Path
) -> None:
    press(window, Qt.Key.Key_R)
    settle(window, qtbot)
    window.close()
    with opened(engine, log) as again:
        ask(again, qtbot, CONSENT)
        qtbot.waitUntil(lambda: again.search_space.pane.list.cards[0].verdict.verdict is True, timeout=WAIT_MS)
        press(again, Qt.Key.Key_N)
        settle(again, qtbot)
        undo(again, qtbot)
        assert again.search_space.pane.list.cards[0].verdict.verdict is True
        undo(again, qtbot)
        assert again.bottom.state.startswith("Nothing to undo"), "only what this session said can be undone"
    assert judgements(log) == [1, 0, 1]


def test_undo_works_from_the_page_and_after_another_question(window: MainWindow, qtbot: QtBot, log: Path) -> None:
    press(window, Qt.Key.Key_R)
    judged = window.search_space.pane.list.cards[0].hit
    ask(window, qtbot, OTHER)
    window.search_space.page.view.setFocus()
    undo(window, qtbot)
    assert window.bottom.state == f"Undone: the mark is taken back, {case_of(judged)}"
    assert judgements(log) == [1, None]
    ask(window, qtbot, CONSENT)
    assert window.search_space.pane.list.cards[0].verdict.verdict is None


def test_in_a_text_field_ctrl_z_undoes_the_typing_and_no_judgement(window: MainWindow, qtbot: QtBot, log: Path) -> None:
    press(window, Qt.Key.Key_R)
    settle(window, qtbot)
    for field in (window.search_space.bar.field, window.bottom.comment):
        field.clear()
        field.setFocus()
        QTest.keyClicks(field, "hearsay")
        QTest.keyClick(field, Qt.Key.Key_Z, CTRL)
        assert field.text() == ""
        QTest.keyClick(field, Qt.Key.Key_Z, CTRL)
    settle(window, qtbot)
    assert window.search_space.pane.list.cards[0].verdict.verdict is True
    assert judgements(log) == [1]


def test_a_comment_is_confirmed_shown_on_return_and_undone(window: MainWindow, qtbot: QtBot, log: Path) -> None:
    comment = window.bottom.comment
    for text in ("the second one", "the third one"):
        comment.setFocus()
        comment.clear()
        QTest.keyClicks(comment, text)
        QTest.keyClick(comment, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.bottom.state == "Comment kept · Ctrl+Z undoes", timeout=WAIT_MS)
    ask(window, qtbot, OTHER)
    assert comment.text() == ""
    ask(window, qtbot, CONSENT)
    assert comment.text() == "the third one"
    window.search_space.pane.list.take_focus()
    undo(window, qtbot)
    assert comment.text() == "the second one"
    assert window.bottom.state == "Undone: the comment reads as before"
    with FeedbackLog(log) as kept:
        assert list(kept.comments().values()) == ["the second one"]
    undo(window, qtbot)
    assert window.bottom.state == "Undone: the comment is taken back"


@pytest.mark.parametrize(
    ("now", "before", "said"),
    [
        (Judged("s", "p", is_relevant=None), Judged("s", "p", is_relevant=False), "the mark is taken back"),
        (Judged("s", "p", is_relevant=True), Judged("s", "p", is_relevant=None), "marked relevant again"),
        (Judged("s", "p", is_relevant=False), Judged("s", "p", is_relevant=True), "marked not relevant again"),
        (Rated("s", "p", None), Rated("s", "p", 4), "the stars are taken back"),
        (Rated("s", "p", 2), Rated("s", "p", None), "rated 2 of 5 stars again"),
        (Commented("s", "as it was"), Commented("s", ""), "the comment reads as before"),
        (Commented("s", ""), Commented("s", "new"), "the comment is taken back"),
    ],
)
def test_what_was_undone_is_told_by_what_holds_now(
    now: Judged | Rated | Commented, before: Judged | Rated | Commented, said: str
) -> None:
    assert Act("e", now, before, "State v. Roe", is_undo=True).confirmation == f"Undone: {said}, State v. Roe"


def test_a_comment_is_taken_back_from_its_own_field_too(window: MainWindow, qtbot: QtBot, log: Path) -> None:
    comment = window.bottom.comment
    comment.setFocus()
    QTest.keyClicks(comment, "it did")
    QTest.keyClick(comment, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.bottom.state == "Comment kept · Ctrl+Z undoes", timeout=WAIT_MS)
    assert comment.hasFocus()
    QTest.keyClick(comment, Qt.Key.Key_Z, CTRL)
    settle(window, qtbot)
    assert comment.text() == ""
    with FeedbackLog(log) as kept:
        assert [each for each in kept.comments().values() if each] == []


def test_a_comment_of_an_earlier_session_stands_there_again_and_can_be_withdrawn(
    window: MainWindow, qtbot: QtBot, engine: EngineClient, log: Path
) -> None:
    window.bottom.comment.setText("the second one")
    window.close()
    with opened(engine, log) as again:
        ask(again, qtbot, CONSENT)
        qtbot.waitUntil(lambda: again.bottom.comment.text() == "the second one", timeout=WAIT_MS)
        again.bottom.comment.setFocus()
        again.bottom.comment.selectAll()
        QTest.keyClick(again.bottom.comment, Qt.Key.Key_Delete)
        QTest.keyClick(again.bottom.comment, Qt.Key.Key_Return)
        settle(again, qtbot)
        ask(again, qtbot, OTHER)
        ask(again, qtbot, CONSENT)
        assert again.bottom.comment.text() == ""
    with FeedbackLog(log) as kept:
        assert kept.comments() == {}


def test_a_key_that_records_does_nothing_while_other_results_are_awaited(
    qtbot: QtBot, own_engine: EngineClient, log: Path
) -> None:
    with opened(own_engine, log) as window:
        ask(window, qtbot, CONSENT)
        press(window, Qt.Key.Key_5)
        settle(window, qtbot)
        stopped = [child for child in living_children() if str(own_engine.bank_root) in child.cmdline()]
        for child in stopped:
            child.suspend()
        try:
            window.search_space.search.again()
            press(window, *[Qt.Key(ord(each.sequences[0])) for each in IN_THE_RESULTS if each.is_recording])
            QTest.keyClick(window.search_space.pane.list.cards[0].verdict.buttons[True], Qt.Key.Key_Space)
            undo(window, qtbot)
            assert said(window.search_space.pane.list.cards[0]) == (None, 5)
            assert not window.search_space.pane.list.cards[0].verdict.buttons[True].isChecked()
        finally:
            for child in stopped:
                child.resume()
        answered(window, qtbot)
        assert said(window.search_space.pane.list.cards[0]) == (None, 5)
        press(window, Qt.Key.Key_R)
        assert said(window.search_space.pane.list.cards[0]) == (True, 5)


def test_a_press_of_the_mouse_that_began_on_other_results_records_nothing(
    window: MainWindow, qtbot: QtBot, log: Path
) -> None:
    pressed = window.search_space.pane.list.cards[0].verdict.buttons[True]
    mouse = partial(mouse_event, window, pressed.mapTo(window, pressed.rect().center()))
    mouse(QTest.mousePress)
    window.search_space.search.again()
    answered(window, qtbot)
    qtbot.wait(50)
    mouse(QTest.mouseMove)
    mouse(QTest.mouseRelease)
    settle(window, qtbot)
    assert [said(each) for each in window.search_space.pane.list.cards] == [(None, 0)] * len(titles(window))
    with FeedbackLog(log) as kept:
        assert kept.marks() == {}
    card = window.search_space.pane.list.cards[0]
    anew = card.verdict.buttons[True]
    mouse = partial(mouse_event, window, anew.mapTo(window, anew.rect().center()))
    mouse(QTest.mousePress)
    mouse(QTest.mouseRelease)
    assert said(card) == (True, 0)


def mouse_event(window: MainWindow, at: QPoint, act: Callable[..., None]) -> None:
    """Have it come as from the system, which knows the window and the place, and Qt find whom it concerns."""
    if act is QTest.mouseMove:
        act(window.windowHandle(), at)
    else:
        act(window.windowHandle(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def test_an_undone_mark_is_not_shown_on_a_passage_that_reads_differently_by_now(
    window: MainWindow, qtbot: QtBot, log: Path
) -> None:
    press(window, Qt.Key.Key_R, Qt.Key.Key_5, Qt.Key.Key_N, Qt.Key.Key_1)
    settle(window, qtbot)
    search = window.search_space.search
    assert search.shown
    anew = [replace(each, passage=replace(each.passage, text="Cut anew.")) for each in search.shown.result.hits]
    search._on_answered(replace(search.shown.result, generation="later", hits=tuple(anew)))
    card = window.search_space.pane.list.cards[0]
    assert said(card) == (None, 0)
    undo(window, qtbot)
    undo(window, qtbot)
    assert said(card) == (None, 0)
