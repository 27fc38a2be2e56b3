"""All briefs in a table beside the page: narrowed, sorted and read by keyboard, in the real window."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from children import living_children
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFileDialog,
    QLabel,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionHeaderV2,
    QStyleOptionViewItem,
    QWidget,
)
from pytestqt.qtbot import QtBot
from windows import WAIT_MS, answered, ask, opened, press_focused

from briefbank.values.records import Document, Fact, Metadata
from ui.arguments.space import ArgumentsSpace
from ui.briefs.space import BriefsSpace
from ui.briefs.table import COLUMNS, BriefsModel, state_of
from ui.engine import EngineClient
from ui.plain import tip
from ui.window import MainWindow

NEWEST_FIRST = ["State v. Corin Hale", "Directive 2021-12", "State v. Alder Quince", "Photographic arrays"]
NEWEST_FIRST += ["State v. Petra Lorne", "Notes on consent"]
CTRL = Qt.KeyboardModifier.ControlModifier
TITLE, FILED, KIND, COURT, DOCKET, AUTHOR, OUTCOME, PAGES, STATE = range(len(COLUMNS))


@pytest.fixture
def space(window: MainWindow, qtbot: QtBot) -> BriefsSpace:
    return briefs_of(window, qtbot)


def briefs_of(window: MainWindow, qtbot: QtBot) -> BriefsSpace:
    """Open the space with its key and wait for the documents."""
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    space = window.centralWidget().findChild(BriefsSpace)
    assert isinstance(space, BriefsSpace)
    qtbot.waitUntil(lambda: space.model.total > 0, timeout=WAIT_MS)
    return space


def column(space: BriefsSpace, number: int = TITLE) -> list[str]:
    return [str(space.model.index(row, number).data()) for row in range(space.model.rowCount())]


def assert_titles(space: BriefsSpace, *wanted: str) -> None:
    found = column(space)
    assert len(found) == len(wanted)
    assert all(title.startswith(begin) for title, begin in zip(found, wanted, strict=True)), found


def select(space: BriefsSpace, row: int) -> None:
    space.table.setCurrentIndex(space.model.index(row, TITLE))


def title_shown(space: BriefsSpace) -> str:
    pages = space.page.view.pages
    return pages.document.metadata.title.value if pages else ""


def test_a_key_lists_all_documents_newest_first_with_what_is_known_of_them(space: BriefsSpace) -> None:
    assert space.isVisible()
    assert space.window().focusWidget() is space.field
    assert_titles(space, *NEWEST_FIRST)
    assert space.status.text() == "6 briefs"
    hale = [space.model.index(0, number).data() for number in range(len(COLUMNS))]
    assert hale[FILED:OUTCOME] == [
        "30 May 2022", "Brief", "Superior Court of New Jersey, Appellate Division", "A-2207-21", "Bram Okonjo",
    ]  # fmt: skip
    assert hale[STATE] == "no pages of its own"
    assert column(space, FILED)[-1] == ""


def test_typing_narrows_to_documents_that_have_all_words_anywhere(space: BriefsSpace) -> None:
    QTest.keyClicks(space.field, "defendant OKONJO")
    assert_titles(space, "State v. Corin Hale")
    assert space.status.text() == "1 of 6 briefs"
    press_focused(space, Qt.Key.Key_Escape)
    assert len(column(space)) == 6
    QTest.keyClicks(space.field, "juniper 2015")
    assert_titles(space, "Photographic arrays")


def test_a_column_sorts_both_ways_and_what_is_not_known_stands_last(space: BriefsSpace) -> None:
    header = space.table.horizontalHeader()
    space.table.sortByColumn(FILED, Qt.SortOrder.AscendingOrder)
    assert_titles(space, *reversed(NEWEST_FIRST[:-1]), NEWEST_FIRST[-1])
    at = QPoint(header.sectionViewportPosition(TITLE) + 20, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert column(space) == sorted(column(space), key=str.casefold)
    space.table.sortByColumn(DOCKET, Qt.SortOrder.DescendingOrder)
    assert column(space, DOCKET) == ["A-2207-21", "A-1482-17T4", "A-0311-04T2", "", "", ""]


def test_return_reads_a_brief_from_its_first_page(space: BriefsSpace, qtbot: QtBot) -> None:
    press_focused(space, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: title_shown(space).startswith("State v. Alder Quince"), timeout=WAIT_MS)
    assert space.window().focusWidget() is space.page.view
    assert space.page.view.page == 1
    assert space.page.view.outline == ()


def test_going_through_the_table_shows_each_brief_beside_it(space: BriefsSpace, qtbot: QtBot) -> None:
    press_focused(space, Qt.Key.Key_Down)
    assert space.window().focusWidget() is space.table
    qtbot.waitUntil(lambda: title_shown(space).startswith("State v. Corin Hale"), timeout=WAIT_MS)
    press_focused(space, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: title_shown(space).startswith("Directive"), timeout=WAIT_MS)
    assert space.window().focusWidget() is space.table


def test_the_next_passage_is_outlined_and_going_back_shows_the_brief_as_it_was_opened(
    space: BriefsSpace, qtbot: QtBot
) -> None:
    select(space, 2)
    qtbot.waitUntil(lambda: title_shown(space).startswith("State v. Alder Quince"), timeout=WAIT_MS)
    page = space.page
    qtbot.waitUntil(page.bar.next.isEnabled, timeout=WAIT_MS)
    page.bar.next.trigger()
    qtbot.waitUntil(lambda: page.view.outline != (), timeout=WAIT_MS)
    page.go_back()
    qtbot.waitUntil(lambda: page.view.outline == (), timeout=WAIT_MS)
    assert title_shown(space).startswith("State v. Alder Quince")


def test_nothing_is_copied_of_a_brief_of_which_nothing_is_marked(space: BriefsSpace, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText("before")
    select(space, 2)
    qtbot.waitUntil(lambda: title_shown(space).startswith("State v. Alder Quince"), timeout=WAIT_MS)
    space.page.passage_bar.copy.click()
    assert QGuiApplication.clipboard().text() == "before"
    assert "Select the words that you want to copy first." in [
        label.text() for label in space.page.notice.findChildren(QLabel)
    ]


def test_keys_lead_to_the_page_and_back_to_the_list(space: BriefsSpace, qtbot: QtBot) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    press_focused(space, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: bool(title_shown(space)), timeout=WAIT_MS)
    for key, widget in ((Qt.Key.Key_G, space.page.view), (Qt.Key.Key_J, space.table)):
        QTest.keyClick(space.window(), key, control)
        assert space.window().focusWidget() is widget


def test_what_is_read_stays_selected_and_in_view_while_others_go(space: BriefsSpace, qtbot: QtBot) -> None:
    select(space, 2)
    qtbot.waitUntil(lambda: title_shown(space).startswith("State v. Alder Quince"), timeout=WAIT_MS)
    space.page.view.go_to_page(2)
    qtbot.waitUntil(lambda: space.page.view.page == 2)
    QTest.keyClicks(space.field, "state")
    space.table.sortByColumn(TITLE, Qt.SortOrder.AscendingOrder)
    assert [index.data() for index in space.table.selectionModel().selectedRows()] == [title_shown(space)]
    qtbot.wait(300)
    assert space.page.view.page == 2


def test_where_no_brief_has_the_words_the_list_says_so_and_no_page_is_shown_until_it_has(
    space: BriefsSpace, qtbot: QtBot
) -> None:
    select(space, 2)
    qtbot.waitUntil(lambda: title_shown(space).startswith("State v. Alder Quince"), timeout=WAIT_MS)
    space.page.view.go_to_page(2)
    QTest.keyClicks(space.field, "state zymurgy")
    assert space.empty.isVisible()
    assert "No brief" in space.empty.text()
    assert space.page.title.text() == ""
    space.field.setText("state")
    assert space.empty.isHidden()
    qtbot.waitUntil(lambda: title_shown(space).startswith("State v. Alder Quince"), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: space.page.view.page == 2, timeout=WAIT_MS)


def test_letters_do_nothing_in_the_table(space: BriefsSpace) -> None:
    press_focused(space, Qt.Key.Key_Down)
    before = space.table.currentIndex().row()
    press_focused(space, Qt.Key.Key_R, Qt.Key.Key_N, Qt.Key.Key_S)
    assert space.table.currentIndex().row() == before
    assert len(column(space)) == 6


def test_columns_are_found_as_they_were_left(
    window: MainWindow, space: BriefsSpace, engine: EngineClient, tmp_path: Path, qtbot: QtBot
) -> None:
    space.table.setColumnWidth(COURT, 231)
    space.table.sortByColumn(TITLE, Qt.SortOrder.AscendingOrder)
    window.close()
    with opened(engine, tmp_path / "again.sqlite") as again:
        found = briefs_of(again, qtbot)
        assert found.table.columnWidth(COURT) == 231
        assert column(found) == sorted(column(found), key=str.casefold)


@pytest.mark.parametrize(("size_px", "in_sight"), [((832, 440), FILED), ((1366, 728), AUTHOR), ((1920, 1000), PAGES)])
def test_columns_fit_the_window_and_none_is_cut_at_its_edge(
    window: MainWindow, space: BriefsSpace, qtbot: QtBot, size_px: tuple[int, int], in_sight: int
) -> None:
    window.resize(*size_px)
    table = space.table
    ends = lambda: [table.columnViewportPosition(each) + table.columnWidth(each) for each in range(len(COLUMNS))]  # noqa: E731
    qtbot.waitUntil(lambda: table.viewport().width() in ends() and ends()[in_sight] <= table.viewport().width())


@pytest.mark.parametrize(
    ("width_chars", "told"),
    [
        (60, "Superior Court of New Jersey, Appellate Division"),
        (35, "… Jersey, Appellate Division"),
        (26, "… Appellate Division"),
        (4, "Superior Court of New Jersey, Appellate Division"),
    ],
)
def test_a_court_that_is_cut_keeps_the_end_that_tells_it_apart(space: BriefsSpace, width_chars: int, told: str) -> None:
    index = space.model.index(2, COURT)
    assert index.data() == "Superior Court of New Jersey, Appellate Division"
    shown = QStyleOptionViewItem()
    shown.fontMetrics = space.table.fontMetrics()
    shown.rect.setWidth(width_chars * space.table.fontMetrics().averageCharWidth())
    delegate = space.table.itemDelegate()
    assert isinstance(delegate, QStyledItemDelegate)
    delegate.initStyleOption(shown, index)
    assert shown.text == told


def test_the_sign_of_the_column_that_sorts_points_down_while_the_newest_is_on_top(space: BriefsSpace) -> None:
    told = QStyleOptionHeaderV2()
    header = space.table.horizontalHeader()
    for order, sign in (
        (Qt.SortOrder.DescendingOrder, told.SortIndicator.SortDown),
        (Qt.SortOrder.AscendingOrder, told.SortIndicator.SortUp),
    ):
        space.table.sortByColumn(FILED, order)
        header.initStyleOptionForIndex(told, FILED)
        assert told.sortIndicator == sign


def test_a_screen_reader_is_told_column_and_value(space: BriefsSpace) -> None:
    told = Qt.ItemDataRole.AccessibleTextRole
    assert space.model.index(0, FILED).data(told) == "Filed: 30 May 2022"
    assert space.model.index(0, OUTCOME).data(told) == "Outcome: not known"


def test_another_index_is_listed_when_it_goes_live(
    start_engine: Callable[[Path], EngineClient], own_bank: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    import office

    engine = start_engine(own_bank)
    with opened(engine, tmp_path / "feedback.sqlite") as window:
        space = briefs_of(window, qtbot)
        office.write_text(tmp_path / "more" / "one.txt", office.brief("Ada Renfrew", "A-1403-22", "May 6, 2024"))
        run = engine.bank.index(tmp_path / "more")
        assert run.result(60).published
        qtbot.waitUntil(lambda: space.model.total == 7, timeout=WAIT_MS)
        assert column(space)[0].startswith("State v. Ada Renfrew")


# --- the table alone ------------------------------------------------------------------------------------------------


def document(title: str, filed: str | None = None) -> Document:
    metadata = Metadata(
        Fact(title, "title page"), Fact("brief", "guess"), filed=Fact(filed, "stamp") if filed else None
    )
    return Document(f"{abs(hash(title)):016x}"[:16], f"{title}.pdf", "0" * 64, metadata, 4, 0, None, 1)


def test_how_surely_a_scan_was_read_is_told(qapp: QApplication) -> None:
    scan = replace(document("a"), ocr_page_count=4, ocr_confidence=0.913)
    assert state_of(scan) == "scanned, read 91% surely"
    assert state_of(replace(scan, ocr_page_count=1)) == "1 page scanned, read 91% surely"
    assert state_of(document("a")) == ""


def test_markup_in_a_title_is_shown_as_it_was_written(qapp: QApplication) -> None:
    model = BriefsModel()
    model.show_documents([document('<img src="file:///etc/hostname"> <b>bold</b>', "2020-01-01")])
    cell = model.index(0, TITLE)
    assert cell.data() == '<img src="file:///etc/hostname"> <b>bold</b>'
    assert "<img" not in cell.data(Qt.ItemDataRole.ToolTipRole)


# --- corrections ----------------------------------------------------------------------------------------------------


def correct(space: BriefsSpace, row: int, number: int, text: str, qtbot: QtBot) -> None:
    """Press F2 on a cell, type over what is there, and press Return."""
    space.table.setFocus()
    space.table.setCurrentIndex(space.model.index(row, number))
    QTest.keyClick(space.table, Qt.Key.Key_F2)
    editor = space.table.viewport().findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    assert editor.accessibleName() == f"Correct: {COLUMNS[number].title}"
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.wait(50)


def test_a_cell_is_corrected_in_place_and_in_the_results_from_then_on(own_window: MainWindow, qtbot: QtBot) -> None:
    space = briefs_of(own_window, qtbot)
    assert space.hand_on.isHidden()
    correct(space, 2, TITLE, "State v. Alder Quince, Reply Brief", qtbot)
    cell = space.model.index(2, TITLE)
    qtbot.waitUntil(lambda: cell.data() == "State v. Alder Quince, Reply Brief", timeout=WAIT_MS)
    assert "corrected here" in cell.data(Qt.ItemDataRole.ToolTipRole)
    assert cell.data(Qt.ItemDataRole.FontRole).italic()
    assert space.hand_on.isVisible()
    QTest.keyClick(own_window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    ask(own_window, qtbot, "was the stop unlawfully prolonged")
    cards = own_window.search_space.pane.list.cards
    assert "State v. Alder Quince, Reply Brief" in [card.hit.document.metadata.title.value for card in cards]


def test_a_corrected_title_stands_at_once_on_results_arguments_and_the_start_that_are_shown(
    own_window: MainWindow, qtbot: QtBot
) -> None:
    title, search = "State v. Alder Quince, Reply Brief", own_window.search_space
    qtbot.waitUntil(lambda: "Newest briefs" in shown_in(search.pane), timeout=WAIT_MS)
    (before,) = [each for each in shown_in(search.pane) if "Quince" in each]
    QTest.keyClick(own_window, Qt.Key.Key_3, CTRL)
    arguments = own_window.findChild(ArgumentsSpace)
    assert isinstance(arguments, ArgumentsSpace)
    qtbot.waitUntil(lambda: arguments.tree.rows.rowCount() > 0, timeout=WAIT_MS)
    space = briefs_of(own_window, qtbot)
    correct(space, 2, TITLE, title, qtbot)
    qtbot.waitUntil(lambda: any(title in each for each in shown_in(search.pane)), timeout=WAIT_MS)
    assert before not in shown_in(search.pane)
    assert any(title in each for each in told_by(arguments.tree.rows))
    QTest.keyClick(own_window, Qt.Key.Key_1, CTRL)
    ask(own_window, qtbot, "was the stop unlawfully prolonged")
    space = briefs_of(own_window, qtbot)
    correct(space, 2, TITLE, "State v. Quince, on remand", qtbot)
    qtbot.waitUntil(lambda: "State v. Quince, on remand" in shown_in(search.pane.list), timeout=WAIT_MS)
    assert title not in shown_in(search.pane.list)
    place = [card.accessibleName() for card in search.pane.list.cards if "on remand" in card.accessibleName()]
    assert place
    assert place[0].partition(" of ")[0].isdigit(), "a screen reader is still told its place"
    search.search.more()
    answered(own_window, qtbot)
    passages = [card.hit.passage.id for card in search.pane.list.cards]
    assert len(passages) == len(set(passages))


def shown_in(widget: QWidget) -> list[str]:
    """What its labels and buttons say."""
    return [each.text() for kind in (QLabel, QAbstractButton) for each in widget.findChildren(kind)]


def told_by(rows: QStandardItemModel) -> list[str]:
    """What a screen reader is told of the rows of a tree, and of those below them."""
    items = [rows.item(row) for row in range(rows.rowCount())]
    items += [item.child(row) for item in items for row in range(item.rowCount())]
    return [item.data(Qt.ItemDataRole.AccessibleTextRole) for item in items]


def test_the_briefs_are_asked_for_again_where_the_engine_died_of_it(
    own_window: MainWindow, own_engine: EngineClient, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: bool(own_window.search_space.generation), timeout=WAIT_MS)
    children = [child for child in living_children() if str(own_engine.bank_root) in child.cmdline()]
    (engine,) = [child for child in children if "engine" in child.cmdline()]
    engine.suspend()
    QTest.keyClick(own_window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    space = own_window.findChild(BriefsSpace)
    assert isinstance(space, BriefsSpace)
    engine.kill()
    qtbot.waitUntil(lambda: space.model.total == len(NEWEST_FIRST), timeout=WAIT_MS)


def test_words_of_a_brief_are_copied_with_what_was_corrected_of_it(own_window: MainWindow, qtbot: QtBot) -> None:
    space = briefs_of(own_window, qtbot)
    space.table.setFocus()
    space.table.setCurrentIndex(space.model.index(2, TITLE))
    view = space.page.view
    qtbot.waitUntil(lambda: view.loader.texts.get(1) is not None, timeout=WAIT_MS)
    correct(space, 2, TITLE, "State v. Alder Quince, Reply Brief", qtbot)
    qtbot.waitUntil(lambda: space.page.title.toolTip() == tip("State v. Alder Quince, Reply Brief"), timeout=WAIT_MS)
    view.select_page()
    space.page.copy_with_source()
    assert "State v. Alder Quince, Reply Brief" in QGuiApplication.clipboard().text()


def test_a_date_is_taken_as_the_table_and_as_people_write_it_and_no_other_way(
    own_window: MainWindow, qtbot: QtBot
) -> None:
    space = briefs_of(own_window, qtbot)
    correct(space, 0, FILED, "next May", qtbot)
    qtbot.waitUntil(lambda: "Write it as 2021-11-30." in own_window.bottom._state.text(), timeout=WAIT_MS)
    assert space.model.index(0, FILED).data() == "30 May 2022"
    for day, typed in enumerate(("9 May 2023", "May 10, 2023", "5/11/2023", "2023-05-12"), start=9):
        correct(space, 0, FILED, typed, qtbot)
        qtbot.waitUntil(lambda day=day: space.model.index(0, FILED).data() == f"{day} May 2023", timeout=WAIT_MS)


def test_what_is_no_metadata_cannot_be_corrected(space: BriefsSpace) -> None:
    for number in (PAGES, STATE):
        assert not space.model.flags(space.model.index(0, number)) & Qt.ItemFlag.ItemIsEditable


def test_the_corrections_are_saved_as_a_table_for_it(
    own_window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = briefs_of(own_window, qtbot)
    correct(space, 0, OUTCOME, "affirmed", qtbot)
    qtbot.waitUntil(space.hand_on.isVisible, timeout=WAIT_MS)
    out = tmp_path / "briefbank.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    space.hand_on.click()
    qtbot.waitUntil(out.exists, timeout=WAIT_MS)
    (row,) = csv.DictReader(out.read_text("utf-8-sig").splitlines())
    assert row["file"].endswith("hale.docx")
    assert {name: value for name, value in row.items() if value and name != "file"} == {"outcome": "affirmed"}
