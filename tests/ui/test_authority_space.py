"""An authority looked up by keyboard in the real window: its card, and each line of it on its page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import office
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from windows import WAIT_MS, ask, go_to, go_to_space, opened, press_focused, started

from briefbank.values.records import PageBox
from ui.authorities.space import AuthoritySpace
from ui.engine import EngineClient
from ui.findings.finding import Finding
from ui.window import MainWindow

ODE = "State v. Ode, 101 N.J. 5"
CHECKLIST = "Go through this brief with a checklist"
HOLDING = "holding that the State must prove that the driver knew she could refuse"
OLD = f"Consent must be knowing. {ODE}, 9 (1986) ({HOLDING}). The rule is settled. Id. at 11. It is void. Id. at 12."
NEW = (
    f"The State relies on {ODE} (1986), overruled by State v. Penn, 150 N.J. 3 (1997). That reliance is misplaced, for "
    "Penn controls wherever consent was asked for after a stop that was over."
)


@pytest.fixture(scope="module")
def cited(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineClient]:
    """An engine over two briefs that cite one case, of which the office warns; shared, so never indexed with."""
    texts = {
        name: office.brief(name, f"A-000{len(name)}-90T1", filed, ("THE CONSENT WAS VOID.", text))
        for name, filed, text in (("Ann Ode", "May 4, 1990", OLD), ("Bo Reed", "May 4, 2021", NEW))
    }
    alerts = {"101 N.J. 5": "never cite it alone"}
    with started(office.index_pdfs(tmp_path_factory.mktemp("cited"), texts, alerts=alerts)) as engine:
        yield engine


@pytest.fixture
def window(cited: EngineClient, tmp_path: Path) -> Iterator[MainWindow]:
    with opened(cited, tmp_path / "feedback.sqlite") as shown:
        yield shown


@pytest.fixture
def space(window: MainWindow, qtbot: QtBot) -> AuthoritySpace:
    """The space, opened with its key."""
    return go_to_space(window, qtbot, Qt.Key.Key_6, AuthoritySpace)


def look_up(space: AuthoritySpace, text: str, qtbot: QtBot) -> None:
    space.field.clear()
    QTest.keyClicks(space.field, text)
    QTest.keyClick(space.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not space.is_waiting, timeout=WAIT_MS)


def lines(space: AuthoritySpace) -> dict[str, tuple[Finding, ...]]:
    return {each.text: each.children for each in space.tree.findings()}


def test_a_card_is_read_by_keyboard_alone_and_each_line_leads_to_its_page(space: AuthoritySpace, qtbot: QtBot) -> None:
    assert space.window().focusWidget() is space.field
    look_up(space, "State v. Ode", qtbot)
    assert space.title.text() == ODE
    assert space.summary.text() == (
        "Cited 4 times in 2 briefs, 2 of these times in full; newest 4 May 2021, oldest 4 May 1990."
    )
    assert space.status.text().startswith("Nothing here is newer than 4 May 2021.")
    shown = lines(space)
    assert list(shown) == [
        "Your office warns (1)",
        "How briefs report its treatment (1)",
        "What briefs say it holds (1)",
        "Briefs that cite it (2)",
    ]
    assert [each.text for each in shown["Your office warns (1)"]] == [
        "⚠ 101 N.J. 5: never cite it alone (office's list)"
    ]
    (treated,) = shown["How briefs report its treatment (1)"]
    assert treated.text == "⚠ overruled by State v. Penn, 150 N.J. 3 (1997)"
    assert treated.below.startswith("overruled · State v. Bo Reed")
    assert [each.below[:10] for each in shown["Briefs that cite it (2)"]] == ["4 May 2021", "4 May 1990"]
    assert space.window().focusWidget() is space.tree
    assert space.tree.current == shown["Your office warns (1)"][0], "the first line, not the heading above it"
    go_to(space, HOLDING)
    press_focused(space, Qt.Key.Key_Return)
    page = space.page
    qtbot.waitUntil(lambda: "Ann Ode" in page.title.text() and bool(page._hits), timeout=WAIT_MS)
    assert space.window().focusWidget() is page.view


def test_what_is_copied_from_a_card_carries_its_source_and_the_warnings(space: AuthoritySpace, qtbot: QtBot) -> None:
    look_up(space, "101 N.J. 5", qtbot)
    go_to(space, HOLDING)
    QTest.keyClick(space.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(f"{HOLDING}\n\n— State v. Ann Ode")
    assert "[Cites 101 N.J. 5: never cite it alone (office's list)]\n" in copied
    assert "[A brief says of it: overruled by State v. Penn, 150 N.J. 3 (1997) (4 May 2021)]\n" in copied
    assert "[Nothing here is newer than 4 May 2021." in copied
    space.copy_card.click()
    whole = QGuiApplication.clipboard().text()
    assert whole.startswith(f"{ODE}\nCited 4 times")
    assert HOLDING in whole


def test_words_of_one_name_alone_lead_to_its_card_at_once(space: AuthoritySpace, qtbot: QtBot) -> None:
    look_up(space, "Penn 150", qtbot)
    qtbot.waitUntil(lambda: space.title.text().startswith("State v. Penn"), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not space.is_waiting, timeout=WAIT_MS)
    assert space.field.text().startswith("State v. Penn, 150 N.J. 3")


def test_what_names_no_authority_is_told_beside_no_page(space: AuthoritySpace, qtbot: QtBot) -> None:
    look_up(space, "101 N.J. 5", qtbot)
    go_to(space, HOLDING)
    qtbot.waitUntil(lambda: bool(space.page.title.text()), timeout=WAIT_MS)
    look_up(space, "zymurgy", qtbot)
    assert lines(space) == {}
    assert "names no authority that is known here" in space.empty.text()
    assert space.page.title.text() == ""


def test_a_line_is_opened_beside_with_its_words_marked(space: AuthoritySpace, qtbot: QtBot) -> None:
    window = space.window()
    assert isinstance(window, MainWindow)
    look_up(space, "State v. Ode", qtbot)
    space.tree.setFocus()
    go_to(space, HOLDING)
    focused = window.focusWidget()
    assert focused
    QTest.keyClick(focused, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: window.beside.side is not None and bool(window.beside.side.view.pages), timeout=WAIT_MS)
    side = window.beside.side
    assert side
    assert "Ann Ode" in side.title.text()
    qtbot.waitUntil(lambda: side.bar.hits.text().startswith("hit 1"), timeout=WAIT_MS)
    assert window.focusWidget() is space.tree


def test_a_search_that_asks_of_one_authority_leads_to_its_card(
    window: MainWindow, space: AuthoritySpace, qtbot: QtBot
) -> None:
    window.open_space("search")
    ask(window, qtbot, "is State v. Ode still good law")
    link = window.search_space.pane.list.notes.card
    assert link.text() == "What briefs report of State v. Ode: its card"
    QTest.keyClick(window, Qt.Key.Key_F7)
    qtbot.waitUntil(lambda: space.title.text() == ODE and not space.is_waiting, timeout=WAIT_MS)
    assert window.focusWidget() is space.tree
    window.open_space("search")
    ask(window, qtbot, "consent after a stop that was over")
    assert link.isHidden()


def menu_of(qtbot: QtBot) -> QMenu:
    """The menu that comes."""
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu), timeout=WAIT_MS)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def test_a_key_lists_what_the_page_cites_and_leads_to_a_card(
    window: MainWindow, space: AuthoritySpace, qtbot: QtBot
) -> None:
    look_up(space, "State v. Penn", qtbot)
    go_to(space, "State v. Bo Reed")
    press_focused(space, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(space.page.view.pages), timeout=WAIT_MS)
    QTest.keyClick(space.page.view, Qt.Key.Key_F4)
    menu = menu_of(qtbot)
    assert [each.text() for each in menu.actions()] == [
        "Authorities cited on this page",
        ODE,
        "State v. Penn, 150 N.J. 3",
    ]
    QTest.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: space.title.text() == ODE, timeout=WAIT_MS)
    assert space.field.text() == ODE


def test_a_citation_clicked_with_the_right_button_leads_to_its_card_and_id_to_the_case_before_it(
    window: MainWindow, space: AuthoritySpace, cited: EngineClient, qtbot: QtBot
) -> None:
    look_up(space, "101 N.J. 5", qtbot)
    go_to(space, HOLDING)
    press_focused(space, Qt.Key.Key_Return)
    view = space.page.view
    qtbot.waitUntil(lambda: bool(view.outline) and "Ann Ode" in space.page.title.text(), timeout=WAIT_MS)
    assert view.pages
    (ode,) = cited.bank.cited_on(view.pages.document.id, view.page).result(60)
    view.go_to_boxes([PageBox(view.page, ode.boxes[-1])], is_gliding=False)
    at = view.box_on_view(PageBox(view.page, ode.boxes[-1])).center().toPoint()
    assert ode.boxes[-1] != ode.boxes[0]
    space.title.setText("")
    viewport = view.viewport()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, viewport.mapToGlobal(at))
    QApplication.sendEvent(viewport, event)
    menu = menu_of(qtbot)
    said = [each.text() for each in menu.actions() if not each.isSeparator()]
    assert said == [
        f"Card of {ODE}",
        "Authorities cited on this page",
        ODE,
        "Copy with its source",
        "Add to matter",
        CHECKLIST,
    ]
    menu.actions()[0].trigger()
    menu.close()
    qtbot.waitUntil(lambda: space.title.text() == ODE, timeout=WAIT_MS)


def test_authorities_are_listed_most_cited_first_and_narrowed_by_typing(space: AuthoritySpace, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not space.is_waiting and bool(lines(space)), timeout=WAIT_MS)
    assert list(lines(space)) == [ODE, "State v. Penn, 150 N.J. 3"]
    assert space.summary.text() == "2 authorities, the most cited first"
    QTest.keyClicks(space.field, "pen")
    qtbot.waitUntil(lambda: list(lines(space)) == ["State v. Penn, 150 N.J. 3"], timeout=WAIT_MS)
    press_focused(space, Qt.Key.Key_Down, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: space.title.text() == "State v. Penn, 150 N.J. 3", timeout=WAIT_MS)
    assert space.field.text() == "State v. Penn, 150 N.J. 3"
    space.field.setFocus()
    press_focused(space, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: list(lines(space)) == [ODE, "State v. Penn, 150 N.J. 3"], timeout=WAIT_MS)
    assert space.title.isHidden()
    assert space.copy_card.isHidden()


def test_the_list_counts_passages_however_often_each_cites_the_authority(space: AuthoritySpace, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not space.is_waiting and bool(lines(space)), timeout=WAIT_MS)
    assert [each.below for each in space.tree.findings()] == ["cited in 2 passages", "cited in 1 passage"]


def test_words_that_name_no_authority_just_so_lead_to_those_that_have_them(space: AuthoritySpace, qtbot: QtBot) -> None:
    look_up(space, "stat", qtbot)
    qtbot.waitUntil(lambda: not space.is_waiting, timeout=WAIT_MS)
    assert next(iter(lines(space))) == ODE
    assert len(lines(space)) == 2
    assert space.summary.text() == "No authority is named just so. Choose one:"
    assert space.window().focusWidget() is space.tree
    press_focused(space, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: space.title.text() == ODE, timeout=WAIT_MS)


def test_a_page_that_was_asked_for_from_one_card_never_stands_beside_another(
    space: AuthoritySpace, qtbot: QtBot
) -> None:
    look_up(space, "101 N.J. 5", qtbot)
    space.tree.setFocus()
    go_to(space, HOLDING)
    space.load()
    qtbot.waitUntil(lambda: not space.is_waiting, timeout=WAIT_MS)
    qtbot.wait(1000)
    assert space.page.title.text() == ""


def test_what_was_pointed_at_comes_first_in_the_menu_though_the_page_was_scrolled_since(
    space: AuthoritySpace, cited: EngineClient, qtbot: QtBot
) -> None:
    look_up(space, "101 N.J. 5", qtbot)
    go_to(space, HOLDING)
    press_focused(space, Qt.Key.Key_Return)
    view = space.page.view
    qtbot.waitUntil(lambda: bool(view.outline) and "Ann Ode" in space.page.title.text(), timeout=WAIT_MS)
    assert view.pages
    (ode,) = cited.bank.cited_on(view.pages.document.id, view.page).result(60)
    view.go_to_boxes([PageBox(view.page, ode.boxes[0])], is_gliding=False)
    at = view.box_on_view(PageBox(view.page, ode.boxes[0])).center().toPoint()
    viewport = view.viewport()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, viewport.mapToGlobal(at))
    QApplication.sendEvent(viewport, event)
    bar = view.verticalScrollBar()
    bar.setValue(bar.minimum() if bar.value() > bar.maximum() // 2 else bar.maximum())
    assert not view.box_on_view(PageBox(view.page, ode.boxes[0])).contains(at)
    menu = menu_of(qtbot)
    first = menu.actions()[0].text()
    menu.close()
    assert first == f"Card of {ODE}"
