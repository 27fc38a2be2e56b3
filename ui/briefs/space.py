"""The space in which all briefs stand in a table, beside the page of the one selected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, QByteArray, QModelIndex, QSettings, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QHideEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFileDialog,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionHeader,
    QStyleOptionViewItem,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from briefbank.values import PassageInContext
from briefbank.values.records import Document
from ui.bottom_bar import BottomBar
from ui.briefs.table import COLUMNS, COURT, FILED, KIND, BriefsModel, Index
from ui.engine import EngineClient
from ui.reading.beside_page import BesidePage, FilterField
from ui.reading.page.history import Place
from ui.theme import UNIT_PX
from ui.wording import KINDS, count

_COLUMNS_KEY = "briefs/columns"
_NONE = "No brief has all of these words in its columns or its file’s name."
_SPLIT_PX = 640, 360
"""The table is wider than the page: at 1366 px five columns are in sight, and the page is legible."""
_AROUND_PX = 14
"""What a cell is larger than its text."""
_BESIDE_TEXT_PX = 18
"""What of a cell's width no text may stand on: the padding of the style sheet and the margin of the style, twice."""


class BriefsTable(QTableView):
    """The table; letters do nothing here, since elsewhere they record something."""

    def __init__(self, model: BriefsModel) -> None:
        """Show a model, its columns as they were left."""
        super().__init__()
        self.setModel(model)
        self.setAccessibleName("Briefs")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setItemDelegate(_CellDelegate(self))
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.EditKeyPressed | triggers.SelectedClicked)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        header = _Header(Qt.Orientation.Horizontal)
        self.setHorizontalHeader(header)
        header.setSectionsClickable(True)
        header.setSectionsMovable(True)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + _AROUND_PX)
        header.setSortIndicator(FILED, Qt.SortOrder.DescendingOrder)
        kept = QSettings().value(_COLUMNS_KEY)
        self._are_own = isinstance(kept, QByteArray)
        """Whether somebody arranged the columns."""
        self._is_fitting = False
        if isinstance(kept, QByteArray):
            header.restoreState(kept)
        self.setSortingEnabled(True)
        for changed in (header.sectionResized, header.sectionMoved, header.sortIndicatorChanged):
            changed.connect(self._on_arranged)
        model.modelReset.connect(self.fit_columns)

    def fit_columns(self) -> None:
        """Make columns as wide as what is in them, up to their bounds, and let the title have the rest of what those
        that have room leave, so that none is cut at the edge; unless somebody arranged them.
        """
        if self._are_own:
            return
        self._is_fitting = True
        least, *widths = (each.width_chars * self.fontMetrics().averageCharWidth() + _AROUND_PX for each in COLUMNS)
        header, left = self.horizontalHeader(), self.viewport().width() - least
        title = least + max(left, 0)
        for number, most in enumerate(widths, 1):
            width = min(max(self.sizeHintForColumn(number), header.sectionSizeHint(number)), most)
            self.setColumnWidth(number, width)
            left -= width
            title = least + left if left >= 0 else title
        self.setColumnWidth(0, title)
        self._is_fitting = False

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Fit the columns into the room that there is now."""
        super().resizeEvent(event)
        self.fit_columns()

    def _on_arranged(self) -> None:
        self._are_own = self._are_own or not self._is_fitting

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Begin with the first row where none is selected."""
        super().focusInEvent(event)
        if self.model().rowCount() and not self.selectionModel().hasSelection():
            self.setCurrentIndex(self.model().index(0, 0))

    def keyboardSearch(self, _text: str) -> None:  # noqa: N802
        """Leave letters to the field above."""

    def keep_columns(self) -> None:
        """Remember how wide the columns are, in which order they stand and which one sorts, where somebody chose."""
        if self._are_own:
            QSettings().setValue(_COLUMNS_KEY, self.horizontalHeader().saveState())


class _Header(QHeaderView):
    """Headings whose sign points down where the greatest or newest is on top; Qt's own style has it the other way."""

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, column: int) -> None:  # noqa: N802
        """Turn the sign of the column that sorts."""
        super().initStyleOptionForIndex(option, column)
        sign = QStyleOptionHeader.SortIndicator
        turned = {sign.SortUp: sign.SortDown, sign.SortDown: sign.SortUp}
        option.sortIndicator = turned.get(option.sortIndicator, option.sortIndicator)


class _CellDelegate(QStyledItemDelegate):
    """Edits a cell as text, and the kind of a document by a choice. Cuts a court at its beginning, since what tells the
    courts of a state apart stands last.
    """

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: N802
        """Leave out words of a court that do not fit, the first ones first."""
        super().initStyleOption(option, index)
        if index.column() == COURT:
            option.text = _end_of(option.text, option.fontMetrics, option.rect.width() - _BESIDE_TEXT_PX)

    def createEditor(  # noqa: N802
        self, parent: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> QWidget:
        """Return the editor of a cell."""
        editor = QComboBox(parent) if index.column() == KIND else super().createEditor(parent, option, index)
        if isinstance(editor, QComboBox):
            for kind, told in KINDS.items():
                editor.addItem(told, kind.value)
        editor.setAccessibleName(f"Correct: {COLUMNS[index.column()].title}")
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:  # noqa: N802
        """Begin with what is known."""
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(index.data(Qt.ItemDataRole.EditRole)))
        else:
            super().setEditorData(editor, index)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:  # noqa: N802
        """Tell what was chosen or typed."""
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentData(), Qt.ItemDataRole.EditRole)
        else:
            super().setModelData(editor, model, index)


