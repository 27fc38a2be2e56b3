"""The space in which a draft is held against the bank: what was found at the left, the bank's page at the right.

The draft is read by a process of its own, which ends with the check. Neither its words nor its name are kept anywhere;
what was found is gone when the draft is closed.
"""

from __future__ import annotations

from datetime import date
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from briefbank.errors import CancelledError
from briefbank.platform.progress import Progress
from briefbank.platform.visible import visible_name
from briefbank.reports import DraftReport
from briefbank.services import DraftRun
from ui.bottom_bar import BottomBar
from ui.draft_findings import findings_of, summary_of
from ui.engine import EngineClient
from ui.findings_space import FindingsSpace
from ui.page.keys import bind
from ui.plain import ElidedLabel, set_tool_tip
from ui.shortcuts import WITH_A_DRAFT, key
from ui.tasks import FutureWatcher, deliver
from ui.theme import UNIT_PX, font
from ui.wording import problem_text

_KINDS = "Drafts (*.docx *.doc *.pdf *.rtf *.odt *.wpd *.txt *.md);;All files (*)"
_FIRST = (
    "Choose a draft, or drop its file here: yours, the other side’s, or an old one.\n"
    "Word, PDF, RTF or text. It is read into memory; nothing of it is kept."
)
_STOPPED = "Stopped. Nothing was kept of the draft."
_RENEWED = "The index was renewed since: check the draft again."


