"""The line under a result that opens to a summary. Always collapsed at first, and nothing is kept of what was open."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from briefbank.values import SummarySource
from briefbank.values.records import Hit
from ui.engine import EngineClient
from ui.reading.summary.generated import GeneratedSummary
from ui.reading.summary.own_words import OwnWords
from ui.theme import UNIT_PX

GENERATED_TITLE = "AI summary (not a source)"
OWN_TITLE = "In the brief’s own words"
_INDENT_PX = UNIT_PX + 3
"""Puts the text under the words of the result."""


class SummaryPanel(QWidget):
    """Opens to a generated summary, or to the brief's own words where no language model is installed."""

    opened = Signal()
    grown = Signal()
    """There is more to be read than before."""
    copied = Signal()
    """Words of the brief itself are on the clipboard; generated ones never are."""

    def __init__(self, engine: EngineClient, summaries: SummarySource, parent: QWidget | None = None) -> None:
        """Begin collapsed and without a result."""
        super().__init__(parent)
        self._engine = engine
        self._summaries = summaries
        self._hit: Hit | None = None
        self._body: GeneratedSummary | OwnWords | None = None
        self.header = QToolButton()
        self.header.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.header.setAutoRaise(True)
        self.header.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.header.clicked.connect(self.toggle)
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._whole.setSpacing(UNIT_PX // 2)
        self._whole.addWidget(self.header)  # whoever shows the panel may give it another place
        self._show_header()

    @property
    def is_open(self) -> bool:
        """Whether the text is shown."""
        return self._body is not None

    @property
    def stops(self) -> list[QWidget]:
        """What Tab goes through: the line, then all that is shown below it. Whoever shows the panel puts them in order,
        for Qt leaves what is made late out of the way through the window.
        """
        inside = self._body.findChildren(QWidget) if self._body else []
        return [self.header, *(each for each in inside if each.focusPolicy() & Qt.FocusPolicy.TabFocus)]

    def set_hit(self, hit: Hit) -> None:
        """Take another result, and collapse."""
        self.collapse()
        self._hit = hit
        self._show_header()

    def toggle(self) -> None:
        """Open, or collapse again."""
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
        if self._summaries.model():
            self._body = GeneratedSummary(self._summaries, hit.passage.id, own_words)
        else:
            self._body = own_words()
        self._body.filled.connect(self.grown)
        self._body.copied.connect(self.copied)
        self._body.setContentsMargins(_INDENT_PX, 0, 0, UNIT_PX // 2)
        self._whole.addWidget(self._body)
        self._body.show()
        self._show_header()
        self.opened.emit()
        self.grown.emit()

    def _show_header(self) -> None:
        title = GENERATED_TITLE if self._summaries.model() else OWN_TITLE
        self.header.setText(title)
        self.header.setArrowType(Qt.ArrowType.DownArrow if self.is_open else Qt.ArrowType.RightArrow)
        self.header.setAccessibleName(f"{title}, {'open' if self.is_open else 'collapsed'}")
        self.header.setEnabled(self._hit is not None)
