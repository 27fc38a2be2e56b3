"""The row of what narrows the search: filters, conditions read out of the words, the passage to be alike.

Each can be taken away, and all at once. The row is there only while there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from ui.plain import ElidedLabel, set_tool_tip
from ui.theme import UNIT_PX, font

_WIDEST_PX = 45 * UNIT_PX


@dataclass(frozen=True, slots=True)
class Chip:
    """What a chip says, and what taking it away does."""

    text: str
    remove: Callable[[], None]


class ChipBar(QWidget):
    """Shows chips in one row."""

    def __init__(self, on_clear: Callable[[], None], parent: QWidget | None = None) -> None:
        """Begin empty; `on_clear` takes away all."""
        super().__init__(parent)
        self._on_clear = on_clear
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(UNIT_PX // 2)
        self.chips: tuple[Chip, ...] = ()
        self.hide()

    def set_chips(self, chips: Sequence[Chip]) -> None:
        """Show these and no others."""
        self.chips = tuple(chips)
        while (item := self._row.takeAt(0)) is not None:
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        for chip in chips:
            self._row.addWidget(_chip_frame(chip))
        if len(chips) > 1:
            self._row.addWidget(_button("Clear all", "Clear all filters", self._on_clear))
        self._row.addStretch(1)
        self.setVisible(bool(chips))


def _chip_frame(chip: Chip) -> QFrame:
    frame = QFrame()
    frame.setObjectName("chip")
    row = QHBoxLayout(frame)
    row.setContentsMargins(UNIT_PX, 0, 2, 0)
    row.setSpacing(2)
    label = ElidedLabel()
    label.setFont(font(scale=0.92))
    label.setText(chip.text)
    label.setMaximumWidth(_WIDEST_PX)
    for each in (frame, label):
        each.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    row.addWidget(label)
    row.addWidget(_button("×", f"Remove: {chip.text}", chip.remove))
    return frame


def _button(text: str, name: str, on_clicked: Callable[[], None]) -> QToolButton:
    made = QToolButton()
    made.setText(text)
    made.setAccessibleName(name)
    set_tool_tip(made, name)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    made.clicked.connect(lambda _checked: on_clicked())
    return made
