"""The summary under a result: its warning, its text while it is written, its end, and that it cannot be copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot
from scripted import MODEL, Fault, ScriptedSummaries, Step, Wait

from briefbank.values.records import Document, DocumentKind, Fact, Hit, Metadata, Passage, Query, SectionKind, Span
from briefbank.values.summaries import AI_DISCLAIMER, SummaryPart
from ui.engine import EngineClient
from ui.reading.guarded_text import GuardedText
from ui.reading.summary import SummaryPanel
from ui.search.card_parts import SourceLabel
from ui.theme import DARK, LIGHT, wear

WAIT_MS = 60_000
FIRST = SummaryPart("The issue of ID is consent.")
SECOND = SummaryPart(" The court in State v. Marlowe agreed.", "the case State v. Marlowe")
LONG = [SummaryPart(f" Sentence {number} tells of the stop, the search and what was found.") for number in range(40)]


def hit(passage_id: str) -> Hit:
    metadata = Metadata(title=Fact("State v. Quince", "a test"), kind=Fact(DocumentKind.BRIEF, "a test"))
    document = Document("d" * 16, "/briefs/quince.pdf", "0" * 64, metadata, 20, 0, None, 3)
    section = SectionKind.ARGUMENT
    passage = Passage(passage_id, document.id, 0, Span(0, 9), "The stop.", section, ("POINT I",), 1, 1)
    return Hit(1, 1.0, passage, document, (), "both words")


def spoken(widget: QWidget) -> str:
    """What a screen reader can say of a widget and all in it."""
    widgets = [widget, *widget.findChildren(QWidget)]
    interfaces = [QAccessible.queryAccessibleInterface(each) for each in widgets if each.isVisible()]
    return "\n".join(interface.text(QAccessible.Text.Name) for interface in interfaces if interface)


def child(panel: QWidget, kind: type[QWidget], text: str = "") -> QWidget:
    return next(each for each in panel.findChildren(kind) if not text or each.text() == text)


@pytest.fixture
def idle_engine(qapp: QApplication, tmp_path: Path) -> Iterator[EngineClient]:
    """An engine that is never started: a generated summary does not ask it."""
    engine = EngineClient(tmp_path / "bank")
    yield engine
    engine.close()


@pytest.fixture
def play(qtbot: QtBot, idle_engine: EngineClient) -> Iterator[Callable[..., tuple[SummaryPanel, ScriptedSummaries]]]:
    """Show a panel over a source that plays the steps."""
    sources: list[ScriptedSummaries] = []

    def show(*steps: Step, is_stubborn: bool = False) -> tuple[SummaryPanel, ScriptedSummaries]:
        source = ScriptedSummaries(*steps, is_stubborn=is_stubborn)
        sources.append(source)
        panel = SummaryPanel(idle_engine, source)
        qtbot.addWidget(panel)
        panel.set_hit(hit("first"))
        panel.resize(500, 400)
        panel.show()
        return panel, source

    yield show
    for source in sources:
        source.join()


def told(panel: SummaryPanel, *words: str) -> Callable[[], bool]:
    return lambda: all(word in spoken(panel) for word in words)


def test_it_is_collapsed_until_it_is_opened_and_nothing_is_asked_before(play, qtbot: QtBot) -> None:
    panel, source = play(FIRST)
    assert not panel.is_open
    assert source.requests == []
    with qtbot.waitSignal(panel.generated) as opened:
        panel.toggle()
    assert opened.args == [MODEL.name], "what the statement on AI counts"
    assert panel.is_open
    assert source.requests == ["first"]


def test_collapsing_throws_the_text_away(play, qtbot: QtBot) -> None:
    panel, _ = play(FIRST)
    panel.toggle()
    qtbot.waitUntil(told(panel, "The issue of first"), timeout=WAIT_MS)
    panel.toggle()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert panel.findChildren(GuardedText) == []


def test_the_warning_stands_first_in_bold_and_clearly_larger_than_everything_else(play, qtbot: QtBot) -> None:
    panel, _ = play(FIRST)
    panel.toggle()
    qtbot.waitUntil(told(panel, "The issue of first"), timeout=WAIT_MS)
    warning = child(panel, QLabel, AI_DISCLAIMER)
    assert warning.font().bold()
    others = [each for each in panel.findChildren(QWidget) if each is not warning]
    assert warning.font().pointSizeF() >= 1.3 * max(each.font().pointSizeF() for each in others)
    text = child(panel, GuardedText)
    assert warning.mapTo(panel, warning.rect().bottomLeft()).y() < text.mapTo(panel, text.rect().topLeft()).y()
    for word in ("AI", "incomplete", "factually wrong", "invented", "must not be relied on"):
        assert word in warning.text()


def test_the_warning_is_there_before_the_first_word(play, qtbot: QtBot) -> None:
    panel, _ = play(Wait(), FIRST)
    panel.toggle()
    assert child(panel, QLabel, AI_DISCLAIMER).isVisible()
    assert "issue" not in spoken(panel)


def test_the_text_streams_in(play, qtbot: QtBot) -> None:
    panel, source = play(FIRST, Wait(), SECOND)
    panel.toggle()
    qtbot.waitUntil(told(panel, "The issue of first"), timeout=WAIT_MS)
    assert told(panel, "Writing …")()
    assert "Marlowe" not in spoken(panel)
    before = child(panel, GuardedText).grab().toImage()
    source.go_on.set()
    qtbot.waitUntil(told(panel, "Marlowe"), timeout=WAIT_MS)
    assert child(panel, GuardedText).grab().toImage() != before


def test_what_the_source_does_not_contain_is_marked_in_words(play, qtbot: QtBot) -> None:
    panel, _ = play(FIRST, SECOND)
    panel.toggle()
    qtbot.waitUntil(told(panel, "[Not in the source: the case State v. Marlowe]"), timeout=WAIT_MS)


def test_model_and_date_are_named(play, qtbot: QtBot) -> None:
    panel, _ = play(FIRST)
    panel.toggle()
    qtbot.waitUntil(told(panel, "Quill 3B", "2026-11-20"), timeout=WAIT_MS)


def test_writing_can_be_stopped_and_asked_for_again(play, qtbot: QtBot) -> None:
    panel, source = play(FIRST, Wait(), SECOND)
    panel.toggle()
    qtbot.waitUntil(told(panel, "The issue"), timeout=WAIT_MS)
    qtbot.mouseClick(child(panel, QPushButton, "Stop writing"), Qt.MouseButton.LeftButton)
    assert source.cancelled == ["first"]
    assert told(panel, "not complete")()
    source.go_on.set()
    qtbot.mouseClick(child(panel, QPushButton, "Try again"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(told(panel, "Marlowe", "Quill 3B"), timeout=WAIT_MS)
    assert spoken(panel).count("The issue") == 1


def test_a_failure_is_told_with_what_to_do(play, qtbot: QtBot) -> None:
    panel, _ = play(Fault("The model ran out of memory.", "Close other programs."))
    panel.toggle()
    qtbot.waitUntil(told(panel, "The model ran out of memory. Close other programs."), timeout=WAIT_MS)
    assert child(panel, QPushButton, "Try again").isVisible()


def test_a_source_that_hangs_is_cancelled_by_collapsing(play, qtbot: QtBot) -> None:
    panel, source = play(Wait())
    panel.toggle()
    panel.toggle()
    assert source.cancelled == ["first"]
    source.threads[0].join(5)
    assert not source.threads[0].is_alive()


def test_a_stale_summary_never_stands_under_another_result(play, qtbot: QtBot) -> None:
    panel, source = play(Wait(), FIRST, is_stubborn=True)
    panel.toggle()
    panel.set_hit(hit("second"))
    panel.toggle()
    source.go_on.set()
    qtbot.waitUntil(told(panel, "The issue of second", "Quill 3B"), timeout=WAIT_MS)
    source.join()
    qtbot.wait(50)
    assert "of first" not in spoken(panel)
    assert spoken(panel).count("The issue") == 1


def test_a_panel_may_go_away_while_its_summary_is_written(play, qtbot: QtBot) -> None:
    panel, source = play(FIRST, Wait(), SECOND, is_stubborn=True)
    panel.toggle()
    qtbot.waitUntil(told(panel, "The issue"), timeout=WAIT_MS)
    panel.close()
    panel.deleteLater()
    qtbot.wait(20)
    source.join()
    qtbot.wait(20)


@pytest.mark.parametrize("width_px", [260, 500, 900])
def test_a_long_summary_is_wrapped_and_not_clipped(play, qtbot: QtBot, width_px: int) -> None:
    panel, _ = play(*LONG, SECOND)
    scroll = QScrollArea()
    qtbot.addWidget(scroll)
    scroll.setWidgetResizable(True)
    scroll.setWidget(panel)
    scroll.resize(width_px, 300)
    scroll.show()
    panel.toggle()
    qtbot.waitUntil(told(panel, "Quill 3B"), timeout=WAIT_MS)
    text, warning = child(panel, GuardedText), child(panel, QLabel, AI_DISCLAIMER)
    qtbot.waitUntil(lambda: text.height() >= text.heightForWidth(text.width()), timeout=WAIT_MS)
    assert warning.height() >= warning.heightForWidth(warning.width())
    assert text.mapTo(panel, text.rect().topRight()).x() <= panel.width() <= scroll.viewport().width()


def test_it_works_by_keyboard_alone(play, qtbot: QtBot) -> None:
    panel, source = play(FIRST, Wait())
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    field = QLineEdit()
    column.addWidget(field)
    column.addWidget(panel)
    window.show()
    window.activateWindow()
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert isinstance(window.focusWidget(), QToolButton)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Space)
    assert panel.is_open
    stops = []
    for _ in range(3):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        stops.append(window.focusWidget())
    stop_writing = child(panel, QPushButton, "Stop writing")
    assert stops == [child(panel, QLabel, AI_DISCLAIMER), child(panel, GuardedText), stop_writing] == panel.stops[1:4]
    assert all(QAccessible.queryAccessibleInterface(stop).text(QAccessible.Text.Name) for stop in stops)
    qtbot.keyClick(stops[-1], Qt.Key.Key_Space)
    assert source.cancelled == ["first"]


def test_a_screen_reader_hears_static_text_that_says_what_it_is(play, qtbot: QtBot) -> None:
    panel, _ = play(FIRST)
    panel.toggle()
    qtbot.waitUntil(told(panel, "The issue of first"), timeout=WAIT_MS)
    text = QAccessible.queryAccessibleInterface(child(panel, GuardedText))
    assert text.role() == QAccessible.Role.StaticText
    assert text.state().focusable
    assert text.text(QAccessible.Text.Name).startswith("AI summary (not a source): The issue of first")
    header = QAccessible.queryAccessibleInterface(child(panel, QToolButton))
    assert header.role() == QAccessible.Role.Button
    assert header.text(QAccessible.Text.Name) == "AI summary (not a source), open"


def test_it_takes_up_another_colour_scheme(play, qapp: QApplication, qtbot: QtBot) -> None:
    panel, _ = play(FIRST, SECOND)
    panel.toggle()
    qtbot.waitUntil(told(panel, "Quill 3B"), timeout=WAIT_MS)
    sheet, worn = qapp.styleSheet(), qapp.palette()
    pictures = []
    try:
        for scheme in (LIGHT, DARK):
            wear(qapp, scheme)
            text = child(panel, GuardedText).grab().toImage()
            pixels = {text.pixelColor(x, y).name() for x in range(text.width()) for y in range(text.height())}
            assert scheme.text in pixels
            assert scheme.warning in pixels
            pictures.append(pixels)
    finally:
        wear(qapp, LIGHT)
        qapp.setPalette(worn)
        qapp.setStyleSheet(sheet)
    assert LIGHT.warning not in pictures[1]


def test_a_part_does_not_tell_its_text_to_logs() -> None:
    assert "Marlowe" not in repr(SECOND)
    assert "Marlowe" not in f"{[SECOND]} {replace(SECOND)!s}"


# --- without a model --------------------------------------------------------------------------------------------


def found(engine: EngineClient, asked: str) -> Hit:
    return engine.bank.search(Query(asked)).result(60).hits[0]


def show_own_words(engine: EngineClient, qtbot: QtBot, shown: Hit) -> SummaryPanel:
    panel = SummaryPanel(engine, ScriptedSummaries(model=None))
    qtbot.addWidget(panel)
    panel.set_hit(shown)
    panel.resize(500, 400)
    panel.show()
    with qtbot.assertNotEmitted(panel.generated):
        panel.toggle()
    return panel


def test_without_a_model_the_brief_speaks_for_itself_and_can_be_copied(engine: EngineClient, qtbot: QtBot) -> None:
    shown = found(engine, "unlawfully prolonged stop")
    extracts = engine.bank.own_words(shown.passage.id).result(60)
    assert extracts
    panel = show_own_words(engine, qtbot, shown)
    assert "In the brief’s own words, open" in spoken(panel)
    qtbot.waitUntil(told(panel, *(extract.heading for extract in extracts)), timeout=WAIT_MS)
    assert panel.findChildren(GuardedText) == []
    assert "AI" not in spoken(panel)
    text = next(each for each in panel.findChildren(SourceLabel) if each.accessibleName() == extracts[0].heading)
    text.setFocus()
    text.setSelection(0, 9)
    qtbot.keyClick(text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    part, _, source = QGuiApplication.clipboard().text().partition("\n")
    assert part == text.selected
    assert shown.document.metadata.title.value in source, "no words of a brief are copied without their source"
    qtbot.mouseClick(child(panel, QPushButton, "Copy with source"), Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(extracts[0].text.strip())
    assert shown.document.metadata.title.value in copied


def test_a_document_that_says_nothing_of_itself_is_told_so(engine: EngineClient, qtbot: QtBot) -> None:
    documents = {each.id: each for each in engine.bank.documents().result(60)}
    hits = engine.bank.search(Query("consent roadside photographic array suspect", top_k=50)).result(60).hits
    silent = next(each for each in hits if not engine.bank.own_words(each.passage.id).result(60))
    assert silent.document.id in documents
    panel = show_own_words(engine, qtbot, silent)
    qtbot.waitUntil(told(panel, "has no questions presented"), timeout=WAIT_MS)


def test_a_passage_that_is_gone_is_told_with_what_to_do(engine: EngineClient, qtbot: QtBot) -> None:
    panel = show_own_words(engine, qtbot, hit("gone"))
    qtbot.waitUntil(told(panel, "gone", "search again"), timeout=WAIT_MS)


def test_own_words_that_come_late_are_dropped(engine: EngineClient, qtbot: QtBot) -> None:
    panel = show_own_words(engine, qtbot, found(engine, "unlawfully prolonged stop"))
    panel.toggle()
    qtbot.wait(200)
    assert not panel.is_open
    assert panel.findChildren(QPushButton) == []
