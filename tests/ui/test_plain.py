"""Nothing that is shown is rendered: HTML in any field stands there as it was written, and loads and opens nothing."""

from __future__ import annotations

import csv
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import office
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QLabel, QListWidget, QMenu, QTableWidget, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from scripted import ScriptedSummaries
from windows import answered, ask, opened

from briefbank.cli.main import main
from briefbank.values.records import Query
from briefbank.values.summaries import SummaryPart
from ui.dialogs.files import FileRow, FilesView
from ui.engine import EngineClient
from ui.plain import ElidedLabel, PlainLabel, button_text, set_tool_tip, warning_box
from ui.reading.guarded_text import GuardedText
from ui.reading.history import place_of
from ui.search.card_parts import SourceLabel
from ui.search.excerpt import rich
from ui.theme import colours

UI = Path(__file__).parents[2] / "ui"
MARKUP = '<b>bold</b> <img src="file:///etc/hostname"> <a href="file:///etc/passwd">go</a> &amp; & <qt>'
IN_A_NAME = MARKUP.replace("/", "|")


def rendered(text: str) -> str:
    """What Qt shows of rich text, an image as a character of its own."""
    document = QTextDocument()
    document.setHtml(text)
    return document.toPlainText()


@pytest.fixture
def hostile_engine(start_engine: Callable[[Path], EngineClient], tmp_path: Path) -> EngineClient:
    """An engine over a brief that holds markup in whatever is shown of it, and an alert that does."""
    folder, bank = tmp_path / "briefs", office.write_bank(tmp_path / "bank")
    for number, day in enumerate(("May 4, 2018", "May 4, 2019")):
        text = office.brief("Quince", "A-1482-17", day, (f"THE STOP {MARKUP}", f"{office.STOP} {MARKUP}"))
        office.write_text(folder / f"{number}{IN_A_NAME}.txt", text)
    quoted = '"' + MARKUP.replace('"', '""') + '"'
    rows = [
        f'"{number}{IN_A_NAME.replace(chr(34), chr(34) * 2)}.txt",{",".join([f"{quoted}"] * 5)}' for number in range(2)
    ]
    (folder / "briefbank.csv").write_text(
        "\n".join(["file,title,court,docket,author,outcome", *rows]), encoding="utf-8"
    )
    (bank / "alerts.csv").write_text(
        f'authority,says,source\n"State v. Carty, 170 N.J. 632 (2002)",{quoted},{quoted}\n', encoding="utf-8"
    )
    assert main(["index", str(folder), "--bank", str(bank), "--quiet"]) == 0
    return start_engine(bank)


def assert_plain(root: QWidget) -> None:
    """Check every label, tip, list, table and menu below a widget."""
    for widget in (root, *root.findChildren(QWidget)):
        tip = widget.toolTip()
        assert "<b>bold</b>" not in tip
        assert "<img" not in tip
        if isinstance(widget, SourceLabel):
            assert "<img" not in widget.text()
            assert set(re.findall(r'href="([^"]*)"', widget.text())) <= {"whole"}
        elif isinstance(widget, QLabel) and widget.text():
            assert widget.textFormat() is Qt.TextFormat.PlainText, widget.text()
            assert not widget.openExternalLinks()
        if isinstance(widget, QTableWidget):
            items = (
                widget.item(row, column) for row in range(widget.rowCount()) for column in range(widget.columnCount())
            )
            assert not any("<img" in item.toolTip() for item in items if item)


def shown(root: QWidget) -> str:
    """All words of the labels, buttons, lists and menus below a widget, rich ones as Qt shows them."""
    parts = []
    for widget in root.findChildren(QWidget):
        if isinstance(widget, SourceLabel):
            parts.append(rendered(widget.text()).replace("\u200b", ""))
        elif isinstance(widget, QLabel | QToolButton):
            parts.append(widget.text())
        elif isinstance(widget, QMenu):
            parts += [action.text().replace("&&", "&") for action in widget.actions()]
        elif isinstance(widget, QListWidget):
            parts += [widget.item(row).text() for row in range(widget.count())]
    return "\n".join(parts)


def test_markup_in_any_field_is_shown_as_it_was_written(
    hostile_engine: EngineClient, tmp_path: Path, qtbot: QtBot
) -> None:
    with opened(hostile_engine, tmp_path / "feedback.sqlite") as window:
        ask(window, qtbot, f"prolonged stop {MARKUP}")
        answered(window, qtbot)
        window.search_space._recorder.save_search(MARKUP, Query(MARKUP))
        qtbot.waitUntil(lambda: any(MARKUP in action.text().replace("&&", "&") for action in saved(window)))
        card = window.search_space.pane.list.cards[0]
        card.toggle_context()
        card.summary.toggle()
        window.search_space.page.go_to(place_of(card.hit))
        window.bottom.show_message(MARKUP)
        for button in window.search_space.filter_bar.findChildren(QToolButton):
            button.click()
        qtbot.waitUntil(lambda: MARKUP in window.search_space.page.title.text())
        assert_plain(window)
        text = shown(window)
        for part in (f": {MARKUP} (office's list, {MARKUP})", f"{MARKUP}  (2)", f"THE STOP {MARKUP}"):
            assert part in text, part
        assert text.count(MARKUP) > 8
        window.search_space.ask_like(card.hit)
        answered(window, qtbot)
        assert_plain(window)
        assert f"Like: {MARKUP}" in shown(window)
        QApplication.closeAllWindows()


