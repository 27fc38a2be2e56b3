"""Matters in the window: collected by one key from results and pages, ordered and written by keyboard, exported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import docx
import pytest
from children import living_children
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot
from windows import CONSENT, WAIT_MS, ask, opened, press

from briefbank.matters.items import HeadingItem, NoteItem, PassageItem
from briefbank.matters.log import MatterLog
from briefbank.matters.state import Matter
from briefbank.records import Hit
from briefbank.services import EngineNotice, EngineState
from ui.dialogs.export_matter import ExportDialog
from ui.engine import EngineClient
from ui.matter_keeper import MatterKeeper
from ui.matters_space import MattersSpace
from ui.window import MainWindow

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@pytest.fixture
def window(engine: EngineClient, tmp_path: Path) -> Iterator[MainWindow]:
    with opened(engine, tmp_path / "feedback.sqlite") as shown:
        yield shown


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Answers the question for a name as it is opened; holds the titles asked under."""
    asked: list[str] = []

    def answer(dialog: QInputDialog) -> None:
        asked.append(dialog.windowTitle())
        dialog.setTextValue("Renfrew II")
        dialog.accept()

    monkeypatch.setattr(QInputDialog, "open", answer)
    return asked


def keeper_of(window: MainWindow) -> MatterKeeper:
    return window._matters


def space_of(window: MainWindow, qtbot: QtBot) -> MattersSpace:
    """Open the space with its key."""
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_4, CTRL)
    space = window.centralWidget().findChild(MattersSpace)
    assert isinstance(space, MattersSpace)
    return space


def made(window: MainWindow, qtbot: QtBot, *texts: str) -> tuple[MattersSpace, Callable[[], Matter]]:
    """A matter of notes, shown in its space."""
    keeper = keeper_of(window)
    keeper.make("Renfrew II")
    for text in texts:
        assert keeper.current
        keeper.add(keeper.current, NoteItem(text))

    def now() -> Matter:
        assert keeper.current
        return keeper.current

    return space_of(window, qtbot), now


def texts(matter: Matter) -> list[str]:
    return [entry.item.text for entry in matter.entries]


def on_disk(tmp_path: Path) -> list[list[str]]:
    with MatterLog(tmp_path / "matters.sqlite") as log:
        return [texts(matter) for matter in log.matters()]


