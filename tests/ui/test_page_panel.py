"""The page beside the results: real pages of a real bank, turned, enlarged, marked and copied."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
from children import living_children
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from briefbank.values.records import Document, Passage, Span
from ui.engine import EngineClient
from ui.reading.history import Place, Position
from ui.reading.loader import ImageCache
from ui.reading.panel import PagePanel
from ui.reading.view import Fit
from ui.wording import COPIED, headline

_WAIT_MS = 30_000


def document(engine: EngineClient, name: str) -> Document:
    return next(each for each in engine.bank.documents().result(60) if each.source_path.endswith(name))


def passage_with(engine: EngineClient, of: Document, words: str) -> Passage:
    found = (engine.bank.passage(f"{of.id}-{number:04d}").result(60).passage for number in range(of.passage_count))
    return next(each for each in found if words in each.text)


def spans(passage: Passage, *words: str) -> tuple[Span, ...]:
    return tuple(Span(at, at + len(word)) for word in words for at in [passage.text.index(word)])


def is_sharp(panel: PagePanel) -> bool:
    """Whether the page in the middle of the view has its own picture and its words."""
    view = panel.view
    key = view.loader.key(view.page, view.zoom * 96 / 72 * view.devicePixelRatioF())
    return view.pages is not None and key in view.loader.images and view.page in view.loader.texts


@pytest.fixture
def panel(engine: EngineClient, qtbot: QtBot) -> PagePanel:
    made = PagePanel(engine)
    qtbot.addWidget(made)
    made.resize(640, 700)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def quince(engine: EngineClient) -> Document:
    return document(engine, "quince.pdf")


@pytest.fixture
def shown(panel: PagePanel, engine: EngineClient, quince: Document, qtbot: QtBot) -> PagePanel:
    """The panel with a passage of a PDF and three hits."""
    passage = passage_with(engine, quince, "unequivocal")
    panel.go_to(Place(quince, passage, spans(passage, "Consent", "tainted", "unequivocal")))
    qtbot.waitUntil(lambda: is_sharp(panel) and "of 3" in panel.bar.hits.text(), timeout=_WAIT_MS)
    panel.view.setFocus()
    qtbot.wait(250)
    return panel


def texts(widget: QWidget) -> list[str]:
    return [each.text() for each in widget.findChildren(QLabel) if each.isVisibleTo(widget)]


def test_before_anything_is_chosen_the_panel_says_so_and_speaks_of_no_hits(panel: PagePanel) -> None:
    assert any("What you choose at the left" in text for text in texts(panel))
    assert "no hits" not in texts(panel)
    assert not panel.bar.next_page.isEnabled()
    assert not panel.bar.original.isEnabled()
    assert panel.bar.zoom.text() == "– %"
    assert not panel.bar.larger.isEnabled()


def test_a_passage_is_shown_on_its_page_with_its_hits_marked(shown: PagePanel, quince: Document) -> None:
    assert shown.bar.of.text() == f"of {quince.page_count} sheets"
    assert shown.bar.hits.text() == "hit 1 of 3"
    assert shown.notice.isHidden()
    picture = shown.view.viewport().grab().toImage()
    ratio = picture.devicePixelRatio()
    for places in shown.view._hits:
        rect = shown.view.box_on_view(places[0])
        corner = picture.pixelColor(round((rect.left() + 1) * ratio), round((rect.top() + 1) * ratio))
        assert corner.blue() < corner.red() - 40, "the hit is not tinted"
    assert picture.pixelColor(round(20 * ratio), round(shown.view.height() / 2 * ratio)).lightness() == 255


def test_nothing_is_marked_on_a_page_whose_picture_is_still_on_its_way(shown: PagePanel) -> None:
    def colours() -> set[int]:
        picture = shown.view.viewport().grab().toImage()
        rect = shown.view.box_on_view(shown._hits[0][0])
        places = [(round(rect.left() + 2), round(rect.top() + at)) for at in range(2, int(rect.height()), 2)]
        return {picture.pixelColor(*place).saturation() for place in places}

    assert max(colours()) > 50
    shown.view.loader.images = ImageCache()
    assert colours() == {0}


def test_hits_are_stepped_through_with_keys_and_round(shown: PagePanel, qtbot: QtBot) -> None:
    for said in ("hit 2 of 3", "hit 3 of 3", "hit 1 of 3"):
        qtbot.keyClick(shown.view, Qt.Key.Key_F3)
        assert shown.bar.hits.text() == said
    qtbot.keyClick(shown.view, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert shown.bar.hits.text() == "hit 3 of 3"


def test_a_hit_is_reached_where_the_page_gets_another_size_on_the_way(shown: PagePanel, qtbot: QtBot) -> None:
    """The outline of a brief, or a line above the page, may come while the view is gliding to the words."""
    view, (below,) = shown.view, shown._hits[1]
    shown.resize(640, 420)
    height_pt = view.viewport().height() / (view.zoom * 96 / 72)
    view.go_to_position(Position(1, below.box.y0 - height_pt - 20))
    assert not view.is_reached([below])
    QTest.keyClick(view, Qt.Key.Key_F3)
    assert view.is_reached([below]), "it is gliding there"
    shown.resize(shown.width() - 4, shown.height())
    qtbot.wait(400)
    assert view.is_reached([below])


def test_the_letters_that_judge_in_the_list_do_nothing_on_the_page(shown: PagePanel, qtbot: QtBot) -> None:
    qtbot.keyClick(shown.view, Qt.Key.Key_N)
    qtbot.keyClick(shown.view, Qt.Key.Key_P)
    assert shown.bar.hits.text() == "hit 1 of 3"


def test_pages_are_turned_by_number_button_and_key(shown: PagePanel, quince: Document, qtbot: QtBot) -> None:
    bar, last = shown.bar, quince.page_count
    bar.number.setFocus()
    bar.number.selectAll()
    qtbot.keyClicks(bar.number, "1")
    qtbot.keyClick(bar.number, Qt.Key.Key_Return)
    assert shown.view.page == 1
    assert bar.number.text() == "1"
    assert not bar.previous_page.isEnabled()
    bar.next_page.trigger()
    assert shown.view.page == min(2, last)
    shown.view.setFocus()
    qtbot.keyClick(shown.view, Qt.Key.Key_End)
    assert shown.view.page == last
    qtbot.keyClick(shown.view, Qt.Key.Key_Home)
    assert shown.view.page == 1


def test_a_number_that_is_no_page_changes_nothing(shown: PagePanel, qtbot: QtBot) -> None:
    before = shown.view.page
    shown.bar.number.setFocus()
    shown.bar.number.selectAll()
    qtbot.keyClicks(shown.bar.number, "999")
    qtbot.keyClick(shown.bar.number, Qt.Key.Key_Return)
    shown.view.setFocus()
    assert shown.view.page == before
    assert shown.bar.number.text() == str(before)


def test_zooming_keeps_what_is_in_the_middle(shown: PagePanel, qtbot: QtBot) -> None:
    middle = QPoint(320, shown.view.viewport().height() // 2)
    before = shown.view.point_on_page(middle)
    qtbot.keyClick(shown.view, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert shown.view.fit is Fit.NOTHING
    after = shown.view.point_on_page(middle)
    assert after[0] == before[0]
    assert abs(after[2] - before[2]) < 2
    shown.bar.zoom.trigger()
    assert shown.bar.zoom.text().startswith("100 %")
    shown.bar.fit_page.trigger()
    assert shown.bar.fit_page.isChecked()
    assert not shown.bar.fit_width.isChecked()
    qtbot.keyClick(shown.view, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert shown.bar.fit_width.isChecked()


def test_a_zoomed_page_is_sharp_again(shown: PagePanel, qtbot: QtBot) -> None:
    shown.view.set_zoom(2.0)
    assert not is_sharp(shown)
    qtbot.waitUntil(lambda: is_sharp(shown), timeout=_WAIT_MS)


def test_words_are_selected_with_the_mouse_and_copied(shown: PagePanel, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().clear()
    viewport = shown.view.viewport()
    first, last = (shown.view.box_on_view(shown.view._hits[at][0]) for at in (0, 2))
    start, end = first.toRect().adjusted(1, 0, 0, 0), last.toRect()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=QPoint(start.left(), start.center().y()))
    qtbot.mouseMove(viewport, QPoint(end.right(), end.center().y()))
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=QPoint(end.right(), end.center().y()))
    qtbot.keyClick(shown.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Consent obtained during")
    assert copied.endswith("unequivocal")
    assert "\n" not in copied


def test_a_double_click_selects_a_word_and_escape_drops_it(shown: PagePanel, qtbot: QtBot) -> None:
    point = shown.view.box_on_view(shown.view._hits[1][0]).center().toPoint()
    qtbot.mouseDClick(shown.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert shown.view.selection.text() == "tainted"
    qtbot.keyClick(shown.view, Qt.Key.Key_Escape)
    assert shown.view.selection.text() == ""


def test_the_page_or_the_passage_is_copied_with_its_source(shown: PagePanel, qtbot: QtBot) -> None:
    ctrl = Qt.KeyboardModifier.ControlModifier
    with qtbot.waitSignal(shown.message) as told:
        shown.passage_bar.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert told.args == [COPIED]
    assert copied.startswith("Consent") or "Consent obtained" in copied
    assert "A-1482-17T4" in copied.splitlines()[-1]
    qtbot.keyClick(shown.view, Qt.Key.Key_A, ctrl)
    qtbot.keyClick(shown.view, Qt.Key.Key_C, ctrl | Qt.KeyboardModifier.ShiftModifier)
    copied = QGuiApplication.clipboard().text()
    assert f"sheet {shown.view.page}" in copied.splitlines()[-1]


def test_the_neighbours_of_a_passage_are_asked_for(
    shown: PagePanel, engine: EngineClient, quince: Document, qtbot: QtBot
) -> None:
    passage = passage_with(engine, quince, "unequivocal")
    qtbot.waitUntil(shown.bar.previous.isEnabled, timeout=_WAIT_MS)
    with qtbot.waitSignal(shown.passage_requested) as asked:
        shown.bar.previous.trigger()
    assert asked.args == [f"{quince.id}-{passage.order - 1:04d}"]
    first = engine.bank.passage(f"{quince.id}-0000").result(60).passage
    shown.go_to(Place(quince, first))
    qtbot.waitUntil(shown.bar.next.isEnabled, timeout=_WAIT_MS)
    assert not shown.bar.previous.isEnabled()
    assert not shown.bar.hits.isVisible()


def test_a_document_without_pages_says_so(panel: PagePanel, engine: EngineClient, qtbot: QtBot) -> None:
    hale = document(engine, "hale.docx")
    passage = passage_with(engine, hale, "aggravating factor three")
    panel.go_to(Place(hale, passage, spans(passage, "aggravating")))
    qtbot.waitUntil(lambda: is_sharp(panel) and panel.bar.hits.text() == "hit 1 of 1", timeout=_WAIT_MS)
    assert "no pages of its own" in panel.note.text()
    assert "sheet" in panel.bar.of.text()
    assert panel.view.is_reached(panel.view._hits[0])


def test_a_document_that_is_not_there_is_explained_and_asked_for_again(
    panel: PagePanel, engine: EngineClient, quince: Document, qtbot: QtBot
) -> None:
    passage = passage_with(engine, quince, "unequivocal")
    gone = dataclasses.replace(quince, id="0" * 16)
    panel.go_to(Place(gone, passage))
    qtbot.waitUntil(panel.states.retry.isVisible, timeout=_WAIT_MS)
    assert any("no document" in text for text in texts(panel))
    panel.go_to(Place(quince, passage))
    qtbot.waitUntil(lambda: is_sharp(panel), timeout=_WAIT_MS)
    assert not panel.states.retry.isVisible()


def test_marks_of_another_passage_that_now_has_the_id_are_not_shown(
    panel: PagePanel, engine: EngineClient, quince: Document, qtbot: QtBot
) -> None:
    passage = passage_with(engine, quince, "unequivocal")
    before = dataclasses.replace(passage, boxes=passage.boxes[1:])
    panel.go_to(Place(quince, before, spans(passage, "Consent")))
    qtbot.waitUntil(lambda: is_sharp(panel), timeout=_WAIT_MS)
    engine.bank.marks(passage.id, ()).result(60)
    qtbot.wait(50)
    assert panel.view.outline == before.boxes
    assert "of 1" not in panel.bar.hits.text()


def test_a_missing_original_is_explained(shown: PagePanel, quince: Document, tmp_path: Path, qtbot: QtBot) -> None:
    shown.correct(dataclasses.replace(quince, source_path=str(tmp_path / "gone.pdf")))
    shown.bar.original.trigger()
    qtbot.waitUntil(lambda: "gone.pdf is not there" in shown.notice.text.text(), timeout=_WAIT_MS)
    shown.notice.button.click()
    assert shown.notice.isHidden()


def test_the_last_passage_asked_for_is_the_one_shown(panel: PagePanel, engine: EngineClient, qtbot: QtBot) -> None:
    for name in ("quince.pdf", "hale.docx", "lorne.txt", "quince.pdf"):
        asked = document(engine, name)
        panel.go_to(Place(asked, engine.bank.passage(f"{asked.id}-0000").result(60).passage))
    qtbot.waitUntil(lambda: is_sharp(panel), timeout=_WAIT_MS)
    assert panel.view.pages is not None
    assert panel.view.pages.document.source_path.endswith("quince.pdf")


def test_every_control_has_a_name_and_a_place_in_the_focus_order(shown: PagePanel) -> None:
    buttons = shown.findChildren(QToolButton)
    assert len(buttons) >= 8
    for button in buttons:
        assert button.accessibleName()
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert shown.bar.number.accessibleName()
    assert f"sheet {shown.view.page} of" in shown.view.accessibleName()
    assert "unequivocal" in shown.view.accessibleDescription()


@pytest.mark.slow
def test_a_page_maker_that_dies_is_explained_and_tried_again(
    start_engine: Callable[[Path], EngineClient], own_bank: Path, qtbot: QtBot
) -> None:
    engine = start_engine(own_bank)
    panel = PagePanel(engine)
    qtbot.addWidget(panel)
    panel.resize(640, 700)
    panel.show()
    quince = document(engine, "quince.pdf")
    panel.go_to(Place(quince, passage_with(engine, quince, "unequivocal")))
    qtbot.waitUntil(lambda: is_sharp(panel), timeout=_WAIT_MS)
    (maker,) = (child for child in living_children(recursive=True) if {"pages", str(own_bank)} <= {*child.cmdline()})
    maker.suspend()
    panel.view.set_zoom(1.5)
    qtbot.wait(100)
    maker.kill()
    qtbot.waitUntil(lambda: panel.notice.isVisible() and panel.notice.button.text() == "Try again", timeout=_WAIT_MS)
    panel.notice.button.click()
    qtbot.waitUntil(lambda: is_sharp(panel), timeout=_WAIT_MS)
    assert panel.notice.isHidden()


def test_while_another_document_opens_nothing_is_said_of_the_one_before(
    panel: PagePanel, engine: EngineClient, quince: Document, qtbot: QtBot
) -> None:
    note = document(engine, "memo-lineups.md")
    panel.go_to(Place(note, engine.bank.passage(f"{note.id}-0000").result(60).passage))
    qtbot.waitUntil(lambda: "sheet" in panel.bar.of.text(), timeout=_WAIT_MS)
    assert panel.note.text() == "no pages of its own"
    assert panel.notice.isHidden()  # nothing is wrong
    assert panel.note.text() in panel.view.accessibleDescription()
    panel.go_to(Place(quince, passage_with(engine, quince, "unequivocal")))
    assert panel.title.text() == headline(quince)
    assert (panel.bar.number.text(), panel.bar.of.text(), panel.note.text()) == ("", "", "")
    assert panel.notice.isHidden()
    qtbot.waitUntil(lambda: panel.bar.of.text() == f"of {quince.page_count} sheets", timeout=_WAIT_MS)


def test_the_bars_take_one_line_each_where_the_window_is_1366_wide(shown: PagePanel, qtbot: QtBot) -> None:
    shown.resize(620, 700)
    qtbot.wait(50)
    buttons = [each for each in shown.findChildren(QToolButton) if each.isVisible()]
    assert len({each.mapTo(shown, each.rect().center()).y() // 8 for each in buttons}) == 2
    assert shown.title.width() > 150
    for width_px, is_above in ((400, True), (900, False)):
        shown.resize(width_px, 700)
        qtbot.waitUntil(lambda is_above=is_above: (shown.title.geometry().bottom() < shown.back.y()) is is_above)
        assert shown.title.width() > 150


def test_what_is_known_against_a_passage_stays_with_its_words_where_another_has_its_id_now(
    panel: PagePanel, engine: EngineClient, quince: Document, qtbot: QtBot
) -> None:
    passage = passage_with(engine, quince, "unequivocal")
    before = dataclasses.replace(passage, text="Carty settles it.")
    panel.go_to(Place(quince, before, cautions=("Carty was overruled",)))
    qtbot.waitUntil(lambda: is_sharp(panel) and panel.bar.next.isEnabled(), timeout=_WAIT_MS)
    panel.passage_bar.copy.click()
    assert QGuiApplication.clipboard().text().startswith("Carty settles it.")
    assert QGuiApplication.clipboard().text().endswith("[Carty was overruled]\n")
