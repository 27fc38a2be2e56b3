"""The space of matters: what is in one is ordered, written and kept by keyboard, beside the page of a passage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from matters import (
    ALT,
    CTRL,
    SHIFT,
    collect,
    current,
    keeper_of,
    key,
    made,
    name_asked,
    on_disk,
    space_of,
    stopped,
    texts,
    two_passages,
    write_note,
)
from msgspec.structs import replace
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QStyle
from pytestqt.qtbot import QtBot
from windows import WAIT_MS, opened

from briefbank.bank.port import EngineNotice, EngineState
from briefbank.matters.events import ItemAdded
from briefbank.matters.items import HeadingItem, NoteItem, PassageItem
from briefbank.matters.log import MatterLog
from ui.dialogs.export_matter import ExportDialog
from ui.engine import EngineClient
from ui.matters.keeper import MatterKeeper, MatterStore
from ui.preferences import TextSize
from ui.theme import UNIT_PX
from ui.window import MainWindow
from ui.wording import headline


def test_an_empty_space_says_how_a_matter_begins_and_an_empty_matter_how_it_is_filled(
    window: MainWindow, qtbot: QtBot
) -> None:
    space = space_of(window, qtbot)
    assert space.empty.isVisible()
    assert "Press A on a result" in space.empty.text()
    keeper_of(window).make("Renfrew II")
    assert space.empty.text().startswith("Nothing is collected here yet.")
    keeper_of(window).add(current(window), NoteItem("one"))
    assert not space.empty.isVisible()


def test_in_the_smallest_window_a_menu_takes_the_place_of_the_names_and_nothing_is_cut(
    window: MainWindow, qtbot: QtBot
) -> None:
    keeper_of(window).make("Quimby")
    space, now = made(window, qtbot, "one")
    window.resize(832, 440)
    qtbot.waitUntil(space.chooser.isVisible)
    assert not space.names.isVisible()
    assert space.items.width() >= 250
    for each in (space.note, space.heading, space.export, space.chooser):
        assert each.width() >= each.sizeHint().width()
        assert space.splitter.widget(0).rect().contains(each.mapTo(space.splitter.widget(0), each.rect().bottomRight()))
    assert space.export.y() >= space.note.geometry().bottom() + UNIT_PX // 2, "buttons in two lines touch"
    menu = space.chooser.menu()
    menu.aboutToShow.emit()
    offered = {each.text().replace("&", ""): each for each in menu.actions()}
    assert {"New …", "Rename …", "Archive", "More"} <= offered.keys()
    assert offered["Renfrew II"].isChecked()
    offered["Quimby"].trigger()
    assert now().name == space.title.text() == "Quimby"
    window.resize(1366, 728)
    qtbot.waitUntil(space.names.isVisible)
    assert space.chooser.isHidden()


def test_a_matter_gets_another_name(window: MainWindow, qtbot: QtBot) -> None:
    space, now = made(window, qtbot, "one")
    space.rename.click()
    assert name_asked(window).textValue() == "Renfrew II"
    name_asked(window).setTextValue("Renfrew III")
    name_asked(window).accept()
    assert now().name == space.title.text() == "Renfrew III"


@pytest.mark.parametrize("size", TextSize)
def test_a_long_name_of_a_matter_goes_on_in_other_lines_and_is_whole(
    engine: EngineClient, qtbot: QtBot, tmp_path: Path, looks: Callable[[TextSize], None], size: TextSize
) -> None:
    looks(size)
    with opened(engine, tmp_path / "feedback.sqlite") as window:
        for name in ("In re the Estate of Quimby and others", "State v. Renfrew, motion to suppress of May"):
            keeper_of(window).make(name)
            names = space_of(window, qtbot).names
            row, room = names.visualItemRect(names.item(0)), names.viewport().rect()
            assert row.width() <= room.width()
            is_wrapped = Qt.TextFlag.TextWordWrap
            inside = room.adjusted(0, 0, -2 * names.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) - 2, 0)
            assert row.height() >= names.fontMetrics().boundingRect(inside, is_wrapped, name).height()


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
    assert texts(now()) == ["two", "three"]
    key(window, Qt.Key.Key_Z, CTRL)
    assert len(texts(now())) == 3
    key(window, Qt.Key.Key_Z, CTRL)
    key(window, Qt.Key.Key_Z, CTRL)
    key(window, Qt.Key.Key_Z, CTRL)
    assert texts(now()) == ["one", "two", "three"]
    qtbot.waitUntil(lambda: on_disk(tmp_path) == [["one", "two", "three"]], timeout=WAIT_MS)


def test_every_step_in_a_matter_is_undone_and_done_again_as_it_was(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    keeper = keeper_of(window)
    keeper.make("Renfrew II")
    first, second = (keeper.add(current(window), NoteItem(text)) for text in ("one", "two"))
    keeper.add(current(window), HeadingItem("below"), after=first)
    keeper.edit(current(window), current(window).entries[0], NoteItem("one, but longer"))
    keeper.move(current(window), second, "")
    keeper.remove(current(window), current(window).entries[1])
    keeper.rename(current(window), "Renfrew III")
    keeper.archive(current(window))
    space_of(window, qtbot)

    def now() -> list[tuple[str, bool, list[str]]]:
        return [(each.name, each.is_archived, texts(each)) for each in keeper.matters]

    states, told = [now()], list[str]()
    keeper.confirmed.connect(told.append)
    for _ in range(9):
        QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
        states.append(now())
    qtbot.waitUntil(lambda: len([each for each in told if each.startswith("Undone")]) == 9, timeout=WAIT_MS)
    assert [each.removeprefix("Undone: ") for each in told if each.startswith("Undone")] == [
        "Renfrew III is out of the archive again",
        "called Renfrew II again",
        "put back: one",
        "it stands where it was",
        "it reads as before",
        "taken out of Renfrew II: below",
        "taken out of Renfrew II: two",
        "taken out of Renfrew II: one",
        "Renfrew II is put away",
    ]
    assert len({str(each) for each in states}) == len(states)
    assert states[-1][0][1], "a matter that is not made any more is put away"
    for number in range(9):
        assert now() == states.pop(), number
        QTest.keyClick(window, Qt.Key.Key_Z, CTRL | SHIFT)
    assert now() == states.pop()
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    keeper.add(current(window), NoteItem("something else"))
    before = now()
    QTest.keyClick(window, Qt.Key.Key_Y, CTRL)
    assert now() == before
    assert window.bottom.state.startswith("Nothing to do again")
    qtbot.waitUntil(lambda: on_disk(tmp_path) == [before[0][2]], timeout=WAIT_MS)


def test_a_note_is_added_below_and_written_where_it_stands(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    space, now = made(window, qtbot, "one", "two")
    write_note(window, qtbot, "Ask for the tape. N and R and A.")
    key(window, Qt.Key.Key_Return, CTRL)
    assert texts(now()) == ["one", "Ask for the tape. N and R and A.", "two"]
    qtbot.waitUntil(lambda: window.focusWidget() is space.items)
    qtbot.waitUntil(lambda: on_disk(tmp_path) == [texts(now())], timeout=WAIT_MS)


def test_what_is_being_written_is_kept_when_a_key_moves_it_or_exports_the_matter(
    window: MainWindow, qtbot: QtBot
) -> None:
    space, now = made(window, qtbot, "one", "two")
    write_note(window, qtbot, "Ask for the tape.")
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


def test_a_passage_is_shown_on_its_page_and_said_where_it_is_gone(window: MainWindow, qtbot: QtBot) -> None:
    hit = collect(window, qtbot)
    space = space_of(window, qtbot)
    qtbot.waitUntil(lambda: space.page.view.pages is not None, timeout=WAIT_MS)
    assert space.page.title.text() == headline(hit.document)
    keeper_of(window).add(current(window), replace(current(window).passages[0], passage_id="gone-1"))
    space.items.setFocus()
    key(window, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: "does not hold this passage any more" in window.bottom.state, timeout=WAIT_MS)
    assert space.page.view.pages is None


def test_a_matter_is_archived_and_brought_back_by_undo(window: MainWindow, qtbot: QtBot) -> None:
    space, now = made(window, qtbot, "one")
    space.archive.click()
    assert keeper_of(window).current is None
    assert space.names.count() == 0
    assert space.empty.isVisible()
    assert "Press A on a result" in space.empty.text()
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert [space.names.item(row).text() for row in range(space.names.count())] == ["Renfrew II"]
    assert texts(now()) == ["one"]


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
    store = MatterStore(place / "matters.sqlite")
    keeper = MatterKeeper(store)
    told: list[Any] = []
    keeper.failed.connect(told.append)
    keeper.make("Renfrew")
    qtbot.waitUntil(lambda: bool(told), timeout=WAIT_MS)
    assert keeper.current
    (place / "matters.sqlite").rmdir()
    assert store.flush() == 0
    assert store.close() == 0
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


def test_the_page_of_the_entry_before_is_not_taken_for_another_passage_of_this_one(
    own_engine: EngineClient, qtbot: QtBot, tmp_path: Path
) -> None:
    with opened(own_engine, tmp_path / "feedback.sqlite") as window:
        space, first, second = two_passages(window, qtbot)
        with stopped(own_engine):
            space.items.select(0)
            qtbot.wait(250)  # its page is asked for
            space.splitter._timer.setInterval(1000)  # so that the answer comes before the next question
            space.items.select(1)
        own_engine.bank.passage(first.passage.id).result(60)
        qtbot.wait(50)
        assert space.page.title.text() == headline(second.document)
        qtbot.waitUntil(lambda: not space.splitter._timer.isActive(), timeout=WAIT_MS)
        assert "The index was renewed" not in window.bottom.state


def test_a_passage_is_looked_up_again_when_another_index_goes_live(
    own_engine: EngineClient, qtbot: QtBot, tmp_path: Path
) -> None:
    with opened(own_engine, tmp_path / "feedback.sqlite") as window:
        space, first, _ = two_passages(window, qtbot)
        space.items.select(0)
        qtbot.waitUntil(lambda: space.page.title.text() == headline(first.document), timeout=WAIT_MS)
        space.page.clear()
        space._loading._on_noticed(EngineNotice(EngineState.READY, generation="later"))
        qtbot.waitUntil(lambda: space.page.title.text() == headline(first.document), timeout=WAIT_MS)


def test_a_note_that_is_being_written_is_kept_when_the_window_closes(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    made(window, qtbot, "one")
    write_note(window, qtbot, "Ask for the tape.")
    assert window.close()
    assert on_disk(tmp_path) == [["one", "Ask for the tape."]]


def test_a_matter_that_is_full_says_so_and_leaves_what_it_holds(window: MainWindow, qtbot: QtBot) -> None:
    space, now = made(window, qtbot)
    keeper = keeper_of(window)
    keeper.store.record([keeper.store.new_event(ItemAdded(now().id, f"{n}", NoteItem(f"{n}"))) for n in range(2_000)])
    QTest.mouseClick(space.note, Qt.MouseButton.LeftButton)
    assert "2,000 entries at most" in window.bottom.state
    assert len(now().entries) == 2_000
    assert not space.findChildren(QPlainTextEdit)
