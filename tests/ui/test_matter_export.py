"""The current matter on its way to Word: the dialog, and the document that it writes."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import docx
import pytest
from matters import CTRL, SHIFT, collect, current, keeper_of, key, made, space_of
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from windows import WAIT_MS

from briefbank.matters.items import PassageItem, source_line
from briefbank.values.source_format import SourceFormat
from ui import preferences
from ui.dialogs.export_matter import ExportDialog
from ui.window import MainWindow


def dialog_of(window: MainWindow, qtbot: QtBot) -> ExportDialog:
    """Press the key that exports the current matter."""
    space = space_of(window, qtbot)
    key(window, Qt.Key.Key_E, CTRL | SHIFT)
    dialog = space.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    return dialog


def test_a_matter_is_written_to_word_in_the_format_chosen(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    collect(window, qtbot)
    (item,) = current(window).passages
    dialog = dialog_of(window, qtbot)
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


def test_the_ready_formats_are_chosen_by_their_names(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    preferences.save(preferences.Preferences(source_style=preferences.SourceStyle.SHORT))
    collect(window, qtbot)
    (item,) = current(window).passages
    dialog = dialog_of(window, qtbot)
    offered = [dialog.source_format.itemText(row) for row in range(dialog.source_format.count())]
    assert offered == ["Full", "Short", "As in a court paper"]
    assert dialog.source_format.currentText() == "Short"
    assert dialog.example.text() == source_line(item, SourceFormat.of("short"))
    dialog.source_format.setCurrentText("As in a court paper")
    with qtbot.waitSignal(dialog.exported, timeout=WAIT_MS):
        dialog.write(tmp_path / "brief.docx")
    written = [each.text for each in docx.Document(str(tmp_path / "brief.docx")).paragraphs]
    assert f"— {source_line(item, SourceFormat.of('bluebook'))}" in written


def test_a_document_whose_name_was_completed_is_not_written_over(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(window, qtbot, "one")
    (tmp_path / "brief.docx").write_text("mine", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "brief"), ""))
    dialog = dialog_of(window, qtbot)
    dialog.buttons.button(dialog.buttons.StandardButton.Save).click()
    qtbot.waitUntil(lambda: "brief.docx already" in dialog.problem.text(), timeout=WAIT_MS)
    assert (tmp_path / "brief.docx").read_text(encoding="utf-8") == "mine"
    dialog.reject()


def test_what_is_not_to_be_filed_stands_in_the_list_and_above_the_way_to_word(window: MainWindow, qtbot: QtBot) -> None:
    collect(window, qtbot)
    (entry,) = current(window).entries
    assert isinstance(entry.item, PassageItem)
    words = "Social Security number 219-40-7713 was read out."
    told = structs.replace(
        entry.item, text=words, text_sha256=sha256(words.encode()).hexdigest(), italics=None, quotes=()
    )
    keeper_of(window).add(current(window), told)
    items = space_of(window, qtbot).items.items
    spoken = [items.index(row) for row in range(2)]
    qtbot.waitUntil(
        lambda: any("219-40-7713”" in str(each.data(Qt.ItemDataRole.AccessibleTextRole)) for each in spoken),
        timeout=WAIT_MS,
    )
    dialog = dialog_of(window, qtbot)
    qtbot.waitUntil(lambda: "A Social Security number" in dialog.confidential.text(), timeout=WAIT_MS)
    assert dialog.buttons.button(dialog.buttons.StandardButton.Save).isEnabled()
