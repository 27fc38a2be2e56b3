"""The dialog that indexes a folder: what will happen, how far it is, which files need a person
and what to do about them. That list can be copied and saved as CSV.

Everything it shows is the run's, so that it can be closed and opened again while a run goes on.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)

from briefbank.errors import BriefBankError, CancelledError
from briefbank.platform.progress import Progress
from briefbank.values.state import IndexReport
from ui.dialogs.files import FileRow, FilesView
from ui.flow import column_of, row_of
from ui.index_run import IndexRun, duration, progress_line
from ui.plain import ElidedLabel, PlainLabel
from ui.theme import UNIT_PX, font
from ui.wording import count

_OF_NOTES = "The rest of the file is indexed. Look at those pages in the file itself, or scan them again."

_FOLDER_KEY = "index/folder"
_WILL = (
    "All briefs in this folder and the folders below it are read: PDF (scanned pages by OCR), Word (DOCX), mail (EML, "
    "MSG), text (TXT) and Markdown (MD) files; where LibreOffice is installed, DOC, WPD, RTF and ODT files too. The "
    "files are not changed, moved or copied. Files that have not changed since the last time are skipped. Searching "
    "goes on as before; the new index is used as soon as it is complete."
)
_STAGES = {
    "starting": "Starting",
    "looking": "Looking for new and changed files",
    "reading": "Reading",
    "reading citations": "Reading the citations anew",
    "writing the index": "Writing the new index",
    "finishing the index": "Finishing the new index",
}


class IndexDialog(QDialog):
    """Starts, shows and stops an index run."""

    def __init__(self, index_run: IndexRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._index_run = index_run
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
        self._troubled = FilesView("files-that-need-attention.csv")
        self._shown: IndexReport | None = None
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
        folder = row_of((self._folder, 1), self._choose)
        run = (self._retry, self._will, self._stage, self._bar, self._details, self._file, self._ending)
        column_of(named, folder, *run, (self._troubled, 1), self._buttons, within=self, margins_px=None)
        self._start.setDefault(True)
        for button in (self._choose, self._stop, self._close):
            button.setAutoDefault(False)

    def _connect(self) -> None:
        self._choose.clicked.connect(self._on_choose_clicked)
        self._folder.textChanged.connect(self._show_state)
        self._start.clicked.connect(self._on_start_clicked)
        self._stop.clicked.connect(self._index_run.cancel)
        self._buttons.rejected.connect(self.reject)
        self._index_run.changed.connect(self._show_state)

    def _on_choose_clicked(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Folder of briefs", self._folder.text())
        if chosen:
            self._folder.setText(chosen)

    def _on_start_clicked(self) -> None:
        folder = Path(self._folder.text().strip()).expanduser()
        QSettings().setValue(_FOLDER_KEY, str(folder))
        self._index_run.start(folder, retry_failed=self._retry.isChecked())

    def _show_state(self) -> None:
        is_running = self._index_run.is_running
        for choice in (self._folder, self._choose, self._retry):
            choice.setEnabled(not is_running)
        for sign in (self._stage, self._bar, self._details, self._file):
            sign.setVisible(is_running)
        self._will.setVisible(not (is_running or self._index_run.has_ended))
        self._start.setVisible(not is_running)
        self._start.setEnabled(bool(self._folder.text().strip()))
        self._stop.setVisible(is_running)
        self._stop.setEnabled(not self._index_run.is_stopping)
        self._ending.setVisible(self._index_run.has_ended)
        self._show_troubled()
        self._ending.setText(_ending(self._index_run.report, self._index_run.error))
        if is_running:
            self._show_progress(self._index_run.progress)
        if (is_running, self._index_run.has_ended) != self._fitted:
            self._fitted = (is_running, self._index_run.has_ended)
            self.adjustSize()

    def _show_troubled(self) -> None:
        report = self._index_run.report
        if report is not self._shown:
            self._shown = report
            failed = [FileRow(each.path, each.error, each.advice) for each in (report.failures if report else ())]
            noted = [FileRow(path, note, _OF_NOTES) for path, note in (report.notes if report else ())]
            self._troubled.show_rows(failed + noted)
        self._troubled.setVisible(self._index_run.has_ended and bool(report and (report.failures or report.notes)))

    def _show_progress(self, progress: Progress) -> None:
        stage = _STAGES.get(progress.stage, progress.stage)
        self._stage.setText("Stopping after the file it is at" if self._index_run.is_stopping else stage)
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
    return f"{counts}\n{state}: {count(report.documents, 'brief')}, {count(report.passages, 'passage')}."
