"""The panel under each result: a generated summary that cannot be mistaken for a source, or the brief's own words.

Collapsed at first. A generated text comes after its warning, lives in its widget alone and dies with it; where there
will be none, the brief's own words stand below.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from briefbank.errors import BriefBankError
from briefbank.platform.visible import visible
from briefbank.values.reading import Extract
from briefbank.values.records import Document, Hit
from briefbank.values.summaries import AI_DISCLAIMER, AI_LABEL, SummaryModel, SummaryPart, SummarySource
from ui.engine import EngineClient
from ui.flow import FlowLayout, column_of, row_of
from ui.plain import PlainLabel
from ui.reading.guarded_text import GuardedText
from ui.search.card_parts import SourceLabel, is_copy
from ui.theme import UNIT_PX, font
from ui.wording import copy_text

NOTHING = "This brief has no questions presented, point heading or summary of argument of its own."


class OwnWords(QWidget):
    """Asks the bank for the extracts of one result's document and shows them; `drop` before it is thrown away."""

    filled = Signal()
    """There are words to be read now."""
    copied = Signal()

    def __init__(self, engine: EngineClient, hit: Hit) -> None:
        super().__init__()
        self._document = hit.document
        self._state = PlainLabel("Looking …", wraps=True)
        self._whole = column_of(self._state, within=self)
        future = engine.bank.own_words(hit.passage.id)
        self._task = engine.ask(future, self._on_answered, self._on_failed, parent=self)
        self._is_waiting = True

    def drop(self) -> None:
        if self._is_waiting:
            self._task.cancel()

    def _on_answered(self, extracts: tuple[Extract, ...]) -> None:
        self._is_waiting = False
        self._state.setText(NOTHING)
        self._state.setVisible(not extracts)
        for extract in extracts:
            view = _ExtractView(self._document, extract)
            view.copied.connect(self.copied)
            self._whole.addWidget(view)
        self.filled.emit()

    def _on_failed(self, problem: Exception) -> None:
        self._is_waiting = False
        if isinstance(problem, BriefBankError):
            self._state.setText(f"{problem.message} {problem.advice}")
        else:
            self._state.setText("The brief could not be looked up.")


class _ExtractView(QWidget):
    """One extract under its heading, with its page and a button that copies it with its source."""

    copied = Signal()

    def __init__(self, document: Document, extract: Extract) -> None:
        super().__init__()
        self._document, self._extract = document, extract
        heading = PlainLabel(extract.heading, is_bold=True)
        page = PlainLabel(document.cited_pages(extract.page_first, extract.page_last), tone="muted")
        copy = QPushButton("Copy with source")
        copy.setAccessibleName(f"Copy {extract.heading} with source")
        copy.clicked.connect(lambda: self._copy(""))
        self.text = text = SourceLabel()
        text.setText(escape(visible(extract.text)).replace("\n", "<br>"))
        text.setAccessibleName(extract.heading)
        text.copy_requested.connect(self._copy)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        text.setSizePolicy(policy)
        above = FlowLayout(spacing_px=UNIT_PX, between_px=UNIT_PX)
        above.add_group(heading, page)
        above.add_group(copy)
        column_of(above, text, within=self, spacing_px=UNIT_PX // 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy what is selected, with its source; every other key is the card's."""
        if is_copy(event) and self.text.selected:
            self._copy(self.text.selected)
        else:
            super().keyPressEvent(event)

    def _copy(self, words: str) -> None:
        extract = self._extract
        text = copy_text(words or extract.text, self._document, extract.page_first, extract.page_last, extract.cautions)
        QGuiApplication.clipboard().setText(text)
        self.copied.emit()


WARNING_SCALE = 1.7
"""The size of the warning against the application's font; nothing else in the window is as large."""


class _Listener(QObject):
    """Carries what the source tells, from whatever thread, to the window's thread.

    Without a parent: the source may hold it longer than the window does.
    """

    wrote = Signal(object)
    ended = Signal(object)
    broke = Signal(str, str)

    def part_written(self, part: SummaryPart) -> None:
        self.wrote.emit(part)

    def done(self, model: SummaryModel) -> None:
        self.ended.emit(model)

    def failed(self, message: str, advice: str) -> None:
        self.broke.emit(message, advice)


class GeneratedSummary(QWidget):
    """Asks for the summary of one passage and shows it; `drop` before it is thrown away."""

    filled = Signal()
    """There are words of the brief to be read now."""
    copied = Signal()
    """Those words are on the clipboard; generated ones never are."""

    def __init__(
        self,
        summaries: SummarySource,
        passage_id: str,
        own_words: Callable[[], OwnWords],
    ) -> None:
        """Ask at once; `own_words` makes what is shown where no summary comes."""
        super().__init__()
        self._make_own_words = own_words
        self._own_words: OwnWords | None = None
        self._summaries = summaries
        self._passage_id = passage_id
        self._warning = PlainLabel(AI_DISCLAIMER)
        self._text = GuardedText()
        self._state = PlainLabel()
        self._stop = QPushButton("Stop writing")
        self._again = QPushButton("Try again")
        self._listener: _Listener | None = None
        self._cancel: Callable[[], None]
        self._lay_out()
        self._ask()

    def drop(self) -> None:
        """Cancel what is being written and hear no more of it."""
        listener, self._listener = self._listener, None
        if listener:
            for signal in (listener.wrote, listener.ended, listener.broke):
                signal.disconnect()
            self._cancel()
        own_words, self._own_words = self._own_words, None
        if own_words:
            own_words.drop()
            self._whole.removeWidget(own_words)
            own_words.hide()
            own_words.deleteLater()

    def _lay_out(self) -> None:
        notice = QFrame()
        notice.setObjectName("notice")
        column_of(self._warning, within=notice, margins_px=None)
        self._warning.setFont(font(scale=WARNING_SCALE, is_bold=True))
        self._warning.setWordWrap(True)
        self._warning.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._state.setWordWrap(True)
        self._state.setProperty("tone", "muted")
        self._stop.setAccessibleDescription("Stops writing this summary.")
        self._again.setAccessibleDescription("Asks for this summary again.")
        self._stop.clicked.connect(self._on_stop_clicked)
        self._again.clicked.connect(self._ask)
        top = Qt.AlignmentFlag.AlignTop
        below = row_of((self._state, 1), (self._stop, top), (self._again, top))
        self._whole = column_of(notice, self._text, below, within=self)

    def _ask(self) -> None:
        self.drop()
        self._text.restart()
        self._show_state("Writing …", is_writing=True)
        self._announce(AI_DISCLAIMER)
        listener = self._listener = _Listener()
        listener.wrote.connect(self._text.add, Qt.ConnectionType.QueuedConnection)
        listener.ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)
        listener.broke.connect(self._on_broke, Qt.ConnectionType.QueuedConnection)
        self._cancel = self._summaries.request(self._passage_id, listener)

    def _on_ended(self, model: SummaryModel) -> None:
        self._show_state(f"Written by {model.name}, {model.date}.", is_writing=False)
        self._announce("The AI summary is complete.")

    def _on_broke(self, message: str, advice: str) -> None:
        self._show_state(f"No summary: {message} {advice}".rstrip(), is_writing=False, can_retry=True)
        self._announce(self._state.text())
        self._own_words = self._make_own_words()
        self._own_words.filled.connect(self.filled)
        self._own_words.copied.connect(self.copied)
        self._whole.addWidget(self._own_words)

    def _on_stop_clicked(self) -> None:
        self.drop()
        self._show_state("Stopped: this summary is not complete.", is_writing=False, can_retry=True)

    def _show_state(self, text: str, *, is_writing: bool, can_retry: bool = False) -> None:
        self._state.setText(text)
        self._stop.setVisible(is_writing)
        self._again.setVisible(can_retry)

    def _announce(self, text: str) -> None:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))


