"""Files that no search looks into: counted in the bottom line, listed by a click or a key."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from program import ROOT
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QTableWidget, QToolButton
from pytestqt.qtbot import QtBot
from windows import WAIT_MS, ask, opened

from briefbank.bank.local import Bank
from ui.dialogs.files import UnreadableDialog
from ui.engine import EngineClient
from ui.window import MainWindow


def listed(window: MainWindow, qtbot: QtBot) -> UnreadableDialog:
    """The list that has just been asked for, when it is filled."""
    qtbot.waitUntil(lambda: bool(window.findChildren(UnreadableDialog)), timeout=WAIT_MS)
    dialog = window.findChildren(UnreadableDialog)[0]
    qtbot.waitUntil(lambda: "One moment" not in said(dialog), timeout=WAIT_MS)
    return dialog


def said(dialog: UnreadableDialog) -> str:
    return "\n".join(each.text() for each in dialog.findChildren(QLabel) if each.isVisible())


def cells(dialog: UnreadableDialog) -> list[list[str]]:
    (table,) = dialog.findChildren(QTableWidget)
    return [[table.item(row, column).text() for column in range(3)] for row in range(table.rowCount())]


def test_unreadable_files_are_counted_and_lead_to_their_list(
    engine: EngineClient, tmp_path: Path, qtbot: QtBot
) -> None:
    with opened(engine, tmp_path / "log.sqlite") as window:
        qtbot.waitUntil(lambda: window.bottom.unreadable == "2 of 8 unreadable", timeout=WAIT_MS)
        (button,) = (each for each in window.bottom.findChildren(QToolButton) if each.isVisible())
        assert button.accessibleName() == "2 of 8 unreadable: List the files that could not be read"
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        dialog = listed(window, qtbot)
        assert "2 of 8 files could not be read" in said(dialog)
        assert [row[0] for row in cells(dialog)] == ["broken.pdf", "plan.xls"]
        assert cells(dialog)[0][1:] == [
            "The file is damaged, or was not copied to its end.",
            "Open it in the program that wrote it and save it again, or put a good copy in its place.",
        ]
        (table,) = dialog.findChildren(QTableWidget)
        qtbot.waitUntil(table.hasFocus, timeout=WAIT_MS)
        next(each for each in dialog.findChildren(QPushButton) if each.text() == "Copy list").click()
        assert "/broken.pdf\tThe file is damaged" in QGuiApplication.clipboard().text()


def test_the_list_opens_by_its_key_from_the_search_field(engine: EngineClient, tmp_path: Path, qtbot: QtBot) -> None:
    with opened(engine, tmp_path / "log.sqlite") as window:
        qtbot.waitUntil(lambda: bool(window.bottom.unreadable), timeout=WAIT_MS)
        window.activateWindow()
        window.search_space.bar.field.setFocus()
        QTest.keyClick(window.search_space.bar.field, Qt.Key.Key_F8)
        assert len(cells(listed(window, qtbot))) == 2


def test_of_an_older_index_the_window_says_that_nothing_is_known(
    start_engine: Callable[[Path], EngineClient], tmp_path: Path, qtbot: QtBot
) -> None:
    with zipfile.ZipFile(ROOT / "tests" / "formats" / "bank-1.0.zip") as archive:
        archive.extractall(tmp_path / "bank")
    with opened(start_engine(tmp_path / "bank"), tmp_path / "log.sqlite") as window:
        qtbot.waitUntil(lambda: window.bottom.unreadable == "unreadable files not known", timeout=WAIT_MS)
        window.menu.show_unreadable()
        assert "an older BriefBank made this index" in said(listed(window, qtbot))


def test_where_all_was_read_nothing_is_said(
    start_engine: Callable[[Path], EngineClient], empty_bank: Path, folder: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    Bank.open(empty_bank).index(folder)
    with opened(start_engine(empty_bank), tmp_path / "log.sqlite") as window:
        qtbot.waitUntil(lambda: "2 briefs" in window.bottom.state, timeout=WAIT_MS)
        window.menu.show_unreadable()
        assert "All 2 files were read." in said(listed(window, qtbot))
        assert not window.bottom.unreadable


def test_a_search_that_finds_nothing_names_the_file_that_may_hold_it_and_reads_it_aloud(
    start_engine: Callable[[Path], EngineClient],
    empty_bank: Path,
    folder: Path,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (folder / "Zymurgy.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog")
    Bank.open(empty_bank).index(folder)
    told = "Zymurgy.pdf could not be read; it may hold what you look for."
    with opened(start_engine(empty_bank), tmp_path / "log.sqlite") as window:
        aloud: list[str] = []
        monkeypatch.setattr(window.bottom, "announce", aloud.append)
        ask(window, qtbot, '"zymurgy"')
        assert window.search_space.pane.state
        assert told in window.search_space.pane.state.text
        assert told in aloud[-1]
        ask(window, qtbot, '"zymurgy" or stop')
        assert told in window.search_space.pane.list.notes.explanation.text()
        assert told in aloud[-1]
