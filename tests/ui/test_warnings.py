"""What is known against a passage, wherever its words go out of the window."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import office
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from windows import WAIT_MS, ask, opened, press, started

from briefbank.bank.local import Bank
from briefbank.values.records import BY_IT, DocumentKind, Fact, Metadata
from ui.dialogs.directives import DirectivesDialog, papers_told
from ui.engine import EngineClient
from ui.reading.panel import PagePanel
from ui.search.card import NeighbourView, ResultCard
from ui.search.card_parts import SourceLabel
from ui.theme import LIGHT
from ui.window import MainWindow

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
LISTED = """authority,says,date,source
"State v. Carty, 170 N.J. 632 (2002)",overruled by State v. Next,2024-03-03,
"State v. King, 44 N.J. 346 (1965)",limited to its facts,,
"""
CARTY = "[Cites State v. Carty, 170 N.J. 632 (2002): overruled by State v. Next (office's list, 3 Mar 2024)]"
KING = "[Cites State v. King, 44 N.J. 346 (1965): limited to its facts (office's list)]"


@pytest.fixture(scope="module")
def warning_engine(
    qapp: QApplication, library_bank: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[EngineClient]:
    """An engine over a bank whose office warns of two cases; shared, so never indexed with."""
    folder = tmp_path_factory.mktemp("warned")
    (folder / "listed.csv").write_text(LISTED, encoding="utf-8")
    bank = Path(shutil.copytree(library_bank, folder / "bank"))
    Bank.open(bank).set_alerts(folder / "listed.csv")
    with started(bank) as engine:
        yield engine


@pytest.fixture
def window(warning_engine: EngineClient, log: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    """The window after a search for one of the cases."""
    with opened(warning_engine, log) as shown:
        ask(shown, qtbot, "State v. Carty")
        yield shown


def copied() -> list[str]:
    return QGuiApplication.clipboard().text().splitlines()


def of_quince(window: MainWindow) -> ResultCard:
    """The result in the brief that has pages of its own, selected."""
    cards = window.search_space.pane.list.cards
    at = next(at for at, each in enumerate(cards) if each.hit.document.source_path.endswith(".pdf"))
    press(window, Qt.Key.Key_Home, *[Qt.Key.Key_Down] * at)
    return cards[at]


def on_its_page(window: MainWindow, qtbot: QtBot) -> PagePanel:
    """The page of that result, with its words and all that is marked on it."""
    card, page = of_quince(window), window.search_space.page
    press(window, Qt.Key.Key_Return)
    view = page.view
    qtbot.waitUntil(lambda: bool(view.pages and view.pages.document.id == card.hit.document.id), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: view.page in view.loader.texts, timeout=WAIT_MS)
    return page


def test_a_copied_passage_ends_with_what_the_office_warns_of(window: MainWindow) -> None:
    card = of_quince(window)
    press(window, Qt.Key.Key_C)
    assert copied()[-1] == CARTY
    card._text.setSelection(0, 12)
    QTest.keyClick(card._text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert len(copied()) == 4
    assert copied()[-1] == CARTY


def test_a_passage_beside_the_result_is_copied_with_its_own_warning(window: MainWindow, qtbot: QtBot) -> None:
    card = of_quince(window)
    press(window, Qt.Key.Key_X)
    qtbot.waitUntil(lambda: bool(card.findChildren(NeighbourView)), timeout=WAIT_MS)
    warned = {}
    for each in card.findChildren(NeighbourView):
        label = each.findChild(SourceLabel)
        assert label
        label.copy_requested.emit("")
        warned["State v. King" in label.text()] = copied()[-1]
    assert warned[True] == KING
    assert not warned.get(False, "").startswith("[")


def test_the_page_copies_the_passage_with_its_warning(window: MainWindow, qtbot: QtBot) -> None:
    page = on_its_page(window, qtbot)
    QTest.keyClick(page.view, Qt.Key.Key_C, CTRL_SHIFT)
    assert copied()[-1] == CARTY


def test_own_words_are_copied_with_the_warning(window: MainWindow, qtbot: QtBot) -> None:
    card = of_quince(window)
    press(window, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: bool(card.summary.findChildren(QPushButton)), timeout=WAIT_MS)
    card.summary.findChildren(QPushButton)[0].click()
    assert copied()[-1] == CARTY


def marked(window: MainWindow, qtbot: QtBot) -> PagePanel:
    """The page, when it is drawn with its warnings and stands still."""
    page = on_its_page(window, qtbot)
    qtbot.waitUntil(lambda: bool(page.alerts.marks), timeout=WAIT_MS)
    qtbot.wait(300)
    return page


def test_a_citation_is_marked_on_its_page_also_outside_of_the_passage(window: MainWindow, qtbot: QtBot) -> None:
    page = marked(window, qtbot)
    marks = page.alerts.marks or ()
    assert [each.warning.split(",")[0] for each in marks] == ["cites State v. Carty", "cites State v. King"]
    for mark in marks:
        page.view.go_to_boxes(mark.boxes, is_gliding=False)
        rect = page.view.box_on_view(mark.boxes[0])
        qtbot.waitUntil(lambda: page.view.page in page.view.loader.texts, timeout=WAIT_MS)
        picture = page.view.viewport().grab().toImage()
        ratio = picture.devicePixelRatio()
        below = picture.pixelColor(round(rect.center().x() * ratio), round((rect.bottom() + 1) * ratio))
        assert below.name() == LIGHT.warning
        QTest.mouseMove(page.view.viewport(), rect.center().toPoint())
        qtbot.waitUntil(lambda: bool(page.view.viewport().toolTip()), timeout=WAIT_MS)
        assert mark.warning[1:].split("(")[0] in page.view.viewport().toolTip()
        QTest.mouseMove(page.view.viewport(), rect.topLeft().toPoint() - QPoint(0, 60))
        qtbot.waitUntil(lambda: not page.view.viewport().toolTip(), timeout=WAIT_MS)


def test_the_warnings_of_the_page_in_view_are_told_in_a_line_and_aloud(window: MainWindow, qtbot: QtBot) -> None:
    page = marked(window, qtbot)
    assert page.alert_line.isVisible()
    assert page.alert_line.text().startswith("⚠ ")
    assert CARTY[1:-1] in page.alert_line.text()
    assert CARTY[1:-1] in page.view.accessibleDescription()


def test_selected_words_are_copied_with_the_warnings_of_the_passages_they_stand_in(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = marked(window, qtbot)
    king = (page.alerts.marks or ())[1]
    page.view.go_to_boxes(king.boxes, is_gliding=False)
    qtbot.waitUntil(lambda: page.view.page in page.view.loader.texts, timeout=WAIT_MS)
    QTest.mouseDClick(
        page.view.viewport(), Qt.MouseButton.LeftButton, pos=page.view.box_on_view(king.boxes[0]).center().toPoint()
    )
    assert page.view.selection.text()
    QTest.keyClick(page.view, Qt.Key.Key_C, CTRL_SHIFT)
    assert copied()[-1] == KING
    page.add_requested.disconnect()  # the window would ask for a matter
    with qtbot.waitSignal(page.add_requested) as added:
        QTest.keyClick(page.view, Qt.Key.Key_A)
    assert added.args[0].cautions == (KING[1:-1],)
    QTest.keyClick(page.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(page.view, Qt.Key.Key_C, CTRL_SHIFT)
    assert copied()[-1] == KING


@pytest.mark.parametrize(
    ("own", "others", "told"),
    [
        (0, 0, "Which papers are"),
        (0, 1, "1 paper calls itself a directive; it is not set"),
        (0, 3, "3 papers call themselves directives; none is set as your office’s."),
        (2, 1, "1 more paper calls itself a directive; it is not set"),
        (2, 0, ""),
    ],
)
def test_papers_that_only_call_themselves_directives_are_counted(own: int, others: int, told: str) -> None:
    def paper(kind: DocumentKind, found_in: str = "head") -> Metadata:
        return Metadata(Fact("A paper", "head"), Fact(kind, found_in))

    papers = [paper(DocumentKind.BRIEF), *[paper(DocumentKind.DIRECTIVE)] * others]
    said = papers_told([*papers, *[paper(DocumentKind.DIRECTIVE, BY_IT)] * own])
    assert said.startswith(told)
    assert bool(said) is bool(told)


def test_that_no_directive_is_the_offices_is_not_said_as_though_none_were_there(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.menu.show_directives()
    (dialog,) = window.findChildren(DirectivesDialog)
    qtbot.waitUntil(lambda: "1 paper calls itself a directive" in dialog.about.text(), timeout=WAIT_MS)


def test_what_directives_say_is_decided_on_by_a_key_each(
    start_engine: Callable[[Path], EngineClient], own_bank: Path, library: Path, tmp_path: Path, log: Path, qtbot: QtBot
) -> None:
    briefs = Path(shutil.copytree(library, tmp_path / "briefs"))
    office.write_text(briefs / "briefbank.csv", "file,kind\ndirective-9.txt,directive\n")
    limited = "State v. King, 44 N.J. 346 (1965), was limited to its facts. Ask the unit."
    office.write_text(briefs / "directive-9.txt", office.directive("2024-9", "Consent", "May 6, 2024", limited))
    Bank.open(own_bank).index(briefs)

    def shown() -> str:
        item = dialog.table.item(0, 0)
        return item.text() if item else ""

    with opened(start_engine(own_bank), log) as window:
        window.menu.show_directives()
        (dialog,) = window.findChildren(DirectivesDialog)
        qtbot.waitUntil(lambda: shown() == "Yes: warns", timeout=WAIT_MS)
        qtbot.waitUntil(dialog.table.hasFocus, timeout=WAIT_MS)
        for pressed, stands in (
            (Qt.Key.Key_Y, "Yes: accepted"),
            (Qt.Key.Key_S, "No: silenced"),
            (Qt.Key.Key_U, "Yes: warns"),
            (Qt.Key.Key_S, "No: silenced"),
        ):
            QTest.keyClick(dialog.table, pressed)
            qtbot.waitUntil(lambda stands=stands: shown() == stands, timeout=WAIT_MS)
        assert not dialog.findChildren(QPushButton)[1].isEnabled()
        QTest.keyClick(dialog.table, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: window.rail.current == "authorities", timeout=WAIT_MS)
    assert [each.is_silent for each in Bank.open(own_bank).listed_alerts()] == [True]
