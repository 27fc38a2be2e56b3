"""The space in which all briefs stand in a table, beside the page of the one selected."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QFileDialog,
    QWidget,
)

from briefbank.values.records import Document
from ui.bottom_bar import BottomBar
from ui.briefs.table import BriefsModel, BriefsTable
from ui.engine import EngineClient
from ui.flow import column_of
from ui.plain import quiet_button
from ui.reading.list_and_page import FilterField, ListAndPage, LoadWhenSeen, first_place, status_label
from ui.wording import count

_NONE = "No brief has all of these words in its columns or its file’s name."
_SPLIT_PX = 640, 360
"""The table is wider than the page: at 1366 px five columns are in sight, and the page is legible."""


class BriefsSpace(QWidget):
    """Every document of the bank; type to narrow them, Return to read."""

    def __init__(self, engine: EngineClient, bottom: BottomBar) -> None:
        super().__init__()
        self._engine, self._bottom = engine, bottom
        self.model = BriefsModel(self)
        self.table = BriefsTable(self.model)
        self.field = FilterField(self.table, "Type to narrow the briefs: a name, a docket, a court, a year")
        self.status = status_label()
        self.hand_on = quiet_button("Save the corrections for IT …", tone="link")
        self.hand_on.hide()
        self._current = ""
        left = QWidget()
        column_of(self.field, self.status, (self.table, 1), (self.hand_on, Qt.AlignmentFlag.AlignLeft), within=left)
        self.splitter = ListAndPage(engine, bottom, left, self.table, name="briefs", sizes_px=_SPLIT_PX)
        self.page, self.empty = self.splitter.page, self.splitter.empty
        column_of(self.splitter, within=self)
        self.hand_on.clicked.connect(self._on_hand_on)
        self.model.edited.connect(self._on_edited)
        engine.corrected.connect(self._on_corrected)
        self.field.textChanged.connect(self.model.narrow)
        self.table.activated.connect(self._on_activated)
        self.table.selectionModel().currentRowChanged.connect(self._on_selected)
        self.model.modelAboutToBeReset.connect(self._on_about_to_change)
        self.model.modelReset.connect(self._on_changed)
        self.setFocusProxy(self.field)
        self._loading = LoadWhenSeen(engine, self, self.status, self.load)

    def load(self) -> None:
        self._engine.ask(self._engine.bank.documents(), self._on_loaded, self._loading.fail, parent=self)

    def _on_loaded(self, documents: Sequence[Document]) -> None:
        self.model.show_documents(documents)
        self.hand_on.setVisible(self.model.has_corrections)

    def _on_edited(self, document_id: str, name: str, value: str) -> None:
        future = self._engine.bank.correct(document_id, name, value)
        self._engine.ask(future, self._on_kept, self._bottom.show_problem, parent=self)

    def _on_kept(self, document: Document) -> None:
        self._engine.corrected.emit(document)
        self._bottom.show_message("Kept on this computer, and shown from now on.")

    def _on_corrected(self, document: Document) -> None:
        self.model.replace_document(document)
        self.hand_on.setVisible(self.model.has_corrections)

    def _on_hand_on(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save the corrections for IT", "briefbank.csv", "Tables (*.csv)")
        if name:
            future = self._engine.bank.export_corrections(Path(name).absolute())
            self._engine.ask(
                future,
                lambda saved: self._bottom.show_message(f"Saved what was corrected of {count(saved, 'brief')}."),
                self._bottom.show_problem,
                parent=self,
            )

    def _on_about_to_change(self) -> None:
        at = self.table.currentIndex()
        self._current = self.model.document(at.row()).id if at.isValid() else self._current

    def _on_changed(self) -> None:
        """Keep the brief selected that was; nothing is selected in its place where it is not shown any more. Where none
        is shown there is no page either, until the brief selected is shown again.
        """
        shown, total = self.model.rowCount(), self.model.total
        self.status.setText(count(total, "brief") if shown == total else f"{shown:,} of {count(total, 'brief')}")
        row = self.model.row_of(self._current) if self._current else -1
        self.splitter.say_empty(_NONE if total and not shown else "")
        if row >= 0:
            self.table.setCurrentIndex(self.model.index(row, 0))
            if self.page.is_empty:
                self.page.go_back()

    def _on_selected(self, current: QModelIndex) -> None:
        chosen = self.model.document(current.row()).id if current.isValid() else ""
        if chosen and chosen != self._current:  # what stays selected while others go leaves the page as it is
            self._current = chosen
            self.splitter.show_soon(partial(self._engine.bank.first_passage, chosen), first_place)

    def _on_activated(self, index: QModelIndex) -> None:
        chosen = self.model.document(index.row()).id
        self.splitter.open(partial(self._engine.bank.first_passage, chosen), first_place)