class DraftSpace(FindingsSpace):
    """One draft at a time."""

    def __init__(self, engine: EngineClient, bottom: BottomBar) -> None:
        """Lay out the space without a draft."""
        super().__init__(engine, bottom, "draft", "What the check found")
        self.title = ElidedLabel()
        self.choose = QPushButton("Check a &draft …")
        self.export = QPushButton("Save as &Word …")
        self.close_draft = QPushButton("&Close the draft")
        self.stop = QPushButton("&Stop")
        self.bar = QProgressBar(textVisible=False)
        self._run: DraftRun | None = None
        self._watcher: FutureWatcher | None = None
        self._report: DraftReport | None = None
        self._lay_out()
        self._connect()
        self.setAcceptDrops(True)
        self.setFocusProxy(self.choose)
        self._end(_FIRST)

    @property
    def is_checking(self) -> bool:
        """Whether a draft is being checked."""
        return self._run is not None

    def load(self) -> None:
        """Say that what was found is of an earlier index."""
        self.status.setText(_RENEWED if self._report else "")

    def ask_for_file(self) -> None:
        """Ask which file is the draft; not in the system's own dialog, which may list it among recent documents."""
        dialog = QFileDialog(self, "Check a draft", "", _KINDS)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(partial(_leave, dialog, dialog.directory().path(), dialog.history()))
        dialog.fileSelected.connect(lambda name: self.check(Path(name)))
        dialog.open()

    def check(self, file: Path) -> None:
        """Hold a file against the bank, in the place of what was checked before."""
        self.forget()
        self.title.setText(file.name)
        self._run = self.engine.bank.check_draft(file, reporter=self._on_reported)
        self._watcher = self.engine.ask(self._run.report, self._on_checked, self._on_failed, parent=self)
        self.tell_empty("Reading the draft …")
        self.bar.setRange(0, 0)
        self._tell()
        self.stop.setFocus(Qt.FocusReason.OtherFocusReason)

    def cancel(self) -> None:
        """Stop checking."""
        if self._run:
            self._drop_run()
            self._end(_STOPPED)

    def forget(self) -> None:
        """Close the draft: nothing that was found of it is left."""
        self._drop_run()
        self._end(_FIRST)

    def ask_where(self) -> None:
        """Ask where to write what was found."""
        if not self._report:
            return
        chosen, _ = QFileDialog.getSaveFileName(self, "Save as Word", "Draft check.docx", "Word documents (*.docx)")
        if chosen:
            # The dialog asks before it names a file that is there; it knows nothing of one with the ending added.
            is_whole = chosen.casefold().endswith(".docx")
            self.write(Path(chosen if is_whole else f"{chosen}.docx"), may_replace=is_whole)

    def write(self, out: Path, *, may_replace: bool = False) -> None:
        """Write what was found into a Word document, in place of one of that name where that was agreed to."""
        if self._report:
            today = date.today()  # noqa: DTZ011 - the day on the wall
            future = self.engine.bank.write_draft_report(self._report, out, today, may_replace=may_replace)
            self.engine.ask(future, lambda _: self._on_written(out), self.tell_failure, parent=self)

    def _on_written(self, out: Path) -> None:
        self.bottom.tell(f"Written: {visible_name(str(out))}")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Take one file."""
        if _dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Check what was dropped."""
        if file := _dropped(event):
            event.acceptProposedAction()
            self.check(file)

    def _drop_run(self) -> None:
        if self._run and self._watcher:
            self._watcher.cancel()
            self._run.cancel()
        self._run = self._watcher = None

    def _on_reported(self, progress: Progress) -> None:
        deliver(self, partial(self._on_progressed, progress))

    def _on_progressed(self, progress: Progress) -> None:
        if self._run and progress.files_total:
            self.bar.setRange(0, progress.files_total)
            self.bar.setValue(progress.files_done)
            self.empty.setText(f"Looking up point {progress.files_done + 1:,} of {progress.files_total:,} …")

    def _on_checked(self, report: DraftReport) -> None:
        self._run, self._report = None, report
        self.tell_empty("")
        self.status.setText(summary_of(report))
        self.tree.show_findings(findings_of(report))
        self._tell()
        if self.isVisible():
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        self.bottom.announce(f"The draft is checked. {self.status.text()}")

    def _on_failed(self, problem: Exception) -> None:
        self._run = None
        self._end(_STOPPED if isinstance(problem, CancelledError) else problem_text(problem))

    def _end(self, why: str) -> None:
        """Show no draft, and why."""
        self._report = None
        self.title.setText("")
        self.status.setText("")
        self.tree.show_findings(())
        self.tell_empty(why)
        self._tell()
        if self.isVisible():
            self.choose.setFocus(Qt.FocusReason.OtherFocusReason)

    def _tell(self) -> None:
        self.stop.setVisible(self.is_checking)
        self.status.setVisible(not self.is_checking)
        self.bar.setVisible(self.is_checking)
        for each in (self.export, self.close_draft):
            each.setVisible(self._report is not None)

    def _connect(self) -> None:
        self.choose.clicked.connect(self.ask_for_file)
        self.stop.clicked.connect(self.cancel)
        self.export.clicked.connect(self.ask_where)
        self.close_draft.clicked.connect(self.forget)
        does = {"choose": self.ask_for_file, "stop": self.cancel, "export": self.ask_where, "close": self.forget}
        bind(WITH_A_DRAFT, does, self, Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT_PX)
        row = QHBoxLayout()
        row.setSpacing(UNIT_PX)
        for button, name in (
            (self.choose, "choose"),
            (self.stop, "stop"),
            (self.export, "export"),
            (self.close_draft, "close"),
        ):
            set_tool_tip(button, key(name, WITH_A_DRAFT).tip)
            row.addWidget(button)
        row.addStretch(1)
        self.title.setFont(font(scale=1.2, is_bold=True))
        self.status.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.bar.setAccessibleName("How far the check is")
        self.bar.setFixedHeight(UNIT_PX)
        column.addLayout(row)
        column.addWidget(self.title)
        column.addWidget(self.status)
        column.addWidget(self.bar)
        column.addWidget(self.tree, 1)
        self.arrange(left, self.tree)


def _leave(dialog: QFileDialog, folder: str, history: list[str], _result: int) -> None:
    """Go back to the folder where a dialog began: Qt keeps in a file of its own where each has been."""
    dialog.setDirectory(folder)
    dialog.setHistory(history)


def _dropped(event: QDropEvent) -> Path | None:
    """The one file of this computer that is dropped."""
    urls = event.mimeData().urls()
    return Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
