"""The bar of filters with the small panels that it opens (values to tick, dates to type), and the order of the results.

Says what is chosen; knows neither engine nor results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from enum import StrEnum
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QWidget,
)

from briefbank.platform.visible import visible_name
from briefbank.values.reading import Facets
from briefbank.values.records import Counts, Filters, ResultCounts, SortOrder
from ui.flow import FlowLayout, column_of
from ui.orders import OrderButtons
from ui.plain import PlainLabel, button_text, quiet_button
from ui.shortcuts import IN_A_SEARCH, key
from ui.theme import UNIT_PX
from ui.wording import FACETS, Facet, chosen, day, ends_of, period, written, years_before

_ROWS_SHOWN = 12
_SEARCHABLE_FROM = _ROWS_SHOWN + 1
"""Values from which they do not fit without scrolling, so that a field to find one helps."""

_LABEL_CHARS = 18
_OF_BANK, _OF_FOUND = "Counted in the whole bank", "Counted in what this search finds"
_RECENT_YEARS = 2, 5, 10
_ORDERS: Mapping[StrEnum, str] = {
    SortOrder.RECENCY: "Newest first",
    SortOrder.RELEVANCE: "Best match",
    SortOrder.OUTCOME: "Won first",
}


class Popup(QFrame):
    """A small panel under the button that opens it, closed by Escape or a click elsewhere."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("popup")
        self.rows = column_of(within=self, spacing_px=6, margins_px=(UNIT_PX, UNIT_PX, UNIT_PX, UNIT_PX))

    def open_under(self, button: QWidget) -> None:
        self.ensurePolished()
        self.rows.invalidate()  # it does not notice what is hidden before the first showing
        self.resize(self.sizeHint())  # adjustSize makes no window lower than 100 pixels
        at = button.mapToGlobal(QPoint(0, button.height() + 2))
        screen = button.screen().availableGeometry()
        at.setX(max(min(at.x(), screen.right() - self.width()), screen.left()))
        self.move(at)
        self.show()


