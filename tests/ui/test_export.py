"""Feedback exported from the window: with everything, or without the names of a list that a person has read."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hits import hit, result
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLabel, QLineEdit, QPushButton, QRadioButton
from pytestqt.qtbot import QtBot

from briefbank.judgements.feedback.sources import read_source
from ui.dialogs.export import ExportDialog
from ui.engine import EngineClient
from ui.recorder import Recorder

WAIT_MS = 60_000
ASKED = "Was the stop of Marcus Webb prolonged"
EVERYTHING = "Names of people: As they are"
A_LIST = "Names of people: First write a list of the names that would go"
WITHOUT = "Names of people: Without the names of a list that I have read"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with a question that names a client, a judgement and a comment."""
    path = tmp_path / "feedback.sqlite"
    recorder = Recorder(path)
    found = result(ASKED, 1, 2)
    search_id = recorder.searched(found, found.hits)
    recorder.judge(search_id, hit(1), relevant=True)
    recorder.comment(search_id, "Just as in Mr. Webb's case.")
    assert recorder.close() == 0
    return path


@pytest.fixture
def dialog(engine: EngineClient, log: Path, qtbot: QtBot) -> ExportDialog:
    made = ExportDialog(engine, log)
    qtbot.addWidget(made)
    made.show()
    return made


def told(dialog: QDialog) -> str:
    return "\n".join(each.text() for each in dialog.findChildren(QLabel))


def export(dialog: ExportDialog, qtbot: QtBot, names: str, *files: Path, form: str = "") -> None:
    """Choose, press Export, answer the questions for files one after the other, and wait for what comes of it."""
    for name in filter(None, (names, form)):
        (button,) = [each for each in dialog.findChildren(QRadioButton) if each.accessibleName() == name]
        button.click()
    for number, path in enumerate(files):
        QTimer.singleShot(300 * (number + 1), lambda path=path: _answer(path))
    (start,) = [each for each in dialog.findChildren(QPushButton) if each.text() == "Export …"]
    qtbot.mouseClick(start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(start.isEnabled, timeout=WAIT_MS)


def _answer(path: Path) -> None:
    asking = QApplication.activeModalWidget()
    assert isinstance(asking, QFileDialog)
    asking.findChildren(QLineEdit)[0].setText(str(path))
    asking.accept()


def test_the_export_says_what_is_in_it_and_writes_a_table(dialog: ExportDialog, qtbot: QtBot, tmp_path: Path) -> None:
    assert "Your questions" in told(dialog)
    assert "may hold names of clients" in told(dialog)
    out = tmp_path / "feedback.csv"
    export(dialog, qtbot, EVERYTHING, out)
    assert f"2 lines written to {out}." in told(dialog)
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["query"], row["is_relevant"]) for row in rows] == [(ASKED, "1"), (ASKED, "")]


def test_what_is_exported_for_merging_can_be_read_again(
    dialog: ExportDialog, qtbot: QtBot, log: Path, tmp_path: Path
) -> None:
    out = tmp_path / "feedback.jsonl"
    export(dialog, qtbot, EVERYTHING, out, form="Form: For IT staff, to be put together with others’ (JSON lines)")
    assert read_source(out).events == read_source(log).events


def test_a_file_that_is_there_is_never_written_over(dialog: ExportDialog, qtbot: QtBot, tmp_path: Path) -> None:
    out = tmp_path / "brief.csv"
    out.write_text("a brief", encoding="utf-8")
    export(dialog, qtbot, EVERYTHING, out)
    assert str(out) in told(dialog)
    assert "written to" not in told(dialog)
    assert out.read_text(encoding="utf-8") == "a brief"


def test_names_go_only_by_a_list_that_was_written_before(dialog: ExportDialog, qtbot: QtBot, tmp_path: Path) -> None:
    names, out = tmp_path / "names.csv", tmp_path / "feedback.csv"
    export(dialog, qtbot, A_LIST, names)
    assert "Nothing is exported yet." in told(dialog)
    assert "The list names your clients" in told(dialog)
    assert "Webb" in names.read_text(encoding="utf-8-sig")
    assert not out.exists()
    export(dialog, qtbot, WITHOUT, names, out)
    exported = out.read_text(encoding="utf-8-sig")
    assert "lines written to" in told(dialog)
    assert "Was the stop of" in exported
    assert "Webb" not in exported


def test_a_name_that_the_list_lacks_goes_all_the_same_and_is_told(
    dialog: ExportDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    names, out = tmp_path / "names.csv", tmp_path / "feedback.csv"
    names.write_text("remove,kind,text,count\n", encoding="utf-8")
    export(dialog, qtbot, WITHOUT, names, out)
    assert "went too that the list does not hold" in told(dialog)
    assert "Webb" not in out.read_text(encoding="utf-8-sig")


def test_a_list_that_is_none_is_refused_by_name(dialog: ExportDialog, qtbot: QtBot, tmp_path: Path) -> None:
    wrong, out = tmp_path / "shopping.csv", tmp_path / "feedback.csv"
    wrong.write_text("milk,eggs\n", encoding="utf-8")
    export(dialog, qtbot, WITHOUT, wrong, out)
    assert "shopping.csv" in told(dialog)
    assert not out.exists()
