"""Exporting one's feedback: what is in it, in which form, and what becomes of the names in it.

Written by a child process; names are taken out in two steps, with a person's reading of the list between them.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QPushButton, QWidget

from briefbank.values.feedback import FeedbackExported, FeedbackExportWish, NamesInExport
from ui.dialogs.asking import Choice
from ui.engine import EngineClient
from ui.flow import column_of
from ui.plain import PlainLabel
from ui.theme import UNIT_PX
from ui.wording import count, problem_text

_HOLDS = (
    "Your questions, the passages that were shown for them (by number and rank, not their words), your judgements, "
    "stars and comments, and when each was said. Nothing of a brief’s text, and nothing that a language model wrote. "
    "Questions and comments may hold names of clients: nobody but you can read them until you pass the file on."
)
_NEXT = (
    "Nothing is exported yet. Open the list in a spreadsheet, write “no” before what must stay, add lines for what was "
    "missed, and save it. Then choose “Without the names of a list” here. The list names your clients: treat it as you "
    "treat the briefs."
)


class _Form(StrEnum):
    TABLE = "csv"
    LINES = "jsonl"


_FORMS: dict[StrEnum, str] = {
    _Form.TABLE: "A table, for a spreadsheet (CSV)",
    _Form.LINES: "For IT staff, to be put together with others’ (JSON lines)",
}
_NAMES: dict[StrEnum, str] = {
    NamesInExport.KEPT: "As they are",
    NamesInExport.LISTED: "First write a list of the names that would go",
    NamesInExport.TAKEN_OUT: "Without the names of a list that I have read",
}


class ExportDialog(QDialog):
    """Asks what to export and where to, and says what came of it."""

    def __init__(self, engine: EngineClient, log: Path, parent: QWidget | None = None) -> None:
        """Offer to export the feedback in `log`."""
        super().__init__(parent)
        self.setWindowTitle("Export feedback")
        self._engine, self._log = engine, log
        self._form = Choice("Form", _FORMS, _Form.TABLE, is_upright=True)
        self._names = Choice("Names of people", _NAMES, NamesInExport.KEPT, is_upright=True)
        self._said = PlainLabel(wraps=True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._start = QPushButton("Export …")
        buttons.addButton(self._start, QDialogButtonBox.ButtonRole.ActionRole)
        self._start.setDefault(True)
        self._start.clicked.connect(self._on_start_clicked)
        buttons.rejected.connect(self.reject)
        column_of(
            PlainLabel("What is in it", is_bold=True),
            PlainLabel(_HOLDS, tone="muted", wraps=True),
            PlainLabel("Form", is_bold=True),
            self._form,
            PlainLabel("Names of people", is_bold=True),
            self._names,
            (self._said, 1),
            buttons,
            within=self,
            margins_px=None,
        )
        self.setMinimumWidth(70 * UNIT_PX)

    def _on_start_clicked(self) -> None:
        names = NamesInExport(self._names.value)
        approved = self._ask_for_list() if names is NamesInExport.TAKEN_OUT else None
        if names is NamesInExport.TAKEN_OUT and approved is None:
            return
        out = self._ask_where(is_list=names is NamesInExport.LISTED)
        if out is None:
            return
        wish = FeedbackExportWish(self._log, out, self._form.value is _Form.LINES, names, approved)
        self._start.setEnabled(False)
        self._said.setText("Exporting …")
        self._engine.ask(
            self._engine.bank.export_feedback(wish),
            lambda exported: self._on_exported(wish, exported),
            self._on_failed,
            parent=self,
        )

    def _ask_for_list(self) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(self, "The list that you have read", "", "CSV files (*.csv)")
        return Path(name) if name else None

    def _ask_where(self, *, is_list: bool) -> Path | None:
        """Where to; a file that is there is refused later, never written over."""
        suggested = "feedback.confidential-review.csv" if is_list else f"feedback.{self._form.value}"
        title = "Save the list of names" if is_list else "Export feedback"
        keep = QFileDialog.Option.DontConfirmOverwrite
        name, _ = QFileDialog.getSaveFileName(self, title, suggested, options=keep)
        return Path(name).absolute() if name else None

    def _on_exported(self, wish: FeedbackExportWish, exported: FeedbackExported) -> None:
        self._start.setEnabled(True)
        lines = count(exported.count, "line")
        if wish.names is NamesInExport.LISTED:
            said = f"{wish.out} holds {lines}. {_NEXT}"
        else:
            said = f"{lines} written to {wish.out}."
        if exported.unlisted:
            said += f" {count(exported.unlisted, 'name')} went too that the list does not hold."
        self._said.setText("\n".join([said, *exported.problems]))

    def _on_failed(self, problem: Exception) -> None:
        self._start.setEnabled(True)
        self._said.setText(problem_text(problem, "The export failed."))