class ValuePopup(Popup):
    """The values of one facet to tick; type to find one where there are many."""

    changed = Signal(tuple)

    def __init__(self, facet: Facet, parent: QWidget) -> None:
        super().__init__(parent)
        self._facet = facet
        self._find = QLineEdit()
        self._find.setPlaceholderText("Find …")
        self._find.setAccessibleName(f"Find: {facet.name}")
        self._find.textChanged.connect(self._on_find_changed)
        self._find.installEventFilter(self)
        self._list = QListWidget()
        self._list.setAccessibleName(facet.name)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.itemChanged.connect(self._on_item_changed)
        self._list.itemActivated.connect(self._on_item_activated)
        self.rows.addWidget(self._find)
        self._note = PlainLabel(tone="muted")
        self.rows.addWidget(self._list)
        self.rows.addWidget(self._note)

    def set_values(self, values: Iterable[tuple[str, int]], ticked: Iterable[str], note: str = "") -> None:
        """Offer values with their counts; ticked ones stay even if no document carries them any more.

        `note` says what is counted.
        """
        self._note.setText(note)
        counts = dict(values)
        chosen_ = set(ticked)
        self._list.blockSignals(True)  # noqa: FBT003  # as Qt has it
        self._list.clear()
        for value in [*counts, *sorted(chosen_ - counts.keys())]:
            item = QListWidgetItem(visible_name(f"{self._facet.label(value)}  ({counts.get(value, 0):,})"), self._list)
            item.setData(Qt.ItemDataRole.UserRole, value)
            item.setFlags(Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            item.setCheckState(Qt.CheckState.Checked if value in chosen_ else Qt.CheckState.Unchecked)
        if not self._list.count():
            QListWidgetItem("Nothing known of any brief", self._list).setFlags(Qt.ItemFlag.NoItemFlags)
        self._list.blockSignals(False)  # noqa: FBT003
        self._find.clear()
        self._find.setVisible(self._list.count() >= _SEARCHABLE_FROM)
        self._fit()

    def open_under(self, button: QWidget) -> None:
        super().open_under(button)
        self._list.setCurrentRow(0)
        (self._list if self._find.isHidden() else self._find).setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Down:
            self._list.setFocus()
            return True
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        rows = min(self._list.count(), _ROWS_SHOWN)
        height = self._list.sizeHintForRow(0) * rows + 2 * UNIT_PX
        self._list.setFixedHeight(height)
        bar = 3 * UNIT_PX
        self._list.setMinimumWidth(min(max(self._list.sizeHintForColumn(0) + bar, 180), 460))

    def _on_find_changed(self, text: str) -> None:
        for row in range(self._list.count()):
            item = self._list.item(row)
            item.setHidden(text.casefold() not in item.text().casefold())

    def _on_item_activated(self, item: QListWidgetItem) -> None:
        if item.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            is_checked = item.checkState() == Qt.CheckState.Checked
            item.setCheckState(Qt.CheckState.Unchecked if is_checked else Qt.CheckState.Checked)

    def _on_item_changed(self, _item: QListWidgetItem) -> None:
        items = (self._list.item(row) for row in range(self._list.count()))
        self.changed.emit(
            tuple(each.data(Qt.ItemDataRole.UserRole) for each in items if each.checkState() == Qt.CheckState.Checked)
        )


class DatePopup(Popup):
    """Two dates, either of which may be left open."""

    changed = Signal(object, object)

    def __init__(self, parent: QWidget, today: Callable[[], date] = date.today) -> None:
        """Begin with both open; `today` tells the day that recent years are counted from."""
        super().__init__(parent)
        self._today = today
        self.since = _date_field("Filed since")
        self.until = _date_field("Filed until")
        self._problem = PlainLabel(tone="warning")
        self._extent = PlainLabel(tone="muted")
        for name, field in (("Filed since", self.since), ("until", self.until)):
            row = QHBoxLayout()
            label = PlainLabel(name)
            label.setBuddy(field)
            label.setMinimumWidth(10 * UNIT_PX)
            row.addWidget(label)
            row.addWidget(field)
            self.rows.addLayout(row)
            field.returnPressed.connect(self._on_return_pressed)
        recent = QHBoxLayout()
        for years in _RECENT_YEARS:
            name = f"Filed in the last {years} years"
            recent.addWidget(quiet_button(f"Last {years} years", partial(self._choose_recent, years), name=name))
        self.rows.addLayout(recent)
        self.rows.addWidget(self._problem)
        self.rows.addWidget(self._extent)

    def set_dates(self, since: date | None, until: date | None, facets: Facets | None) -> None:
        self.since.setText(written(since, is_start=True))
        self.until.setText(written(until, is_start=False))
        self._problem.hide()
        has_dates = bool(facets and facets.filed_first)
        self._extent.setVisible(has_dates)
        if facets and has_dates:
            undated = f"; {facets.undated:,} undated" if facets.undated else ""
            self._extent.setText(f"This bank: {day(facets.filed_first)} to {day(facets.filed_last)}{undated}")

    def open_under(self, button: QWidget) -> None:
        super().open_under(button)
        self.since.setFocus()

    def _choose_recent(self, years: int) -> None:
        self.hide()
        self.changed.emit(years_before(self._today(), years), None)

    def _on_return_pressed(self) -> None:
        try:
            since = ends_of(self.since.text())[0]
            until = ends_of(self.until.text())[1]
        except ValueError:
            self._complain("Write a year, or a date such as 2019-03-31.")
            return
        if since and until and since > until:
            self._complain("The first date is behind the second.")
            return
        self.hide()
        self.changed.emit(since, until)

    def _complain(self, text: str) -> None:
        self._problem.setText(text)
        self._problem.show()
        self.adjustSize()


def _date_field(name: str) -> QLineEdit:
    made = QLineEdit()
    made.setPlaceholderText("2019 or 2019-03-31")
    made.setAccessibleName(name)
    return made


class FilterBar(QWidget):
    """A button for each filter, and which order the results are in."""

    changed = Signal(object)
    """Filters."""
    order_chosen = Signal(object)
    """A SortOrder."""

    def __init__(self) -> None:
        super().__init__()
        self.filters = Filters()
        self._facets: Facets | None = None
        self._found: ResultCounts | None = None
        self._dates = quiet_button("Any date ▾", name="Filing date: any")
        self._date_popup = DatePopup(self)
        self._date_popup.changed.connect(
            lambda since, until: self._change(replace(self.filters, since=since, until=until))
        )
        self._dates.clicked.connect(self._on_dates_clicked)
        row = FlowLayout(self, spacing_px=2, between_px=2)
        self._buttons: dict[str, QToolButton] = {}
        row.add_group(self._dates, *map(self._facet_button, FACETS))
        self._order = OrderButtons(_ORDERS, tip=key("order", IN_A_SEARCH).tip)
        self._order.chosen.connect(self.order_chosen)
        row.add_group(self._order)

    def set_facets(self, facets: Facets) -> None:
        self._facets = facets
        self._order.buttons[SortOrder.OUTCOME].setVisible(bool(facets.outcomes))

    def set_found(self, found: ResultCounts | None) -> None:
        """Count the values in what a search found, from now on; None: in the whole bank."""
        self._found = found

    def set_filters(self, filters: Filters) -> None:
        self.filters = filters
        has_dates = bool(filters.since or filters.until)
        _show_state(self._dates, f"{period(filters) if has_dates else 'Any date'} ▾", is_active=has_dates)
        for facet in FACETS:
            values = chosen(filters, facet)
            text = facet.any if not values else facet.label(values[0]) if len(values) == 1 else ""
            text = text or f"{facet.name}: {len(values)}"
            _show_state(self._buttons[facet.field], f"{_short(text)} ▾", is_active=bool(values))

    def set_order(self, order: SortOrder) -> None:
        self._order.show_order(order)

    def _facet_button(self, facet: Facet) -> QToolButton:
        button = self._buttons[facet.field] = quiet_button(f"{facet.any} ▾", name=facet.any)
        popup = ValuePopup(facet, self)

        def open_() -> None:
            values, note = self._counted(facet)
            popup.set_values(values, chosen(self.filters, facet), note)
            popup.open_under(button)

        def take(values: tuple[str, ...]) -> None:
            kept: dict[str, Any] = {facet.field: tuple(map(facet.value, values))}
            self._change(replace(self.filters, **kept))

        button.clicked.connect(open_)
        popup.changed.connect(take)
        return button

    def _counted(self, facet: Facet) -> tuple[Counts, str]:
        """The values of a facet with their counts, and what is counted.

        Counted is what the search found, those that it found nothing of last. A facet that narrows the search already
        is counted over the bank: what the search left out was never looked for.
        """
        known: Counts = getattr(self._facets, facet.field) if self._facets else ()
        if self._found is None or chosen(self.filters, facet):
            return known, _OF_BANK
        found = dict(getattr(self._found, facet.field))
        return tuple(sorted(((value, found.get(value, 0)) for value, _ in known), key=lambda each: -each[1])), _OF_FOUND

    def _on_dates_clicked(self) -> None:
        self._date_popup.set_dates(self.filters.since, self.filters.until, self._facets)
        self._date_popup.open_under(self._dates)

    def _change(self, filters: Filters) -> None:
        self.set_filters(filters)
        self.changed.emit(filters)


def _show_state(button: QToolButton, text: str, *, is_active: bool) -> None:
    button.setText(button_text(text))
    button.setAccessibleName(text.removesuffix(" ▾"))
    button.setCheckable(is_active)
    button.setChecked(is_active)


def _short(text: str) -> str:
    return text if len(text) <= _LABEL_CHARS else f"{text[: _LABEL_CHARS - 1]}…"
