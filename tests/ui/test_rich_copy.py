"""A passage on the clipboard with the italics of its page: as HTML and as RTF, beside the plain text."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import office
import pymupdf
import pytest
from program import ROOT
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from windows import WAIT_MS, ask, go_to_space, opened, press

from briefbank.bank.local import Bank
from briefbank.values.pages import Typography
from briefbank.values.printed_words import ParagraphRole, paragraphs
from briefbank.values.records import Span
from ui.clipboard import RTF, as_html, as_plain, as_rtf
from ui.engine import EngineClient
from ui.matters.space import MattersSpace

TEXT = "As State v. Carty, 170 N.J. 632, has it: <b>5 & {6}</b> “§ 7” \\par \U0001d11e.\n\nSee Terry.\nSo there."
ITALICS = (Span(3, 17), Span(TEXT.index("Terry"), TEXT.index("Terry") + 5))
ITALIC_WORDS = ["State v. Carty", "Terry"]


def italics_in(document: QTextDocument) -> list[str]:
    found, block = [], document.begin()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            if pieces.fragment().charFormat().fontItalic():
                found.append(pieces.fragment().text())
            pieces += 1
        block = block.next()
    return found


def test_the_html_has_the_words_and_their_italics_and_no_markup_of_the_text(qapp: QApplication) -> None:
    document = QTextDocument()
    document.setHtml(as_html(TEXT, Typography(ITALICS), [*paragraphs(TEXT)]))
    words = document.toPlainText().replace("\u2028", "\n")
    assert words.split("\n") == [line for line in TEXT.split("\n") if line]
    assert italics_in(document) == ITALIC_WORDS


def test_italics_that_go_on_in_the_next_paragraph_stay_italic(qapp: QApplication) -> None:
    document = QTextDocument()
    document.setHtml(as_html("a\n\nb", Typography((Span(0, 4),)), [*paragraphs("a\n\nb")]))
    assert italics_in(document) == ["a", "b"]


@pytest.mark.parametrize("form", [as_plain, lambda text, blocks: as_html(text, Typography(), blocks)])
def test_a_quotation_stays_one_and_a_heading_is_none_of_the_brief_s_words(form: Callable[[str, Any], str]) -> None:
    text = "POINT I\n\nAs Carty has it:\n\nConsent must be\nknowing.\n\nSo it must."
    blocks = [*paragraphs(text, [Span(text.index("Consent"), text.index("\n\nSo"))], ["Point I"])]
    other = ParagraphRole.TEXT
    assert [role for _, role in blocks] == [ParagraphRole.HEADING, other, ParagraphRole.QUOTATION, other]
    quoted = {
        "\n\n    Consent must be\n    knowing.\n\nSo",
        "<blockquote><p>Consent must be<br>knowing.</p></blockquote>",
    }
    assert any(each in form(text, blocks) for each in quoted)


@pytest.mark.skipif(not shutil.which("soffice"), reason="needs LibreOffice")
def test_the_rtf_is_read_by_a_program_that_writes_documents(tmp_path: Path) -> None:
    blocks = [*paragraphs(TEXT, [Span(TEXT.index("See"), len(TEXT))])]
    (tmp_path / "copied.rtf").write_text(as_rtf(TEXT, Typography(ITALICS), blocks), encoding="ascii")
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    words = ["soffice", profile, "--headless", "--convert-to", "docx", "--outdir", str(tmp_path)]
    subprocess.run([*words, str(tmp_path / "copied.rtf")], check=True, capture_output=True, timeout=200)
    written = docx.Document(str(tmp_path / "copied.docx"))
    own, quotation = written.paragraphs
    assert f"{own.text}\n\n{quotation.text}" == TEXT
    assert ['w:start="720" w:end="720"' in each._p.xml for each in (own, quotation)] == [False, True]
    runs = [run for paragraph in written.paragraphs for run in paragraph.runs]
    assert [run.text for run in runs if run.italic] == ITALIC_WORDS


PROGRAM = """
from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from hits import result
from briefbank.values.records import Span
from briefbank.values.pages import Typography
from ui import clipboard as rich_copy

class Bank:
    def typography(self, passage_id, text):
        return passage_id