def key(window: MainWindow, which: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    focused = window.focusWidget()
    assert focused
    QTest.keyClick(focused, which, modifier)


def test_a_adds_the_result_to_a_matter_whose_name_is_asked_once(
    window: MainWindow, qtbot: QtBot, named: list[str], tmp_path: Path
) -> None:
    ask(window, qtbot, CONSENT)
    first, second = (card.hit for card in window.search_space.pane.list.cards[:2])
    press(window, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: "Added to Renfrew II" in window.bottom.state, timeout=WAIT_MS)
    assert window.bottom.state.endswith("· Ctrl+Z undoes")
    press(window, Qt.Key.Key_Down, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: len(on_disk(tmp_path)[0]) == 2, timeout=WAIT_MS)
    assert named == ["New matter"]
    assert on_disk(tmp_path) == [[first.passage.text, second.passage.text]]
    item = keeper_of(window).current.passages[0]  # type: ignore[union-attr]
    assert (item.document_sha256, item.passage_id) == (first.document.sha256, first.passage.id)
    assert item.pages == first.document.cited_pages(first.passage.page_first, first.passage.page_last)


def name_asked(window: MainWindow) -> QInputDialog:
    dialog = next(each for each in window.findChildren(QInputDialog) if each.isVisible())
    assert isinstance(dialog, QInputDialog)
    return dialog


@pytest.mark.timeout(120, method="thread")  # a dialog that blocks hears no signal
def test_the_window_goes_on_while_a_name_is_asked_for(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, CONSENT)
    hit = window.search_space.pane.list.cards[0].hit
    press(window, Qt.Key.Key_A)
    assert keeper_of(window).matters == ()
    name_asked(window).reject()
    press(window, Qt.Key.Key_A)
    name_asked(window).setTextValue(" Renfrew II ")
    name_asked(window).accept()
    qtbot.waitUntil(lambda: len(keeper_of(window).matters[0].passages) == 1, timeout=WAIT_MS)
    assert keeper_of(window).matters[0].name == "Renfrew II"
    assert keeper_of(window).matters[0].passages[0].passage_id == hit.passage.id


def test_a_matter_gets_another_name(window: MainWindow, qtbot: QtBot) -> None:
    space, now = made(window, qtbot, "one")
    space.rename.click()
    assert name_asked(window).textValue() == "Renfrew II"
    name_asked(window).setTextValue("Renfrew III")
    name_asked(window).accept()
    assert now().name == space.title.text() == "Renfrew III"


def test_esc_at_the_name_of_a_new_matter_makes_none_and_leads_back_to_the_result(
    window: MainWindow, qtbot: QtBot
) -> None:
    ask(window, qtbot, CONSENT)
    press(window, Qt.Key.Key_Down)
    card, seen = window.focusWidget(), []

    def leave() -> None:
        dialog = QApplication.activeModalWidget()
        field = dialog.findChild(QLineEdit)
        seen.append(field.width() - field.fontMetrics().horizontalAdvance("State v. Renfrew, motion to suppress"))
        QTest.keyClick(dialog, Qt.Key.Key_Escape)

    QTimer.singleShot(300, window, leave)
    press(window, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: bool(seen), timeout=WAIT_MS)
    (room_left_px,) = seen
    assert room_left_px > 0
    assert keeper_of(window).matters == ()
    assert window.focusWidget() is card


def test_a_passage_that_a_matter_holds_is_not_added_again(
    window: MainWindow, qtbot: QtBot, named: list[str], tmp_path: Path
) -> None:
    ask(window, qtbot, CONSENT)
    press(window, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: "Added to Renfrew II" in window.bottom.state, timeout=WAIT_MS)
    press(window, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: "Already in Renfrew II" in window.bottom.state, timeout=WAIT_MS)
    assert len(keeper_of(window).current.entries) == 1  # type: ignore[union-attr]
    assert len(on_disk(tmp_path)[0]) == 1


def test_a_long_name_of_a_matter_goes_on_in_a_second_line(window: MainWindow, qtbot: QtBot) -> None:
    keeper_of(window).make("State v. Renfrew, motion to suppress of May")
    space = space_of(window, qtbot)
    row = space.names.visualItemRect(space.names.item(0))
    assert row.width() <= space.names.viewport().width()
    assert row.height() > 2 * space.names.fontMetrics().height()


def test_a_on_the_page_adds_what_is_selected_with_its_page(window: MainWindow, qtbot: QtBot, named: list[str]) -> None:
    ask(window, qtbot, CONSENT)
    press(window, Qt.Key.Key_Return)
    view = window.search_space.page.view
    qtbot.waitUntil(lambda: view.loader.texts.get(view.page) is not None, timeout=WAIT_MS)
    QTest.keyClick(view, Qt.Key.Key_A, CTRL)
    qtbot.waitUntil(lambda: bool(view.selected_text()), timeout=WAIT_MS)
    QTest.keyClick(view, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: keeper_of(window).current is not None, timeout=WAIT_MS)
    (item,) = keeper_of(window).current.passages  # type: ignore[union-attr]
    assert item.is_excerpt
    assert item.text == view.selected_text().strip()
    hit = window.search_space.pane.list.current.hit
    assert item.pages == hit.document.cited_pages(view.page, view.page)


def test_ctrl_z_in_a_search_takes_back_what_was_done_last_be_it_a_mark_or_a_passage_added(
    window: MainWindow, qtbot: QtBot, named: list[str]
) -> None:
    ask(window, qtbot, CONSENT)
    card = window.search_space.pane.list.cards[0]
    press(window, Qt.Key.Key_R, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: bool(keeper_of(window).current and keeper_of(window).current.passages), timeout=WAIT_MS)
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert keeper_of(window).current.passages == ()  # type: ignore[union-attr]
    assert card.verdict.verdict is True
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)  # the matter that was made for it
    assert keeper_of(window).current is None
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert card.verdict.verdict is None


