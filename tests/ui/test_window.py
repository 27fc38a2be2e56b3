"""The window as a whole: its start, its states, its keys, and what a screen reader and a small screen get of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import combinations
from pathlib import Path

import office
import pytest
from children import living_children
from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from windows import CONSENT, WAIT_MS, answered, ask, briefs, opened, press, press_focused, titles

from briefbank.bank.port import EngineState
from briefbank.values.records import Band, DocumentKind, Filters, Sibling
from ui import theme
from ui.dialogs.keys import KeysDialog
from ui.engine import EngineClient
from ui.window import MainWindow

LEAST_CONTRAST = 4.5


def test_the_search_field_is_focused_at_the_start(window: MainWindow):
    assert window.focusWidget() is window.search_space.bar.field
    assert window.search_space.pane.state is not None
    assert window.search_space.pane.state.title == "What are you looking for?"
    assert "on point first, newest first in each part" in window.search_space.pane.state.text


def test_a_question_asked_before_the_engine_is_ready_is_answered_when_it_is(
    qtbot: QtBot, start_engine: Callable[[Path], EngineClient], office_bank: Path, tmp_path: Path
):
    engine = start_engine(office_bank)
    with opened(engine, tmp_path / "feedback.sqlite") as window:
        window.search_space.bar.field.setText(CONSENT)
        QTest.keyClick(window.search_space.bar.field, Qt.Key.Key_Return)
        assert engine.notice.state is EngineState.STARTING
        assert window.search_space.pane.state is not None
        assert window.search_space.pane.state.title == "Getting ready"
        answered(window, qtbot)
        assert window.search_space.pane.state is None
        assert window.search_space.pane.list.cards


def test_without_a_bank_the_window_invites_to_index(
    qtbot: QtBot, start_engine: Callable[[Path], EngineClient], tmp_path: Path
):
    engine = start_engine(tmp_path / "none")
    with opened(engine, tmp_path / "feedback.sqlite") as window:
        qtbot.waitUntil(lambda: engine.notice.state is EngineState.FAILED, timeout=WAIT_MS)
        assert window.search_space.pane.state is not None
        assert window.search_space.pane.state.title == "No briefs are indexed yet"
        assert [action.text for action in window.search_space.pane.state.actions] == ["Index a folder …"]


def test_an_engine_that_dies_in_mid_search_is_replaced_and_the_question_answered(
    qtbot: QtBot, own_engine: EngineClient, tmp_path: Path
):
    with opened(own_engine, tmp_path / "feedback.sqlite") as window:
        qtbot.waitUntil(lambda: own_engine.notice.state is EngineState.READY, timeout=WAIT_MS)
        before = {child.pid for child in living_children()}
        window.search_space.bar.field.setText(CONSENT)
        for child in living_children():
            if str(own_engine.bank_root) in child.cmdline():
                child.suspend()
        QTest.keyClick(window.search_space.bar.field, Qt.Key.Key_Return)
        QTest.qWait(50)
        for child in living_children():
            if str(own_engine.bank_root) in child.cmdline():
                child.kill()
        answered(window, qtbot)
        assert window.search_space.pane.list.cards
        assert window.search_space.bar.field.text() == CONSENT
        assert {child.pid for child in living_children()} - before


def test_the_whole_way_from_question_to_judgement_goes_by_keyboard(window: MainWindow, qtbot: QtBot):
    QTest.keyClicks(window.focusWidget(), CONSENT)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    answered(window, qtbot)
    assert window.focusWidget() is window.search_space.bar.field, "typing goes on until the person leaves the field"
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    first = window.search_space.pane.list.cards[0]
    assert window.focusWidget() is first
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Down)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_R)
    second = window.search_space.pane.list.cards[1]
    qtbot.waitUntil(lambda: second.verdict.verdict is True and second.verdict.is_kept)
    assert window.focusWidget() is second
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is window.search_space.bar.field


def test_every_control_has_a_name_for_a_screen_reader(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, CONSENT)
    window.search_space.pane.list.take_focus()
    nameless = [
        f"{type(each).__name__} in {type(each.parentWidget()).__name__}"
        for each in window.findChildren(QWidget)
        if each.isVisible() and each.focusPolicy() & Qt.FocusPolicy.TabFocus and not _name(each)
    ]
    assert nameless == []


def test_tab_reaches_the_selected_card_and_its_buttons_and_those_of_no_other(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, CONSENT)
    reached = []
    each = window.focusWidget()
    while each not in reached:
        reached.append(each)
        QTest.keyClick(each, Qt.Key.Key_Tab)
        each = window.focusWidget()
    first, *others = window.search_space.pane.list.cards
    assert {first, *first.verdict.buttons.values()} <= set(reached)
    assert not [each for each in reached for card in others if card is each or card.isAncestorOf(each)]
    assert window.bottom.comment in reached


def test_nothing_is_cut_off_and_three_results_are_in_sight_at_1280_by_720(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, CONSENT)
    QTest.qWait(50)
    assert _cut_buttons(window) == []
    view = window.search_space.pane.list.viewport()
    whole = [
        card
        for card in window.search_space.pane.list.cards
        if card.mapTo(view, card.rect().bottomLeft()).y() <= view.height()
    ]
    assert len(whole) >= 3


@pytest.mark.parametrize("size_px", [(1000, 700), (832, 440)])
def test_cards_and_notes_fit_a_narrow_window(window: MainWindow, qtbot: QtBot, size_px: tuple[int, int]):
    window.resize(*size_px)
    ask(window, qtbot, CONSENT)
    results = window.search_space.pane.list
    shown = window.search_space.search.shown
    assert shown is not None
    results.notes.show_result(replace(shown.result, hidden_count=12_345, lowered_count=12_345, weak_count=12_345), 5)
    bands = (Band.ON_POINT, *[Band.RELATED] * (len(results.cards) - 1))
    results.show_briefs(
        briefs(*(replace(card.hit, band=each) for card, each in zip(results.cards, bands, strict=True)))
    )
    assert len(results.headings) == 2
    first = results.cards[0]
    dots = "Table of Authorities " + "." * 200
    sibling = Sibling("p", "Another brief", date(2020, 1, 2))
    first.show_hit(replace(first.hit, siblings=(sibling,) * 12, passage=replace(first.hit.passage, text=dots)))
    first.toggle_whole()
    press(window, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: bool(_buttons(first, "Copy with source")), timeout=WAIT_MS)
    for divided in ((10_000, 0), (0, 10_000)):
        window.search_space.splitter.setSizes(list(divided))
        QTest.qWait(100)
        assert (window.width(), window.height()) == size_px
        view = results.viewport()
        assert results.widget().width() == view.width()
        cut = [
            f"{type(each).__name__}: {each.accessibleName()}"
            for each in results.widget().findChildren(QWidget)
            if each.isVisible() and each.mapTo(view, each.rect().topRight()).x() >= view.width()
        ]
        assert cut == []
        assert _cut_buttons(window) == []
        assert not results.horizontalScrollBar().isVisible()


def test_a_narrow_window_has_room_for_everything(window: MainWindow, qtbot: QtBot):
    window.search_space.bar.field.history = ["consent given after a prolonged stop of a car on the parkway " * 2] * 6
    window.search_space._show_idle()
    window.resize(1, 1)
    QTest.qWait(50)
    central = window.centralWidget()
    assert window.width() <= 853, "a screen of 1280 points at 150 %"
    assert central.minimumSizeHint().width() <= central.width()
    right = window.search_space.page.mapTo(window, window.search_space.page.rect().topRight()).x()
    assert right < window.width()
    # A line of text gets its height in several rounds of the layout, which a busy machine spreads over time.
    qtbot.waitUntil(lambda: _cut_buttons(window) == [])


@pytest.mark.parametrize("scheme", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
def test_every_text_stands_out_from_its_ground(scheme: theme.Colours):
    grounds = (scheme.window, scheme.surface, scheme.selected, scheme.hover)
    pairs = [(text, ground) for text in (scheme.text, scheme.muted, scheme.accent) for ground in grounds]
    pairs += [(text, ground) for text in (scheme.good, scheme.bad, scheme.warning) for ground in grounds[:2]]
    pairs += [(scheme.mark_text, scheme.mark), (scheme.on_accent, scheme.accent)]
    pairs += [(scheme.warning, scheme.warning_surface), (scheme.text, scheme.warning_surface)]
    assert [pair for pair in pairs if _contrast(*pair) < LEAST_CONTRAST] == []


def test_a_dark_system_darkens_the_open_window(window: MainWindow, qtbot: QtBot, qapp: QApplication):
    ask(window, qtbot, CONSENT)
    try:
        theme.wear(qapp, theme.DARK)
        picture = window.grab().toImage()
        assert picture.pixelColor(3, 3).name() == theme.DARK.window
        assert theme.DARK.mark in window.search_space.pane.list.cards[0]._text.text()
    finally:
        theme.wear(qapp, theme.LIGHT)
    assert theme.LIGHT.mark in window.search_space.pane.list.cards[0]._text.text()


def test_the_window_remembers_its_size_and_nothing_that_was_asked(
    window: MainWindow, qtbot: QtBot, engine: EngineClient, tmp_path: Path
):
    ask(window, qtbot, CONSENT)
    press(window, Qt.Key.Key_R)
    window.resize(1111, 666)
    window.close()
    kept = QSettings()
    desk = "window/Desk 1920x1080"
    assert set(kept.allKeys()) == {"window/screen", f"{desk}/place", f"{desk}/results-and-page"}
    assert not any("consent" in str(kept.value(key)) for key in kept.allKeys())


def test_an_index_made_meanwhile_is_told_of_and_used_by_the_next_search(
    qtbot: QtBot, own_engine: EngineClient, folder: Path, tmp_path: Path
):
    lynx = "A lynx in the courtroom is a structural error that no curative instruction can mend."
    office.write_text(folder / "lynx.txt", office.memo("Lynx in the courtroom", lynx, dated="May 4, 2024"))
    with opened(own_engine, tmp_path / "feedback.sqlite") as window:
        ask(window, qtbot, CONSENT)
        before = titles(window)
        window.index_run.start(folder)
        QTest.qWait(100)
        assert window.index_run.is_running
        ask(window, qtbot, "photographic array shown by the detective")
        ask(window, qtbot, CONSENT)
        assert titles(window) == before, "the index that is live is searched while another is made"
        generation = window.search_space.generation
        qtbot.waitUntil(
            lambda: window.index_run.has_ended and window.search_space.generation != generation, timeout=WAIT_MS
        )
        assert titles(window) == before, "what is read is not taken away"
        ask(window, qtbot, "lynx in the courtroom")
        assert window.search_space.pane.list.cards[0].hit.document.metadata.title.value == "Lynx in the courtroom"


def test_many_filters_do_not_widen_the_window(window: MainWindow, qtbot: QtBot):
    names = tuple(f"Superior Court of a County with a long Name {number}" for number in range(9))
    everything = Filters(
        kinds=tuple(DocumentKind),
        courts=names,
        authors=names,
        outcomes=names,
        since=date(1999, 2, 3),
        until=date(2024, 5, 6),
    )
    window.search_space.filter_bar.changed.emit(everything)
    window.search_space.filter_bar.set_filters(everything)
    ask(window, qtbot, CONSENT)
    QTest.qWait(50)
    assert window.width() == 1280
    assert window.minimumSizeHint().width() <= 1280


def test_no_key_has_two_meanings_in_one_place():
    from ui.shortcuts import ANYWHERE, GROUPS, IN_A_SEARCH, IN_THE_FIELD, IN_THE_RESULTS, ON_THE_PAGE, READING, SPACES

    for _, keys in GROUPS:
        sequences = [each for key in keys for each in key.sequences]
        assert len(sequences) == len(set(sequences))
    anywhere = [each for key in (*SPACES, *ANYWHERE, *IN_A_SEARCH, *READING) for each in key.sequences]
    assert len(anywhere) == len(set(anywhere))
    for key in (*IN_THE_FIELD, *IN_THE_RESULTS, *ON_THE_PAGE):
        assert not set(anywhere) & set(key.sequences), key.name


def test_signals_without_number_do_not_use_up_true(qapp: QApplication):
    class Teller(QObject):
        told = Signal(object)

    teller = Teller()
    before = sys.getrefcount(True)
    for _ in range(10_000):
        teller.told.emit(True)
    assert sys.getrefcount(True) > before // 2


def test_all_parts_of_the_window_stand_apart(window: MainWindow, qtbot: QtBot):
    ask(window, qtbot, CONSENT)
    parts = [
        window.search_space.bar,
        window.search_space.filter_bar,
        window.search_space.pane,
        window.search_space.page,
        window.bottom,
    ]
    rectangles = [each.rect().translated(each.mapTo(window, each.rect().topLeft())) for each in parts]
    assert not [pair for pair in combinations(rectangles, 2) if pair[0].intersects(pair[1])]
    assert titles(window)


def _buttons(card: QWidget, text: str) -> list[QAbstractButton]:
    return [each for each in card.findChildren(QAbstractButton) if each.text() == text]


def _cut_buttons(window: MainWindow) -> list[str]:
    return [
        f"{type(each).__name__}: {each.text()}"
        for each in window.findChildren(QAbstractButton)
        if each.isVisible() and each.text() and (each.width() < each.minimumSizeHint().width() or _is_too_low(each))
    ]


def _is_too_low(button: QAbstractButton) -> bool:
    return button.hasHeightForWidth() and button.height() < button.heightForWidth(button.width())


def _name(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton | QLineEdit) else ""
    return widget.accessibleName() or text or widget.windowTitle()


def _contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 defines it."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_f6_goes_round_the_parts_of_the_window_and_shift_f6_back(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, CONSENT)
    space = window.search_space
    qtbot.waitUntil(lambda: space.page.view.pages is not None, timeout=WAIT_MS)
    space.bar.field.setFocus()
    seen: list[str] = []
    for key in [Qt.Key.Key_F6] * 4:
        press_focused(space, key)
        focused = window.focusWidget()
        parts = {"list": space.pane, "page": space.page, "rail": window.rail, "field": space.bar}
        seen += [name for name, part in parts.items() if focused and part.isAncestorOf(focused)]
    assert seen == ["list", "page", "rail", "field"]
    focused = window.focusWidget()
    assert focused
    QTest.keyClick(focused, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert window.focusWidget() is window.rail.buttons["search"]


def test_home_is_a_place_and_the_results_stay(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, CONSENT)
    pane = window.search_space.pane
    shown = titles(window)
    QTest.keyClick(window, Qt.Key.Key_Home, Qt.KeyboardModifier.AltModifier)
    assert pane.state is not None
    assert pane.state.title == "What are you looking for?"
    assert window.rail.current == "home"
    assert not window.bottom.comment.isVisible(), "no results are here to say anything of"
    for key, modifier in (
        (Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier),
        (Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier),
    ):
        window.search_space.take_focus()
        QTest.keyClick(window.focusWidget(), key, modifier)
        first = window.focusWidget()
        assert isinstance(first, QToolButton)
        assert (first.isVisible(), first.text()) == (True, pane.state.lists[1].actions[0].text)
    seen = []
    for _ in range(3):
        press_focused(window, Qt.Key.Key_F6)
        seen.append(window.focusWidget())
    assert all(each and each.isVisible() for each in seen)
    assert (len(set(seen)), seen[-1]) == (3, first)
    window.rail.buttons["search"].click()
    assert (pane.state, titles(window)) == (None, shown)
    assert window.bottom.comment.isVisible()
    window.rail.buttons["home"].click()
    ask(window, qtbot, "hearsay")
    assert (pane.state, window.rail.current) == (None, "search")


def test_the_keys_of_where_one_is_are_shown(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, CONSENT)

    def told() -> list[str]:
        (dialog,) = (each for each in window.findChildren(KeysDialog) if each.isVisible())
        table = dialog.table
        words = [item.text() for row in range(table.rowCount()) if (item := table.item(row, 1))]
        dialog.close()
        QApplication.sendPostedEvents(None, 52)
        return words

    press(window)
    QTest.keyClicks(window, "?")
    in_results = told()
    qtbot.waitUntil(lambda: window.search_space.page.view.pages is not None, timeout=WAIT_MS)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.search_space.page.view.setFocus()
    QTest.keyClicks(window, "?")
    assert "More passages like this one" in in_results
    assert "More passages like this one" not in told()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    press(window)
    QTest.keyClicks(window, "?")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.open_space("matters")
    QTest.keyClicks(window, "?")
    assert "Add a note below" in told(), "those of another place stood there"
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.open_space("search")
    window.search_space.bar.field.setFocus()
    QTest.keyClicks(window.search_space.bar.field, "?")
    assert window.search_space.bar.field.text().startswith("?")
