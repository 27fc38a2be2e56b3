"""The names of the matters beside what is in one; where there is little room a menu takes the place of the names."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from ui.plain import ElidedLabel, button_text
from ui.reading.list_and_page import LIST_PX
from ui.theme import UNIT_PX, font

_NAMES_PX = 150


class MatterSide(QWidget):
    """Two columns, or one: `names` and the buttons below it, and the column of what is in the matter."""

    def __init__(self, names: QListWidget, buttons: tuple[QPushButton, ...], title: ElidedLabel) -> None:
        """Lay out the names at the left; `column`, to which whoever makes it adds, begins with the title."""
        super().__init__()
        self._names, self._buttons, self._title = names, buttons, title
        self._left = QWidget()
        left = QVBoxLayout(self._left)
        left.setContentsMargins(0, 0, 0, 0)
        self._left.setFixedWidth(_NAMES_PX)
        left.addWidget(names, 1)
        for button in buttons:
            left.addWidget(button)
        self.chooser = QToolButton()
        self.chooser.setText("Matters ▾")
        self.chooser.setAccessibleName("Matters: open another, make, rename or archive one")
        self.chooser.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.chooser.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.chooser.setMenu(QMenu(self.chooser))
        self.chooser.menu().aboutToShow.connect(self._fill)
        self.chooser.hide()
        title.setFont(font(scale=1.2, is_bold=True))
        above = QHBoxLayout()
        above.setSpacing(UNIT_PX)
        above.addWidget(title, 1)
        above.addWidget(self.chooser)
        self.column = QVBoxLayout()
        self.column.addLayout(above)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(UNIT_PX)
        row.addWidget(self._left)
        row.addLayout(self.column, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Let the names give way where what is in the matter would be narrower than a list may be."""
        super().resizeEvent(event)
        is_narrow = self.width() < _NAMES_PX + UNIT_PX + LIST_PX
        if is_narrow == self._left.isHidden():
            return
        focused = self.window().focusWidget()
        gone = self._left if is_narrow else self.chooser
        is_inside = focused is not None and (focused is gone or gone.isAncestorOf(focused))
        self._left.setHidden(is_narrow)
        self.chooser.setVisible(is_narrow)
        if is_inside:
            (self.chooser if is_narrow else self._names).setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill(self) -> None:
        """Offer what the names and the buttons below them do."""
        menu = self.chooser.menu()
        menu.clear()
        for row in range(self._names.count()):
            name = menu.addAction(button_text(self._names.item(row).text()), self._chooses(row))
            name.setCheckable(True)
            name.setChecked(row == self._names.currentRow())
        menu.addSeparator()
        for button in self._buttons:
            if own := button.menu():
                entry: QAction = menu.addMenu(own)
                entry.setText(button.text())
            else:
                menu.addAction(button.text(), button.click).setEnabled(button.isEnabled())

    def _chooses(self, row: int) -> Callable[[], None]:
        return lambda: self._names.setCurrentRow(row)
