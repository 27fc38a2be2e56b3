"""Words and passages found in the brief that is shown, and the way back to what was shown before; with real keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import office
import pymupdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from windows import CONSENT, ask, opened

from briefbank.cli.main import main
from briefbank.values.records import Box, Document, PageBox, Passage
from ui.briefs.space import BriefsSpace
from ui.engine import EngineClient
from ui.reading.history import Place
from ui.reading.panel import PagePanel
from ui.wording import headline

_WAIT_MS = 30_000
CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


def document(engine: EngineClient, name: str) -> Document:
    return next(each for each in engine.bank.documents().result(60) if each.source_path.endswith(name))


def passage_with(engine: EngineClient, of: Document, words: str) -> Passage:
    found = (engine.bank.passage(f"{of.id}-{number:04d}").result(60).passage for number in range(of.passage_count))
    return next(each for each in found if words in each.text)


@pytest.fixture
def quince(engine: EngineClient) -> Document:
    return document(engine, "quince.pdf")


@pytest.fixture
def panel(engine: EngineClient, quince: Document, qtbot: QtBot) -> PagePanel:
    """The panel with a passage of a PDF."""
    made = PagePanel(engine)
    qtbot.addWidget(made)
    made.resize(640, 700)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    made.go_to(Place(quince, passage_with(engine, quince, "unequivocal")))
    qtbot.waitUntil(lambda: made.view.pages is not None, timeout=_WAIT_MS)
    made.view.setFocus()
    qtbot.waitUntil(made.view.hasFocus, timeout=_WAIT_MS)
    return made


def find(panel: PagePanel, qtbot: QtBot, text: str) -> None:
    """Press the key, type, and wait until something is said of it."""
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F, CONTROL)
    qtbot.keyClicks(panel.find_bar.field, text)
    before = panel.find_bar.said.text()
    qtbot.keyClick(panel.find_bar.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.find_bar.said.text() not in ("", before), timeout=_WAIT_MS)


def marked(panel: PagePanel, qtbot: QtBot) -> list[str]:
    """The words under all marks, once all places are known and the words of their pages have come."""
    qtbot.waitUntil(lambda: all(panel.view._hits), timeout=_WAIT_MS)
    found = []
    for hit in panel.view._hits:
        panel.view.go_to_page(hit[0].page)
        qtbot.waitUntil(lambda hit=hit: hit[0].page in panel.view.loader.texts, timeout=_WAIT_MS)
        page = panel.view.loader.texts[hit[0].page]
        inside = [
            word.text
            for word in page.words
            for place in hit
            if place.page == page.number
            and place.box.x0 <= (word.box.x0 + word.box.x1) / 2 <= place.box.x1
            and place.box.y0 <= (word.box.y0 + word.box.y1) / 2 <= place.box.y1
        ]
        found.append(" ".join(inside).strip(".,()").lower())
    return found


def test_words_are_found_on_every_page_and_marked_there(
    panel: PagePanel, engine: EngineClient, quince: Document, qtbot: QtBot
) -> None:
    find(panel, qtbot, "consenting")
    passages = [engine.bank.passage(f"{quince.id}-{n:04d}").result(60).passage for n in range(quince.passage_count)]
    count = sum(passage.text.lower().count("consent") for passage in passages)
    assert count > 3
    assert panel.find_bar.said.text().endswith(f" of {count}")
    assert marked(panel, qtbot) == ["consent"] * count


def test_enter_and_f3_go_to_the_next_place_and_shift_to_the_one_before(panel: PagePanel, qtbot: QtBot) -> None:
    find(panel, qtbot, "consent")
    first, _, count = panel.find_bar.said.text().split()
    at, total = int(first), int(count)
    field = panel.find_bar.field
    steps = (
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, 1),
        (Qt.Key.Key_F3, Qt.KeyboardModifier.NoModifier, 1),
        (Qt.Key.Key_F3, SHIFT, -1),
        (Qt.Key.Key_Return, SHIFT, -1),
        (Qt.Key.Key_F3, SHIFT, -1),
    )
    for key, modifier, step in steps:
        QTest.keyClick(field, key, modifier)
        at = (at - 1 + step) % total + 1
        assert panel.find_bar.said.text() == f"{at} of {total}"
    qtbot.waitUntil(lambda: panel.view.is_reached(panel.view._hits[at - 1]), timeout=_WAIT_MS)


def test_a_phrase_is_found_exactly(panel: PagePanel, qtbot: QtBot) -> None:
    find(panel, qtbot, '"unequivocal and specific"')
    assert panel.find_bar.said.text() == "1 of 1"
    (phrase,) = marked(panel, qtbot)
    assert phrase == "unequivocal and specific"


def test_a_word_that_is_missing_is_named_beside_the_places_of_the_others(panel: PagePanel, qtbot: QtBot) -> None:
    find(panel, qtbot, "consent zymurgy")
    assert panel.find_bar.said.text().endswith(" · without “zymurgy”")


def test_words_that_stand_nowhere_lead_to_what_is_meant(panel: PagePanel, quince: Document, qtbot: QtBot) -> None:
    qtbot.keyClick(panel.view, Qt.Key.Key_F, CONTROL)
    qtbot.keyClicks(panel.find_bar.field, "zymurgy")
    qtbot.waitUntil(lambda: panel.find_bar.said.text().startswith("none"), timeout=_WAIT_MS)
    assert panel.view._hits == ()
    qtbot.keyClick(panel.find_bar.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.find_bar.said.text().startswith("passage 1 of"), timeout=_WAIT_MS)
    assert panel.place is not None
    assert panel.place.passage.document_id == quince.id


@pytest.mark.parametrize("pause_ms", [0, 199, 210])
def test_enter_is_kept_until_the_answer_is_there(panel: PagePanel, qtbot: QtBot, pause_ms: int) -> None:
    qtbot.keyClick(panel.view, Qt.Key.Key_F, CONTROL)
    qtbot.keyClicks(panel.find_bar.field, "zymurgy")
    qtbot.wait(pause_ms)
    qtbot.keyClick(panel.find_bar.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.find_bar.said.text().startswith("passage 1 of"), timeout=_WAIT_MS)
    panel.find_bar.field.setText("consent")
    qtbot.keyClick(panel.find_bar.field, Qt.Key.Key_Return)
    qtbot.keyClick(panel.find_bar.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: " of " in panel.find_bar.said.text(), timeout=_WAIT_MS)
    at = panel.finder.current
    qtbot.waitUntil(lambda: bool(panel.view._hits) and panel.view.is_reached(panel.view._hits[at]), timeout=_WAIT_MS)


def test_the_best_passages_by_meaning_are_gone_through(panel: PagePanel, quince: Document, qtbot: QtBot) -> None:
    find(panel, qtbot, "out-of-court declaration by an absent person")
    panel.find_bar.meaning.click()
    qtbot.waitUntil(lambda: panel.find_bar.said.text().startswith("passage 1 of"), timeout=_WAIT_MS)
    shown = [panel.place.passage]
    qtbot.keyClick(panel.find_bar.field, Qt.Key.Key_F3)
    assert panel.find_bar.said.text().startswith("passage 2 of")
    shown.append(panel.place.passage)
    assert shown[0] != shown[1]
    assert all(each is not None and each.document_id == quince.id for each in shown)


def test_escape_closes_the_finding_and_marks_the_passage_again(
    panel: PagePanel, engine: EngineClient, quince: Document, qtbot: QtBot
) -> None:
    find(panel, qtbot, "consent")
    qtbot.keyClick(panel.find_bar.field, Qt.Key.Key_Escape)
    assert panel.find_bar.isHidden()
    assert panel.view.hasFocus()
    assert panel.view._hits == ()
    find(panel, qtbot, "consent")
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Escape)
    assert panel.find_bar.isHidden()


def test_the_same_words_are_looked_for_in_the_next_brief(panel: PagePanel, engine: EngineClient, qtbot: QtBot) -> None:
    find(panel, qtbot, "consent")
    before = panel.find_bar.said.text()
    note = document(engine, "memo-lineups.md")
    panel.go_to(Place(note, engine.bank.passage(f"{note.id}-0000").result(60).passage))
    assert panel.find_bar.said.text() == ""
    qtbot.waitUntil(lambda: panel.find_bar.said.text() not in ("", before), timeout=_WAIT_MS)
    assert panel.find_bar.said.text().startswith("none")


def test_back_leads_to_the_brief_before_as_it_was_left(
    panel: PagePanel, engine: EngineClient, quince: Document, qtbot: QtBot
) -> None:
    qtbot.keyClick(panel.view, Qt.Key.Key_End)
    left = panel.view.position()
    note = document(engine, "memo-lineups.md")
    panel.go_to(Place(note, engine.bank.passage(f"{note.id}-0000").result(60).passage))
    qtbot.waitUntil(lambda: panel._pages is not None, timeout=_WAIT_MS)
    qtbot.keyClick(panel.view, Qt.Key.Key_Left, ALT)
    assert panel.title.text() == headline(quince)
    qtbot.waitUntil(lambda: panel._pages is not None and panel._marks is not None, timeout=_WAIT_MS)
    assert panel.view.position() == left
    qtbot.keyClick(panel.view, Qt.Key.Key_Right, ALT)
    assert panel.title.text() == headline(note)
    qtbot.keyClick(panel.view, Qt.Key.Key_Right, ALT)
    assert panel.title.text() == headline(note)


def test_a_jump_to_a_page_is_a_step_back(panel: PagePanel, quince: Document, qtbot: QtBot) -> None:
    qtbot.wait(250)  # the glide to the passage has ended
    panel.view.go_to_page(quince.page_count)
    left = panel.view.position()
    panel.bar.number.setFocus()
    panel.bar.number.selectAll()
    qtbot.keyClicks(panel.bar.number, "1")
    qtbot.keyClick(panel.bar.number, Qt.Key.Key_Return)
    assert panel.view.page == 1
    qtbot.keyClick(panel.view, Qt.Key.Key_Left, ALT)
    assert panel.view.position() == left


def test_back_after_find_leads_to_where_somebody_began_to_look(
    panel: PagePanel, quince: Document, qtbot: QtBot
) -> None:
    qtbot.wait(250)  # the glide to the passage has ended
    panel.view.go_to_page(quince.page_count)
    left = panel.view.position()
    find(panel, qtbot, "docket")
    qtbot.waitUntil(lambda: panel.view.page == 1, timeout=_WAIT_MS)
    panel.step_hit(1)
    qtbot.keyClick(panel.view, Qt.Key.Key_Left, ALT)
    assert panel.view.position() == left


def test_the_last_brief_comes_back_after_a_search_that_found_nothing(
    panel: PagePanel, quince: Document, qtbot: QtBot
) -> None:
    panel.clear()
    assert panel.title.text() == ""
    qtbot.keyClick(panel, Qt.Key.Key_Left, ALT)
    assert panel.title.text() == headline(quince)


def test_in_the_window_the_key_reaches_the_brief_from_the_list_and_the_field(
    engine: EngineClient, tmp_path: Path, qtbot: QtBot
) -> None:
    with opened(engine, tmp_path / "feedback.sqlite") as window:
        qtbot.keyClick(window, Qt.Key.Key_F, CONTROL)
        assert window.search_space.page.find_bar.isHidden()
        ask(window, qtbot, CONSENT)
        window.search_space.pane.list.take_focus()
        qtbot.waitUntil(lambda: window.search_space.page.view.pages is not None, timeout=_WAIT_MS)
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F, CONTROL)
        assert window.search_space.page.find_bar.field.hasFocus()
        qtbot.keyClick(window.search_space.page.find_bar.field, Qt.Key.Key_L, CONTROL)
        assert window.search_space.bar.field.hasFocus()
        qtbot.keyClick(window.search_space.bar.field, Qt.Key.Key_F, CONTROL)
        assert window.search_space.page.find_bar.field.hasFocus()


def headings(panel: PagePanel, qtbot: QtBot) -> list[str]:
    qtbot.waitUntil(lambda: panel.outline.count() > 0, timeout=_WAIT_MS)
    return [panel.outline.item(row).text() for row in range(panel.outline.count())]


def test_the_outline_names_the_headings_and_leads_to_them(panel: PagePanel, qtbot: QtBot) -> None:
    panel.resize(900, 400)
    titles = headings(panel, qtbot)
    assert panel.outline.isVisible()
    row = next(at for at, title in enumerate(titles) if "consent" in title)
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_End)
    left = panel.view.position()
    qtbot.keyClick(panel.view, Qt.Key.Key_O, CONTROL | SHIFT)
    assert panel.outline.isHidden()
    qtbot.keyClick(panel.view, Qt.Key.Key_O, CONTROL | SHIFT)
    assert panel.outline.hasFocus()
    qtbot.keyClick(panel.outline, Qt.Key.Key_Home)
    for _ in range(row):
        qtbot.keyClick(panel.outline, Qt.Key.Key_Down)
    qtbot.keyClick(panel.outline, Qt.Key.Key_Return)
    place = panel.outline._entries[row].place
    assert panel.view.hasFocus()
    assert panel.view.is_reached((place,))
    assert panel.view.box_on_view(place).top() < panel.view.height() / 4
    assert panel.outline.currentRow() == row
    qtbot.keyClick(panel.view, Qt.Key.Key_Left, ALT)
    assert panel.view.position() == left


def test_the_heading_that_is_read_stands_out_while_one_scrolls(panel: PagePanel, qtbot: QtBot) -> None:
    panel.resize(900, 400)
    titles = headings(panel, qtbot)
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Home)
    seen = [panel.outline.currentRow()]
    while panel.view.verticalScrollBar().value() < panel.view.verticalScrollBar().maximum():
        panel.view.verticalScrollBar().setValue(panel.view.verticalScrollBar().value() + 40)
        seen.append(panel.outline.currentRow())
    assert seen == sorted(seen)
    assert seen[-1] == len(titles) - 1
    assert len(set(seen)) > 3


def test_headings_have_the_same_room_whether_all_are_in_sight_or_not(panel: PagePanel, qtbot: QtBot) -> None:
    panel.resize(900, 1200)
    headings(panel, qtbot)
    bar = panel.outline.verticalScrollBar()
    qtbot.waitUntil(lambda: panel.outline.isVisible() and bar.maximum() == 0)
    room_px = panel.outline.viewport().width()
    panel.resize(900, 250)
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    assert panel.outline.viewport().width() == room_px


def test_a_narrow_page_has_no_outline_unless_somebody_asks_for_it(panel: PagePanel, qtbot: QtBot) -> None:
    headings(panel, qtbot)
    assert panel.outline.isHidden()
    panel.headings.click()
    assert panel.outline.isVisible()
    panel.headings.click()
    assert panel.outline.isHidden()


def test_an_outline_that_was_closed_stays_closed_the_next_time(
    panel: PagePanel, engine: EngineClient, quince: Document, qtbot: QtBot
) -> None:
    panel.resize(900, 700)
    headings(panel, qtbot)
    panel.headings.click()
    another = PagePanel(engine)
    qtbot.addWidget(another)
    another.resize(900, 700)
    another.show()
    another.go_to(Place(quince, passage_with(engine, quince, "unequivocal")))
    headings(another, qtbot)
    assert another.outline.isHidden()


def test_an_entry_that_leads_to_another_page_is_followed_and_back_leads_to_it_again(
    start_engine: Callable[[Path], EngineClient], tmp_path: Path, qtbot: QtBot
) -> None:
    told = office.brief("Alder Quince", "A-1482-17T4", "May 4, 2018", *[("THE STOP WAS TOO LONG.", office.STOP)] * 4)
    (tmp_path / "files").mkdir()
    path = office.write_pdf(tmp_path / "files" / "linked.pdf", told)
    with pymupdf.open(path) as drawn:
        box = pymupdf.Rect(72, 70, 500, 90)
        drawn[0].insert_link({"kind": pymupdf.LINK_GOTO, "from": box, "page": 1, "to": pymupdf.Point(0, 0)})
        drawn.saveIncr()
    bank = office.write_bank(tmp_path / "bank")
    assert main(["index", str(tmp_path / "files"), "--bank", str(bank), "--quiet"]) == 0
    engine = start_engine(bank)
    panel = PagePanel(engine)
    qtbot.addWidget(panel)
    panel.resize(640, 700)
    panel.show()
    (linked,) = engine.bank.documents().result(60)
    panel.go_to(Place(linked, engine.bank.passage(f"{linked.id}-0000").result(60).passage))
    qtbot.waitUntil(lambda: 1 in panel.view.loader.texts, timeout=_WAIT_MS)
    qtbot.keyClick(panel.view, Qt.Key.Key_Home)
    left = panel.view.position()
    point = panel.view.box_on_view(PageBox(1, Box(*box))).center().toPoint()
    qtbot.mouseMove(panel.view.viewport(), point)
    assert panel.view.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert panel.view.page == 2
    qtbot.keyClick(panel.view, Qt.Key.Key_Left, ALT)
    assert panel.view.position() == left


def test_a_text_without_pages_is_searched_and_marked_on_its_sheets(
    panel: PagePanel, engine: EngineClient, qtbot: QtBot
) -> None:
    hale = document(engine, "hale.docx")
    panel.go_to(Place(hale, engine.bank.passage(f"{hale.id}-0000").result(60).passage))
    qtbot.waitUntil(lambda: panel._pages is not None, timeout=_WAIT_MS)
    find(panel, qtbot, '"element is reversible"')
    assert panel.find_bar.said.text() == "1 of 1"
    assert marked(panel, qtbot) == ["element is reversible"]


def test_among_the_briefs_the_key_reaches_the_brief_shown_there(
    engine: EngineClient, tmp_path: Path, qtbot: QtBot
) -> None:
    with opened(engine, tmp_path / "feedback.sqlite") as window:
        ask(window, qtbot, CONSENT)
        qtbot.waitUntil(lambda: window.search_space.page.view.pages is not None, timeout=_WAIT_MS)
        qtbot.keyClick(window, Qt.Key.Key_2, CONTROL)
        space = window.centralWidget().findChild(BriefsSpace)
        assert isinstance(space, BriefsSpace)
        qtbot.waitUntil(lambda: space.model.total > 0, timeout=_WAIT_MS)
        qtbot.keyClick(space.field, Qt.Key.Key_Down)
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
        qtbot.waitUntil(lambda: space.page.view.pages is not None, timeout=_WAIT_MS)
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F, CONTROL)
        assert space.page.find_bar.field.hasFocus()
        assert window.search_space.page.find_bar.isHidden()
