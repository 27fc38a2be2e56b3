"""What a result shows and what can be done with it; judgements, comments, and the shortening of passages."""

from __future__ import annotations

import re
import sqlite3
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from windows import CONSENT, ask, briefs, press, titles

from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.values.bands import band_headings
from briefbank.values.reading import Extract
from briefbank.values.records import Band, Span
from ui.search.card import NeighbourView
from ui.search.excerpt import body_start, rich, shorten
from ui.theme import LIGHT
from ui.window import MainWindow


@pytest.fixture
def window(window: MainWindow, qtbot: QtBot) -> MainWindow:
    ask(window, qtbot, CONSENT)
    return window


def test_a_result_tells_what_it_is_and_how_good_a_match(window: MainWindow):
    card = window.search_space.pane.list.cards[0]
    hit = card.hit
    told = card.accessibleName()
    for part in (hit.document.metadata.title.value, f"best match {hit.rank}", hit.why, hit.passage.text):
        assert part in told
    assert all(str(hit.document.filed.year) in told for hit in [hit] if hit.document.filed)


def test_what_no_passage_has_is_said_only_where_no_band_tells_how_near_the_results_are(window: MainWindow):
    results, notes = window.search_space.pane.list, window.search_space.pane.list.notes
    shown = window.search_space.search.shown
    assert shown is not None
    plain = replace(shown.result, has_exact=False)
    banded = replace(plain, hits=tuple(replace(hit, band=Band.RELATED) for hit in plain.hits))
    results.show_briefs(briefs(*banded.hits[:2]))
    notes.show_result(banded, len(banded.hits))
    QTest.qWait(50)
    assert not notes.no_exact.isVisibleTo(notes)
    left = {
        each.mapTo(results.widget(), each.contentsRect().topLeft()).x() for each in (notes.counts, *results.headings)
    }
    assert len(left) == 1
    notes.show_result(plain, len(plain.hits))
    assert notes.no_exact.isVisibleTo(notes)


def test_a_heading_stands_above_each_band_and_more_results_leave_it_there(window: MainWindow):
    results = window.search_space.pane.list
    plain = [card.hit for card in results.cards]
    assert not results.headings
    on, related = (replace(plain[0], band=Band.ON_POINT), replace(plain[1], band=Band.RELATED))
    results.show_briefs(briefs(on, related))
    assert [each.text() for each in results.headings] == list(band_headings([on, related]))
    QTest.qWait(50)
    tops = [each.y() for each in (results.headings[0], results.cards[0], results.headings[1], results.cards[1])]
    assert tops == sorted(set(tops))
    results.extend(briefs(on, related, replace(plain[2], band=Band.RELATED)))
    assert len(results.headings) == 2
    results.show_briefs(briefs(related))
    assert [each.text() for each in results.headings] == ["Nothing found is squarely on point. Related:"]
    results.show_briefs(briefs(replace(on, probability=0.812)))
    assert "on point" in results.cards[0].accessibleName()
    assert not any("81" in label.text() for label in results.cards[0].findChildren(QLabel))
    results.show_briefs(briefs(*plain))
    assert not results.headings


def test_what_the_office_knows_against_a_cited_case_stands_on_the_card_and_is_spoken(window: MainWindow):
    card = window.search_space.pane.list.cards[0]
    assert not card.findChildren(QLabel, "warnings")[0].isVisible()
    told = "cites State v. Tern, 12 N.J. 3 (1999): limited to harbours"
    card.show_hit(replace(card.hit, warnings=(told,)))
    shown = card.findChildren(QLabel, "warnings")[0]
    assert shown.isVisible()
    assert told in shown.text()
    assert told in card.accessibleName()


def test_a_card_that_is_not_selected_warns_in_one_line_and_the_selected_one_names_each_authority_once(
    window: MainWindow,
):
    card = window.search_space.pane.list.cards[1]
    told = [f"cites State v. {name}, 12 N.J. 3 (1999): limited to harbours" for name in ("Tern", "Gull", "Auk")]
    card.show_hit(replace(card.hit, warnings=(*told, told[0])))
    short, whole = (card.findChildren(QLabel, name)[0] for name in ("warned", "warnings"))
    assert whole.isHidden()
    assert short.isVisible()
    assert short.text() == "⚠ cites 3 authorities your office warns of"
    assert short.height() < 2 * short.fontMetrics().height()
    assert all(each in card.accessibleName() and each in short.accessibleDescription() for each in told)
    window.search_space.pane.list.choose(card)
    assert short.isHidden()
    assert whole.isVisible()
    assert whole.text().splitlines() == [f"⚠ {each}" for each in told]
    card.show_hit(replace(card.hit, warnings=(told[0],)))
    card.set_selected(is_selected=False)
    assert short.text() == f"⚠ {told[0]}"