def test_items_are_moved_and_removed_by_keys_and_undone(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    space, now = made(window, qtbot, "one", "two", "three")
    assert window.focusWidget() is space.items
    key(window, Qt.Key.Key_Down, ALT)
    assert texts(now()) == ["two", "one", "three"]
    assert space.items.current.item.text == "one"  # type: ignore[union-attr]
    key(window, Qt.Key.Key_Down, ALT)
    key(window, Qt.Key.Key_Down, ALT)  # it is the last already
    assert texts(now()) == ["two", "three", "one"]
    key(window, Qt.Key.Key_Up, ALT)
    key(window, Qt.Key.Key_Delete)
    assert texts(now()) == ["two", "three"] or texts(now()) == ["two", "one"]
    left = texts(now())
    key(window, Qt.Key.Key_Z, CTRL)
    assert len(texts(now())) == 3
    key(window, Qt.Key.Key_Z, CTRL)
    key(window, Qt.Key.Key_Z, CTRL)
    key(window, Qt.Key.Key_Z, CTRL)
    assert texts(now()) == ["one", "two", "three"]
    assert left == ["two", "three"]
    qtbot.waitUntil(lambda: on_disk(tmp_path) == [["one", "two", "three"]], timeout=WAIT_MS)


def test_a_note_is_added_below_and_written_where_it_stands(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    space, now = made(window, qtbot, "one", "two")
    key(window, Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: isinstance(window.focusWidget(), QPlainTextEdit))
    QTest.keyClicks(window.focusWidget(), "Ask for the tape. N and R and A.")
    key(window, Qt.Key.Key_Return, CTRL)
    assert texts(now()) == ["one", "Ask for the tape. N and R and A.", "two"]
    qtbot.waitUntil(lambda: window.focusWidget() is space.items)
    qtbot.waitUntil(lambda: on_disk(tmp_path) == [texts(now())], timeout=WAIT_MS)


def test_what_is_being_written_is_kept_when_a_key_moves_it_or_exports_the_matter(
    window: MainWindow, qtbot: QtBot
) -> None:
    space, now = made(window, qtbot, "one", "two")
    key(window, Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: isinstance(window.focusWidget(), QPlainTextEdit))
    QTest.keyClicks(window.focusWidget(), "Ask for the tape.")
    key(window, Qt.Key.Key_Up, ALT)
    assert texts(now()) == ["Ask for the tape.", "one", "two"]
    assert window.focusWidget() is space.items
    key(window, Qt.Key.Key_F2)
    QTest.keyClicks(window.focusWidget(), "Ask again.")
    key(window, Qt.Key.Key_E, CTRL | SHIFT)
    dialog = space.findChild(ExportDialog)
    assert dialog
    assert texts(dialog._matter) == ["Ask again.", "one", "two"]
    dialog.reject()


def test_a_heading_is_written_in_one_line_and_esc_leaves_it_as_it_was(window: MainWindow, qtbot: QtBot) -> None:
    space, now = made(window, qtbot, "one")
    key(window, Qt.Key.Key_Return, CTRL | SHIFT)
    qtbot.waitUntil(lambda: isinstance(window.focusWidget(), QPlainTextEdit))
    QTest.keyClicks(window.focusWidget(), "POINT I")
    key(window, Qt.Key.Key_Return)
    assert now().entries[1].item == HeadingItem("POINT I")
    qtbot.waitUntil(lambda: window.focusWidget() is space.items)
    key(window, Qt.Key.Key_F2)
    QTest.keyClicks(window.focusWidget(), "spoilt")
    key(window, Qt.Key.Key_Escape)
    assert now().entries[1].item == HeadingItem("POINT I")


def test_letters_do_nothing_in_the_list(window: MainWindow, qtbot: QtBot) -> None:
    _, now = made(window, qtbot, "one", "two")
    before = now()
    for letter in "arnms1x":
        QTest.keyClicks(window.focusWidget(), letter)
    assert now() == before


def test_an_item_that_is_dragged_stands_where_it_was_let_go(window: MainWindow, qtbot: QtBot) -> None:
    space, now = made(window, qtbot, "one", "two", "three")
    items = space.items
    items.select(2)

    def drop(row: int, share: float) -> None:
        area = items.visualRect(items.items.index(row))
        at = QPointF(area.center().x(), area.top() + area.height() * share)

        class Own(QDropEvent):  # a drag cannot be played: its loop waits for a real pointer
            def source(self) -> Any:
                return items

        items.dropEvent(
            Own(at, Qt.DropAction.MoveAction, QMimeData(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        )

    drop(0, 0.1)
    assert texts(now()) == ["three", "one", "two"]
    drop(2, 0.9)
    assert texts(now()) == ["one", "two", "three"]


def test_a_passage_is_shown_on_its_page_and_said_where_it_is_gone(
    window: MainWindow, qtbot: QtBot, named: list[str]
) -> None:
    ask(window, qtbot, CONSENT)
    hit = window.search_space.pane.list.cards[0].hit
    press(window, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: bool(keeper_of(window).current and keeper_of(window).current.passages), timeout=WAIT_MS)
    space = space_of(window, qtbot)
    qtbot.waitUntil(lambda: space.page.view.pages is not None, timeout=WAIT_MS)
    assert space.page.title.text() == hit.document.metadata.title.value
    item = keeper_of(window).current.passages[0]  # type: ignore[union-attr]
    from msgspec.structs import replace

    keeper_of(window).add(keeper_of(window).current, replace(item, passage_id="gone-1"))  # type: ignore[arg-type]
    space.items.setFocus()
    key(window, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: "does not hold this passage any more" in window.bottom.state, timeout=WAIT_MS)
    assert space.page.view.pages is None


def test_a_matter_is_archived_and_brought_back_by_undo(window: MainWindow, qtbot: QtBot) -> None:
    space, now = made(window, qtbot, "one")
    space.archive.click()
    assert keeper_of(window).current is None
    assert space.names.count() == 0
    assert "Press A" in space.status.text()
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert [space.names.item(row).text() for row in range(space.names.count())] == ["Renfrew II"]
    assert texts(now()) == ["one"]


def test_a_matter_is_written_to_word_in_the_format_chosen(
    window: MainWindow, qtbot: QtBot, named: list[str], tmp_path: Path
) -> None:
    ask(window, qtbot, CONSENT)
    press(window, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: bool(keeper_of(window).current and keeper_of(window).current.passages), timeout=WAIT_MS)
    (item,) = keeper_of(window).current.passages  # type: ignore[union-attr]
    space = space_of(window, qtbot)
    key(window, Qt.Key.Key_E, CTRL | SHIFT)
    dialog = space.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    save = dialog.buttons.button(dialog.buttons.StandardButton.Save)
    dialog.source_format.setCurrentText("{titel}")
    assert "{titel}" in dialog.problem.text()
    assert not save.isEnabled()
    dialog.source_format.setCurrentText("Out of {title}")
    assert dialog.example.text() == f"Out of {item.title}"
    with qtbot.waitSignal(dialog.exported, timeout=WAIT_MS):
        dialog.write(tmp_path / "brief.docx")
    written = [each.text for each in docx.Document(str(tmp_path / "brief.docx")).paragraphs]
    assert written[0] == "Renfrew II"
    assert f"— Out of {item.title}" in written


def test_a_document_whose_name_was_completed_is_not_written_over(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space, _ = made(window, qtbot, "one")
    (tmp_path / "brief.docx").write_text("mine", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "brief"), ""))
    space.export.click()
    dialog = space.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    dialog.buttons.button(dialog.buttons.StandardButton.Save).click()
    qtbot.waitUntil(lambda: "brief.docx already" in dialog.problem.text(), timeout=WAIT_MS)
    assert (tmp_path / "brief.docx").read_text(encoding="utf-8") == "mine"
    dialog.reject()


def test_the_window_starts_with_the_matters_that_were_kept(engine: EngineClient, qtbot: QtBot, tmp_path: Path) -> None:
    with opened(engine, tmp_path / "feedback.sqlite") as first:
        made(first, qtbot, "one", "two")
    with opened(engine, tmp_path / "feedback.sqlite") as second:
        space = space_of(second, qtbot)
        qtbot.waitUntil(lambda: space.items.items.rowCount() == 2, timeout=WAIT_MS)
        assert space.title.text() == "Renfrew II"


def test_what_cannot_be_written_is_told_and_written_when_it_can(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    place = tmp_path / "log"
    place.mkdir()
    (place / "matters.sqlite").mkdir()
    keeper = MatterKeeper(place / "matters.sqlite")
    told: list[Any] = []
    keeper.failed.connect(told.append)
    keeper.make("Renfrew")
    qtbot.waitUntil(lambda: bool(told), timeout=WAIT_MS)
    assert keeper.current
    (place / "matters.sqlite").rmdir()
    assert keeper.flush() == 0
    assert keeper.close() == 0
    with MatterLog(place / "matters.sqlite") as log:
        assert [matter.name for matter in log.matters()] == ["Renfrew"]


def test_every_part_of_the_space_has_a_name_for_screen_readers(window: MainWindow, qtbot: QtBot) -> None:
    space, _ = made(window, qtbot, "one")
    assert space.items.accessibleName()
    assert space.names.accessibleName()
    spoken = [
        space.items.items.index(row).data(Qt.ItemDataRole.AccessibleTextRole)
        for row in range(space.items.items.rowCount())
    ]
    assert spoken == ["Note: one"]
    assert space.items.indexAt(QPoint(5, 5)).isValid()
    assert not isinstance(space.items.current.item, PassageItem)  # type: ignore[union-attr]


@contextmanager
def stopped(engine: EngineClient) -> Iterator[None]:
    """The engine and the page renderer answer nothing meanwhile."""
    children = [child for child in living_children() if str(engine.bank_root) in child.cmdline()]
    assert children
    for child in children:
        child.suspend()
    try:
        yield
    finally:
        for child in children:
            child.resume()


def test_a_passage_whose_italics_are_awaited_is_kept_when_the_window_closes(
    own_engine: EngineClient, qtbot: QtBot, tmp_path: Path
) -> None:
    with opened(own_engine, tmp_path / "feedback.sqlite") as window:
        keeper_of(window).make("Renfrew II")
        ask(window, qtbot, CONSENT)
        hit = window.search_space.pane.list.cards[0].hit
        qtbot.waitUntil(lambda: window.search_space.page.view.pages is not None, timeout=WAIT_MS)
        with stopped(own_engine):
            press(window, Qt.Key.Key_A)
            assert window.close()
    assert on_disk(tmp_path) == [[hit.passage.text]]


def test_ctrl_z_takes_a_passage_back_whose_italics_are_awaited_and_no_mark_before_it(
    own_engine: EngineClient, qtbot: QtBot, tmp_path: Path
) -> None:
    with opened(own_engine, tmp_path / "feedback.sqlite") as window:
        keeper_of(window).make("Renfrew II")
        ask(window, qtbot, CONSENT)
        qtbot.waitUntil(lambda: window.search_space.page.view.pages is not None, timeout=WAIT_MS)
        card = window.search_space.pane.list.cards[0]
        with stopped(own_engine):
            press(window, Qt.Key.Key_R, Qt.Key.Key_A)
            QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
            assert card.verdict.verdict is True
        own_engine.bank.italics(card.hit.passage.id, card.hit.passage.text).result(60)
        qtbot.wait(50)
        assert keeper_of(window).current.passages == ()  # type: ignore[union-attr]


def test_the_page_of_the_entry_before_is_not_taken_for_another_passage_of_this_one(
    own_engine: EngineClient, qtbot: QtBot, tmp_path: Path
) -> None:
    with opened(own_engine, tmp_path / "feedback.sqlite") as window:
        space, first, second = two_passages(window, qtbot)
        with stopped(own_engine):
            space.items.select(0)
            qtbot.wait(250)  # its page is asked for
            space._timer.setInterval(1000)  # so that the answer comes before the next question
            space.items.select(1)
        own_engine.bank.passage(first.passage.id).result(60)
        qtbot.wait(50)
        assert space.page.title.text() == second.document.metadata.title.value
        qtbot.waitUntil(lambda: not space._timer.isActive(), timeout=WAIT_MS)
        assert "The index was renewed" not in window.bottom.state


def test_a_passage_is_looked_up_again_when_another_index_goes_live(
    own_engine: EngineClient, qtbot: QtBot, tmp_path: Path
) -> None:
    with opened(own_engine, tmp_path / "feedback.sqlite") as window:
        space, first, _ = two_passages(window, qtbot)
        space.items.select(0)
        qtbot.waitUntil(lambda: space.page.title.text() == first.document.metadata.title.value, timeout=WAIT_MS)
        space.page.clear()
        space._on_noticed(EngineNotice(EngineState.READY, generation="later"))
        qtbot.waitUntil(lambda: space.page.title.text() == first.document.metadata.title.value, timeout=WAIT_MS)


def test_a_note_that_is_being_written_is_kept_when_the_window_closes(
    engine: EngineClient, qtbot: QtBot, tmp_path: Path
) -> None:
    with opened(engine, tmp_path / "feedback.sqlite") as window:
        made(window, qtbot, "one")
        key(window, Qt.Key.Key_Return, CTRL)
        qtbot.waitUntil(lambda: isinstance(window.focusWidget(), QPlainTextEdit))
        QTest.keyClicks(window.focusWidget(), "Ask for the tape.")
        assert window.close()
        assert on_disk(tmp_path) == [["one", "Ask for the tape."]]


def test_a_passage_that_comes_late_leaves_the_note_that_is_being_written(
    own_engine: EngineClient, qtbot: QtBot, tmp_path: Path
) -> None:
    with opened(own_engine, tmp_path / "feedback.sqlite") as window:
        keeper_of(window).make("Renfrew II")
        ask(window, qtbot, CONSENT)
        hit = window.search_space.pane.list.cards[0].hit
        qtbot.waitUntil(lambda: window.search_space.page.view.pages is not None, timeout=WAIT_MS)
        with stopped(own_engine):
            press(window, Qt.Key.Key_A)
            space_of(window, qtbot)
            key(window, Qt.Key.Key_Return, CTRL)
            qtbot.waitUntil(lambda: isinstance(window.focusWidget(), QPlainTextEdit))
            QTest.keyClicks(window.focusWidget(), "Ask for ")
        qtbot.waitUntil(lambda: len(keeper_of(window).matters[0].passages) == 1, timeout=WAIT_MS)
        qtbot.wait(50)
        assert isinstance(window.focusWidget(), QPlainTextEdit)
        QTest.keyClicks(window.focusWidget(), "the tape.")
        key(window, Qt.Key.Key_Return, CTRL)
        assert texts(keeper_of(window).matters[0]) == ["Ask for the tape.", hit.passage.text]


def two_passages(window: MainWindow, qtbot: QtBot) -> tuple[MattersSpace, Hit, Hit]:
    """A matter of the first two results, the second of them selected and shown in its space."""
    keeper_of(window).make("Renfrew II")
    ask(window, qtbot, CONSENT)
    first, second = (card.hit for card in window.search_space.pane.list.cards[:2])
    assert first.document != second.document
    press(window, Qt.Key.Key_A, Qt.Key.Key_Down, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: len(keeper_of(window).matters[0].passages) == 2, timeout=WAIT_MS)
    added = [each.passage_id for each in keeper_of(window).matters[0].passages]
    assert added == [first.passage.id, second.passage.id], "in the order of the keys, whose italics come first"
    space = space_of(window, qtbot)
    space.items.select(1)
    qtbot.waitUntil(lambda: space.page.title.text() == second.document.metadata.title.value, timeout=WAIT_MS)
    return space, first, second
