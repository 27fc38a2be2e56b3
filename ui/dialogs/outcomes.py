"""The files of an index run that need a person: which, why, and what to do; to be read, copied, and saved as CSV."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from briefbank.platform.files import write_atomic
from briefbank.platform.tables import table
from briefbank.platform.visible import visible
from briefbank.reports import IndexReport
from ui.plain import PlainLabel, set_tool_tip
from ui.theme import UNIT_PX

_TABLE_PX = 25 * UNIT_PX
_COLUMNS = ("File", "Why", "What to do")
_OF_NOTES = "The rest of the file is indexed. Look at those pages in the file itself, or scan them again."


class OutcomesView(QWidget):
    """A table of the files that failed and of those read with something missing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Begin empty."""
        super().__init__(parent)
        self._report: IndexReport | None = None
        self._rows: list[tuple[str, str, str]] = []
        self._state = PlainLabel()
        self._state.setWordWrap(True)
        self._table = QTableWidget(0, len(_COLUMNS))
        self._table.setHorizontalHeaderLabels(_COLUMNS)
        self._table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self._table.verticalHeader().hide()
        self._table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self._table.setTabKeyNavigation(False)
        self._table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._table.setMinimumHeight(_TABLE_PX)
        self._table.setAccessibleName("Files that need attention")
        copy, save = QPushButton("Copy list"), QPushButton("Save list …")
        for button in (copy, save):
            button.setAutoDefault(False)
        copy.clicked.connect(self._on_copy_clicked)
        save.clicked.connect(self._on_save_clicked)
        below = QHBoxLayout()
        below.addWidget(self._state, 1)
        below.addWidget(copy)
        below.addWidget(save)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(UNIT_PX)
        whole.addWidget(self._table, 1)
        whole.addLayout(below)

    def show_report(self, report: IndexReport | None) -> bool:
        """Show what needs attention in `report`; returns whether there is anything."""
        if report is not self._report:
            self._report = report
            self._rows = _rows(report) if report else []
            self._table.setRowCount(len(self._rows))
            for row, texts in enumerate(self._rows):
                for column, text in enumerate(texts):
                    item = QTableWidgetItem(visible(text))
                    set_tool_tip(item, text)
                    self._table.setItem(row, column, item)
            self._table.resizeRowsToContents()
        return bool(self._rows)

    def save(self, path: Path) -> None:
        """Write the list as CSV, readable by its owner only; no cell is a formula.

        Raises:
            OSError: it cannot be written there.
        """
        # The mark at the start tells spreadsheets that this is UTF-8.
        write_atomic(path, table([_COLUMNS, *self._rows]).encode("utf-8-sig"))

    def _on_copy_clicked(self) -> None:
        text = table([_COLUMNS, *self._rows], separator="\t", line_end="\n")
        QGuiApplication.clipboard().setText(text)
        self._state.setText("Copied.")

    def _on_save_clicked(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save list", "files-that-need-attention.csv", "CSV files (*.csv)")
        if not name:
            return
        try:
            self.save(Path(name))
        except OSError as error:
            self._state.setText(f"{name} cannot be written: {error.strerror}. Choose another folder.")
        else:
            self._state.setText(f"Saved as {name}.")


def _rows(report: IndexReport) -> list[tuple[str, str, str]]:
    failed = [(failure.path, failure.error, failure.advice) for failure in report.failures]
    return failed + [(path, note, _OF_NOTES) for path, note in report.notes]
