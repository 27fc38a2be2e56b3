"""Whole matters: handed to a colleague as a file, brought in from one, taken out of the archive."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import docx
import pytest
from matters import ask_for_matter, current, keeper_of, made, space_of
from msgspec import json, to_builtins
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from windows import WAIT_MS

from briefbank.matters.items import passage_item
from briefbank.matters.log import MatterLog
from briefbank.matters.state import matters_of
from ui.dialogs.export_matter import ExportDialog
from ui.matters.space import MattersSpace
from ui.window import MainWindow

ACCESSIBLE = Qt.ItemDataRole.AccessibleTextRole
NOT_YET = "Not looked up in this bank yet"
CITED = '"State v. Carty, 170 N.J. 632 (2002)"'


def named(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Answer what a file dialog asks, which is the system's own."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))


def test_a_matter_goes_to_a_colleague_as_a_file_and_comes_back_as_another_matter(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space, matter = made(window, qtbot, "one", "two")
    first = matter()
    named(monkeypatch, tmp_path / "Renfrew")
    space.menu.save.trigger()
    qtbot.waitUntil((tmp_path / "Renfrew.json").exists, timeout=WAIT_MS)
    named(monkeypatch, tmp_path / "Renfrew.json")
    space.menu.bring_in.trigger()
    qtbot.waitUntil(lambda: len(keeper_of(window).open_matters) == 2, timeout=WAIT_MS)
    assert current(window).id != first.id
    assert [entry.item for entry in current(window).entries] == [entry.item for entry in first.entries]
    qtbot.waitUntil(lambda: "Brought in Renfrew II" in window.bottom.state, timeout=WAIT_MS)
    assert keeper_of(window).store.flush() == 0
    with MatterLog(tmp_path / "matters.sqlite") as log:
        assert [each.name for each in matters_of(log.events())] == ["Renfrew II", "Renfrew II"]
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert keeper_of(window).open_matters == (first,)


def test_a_file_that_is_no_matter_is_refused_in_words(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space, _ = made(window, qtbot, "one")
    (tmp_path / "list.json").write_text("[]", encoding="utf-8")
    named(monkeypatch, tmp_path / "list.json")
    space.menu.bring_in.trigger()
    qtbot.waitUntil(lambda: "is no matter" in window.bottom.state, timeout=WAIT_MS)
    assert len(keeper_of(window).matters) == 1


def test_an_archived_matter_is_taken_out_by_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    space, matter = made(window, qtbot, "one")
    first = matter()
    space.archive.click()
    assert keeper_of(window).current is None
    space.menu.popup(space.more.mapToGlobal(space.more.rect().bottomLeft()))
    assert not space.menu.save.isEnabled()
    QTest.keyClick(space.menu, Qt.Key.Key_R)
    QTest.keyClick(space.menu.archived, Qt.Key.Key_Return)
    assert current(window).id == first.id
    assert [entry.item for entry in current(window).entries] == [entry.item for entry in first.entries]
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert keeper_of(window).current is None


def spoken(window: MainWindow, space: MattersSpace) -> list[str]:
    model = space.items.items
    return [str(model.data(model.index(row), ACCESSIBLE)) for row in range(model.rowCount())]


def test_what_a_file_forged_is_marked_where_it_is_shown_and_in_what_is_exported(
    own_window: MainWindow, own_bank: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a warning that was listed after a passage was collected stands below it."""
    ask_for_matter(own_window, qtbot)
    hits = [card.hit for card in own_window.search_space.pane.list.cards]
    hit = next(each for each in hits if "170 N.J. 632" in each.passage.text and each.document.metadata.docket)
    honest = passage_item(hit.passage, hit.document)
    keeper_of(own_window).add(current(own_window), honest)
    space = space_of(own_window, qtbot)
    qtbot.waitUntil(lambda: NOT_YET not in "".join(spoken(own_window, space)), timeout=WAIT_MS)
    assert "not found" not in spoken(own_window, space)[0].casefold()
    assert "not found" not in space.status.text()
    text = honest.text.replace(" ", " never ", 1)
    forged = replace(honest, text=text, text_sha256=sha256(text.encode()).hexdigest(), italics=None, cautions=())
    items = [to_builtins(each) for each in (honest, forged, replace(honest, docket="A-7777-77"))]
    table = {"format": "briefbank matter", "version": 1, "name": "Fen", "items": items}
    (tmp_path / "fen.json").write_bytes(json.encode(table))
    own_bank.joinpath("alerts.csv").write_text(f"authority,says\n{CITED},overruled last week\n", encoding="utf-8")
    named(monkeypatch, tmp_path / "fen.json")
    space.checks.forget()
    space.menu.bring_in.trigger()
    qtbot.waitUntil(lambda: "2 not found in this bank" in space.status.text(), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: NOT_YET not in "".join(spoken(own_window, space)), timeout=WAIT_MS)
    first, second, third = spoken(own_window, space)
    assert "not found" not in first.casefold()
    assert "overruled last week" in first
    assert "these words do not stand in that brief" in second
    assert f"docket A-7777-77. Here it is {hit.document.metadata.docket.value}" in third
    dialog = ExportDialog(current(own_window), space.checks, own_window)
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.exported, timeout=WAIT_MS):
        dialog.write(tmp_path / "fen.docx")
    marks = [each.text for each in docx.Document(str(tmp_path / "fen.docx")).paragraphs if "Not found" in each.text]
    assert len(marks) == 2
