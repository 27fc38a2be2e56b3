"""The small panels that the filter bar opens: values to tick, dates to type. Know neither engine nor results."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from briefbank.platform.visible import visible_name
from briefbank.reports import Facets
from ui.plain import PlainLabel
from ui.theme import UNIT_PX
from ui.wording import Facet, day, ends_of, written

_ROWS_SHOWN = 12
_SEARCHABLE_FROM = _ROWS_SHOWN + 1
"""Values from which they do not fit without scrolling, so that a field to find one helps."""


class Popup(QFrame):
    """A small panel under the button that opens it, closed by Escape or a click elsewhere."""

    def __init__(self, parent: QWidget) -> None:
        """Begin closed."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("popup")
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(UNIT_PX, UNIT_PX, UNIT_PX, UNIT_PX)

    def open_under(self, button: QWidget) -> None:
        """Show it below the button, on the screen whole."""
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
        """Begin without values."""
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
        self.rows.addWidget(self._list)

    def set_values(self, values: Iterable[tuple[str, int]], ticked: Iterable[str]) -> None:
        """Offer values with their counts; ticked ones stay even if no document carries them any more."""
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
            QListWidgetItem("Nothing known of any document", self._list).setFlags(Qt.ItemFlag.NoItemFlags)
        self._list.blockSignals(False)  # noqa: FBT003
        self._find.clear()
        self._find.setVisible(self._list.count() >= _SEARCHABLE_FROM)
        self._fit()

    def open_under(self, button: QWidget) -> None:
        """Open with the first value, or the field to find one, focused."""
        super().open_under(button)
        self._list.setCurrentRow(0)
        (self._list if self._find.isHidden() else self._find).setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Go from the field into the list with the arrow key."""
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

    def __init__(self, parent: QWidget) -> None:
        """Begin with both open."""
        super().__init__(parent)
        self.since = _date_field("Filed since")
        self.until = _date_field("Filed until")
        self._problem = PlainLabel()
        self._problem.setProperty("tone", "warning")
        self._extent = PlainLabel()
        self._extent.setProperty("tone", "muted")
        for name, field in (("Filed since", self.since), ("until", self.until)):
            row = QHBoxLayout()
            label = PlainLabel(name)
            label.setBuddy(field)
            label.setMinimumWidth(10 * UNIT_PX)
            row.addWidget(label)
            row.addWidget(field)
            self.rows.addLayout(row)
            field.returnPressed.connect(self._on_return_pressed)
        self.rows.addWidget(self._problem)
        self.rows.addWidget(self._extent)

    def set_dates(self, since: date | None, until: date | None, facets: Facets | None) -> None:
        """Show the dates that hold, and which ones the bank knows."""
        self.since.setText(written(since, is_start=True))
        self.until.setText(written(until, is_start=False))
        self._problem.hide()
        has_dates = bool(facets and facets.filed_first)
        self._extent.setVisible(has_dates)
        if facets and has_dates:
            undated = f"; {facets.undated:,} undated" if facets.undated else ""
            self._extent.setText(f"This bank: {day(facets.filed_first)} to {day(facets.filed_last)}{undated}")

    def open_under(self, button: QWidget) -> None:
        """Open with the first field focused."""
        super().open_under(button)
        self.since.setFocus()

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
