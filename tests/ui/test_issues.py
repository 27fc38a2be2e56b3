"""Issues in the real window: those of the office are run, and one is made of what was marked relevant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import office
import pytest
from matters import name_asked
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QMenu, QToolButton
from pytestqt.qtbot import QtBot
from windows import CONSENT, WAIT_MS, answered, ask, opened, press, titles

from ui.engine import EngineClient
from ui.window import MainWindow

ISSUE = f'''
name = "Roadside consent"
question = "{CONSENT}"
keywords = '["unequivocal and specific"^5]'

[filters]
kinds = ["brief"]

[[sample]]
text = """{office.CONSENT}"""
'''


@pytest.fixture
def issue(own_bank: Path) -> Path:
    """An issue of the office, in a bank of this test's own."""
    return office.write_text(own_bank / "profiles" / "roadside-consent.toml", ISSUE)


@pytest.fixture
def window(issue: Path, own_engine: EngineClient, tmp_path: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    with opened(own_engine, tmp_path / "feedback.sqlite") as shown:
        qtbot.waitUntil(lambda: bool(shown.search_space.issues.offered.profiles), timeout=WAIT_MS)
        yield shown


def menu_texts(menu: QMenu) -> list[str]:
    return [each.text() for each in menu.actions()]


def choose(window: MainWindow, text: str, *, within: str = "") -> None:
    """Choose an entry of the menu beside the field, or of a menu within it."""
    menu = window.search_space.bar.saved.menu()
    if within:
        menu = next(each.menu() for each in menu.actions() if each.text() == within)
    next(each for each in menu.actions() if each.text() == text).trigger()


def make_issue(window: MainWindow, qtbot: QtBot, name: str) -> None:
    choose(window, "Make an issue of what is marked relevant …")
    qtbot.waitUntil(lambda: bool(window.findChildren(QInputDialog)), timeout=WAIT_MS)
    name_asked(window).setTextValue(name)
    name_asked(window).accept()


def marked_relevant(window: MainWindow, qtbot: QtBot) -> str:
    """Mark the first result of a question relevant; its passage."""
    ask(window, qtbot, CONSENT)
    press(window, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: "Marked relevant" in window.bottom.state, timeout=WAIT_MS)
    return window.search_space.pane.list.cards[0].hit.passage.text


def test_the_start_page_runs_an_issue_with_its_own_filters_and_its_chip_leads_back_to_the_words(
    window: MainWindow, qtbot: QtBot
) -> None:
    space = window.search_space
    told = "Roadside consent (Brief)"
    buttons = [each for each in space.pane.findChildren(QToolButton) if each.accessibleName() == told]
    assert len(buttons) == 1
    buttons[0].click()
    answered(window, qtbot)
    assert space.bar.field.text() == CONSENT
    assert [each.text for each in space.chip_bar.chips] == [f"Issue: {told}"]
    kinds = {card.hit.document.metadata.kind.value for card in space.pane.list.cards}
    assert kinds == {"brief"}
    assert any("telling words" in card.hit.why for card in space.pane.list.cards)
    space.chip_bar.chips[0].remove()
    answered(window, qtbot)
    assert space.chip_bar.chips == ()
    assert "directive" in {card.hit.document.metadata.kind.value for card in space.pane.list.cards}


def test_typing_the_same_question_searches_for_its_words(window: MainWindow, qtbot: QtBot) -> None:
    choose(window, "Roadside consent (Brief)", within="Run an issue")
    answered(window, qtbot)
    by_issue = titles(window)
    ask(window, qtbot, CONSENT)
    assert window.search_space.chip_bar.chips == ()
    assert titles(window) != by_issue


def test_what_is_marked_relevant_to_a_question_becomes_an_issue_of_the_users_own(
    window: MainWindow, own_bank: Path, user_folders: Path, qtbot: QtBot
) -> None:
    words = marked_relevant(window, qtbot)
    before = sorted((own_bank / "profiles").iterdir())
    make_issue(window, qtbot, "Tainted consent")
    qtbot.waitUntil(lambda: len(window.search_space.issues.offered.profiles) == 2, timeout=WAIT_MS)
    assert sorted((own_bank / "profiles").iterdir()) == before, "what one user made goes into no pack of the office"
    (kept,) = (user_folders / "data").rglob("tainted-consent.toml")
    assert " ".join(words.split())[:60] in " ".join(kept.read_text("utf-8").split())
    assert kept.stat().st_mode & 0o077 == 0
    choose(window, "Tainted consent", within="Run an issue")
    answered(window, qtbot)
    assert window.search_space.chip_bar.chips[0].text == "Issue: Tainted consent"
    assert words in [card.hit.passage.text for card in window.search_space.pane.list.cards]
    verdicts = [card.verdict.verdict for card in window.search_space.pane.list.cards if card.hit.passage.text == words]
    assert verdicts == [True], "what was said of the question is said of its issue"
    choose(window, "Tainted consent", within="Remove an issue of yours")
    qtbot.waitUntil(lambda: not kept.exists(), timeout=WAIT_MS)
    qtbot.waitUntil(
        lambda: "Remove an issue of yours" not in menu_texts(window.search_space.bar.saved.menu()), timeout=WAIT_MS
    )


def test_an_issue_is_renewed_with_all_that_was_marked_since(window: MainWindow, qtbot: QtBot) -> None:
    marked_relevant(window, qtbot)
    make_issue(window, qtbot, "Tainted consent")
    qtbot.waitUntil(lambda: "with 1 passage" in window.bottom.state, timeout=WAIT_MS)
    press(window, Qt.Key.Key_Down, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: "Marked relevant" in window.bottom.state, timeout=WAIT_MS)
    make_issue(window, qtbot, "Tainted consent")
    qtbot.waitUntil(lambda: "with 2 passages" in window.bottom.state, timeout=WAIT_MS)
    ask(window, qtbot, "was the statement hearsay")
    press(window, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: "Marked relevant" in window.bottom.state, timeout=WAIT_MS)
    make_issue(window, qtbot, "Tainted consent")
    qtbot.waitUntil(lambda: window.bottom.state.startswith("There is an issue"), timeout=WAIT_MS)


def test_an_issue_takes_no_name_of_another(window: MainWindow, user_folders: Path, qtbot: QtBot) -> None:
    marked_relevant(window, qtbot)
    make_issue(window, qtbot, "roadside CONSENT")
    said = "There is an issue “Roadside consent” already. Give it another name."
    qtbot.waitUntil(lambda: window.bottom.state == said, timeout=WAIT_MS)
    assert list((user_folders / "data").rglob("*.toml")) == []


def test_nothing_is_made_where_nothing_is_asked_or_marked(window: MainWindow, qtbot: QtBot) -> None:
    choose(window, "Make an issue of what is marked relevant …")
    assert window.bottom.state.startswith("Ask a question first")
    ask(window, qtbot, CONSENT)
    make_issue(window, qtbot, "Empty")
    qtbot.waitUntil(lambda: window.bottom.state.startswith("No passage of the bank is marked"), timeout=WAIT_MS)


def test_an_issue_that_cannot_be_read_is_counted_on_the_start_page(
    issue: Path, own_engine: EngineClient, tmp_path: Path, qtbot: QtBot
) -> None:
    office.write_text(issue.with_name("bad.toml"), "name = 3\n")
    with opened(own_engine, tmp_path / "feedback.sqlite") as window:
        pane = window.search_space.pane
        qtbot.waitUntil(lambda: pane.state is not None and bool(window.search_space.issues.offered.profiles))
        assert pane.state
        assert "Issues (1 cannot be read: tell IT staff)" in [each.heading for each in pane.state.lists]
