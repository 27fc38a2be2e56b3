"""Indexing from the window, with a real index run in its own process."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import office
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QProgressBar, QPushButton, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from briefbank.bank.port import EngineState
from briefbank.errors import CancelledError
from briefbank.platform.layout import Layout
from briefbank.platform.lock import writer_lock
from briefbank.platform.progress import Progress
from briefbank.values.records import Query
from briefbank.values.source_files import OFFICE_SUFFIXES, SUPPORTED_SUFFIXES
from ui.dialogs.index import IndexDialog
from ui.engine import EngineClient
from ui.index_run import IndexRun, progress_line

WAIT_MS = 120_000
StartEngine = Callable[[Path], EngineClient]


def button(dialog: QWidget, text: str) -> QPushButton:
    return next(each for each in dialog.findChildren(QPushButton) if each.text() == text)


def shown(dialog: QWidget) -> str:
    return "\n".join(each.text() for each in dialog.findChildren(QLabel) if each.isVisible())


def rows(dialog: QWidget) -> list[list[str]]:
    (table,) = dialog.findChildren(QTableWidget)
    return [[table.item(row, column).text() for column in range(3)] for row in range(table.rowCount())]


def open_dialog(qtbot: QtBot, index_run: IndexRun, folder: Path | None = None) -> IndexDialog:
    dialog = IndexDialog(index_run)
    qtbot.addWidget(dialog)
    dialog.show()
    if folder:
        field = dialog.findChildren(QLineEdit)[0]
        field.clear()
        qtbot.keyClicks(field, str(folder))
    return dialog


def run(qtbot: QtBot, dialog: IndexDialog, index_run: IndexRun) -> None:
    qtbot.mouseClick(button(dialog, "Start indexing"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: index_run.has_ended, timeout=WAIT_MS)


def test_every_kind_of_file_that_is_read_is_named_and_nothing_starts_without_a_folder(
    engine: EngineClient, qtbot: QtBot
) -> None:
    dialog = open_dialog(qtbot, IndexRun(engine))
    assert not button(dialog, "Start indexing").isEnabled()
    told = shown(dialog)
    assert [each for each in SUPPORTED_SUFFIXES if each.removeprefix(".").upper() not in told] == []
    always, _, with_libreoffice = told.partition("where LibreOffice is installed")
    for suffix in SUPPORTED_SUFFIXES:
        assert suffix.removeprefix(".").upper() in (with_libreoffice if suffix in OFFICE_SUFFIXES else always)


def test_a_folder_is_indexed_into_an_empty_bank_and_searched(
    start_engine: StartEngine, empty_bank: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = start_engine(empty_bank)
    index_run = IndexRun(engine)
    told: list[Progress] = []
    index_run.changed.connect(lambda: told.append(index_run.progress))
    folder = office.write_library(tmp_path / "briefs")
    dialog = open_dialog(qtbot, index_run, folder)
    assert "not changed, moved or copied" in shown(dialog)
    run(qtbot, dialog, index_run)

    assert {"looking", "reading"} <= {each.stage for each in told}
    assert index_run.report
    report = index_run.report
    assert f"{report.indexed} indexed, 0 unchanged, 0 removed, {len(report.failures)} failed" in shown(dialog)
    failed = {Path(failure.path).name: failure for failure in index_run.report.failures}
    assert "broken.pdf" in failed
    assert [failed["broken.pdf"].path, failed["broken.pdf"].error, failed["broken.pdf"].advice] in rows(dialog)
    hits = engine.bank.search(Query("prolonged stop")).result(60).hits
    assert hits

    qtbot.mouseClick(button(dialog, "Copy list"), Qt.MouseButton.LeftButton)
    copied = list(csv.reader(QGuiApplication.clipboard().text().splitlines(), "excel-tab"))
    assert copied == [["File", "Why", "What to do"], *rows(dialog)]
    target = tmp_path / "list.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    qtbot.mouseClick(button(dialog, "Save list …"), Qt.MouseButton.LeftButton)
    with target.open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file)) == copied
    assert str(target) in shown(dialog)

    again = open_dialog(qtbot, IndexRun(engine))
    assert again.findChildren(QLineEdit)[0].text() == str(folder)


def test_a_run_goes_on_when_its_dialog_is_closed_and_searching_goes_on_too(
    own_engine: EngineClient, folder: Path, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: own_engine.notice.state is EngineState.READY, timeout=WAIT_MS)
    before = own_engine.notice.generation
    assert before
    index_run = IndexRun(own_engine)
    dialog = open_dialog(qtbot, index_run, folder)
    qtbot.mouseClick(button(dialog, "Start indexing"), Qt.MouseButton.LeftButton)
    assert index_run.is_running
    dialog.reject()
    assert not dialog.isVisible()
    index_run.start(folder)  # one at a time: this does nothing
    assert own_engine.bank.search(Query("consent")).result(60).hits
    assert index_run.is_running
    qtbot.waitUntil(lambda: index_run.has_ended, timeout=WAIT_MS)
    assert index_run.report
    assert index_run.report.indexed == 2
    reopened = open_dialog(qtbot, index_run)
    assert "2 indexed" in shown(reopened)
    qtbot.waitUntil(lambda: own_engine.notice.generation == index_run.report.generation, timeout=WAIT_MS)
    assert index_run.report.generation != before
    documents = own_engine.bank.documents().result(60)
    assert folder in {Path(each.source_path).parent for each in documents}


def test_stopping_keeps_what_was_read_and_says_how_to_go_on(
    start_engine: StartEngine, empty_bank: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    for number in range(60):
        text = office.brief(f"Person {number}", f"A-{number:04}-20", "May 4, 2018", (f"POINT {number}.", office.STOP))
        office.write_text(tmp_path / "many" / f"{number}.txt", text)
    index_run = IndexRun(start_engine(empty_bank))
    dialog = open_dialog(qtbot, index_run, tmp_path / "many")
    qtbot.mouseClick(button(dialog, "Start indexing"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: index_run.progress.files_done > 0, timeout=WAIT_MS)
    (bar,) = dialog.findChildren(QProgressBar)
    assert (bar.maximum(), bar.value()) == (60, index_run.progress.files_done)
    assert "of 60 files" in shown(dialog)
    qtbot.waitUntil(lambda: ".txt" in shown(dialog), timeout=WAIT_MS)
    qtbot.mouseClick(button(dialog, "Stop"), Qt.MouseButton.LeftButton)
    assert "Stopping after the file it is at" in shown(dialog)
    assert not button(dialog, "Stop").isEnabled()
    qtbot.waitUntil(lambda: index_run.has_ended, timeout=WAIT_MS)
    assert isinstance(index_run.error, CancelledError)
    assert shown(dialog).count("Stopped. What was read is kept") == 1
    assert button(dialog, "Start indexing").isVisible()


def test_a_bank_that_another_program_writes_to_is_told_with_advice(
    start_engine: StartEngine, empty_bank: Path, folder: Path, qtbot: QtBot
) -> None:
    index_run = IndexRun(start_engine(empty_bank))
    dialog = open_dialog(qtbot, index_run, folder)
    with writer_lock(Layout(empty_bank).lock_file):
        run(qtbot, dialog, index_run)
    assert index_run.error
    assert "Another program is writing to this bank" in shown(dialog)
    assert index_run.error.advice in shown(dialog)
    assert not dialog.findChildren(QTableWidget)[0].isVisible()


def test_files_that_failed_are_read_again_when_asked(
    start_engine: StartEngine, empty_bank: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = tmp_path / "briefs"
    office.write_text(folder / "lorne.txt", office.brief("Petra Lorne", "A-0311-04T2", "March 3, 2005", ("A.", "B.")))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog")
    index_run = IndexRun(start_engine(empty_bank))
    read = []
    index_run.changed.connect(lambda: read.append(index_run.progress.files_total))
    dialog = open_dialog(qtbot, index_run, folder)
    run(qtbot, dialog, index_run)
    read.clear()
    dialog.findChildren(QWidget, "retry")[0].click()
    run(qtbot, dialog, index_run)
    assert 1 in read


@pytest.mark.parametrize(
    ("progress", "line"),
    [
        (Progress("looking"), ""),
        (Progress("reading", 3, 40, 0), "3 of 40 files"),
        (
            Progress("reading", 1_200, 3_415, 25_000, 2, 100.0, 7_500.0),
            "1,200 of 3,415 files · 25,000 pages · 250.0 pages a second · 2 failed · 2 h 5 min left",
        ),
        (Progress("reading", 3, 4, 9, 0, 2.0, 20.0), "3 of 4 files · 9 pages · 20 s left"),
    ],
)
def test_progress_reads_as_one_line(progress: Progress, line: str) -> None:
    assert progress_line(progress) == line
