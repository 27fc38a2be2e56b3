"""Every route by which text leaves a window, tried on a generated summary and, to see that the route works, on source.

The clipboard is the platform's own: the last test runs this file once more on an X server, where there is a primary
selection too.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAccessible, QAction, QClipboard, QContextMenuEvent, QDropEvent, QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from scripted import ScriptedSummaries

from briefbank.values.records import Document, DocumentKind, Fact, Hit, Metadata, Passage, SectionKind, Span
from briefbank.values.summaries import SummaryPart
from ui.engine import EngineClient
from ui.reading.guarded_text import GuardedText
from ui.reading.summary import SummaryPanel

SECRET = "fabricated"
SOURCE = "consent consent consent consent consent"
BEFORE = "what was copied before"
CTRL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


class Window(QWidget):
    """A search field, a source passage and an open summary, as they stand together in a result."""

    def __init__(self, engine: EngineClient, summaries: ScriptedSummaries) -> None:
        super().__init__()
        self.field = QLineEdit()
        self.source = QLabel(SOURCE)
        self.source.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.panel = SummaryPanel(engine, summaries)
        self.notes = QPlainTextEdit()
        column = QVBoxLayout(self)
        for widget in (self.field, self.source, self.panel, self.notes):
            column.addWidget(widget)
        metadata = Metadata(title=Fact("State v. Quince", "a test"), kind=Fact(DocumentKind.BRIEF, "a test"))
        document = Document("d" * 16, "/briefs/quince.pdf", "0" * 64, metadata, 20, 0, None, 3)
        passage = Passage("p", document.id, 0, Span(0, len(SOURCE)), SOURCE, SectionKind.ARGUMENT, (), 1, 1)
        self.panel.set_hit(Hit(1, 1.0, passage, document, (), "a word"))

    @property
    def summary(self) -> GuardedText:
        return self.panel.findChildren(GuardedText)[0]


class DragWatch(QObject):
    """Notes what is dragged over any widget."""

    def __init__(self) -> None:
        super().__init__()
        self.dragged: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() in (QEvent.Type.DragEnter, QEvent.Type.Drop) and isinstance(event, QDropEvent):
            self.dragged.append(event.mimeData().text())
        return False


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Window]:
    summaries = ScriptedSummaries(
        *(SummaryPart(f" The {SECRET} holding number {number} stands.") for number in range(12)),
        SummaryPart(f" A {SECRET} case.", f"the case {SECRET}"),
    )
    engine = EngineClient(tmp_path / "bank")
    shown = Window(engine, summaries)
    qtbot.addWidget(shown)
    shown.resize(600, 700)
    shown.show()
    qtbot.waitExposed(shown)
    shown.activateWindow()
    shown.panel.toggle()
    summary = shown.summary
    qtbot.waitUntil(lambda: summary.accessibleName().count(SECRET) == 14, timeout=10_000)
    summaries.join()
    for mode in modes():
        QGuiApplication.clipboard().setText(BEFORE, mode)
    yield shown
    engine.close()


def modes() -> list[QClipboard.Mode]:
    primary = [QClipboard.Mode.Selection] if QGuiApplication.clipboard().supportsSelection() else []
    return [QClipboard.Mode.Clipboard, *primary]


def copied() -> str:
    return "\n".join(QGuiApplication.clipboard().text(mode) for mode in modes())


# --- the routes: each does with a widget what a person could -----------------------------------------------------


def by_dragging_over_it_and_ctrl_c(_window: Window, widget: QWidget) -> None:
    QTest.mousePress(widget, LEFT, pos=QPoint(6, 8))
    for x in range(10, widget.width() - 4, 20):
        QTest.mouseMove(widget, QPoint(x, widget.height() // 2))
    QTest.mouseRelease(widget, LEFT, pos=widget.rect().bottomRight() - QPoint(4, 4))
    QTest.keyClick(widget, Qt.Key.Key_C, CTRL)


def by_a_double_click_and_ctrl_c(_window: Window, widget: QWidget) -> None:
    QTest.mouseClick(widget, LEFT, pos=QPoint(30, widget.height() // 2))
    QTest.mouseDClick(widget, LEFT, pos=QPoint(30, widget.height() // 2))
    QTest.keyClick(widget, Qt.Key.Key_C, CTRL)


def by_a_triple_click_and_ctrl_insert(_window: Window, widget: QWidget) -> None:
    QTest.mouseDClick(widget, LEFT, pos=QPoint(30, widget.height() // 2))
    QTest.mouseClick(widget, LEFT, pos=QPoint(30, widget.height() // 2))
    QTest.keyClick(widget, Qt.Key.Key_Insert, CTRL)


def by_selecting_all_and_ctrl_c(_window: Window, widget: QWidget) -> None:
    widget.setFocus()
    QTest.keyClick(widget, Qt.Key.Key_A, CTRL)
    QTest.keyClick(widget, Qt.Key.Key_C, CTRL)


def by_selecting_all_and_the_other_keys(_window: Window, widget: QWidget) -> None:
    widget.setFocus()
    QTest.keyClick(widget, Qt.Key.Key_A, CTRL)
    QTest.keyClick(widget, Qt.Key.Key_Insert, CTRL)
    QTest.keyClick(widget, Qt.Key.Key_X, CTRL)
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, Qt.Key.Key_Copy, Qt.KeyboardModifier.NoModifier))


def by_the_context_menu(_window: Window, widget: QWidget) -> None:
    widget.setFocus()
    QTest.keyClick(widget, Qt.Key.Key_A, CTRL)
    place = widget.rect().center()
    QTest.mouseClick(widget, Qt.MouseButton.RightButton, pos=place)
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, asked)
    menu = QApplication.activePopupWidget()
    for action in menu.actions() if menu else []:
        if "Copy" in action.text().replace("&", ""):
            action.trigger()
    if menu:
        menu.close()


def by_what_the_widget_offers_to_programs(_window: Window, widget: QWidget) -> None:
    if isinstance(widget, QLabel):
        widget.setSelection(0, len(widget.text()))
        QGuiApplication.clipboard().setText(widget.selectedText() or BEFORE)
    for name in ("selectAll", "copy", "cut"):
        getattr(widget, name, lambda: None)()
    for action in widget.findChildren(QAction):
        action.trigger()


ROUTES = [
    by_dragging_over_it_and_ctrl_c,
    by_a_double_click_and_ctrl_c,
    by_a_triple_click_and_ctrl_insert,
    by_selecting_all_and_ctrl_c,
    by_selecting_all_and_the_other_keys,
    by_the_context_menu,
    by_what_the_widget_offers_to_programs,
]


@pytest.mark.parametrize("route", ROUTES)
def test_source_text_can_be_copied(window: Window, route: Callable[[Window, QWidget], None]) -> None:
    route(window, window.source)
    assert "consent" in copied()


@pytest.mark.parametrize("route", ROUTES)
def test_a_summary_cannot_be_copied(window: Window, route: Callable[[Window, QWidget], None]) -> None:
    for widget in [window.summary, window.panel, *window.panel.findChildren(QWidget)]:
        route(window, widget)
        assert SECRET not in copied()


def test_dragging_a_summary_drags_nothing(window: Window, qapp: QApplication) -> None:
    watch = DragWatch()
    qapp.installEventFilter(watch)
    try:
        by_dragging_over_it_and_ctrl_c(window, window.summary)
        target = window.notes.viewport()
        QTest.mousePress(window.summary, LEFT, pos=QPoint(30, 10))
        QTest.mouseMove(target, QPoint(20, 20))
        QTest.mouseRelease(target, LEFT, pos=QPoint(20, 20))
    finally:
        qapp.removeEventFilter(watch)
    assert watch.dragged == []
    assert window.notes.toPlainText() == ""


def test_a_middle_click_pastes_no_summary(window: Window) -> None:
    by_dragging_over_it_and_ctrl_c(window, window.summary)
    QTest.mouseClick(window.field, Qt.MouseButton.MiddleButton)
    window.field.paste()
    assert SECRET not in window.field.text()


def test_selecting_and_copying_wherever_the_focus_goes_takes_no_summary(window: Window) -> None:
    window.field.setFocus()
    for _ in range(12):
        here = window.focusWidget()
        QTest.keyClick(here, Qt.Key.Key_A, CTRL)
        QTest.keyClick(here, Qt.Key.Key_C, CTRL)
        assert SECRET not in copied()
        QTest.keyClick(here, Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier)
        if isinstance(here, QPlainTextEdit):
            window.field.setFocus()


def test_no_menu_opens_over_a_summary(window: Window) -> None:
    window.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
    window.addAction(QAction("Copy passage", window))
    QTest.mouseClick(window.summary, Qt.MouseButton.RightButton)
    place = window.summary.rect().center()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, window.summary.mapToGlobal(place))
    QApplication.sendEvent(window.summary, asked)
    assert QApplication.activePopupWidget() is None


def test_assistive_technology_hears_a_summary_and_finds_no_text_to_copy(window: Window) -> None:
    heard = ""
    for widget in [window.panel, *window.panel.findChildren(QWidget)]:
        interface = QAccessible.queryAccessibleInterface(widget)
        heard += interface.text(QAccessible.Text.Name)
        actions = interface.actionInterface().actionNames() if interface.actionInterface() else []
        assert not [name for name in actions if "copy" in name.lower()]
        if isinstance(widget, GuardedText):
            assert interface.textInterface() is None
            assert interface.editableTextInterface() is None
            assert interface.selectionInterface() is None
            assert interface.valueInterface() is None
    assert SECRET in heard


def test_an_input_method_is_told_nothing_of_a_summary(window: Window) -> None:
    told = [window.summary.inputMethodQuery(query) for query in Qt.InputMethodQuery]
    assert SECRET not in repr(told)


def test_no_property_of_any_widget_but_its_spoken_name_holds_a_summary(window: Window) -> None:
    for widget in [window, *window.findChildren(QWidget)]:
        meta = widget.metaObject()
        names = [meta.property(index).name() for index in range(meta.propertyCount())]
        values = {name: widget.property(name) for name in names if name != "accessibleName"}
        assert SECRET not in repr(values), type(widget).__name__
        assert SECRET not in repr([bytes(each).decode() for each in widget.dynamicPropertyNames()])
    assert SECRET not in repr(window.saveGeometry())


def test_no_log_holds_a_summary(window: Window, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        window.panel.toggle()
        window.panel.toggle()
        QTest.qWait(100)
    assert SECRET not in caplog.text
    assert SECRET not in repr(window.panel.__dict__)


@pytest.mark.skipif(
    not shutil.which("xvfb-run") or "BRIEFBANK_GUARD_ON_X" in os.environ, reason="needs an X server of its own"
)
def test_it_all_holds_on_an_x_server_with_a_primary_selection() -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "xcb", "BRIEFBANK_GUARD_ON_X": "yes"}
    command = ["xvfb-run", "-a", sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
