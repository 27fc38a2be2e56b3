"""The space in which an authority is looked up: its card at the left, beside the page on which each line stands."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from briefbank.reports import AuthorityCard
from ui.authority_card import findings_of, summary_of, unchecked
from ui.beside_page import FilterField
from ui.bottom_bar import BottomBar
from ui.engine import EngineClient
from ui.findings import Finding
from ui.findings_space import FindingsSpace
from ui.plain import PlainLabel
from ui.tasks import FutureWatcher
from ui.theme import UNIT_PX, font
from ui.wording import problem_text

_ASK = "A citation, a rule, or the name of a case; Return shows its card"
_FIRST = "Type an authority: 170 N.J. 632, N.J.R.E. 404(b), State v. Carty."


class AuthorityField(FilterField):
    """A line of text that asks with Return."""

    asked = Signal(str)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Ask for what stands there."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.asked.emit(self.text().strip())
        else:
            super().keyPressEvent(event)


class AuthoritySpace(FindingsSpace):
    """One card at a time; type for another, Return to read."""

    def __init__(self, engine: EngineClient, bottom: BottomBar) -> None:
        """Lay out the space without a card."""
        super().__init__(engine, bottom, "authorities", "Card of an authority")
        self.field = AuthorityField(self.tree, _ASK)
        self.title, self.summary = PlainLabel(), PlainLabel()
        self.copy_card = QToolButton()
        self._name = self._text = ""
        self._asking: FutureWatcher | None = None
        self._lay_out()
        self.field.asked.connect(self.ask)
        self.copy_card.clicked.connect(self._on_copy_card)
        self.setFocusProxy(self.field)
        self._tell_none(_FIRST)

    @property
    def is_waiting(self) -> bool:
        """Whether a card is awaited."""
        return self._asking is not None

    def ask(self, text: str, name: str = "") -> None:
        """Show the card of the authority that a text names, or is a key of; then `name` is how people write it."""
        if text:
            self.field.setText(name or text)
            self._text = text
            self._look_up()

    def load(self) -> None:
        """Look the authority up in the index that is live now."""
        self.status.setText("")
        if self._text:
            self._look_up()

    def _look_up(self) -> None:
        if self._asking:
            self._asking.cancel()
        future = self.engine.bank.card(self._text)
        self._asking = self.engine.ask(future, self._on_card, self._on_failed, parent=self)

    def _on_card(self, card: AuthorityCard) -> None:
        self._asking = None
        self.tell_empty("")
        self.page.clear()
        self.title.setText(card.names[0])
        self.summary.setText(summary_of(card))
        self.status.setText(unchecked(card) if card.citing else "")
        self.tree.show_findings(findings_of(card))
        self._show_card(is_there=True)
        if self.isVisible():
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        self.bottom.announce(". ".join((self.title.text(), self.summary.text(), *card.alerts)))

    def _on_failed(self, problem: Exception) -> None:
        self._asking = None
        self._tell_none(problem_text(problem))

    def _tell_none(self, why: str) -> None:
        self.tree.show_findings(())
        self.status.setText("")
        self._show_card(is_there=False)
        self.tell_empty(why)

    def _show_card(self, *, is_there: bool) -> None:
        for each in (self.title, self.summary, self.copy_card):
            each.setVisible(is_there)

    def _on_copy_card(self) -> None:
        whole = Finding(self.title.text(), self.summary.text(), children=tuple(self.tree.findings()))
        self.copy(Finding(whole.text, whole.below, cautions=(self.status.text(),), children=whole.children))

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT_PX)
        self.title.setFont(font(scale=1.2, is_bold=True))
        self.summary.setProperty("tone", "muted")
        for each in (self.title, self.summary):
            each.setWordWrap(True)
        self.status.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.copy_card.setText("Copy the whole card")
        self.copy_card.setProperty("tone", "link")
        self.copy_card.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        column.addWidget(self.field)
        column.addWidget(self.title)
        column.addWidget(self.summary)
        column.addWidget(self.tree, 1)
        column.addWidget(self.status)
        column.addWidget(self.copy_card, 0, Qt.AlignmentFlag.AlignLeft)
        self.arrange(left, self.tree)
