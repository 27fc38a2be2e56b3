"""The line in which words are looked for in the brief that is shown, and in which it is said what was found."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLineEdit, QWidget

from ui.plain import PlainLabel
from ui.reading.page.bars import tool
from ui.reading.page.finding import DocumentFinder
from ui.shortcuts import READING, key
from ui.theme import UNIT_PX

_TYPED_MS = 200
"""How long no key is pressed before what was typed is looked for. Chosen: typing goes on at 100 to 150 ms a letter."""

_USUAL = "passage 5 of 5"
"""What is said needs no more room than this in most cases, so that the field keeps its width."""


class FindBar(QFrame):
    """A field, which of how many places is shown, and the way to the next."""

    left = Signal()
    """It was closed, and the keyboard had been in it."""

    def __init__(self, finder: DocumentFinder, current_page: Callable[[], int], parent: QWidget | None = None) -> None:
        """Begin hidden and empty; `finder` is asked, from the page on that is shown then."""
        super().__init__(parent)
        self._finder, self._current_page = finder, current_page
        self.setObjectName("find")
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("Find in this brief")
        self.field.setAccessibleName("Find in this brief")
        self.said = PlainLabel(parent=self)
        self.said.setProperty("tone", "muted")
        self.said.setMinimumWidth(self.said.fontMetrics().horizontalAdvance(_USUAL))
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

    def close_find(self) -> None:
        """Look for nothing any more."""
        focused = QApplication.focusWidget()
        has_focus = focused is not None and self.isAncestorOf(focused)
        self.hide()
        self.meaning.setChecked(False)
        self._asked = ""
        self._finder.close()
        if has_focus:
            self.left.emit()

    def _tell(self) -> None:
        """Say which place is shown, or why none is."""
        text = self._finder.told()
        self.said.setText(text)
        self.field.setAccessibleDescription(text)
        for button in (self.previous, self.next):
            button.setEnabled(self._finder.count > 0)

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
        self.previous.clicked.connect(lambda: self._finder.step(-1))
        self.next.clicked.connect(lambda: self._finder.step(1))
        self.meaning.clicked.connect(self._ask)
        self.close_button.clicked.connect(self.close_find)
        self._finder.changed.connect(self._tell)

    def _ask(self, *, is_entered: bool = False) -> None:
        self._typed.stop()
        self._asked = self.field.text().strip()
        if self.meaning.isChecked():
            self._finder.find_by_meaning(self._asked)
        else:
            self._finder.find(self._asked, self._current_page(), is_entered=is_entered)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Enter goes on, Shift+Enter back, Esc closes; what was just typed is looked for first, and by meaning where
        Enter finds none of it.
        """
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            step = -1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            if self.field.text().strip() != self._asked:
                self._ask(is_entered=step > 0)
            else:
                self._finder.step(step)
            return True
        if event.key() == Qt.Key.Key_Escape:
            self.close_find()
            return True
        return super().eventFilter(watched, event)