def _end_of(text: str, metrics: QFontMetrics, width_px: int) -> str:
    """As many of the last words as fit; where the last one alone does not, the text as it is, to be cut anywhere."""
    words = text.split(" ")
    ends = (f"… {' '.join(words[at:])}" if at else text for at in range(len(words)))
    return next((end for end in ends if metrics.horizontalAdvance(end) < width_px), text)


class BriefsSpace(BesidePage):
    """Every document of the bank; type to narrow them, Return to read."""

    def __init__(self, engine: EngineClient, bottom: BottomBar) -> None:
        """Lay out the space and ask for the documents."""
        super().__init__(engine, bottom, "briefs")
        self.model = BriefsModel(self)
        self.table = BriefsTable(self.model)
        self.field = FilterField(self.table, "Type to narrow the briefs: a name, a docket, a court, a year")
        self.hand_on = QToolButton()
        self.hand_on.setText("Save the corrections for IT …")
        self.hand_on.setProperty("tone", "link")
        self.hand_on.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hand_on.hide()
        self._current = ""
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT_PX)
        column.addWidget(self.field)
        column.addWidget(self.status)
        column.addWidget(self.table, 1)
        column.addWidget(self.hand_on, 0, Qt.AlignmentFlag.AlignLeft)
        self.hand_on.clicked.connect(self._on_hand_on)
        self.model.edited.connect(self._on_edited)
        self.engine.corrected.connect(self._on_corrected)
        self.field.textChanged.connect(self._on_text_changed)
        self.table.activated.connect(self._on_activated)
        self.table.selectionModel().currentRowChanged.connect(self._on_selected)
        self.model.modelAboutToBeReset.connect(self._on_about_to_change)
        self.model.modelReset.connect(self._on_changed)
        self.setFocusProxy(self.field)
        self.arrange(left, self.table)
        if not QSettings().contains("briefs/splitter"):
            self.splitter.setSizes(list(_SPLIT_PX))

    def load(self) -> None:
        """Ask for all documents."""
        self.engine.ask(self.engine.bank.documents(), self._on_loaded, self.tell_load_failed, parent=self)

    def show_found(self, found: PassageInContext) -> None:
        """Show a brief from its first page."""
        cautions = found.cautions.get(found.passage.id, ())
        self.page.show_document(found.passage, found.document, cautions)

    def place_of(self, found: PassageInContext) -> Place:
        """Return the beginning of a brief."""
        return replace(super().place_of(found), is_whole=True)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Keep the columns as they were left."""
        self.table.keep_columns()
        super().hideEvent(event)

    def _on_loaded(self, documents: Sequence[Document]) -> None:
        self.model.show_documents(documents)
        self.hand_on.setVisible(self.model.has_corrections)

    def _on_edited(self, document_id: str, name: str, value: str) -> None:
        future = self.engine.bank.correct(document_id, name, value)
        self.engine.ask(future, self._on_kept, self.tell_failure, parent=self)

    def _on_kept(self, document: Document) -> None:
        self.engine.corrected.emit(document)
        self.bottom.tell("Kept on this computer, and shown from now on.")

    def _on_corrected(self, document: Document) -> None:
        self.model.replace_document(document)
        self.hand_on.setVisible(self.model.has_corrections)

    def _on_hand_on(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save the corrections for IT", "briefbank.csv", "Tables (*.csv)")
        if name:
            future = self.engine.bank.export_corrections(Path(name).absolute())
            self.engine.ask(future, self._on_handed_on, self.tell_failure, parent=self)

    def _on_handed_on(self, documents: int) -> None:
        self.bottom.tell(f"Saved what was corrected of {count(documents, 'brief')}.")

    def _on_text_changed(self, text: str) -> None:
        self.model.narrow(text)

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
        self.tell_empty(_NONE if total and not shown else "")
        if row >= 0:
            self.table.setCurrentIndex(self.model.index(row, 0))
            if self.page.is_empty:
                self.page.go_back()

    def _on_selected(self, current: QModelIndex) -> None:
        chosen = self.model.document(current.row()).id if current.isValid() else ""
        if chosen and chosen != self._current:  # what stays selected while others go leaves the page as it is
            self._current = chosen
            self.show_soon(partial(self.engine.bank.first_passage, chosen))

    def _on_activated(self, index: QModelIndex) -> None:
        self.open(partial(self.engine.bank.first_passage, self.model.document(index.row()).id))
