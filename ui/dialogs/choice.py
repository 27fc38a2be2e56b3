"""A few things to choose one of, as radio buttons. Knows nothing of what they are."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QRadioButton, QVBoxLayout, QWidget

from ui.theme import UNIT_PX


class Choice(QWidget):
    """One of a few things, side by side or one below the other."""

    chosen = Signal(object)

    def __init__(self, name: str, offered: Mapping[StrEnum, str], now: StrEnum, *, is_upright: bool = False) -> None:
        """Offer the texts of `offered`; `name` is for a screen reader."""
        super().__init__()
        self.setAccessibleName(name)
        self.value = now
        group = QButtonGroup(self)
        row = QVBoxLayout(self) if is_upright else QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(UNIT_PX // 2 if is_upright else 2 * UNIT_PX)
        for value, text in offered.items():
            button = QRadioButton(text)
            button.setAccessibleName(f"{name}: {text}")
            button.setChecked(value == now)
            button.clicked.connect(lambda _=False, value=value: self._choose(value))
            group.addButton(button)
            row.addWidget(button)
        row.addStretch(1)

    def _choose(self, value: StrEnum) -> None:
        self.value = value
        self.chosen.emit(value)
