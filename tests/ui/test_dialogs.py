"""The dialogs for settings, help and about: what they show, refuse and write."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt, QUrl, qVersion
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QStyle,
    QTableWidget,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot

from briefbank import __version__
from briefbank.platform.settings import all_settings, read_settings
from briefbank.records import Query, SearchResult
from ui.dialogs.about import AboutDialog
from ui.dialogs.help import HelpDialog, sections
from ui.dialogs.index import IndexDialog
from ui.dialogs.index_job import IndexJob
from ui.dialogs.settings import SettingsDialog
from ui.engine import EngineClient
from ui.shortcuts import GROUPS
from ui.theme import LIGHT, sheet

ROOT = Path(__file__).parents[2]
Dialog = TypeVar("Dialog", bound=QDialog)
MakeDialog = Callable[[Path], SettingsDialog]


@pytest.fixture
def settings_of(qapp: QApplication, qtbot: QtBot) -> Iterator[MakeDialog]:
    """Open the settings of a bank whose engine is not running."""
    engines: list[EngineClient] = []

    def open_settings(root: Path) -> SettingsDialog:
        engine = EngineClient(root)
        engines.append(engine)
        return shown(qtbot, SettingsDialog(engine))

    yield open_settings
    for engine in engines:
        engine.close()


def shown(qtbot: QtBot, dialog: Dialog) -> Dialog:
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def control(dialog: QDialog, title: str) -> QWidget:
    kinds = (QSpinBox, QDoubleSpinBox, QLineEdit)
    return next(
        each for each in dialog.findChildren(QWidget) if isinstance(each, kinds) and each.accessibleName() == title
    )


def press(qtbot: QtBot, dialog: QDialog, text: str) -> None:
    buttons = [
        each
        for each in dialog.findChildren(QPushButton)
        if text in (each.text().replace("&", ""), each.accessibleName())
    ]
    qtbot.mouseClick(buttons[0], Qt.MouseButton.LeftButton)


def told(dialog: QDialog) -> str:
    return "\n".join(each.text() for each in dialog.findChildren(QLabel) if each.isVisibleTo(dialog))


# --- settings ---------------------------------------------------------------------------------------------------


def test_every_setting_has_a_control_with_its_value_help_and_default(settings_of: MakeDialog, empty_bank: Path) -> None:
    dialog = settings_of(empty_bank)
    settings = read_settings(empty_bank / "bank.toml")
    for setting in all_settings():
        shown_in = control(dialog, setting.title)
        value = getattr(settings, setting.name)
        assert setting.help in told(dialog)
        assert setting.help in shown_in.accessibleDescription()
        assert "Default: " in shown_in.accessibleDescription()
        if isinstance(shown_in, QLineEdit):
            assert shown_in.text() == value
        else:
            scale = 1_000_000 if setting.name.endswith("_bytes") else 1
            assert shown_in.value() == pytest.approx(value / scale)


def test_a_changed_setting_is_written_and_nothing_else_is_touched(
    settings_of: MakeDialog, empty_bank: Path, qtbot: QtBot
) -> None:
    file = empty_bank / "bank.toml"
    file.write_text(f'{file.read_text(encoding="utf-8")}\n[office]\nname = "East"\n', encoding="utf-8")
    before = tomllib.loads(file.read_text(encoding="utf-8"))
    dialog = settings_of(empty_bank)
    resolution = control(dialog, "OCR resolution")
    resolution.selectAll()
    qtbot.keyClicks(resolution, "250")
    press(qtbot, dialog, "Save")
    assert dialog.result() == QDialog.DialogCode.Accepted
    assert tomllib.loads(file.read_text(encoding="utf-8")) == {
        **before,
        "settings": {**before["settings"], "ocr_dpi": 250},
    }


def test_a_default_is_given_back_by_leaving_the_setting_out(
    settings_of: MakeDialog, empty_bank: Path, qtbot: QtBot
) -> None:
    dialog = settings_of(empty_bank)
    assert control(dialog, "Processes").value() == 1
    press(qtbot, dialog, "Processes: back to the default")
    press(qtbot, dialog, "Save")
    assert "workers" not in tomllib.loads((empty_bank / "bank.toml").read_text(encoding="utf-8"))["settings"]


def test_the_settings_are_told_in_words_of_an_office(settings_of: MakeDialog, tmp_path: Path) -> None:
    shown = told(settings_of(tmp_path))
    for jargon in ("retriever", "fusion", "Candidates", "expan", "sees at once", "'s view"):
        assert jargon not in shown, jargon


def test_no_button_of_a_dialog_has_an_icon(settings_of: MakeDialog, tmp_path: Path, qapp: QApplication) -> None:
    worn = qapp.styleSheet()
    qapp.setStyleSheet(sheet(LIGHT))
    try:
        has_icons = QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons
        settings = settings_of(tmp_path)
        for dialog in (settings, AboutDialog(), IndexDialog(IndexJob(settings._engine))):
            assert [each.text() for each in dialog.findChildren(QPushButton) if not each.icon().isNull()] == []
            box = dialog.findChildren(QDialogButtonBox)[0]
            assert not box.style().styleHint(has_icons, None, box)
    finally:
        qapp.setStyleSheet(worn)


def test_all_defaults_can_be_restored_and_nothing_is_written_before_saving(
    settings_of: MakeDialog, empty_bank: Path, qtbot: QtBot
) -> None:
    written = (empty_bank / "bank.toml").read_bytes()
    dialog = settings_of(empty_bank)
    press(qtbot, dialog, "Restore Defaults")
    assert control(dialog, "Encoder").text() == ""
    press(qtbot, dialog, "Cancel")
    assert (empty_bank / "bank.toml").read_bytes() == written


def test_no_value_beyond_its_limits_can_be_entered(settings_of: MakeDialog, empty_bank: Path) -> None:
    dialog = settings_of(empty_bank)
    for setting in all_settings():
        box = control(dialog, setting.title)
        if isinstance(box, QLineEdit):
            continue
        scale = 1_000_000 if setting.name.endswith("_bytes") else 1
        assert setting.minimum is not None
        assert box.minimum() * scale >= setting.minimum
        assert setting.maximum is None or box.maximum() * scale <= setting.maximum


def test_a_value_written_by_hand_is_kept_as_it_is(settings_of: MakeDialog, empty_bank: Path, qtbot: QtBot) -> None:
    file = empty_bank / "bank.toml"
    file.write_text(file.read_text(encoding="utf-8") + "max_file_bytes = 123456789\n", encoding="utf-8")
    dialog = settings_of(empty_bank)
    control(dialog, "Longest file").setValue(4_000)
    press(qtbot, dialog, "Save")
    assert read_settings(file).max_file_bytes == 123_456_789
    assert read_settings(file).max_pages == 4_000


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('[bank]\nformat = "1.0"\n[settings]\nocr_dip = 3\n', "ocr_dip"),
        ('[bank]\nformat = "9.0"\n', "9.0"),
        ("[bank", "bank.toml"),
    ],
)
def test_a_file_that_is_not_understood_is_told_and_never_overwritten(
    settings_of: MakeDialog, empty_bank: Path, qtbot: QtBot, content: str, problem: str
) -> None:
    (empty_bank / "bank.toml").write_text(content, encoding="utf-8")
    dialog = settings_of(empty_bank)
    assert problem in told(dialog)
    control(dialog, "OCR resolution").setValue(250)
    press(qtbot, dialog, "Save")
    assert dialog.isVisible()
    assert (empty_bank / "bank.toml").read_text(encoding="utf-8") == content


def test_settings_can_be_made_before_there_is_a_bank(settings_of: MakeDialog, tmp_path: Path, qtbot: QtBot) -> None:
    dialog = settings_of(tmp_path / "new" / "bank")
    control(dialog, "OCR languages").setText("eng+spa")
    press(qtbot, dialog, "Save")
    assert read_settings(tmp_path / "new" / "bank" / "bank.toml").ocr_language == "eng+spa"


def test_settings_cannot_be_made_where_a_file_has_the_name_of_the_bank(
    settings_of: MakeDialog, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog = settings_of(tmp_path / "bank")
    (tmp_path / "bank").write_text("no bank", encoding="utf-8")
    control(dialog, "OCR resolution").setValue(250)
    press(qtbot, dialog, "Save")
    assert dialog.isVisible()
    assert "is a file; a bank is a folder" in told(dialog)


@pytest.mark.parametrize(
    ("title", "value", "is_held"),
    [
        ("Weak matches", 1.0, lambda answer: not answer.hits),
        ("Results graded", 5, lambda answer: "Ranked without" in " ".join(answer.notices)),
        ("Rewording questions", 0.5, lambda answer: "Searched without rewording" in " ".join(answer.notices)),
    ],
)
def test_a_setting_of_the_search_holds_from_the_very_next_search_on(
    own_engine: EngineClient, qtbot: QtBot, title: str, value: float, is_held: Callable[[SearchResult], bool]
) -> None:
    query = Query("consent at a prolonged stop")
    assert not is_held(own_engine.bank.search(query).result(60))
    dialog = shown(qtbot, SettingsDialog(own_engine))
    control(dialog, title).setValue(value)
    press(qtbot, dialog, "Save")
    assert is_held(own_engine.bank.search(query).result(60))


# --- help -------------------------------------------------------------------------------------------------------


def test_the_help_is_the_guide(qtbot: QtBot) -> None:
    names = [heading for heading, _ in sections()]
    assert len(names) == len(set(names)) > 7
    for name in ("using.md", "query-syntax.md"):
        text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert text.endswith(sections()[-1][1] if name == "query-syntax.md" else sections()[-2][1])


def test_a_link_to_the_query_syntax_leads_there(qtbot: QtBot) -> None:
    dialog = shown(qtbot, HelpDialog())
    (page,) = dialog.findChildren(QTextBrowser)
    page.anchorClicked.emit(QUrl("query-syntax.md"))
    assert page.toPlainText().startswith(sections()[-1][0])


def test_the_guide_lists_every_key() -> None:
    lines = []
    for title, keys in GROUPS:
        lines += [f"**{title}**", "", "| key | what it does |", "|---|---|"]
        lines += [f"| {' or '.join(f'`{each}`' for each in key.sequences)} | {key.does} |" for key in keys]
        lines.append("")
    assert dict(sections())["Keys"].split("\n")[2:] == [*lines, ""]


def test_every_key_that_the_guide_names_does_something() -> None:
    known = {sequence for _, keys in GROUPS for each in keys for sequence in each.sequences}
    named = {name for _, text in sections() for name in re.findall(r"`(Ctrl\+[^`]+|F\d+|[A-Z0-9])`", text)}
    assert len(named) > 20
    assert named <= known


def test_the_help_warns_of_generative_ai(qtbot: QtBot) -> None:
    dialog = shown(qtbot, HelpDialog())
    dialog.show_section("Generative AI and its risks")
    (page,) = dialog.findChildren(QTextBrowser)
    text = page.toPlainText()
    for word in (
        "invent citations",
        "leave out",
        "Never rely on it",
        "Read the passage on its page",
        "policy",
        "client",
    ):
        assert word in text


def test_every_section_of_the_help_can_be_reached_by_keyboard(qtbot: QtBot) -> None:
    dialog = shown(qtbot, HelpDialog())
    (names,) = dialog.findChildren(QListWidget)
    (page,) = dialog.findChildren(QTextBrowser)
    names.setFocus()
    seen = {page.toPlainText().partition("\n")[0]}
    for _ in range(names.count() - 1):
        qtbot.keyClick(names, Qt.Key.Key_Down)
        seen.add(page.toPlainText().partition("\n")[0])
    assert seen == {names.item(row).text() for row in range(names.count())}


# --- about ------------------------------------------------------------------------------------------------------


def test_about_names_versions_and_licences(qtbot: QtBot) -> None:
    dialog = shown(qtbot, AboutDialog())
    (table,) = dialog.findChildren(QTableWidget)
    parts = {table.item(row, 0).text(): row for row in range(table.rowCount())}
    for name, version in (("BriefBank", __version__), ("Python", platform.python_version()), ("Qt", qVersion())):
        assert table.item(parts[name], 1).text() == version
    assert {"lancedb", "onnxruntime", "pymupdf", "numpy"} <= parts.keys()
    assert all(table.item(row, 2).text() for row in parts.values())
    (licence,) = dialog.findChildren(QPlainTextEdit)
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in licence.toPlainText()
    table.setCurrentCell(parts["lancedb"], 0)
    assert "Apache License" in licence.toPlainText()
    press(qtbot, dialog, "Copy versions")
    assert f"BriefBank {__version__}" in QGuiApplication.clipboard().text()


def test_about_imports_none_of_what_it_names() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import sys\nfrom ui.dialogs.about import parts\nparts()\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not {"torch", "lancedb", "onnxruntime", "pymupdf", "numpy"} & set(told.stdout.split())


# --- all of them ------------------------------------------------------------------------------------------------


def test_every_control_says_what_it_is(settings_of: MakeDialog, empty_bank: Path, qtbot: QtBot) -> None:
    for dialog in (settings_of(empty_bank), shown(qtbot, HelpDialog()), shown(qtbot, AboutDialog())):
        for widget in dialog.findChildren(QWidget):
            is_part = isinstance(widget.parent(), QAbstractSpinBox) or widget.objectName().startswith("qt_")
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and not is_part:
                name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
                assert name, f"{type(dialog).__name__}: {widget}"
