"""A passage before or after a result, in document order: plainly not the result itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout

from briefbank.values.records import Document, Passage, Span
from ui.plain import PlainLabel
from ui.search.results.excerpt import rich
from ui.search.results.labels import SourceLabel, is_copy
from ui.theme import UNIT_PX, colours, font
from ui.wording import copy_passage, copy_text


class NeighbourView(QFrame):
    """Shows a neighbouring passage in whole."""

    copied = Signal()

    def __init__(self, passage: Passage, document: Document, cautions: tuple[str, ...], *, is_before: bool) -> None:
        """Show `passage`, and on which side of the result it stands; `cautions` are copied along with its words."""
        super().__init__()
        self.setObjectName("neighbour")
        self._passage, self._document, self._cautions = passage, document, cautions
        self._scheme = colours()
        side = "Before" if is_before else "After"
        cited = document.cited_pages(passage.page_first, passage.page_last)
        head = PlainLabel(f"{side} this passage{', ' if cited else ''}{cited}")
        head.setFont(font(scale=0.85, is_bold=True))
        head.setProperty("tone", "muted")
        head.setWordWrap(True)
        self._text = SourceLabel()
        self._text.setFont(font(scale=0.95))
        self._text.setAccessibleName(f"{side}: {passage.text}")
        self._text.copy_requested.connect(self._copy)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(UNIT_PX, 3, UNIT_PX, 3)
        rows.setSpacing(2)
        rows.addWidget(head)
        rows.addWidget(self._text)
        self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Copy what is selected here."""
        if is_copy(event) and self._text.selected:
            self._copy(self._text.selected)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Wear the colours of the scheme that came."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._scheme is not colours():
            self._show()

    def _show(self) -> None:
        text = self._passage.text
        self._scheme = colours()
        self._text.setText(rich(text, (), Span(0, len(text)), self._scheme))

    def _copy(self, words: str) -> None:
        passage = self._passage
        if words:
            text = copy_text(words, self._document, passage.page_first, passage.page_last, self._cautions)
        else:
            text = copy_passage(passage, self._document, self._cautions)
        QGuiApplication.clipboard().setText(text)
        self.copied.emit()
