"""The dialog that indexes a folder: what will happen, how far it is, which files need a person
and what to do about them. That list can be copied and saved as CSV.

Everything it shows is the job's, so that it can be closed and opened again while a run goes on.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from briefbank.errors import BriefBankError, CancelledError
from briefbank.platform.files import write_atomic
from briefbank.platform.progress import Progress
from briefbank.platform.visible import table, visible
from briefbank.reports import IndexReport
from ui.dialogs.index_job import IndexJob, duration, progress_line
from ui.plain import ElidedLabel, PlainLabel, set_tool_tip
from ui.theme import UNIT_PX, font
from ui.wording import count

_TABLE_PX = 25 * UNIT_PX
_COLUMNS = ("File", "Why", "What to do")
_OF_NOTES = "The rest of the file is indexed. Look at those pages in the file itself, or scan them again."

_FOLDER_KEY = "index/folder"
_WILL = (
    "All briefs in this folder and the folders below it are read: PDF (scanned pages by OCR), Word (DOCX), mail (EML), "
    "text (TXT) and Markdown (MD) files; where LibreOffice is installed, DOC, WPD, RTF and ODT files too. The files "
    "are not changed, moved or copied. Files that have not changed since the last time are skipped. Searching goes on "
    "as before; the new index is used as soon as it is complete."
)
_STAGES = {
    "starting": "Starting",
    "looking": "Looking for new and changed files",
    "reading": "Reading",
    "writing the index": "Writing the new index",
    "finishing the index": "Finishing the new index",
}


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


class IndexDialog(QDialog):
    """Starts, shows and stops the index run of `job`."""

    def __init__(self, job: IndexJob, parent: QWidget | None = None) -> None:
        """Show the run going on, or the last one's report, or ask for a folder."""
        super().__init__(parent)
        self._job = job
        self.setWindowTitle("Index a folder")
        self._folder = QLineEdit(str(QSettings().value(_FOLDER_KEY, "")))
        self._choose = QPushButton("Choose …")
        self._retry = QCheckBox("Read again the files that could not be read before")
        self._retry.setObjectName("retry")
        self._will = PlainLabel(_WILL)
        self._stage = PlainLabel()
        self._bar = QProgressBar()
        self._details = PlainLabel()
        self._file = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self._ending = PlainLabel()
        self._outcomes = OutcomesView()
        self._buttons = QDialogButtonBox()
        self._start = self._buttons.addButton("Start indexing", QDialogButtonBox.ButtonRole.ActionRole)
        self._stop = self._buttons.addButton("Stop", QDialogButtonBox.ButtonRole.ActionRole)
        self._close = self._buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self._fitted = (False, False)
        self._lay_out()
        self._connect()
        self._show_state()

    def _lay_out(self) -> None:
        self.setMinimumWidth(90 * UNIT_PX)
        named = PlainLabel("&Folder of briefs")
        named.setBuddy(self._folder)
        self._folder.setAccessibleName("Folder of briefs")
        self._choose.setAccessibleName("Choose the folder of briefs")
        self._bar.setAccessibleName("Files read")
        self._will.setProperty("tone", "muted")
        self._file.setProperty("tone", "muted")
        for label in (self._will, self._details, self._ending):
            label.setWordWrap(True)
        self._stage.setFont(font(is_bold=True))
        self._ending.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        folder = QHBoxLayout()
        folder.addWidget(self._folder, 1)
        folder.addWidget(self._choose)
        whole = QVBoxLayout(self)
        whole.setSpacing(UNIT_PX)
        whole.addWidget(named)
        whole.addLayout(folder)
        for widget in (self._retry, self._will, self._stage, self._bar, self._details, self._file, self._ending):
            whole.addWidget(widget)
        whole.addWidget(self._outcomes, 1)
        whole.addWidget(self._buttons)
        self._start.setDefault(True)
        for button in (self._choose, self._stop, self._close):
            button.setAutoDefault(False)

    def _connect(self) -> None:
        self._choose.clicked.connect(self._on_choose_clicked)
        self._folder.textChanged.connect(self._show_state)
        self._start.clicked.connect(self._on_start_clicked)
        self._stop.clicked.connect(self._job.cancel)
        self._buttons.rejected.connect(self.reject)
        self._job.started.connect(self._show_state)
        self._job.progressed.connect(self._show_state)
        self._job.finished.connect(self._show_state)

    def _on_choose_clicked(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Folder of briefs", self._folder.text())
        if chosen:
            self._folder.setText(chosen)

    def _on_start_clicked(self) -> None:
        folder = Path(self._folder.text().strip()).expanduser()
        QSettings().setValue(_FOLDER_KEY, str(folder))
        self._job.start(folder, retry_failed=self._retry.isChecked())

    def _show_state(self) -> None:
        is_running = self._job.is_running
        for choice in (self._folder, self._choose, self._retry):
            choice.setEnabled(not is_running)
        for sign in (self._stage, self._bar, self._details, self._file):
            sign.setVisible(is_running)
        self._will.setVisible(not (is_running or self._job.has_ended))
        self._start.setVisible(not is_running)
        self._start.setEnabled(bool(self._folder.text().strip()))
        self._stop.setVisible(is_running)
        self._stop.setEnabled(not self._job.is_stopping)
        self._ending.setVisible(self._job.has_ended)
        self._outcomes.setVisible(self._job.has_ended and self._outcomes.show_report(self._job.report))
        self._ending.setText(_ending(self._job.report, self._job.error))
        if is_running:
            self._show_progress(self._job.progress)
        if (is_running, self._job.has_ended) != self._fitted:
            self._fitted = (is_running, self._job.has_ended)
            self.adjustSize()

    def _show_progress(self, progress: Progress) -> None:
        stage = _STAGES.get(progress.stage, progress.stage)
        self._stage.setText("Stopping after the file it is at" if self._job.is_stopping else stage)
        self._bar.setRange(0, progress.files_total or 0)
        self._bar.setValue(progress.files_done)
        self._details.setText(progress_line(progress) or "You can close this window; indexing goes on.")
        self._file.setText(progress.current)


def _ending(report: IndexReport | None, error: BriefBankError | None) -> str:
    """How the run ended, in words."""
    if isinstance(error, CancelledError):
        return "Stopped. What was read is kept: start again with the same folder to go on. The index is as it was."
    if error:
        return f"Nothing was changed. {error.message}\n{error.advice}"
    if not report:
        return ""
    counts = f"{report.indexed:,} indexed, {report.unchanged:,} unchanged, {report.removed:,} removed, "
    counts += f"{len(report.failures):,} failed, in {duration(report.seconds)}."
    state = "The new index is in use" if report.published else "Nothing has changed, the index is as it was"
    return f"{counts}\n{state}: {count(report.documents, 'document')}, {count(report.passages, 'passage')}."
