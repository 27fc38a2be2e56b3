"""Files with what is wrong with each and what to do: the table, and the list of those that no search looks into."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from briefbank.platform.files import write_atomic
from briefbank.platform.visible import table, visible
from briefbank.values.unreadable import UNSUPPORTED, UnreadableFiles
from ui.engine import EngineClient
from ui.flow import column_of, row_of
from ui.plain import PlainLabel, set_tool_tip
from ui.theme import UNIT_PX
from ui.wording import count, problem_text

_TABLE_PX = 25 * UNIT_PX
_COLUMNS = ("File", "Why", "What to do")


class FileRow(NamedTuple):
    """A file: its path, what is wrong with it, what to do, and how it is shown where that is not by its path."""

    path: str
    why: str
    advice: str
    shown: str = ""

    @property
    def cells(self) -> tuple[str, str, str]:
        """The cells as they are copied and saved: the path in full."""
        return self.path, self.why, self.advice


class FilesView(QWidget):
    """The table, and below it the buttons that take it elsewhere."""

    def __init__(self, file_name: str) -> None:
        """Begin empty; `file_name` is offered for the list when it is saved."""
        super().__init__()
        self._file_name = file_name
        self._rows: tuple[FileRow, ...] = ()
        self._state = PlainLabel(wraps=True)
        self._table = QTableWidget(0, len(_COLUMNS))
        self._table.setHorizontalHeaderLabels(_COLUMNS)
        self._table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self._table.verticalHeader().hide()
        self._table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self._table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self._table.setTabKeyNavigation(False)
        self._table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._table.setMinimumHeight(_TABLE_PX)
        self._table.setAccessibleName("Files that need attention")
        self.setFocusProxy(self._table)
        copy, save = QPushButton("Copy list"), QPushButton("Save list …")
        for button in (copy, save):
            button.setAutoDefault(False)
        copy.clicked.connect(self._on_copy_clicked)
        save.clicked.connect(self._on_save_clicked)
        column_of((self._table, 1), row_of((self._state, 1), copy, save), within=self)

    def show_rows(self, rows: Sequence[FileRow]) -> None:
        self._rows = tuple(rows)
        self._table.setRowCount(len(rows))
        for number, row in enumerate(rows):
            for column, text in enumerate(row.cells):
                shown = row.shown if row.shown and not column else text
                item = QTableWidgetItem(visible(shown))
                set_tool_tip(item, text)
                self._table.setItem(number, column, item)
        if rows:
            self._table.setCurrentCell(0, 0)

    def save(self, path: Path) -> None:
        """Write the list as CSV, readable by its owner only; no cell is a formula.

        Raises:
            OSError: it cannot be written there.
        """
        # The mark at the start tells spreadsheets that this is UTF-8.
        write_atomic(path, table(self._cells()).encode("utf-8-sig"))

    def _cells(self) -> list[tuple[str, str, str]]:
        return [_COLUMNS, *(row.cells for row in self._rows)]

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(table(self._cells(), separator="\t", line_end="\n"))
        self._state.setText("Copied.")

    def _on_save_clicked(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save list", self._file_name, "CSV files (*.csv)")
        if not name:
            return
        try:
            self.save(Path(name))
        except OSError as error:
            self._state.setText(f"{name} cannot be written: {error.strerror}. Choose another folder.")
        else:
            self._state.setText(f"Saved as {name}.")


_UNKNOWN = (
    "Which files could not be read is not known: an older BriefBank made this index. The next index run, or the next "
    "pack from your office, will tell."
)
_LACKS = (
    "{lacking} of {known} could not be read, or not to the end. No search finds what stands there: look into them "
    "yourself, or have them mended. They are read again when they change."
)


class UnreadableDialog(QDialog):
    """Asks the engine what the index lacks, and lists it: what may hold briefs first."""

    def __init__(self, engine: EngineClient, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Files that could not be read")
        self._summary = PlainLabel("One moment …", wraps=True)
        self._list = FilesView("files-that-could-not-be-read.csv")
        self._list.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column_of(self._summary, (self._list, 1), 0, buttons, within=self, margins_px=None)
        self.setMinimumWidth(90 * UNIT_PX)

        def fail(problem: Exception) -> None:
            self._summary.setText(problem_text(problem, "That could not be looked up."))

        engine.ask(engine.bank.unreadable(), self._show, fail, parent=self)

    def _show(self, unreadable: UnreadableFiles | None) -> None:
        files = list(unreadable.files) if unreadable else []
        files.sort(key=lambda file: (file.code == UNSUPPORTED, file.name.casefold()))  # pictures last: seldom briefs
        self._summary.setText(_describe(unreadable))
        self._list.show_rows([FileRow(each.path, each.problem, each.advice, each.name) for each in files])
        self._list.setVisible(bool(files))
        if files:
            self._list.setFocus()
        self.adjustSize()


def _describe(unreadable: UnreadableFiles | None) -> str:
    if unreadable is None:
        return _UNKNOWN
    known = count(unreadable.known_files, "file")
    if not unreadable.files:
        return f"All {known} were read."
    return _LACKS.format(lacking=f"{len(unreadable.files):,}", known=known)
