"""What stands in place of the results: what happened, what can be done about it, and the buttons that do it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPushButton, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ui.plain import PlainLabel, button_text
from ui.search.results.labels import WrappedButton
from ui.theme import UNIT_PX, font

_WIDTH_PX = 66 * UNIT_PX
_SMALL = 0.92


@dataclass(frozen=True, slots=True)
class Action:
    """A button: what it says and does. Two are the same that say the same and do it to the same `target`."""

    text: str
    do: Callable[[], None] = field(compare=False)
    target: object = None


@dataclass(frozen=True, slots=True)
class Choices:
    """Smaller choices under a heading of their own; where there are none, `empty` stands there, or nothing of it."""

    heading: str
    actions: tuple[Action, ...]
    empty: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """A title, a text below it, what to press (the first is what most people want), lists of smaller choices, and a
    last line.

    `pointer` holds two lines, the second pointing at a place in the first.
    """

    title: str
    text: str = ""
    actions: tuple[Action, ...] = ()
    lists: tuple[Choices, ...] = ()
    note: str = ""
    pointer: str = ""


class StateView(QScrollArea):
    """Shows one state, from the top, in a column that reads well; to be scrolled where the window is low."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Begin empty."""
        super().__init__(parent)
        self.state = State("")
        self._note = PlainLabel()
        self._column = QWidget()
        self._rows = QVBoxLayout(self._column)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(UNIT_PX // 2)
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
        """Show another state; what is the same of it is left as it is, since somebody may be about to press it."""
        before, self.state = self.state, state
        if replace(state, note=before.note) == before:
            self._note.setText(state.note)
            return
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
        for number, action in enumerate(state.actions):
            button = QPushButton()
            button.setDefault(number == 0)
            self._add_button(button, action)
        for choices in filter(lambda each: each.actions or each.empty, state.lists):
            self._rows.addSpacing(UNIT_PX)
            self._add_label(choices.heading, is_bold=True)
            if not choices.actions:
                self._add_label(choices.empty, scale=_SMALL).setProperty("tone", "muted")
            for action in choices.actions:
                self._add_button(WrappedButton(), action)
        self._rows.addSpacing(UNIT_PX)
        self._note = self._add_label(state.note, scale=_SMALL)
        self._note.setProperty("tone", "muted")

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
