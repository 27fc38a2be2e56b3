"""A brief gone through with a checklist in the real window, by keyboard: its own words, their pages, or "Not found"."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from pathlib import Path

import docx
import office
import pytest
from llm.tiny import write_tiny_gguf
from matters import name_asked, on_disk
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog
from pytestqt.qtbot import QtBot
from windows import CONSENT, WAIT_MS, ask, opened

from briefbank.errors import CancelledError
from briefbank.models.installed import Role, add_model
from ui.checklists.space import ChecklistSpace
from ui.engine import EngineClient
from ui.findings.finding import Finding
from ui.window import MainWindow

CTRL = Qt.KeyboardModifier.ControlModifier
CTRL_SHIFT = CTRL | Qt.KeyboardModifier.ShiftModifier
LIST = """
name = "Roadside"

[[item]]
name = "Consent"
question = "Was consent valid?"
keywords = '["consent detention"~20^5, "unequivocal and specific"^5]'

[[item]]
name = "Restitution"
question = "Was restitution ordered?"
keywords = '["restitution loss"~5^5]'
"""


@pytest.fixture
def space(window: MainWindow, qtbot: QtBot) -> ChecklistSpace:
    """The space, opened with its key, its lists and briefs known."""
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_7, CTRL)
    found = space_of(window, qtbot)
    qtbot.waitUntil(lambda: len(lines(found)) > 0, timeout=WAIT_MS)
    return found


@pytest.fixture
def loose(tmp_path: Path) -> Path:
    """A brief that is in no bank."""
    points = ("THE CONSENT WAS TAINTED.", f"{office.CONSENT} Zymurgy.")
    return office.write_text(
        tmp_path / "desk" / "theirs-secret.txt", office.brief("Vera Lind", "A-0100-25", "", points)
    )


@pytest.fixture
def roadside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A list of the office's own, which the dialog gives."""
    file = office.write_text(tmp_path / "lists" / "roadside.toml", LIST)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    return file


def space_of(window: MainWindow, qtbot: QtBot) -> ChecklistSpace:
    space = window.centralWidget().findChild(ChecklistSpace)
    assert isinstance(space, ChecklistSpace)
    qtbot.waitUntil(lambda: space.list.count() > 0, timeout=WAIT_MS)
    return space


