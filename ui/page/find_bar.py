"""The line in which words are looked for in the brief that is shown. Says what was typed and pressed, shows what it is
told; knows neither documents nor pages.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QWidget

from ui.page.bars import tool
from ui.plain import PlainLabel
from ui.shortcuts import READING, key
from ui.theme import UNIT_PX

_TYPED_MS = 200
"""How long no key is pressed before what was typed is looked for. Chosen: typing goes on at 100 to 150 ms a letter."""


class FindBar(QFrame):
    """A field, which of how many places is shown, and the way to the next."""

    asked = Signal(str)
    """What to look for; empty where the field was emptied."""
    stepped = Signal(int)
    meaning_chosen = Signal(bool)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Begin hidden and empty."""
        super().__init__(parent)
        self.setObjectName("find")
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("Find in this brief")
        self.field.setAccessibleName("Find in this brief")
        self.said = PlainLabel(parent=self)
        self.said.setProperty("tone", "muted")
        self.previous = tool("‹", key("previous-hit", READING).tip, self)
        self.next = tool("›", key("next-hit", READING).tip, self)
        self.meaning = tool("By meaning", "The passages of this brief that say it, in whatever words", self)
        self.meaning.setCheckable(True)
        self.close_button = tool("×", "Close (Esc)", self)
        self._asked = ""
        self._typed = QTimer(self, singleShot=True, interval=_TYPED_MS)
        self._typed.timeout.connect(self._ask)
        self._arrange()
        self._connect()
        self.hide()

    def open(self) -> None:
        """Show the field and let its text be typed over."""
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def tell(self, text: str, *, can_step: bool) -> None:
        """Say which place is shown, or why none is."""
        self.said.setText(text)
        self.field.setAccessibleDescription(text)
        for button in (self.previous, self.next):
            button.setEnabled(can_step)

    def _arrange(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(UNIT_PX, UNIT_PX // 2, UNIT_PX // 2, UNIT_PX // 2)
        row.setSpacing(UNIT_PX // 2)
        row.addWidget(self.field, 1)
        for widget in (self.said, self.previous, self.next, self.meaning, self.close_button):
            row.addWidget(widget)

    def _connect(self) -> None:
        self.field.textChanged.connect(lambda _: self._typed.start())
        self.field.installEventFilter(self)
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.next.clicked.connect(lambda: self.stepped.emit(1))
        self.meaning.toggled.connect(self.meaning_chosen)
        self.close_button.clicked.connect(self.closed)

    def _ask(self) -> None:
        self._typed.stop()
        self._asked = self.field.text().strip()
        self.asked.emit(self._asked)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Enter goes on, Shift+Enter back, Esc closes; what was just typed is looked for first."""
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.field.text().strip() != self._asked:
                self._ask()
            else:
                self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
            return True
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return True
        return super().eventFilter(watched, event)