def test_matched_words_are_bold_and_on_a_ground_of_their_own(window: MainWindow):
    card = next(each for each in window.search_space.pane.list.cards if each.hit.matches)
    assert f"color:{LIGHT.mark_text}; background-color:{LIGHT.mark};" in card._text.text()


def test_judging_takes_one_key_is_kept_and_moves_neither_list_nor_focus(window: MainWindow, qtbot: QtBot, log: Path):
    press(window, Qt.Key.Key_Down)
    card, before = window.search_space.pane.list.current, titles(window)
    scrolled = window.search_space.pane.list.verticalScrollBar().value()
    press(window, Qt.Key.Key_R, Qt.Key.Key_4)
    assert card is not None
    qtbot.waitUntil(lambda: card.verdict.is_kept)
    assert card.verdict.buttons[True].isChecked()
    assert window.bottom.judged == f"1 of {len(before)} judged"
    assert (window.focusWidget(), titles(window)) == (card, before)
    assert window.search_space.pane.list.verticalScrollBar().value() == scrolled
    press(window, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: card.verdict.is_kept)
    qtbot.waitUntil(lambda: window.search_space._recorder.unwritten == 0)
    marks = _marks(log)
    assert [(mark.is_relevant, mark.stars) for mark in marks] == [(False, 4)]


def test_the_count_of_what_is_judged_says_that_stars_are_not_in_it(window: MainWindow):
    press(window, Qt.Key.Key_4)
    (shown,) = [each for each in window.bottom.findChildren(QLabel) if each.text() == window.bottom.judged]
    assert shown.text().startswith("0 of")
    assert "stars are not counted" in shown.toolTip()


def test_the_same_key_withdraws_a_judgement(window: MainWindow, qtbot: QtBot, log: Path):
    press(window, Qt.Key.Key_N, Qt.Key.Key_3, Qt.Key.Key_N, Qt.Key.Key_3)
    qtbot.waitUntil(lambda: window.search_space._recorder.unwritten == 0)
    assert window.bottom.judged.startswith("0 of")
    assert [mark for mark in _marks(log) if mark.is_relevant is not None or mark.stars] == []


def test_a_judgement_is_shown_again_when_the_same_is_asked_again(window: MainWindow, qtbot: QtBot):
    press(window, Qt.Key.Key_R, Qt.Key.Key_5)
    judged = window.search_space.pane.list.current
    assert judged is not None
    passage_id = judged.hit.passage.id
    qtbot.waitUntil(lambda: window.search_space._recorder.unwritten == 0)
    ask(window, qtbot, "photographic array shown by the detective")
    assert window.search_space.pane.list.cards[0].verdict.verdict is None
    ask(window, qtbot, CONSENT)
    card = next(each for each in window.search_space.pane.list.cards if each.hit.passage.id == passage_id)
    assert (card.verdict.verdict, card.stars.stars) == (True, 5)
    assert window.bottom.judged.startswith("1 of")


def test_a_comment_belongs_to_the_search_it_was_written_of(window: MainWindow, qtbot: QtBot, log: Path):
    window.bottom.comment.setFocus()
    QTest.keyClicks(window.bottom.comment, "the second one is it")
    ask(window, qtbot, "photographic array shown by the detective")
    assert window.bottom.comment.text() == ""
    qtbot.waitUntil(lambda: window.search_space._recorder.unwritten == 0)
    with closing(sqlite3.connect(log)) as kept:
        comments = kept.execute("SELECT search_id, text FROM comment").fetchall()
        searches = [row[0] for row in kept.execute("SELECT event_id FROM search ORDER BY rowid")]
    assert comments == [(searches[0], "the second one is it")]


