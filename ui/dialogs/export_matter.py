"""Asks how a matter is to stand in Word, and writes it in a thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QWidget,
)

from briefbank.errors import UsageError
from briefbank.matters.checked import Checks
from briefbank.matters.items import source_line
from briefbank.matters.state import Matter
from briefbank.platform.visible import visible
from briefbank.values.source_format import SourceFormat
from ui import preferences
from ui.dialogs.asking import ask_where
from ui.engine import FutureWatcher
from ui.flow import column_of
from ui.matters.looked_up import PassageChecks
from ui.plain import PlainLabel, set_tool_tip
from ui.wording import SOURCE_STYLES, problem_text

_FORMS = {"quote": "Block quotes", "paragraph": "Paragraphs"}
_PLACES = {"line": "A line below each passage", "footnote": "Footnotes"}
_MOST_TOLD = 5
_FORMATS_TIP = "One of these, or a template of your own, such as {title}[, {docket}][, {pages}]"


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What was chosen in the dialog."""

    form: str
    place: str
    source_format: SourceFormat
    with_notes: bool
    with_authorities: bool
    may_replace: bool


class ExportDialog(QDialog):
    """One matter, on its way into a Word document."""

    exported = Signal(str)
    """The path of the document that was written."""

    def __init__(self, matter: Matter, checks: PassageChecks, parent: QWidget) -> None:
        super().__init__(parent)
        self._matter, self._checks = matter, checks
        self._task: FutureWatcher | None = None
        self.setWindowTitle("Export to Word")
        self.form = _choice(_FORMS, "How passages stand")
        self.place = _choice(_PLACES, "Where sources stand")
        self.source_format = QComboBox()
        self.source_format.setEditable(True)
        for each in filter(None, (self.source_format, self.source_format.lineEdit())):
            each.setAccessibleName("How sources are written")
        set_tool_tip(self.source_format, _FORMATS_TIP)
        self.source_format.addItems(list(SOURCE_STYLES.values()))
        self.source_format.setCurrentText(SOURCE_STYLES[preferences.load().source_style])
        self.example, self.problem, self.confidential = PlainLabel(), PlainLabel(), PlainLabel()
        for label in (self.example, self.problem, self.confidential):
            label.setWordWrap(True)
        self.example.setProperty("tone", "muted")
        for label in (self.problem, self.confidential):
            label.setProperty("tone", "warning")
        self.notes, self.authorities = QCheckBox("My own &notes"), QCheckBox("A &table of authorities")
        for box in (self.notes, self.authorities):
            box.setChecked(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        self._lay_out()
        self.source_format.editTextChanged.connect(self._on_format_changed)
        self.buttons.accepted.connect(self._ask_where)
        self.buttons.rejected.connect(self.reject)
        self._on_format_changed()
        checks.ask(matter, self._show_confidential)

    def _show_confidential(self) -> None:
        """Tell what of the passages is not to be filed, before anything is written."""
        checks = self._checks.of_matter(self._matter)
        lines = [each.line for check in checks.values() for each in check.confidential]
        more = f"\n… and {len(lines) - _MOST_TOLD} more, each below its passage." if len(lines) > _MOST_TOLD else ""
        told = "\n".join(map(visible, lines[:_MOST_TOLD])) + more
        self.confidential.setText(f"To look at before it is filed; nothing is changed.\n{told}" if lines else "")

    def write(self, out: Path, *, may_replace: bool = False) -> None:
        """Write the document in a thread, in place of one of that name where that was agreed to."""
        chosen = _Chosen(
            str(self.form.currentData()),
            str(self.place.currentData()),
            self._source_format(),
            with_notes=self.notes.isChecked(),
            with_authorities=self.authorities.isChecked(),
            may_replace=may_replace,
        )
        self.setEnabled(False)
        self._checks.ask(self._matter, partial(self._write, out, chosen))

    def _write(self, out: Path, chosen: _Chosen) -> None:
        thread = ThreadPoolExecutor(1, "export")
        future = thread.submit(_export, self._matter, out, chosen, self._checks.of_matter(self._matter))
        thread.shutdown(wait=False)
        self._task = FutureWatcher(future, lambda _: self._on_written(out), self._on_failed, self)

    def _source_format(self) -> SourceFormat:
        """Return the ready format of the name chosen, or the template that was typed.

        Raises:
            UsageError: it is no sound template.
        """
        text = self.source_format.currentText()
        named = next((style for style, name in SOURCE_STYLES.items() if name == text.strip()), None)
        return preferences.SourceStyle(named).source_format if named else SourceFormat.of(text)

    def _lay_out(self) -> None:
        rows = QFormLayout()
        rows.addRow("&Passages", self.form)
        rows.addRow("&Sources", self.place)
        rows.addRow("&Written as", self.source_format)
        rows.addRow("", self.example)
        rows.addRow("", self.notes)
        rows.addRow("", self.authorities)
        column_of(rows, self.confidential, self.problem, self.buttons, within=self, margins_px=None)
        self.setMinimumWidth(560)

    def _on_format_changed(self) -> None:
        save = self.buttons.button(QDialogButtonBox.StandardButton.Save)
        try:
            chosen = self._source_format()
        except UsageError as problem:
            self.problem.setText(problem_text(problem))
            save.setEnabled(False)
            return
        self.problem.setText("")
        save.setEnabled(True)
        passages = self._matter.passages
        self.example.setText(source_line(passages[0], chosen) if passages else "")

    def _ask_where(self) -> None:
        place = ask_where(self, "Export to Word", self._matter.name, ".docx", "Word documents (*.docx)")
        if place:
            self.write(place[0], may_replace=place[1])

    def _on_written(self, out: Path) -> None:
        self.exported.emit(str(out))
        self.accept()

    def _on_failed(self, problem: Exception) -> None:
        self.setEnabled(True)
        self.problem.setText(problem_text(problem))


def _export(matter: Matter, out: Path, chosen: _Chosen, checks: Checks) -> None:
    """Write the document, in the thread that also loads what reads citations."""
    from briefbank.matters.word.export import PassageForm, SourcePlace, WordOptions, export_to_word

    form, place = PassageForm(chosen.form), SourcePlace(chosen.place)
    today = date.today()  # noqa: DTZ011 - the day on the wall
    options = WordOptions(today, form, place, chosen.source_format, chosen.with_notes, chosen.with_authorities)
    export_to_word(matter, out, options, checks, may_replace=chosen.may_replace)


def _choice(choices: dict[str, str], name: str) -> QComboBox:
    made = QComboBox()
    made.setAccessibleName(name)
    for value, text in choices.items():
        made.addItem(text, value)
    return made