OWN_TITLE = "In the brief’s own words"
_INDENT_PX = UNIT_PX + 3
"""Puts the text under the words of the result."""


class SummaryPanel(QWidget):
    """Opens to a generated summary, or to the brief's own words where no language model is installed."""

    generated = Signal(str)
    """A generated summary is opened: the name of its model. The statement on AI of a draft counts these."""
    grown = Signal()
    """There is more to be read than before."""
    copied = Signal()
    """Words of the brief itself are on the clipboard; generated ones never are."""

    def __init__(self, engine: EngineClient, summaries: SummarySource) -> None:
        super().__init__()
        self._engine = engine
        self._summaries = summaries
        self._hit: Hit | None = None
        self._body: GeneratedSummary | OwnWords | None = None
        self.header = QToolButton()
        self.header.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.header.setAutoRaise(True)
        self.header.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.header.clicked.connect(self.toggle)
        # Whoever shows the panel may give the header another place.
        self._whole = column_of(self.header, within=self, spacing_px=UNIT_PX // 2)
        self._show_header()

    @property
    def is_open(self) -> bool:
        return self._body is not None

    @property
    def stops(self) -> list[QWidget]:
        """What Tab goes through: the line, then all that is shown below it. Whoever shows the panel puts them in order,
        for Qt leaves what is made late out of the way through the window.
        """
        inside = self._body.findChildren(QWidget) if self._body else []
        return [self.header, *(each for each in inside if each.focusPolicy() & Qt.FocusPolicy.TabFocus)]

    def set_hit(self, hit: Hit) -> None:
        self.collapse()
        self._hit = hit
        self._show_header()

    def toggle(self) -> None:
        if self.is_open:
            self.collapse()
        elif self._hit:
            self._open(self._hit)

    def collapse(self) -> None:
        """Stop what is being written and throw the text away."""
        body, self._body = self._body, None
        if body:
            if body.isAncestorOf(QApplication.focusWidget() or self):
                self.header.setFocus()
            body.drop()
            self._whole.removeWidget(body)
            body.hide()
            body.deleteLater()
        self._show_header()

    def _open(self, hit: Hit) -> None:
        own_words = partial(OwnWords, self._engine, hit)
        if model := self._summaries.model():
            self._body = GeneratedSummary(self._summaries, hit.passage.id, own_words)
        else:
            self._body = own_words()
        self._body.filled.connect(self.grown)
        self._body.copied.connect(self.copied)
        self._body.setContentsMargins(_INDENT_PX, 0, 0, UNIT_PX // 2)
        self._whole.addWidget(self._body)
        self._body.show()
        self._show_header()
        if model:
            self.generated.emit(model.name)
        self.grown.emit()

    def _show_header(self) -> None:
        title = AI_LABEL if self._summaries.model() else OWN_TITLE
        self.header.setText(title)
        self.header.setArrowType(Qt.ArrowType.DownArrow if self.is_open else Qt.ArrowType.RightArrow)
        self.header.setAccessibleName(f"{title}, {'open' if self.is_open else 'collapsed'}")
        self.header.setEnabled(self._hit is not None)
