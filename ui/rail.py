"""The rail at the left: a button for each space, and the window's menu at its foot."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QFrame, QMenu, QToolButton, QVBoxLayout, QWidget

from ui.icons import icon
from ui.plain import set_tool_tip
from ui.shortcuts import SPACES, key
from ui.theme import UNIT_PX, colours, font

_NARROWEST_PX = 78
_AROUND_PX = 14
_ICON_PX = 22
_SMALL = 0.8


class Rail(QFrame):
    """Says which space is wished, and shows which is open."""

    chosen = Signal(str)
    """The name of a space."""

    def __init__(self, spaces: Iterable[tuple[str, str]], menu: QMenu, parent: QWidget | None = None) -> None:
        """Make a button for each (name, title); `menu` is the window's own."""
        super().__init__(parent)
        self.setObjectName("rail")
        spaces = tuple(spaces)
        self._button_px = _button_width(title for _, title in spaces)
        self.setFixedWidth(self._button_px + UNIT_PX)
        self.buttons: dict[str, QToolButton] = {}
        self._icons: list[tuple[QToolButton, str]] = []
        group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, UNIT_PX, 4, UNIT_PX)
        column.setSpacing(UNIT_PX // 2)
        for name, title in spaces:
            made = self._button(name, title)
            made.setCheckable(True)
            set_tool_tip(made, key(name, SPACES).tip)
            made.clicked.connect(partial(self.chosen.emit, name))
            group.addButton(made)
            column.addWidget(made)
            self.buttons[name] = made
        column.addStretch(1)
        self.menu_button = self._button("menu", "&Menu")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setMenu(menu)
        column.addWidget(self.menu_button)
        self._draw()

    def set_current(self, name: str) -> None:
        """Show which space is open."""
        self.buttons[name].setChecked(True)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Draw the icons in the colours of the scheme that came."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _button(self, icon_name: str, title: str) -> QToolButton:
        made = QToolButton(self)
        made.setText(title)
        made.setAccessibleName(title.replace("&", ""))
        made.setFont(font(scale=_SMALL))
        made.setIconSize(QSize(_ICON_PX, _ICON_PX))
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        made.setFixedWidth(self._button_px)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._icons.append((made, icon_name))
        return made

    def _draw(self) -> None:
        for button, name in self._icons:
            button.setIcon(icon(name, colours().text))


def _button_width(titles: Iterable[str]) -> int:
    """As wide as the longest title in the size of the text that was chosen, with the padding and border of a button."""
    widest = max(QFontMetrics(font(scale=_SMALL)).horizontalAdvance(each) for each in titles)
    return max(_NARROWEST_PX - UNIT_PX, widest + _AROUND_PX)
