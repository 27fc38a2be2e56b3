"""The settings: what one person prefers, taken up as it is chosen, and what this computer has to search with.

What an office sets for everybody is in the bank's `bank.toml` and is changed there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from enum import StrEnum

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from briefbank.errors import BriefBankError
from briefbank.platform.memory import MemoryUse
from briefbank.values.records import SortOrder
from briefbank.values.source_format import Source
from briefbank.values.state import BankStatus
from briefbank.values.summaries import SummarySource
from ui import preferences, theme
from ui.dialogs.asking import Choice
from ui.engine import EngineClient
from ui.plain import PlainLabel
from ui.preferences import Scheme, TextSize
from ui.theme import UNIT_PX
from ui.wording import SOURCE_STYLES, count, made

_SCHEMES: Mapping[StrEnum, str] = {Scheme.SYSTEM: "As the system", Scheme.LIGHT: "Light", Scheme.DARK: "Dark"}
_SIZES: Mapping[StrEnum, str] = {
    TextSize.SMALL: "Small",
    TextSize.NORMAL: "Normal",
    TextSize.LARGE: "Large",
    TextSize.LARGEST: "Largest",
}
_ORDERS: Mapping[StrEnum, str] = {SortOrder.RECENCY: "Newest first", SortOrder.RELEVANCE: "Best match first"}
_EXAMPLE = Source(
    "State v. Renfrew", "Superior Court of New Jersey, Appellate Division", "A-1403-22", date(2024, 2, 27), "p. 17"
)
_OF_IT = (
    "How files are read and what a search weighs is the same for everybody in the office. IT staff set it in the file "
    "bank.toml of the bank; the operations guide explains it."
)
_MODEL = "{} writes summaries, on this computer alone. It takes memory only while it is at work."
_NO_MODEL = "None is installed; in place of a summary stand the brief’s own words."


class SettingsDialog(QDialog):
    """Shows and keeps preferences, and tells what is here."""

    order_chosen = Signal(object)
    """The SortOrder in which results are to stand from now on."""

    def __init__(self, engine: EngineClient, summaries: SummarySource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self._chosen = preferences.load()
        self._example = PlainLabel("", tone="muted", wraps=True)
        self._facts = {
            name: PlainLabel("…") for name in ("Bank", "Index", "On the disk", "Ranking", "Language model", "Memory")
        }
        self._facts["Bank"].setText(str(engine.bank_root))
        model = summaries.model()
        self._facts["Language model"].setText(_MODEL.format(model.name) if model else _NO_MODEL)
        self._lay_out()
        self._show_example()
        engine.ask(engine.bank.status(), self._on_status, self._on_failed, parent=self)
        engine.ask(
            engine.bank.memory(), self._on_measured, lambda _: self._facts["Memory"].setText("Not known."), parent=self
        )

    def _lay_out(self) -> None:
        form = QWidget()
        self._grid = QGridLayout(form)
        self._grid.setHorizontalSpacing(3 * UNIT_PX)
        self._grid.setVerticalSpacing(UNIT_PX)
        self._grid.setColumnStretch(1, 1)
        self._add_heading("Appearance")
        self._add("Colours", self._choice("Colours", _SCHEMES, "scheme"))
        self._add("Size of the text", self._choice("Size of the text", _SIZES, "text_size"))
        self._add("", PlainLabel("Used when BriefBank is started again.", tone="muted", wraps=True))
        self._add_heading("Searching")
        order = self._choice("Order of results", _ORDERS, "order")
        order.chosen.connect(self.order_chosen)
        self._add("Order of results", order)
        self._add_heading("Copying")
        self._add("Source of copied words", self._choice("Source of copied words", SOURCE_STYLES, "source_style"))
        self._add("", self._example)
        self._add_heading("This computer")
        for name, value in self._facts.items():
            value.setWordWrap(True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._add(name, value)
        self._add("", PlainLabel(_OF_IT, tone="muted", wraps=True))
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(form)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        whole.addWidget(scroll, 1)
        whole.addWidget(buttons)
        buttons.button(QDialogButtonBox.StandardButton.Close).setFocus()
        wanted = form.sizeHint().expandedTo(self.fontMetrics().size(0, "n" * 90))
        self.resize(wanted.width() + 8 * UNIT_PX, wanted.height() + 8 * UNIT_PX)

    def _choice(self, name: str, offered: Mapping[StrEnum, str], field: str) -> Choice:
        made = Choice(name, offered, getattr(self._chosen, field))
        made.chosen.connect(lambda value: self._keep(**{field: value}))
        return made

    def _keep(self, **chosen: StrEnum) -> None:
        """Keep what was chosen here, and the order of results, which is chosen above them too, as it is by now."""
        before = self._chosen
        self._chosen = replace(preferences.load(), **chosen)  # type: ignore[arg-type]
        preferences.save(self._chosen)
        app = QApplication.instance()
        if isinstance(app, QApplication) and self._chosen.scheme is not before.scheme:
            theme.follow(app, self._chosen.scheme)
        self._show_example()

    def _show_example(self) -> None:
        self._example.setText(f"For example: {self._chosen.source_style.source_format.line(_EXAMPLE)}")

    def _add_heading(self, text: str) -> None:
        heading = PlainLabel(text, scale=1.15, is_bold=True)
        heading.setContentsMargins(0, UNIT_PX if self._grid.count() else 0, 0, 0)
        self._grid.addWidget(heading, self._grid.rowCount(), 0, 1, 2)

    def _add(self, name: str, value: QWidget) -> None:
        row = self._grid.rowCount()
        label = PlainLabel(name, tone="muted")
        is_line = isinstance(value, Choice)
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignVCenter if is_line else Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, row, 1)

    def _on_status(self, status: BankStatus) -> None:
        indexed = made(status.generation or "")
        held = f"{count(status.documents, 'brief')} in {count(status.passages, 'passage')}, indexed {indexed}."
        failed = f" {count(len(status.failures), 'file')} could not be read." if status.failures else ""
        self._facts["Index"].setText(held + failed if status.generation else "Nothing is indexed yet.")
        self._facts["On the disk"].setText(f"{status.bytes / 1e6:,.0f} MB, with what was read once and is kept.")
        self._facts["Ranking"].setText(status.learned or "As delivered: nothing was learned from judgements yet.")

    def _on_measured(self, memory: MemoryUse) -> None:
        used, free, all_of_it = (_size(each) for each in (memory.own_bytes, memory.free_bytes, memory.total_bytes))
        self._facts["Memory"].setText(f"BriefBank uses {used} now; {free} of this computer’s {all_of_it} are free.")

    def _on_failed(self, problem: Exception) -> None:
        why = problem.message if isinstance(problem, BriefBankError) else "The search engine is not running."
        for name in ("Index", "On the disk", "Ranking"):
            self._facts[name].setText(why if name == "Index" else "Not known.")


def _size(count_bytes: int) -> str:
    """Return a size in words: whole megabytes below a gigabyte."""
    return f"{count_bytes / 1e6:,.0f} MB" if count_bytes < 1e9 else f"{count_bytes / 1e9:,.1f} GB"
