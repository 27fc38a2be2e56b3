"""What stands in place of the results: what happened, what can be done about it, and the buttons that do it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPushButton, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ui.plain import PlainLabel, button_text
from ui.results.labels import WrappedButton
from ui.theme import UNIT_PX, font

_WIDTH_PX = 60 * UNIT_PX


@dataclass(frozen=True, slots=True)
class Action:
    """A button: what it says and does."""

    text: str
    do: Callable[[], None]


@dataclass(frozen=True, slots=True)
class State:
    """A title, a text below it, what to press, and a list of smaller choices under a heading of their own.

    `pointer` holds two lines, the second pointing at a place in the first.
    """

    title: str
    text: str = ""
    actions: tuple[Action, ...] = ()
    heading: str = ""
    choices: tuple[Action, ...] = ()
    pointer: str = ""


class StateView(QScrollArea):
    """Shows one state, from the top, in a column that reads well; to be scrolled where the window is low."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Begin empty."""
        super().__init__(parent)
        self.state = State("")
        self._column = QWidget()
        self._rows = QVBoxLayout(self._column)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(UNIT_PX)
        self._column.setMaximumWidth(_WIDTH_PX)
        content = QWidget()
        whole = QVBoxLayout(content)
        whole.setContentsMargins(3 * UNIT_PX, 5 * UNIT_PX, 3 * UNIT_PX, UNIT_PX)
        whole.addWidget(self._column)
        whole.addStretch(1)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_state(self, state: State) -> None:
        """Show another state; the same one is left as it is."""
        if state == self.state:
            return
        self.state = state
        while (item := self._rows.takeAt(0)) is not None:
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        self._add_label(state.title, scale=1.35, is_bold=True)
        if state.text:
            self._add_label(state.text).setProperty("tone", "muted")
        if state.pointer:
            pointer = self._add_label(state.pointer)
            pointer.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
            pointer.setWordWrap(False)
            pointer.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for action in state.actions:
            self._add_button(QPushButton(), action)
        if state.choices:
            self._rows.addSpacing(2 * UNIT_PX)
            self._add_label(state.heading, is_bold=True)
        for choice in state.choices:
            self._add_button(WrappedButton(), choice)

    def _add_label(self, text: str, *, scale: float = 1.0, is_bold: bool = False) -> PlainLabel:
        label = PlainLabel(text)
        label.setWordWrap(True)
        label.setFont(font(scale=scale, is_bold=is_bold))
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._rows.addWidget(label)
        return label

    def _add_button(self, button: QPushButton | QToolButton, action: Action) -> None:
        button.setText(button_text(action.text))
        button.setAccessibleName(action.text)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda _checked: action.do())
        self._rows.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
