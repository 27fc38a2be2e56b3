"""What stands in the page's place while there is none: nothing chosen, loading, or not to be shown and why."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget

from briefbank.errors import BriefBankError
from ui import theme
from ui.plain import PlainLabel

_EMPTY = "What you choose at the left is shown here on its page."
"""True in every space, and where a search found nothing to choose."""
_LOADING = "Opening the brief …"
_WIDTH_PX = 420


class PageStates(QStackedWidget):
    """The view of pages, or a message instead of it."""

    retried = Signal()

    def __init__(self, view: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message, self.advice = _line(is_bold=True), _line()
        self.retry = QPushButton("Try again")
        self.retry.clicked.connect(self.retried)
        self._view, self._instead = view, QWidget(self)
        column = QVBoxLayout(self._instead)
        column.addStretch(1)
        for widget in (self.message, self.advice, self.retry):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        self.addWidget(view)
        self.addWidget(self._instead)

    def tell_empty(self) -> None:
        """Nothing was chosen yet."""
        self._tell("", _EMPTY)

    def tell_loading(self) -> None:
        """The document is on its way."""
        self._tell("", _LOADING)

    def tell_failed(self, message: str, advice: str) -> None:
        """The document cannot be shown."""
        self._tell(message, advice, can_retry=True)

    def tell_page(self) -> None:
        """There is a page."""
        self.setCurrentWidget(self._view)

    def _tell(self, message: str, advice: str, *, can_retry: bool = False) -> None:
        self.message.setText(message)
        self.message.setVisible(bool(message))
        self.advice.setText(advice)
        self.retry.setVisible(can_retry)
        self.setCurrentWidget(self._instead)


def _line(*, is_bold: bool = False) -> PlainLabel:
    made = PlainLabel()
    made.setFont(theme.font(is_bold=is_bold))
    made.setWordWrap(True)
    made.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    made.setFixedWidth(_WIDTH_PX)
    made.setProperty("tone", "" if is_bold else "muted")
    return made


def in_words(problem: Exception) -> tuple[str, str]:
    """What happened and what to do about it."""
    if isinstance(problem, BriefBankError):
        return problem.message, problem.advice
    return "The page cannot be shown.", "Try again; if it happens again, tell whoever looks after BriefBank."