def test_the_passages_before_and_after_open_around_it_and_close_again(window: MainWindow, qtbot: QtBot):
    card = next(each for each in window.search_space.pane.list.cards if each.hit.passage.order > 0)
    window.search_space.pane.list.choose(card)
    press(window, Qt.Key.Key_X)
    qtbot.waitUntil(lambda: bool(card.findChildren(NeighbourView)))
    near = [each._passage.order - card.hit.passage.order for each in card._neighbours]
    assert -1 in near
    assert set(near) <= {-1, 1}
    press(window, Qt.Key.Key_X)
    qtbot.waitUntil(lambda: not card.findChildren(NeighbourView))


def test_what_is_opened_in_a_card_comes_into_sight(window: MainWindow, qtbot: QtBot):
    window.resize(1000, 480)
    results = window.search_space.pane.list
    card = results.cards[-1]
    results.choose(card)
    for key, part in ((Qt.Key.Key_S, card.summary), (Qt.Key.Key_X, card._text)):
        results.verticalScrollBar().setValue(0)
        press(window, key)
        qtbot.waitUntil(lambda part=part: part.visibleRegion().boundingRect() == part.rect())  # type: ignore[misc]


@pytest.mark.parametrize("height_px", [480, 720])
@pytest.mark.parametrize("pause_ms", [0, 300])
def test_the_title_stays_in_sight_over_a_summary_that_is_higher_than_the_list(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, height_px: int, pause_ms: int
):
    """Also after the passages before and after were opened and closed again, slowly or quickly."""
    window.resize(1280, height_px)
    long = Future[tuple[Extract, ...]]()
    monkeypatch.setattr(window._engine.bank, "own_words", lambda _: long)
    results = window.search_space.pane.list
    card = next(each for each in results.cards if each.hit.passage.order > 0)
    results.choose(card)
    results.verticalScrollBar().setValue(results._top(card._text))
    for key in (Qt.Key.Key_X, Qt.Key.Key_X, Qt.Key.Key_S):
        press(window, key)
        QTest.qWait(pause_ms)
    long.set_result((Extract("Summary of argument", "The stop was prolonged without any reason. " * 200, 3, 9, "p"),))
    qtbot.waitUntil(lambda: card.summary.height() > results.viewport().height())
    QTest.qWait(300)
    assert _is_in_sight(card._title)
    assert _is_in_sight(card.summary.findChildren(QPushButton)[0])


def _is_in_sight(widget: QWidget) -> bool:
    return widget.visibleRegion().boundingRect() == widget.rect()


def test_the_own_words_copied_are_told_of(window: MainWindow, qtbot: QtBot):
    press(window, Qt.Key.Key_S)
    card = window.search_space.pane.list.cards[0]
    qtbot.waitUntil(lambda: bool(card.summary.findChildren(QPushButton)))
    card.summary.findChildren(QPushButton)[0].click()
    assert window.bottom.state == "Copied with its source."


def test_copying_a_passage_brings_its_source(window: MainWindow):
    press(window, Qt.Key.Key_C)
    hit = window.search_space.pane.list.cards[0].hit
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(hit.passage.text.strip())
    assert hit.document.metadata.title.value in copied.splitlines()[-1]
    assert window.bottom.state == "Copied with its source."


