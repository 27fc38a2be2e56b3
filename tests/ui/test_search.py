"""Searching: order, more, filters, conditions taken from the words, history, saved searches, what was left out."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from children import living_children
from hits import hit
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QToolButton
from pytestqt.qtbot import QtBot
from windows import CONSENT, WAIT_MS, answered, ask, display, opened, press, titles

from briefbank.judgements.feedback.log import SavedSearch
from briefbank.matters.follows import FollowLog, seen_events
from briefbank.matters.follows import default_log as default_follows
from briefbank.values.bands import arranged
from briefbank.values.records import Band, DocumentKind, Fact, Filters, Hit, Query, SortOrder
from ui.engine import EngineClient
from ui.window import MainWindow
from ui.wording import ends_of, headline, written

CONTROL = Qt.KeyboardModifier.ControlModifier


ON_X = """
import sys
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from ui.search.bar import SearchField
app = QApplication(sys.argv)
field = SearchField()
asked = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
asked.ignore()
app.sendEvent(field, asked)
print("the field's" if asked.isAccepted() else "the window's")
"""


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
def test_keys_of_a_search_are_the_windows_on_x_too_where_ctrl_e_ends_a_line() -> None:
    with display() as name:
        environment = {**os.environ, "DISPLAY": name, "QT_QPA_PLATFORM": "xcb"}
        words = [sys.executable, "-c", ON_X]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=100)
    assert done.stdout.strip() == "the window's", done.stderr


def test_results_come_newest_first_and_best_first_at_a_key_without_another_search(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, CONSENT)
    asked = window.search_space.search.shown
    assert asked is not None
    filed = [card.hit.document.filed or date.min for card in window.search_space.pane.list.cards]
    assert filed == sorted(filed, reverse=True)
    QTest.keyClick(window, Qt.Key.Key_B, CONTROL)
    ranks = [card.hit.rank for card in window.search_space.pane.list.cards]
    assert ranks == sorted(ranks)
    assert ranks[0] == 1
    assert window.search_space.search.shown is asked, "nothing was asked again"
    switched = [each for each in window.search_space.filter_bar.findChildren(QToolButton) if each.isChecked()]
    assert [each.text() for each in switched] == ["✓ Best match"]


def test_cases_that_were_won_come_first_at_a_click_and_it_is_said_what_is_unknown(
    decided_bank: Path, start_engine: Callable[[Path], EngineClient], qtbot: QtBot, tmp_path: Path
):
    with opened(start_engine(decided_bank), tmp_path / "feedback.sqlite") as window:
        ask(window, qtbot, "stop")
        space = window.search_space
        (won,) = [each for each in space.filter_bar.findChildren(QToolButton) if each.text() == "Won first"]
        qtbot.waitUntil(won.isVisible)
        note = space.pane.list.notes.order
        assert not note.isVisible()
        qtbot.mouseClick(won, Qt.MouseButton.LeftButton)
        assert [card.hit.document.metadata.outcome for card in space.pane.list.cards] == [
            Fact("reversed and remanded", "briefbank.csv"),
            None,
            Fact("affirmed", "briefbank.csv"),
        ]
        assert note.text().startswith("How the case of 1 of these 3 briefs ended is not known")
        assert note.isVisible()
        QTest.keyClick(window, Qt.Key.Key_B, CONTROL)
        assert not note.isVisible()
        assert space.search.order is SortOrder.RECENCY


def test_no_order_by_outcome_is_offered_where_none_is_known(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, CONSENT)
    buttons = window.search_space.filter_bar.findChildren(QToolButton)
    assert [each.text() for each in buttons if each.text() in ("Won first", "Best match") and each.isVisible()] == [
        "Best match"
    ]


def test_a_change_of_order_selects_the_first_result_and_is_remembered(
    window: MainWindow, qtbot: QtBot, engine: EngineClient, tmp_path: Path
):
    ask(window, qtbot, CONSENT)
    results = window.search_space.pane.list
    press(window, Qt.Key.Key_End)
    told = []
    results.selected.connect(told.append)
    QTest.keyClick(window, Qt.Key.Key_B, CONTROL)
    first = results.cards[0]
    assert results.current is first
    assert window.focusWidget() is first
    assert told == [first.hit]
    assert results.verticalScrollBar().value() == 0
    with opened(engine, tmp_path / "second.sqlite") as again:
        ask(again, qtbot, CONSENT)
        assert titles(again) == titles(window)
        assert again.search_space.search.order is SortOrder.RELEVANCE
        switched = [each for each in again.search_space.filter_bar.findChildren(QToolButton) if each.isChecked()]
        assert [each.text() for each in switched] == ["✓ Best match"]


def test_more_briefs_are_put_where_they_belong_and_the_selected_one_keeps_its_place(window: MainWindow, qtbot: QtBot):
    window.resize(1280, 560)
    window.search_space.search.ask(Query("stop consent trooper", include_weak=True, include_hidden=True))
    answered(window, qtbot)
    before, results = titles(window), window.search_space.pane.list
    press(window, Qt.Key.Key_End)
    selected = window.focusWidget()
    assert selected is results.cards[-1]
    QTest.qWait(50)
    stood = selected.mapTo(results.viewport(), QPoint()).y()
    QTest.keyClick(window, Qt.Key.Key_M, CONTROL)
    answered(window, qtbot)
    QTest.qWait(50)
    after = titles(window)
    assert set(before) < set(after)
    assert len(after) == len(set(after))
    assert window.focusWidget() is results.current is selected
    assert selected.mapTo(results.viewport(), QPoint()).y() == stood
    filed = [
        (card.hit.band is Band.RELATED, -(card.hit.document.filed or date.min).toordinal()) for card in results.cards
    ]
    assert filed == sorted(filed), "newest first holds after more were asked for, within each band"
    assert {card.hit.passage.id for card in results.cards if card.is_new} == set(after) - set(before)
    press(window, Qt.Key.Key_Home)
    ask(window, qtbot, CONSENT)
    assert not [card for card in results.cards if card.is_new]


def test_a_stale_answer_never_replaces_a_newer_one(window: MainWindow, qtbot: QtBot):
    answers = []
    window.search_space.search.answered.connect(lambda: answers.append(window.search_space.search.shown))
    window.search_space.ask("photographic array shown by the detective")
    window.search_space.ask("statement of the caller was hearsay")
    window.search_space.ask(CONSENT)
    answered(window, qtbot)
    QTest.qWait(200)
    assert [each.result.query.text for each in answers if each] == [CONSENT]


def test_an_undated_result_comes_last_and_says_so(window: MainWindow, qtbot: QtBot):
    window.search_space.search.ask(
        Query("consent form signed", include_weak=True, filters=Filters(kinds=(DocumentKind.INTERNAL,)))
    )
    answered(window, qtbot)
    undated = [card.hit.document.filed is None for card in window.search_space.pane.list.cards]
    assert undated == sorted(undated)
    assert "undated" in window.search_space.pane.list.cards[-1].accessibleName()


def test_filters_narrow_at_once_and_can_be_taken_away_each_and_all(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, CONSENT)
    window.search_space.filter_bar.changed.emit(Filters(kinds=(DocumentKind.BRIEF,), since=date(2010, 1, 1)))
    answered(window, qtbot)
    found = [card.hit.document for card in window.search_space.pane.list.cards]
    assert found
    assert all(each.metadata.kind.value == "brief" and each.filed and each.filed.year >= 2010 for each in found)
    assert [chip.text for chip in window.search_space.chip_bar.chips] == ["Filed since 1 Jan 2010", "Kind: Brief"]
    window.search_space.chip_bar.chips[0].remove()
    answered(window, qtbot)
    assert [chip.text for chip in window.search_space.chip_bar.chips] == ["Kind: Brief"]
    QTest.keyClick(window, Qt.Key.Key_F, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    answered(window, qtbot)
    assert window.search_space.search.query is not None
    assert window.search_space.search.query.filters == Filters()
    assert not window.search_space.chip_bar.isVisible()


def test_a_condition_read_out_of_the_words_is_shown_and_can_be_refused(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, "consent to search since 2015")
    shown = window.search_space.search.shown
    assert shown is not None
    assert [chip.text for chip in window.search_space.chip_bar.chips] == [
        f"From your words: {hint.meaning}" for hint in shown.result.hints
    ]
    assert shown.result.hints
    window.search_space.chip_bar.chips[0].remove()
    answered(window, qtbot)
    assert window.search_space.search.query is not None
    assert window.search_space.search.query.refused_hints == (shown.result.hints[0].text,)
    assert not window.search_space.search.shown.result.hints
    assert not window.search_space.chip_bar.chips


def test_where_nothing_is_found_the_window_says_what_to_try(window: MainWindow, qtbot: QtBot):
    window.search_space.filter_bar.set_filters(Filters(since=date(2090, 1, 1)))
    ask(window, qtbot, CONSENT)
    state = window.search_space.pane.state
    assert state is not None
    assert state.title == "Nothing was found"
    without = next(action for action in state.actions if action.text == "Search without filters")
    without.do()
    answered(window, qtbot)
    assert window.search_space.pane.state is None


def test_a_fault_in_an_expression_is_pointed_at_and_not_tried_again(window: MainWindow, qtbot: QtBot):
    before = "the stop & the consent & the search & the trooper & "
    ask(window, qtbot, f'{before}"the court found')
    state = window.search_space.pane.state
    assert state is not None
    asked, caret = state.pointer.split("\n")
    assert asked[caret.index("^") :].startswith('"the court')
    assert asked in f'{before}"the court found'
    assert "^" not in state.text
    assert state.actions == ()


def test_a_search_that_fails_leaves_nothing_of_the_one_before_in_sight(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, "consent to search since 2015")
    qtbot.waitUntil(lambda: window.search_space.page.view.pages is not None, timeout=WAIT_MS)
    assert window.search_space.chip_bar.chips
    ask(window, qtbot, "(stop & consent")
    assert window.search_space.pane.state is not None
    QTest.qWait(200)
    assert window.search_space.page.view.pages is None
    assert window.search_space.page.title.text() == ""
    assert not window.search_space.page.bar.hits.isVisible()
    assert not window.search_space.pane.list.cards
    assert not window.search_space.chip_bar.chips


def test_an_empty_search_says_of_how_few_the_outcome_is_known_and_drops_what_emptied_it(
    decided_bank: Path, start_engine: Callable[[Path], EngineClient], qtbot: QtBot, tmp_path: Path
):
    with opened(start_engine(decided_bank), tmp_path / "feedback.sqlite") as window:
        space = window.search_space
        space.filter_bar.set_filters(Filters(since=date(2001, 1, 1), outcomes=("affirmed",)))
        ask(window, qtbot, '"excited utterances"')

        def offered() -> list[str]:
            return [each.text for each in space.pane.state.actions] if space.pane.state else []

        qtbot.waitUntil(lambda: any("passage" in each for each in offered()), timeout=WAIT_MS)
        assert space.pane.state is not None
        assert "The outcome is known for 2 of 3 briefs." in space.pane.state.text
        assert "day of filing" not in space.pane.state.text
        first = space.pane.state.actions[0]
        assert (first.target, "(1 passage)" in first.text) == ("Outcome: affirmed", True)
        first.do()
        answered(window, qtbot)
        assert (len(space.pane.list.cards), space.filter_bar.filters.since) == (1, date(2001, 1, 1))


def test_a_search_that_found_nothing_can_be_commented_on(window: MainWindow, qtbot: QtBot):
    assert not window.bottom.comment.isEnabled()
    window.search_space.filter_bar.set_filters(Filters(since=date(2090, 1, 1)))
    ask(window, qtbot, CONSENT)
    assert window.search_space.pane.state is not None
    assert window.bottom.comment.isEnabled()
    assert window.bottom.judged == ""
    window.search_space.filter_bar.set_filters(Filters())
    ask(window, qtbot, 'stop & "never closed')
    assert not window.bottom.comment.isEnabled()


def test_what_was_hidden_comes_back_at_one_key_and_goes_at_the_next(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, CONSENT)
    for expected in (True, False):
        QTest.keyClick(window, Qt.Key.Key_T, CONTROL)
        answered(window, qtbot)
        assert window.search_space.search.query is not None
        assert window.search_space.search.query.include_hidden is expected
    QTest.keyClick(window, Qt.Key.Key_K, CONTROL)
    answered(window, qtbot)
    assert window.search_space.search.query.include_weak


def test_the_arrow_keys_bring_back_earlier_searches_and_what_was_being_typed(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, CONSENT)
    ask(window, qtbot, "hearsay of an absent caller")
    field = window.search_space.bar.field
    field.clear()
    QTest.keyClicks(field, "photo")
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(field, key)
        seen.append(field.text())
    assert seen == ["hearsay of an absent caller", CONSENT, CONSENT, "hearsay of an absent caller", "photo"]


def test_a_saved_search_is_asked_again_with_its_filters(window: MainWindow, qtbot: QtBot):
    query = Query(CONSENT, filters=Filters(kinds=(DocumentKind.DIRECTIVE,)))
    window.search_space._recorder.save_search("Consent, directives", query)
    menu = window.search_space.bar.saved.menu()
    qtbot.waitUntil(lambda: "Consent, directives" in [action.text() for action in menu.actions()])
    next(action for action in menu.actions() if action.text() == "Consent, directives").trigger()
    answered(window, qtbot)
    assert window.search_space.bar.field.text() == CONSENT
    assert [chip.text for chip in window.search_space.chip_bar.chips] == ["Kind: Directive"]
    assert {card.hit.document.metadata.kind.value for card in window.search_space.pane.list.cards} == {"directive"}


def test_what_is_new_of_a_follow_stands_at_home_until_it_was_opened(window: MainWindow, qtbot: QtBot):
    with FollowLog(default_follows()) as log:
        log.append(seen_events([], "Stops", Query(CONSENT), b""))
    space = window.search_space
    space.following.load()
    qtbot.waitUntil(lambda: bool(space.following.news), timeout=WAIT_MS)
    (news,) = space.following.news
    assert news.passages
    window.go_home()
    offered = next(each for each in space.pane.findChildren(QToolButton) if each.text().startswith("Stops: "))
    assert "new passage" in offered.text()
    offered.click()
    answered(window, qtbot)
    assert space.bar.field.text() == CONSENT
    assert "In new briefs alone" in [chip.text for chip in space.chip_bar.chips]
    qtbot.waitUntil(lambda: space.following.news[0].passages == 0, timeout=WAIT_MS)
    ask(window, qtbot, "hearsay of an absent caller")
    menu = space.bar.saved.menu()
    next(action for action in menu.actions() if action.text() == "Follow this search").trigger()
    qtbot.waitUntil(lambda: len(space.following.news) == 2, timeout=WAIT_MS)
    space.following.stop("Stops")
    qtbot.waitUntil(lambda: [each.follow.name for each in space.following.news] == ["hearsay of an absent caller"])


def test_passages_like_a_result_can_be_asked_for_and_the_question_comes_back(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, CONSENT)
    window.search_space.pane.list.take_focus()
    like = window.search_space.pane.list.cards[0].hit
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_M)
    answered(window, qtbot)
    assert window.search_space.search.query is not None
    assert window.search_space.search.query.like_passage == like.passage.id
    assert like.document.id not in {card.hit.document.id for card in window.search_space.pane.list.cards}
    assert window.search_space.chip_bar.chips[0].text.startswith("Like: ")
    window.search_space.chip_bar.chips[0].remove()
    answered(window, qtbot)
    assert window.search_space.search.query.text == CONSENT


@given(st.lists(st.tuples(st.dates(), st.booleans()), max_size=12))
def test_any_hits_are_arranged_newest_first_undated_last_and_ties_by_rank(dates: list[tuple[date, bool]]):
    hits = tuple(_dated(rank, when if is_dated else None) for rank, (when, is_dated) in enumerate(dates, start=1))
    shown = arranged(hits, SortOrder.RECENCY)
    assert sorted(each.rank for each in shown) == [each.rank for each in hits]
    keys = [((each.document.filed or date.min), -each.rank) for each in shown]
    assert keys == sorted(keys, reverse=True)
    assert arranged(shown, SortOrder.RELEVANCE) == hits


@given(st.dates(), st.booleans())
def test_a_date_reads_back_as_it_was_written(when: date, is_start: bool):
    assert ends_of(written(when, is_start=is_start))[0 if is_start else 1] == when


@pytest.mark.parametrize("text", ["2019-13", "last year", "2019-02-30", "19", "2019-3-"])
def test_what_is_no_date_is_refused(text: str):
    with pytest.raises(ValueError):  # noqa: PT011  # each of them has a message of its own
        ends_of(text)


def _dated(rank: int, when: date | None) -> Hit:
    made = hit(rank)
    filed = Fact(when.isoformat(), "a test") if when else None
    return replace(made, document=replace(made.document, metadata=replace(made.document.metadata, filed=filed)))


def test_a_correction_is_said_and_undone_by_a_key_while_the_field_keeps_what_was_typed(
    window: MainWindow, qtbot: QtBot
):
    space = window.search_space
    ask(window, qtbot, "reasonable suspicoin of a driver")
    notes = space.pane.list.notes
    assert (notes.corrected.text(), notes.correction.text()) == ("suspicion", "Search for suspicoin instead")
    assert notes.corrected.isVisible()
    assert space.bar.field.text() == space.bar.field.history[0] == "reasonable suspicoin of a driver"
    space.bar.field.setFocus()
    QTest.keyClick(space.bar.field, Qt.Key.Key_E, CONTROL)
    answered(window, qtbot)
    assert space.search.shown is not None
    assert space.search.shown.result.corrections == ()
    assert not notes.corrected.isVisible()
    assert notes.correction.text() == "Correct the spelling"
    notes.correction.click()
    answered(window, qtbot)
    assert notes.corrected.text() == "suspicion"
    ask(window, qtbot, CONSENT)
    assert not notes.correction.isVisible()
    asked = space.search.shown
    QTest.keyClick(window, Qt.Key.Key_E, CONTROL)
    assert space.search.shown is asked
    assert not space.search.is_waiting


def test_where_a_corrected_search_finds_nothing_the_typed_words_can_still_be_searched_for(
    window: MainWindow, qtbot: QtBot
):
    window.search_space.ask_saved(SavedSearch("none", Query("suspicoin", filters=Filters(courts=("Nowhere",)))))
    answered(window, qtbot)
    state = window.search_space.pane.state
    assert state is not None
    assert state.text.startswith("Searched for suspicion.")
    next(each for each in state.actions if each.text == "Search for suspicoin instead").do()
    answered(window, qtbot)
    state = window.search_space.pane.state
    assert state is not None
    assert "Searched for" not in state.text


def test_a_word_of_an_expression_that_no_document_holds_is_named_where_nothing_is_found(
    window: MainWindow, qtbot: QtBot
):
    ask(window, qtbot, "suspicoin & consent")
    state = window.search_space.pane.state
    assert state is not None
    assert "No brief holds “suspicoin”. Did you mean “suspicion”?" in state.text


def test_a_page_that_comes_late_does_not_stand_beside_another_result(
    qtbot: QtBot, own_engine: EngineClient, tmp_path: Path
) -> None:
    with opened(own_engine, tmp_path / "feedback.sqlite") as window:
        ask(window, qtbot, CONSENT)
        results, page = window.search_space.pane.list, window.search_space.page
        qtbot.waitUntil(lambda: page.view.pages is not None, timeout=WAIT_MS)
        first = results.cards[0].hit
        stopped = [child for child in living_children() if str(own_engine.bank_root) in child.cmdline()]
        for child in stopped:
            child.suspend()
        window.search_space.splitter.show_passage(first.passage.id)
        press(window, Qt.Key.Key_Down)
        second = results.cards[1].hit
        qtbot.waitUntil(lambda: page.title.text() == headline(second.document), timeout=WAIT_MS)
        for child in stopped:
            child.resume()
        own_engine.bank.passage(first.passage.id).result(60)
        qtbot.wait(50)
        assert headline(first.document) != page.title.text() == headline(second.document)


def test_words_copied_from_the_page_alone_are_not_said_to_have_their_source(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, CONSENT)
    press(window, Qt.Key.Key_Return)
    view = window.search_space.page.view
    qtbot.waitUntil(lambda: view.loader.texts.get(view.page) is not None, timeout=WAIT_MS)
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "without its source" in window.bottom.state
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(view, Qt.Key.Key_C, both)
    assert window.bottom.state == "Copied with its source."


def test_a_search_is_saved_under_the_name_that_is_given(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, CONSENT)
    window.search_space.save_search()
    dialog = window.findChild(QInputDialog)
    assert isinstance(dialog, QInputDialog)
    assert dialog.textValue() == CONSENT
    assert dialog.labelText().startswith("The question is kept, to be asked again; its results are not.")
    dialog.setTextValue("Stops")
    dialog.accept()
    qtbot.waitUntil(lambda: bool(window.search_space._recorder.saved_searches()), timeout=WAIT_MS)
    assert [each.name for each in window.search_space._recorder.saved_searches()] == ["Stops"]
    ask(window, qtbot, f"{CONSENT} since 2020")
    window.search_space.save_search()
    again = next(each for each in window.findChildren(QInputDialog) if each.isVisible())
    assert "kept with 1 condition, to be" in again.labelText()
    again.reject()
