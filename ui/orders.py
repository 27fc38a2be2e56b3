"""The orders in which something is listed, as a row of buttons of which one is down."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QWidget

from ui.flow import FlowLayout
from ui.plain import quiet_button


class OrderButtons(QWidget):
    """Says which order was chosen; shows which one holds."""

    chosen = Signal(object)
    """One of the orders."""

    def __init__(self, orders: Mapping[StrEnum, str], *, tip: str = "") -> None:
        """Offer orders by their texts; none is down yet."""
        super().__init__()
        self._orders = orders
        group = QButtonGroup(self)
        self.buttons = {
            order: quiet_button(
                text, partial(self.chosen.emit, order), name=f"Order: {text}", tip=tip, is_checkable=True
            )
            for order, text in orders.items()
        }
        for button in self.buttons.values():
            group.addButton(button)
        FlowLayout(self, spacing_px=2).add_group(*self.buttons.values())

    def show_order(self, shown: StrEnum) -> None:
        """Put down the button of an order; a tick says so as well as the colour."""
        for order, button in self.buttons.items():
            button.setChecked(order is shown)
            button.setText(f"✓ {self._orders[order]}" if order is shown else self._orders[order])
