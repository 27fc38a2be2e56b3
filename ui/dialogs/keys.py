"""The keys of where somebody is, in a table; the guide has all of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from ui.flow import column_of
from ui.shortcuts import Key
from ui.theme import UNIT_PX, font


class KeysDialog(QDialog):
    """Shows groups of keys, those of the place first."""

    def __init__(
        self, where: str, groups: Sequence[tuple[str, tuple[Key, ...]]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Keys: {where}")
        self.table = QTableWidget(0, 2)
        self.table.setAccessibleName(f"Keys: {where}")
        self.table.horizontalHeader().hide()
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for title, keys in groups:
            self._add(title, "", is_heading=True)
            for each in keys:
                self._add(", ".join(each.sequences), each.does)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        column_of((self.table, 1), close, within=self, margins_px=None)
        self.resize(84 * UNIT_PX, 76 * UNIT_PX)
        self.table.setCurrentCell(0, 0)

    def _add(self, key: str, does: str, *, is_heading: bool = False) -> None:
        row = self.table.rowCount()
        self.table.insertRow(row)
        for column, text in enumerate((key, does)):
            item = QTableWidgetItem(text)
            if is_heading:
                item.setFont(font(is_bold=True))
            self.table.setItem(row, column, item)
        if is_heading:
            self.table.setSpan(row, 0, 1, 2)
