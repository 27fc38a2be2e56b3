"""The list of files that no search looks into, because they could not be read; in words for whoever searches."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from briefbank.values.unreadable import UNSUPPORTED, UnreadableFile, UnreadableFiles
from ui.dialogs.files_view import FileRow, FilesView
from ui.engine import EngineClient
from ui.plain import PlainLabel
from ui.theme import UNIT_PX
from ui.wording import count, problem_text

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
        """Ask; the answer comes a moment later."""
        super().__init__(parent)
        self.setWindowTitle("Files that could not be read")
        self._told = PlainLabel("One moment …")
        self._told.setWordWrap(True)
        self._list = FilesView("files-that-could-not-be-read.csv")
        self._list.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        whole.setSpacing(UNIT_PX)
        whole.addWidget(self._told)
        whole.addWidget(self._list, 1)
        whole.addStretch(0)
        whole.addWidget(buttons)
        self.setMinimumWidth(90 * UNIT_PX)
        engine.ask(engine.bank.unreadable(), self._show, self._fail, parent=self)

    def _show(self, unreadable: UnreadableFiles | None) -> None:
        files = sorted(unreadable.files, key=_order) if unreadable else []
        self._told.setText(_told(unreadable))
        self._list.show_rows([FileRow(each.path, each.problem, each.advice, each.name) for each in files])
        self._list.setVisible(bool(files))
        if files:
            self._list.setFocus()
        self.adjustSize()

    def _fail(self, problem: Exception) -> None:
        self._told.setText(problem_text(problem, "That could not be looked up."))


def _order(file: UnreadableFile) -> tuple[bool, str]:
    """Pictures and the like last: they seldom are briefs."""
    return file.code == UNSUPPORTED, file.name.casefold()


def _told(unreadable: UnreadableFiles | None) -> str:
    if unreadable is None:
        return _UNKNOWN
    known = count(unreadable.known_files, "file")
    if not unreadable.files:
        return f"All {known} were read."
    return _LACKS.format(lacking=f"{len(unreadable.files):,}", known=known)
