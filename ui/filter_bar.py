"""The quiet bar of filters, and the order of the results. Says what is chosen; knows neither engine nor results."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from briefbank.records import Filters, SortOrder
from briefbank.reports import Facets
from ui.flow import FlowLayout
from ui.plain import button_text, set_tool_tip
from ui.popups import DatePopup, ValuePopup
from ui.shortcuts import key
from ui.wording import FACETS, Facet, chosen, period

_LABEL_CHARS = 18


class FilterBar(QWidget):
    """A button for each filter, and which order the results are in."""

    changed = Signal(object)
    """Filters."""
    order_chosen = Signal(object)
    """A SortOrder."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Begin without filters, newest first."""
        super().__init__(parent)
        self.filters = Filters()
        self._facets: Facets | None = None
        self._dates = _quiet_button("Any date ▾", "Filing date: any")
        self._date_popup = DatePopup(self)
        self._date_popup.changed.connect(self._on_dates_changed)
        self._dates.clicked.connect(self._on_dates_clicked)
        row = FlowLayout(self, spacing_px=2, between_px=2)
        self._buttons: dict[str, QToolButton] = {}
        row.add_group(self._dates, *map(self._facet_button, FACETS))
        self._order = OrderSwitch()
        self._order.chosen.connect(self.order_chosen)
        row.add_group(self._order)

    def set_facets(self, facets: Facets) -> None:
        """Offer the values that the bank holds."""
        self._facets = facets

    def set_filters(self, filters: Filters) -> None:
        """Show which filters hold."""
        self.filters = filters
        has_dates = bool(filters.since or filters.until)
        _show_state(self._dates, f"{period(filters) if has_dates else 'Any date'} ▾", is_active=has_dates)
        for facet in FACETS:
            values = chosen(filters, facet)
            text = facet.any if not values else facet.label(values[0]) if len(values) == 1 else ""
            text = text or f"{facet.name}: {len(values)}"
            _show_state(self._buttons[facet.field], f"{_short(text)} ▾", is_active=bool(values))

    def set_order(self, order: SortOrder) -> None:
        """Show which order holds."""
        self._order.show_order(order)

    def _facet_button(self, facet: Facet) -> QToolButton:
        button = self._buttons[facet.field] = _quiet_button(f"{facet.any} ▾", facet.any)
        popup = ValuePopup(facet, self)

        def open_() -> None:
            values = getattr(self._facets, facet.field) if self._facets else ()
            popup.set_values(values, chosen(self.filters, facet))
            popup.open_under(button)

        def take(values: tuple[str, ...]) -> None:
            kept: dict[str, Any] = {facet.field: tuple(map(facet.value, values))}
            self._change(replace(self.filters, **kept))

        button.clicked.connect(open_)
        popup.changed.connect(take)
        return button

    def _on_dates_clicked(self) -> None:
        self._date_popup.set_dates(self.filters.since, self.filters.until, self._facets)
        self._date_popup.open_under(self._dates)

    def _on_dates_changed(self, since: date | None, until: date | None) -> None:
        self._change(replace(self.filters, since=since, until=until))

    def _change(self, filters: Filters) -> None:
        self.set_filters(filters)
        self.changed.emit(filters)


class OrderSwitch(QWidget):
    """Newest first or best match: two buttons of which one is down."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Begin newest first."""
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        self._buttons = {}
        group = QButtonGroup(self)
        for order, text in ((SortOrder.RECENCY, "Newest first"), (SortOrder.RELEVANCE, "Best match")):
            button = _quiet_button(text, f"Order: {text}")
            button.setCheckable(True)
            set_tool_tip(button, key("order").tip)
            button.clicked.connect(lambda _=False, order=order: self.chosen.emit(order))
            group.addButton(button)
            row.addWidget(button)
            self._buttons[order] = button
        self.show_order(SortOrder.RECENCY)

    def show_order(self, order: SortOrder) -> None:
        """Put down the button of this order; a tick says so as well as the colour."""
        for each, button in self._buttons.items():
            text = button.text().removeprefix("✓ ")
            button.setText(f"✓ {text}" if each is order else text)
            button.setChecked(each is order)


def _quiet_button(text: str, name: str) -> QToolButton:
    made = QToolButton()
    made.setText(text)
    made.setAccessibleName(name)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return made


def _show_state(button: QToolButton, text: str, *, is_active: bool) -> None:
    button.setText(button_text(text))
    button.setAccessibleName(text.removesuffix(" ▾"))
    button.setCheckable(is_active)
    button.setChecked(is_active)


def _short(text: str) -> str:
    return text if len(text) <= _LABEL_CHARS else f"{text[: _LABEL_CHARS - 1]}…"
