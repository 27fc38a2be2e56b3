"""Pages printed as they were filed: what comes out on paper, what is refused, and how it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pymupdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QLineEdit, QRadioButton, QSpinBox
from pytestqt.qtbot import QtBot

from briefbank.errors import SourceError
from briefbank.values.records import Document
from ui.engine import EngineClient
from ui.reading.history import Place
from ui.reading.panel import PagePanel
from ui.reading.printing import print_pages

_WAIT_MS = 60_000


def document(engine: EngineClient, name: str) -> Document:
    return next(each for each in engine.bank.documents().result(60) if each.source_path.endswith(name))


@pytest.fixture
def show(engine: EngineClient, qtbot: QtBot) -> Callable[[str], PagePanel]:
    def show(name: str) -> PagePanel:
        panel = PagePanel(engine)
        qtbot.addWidget(panel)
        panel.resize(700, 600)
        with qtbot.waitExposed(panel):
            panel.show()
        shown = document(engine, name)
        panel.go_to(Place(shown, engine.bank.passage(f"{shown.id}-0000").result(60).passage))
        qtbot.waitUntil(lambda: panel.view.pages is not None, timeout=_WAIT_MS)
        panel.view.setFocus()
        return panel

    return show


def press_print(panel: PagePanel, qtbot: QtBot) -> QPrintDialog:
    qtbot.keyClick(panel.view, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    dialog = panel.printing.dialog
    assert dialog is not None
    return dialog


def child(dialog: QPrintDialog, kind: type, name: str):
    found = dialog.findChild(kind, name)
    assert found is not None, name
    return found


def is_alike(page: pymupdf.Page, filed: pymupdf.Page) -> bool:
    """Whether a printed page, which is a picture, shows the same ink as the filed one."""
    one, other = (each.get_pixmap(dpi=40, colorspace=pymupdf.csGRAY) for each in (page, filed))
    assert (one.width, one.height) == (other.width, other.height)
    differing = sum(abs(a - b) > 96 for a, b in zip(one.samples, other.samples, strict=True))
    return differing < 0.01 * len(one.samples)


def test_the_pages_chosen_are_printed_as_they_were_filed(
    show: Callable[[str], PagePanel], engine: EngineClient, tmp_path: Path, qtbot: QtBot
) -> None:
    panel, out = show("quince.pdf"), tmp_path / "printed.pdf"
    dialog = press_print(panel, qtbot)
    child(dialog, QLineEdit, "filename").setText(str(out))
    child(dialog, QRadioButton, "printRange").setChecked(True)
    child(dialog, QSpinBox, "to").setValue(2)
    child(dialog, QSpinBox, "from").setValue(2)
    dialog.accept()
    assert panel.printing.isVisible()
    assert "Printing" in panel.printing.said.text()
    qtbot.waitUntil(panel.printing.isHidden, timeout=_WAIT_MS)
    with pymupdf.open(out) as printed, pymupdf.open(document(engine, "quince.pdf").source_path) as filed:
        assert printed.page_count == 1
        assert is_alike(printed[0], filed[1])
        assert not is_alike(printed[0], filed[0])


def test_without_a_choice_the_whole_brief_is_printed(
    show: Callable[[str], PagePanel], tmp_path: Path, qtbot: QtBot
) -> None:
    panel, out = show("quince.pdf"), tmp_path / "printed.pdf"
    dialog = press_print(panel, qtbot)
    child(dialog, QLineEdit, "filename").setText(str(out))
    dialog.accept()
    qtbot.waitUntil(panel.printing.isHidden, timeout=_WAIT_MS)
    with pymupdf.open(out) as printed:
        assert printed.page_count == 2


def test_a_dialog_that_is_closed_prints_nothing(show: Callable[[str], PagePanel], qtbot: QtBot) -> None:
    panel = show("quince.pdf")
    press_print(panel, qtbot).reject()
    assert panel.printing.isHidden()
    press_print(panel, qtbot).reject()


def test_a_text_that_was_set_anew_is_not_printed_as_if_it_were_filed(
    show: Callable[[str], PagePanel], qtbot: QtBot
) -> None:
    panel = show("memo-lineups.md")
    qtbot.keyClick(panel.view, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert panel.printing.dialog is None
    assert "open the original" in panel.printing.said.text()
    panel.printing.button.click()
    assert panel.printing.isHidden()


def test_a_printing_that_is_cancelled_or_fails_leaves_no_half_brief(engine: EngineClient, tmp_path: Path) -> None:
    quince = document(engine, "quince.pdf")

    def printed(numbers: list[int], cancelled: Event, told: list[int]) -> Path:
        out = tmp_path / f"{len(list(tmp_path.iterdir()))}.pdf"
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setOutputFileName(str(out))

        def tell(done: int) -> None:
            told.append(done)
            cancelled.set()

        print_pages(printer, numbers, lambda number: engine.bank.page_image(quince.id, number, 2.0), cancelled, tell)
        return out

    told: list[int] = []
    out = printed([1, 2], Event(), told)
    assert told == [1]
    assert not out.exists() or not is_readable(out)
    with pytest.raises(Exception, match="no page 9") as caught:
        printed([9], Event(), [])
    assert not isinstance(caught.value, SourceError)


def is_readable(pdf: Path) -> bool:
    try:
        with pymupdf.open(pdf) as opened:
            return bool(opened.page_count)
    except pymupdf.FileDataError:
        return False
