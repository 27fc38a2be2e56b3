"""The space in which a draft is held against the bank: what was found at the left, the bank's page at the right."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout, QWidget

from briefbank.platform.progress import Progress
from briefbank.values import DraftReport
from ui.bottom_bar import BottomBar
from ui.dialogs.save import ask_where
from ui.draft.findings import findings_of, summary_of
from ui.engine import EngineClient
from ui.findings.checking import CheckingSpace, Words
from ui.shortcuts import WITH_A_DRAFT
from ui.theme import UNIT_PX

_WORDS = Words(
    choose="Check a &draft …",
    export="Save as &Word …",
    close="&Close the draft",
    dialog="Check a draft",
    kinds="Drafts (*.docx *.doc *.pdf *.rtf *.odt *.wpd *.txt *.md);;All files (*)",
    first="Choose a draft, or drop its file here: yours, the other side’s, or an old one.\n"
    "Word, PDF, RTF or text. It is read into memory; nothing of it is kept.",
    stopped="Stopped. Nothing was kept of the draft.",
    bar="How far the check is",
)
_RENEWED = "The index was renewed since: check the draft again."


class DraftSpace(CheckingSpace):
    """One draft at a time."""

    def __init__(self, engine: EngineClient, bottom: BottomBar) -> None:
        """Lay out the space without a draft."""
        super().__init__(engine, bottom, "draft", "What the check found", _WORDS, WITH_A_DRAFT)
        self._lay_out()
        self.setFocusProxy(self.choose)
        self.end(_WORDS.first)

    def load(self) -> None:
        """Say that what was found is of an earlier index."""
        self.status.setText(_RENEWED if self._report else "")

    def check(self, file: Path) -> None:
        """Hold a file against the bank, in the place of what was checked before."""
        self.forget()
        run = self.engine.bank.check_draft(file, reporter=self.on_progress)
        self.begin(file.name, run, "Reading the draft …")

    def ask_where(self) -> None:
        """Ask where to write what was found."""
        if not self._report:
            return
        if place := ask_where(self, "Save as Word", "Draft check", ".docx", "Word documents (*.docx)"):
            self.write(place[0], may_replace=place[1])

    def write(self, out: Path, *, may_replace: bool = False) -> None:
        """Write what was found into a Word document, in place of one of that name where that was agreed to."""
        today = date.today()  # noqa: DTZ011 - the day on the wall
        self.tell_written(self.engine.bank.write_draft_report(self._report, out, today, may_replace=may_replace), out)

    def progress_text(self, progress: Progress) -> str:
        """Return which point is looked up."""
        return f"Looking up point {progress.files_done + 1:,} of {progress.files_total:,} …"

    def show_report(self, report: DraftReport) -> None:
        """Show what was found of the draft."""
        self.status.setText(summary_of(report))
        self.tree.show_findings(findings_of(report))
        self.bottom.announce(f"The draft is checked. {self.status.text()}")

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT_PX)
        column.addLayout(self.row_of())
        column.addWidget(self.title)
        column.addWidget(self.status)
        column.addWidget(self.bar)
        column.addWidget(self.tree, 1)
        self.arrange(left, self.tree)