def press(space: ChecklistSpace, *keys: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    for key in keys:
        focused = space.window().focusWidget()
        assert focused is not None
        QTest.keyClick(focused, key, modifier)


def use(space: ChecklistSpace, title: str) -> None:
    """Choose a list by keyboard."""
    space.list.setFocus()
    press(space, Qt.Key.Key_Down)
    popup = space.list.view()
    popup.setCurrentIndex(space.list.model().index(space.list.findText(title, Qt.MatchFlag.MatchStartsWith), 0))
    QTest.keyClick(popup, Qt.Key.Key_Return)
    space.window().activateWindow()  # as window managers do; the offscreen platform has none


def go_through(space: ChecklistSpace, words: str, qtbot: QtBot) -> None:
    """Type words of a brief's title, and go through it by keyboard."""
    space.field.setFocus()
    space.field.clear()
    QTest.keyClicks(space.field, words)
    qtbot.waitUntil(lambda: len(lines(space)) == 1, timeout=WAIT_MS)
    press(space, Qt.Key.Key_Return, Qt.Key.Key_Return)
    assert space.checking.is_checking
    answered(space, qtbot)


def answered(space: ChecklistSpace, qtbot: QtBot) -> None:
    """Wait for the answers."""
    qtbot.waitUntil(lambda: not space.checking.is_checking, timeout=WAIT_MS)


def lines(space: ChecklistSpace) -> dict[str, Finding]:
    """What stands at the top, by its text."""
    return {each.text: each for each in space.tree.findings()}


def drop(space: ChecklistSpace, file: Path) -> None:
    """Drop a file on the space, as the desktop does."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    at, copy = QPoint(20, 300), Qt.DropAction.CopyAction
    no_key = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(space, QDragEnterEvent(at, copy, data, Qt.MouseButton.LeftButton, no_key))
    QApplication.sendEvent(space, QDropEvent(at, copy, data, Qt.MouseButton.LeftButton, no_key))


def test_each_item_is_answered_with_words_of_the_brief_beside_their_page_or_not_found(
    space: ChecklistSpace, qtbot: QtBot
) -> None:
    use(space, "Suppression")
    go_through(space, "quince", qtbot)
    found = lines(space)
    assert space.checking.title.text().startswith("State v. Alder Quince")
    missing = [text for text, each in found.items() if not each.children]
    assert {found[each].below for each in missing} == {"Not found"}
    assert space.description.isVisible(), "it says for which state the list was written"
    assert 0 < len(missing) < len(found)
    assert space.status.text().startswith(f"{len(found) - len(missing)} of {len(found)} answered")
    assert all(each in space.status.text() for each in missing)
    extracts = [each for item in found.values() for each in item.children]
    assert all(each.below.startswith(("p. ", "pp. ", "sheet")) for each in extracts)
    assert all(each.text in " ".join(each.source.words.split()) for each in extracts if each.source)
    assert any("unequivocal and specific" in each.text for each in extracts)
    assert space.tree.hasFocus()
    first = space.tree.current
    assert first in extracts, "the first answer is selected, so that its page stands beside it"
    qtbot.waitUntil(lambda: bool(space.page.title.text()) and bool(space.page.view.outline), timeout=WAIT_MS)
    press(space, Qt.Key.Key_Return)
    assert space.page.view.hasFocus()
    space.window().resize(space.window().minimumSize())
    buttons = [
        each for each in (space.checking.choose, space.checking.export, space.checking.close_text) if each.isVisible()
    ]
    assert len(buttons) == 3
    qtbot.waitUntil(lambda: all(each.width() >= each.sizeHint().width() for each in buttons), timeout=WAIT_MS)


def test_an_answer_is_copied_with_its_source_and_kept_in_a_matter_word_by_word(
    space: ChecklistSpace, window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    use(space, "Suppression")
    go_through(space, "quince", qtbot)
    answer = space.tree.current
    assert answer
    assert answer.source
    press(space, Qt.Key.Key_C, modifier=CTRL)
    assert QGuiApplication.clipboard().text().startswith(f"{answer.source.words}\n\n— State v. Alder Quince")
    press(space, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: bool(window.findChildren(QInputDialog)), timeout=WAIT_MS)
    name_asked(window).setTextValue("Renfrew II")
    name_asked(window).accept()
    qtbot.waitUntil(lambda: on_disk(tmp_path) == [[answer.source.words]], timeout=WAIT_MS)


def test_what_is_no_word_of_a_brief_is_not_kept(space: ChecklistSpace, qtbot: QtBot) -> None:
    use(space, "Suppression")
    go_through(space, "quince", qtbot)
    press(space, Qt.Key.Key_Home, Qt.Key.Key_A)
    assert space._bottom.state.startswith("Choose words of a brief")


def test_a_brief_on_its_page_is_gone_through_with_one_key_once_a_list_was_chosen(
    window: MainWindow, qtbot: QtBot
) -> None:
    ask(window, qtbot, CONSENT)
    shown = window.search_space.pane.list.cards[0].hit.document
    qtbot.waitUntil(lambda: bool(window.search_space.page.title.text()), timeout=WAIT_MS)
    QTest.keyClick(window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    space = space_of(window, qtbot)
    qtbot.waitUntil(space.list.view().isVisible, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: space.checking.title.text() == shown.metadata.title.value, timeout=WAIT_MS)
    assert space.empty.text().startswith("Which list?")
    assert not space.checking.is_checking
    popup = space.list.view()
    popup.setCurrentIndex(space.list.model().index(space.list.findText("Sentencing", Qt.MatchFlag.MatchStartsWith), 0))
    QTest.keyClick(popup, Qt.Key.Key_Return)
    window.activateWindow()
    answered(space, qtbot)
    assert space.checking.title.text() == shown.metadata.title.value
    first = list(lines(space))
    window.open_space("search")
    QTest.keyClick(window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: list(lines(space)) == first and not space.checking.is_checking, timeout=WAIT_MS)


def test_the_list_that_is_named_already_is_taken_with_one_key(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, CONSENT)
    qtbot.waitUntil(lambda: bool(window.search_space.page.title.text()), timeout=WAIT_MS)
    QTest.keyClick(window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    space = space_of(window, qtbot)
    qtbot.waitUntil(space.list.view().isVisible, timeout=WAIT_MS)
    QTest.keyClick(space.list.view(), Qt.Key.Key_Return)
    window.activateWindow()
    answered(space, qtbot)
    assert any(each.text == "Remedy" for each in space.tree.findings())


def test_who_wants_no_list_is_back_at_the_briefs(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, CONSENT)
    qtbot.waitUntil(lambda: bool(window.search_space.page.title.text()), timeout=WAIT_MS)
    QTest.keyClick(window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    space = space_of(window, qtbot)
    qtbot.waitUntil(space.list.view().isVisible, timeout=WAIT_MS)
    QTest.keyClick(space.list.view(), Qt.Key.Key_Escape)
    window.activateWindow()
    space.field.setFocus()
    QTest.keyClicks(space.field, "q")
    assert space.checking.title.text() == ""
    assert space.status.text().endswith("the newest first")


def test_another_list_goes_through_the_same_brief_and_typing_leads_back_to_the_briefs(
    space: ChecklistSpace, roadside: Path, qtbot: QtBot
) -> None:
    use(space, "Suppression")
    go_through(space, "quince", qtbot)
    use(space, "A list of your own")
    assert space.checking.is_checking
    answered(space, qtbot)
    found = lines(space)
    assert list(found) == ["Consent", "Restitution"]
    assert found["Restitution"].below == "Not found"
    assert space.checking.title.text().startswith("State v. Alder Quince")
    space.field.setFocus()
    press(space, Qt.Key.Key_Escape)
    assert len(lines(space)) == 6
    assert space.status.text() == "6 briefs, the newest first"
    assert space.list.currentText() == roadside.name


def test_a_list_that_cannot_be_read_is_told_in_words(space: ChecklistSpace, roadside: Path, qtbot: QtBot) -> None:
    roadside.write_text("name = 3\n", encoding="utf-8")
    use(space, "A list of your own")
    space.field.setFocus()
    press(space, Qt.Key.Key_Down, Qt.Key.Key_Return)
    answered(space, qtbot)
    assert "roadside.toml is no checklist" in space.empty.text()
    assert lines(space) == {}


def test_the_list_that_was_used_last_is_offered_first(window: MainWindow, space: ChecklistSpace, qtbot: QtBot) -> None:
    use(space, "Suppression")
    other = ChecklistSpace(space._engine, space._bottom)
    qtbot.addWidget(other)
    other.load()
    qtbot.waitUntil(lambda: other.list.count() > 0, timeout=WAIT_MS)
    assert other.list.currentText().startswith("Suppression")


def test_a_language_model_is_offered_where_it_could_be_run_and_its_failure_is_told(
    start_engine: Callable[[Path], EngineClient],
    own_bank: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    """What runs models is a package without anything in it, as after an installation that broke."""
    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "models"))
    add_model(write_tiny_gguf(tmp_path / "tiny.gguf"), [Role.EXTRACT], folder=tmp_path / "models")
    office.write_text(tmp_path / "broken" / "llama_cpp" / "__init__.py", "")
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join(filter(None, (str(tmp_path / "broken"), os.environ.get("PYTHONPATH"))))
    )
    with opened(start_engine(own_bank), tmp_path / "feedback.sqlite") as window:
        qtbot.waitUntil(window.isActiveWindow)
        QTest.keyClick(window, Qt.Key.Key_7, CTRL)
        space = space_of(window, qtbot)
        assert space.with_model.isVisible()
        space.with_model.setFocus()
        press(space, Qt.Key.Key_Space)
        go_through(space, "quince", qtbot)
        assert lines(space) == {}
        assert "model" in space.empty.text()
        space.with_model.setFocus()
        press(space, Qt.Key.Key_Space)
        answered(space, qtbot)
        assert "Remedy" in lines(space), "without the model the same brief is answered"


def test_a_file_in_no_bank_is_gone_through_in_full_and_nothing_of_it_is_kept(
    space: ChecklistSpace, window: MainWindow, loose: Path, user_folders: Path, engine: EngineClient, qtbot: QtBot
) -> None:
    use(space, "Suppression")
    drop(space, loose)
    assert space.checking.is_checking
    answered(space, qtbot)
    assert space.page.isHidden(), "there is no page to show beside it"
    extract = next(each for item in lines(space).values() for each in item.children if "Zymurgy" in each.text)
    space.tree.setFocus()
    while space.tree.current is not extract:
        press(space, Qt.Key.Key_Down)
    press(space, Qt.Key.Key_C, modifier=CTRL)
    assert "Zymurgy" in QGuiApplication.clipboard().text()
    press(space, Qt.Key.Key_A)
    assert space._bottom.state.startswith("This file is in no bank")
    press(space, Qt.Key.Key_W, modifier=CTRL_SHIFT)
    assert not any("Zymurgy" in each.text for each in space.tree.findings())
    assert not space.page.isHidden()
    window.close()
    kept = [each for root in (user_folders, engine.bank_root) for each in root.rglob("*") if each.is_file()]
    assert kept, "settings at least are kept, so that this looks at something"
    assert [each for each in kept if b"theirs-secret" in each.read_bytes() or b"Zymurgy" in each.read_bytes()] == []


def test_going_through_a_brief_is_stopped_with_escape_and_ends_with_its_window(
    space: ChecklistSpace, window: MainWindow, loose: Path, qtbot: QtBot
) -> None:
    drop(space, loose)
    first = space.checking._run
    press(space, Qt.Key.Key_Escape)
    assert not space.checking.is_checking
    assert space._bottom.state == "Stopped."
    qtbot.waitUntil(lambda: len(lines(space)) == 6, timeout=WAIT_MS)
    drop(space, loose)
    second = space.checking._run
    assert first
    assert second
    window.close()
    for run in (first, second):
        qtbot.waitUntil(run.done, timeout=WAIT_MS)
        assert run.cancelled() or isinstance(run.exception(), CancelledError)


@pytest.mark.parametrize("kind", ["docx", "csv"])
def test_the_answers_are_saved_as_a_word_document_or_a_table(
    space: ChecklistSpace, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    called = {"docx": "Word documents (*.docx)", "csv": "Tables for a spreadsheet (*.csv)"}[kind]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "answers"), called))
    use(space, "Suppression")
    go_through(space, "quince", qtbot)
    press(space, Qt.Key.Key_E, modifier=CTRL_SHIFT)
    written = tmp_path / f"answers.{kind}"
    qtbot.waitUntil(lambda: space._bottom.state == f"Written: {written}", timeout=WAIT_MS)
    if kind == "docx":
        said = [each.text for each in docx.Document(str(written)).paragraphs]
    else:
        said = [cell for row in csv.reader(written.read_text("utf-8-sig").splitlines(keepends=True)) for cell in row]
    assert "Not found" in said
    assert any("unequivocal" in each for each in said)