def saved(window: QWidget) -> Iterator[object]:
    yield from window.search_space.bar.saved.menu().actions()  # type: ignore[attr-defined]


def test_a_search_that_fails_tells_its_words_as_they_are(
    hostile_engine: EngineClient, tmp_path: Path, qtbot: QtBot
) -> None:
    with opened(hostile_engine, tmp_path / "feedback.sqlite") as window:
        ask(window, qtbot, f"({MARKUP} /s stop")
        answered(window, qtbot)
        assert window.search_space.pane.state
        assert_plain(window)
        ask(window, qtbot, f'"{IN_A_NAME.replace(chr(34), "")} xyzzy"')
        answered(window, qtbot)
        assert_plain(window)


def test_names_of_files_are_told_as_they_are(qtbot: QtBot) -> None:
    view = FilesView("list.csv")
    qtbot.addWidget(view)
    view.show_rows([FileRow(f"/briefs/{MARKUP}\u202efdp.exe", MARKUP, MARKUP)])
    table = view.findChildren(QTableWidget)[0]
    first = table.item(0, 0)
    assert first.text() == rf"/briefs/{MARKUP}\u202efdp.exe"
    assert rendered(first.toolTip()) == first.text()
    assert_plain(view)


def test_a_saved_list_holds_no_formula_and_is_for_its_owner_alone(qtbot: QtBot, tmp_path: Path) -> None:
    view = FilesView("list.csv")
    qtbot.addWidget(view)
    view.show_rows([FileRow("=cmd|' /C calc'!A0.pdf", "-1", "+2")])
    view.save(tmp_path / "list.csv")
    with (tmp_path / "list.csv").open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file))[1] == ["'=cmd|' /C calc'!A0.pdf", "'-1", "'+2"]
    assert stat.S_IMODE((tmp_path / "list.csv").stat().st_mode) == 0o600


def test_a_label_a_tip_and_a_box_show_what_they_are_given(qtbot: QtBot) -> None:
    label, line = PlainLabel(MARKUP), ElidedLabel()
    for each in (label, line):
        qtbot.addWidget(each)
    line.setText(f"{MARKUP}\n\u202eline")
    assert label.text() == MARKUP
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert line.text() == rf"{MARKUP}\x0a\u202eline"
    set_tool_tip(label, f"one {MARKUP}\ntwo")
    assert rendered(label.toolTip()) == f"one {MARKUP}\ntwo"
    set_tool_tip(label, "")
    assert not label.toolTip()
    box = warning_box(None, MARKUP, MARKUP, MARKUP)
    qtbot.addWidget(box)
    assert {each.textFormat() for each in box.findChildren(QLabel) if each.text() == MARKUP} == {
        Qt.TextFormat.PlainText
    }
    assert button_text("R&D\tCtrl+X") == r"R&&D\x09Ctrl+X"


def test_words_of_a_passage_are_escaped_around_our_own_marks(qapp: QApplication) -> None:
    text = f"stop {MARKUP} stop\u202e"
    written = rich(text, [], office_span(text), colours())
    assert rendered(written) == text.replace("\u202e", r"\u202e")


def office_span(text: str) -> object:
    from briefbank.values.records import Span

    return Span(0, len(text))


def test_a_summary_is_shown_as_it_was_written(qtbot: QtBot) -> None:
    guarded = GuardedText()
    qtbot.addWidget(guarded)
    guarded.add(SummaryPart(MARKUP, doubt=MARKUP))
    assert guarded._document.toPlainText() == f"{MARKUP} [Not in the source: {MARKUP}]"
    assert ScriptedSummaries(model=None).model() is None


def test_a_summary_shows_control_and_direction_characters_as_codes(qtbot: QtBot) -> None:
    guarded = GuardedText()
    qtbot.addWidget(guarded)
    guarded.add(SummaryPart("The \u202estop\u2066 and\x1b", doubt="a \u200fcase\x9b"))
    told = r"The \u202estop\u2066 and\x1b [Not in the source: a \u200fcase\x9b]"
    assert guarded._document.toPlainText() == told
    assert guarded.accessibleName().endswith(told)


@pytest.mark.parametrize("made", [r"(?<!class )(?<![\w.])Q(?:Label|MessageBox)\(", r"\.setToolTip\(", r"AutoText"])
def test_every_label_tip_and_box_is_made_in_one_module(made: str) -> None:
    found = [
        f"{path.relative_to(UI)}: {line}"
        for path in UI.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if path.name != "plain.py" and re.search(made, line) and not line.startswith("class ")
    ]
    assert not found


def test_no_key_is_written_out_beside_the_one_table() -> None:
    written = re.compile(r"\bCtrl\+|[\"(]F1\b|\((?:Enter|[A-Z])\)\"")
    found = [
        f"{path.relative_to(UI)}: {line.strip()}"
        for path in UI.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if path.name != "shortcuts.py" and written.search(line)
    ]
    assert not found
