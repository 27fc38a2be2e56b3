"""What a brief says of itself, where no language model is installed: source text, to be selected and copied."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from briefbank.errors import BriefBankError
from briefbank.platform.visible import visible
from briefbank.values import Extract
from briefbank.values.records import Document, Hit
from ui.engine import EngineClient
from ui.flow import FlowLayout
from ui.plain import PlainLabel
from ui.search.results.labels import SourceLabel, is_copy
from ui.theme import UNIT_PX, font
from ui.wording import copy_text

NOTHING = "This brief has no questions presented, point heading or summary of argument of its own."


class OwnWords(QWidget):
    """Asks the bank for the extracts of one result's document and shows them; `drop` before it is thrown away."""

    filled = Signal()
    """There are words to be read now."""
    copied = Signal()

    def __init__(self, engine: EngineClient, hit: Hit, parent: QWidget | None = None) -> None:
        """Ask at once."""
        super().__init__(parent)
        self._document = hit.document
        self._state = PlainLabel("Looking …")
        self._state.setWordWrap(True)
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._whole.setSpacing(UNIT_PX)
        self._whole.addWidget(self._state)
        future = engine.bank.own_words(hit.passage.id)
        self._task = engine.ask(future, self._on_answered, self._on_failed, parent=self)
        self._is_waiting = True

    def drop(self) -> None:
        """Drop the answer if it has not come yet."""
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
        heading = PlainLabel(extract.heading)
        heading.setFont(font(is_bold=True))
        page = PlainLabel(document.cited_pages(extract.page_first, extract.page_last))
        page.setProperty("tone", "muted")
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
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(UNIT_PX // 2)
        whole.addLayout(above)
        whole.addWidget(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Copy what is selected, with its source; every other key is the card's."""
        if is_copy(event) and self.text.selected:
            self._copy(self.text.selected)
        else:
            super().keyPressEvent(event)

    def _copy(self, words: str) -> None:
        """Copy words of the extract, or all of it, with their source."""
        extract = self._extract
        text = copy_text(words or extract.text, self._document, extract.page_first, extract.page_last, extract.cautions)
        QGuiApplication.clipboard().setText(text)
        self.copied.emit()
