"""Whole matters: handed to a colleague as a file, brought in from one, taken out of the archive."""

from __future__ import annotations

from pathlib import Path

import pytest
from matters import current, keeper_of, made
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from windows import WAIT_MS

from briefbank.matters.log import MatterLog
from briefbank.matters.state import matters_of
from ui.window import MainWindow


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