def test_words_selected_with_the_mouse_are_copied_with_their_source(window: MainWindow):
    card = window.search_space.pane.list.cards[0]
    card._text.setSelection(0, 12)
    words = card._text.selected
    assert words
    window.search_space.pane.list.take_focus()
    QTest.keyClick(card._text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(words)
    assert card.hit.passage.text.strip() not in copied
    assert card.hit.document.metadata.title.value in copied


def test_words_that_are_not_the_briefs_are_not_copied_with_the_rest(window: MainWindow):
    card = next(each for each in window.search_space.pane.list.cards if each.hit.document.has_pages)
    window.search_space.pane.list.choose(card)
    for _ in ("shortened", "whole"):
        card._text.setSelection(0, len(QTextDocumentFragment.fromHtml(card._text.text()).toPlainText()))
        assert re.search(r"(p\.|sheet)\N{NO-BREAK SPACE}\d+$", card._text.selected)
        card.copy()
        words, _, _ = QGuiApplication.clipboard().text().partition("\n\n— ")
        assert " ".join(words.strip(" …").split()) in " ".join(card.hit.passage.text.split())
        card.toggle_whole()


def test_the_page_follows_the_selected_result(window: MainWindow, qtbot: QtBot):
    press(window, Qt.Key.Key_End)
    last = window.search_space.pane.list.cards[-1].hit
    qtbot.waitUntil(
        lambda: (place := window.search_space.page.place) is not None and place.passage.id == last.passage.id
    )
    press(window, Qt.Key.Key_Home)
    assert window.search_space.pane.list.current is window.search_space.pane.list.cards[0]


def test_a_long_passage_opens_to_the_whole_and_shortens_again(window: MainWindow):
    card = next(each for each in window.search_space.pane.list.cards if "…" in each._text.text())
    window.search_space.pane.list.choose(card)
    short = card._text.text()
    press(window, Qt.Key.Key_W)
    assert len(card._text.text()) > len(short)
    press(window, Qt.Key.Key_W)
    assert card._text.text() == short


_TEXTS = st.lists(st.sampled_from(["stop", "consent", "the", "trooper.", "I", "(1)", "a", "\n\n", "“X”"]), max_size=200)


@given(_TEXTS, st.data(), st.integers(40, 300))
def test_a_shortened_passage_is_a_part_of_it_cut_between_words_and_holds_a_match(
    words: list[str], data: st.DataObject, limit: int
):
    text = " ".join(words)
    starts = data.draw(st.sets(st.integers(0, max(len(words) - 1, 0)), max_size=5)) if words else set()
    at = [sum(len(each) + 1 for each in words[:start]) for start in sorted(starts)]
    matches = [Span(start, start + len(words[index])) for start, index in zip(at, sorted(starts), strict=True)]
    excerpt = shorten(text, matches, limit)
    start, end = excerpt.span
    assert 0 <= start <= end <= len(text)
    assert end - start <= limit * 1.15 + 10
    assert excerpt.is_whole == (excerpt.span == (0, len(text)))
    assert start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
    if matches:
        assert any(start <= match.start and match.end <= end for match in matches)


@given(_TEXTS, st.data(), st.integers(40, 300))
def test_a_sentence_that_fits_is_in_the_excerpt_whole(words: list[str], data: st.DataObject, limit: int):
    text = " ".join(words)
    bounds = sorted(data.draw(st.tuples(*[st.integers(0, len(words))] * 2)))
    first, last = (len(" ".join(words[:bound])) + (1 if 0 < bound < len(words) else 0) for bound in bounds)
    sentence = Span(first, max(first, last))
    start, end = shorten(text, (), limit, sentence=sentence).span
    assert end - start <= limit * 1.15 + 10
    if sentence.end - sentence.start <= limit:
        assert start <= sentence.start
        assert sentence.end <= end


@pytest.mark.parametrize("limit", range(100, 130))
def test_an_excerpt_of_the_end_begins_with_a_word(limit: int) -> None:
    text = "Nothing of the kind was said. " * 20 + "Uncorroborated extrajudicial confessions notwithstanding."
    for word in ("Uncorroborated", "extrajudicial", "notwithstanding"):
        start, end = shorten(text, [Span(text.index(word), text.index(word) + len(word))], limit).span
        assert end == len(text)
        assert not text[start - 1].isalnum(), text[start:]


def test_an_excerpt_of_a_long_sentence_at_the_end_holds_its_matches():
    text = "No word of it. " * 30 + "He said, " * 30 + "and then of the stop."
    sentence, match = Span(text.index("He said"), len(text)), Span(text.index("stop"), len(text) - 1)
    start, end = shorten(text, [match], 170, sentence=sentence).span
    assert start <= match.start
    assert match.end <= end


@given(st.text(max_size=200), st.integers(0, 200), st.integers(0, 200))
def test_no_text_becomes_markup(text: str, one: int, other: int):
    span = Span(min(one, other, len(text)), min(max(one, other), len(text)))
    shown = rich(text, [span], Span(0, len(text)), LIGHT)
    for tag in ("</span>", "<br>"):
        shown = shown.replace(tag, "")
    shown = shown.replace(shown[shown.find("<span") : shown.find(">") + 1] if "<span" in shown else "\0", "")
    assert "<" not in shown
    assert ">" not in shown


def test_a_passage_begins_behind_the_headings_it_opens_with():
    text = "POINT II\nTHE CONSENT\nWAS TAINTED.\n\nIt was given in the dark."
    assert text[body_start(text, ("LEGAL ARGUMENT", "POINT II THE CONSENT WAS TAINTED.")) :].startswith("It was given")
    assert body_start("THE CONSENT", ("THE CONSENT",)) == 0


def _marks(log: Path) -> list:
    with FeedbackLog(log) as kept:
        return list(kept.marks().values())
