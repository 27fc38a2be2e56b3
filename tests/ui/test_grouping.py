"""The list of results brief by brief: what stands for a brief, what is folded below it, and what only the selected
result shows.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton
from pytestqt.qtbot import QtBot
from windows import CONSENT, answered, ask, briefs, press, titles

from briefbank.values.bands import BriefHits
from briefbank.values.records import Band, Hit, Span
from ui.preferences import TextSize
from ui.search.card import ResultCard
from ui.search.card_parts import MarkLabel
from ui.search.excerpt import rich
from ui.search.result_list import ResultList
from ui.theme import LIGHT
from ui.window import MainWindow

SCREEN_PX = 1366, 728
"""A common laptop's screen less its system's bar."""
STEP_MS = 50


@pytest.fixture
def window(window: MainWindow, qtbot: QtBot) -> MainWindow:
    ask(window, qtbot, CONSENT)
    return window


@pytest.fixture
def results(window: MainWindow) -> ResultList:
    return window.search_space.pane.list


def test_each_brief_stands_once_and_its_other_passages_unfold_and_fold_at_a_key(
    window: MainWindow, results: ResultList
):
    documents = [card.hit.document.id for card in results.cards]
    assert len(documents) == len(set(documents))
    before, first = titles(window), _with_others(results)
    results.choose(first)
    press(window, Qt.Key.Key_U)
    inside = [card for card in results.cards if card.hit.document.id == first.hit.document.id]
    assert len(inside) > 1
    assert inside[0] is first
    ranks = [card.hit.rank for card in inside]
    assert ranks == sorted(ranks), "the best passage stands for the brief"
    press(window, Qt.Key.Key_Down)
    assert results.current is inside[1]
    assert window.focusWidget() is inside[1]
    press(window, Qt.Key.Key_U)
    assert titles(window) == before
    assert results.current is first
    assert window.focusWidget() is first


def test_unfolding_many_passages_leaves_the_brief_they_are_of_in_sight(window: MainWindow, results: ResultList):
    hit = results.cards[0].hit
    passages = [replace(hit, rank=number, passage=replace(hit.passage, id=f"p{number}")) for number in range(1, 13)]
    results.show_briefs((BriefHits(tuple(passages)),))
    press(window, Qt.Key.Key_U)
    QTest.qWait(200)
    assert len(results.cards) == 12
    assert results.cards[0].mapTo(results.viewport(), QPoint()).y() >= 0


def test_other_passages_unfold_at_a_click_and_keep_what_was_said_of_each(
    window: MainWindow, results: ResultList, qtbot: QtBot, log: Path
):
    first = _with_others(results)
    button = next(each for each in first.findChildren(QToolButton) if each.text().startswith("+ "))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    other = results.cards[results.cards.index(first) + 1]
    assert other.hit.document.id == first.hit.document.id
    results.choose(other)
    press(window, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: other.verdict.is_kept)
    assert first.verdict.verdict is None
    press(window, Qt.Key.Key_U, Qt.Key.Key_U)
    assert other.verdict.verdict is True
    qtbot.waitUntil(lambda: window.search_space._recorder.unwritten == 0)
    ask(window, qtbot, "photographic array shown by the detective")
    ask(window, qtbot, CONSENT)
    again = _with_others(results)
    results.choose(again)
    press(window, Qt.Key.Key_U)
    assert results.cards[results.cards.index(again) + 1].verdict.verdict is True


def test_a_folded_passage_is_recorded_as_shown_only_when_it_was_seen(
    window: MainWindow, results: ResultList, qtbot: QtBot, log: Path
):
    results.choose(_with_others(results))
    seen = set(titles(window))
    qtbot.waitUntil(lambda: window.search_space._recorder.unwritten == 0)
    assert _recorded(log) == seen
    press(window, Qt.Key.Key_U, Qt.Key.Key_U, Qt.Key.Key_U)
    assert set(titles(window)) > seen
    qtbot.waitUntil(lambda: window.search_space._recorder.unwritten == 0)
    assert _recorded(log) == set(titles(window))


def test_only_the_selected_result_shows_what_can_be_done_with_it(window: MainWindow, results: ResultList):
    for _ in range(2):
        offering = [
            card for card in results.cards if any(button.isVisible() for button in card.verdict.buttons.values())
        ]
        assert offering == [results.current]
        press(window, Qt.Key.Key_Down)


def test_going_on_moves_nothing_but_the_two_results_it_concerns(window: MainWindow, results: ResultList):
    window.resize(1366, 1000)
    results.show_briefs(briefs(*_many(results.cards[0].hit, 6)))
    press(window, Qt.Key.Key_Down)
    QTest.qWait(50)
    before = [card.mapTo(results.viewport(), QPoint()).y() for card in results.cards]
    press(window, Qt.Key.Key_Down)
    QTest.qWait(50)
    after = [card.mapTo(results.viewport(), QPoint()).y() for card in results.cards]
    assert [number for number in range(6) if before[number] != after[number]] == [2]


def test_a_judged_result_keeps_its_mark_in_sight_when_another_is_selected(
    window: MainWindow, results: ResultList, qtbot: QtBot
):
    first = results.cards[0]
    press(window, Qt.Key.Key_N, Qt.Key.Key_3)
    qtbot.waitUntil(lambda: first.verdict.is_kept)
    press(window, Qt.Key.Key_Down)
    mark = first.findChildren(MarkLabel)[0]
    assert mark.isVisible()
    assert mark.text() == "✗ ★★★"
    assert mark.accessibleName() == "marked not relevant, 3 of 5 stars"
    assert not results.cards[1].findChildren(MarkLabel)[0].isVisible()


def test_five_briefs_are_in_sight_on_a_common_laptop(
    window: MainWindow, results: ResultList, looks: Callable[[TextSize], None]
):
    looks(TextSize.NORMAL)
    window.resize(*SCREEN_PX)
    long = results.cards[0].hit
    long = replace(long, siblings=(), passage=replace(long.passage, text=f"{long.passage.text} And so on. " * 9))
    on, related = _many(replace(long, band=Band.ON_POINT), 3), _many(replace(long, band=Band.RELATED), 3, first=3)
    results.show_briefs(briefs(*on, *related))
    shown = window.search_space.search.shown
    assert shown is not None
    results.notes.show_result(replace(shown.result, hidden_count=17, lowered_count=19, weak_count=0), 6)
    QTest.qWait(50)
    view = results.viewport()
    below = [card.mapTo(view, card.rect().bottomLeft()).y() - view.height() for card in results.cards]
    assert below[4] <= 0


def test_a_screen_reader_hears_band_place_and_how_many_passages(window: MainWindow, results: ResultList):
    hit = results.cards[0].hit
    results.show_briefs(briefs(*_many(replace(hit, band=Band.ON_POINT), 3)))
    told = [card.accessibleName() for card in results.cards]
    assert [each.split(". ")[0] for each in told] == [f"{number} of 3 briefs, 1 passage" for number in (1, 2, 3)]
    assert all("on point" in each for each in told)


def test_an_excerpt_begins_with_the_sentence_that_answers_and_the_rest_stands_back(results: ResultList):
    hit = results.cards[0].hit
    text = f"{'Nothing of it stands here. ' * 20}The consent was tainted. {'So much for that. ' * 20}"
    start = text.index("The consent")
    sentence = Span(start, start + len("The consent was tainted."))
    told = replace(
        hit, passage=replace(hit.passage, text=text), matches=(Span(start + 4, start + 11),), sentence=sentence
    )
    results.show_briefs(briefs(told))
    shown = results.cards[0]._text.text()
    assert shown.startswith("… The <span")
    assert f'<span style="color:{LIGHT.muted};"> So much for that.' in shown
    assert LIGHT.muted not in rich(text, told.matches, sentence, LIGHT, sentence=sentence)


def test_headings_that_shout_are_read_quietly_and_kept_as_filed_in_the_tool_tip(results: ResultList):
    hit = results.cards[0].hit
    path = ("LEGAL ARGUMENT", "POINT I: THE STOP WAS ILLEGAL")
    results.show_briefs(briefs(replace(hit, passage=replace(hit.passage, section_path=path))))
    labels = results.cards[0].findChildren(QLabel)
    heading = next(each for each in labels if each.text() == "Point I: The stop was illegal · Legal argument")
    assert "LEGAL ARGUMENT › POINT I: THE STOP WAS ILLEGAL" in heading.toolTip()


def test_going_through_fifty_results_by_key_is_instantaneous(window: MainWindow, results: ResultList):
    window.resize(*SCREEN_PX)
    results.show_briefs(briefs(*_many(results.cards[0].hit, 50)))
    QTest.qWait(200)
    press(window)
    times = []
    for key in [Qt.Key.Key_J] * 20 + [Qt.Key.Key_K] * 20:
        began = time.thread_time()
        QTest.keyClick(results.current, key)
        QApplication.sendPostedEvents()
        window.repaint()
        times.append((time.thread_time() - began) * 1000)
    assert sorted(times)[len(times) // 2] < STEP_MS


def test_a_passage_of_a_brief_that_is_shown_joins_it_when_more_are_fetched(window: MainWindow, qtbot: QtBot):
    search, results = window.search_space.search, window.search_space.pane.list
    shown = search.shown
    assert shown is not None
    best = shown.fetched[0]
    only = [hit for hit in shown.fetched if hit.document.id == best.document.id][:1]
    search.shown = replace(shown, fetched=tuple(only), result=replace(shown.result, found=len(shown.fetched)))
    results.show_briefs(search.shown.briefs(search.order))
    QTest.keyClick(window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    answered(window, qtbot)
    assert len(results.cards) > 1
    assert _with_others(results)


def _with_others(results: ResultList) -> ResultCard:
    return next(brief.best for brief in results._briefs if len(brief.hits) > 1)


def _many(hit: Hit, count: int, first: int = 0) -> list[Hit]:
    """The same hit in as many briefs."""
    return [
        replace(
            hit,
            rank=number + 1,
            document=replace(hit.document, id=f"d{number}"),
            passage=replace(hit.passage, id=f"d{number}-0000", document_id=f"d{number}"),
        )
        for number in range(first, first + count)
    ]


def _recorded(log: Path) -> set[str]:
    with closing(sqlite3.connect(log)) as kept:
        return {row[0] for row in kept.execute("SELECT passage_id FROM shown")}
