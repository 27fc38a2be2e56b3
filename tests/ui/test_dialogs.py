"""The dialogs for settings, help and about: what they show, refuse and write."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import psutil
import pytest
from hits import hit
from PySide6.QtCore import Qt, QUrl, qVersion
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QStyle,
    QTableWidget,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot
from scripted import ScriptedSummaries

from briefbank import __version__
from briefbank.values.records import SortOrder
from ui import preferences
from ui.dialogs.about import AboutDialog
from ui.dialogs.help import HelpDialog, sections
from ui.dialogs.index import IndexDialog
from ui.dialogs.settings import SettingsDialog
from ui.engine import EngineClient
from ui.index_run import IndexRun
from ui.preferences import Preferences, Scheme, SourceStyle, TextSize
from ui.shortcuts import GROUPS
from ui.theme import DARK, LIGHT, follow, sheet
from ui.wording import copy_passage

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
        return shown(qtbot, SettingsDialog(engine, ScriptedSummaries(model=None)))

    yield open_settings
    for engine in engines:
        engine.close()


def shown(qtbot: QtBot, dialog: Dialog) -> Dialog:
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


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


def choose(qtbot: QtBot, dialog: QDialog, name: str) -> None:
    """Press the radio button of that accessible name."""
    (button,) = [each for each in dialog.findChildren(QRadioButton) if each.accessibleName() == name]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.isChecked()


def test_what_is_chosen_is_kept_at_once_and_shown_when_the_settings_are_opened_again(
    settings_of: MakeDialog, empty_bank: Path, qtbot: QtBot
) -> None:
    written = (empty_bank / "bank.toml").read_bytes()
    dialog = settings_of(empty_bank)
    for name in ("Size of the text: Large", "Source of copied words: Short", "Order of results: Best match first"):
        choose(qtbot, dialog, name)
    assert preferences.load() == Preferences(
        text_size=TextSize.LARGE, source_style=SourceStyle.SHORT, order=SortOrder.RELEVANCE
    )
    again = settings_of(empty_bank)
    assert {each.accessibleName() for each in again.findChildren(QRadioButton) if each.isChecked()} == {
        "Colours: As the system",
        "Size of the text: Large",
        "Order of results: Best match first",
        "Source of copied words: Short",
    }
    assert (empty_bank / "bank.toml").read_bytes() == written, "what the office sets is not touched"


def test_an_order_chosen_in_the_search_meanwhile_is_not_overwritten(
    settings_of: MakeDialog, empty_bank: Path, qtbot: QtBot
) -> None:
    dialog = settings_of(empty_bank)
    preferences.save(Preferences(order=SortOrder.RELEVANCE))
    choose(qtbot, dialog, "Source of copied words: Short")
    assert preferences.load() == Preferences(order=SortOrder.RELEVANCE, source_style=SourceStyle.SHORT)


def test_dark_is_worn_as_soon_as_it_is_chosen(
    settings_of: MakeDialog, empty_bank: Path, qtbot: QtBot, qapp: QApplication
) -> None:
    dialog = settings_of(empty_bank)
    try:
        choose(qtbot, dialog, "Colours: Dark")
        assert dialog.grab().toImage().pixelColor(3, 3).name() == DARK.window
        choose(qtbot, dialog, "Colours: Light")
        assert dialog.grab().toImage().pixelColor(3, 3).name() == LIGHT.window
    finally:
        follow(qapp, Scheme.LIGHT)


def test_the_source_of_copied_words_is_written_as_its_example_says(
    settings_of: MakeDialog, empty_bank: Path, qtbot: QtBot
) -> None:
    dialog = settings_of(empty_bank)
    shown = hit(1)
    copied = set()
    for style, example in (
        (
            "Full",
            "State v. Renfrew, Superior Court of New Jersey, Appellate Division, No. A-1403-22 (filed 27 Feb 2024)",
        ),
        ("Short", "State v. Renfrew, No. A-1403-22, p. 17"),
        ("As in a court paper", "State v. Renfrew, No. A-1403-22, at 17 (Superior Court"),
    ):
        choose(qtbot, dialog, f"Source of copied words: {style}")
        assert f"For example: {example}" in told(dialog)
        copied.add(copy_passage(shown.passage, shown.document, ()))
    assert len(copied) == 3


def test_the_settings_tell_what_this_computer_searches(own_engine: EngineClient, qtbot: QtBot) -> None:
    dialog = shown(qtbot, SettingsDialog(own_engine, ScriptedSummaries()))
    assert str(own_engine.bank_root) in told(dialog)
    assert "Quill 3B writes summaries, on this computer alone." in told(dialog)
    qtbot.waitUntil(lambda: "6 briefs in 25 passages, indexed " in told(dialog), timeout=60_000)
    assert "2 files could not be read." in told(dialog)
    assert "As delivered" in told(dialog)


def test_the_settings_tell_how_much_memory_is_used_and_free(engine: EngineClient, qtbot: QtBot) -> None:
    dialog = shown(qtbot, SettingsDialog(engine, ScriptedSummaries()))
    used = r"BriefBank uses ([\d,.]+) (MB|GB) now; [\d,.]+ [MG]B of this computer’s [\d,.]+ [MG]B are free\."
    qtbot.waitUntil(lambda: bool(re.search(used, told(dialog))), timeout=60_000)
    found = re.search(used, told(dialog))
    assert found
    megabytes = float(found[1].replace(",", "")) * (1000 if found[2] == "GB" else 1)
    alone = psutil.Process().memory_info()
    assert megabytes * 1e6 > alone.rss - getattr(alone, "shared", 0) > 0, "its child processes count too"


def test_the_settings_say_that_there_is_no_index_and_no_model(settings_of: MakeDialog, tmp_path: Path) -> None:
    assert "in place of a summary stand the brief’s own words" in told(settings_of(tmp_path / "none"))


def test_the_settings_are_told_in_words_of_an_office(settings_of: MakeDialog, tmp_path: Path) -> None:
    shown = told(settings_of(tmp_path))
    for jargon in ("retriever", "fusion", "Candidates", "token", "encoder", "rerank", "OCR", "timeout"):
        assert jargon not in shown, jargon


def test_no_button_of_a_dialog_has_an_icon(settings_of: MakeDialog, tmp_path: Path, qapp: QApplication) -> None:
    worn = qapp.styleSheet()
    qapp.setStyleSheet(sheet(LIGHT))
    try:
        has_icons = QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons
        settings = settings_of(tmp_path)
        for dialog in (settings, AboutDialog(), IndexDialog(IndexRun(EngineClient(tmp_path)))):
            assert [each.text() for each in dialog.findChildren(QPushButton) if not each.icon().isNull()] == []
            box = dialog.findChildren(QDialogButtonBox)[0]
            assert not box.style().styleHint(has_icons, None, box)
    finally:
        qapp.setStyleSheet(worn)


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


def test_no_section_of_the_help_is_cut_off_in_the_list(qtbot: QtBot) -> None:
    dialog = shown(qtbot, HelpDialog())
    (names,) = dialog.findChildren(QListWidget)
    assert names.sizeHintForColumn(0) <= names.viewport().width()
    assert names.horizontalScrollBar().maximum() == 0


def test_the_help_warns_of_generative_ai(qtbot: QtBot) -> None:
    dialog = shown(qtbot, HelpDialog())
    (page,), (names,) = dialog.findChildren(QTextBrowser), dialog.findChildren(QListWidget)
    names.setCurrentItem(names.findItems("Generative AI and its risks", Qt.MatchFlag.MatchExactly)[0])
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
