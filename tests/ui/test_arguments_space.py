"""What the office has argued, browsed and searched by keyboard in the real window, beside the page of each argument."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import office
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from windows import WAIT_MS, go_to_space, opened, press_focused, started

from briefbank.values.reading import Argument, ArgumentGroup, ArgumentOrder
from briefbank.values.records import Document, Fact, Metadata
from ui.arguments.space import ArgumentsSpace, findings_of
from ui.engine import EngineClient
from ui.findings.tree import FindingsTree, wrapped
from ui.headings import sentence_case
from ui.theme import font
from ui.window import MainWindow

STOP = "THE TROOPERS PROLONGED THE ROADSIDE STOP WITHOUT REASONABLE SUSPICION"
STOP_2018 = "THE ROADSIDE STOP WAS PROLONGED WITHOUT REASONABLE SUSPICION."
HEARSAY = "THE CALLER'S STATEMENT WAS INADMISSIBLE HEARSAY"
SENTENCE = "A REMAND FOR RESENTENCING IS REQUIRED BECAUSE YOUTH WAS NOT WEIGHED"
BRIEFS = {
    "quince": ("Alder Quince", "A-1482-17T4", "May 4, 2018", (STOP_2018, office.STOP)),
    "lorne": ("Petra Lorne", "A-0311-04T2", "March 3, 2005", (STOP, office.STOP), (SENTENCE, office.SENTENCE)),
    "renfrew": ("Ada Renfrew", "A-1403-22", "May 6, 2024", (HEARSAY, office.HEARSAY)),
}


@pytest.fixture(scope="module")
def argued(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineClient]:
    """An engine over three briefs, two of which argue that a stop was prolonged; shared, so never indexed with."""
    texts = {
        name: office.brief(defendant, docket, filed, *points)
        for name, (defendant, docket, filed, *points) in BRIEFS.items()
    }
    with started(office.index_pdfs(tmp_path_factory.mktemp("argued"), texts)) as engine:
        yield engine


@pytest.fixture
def window(argued: EngineClient, tmp_path: Path) -> Iterator[MainWindow]:
    with opened(argued, tmp_path / "feedback.sqlite") as shown:
        yield shown


@pytest.fixture
def space(window: MainWindow, qtbot: QtBot) -> ArgumentsSpace:
    """The space, opened with its key."""
    space = go_to_space(window, qtbot, Qt.Key.Key_3, ArgumentsSpace)
    qtbot.waitUntil(lambda: bool(headings(space)), timeout=WAIT_MS)
    return space


def headings(space: ArgumentsSpace) -> list[str]:
    model = space.tree.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def below(space: ArgumentsSpace, row: int) -> list[str]:
    model = space.tree.model()
    group = model.index(row, 0)
    told = Qt.ItemDataRole.AccessibleTextRole
    return [str(model.index(child, 0, group).data(told)) for child in range(model.rowCount(group))]


def type_text(space: ArgumentsSpace, text: str, qtbot: QtBot) -> None:
    QTest.keyClicks(space.field, text)
    answered(space, qtbot)


def answered(space: ArgumentsSpace, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not space.is_waiting, timeout=WAIT_MS)


def order(space: ArgumentsSpace) -> list[str]:
    return [button.text() for button in space.orders.buttons.values() if button.isChecked()]


def test_a_key_lists_what_was_argued_newest_first_and_how_often(space: ArgumentsSpace) -> None:
    assert space.window().focusWidget() is space.field
    assert headings(space) == [sentence_case(HEARSAY), sentence_case(STOP_2018), sentence_case(SENTENCE)]
    assert space.status.text() == "3 arguments"
    assert order(space) == ["✓ Newest first"]
    told = space.tree.model().index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert told == f"{sentence_case(STOP_2018)} argued in 2 briefs, last 4 May 2018"


def test_an_argument_unfolds_to_the_briefs_that_make_it_and_one_is_read_where_it_stands(
    space: ArgumentsSpace, qtbot: QtBot
) -> None:
    quince, lorne = below(space, 1)
    assert sentence_case(STOP_2018) in quince
    assert quince.endswith("State v. Alder Quince, Brief on Behalf of Defendant-Appellant · 4 May 2018 · sheet 1")
    assert "Petra Lorne" in lorne
    press_focused(space, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down)
    press_focused(space, Qt.Key.Key_Return)
    page = space.page
    qtbot.waitUntil(lambda: "Petra Lorne" in page.title.text() and bool(page.view.outline), timeout=WAIT_MS)
    assert space.window().focusWidget() is page.view


def test_a_group_selected_shows_its_newest_argument(space: ArgumentsSpace, qtbot: QtBot) -> None:
    press_focused(space, Qt.Key.Key_Down, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: "Alder Quince" in space.page.title.text(), timeout=WAIT_MS)
    assert space.window().focusWidget() is space.tree


def test_typing_searches_best_match_first_and_taking_it_away_browses_again(space: ArgumentsSpace, qtbot: QtBot) -> None:
    space.orders.buttons[ArgumentOrder.FREQUENT].click()
    answered(space, qtbot)
    assert headings(space)[0] == sentence_case(STOP_2018)
    type_text(space, "hearsay of a caller", qtbot)
    assert headings(space)[0] == sentence_case(HEARSAY)
    assert order(space) == ["✓ Best match"]
    press_focused(space, Qt.Key.Key_Escape)
    answered(space, qtbot)
    assert headings(space) == [sentence_case(HEARSAY), sentence_case(STOP_2018), sentence_case(SENTENCE)]
    assert order(space) == ["✓ Newest first"]
    assert space.orders.buttons[ArgumentOrder.BEST].isHidden()


def test_arguments_are_browsed_by_the_alphabet(space: ArgumentsSpace, qtbot: QtBot) -> None:
    space.orders.buttons[ArgumentOrder.ALPHABETICAL].click()
    answered(space, qtbot)
    assert headings(space) == [sentence_case(HEARSAY), sentence_case(SENTENCE), sentence_case(STOP_2018)]


def test_what_cannot_be_asked_is_said(space: ArgumentsSpace, qtbot: QtBot) -> None:
    type_text(space, "?!", qtbot)
    assert headings(space) == []
    assert "There is nothing to search for." in space.status.text()


def test_what_nobody_argued_is_told_as_none_beside_no_page(space: ArgumentsSpace, qtbot: QtBot) -> None:
    press_focused(space, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: bool(space.page.title.text()), timeout=WAIT_MS)
    space.field.setFocus()
    type_text(space, "zymurgy quokka", qtbot)
    assert headings(space) == []
    assert space.status.text() == "0 arguments"
    assert space.empty.text() == "No argument was found for these words."
    assert space.page.title.text() == ""
    space.field.clear()
    answered(space, qtbot)
    assert space.empty.isHidden()


# --- the tree alone -------------------------------------------------------------------------------------------------


def group(heading: str, *titles: str) -> ArgumentGroup:
    made = []
    for title in titles:
        metadata = Metadata(Fact(title, "title page"), Fact("brief", "guess"))
        document = Document(title, f"{title}.pdf", "0" * 64, metadata, 4, 0, None, 1)
        made.append(Argument(("ARGUMENT", heading), document, f"{title}-0001", 3))
    return ArgumentGroup(heading, None, len(titles), len(titles), tuple(made))


def test_headings_of_one_brief_that_argue_the_same_name_it_and_not_that_it_is_one(qtbot: QtBot) -> None:
    tree = FindingsTree("Arguments")
    qtbot.addWidget(tree)
    twice = group("ONE", "State v. Renfrew", "State v. Renfrew")
    tree.show_findings(findings_of([replace(twice, brief_count=1)]))
    told = tree.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert told == "One. State v. Renfrew · undated · 2 headings"


def test_more_groups_leave_those_shown_as_they_are(qtbot: QtBot) -> None:
    tree = FindingsTree("Arguments")
    qtbot.addWidget(tree)
    first, second = group("ONE", "a", "b"), group("TWO", "c")
    tree.show_findings(findings_of([first]))
    tree.expand(tree.model().index(0, 0))
    tree.setCurrentIndex(tree.model().index(0, 0))
    tree.show_findings(findings_of([first, second]))
    assert tree.model().rowCount() == 2
    assert tree.isExpanded(tree.model().index(0, 0))
    assert tree.currentIndex().data() == "One"
    tree.show_findings(findings_of([second]))
    assert tree.model().rowCount() == 1


def test_markup_in_a_heading_is_shown_as_it_was_written(qtbot: QtBot) -> None:
    tree = FindingsTree("Arguments")
    qtbot.addWidget(tree)
    tree.show_findings(findings_of([group('<img src="file:///etc/hostname"> A HEADING', "<b>bold</b>")]))
    cell = tree.model().index(0, 0)
    assert cell.data() == '<img src="file:///etc/hostname"> A HEADING'
    assert "<img" not in cell.data(Qt.ItemDataRole.ToolTipRole)


def test_a_long_heading_is_wrapped_and_cut_behind_three_lines(qapp: QApplication) -> None:
    words = "the trial court erred in denying the motion " * 12
    lines = wrapped(words, font(), 300, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert wrapped("short", font(), 300, 3) == ["short"]