class Engine:
    bank = Bank()
    def ask(self, _future, on_done, *, parent):
        on_done(Typography((Span(0, 7),)))

app, passage = QApplication([]), result("x", 1).hits[0].passage
rich_copy.copy_with_italics(passage.text, passage, Engine(), QObject())
assert QGuiApplication.clipboard().mimeData().hasHtml()
print("copied")
"""


def test_a_program_that_ends_with_italics_on_the_clipboard_ends_well() -> None:
    """Qt deletes what is on the clipboard after Python is gone."""
    folders = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    environment = {**os.environ, "PYTHONPATH": folders}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stdout) == (0, "copied\n"), done.stderr


def test_a_copied_result_carries_the_italics_of_its_page(
    start_engine: Callable[[Path], EngineClient], qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "files").mkdir()
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text((72, 100), "The stop was held too long, as the court had it in", fontname="tiro", fontsize=12)
        page.insert_text((72, 116), "State v. Carty, 170 N.J. 632,", fontname="tiit", fontsize=12)
        page.insert_text((72, 132), "and consent that was asked for then is no consent.", fontname="tiro", fontsize=12)
        pdf.save(tmp_path / "files" / "carty.pdf")
    bank = office.write_bank(tmp_path / "bank")
    Bank.open(bank).index(tmp_path / "files")
    with opened(start_engine(bank), tmp_path / "feedback.sqlite") as window:
        ask(window, qtbot, "was the stop too long")
        window.search_space.pane.list.take_focus()
        focused = window.focusWidget()
        assert focused
        QTest.keyClick(focused, Qt.Key.Key_C)
        clipboard = QGuiApplication.clipboard()
        plain = clipboard.text()
        qtbot.waitUntil(lambda: clipboard.mimeData().hasHtml(), timeout=WAIT_MS)
        assert clipboard.text() == plain
        document = QTextDocument()
        document.setHtml(clipboard.mimeData().html())
        assert italics_in(document) == ["State v. Carty, 170 N.J. 632,"]
        window._matters.make("Renfrew")
        QTest.keyClick(focused, Qt.Key.Key_A)
        qtbot.waitUntil(lambda: bool(window._matters.current.passages), timeout=WAIT_MS)
        (item,) = window._matters.current.passages
        assert [item.text[slice(*span)] for span in item.italics] == ["State v. Carty, 170 N.J. 632,"]
        assert b"{\\i State v. Carty" in clipboard.mimeData().data(RTF).data()


def test_the_number_of_a_note_stays_raised_in_all_words_that_are_copied_or_kept(
    start_engine: Callable[[Path], EngineClient], qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "files").mkdir()
    before, behind = "The trooper stopped the car without a sign.", "The stop took 16 minutes, and was too long."
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text((72, 100), before, fontname="tiro", fontsize=12)
        x = 72 + pymupdf.Font("tiro").text_length(before, 12)
        page.insert_text((x, 96), "16", fontname="tiro", fontsize=7)
        page.insert_text((x + 10, 100), behind, fontname="tiro", fontsize=12)
        pdf.save(tmp_path / "files" / "stop.pdf")
    bank = office.write_bank(tmp_path / "bank")
    Bank.open(bank).index(tmp_path / "files")
    words = f"{before}¹⁶ {behind}"
    with opened(start_engine(bank), tmp_path / "feedback.sqlite") as window:
        ask(window, qtbot, "was the stop too long")
        clipboard = QGuiApplication.clipboard()
        press(window, Qt.Key.Key_C)
        qtbot.waitUntil(lambda: clipboard.text().startswith(words), timeout=WAIT_MS)
        window._matters.make("Renfrew")
        press(window, Qt.Key.Key_A)
        qtbot.waitUntil(lambda: bool(window._matters.current.passages), timeout=WAIT_MS)
        assert window._matters.current.passages[0].text == words
        view = window.search_space.page.view
        qtbot.waitUntil(lambda: 1 in view.loader.texts, timeout=WAIT_MS)
        view.setFocus()
        QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert clipboard.text() == words
        space = go_to_space(window, qtbot, Qt.Key.Key_4, MattersSpace)
        qtbot.waitUntil(lambda: space.page.view.pages is not None, timeout=WAIT_MS)
        assert "renewed" not in window.bottom.state, "the index holds the same words"
