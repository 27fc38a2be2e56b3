"""Two pages of one brief side by side: turned by two, read and warned of as one view."""

from __future__ import annotations

from collections.abc import Iterator

import office
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from windows import started

from briefbank.values.records import Box, PageBox
from ui.engine import EngineClient
from ui.reading.history import Place, Position
from ui.reading.panel import PagePanel
from ui.reading.view import Fit

_WAIT_MS = 30_000
INSIDE = Box(100, 100, 300, 120)


@pytest.fixture(scope="module")
def warned(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineClient]:
    """An engine over a brief of five pages, on the second of which a case is cited that the office warns of; shared, so
    never indexed with.
    """
    sentences = [
        f"The troopers prolonged stop {number} without any reason." for number in range(5 * office.LINES_A_PAGE)
    ]
    sentences[office.LINES_A_PAGE + 9] = "Consent has to be knowing. State v. Carty, 170 N.J. 632 (2002)."
    texts, alerts = {"quince": "\n".join(sentences)}, {"170 N.J. 632": "never cite it alone"}
    with started(office.index_pdfs(tmp_path_factory.mktemp("warned"), texts, alerts=alerts)) as engine:
        yield engine


@pytest.fixture
def panel(warned: EngineClient, qtbot: QtBot) -> PagePanel:
    """The panel with the brief at its first pages, two of which the reader asked for with the key."""
    made = PagePanel(warned)
    qtbot.addWidget(made)
    made.resize(1200, 700)
    with qtbot.waitExposed(made):
        made.show()
    (brief,) = warned.bank.documents().result(60)
    assert brief.page_count == 5
    made.go_to(Place(brief, warned.bank.first_passage(brief.id).result(60).passage, is_whole=True))
    qtbot.waitUntil(lambda: made.view.pages is not None, timeout=_WAIT_MS)
    made.activateWindow()
    made.view.setFocus()
    qtbot.waitUntil(made.view.hasFocus)
    QTest.keyClick(made.view, Qt.Key.Key_D)
    return made


def test_a_key_shows_two_pages_side_by_side_and_one_again(panel: PagePanel) -> None:
    left, right = (panel.view.box_on_view(PageBox(number, INSIDE)) for number in (1, 2))
    assert left.top() == right.top()
    assert left.right() < right.left()
    assert right.right() < panel.view.viewport().width()
    assert panel.bar.two_pages.isChecked()
    assert panel.view.fit is Fit.WIDTH
    narrow = panel.view.zoom
    panel.bar.two_pages.trigger()
    assert panel.view.zoom > narrow
    assert panel.view.box_on_view(PageBox(2, INSIDE)).top() > panel.view.box_on_view(PageBox(1, INSIDE)).top()


def test_two_pages_are_turned_at_once(panel: PagePanel) -> None:
    QTest.keyClick(panel.view, Qt.Key.Key_Right)
    assert panel.view.page == 3
    assert panel.bar.number.text() == "3"
    panel.bar.previous_page.trigger()
    assert panel.view.page == 1
    panel.view.go_to_page(4)
    assert panel.view.page == 3, "the left one of the two in view"
    assert list(panel.view.row) == [3, 4]


def test_the_key_pressed_twice_leads_back_to_where_the_page_was_left(panel: PagePanel) -> None:
    QTest.keyClick(panel.view, Qt.Key.Key_D)
    panel.view.go_to_position(Position(4, 300.0))
    QTest.keyClick(panel.view, Qt.Key.Key_D)
    assert list(panel.view.row) == [3, 4]
    QTest.keyClick(panel.view, Qt.Key.Key_D)
    after = panel.view.position()
    assert after
    assert after.page == 4
    assert abs(after.down_pt - 300) < 2


def test_words_marked_on_the_right_page_stay_in_view_where_one_page_is_shown_again(panel: PagePanel) -> None:
    hit = (PageBox(4, INSIDE),)
    panel.view.set_marks((), (hit,), 0)
    QTest.keyClick(panel.view, Qt.Key.Key_Right)
    assert panel.view.is_reached(hit)
    QTest.keyClick(panel.view, Qt.Key.Key_D)
    assert panel.view.page == 4
    assert panel.view.is_reached(hit)


def test_words_in_view_stay_there_where_two_pages_are_higher_than_the_view(panel: PagePanel, qtbot: QtBot) -> None:
    QTest.keyClick(panel.view, Qt.Key.Key_D)
    panel.resize(1200, 400)
    hit = (PageBox(2, Box(100, 650, 300, 664)),)
    panel.view.set_marks((), (hit,), 0)
    panel.view.go_to_boxes(hit, is_gliding=False)
    QTest.keyClick(panel.view, Qt.Key.Key_D)
    assert panel.view.is_reached(hit)


def test_what_stands_under_the_mouse_is_known_on_either_page(panel: PagePanel) -> None:
    for number in (1, 2):
        at = panel.view.box_on_view(PageBox(number, INSIDE)).center().toPoint()
        page, x_pt, y_pt = panel.view.point_on_page(at)
        assert page == number
        assert abs(x_pt - 200) < 2
        assert abs(y_pt - 110) < 2


def test_words_are_selected_from_the_left_page_to_the_right(panel: PagePanel, qtbot: QtBot) -> None:
    view = panel.view
    qtbot.waitUntil(lambda: {1, 2} <= set(view.loader.texts), timeout=_WAIT_MS)
    first, last = (view.loader.texts[number].words[-1] for number in (1, 2))
    start, end = (
        view.box_on_view(PageBox(number, word.box)).center().toPoint() for number, word in ((1, first), (2, last))
    )
    view.verticalScrollBar().setValue(max(start.y(), end.y()) - 300)
    moved = view.verticalScrollBar().value()
    start, end = start - QPoint(0, moved), end - QPoint(0, moved)
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(view.viewport(), end)
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end)
    assert view.selection.selected
    assert list(view.selection.selected.pages) == [1, 2]


def test_what_is_warned_of_on_the_right_page_is_told_above(panel: PagePanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "never cite it alone" in panel.alert_line.text(), timeout=_WAIT_MS)
    panel.bar.two_pages.trigger()
    assert panel.view.page == 1
    assert panel.alert_line.text() == ""
    panel.view.go_to_page(2)
    assert "never cite it alone" in panel.alert_line.text()


def test_the_outline_gives_way_to_two_pages(engine: EngineClient, qtbot: QtBot) -> None:
    made = PagePanel(engine)
    qtbot.addWidget(made)
    made.resize(1200, 700)
    with qtbot.waitExposed(made):
        made.show()
    documents = engine.bank.documents().result(60)
    brief = next(each for each in documents if each.source_path.endswith("quince.pdf"))
    made.go_to(Place(brief, engine.bank.first_passage(brief.id).result(60).passage, is_whole=True))
    qtbot.waitUntil(lambda: made.outline.is_open, timeout=_WAIT_MS)
    made.bar.two_pages.trigger()
    assert not made.outline.is_open
    made.headings.click()
    assert made.outline.is_open, "somebody wants it all the same"
    made.headings.click()
    made.headings.click()
    made.bar.two_pages.trigger()
    assert made.outline.is_open
