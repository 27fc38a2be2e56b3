"""The documents of a bank in a table: sorted, narrowed, corrected in place. Knows documents and no engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QByteArray,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSettings,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QFontMetrics, QHideEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionHeader,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from briefbank.judgements.corrections import CORRECTED_HERE
from briefbank.platform.visible import visible_name
from briefbank.values.records import Document, DocumentKind, Fact, Metadata
from ui.plain import tip
from ui.theme import font
from ui.wording import KINDS, count, day

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class Column(NamedTuple):
    """A column: its heading, its greatest width at first in characters (of the title, the least), what it shows of a
    document, and by what it is sorted (None stands last).
    """

    title: str
    width_chars: int
    text: Callable[[Document], str]
    key: Callable[[Document], Any]


def state_of(document: Document) -> str:
    """Return what must be known of a document's text: how much of it was scanned, and how surely that was read."""
    parts = [] if document.has_pages else ["no pages of its own"]
    if document.ocr_page_count:
        is_whole = document.ocr_page_count == document.page_count
        parts.append("scanned" if is_whole else f"{count(document.ocr_page_count, 'page')} scanned")
        if document.ocr_confidence is not None:
            parts.append(f"read {document.ocr_confidence:.0%} surely")
    if document.note:
        parts.append("see the note above its page")
    return ", ".join(parts)


def _value(fact: Fact | None) -> str:
    return fact.value if fact else ""


def _fact(name: str) -> Callable[[Document], str]:
    return lambda document: _value(getattr(document.metadata, name))


def _worded(title: str, width_chars: int, text: Callable[[Document], str]) -> Column:
    return Column(title, width_chars, text, lambda document: text(document).casefold() or None)


COLUMNS = (
    _worded("Title", 36, _fact("title")),
    Column("Filed", 16, lambda document: day(document.filed) if document.filed else "", lambda each: each.filed),
    _worded("Kind", 10, lambda document: KINDS[DocumentKind(document.metadata.kind.value)]),
    _worded("Court", 23, _fact("court")),
    _worded("Docket", 18, _fact("docket")),
    _worded("Author", 14, _fact("author")),
    _worded("Outcome", 12, _fact("outcome")),
    Column("Pages", 7, lambda document: str(document.page_count), lambda document: document.page_count),
    _worded("State", 22, state_of),
)
_FIELDS = tuple(each.name for each in fields(Metadata))
FILED, KIND, COURT = 1, 2, 3
"""The column by which the table is sorted at first, the newest on top; the one with a choice of values; and the one
whose end tells its values apart.
"""
_PAGES = 7
_BESIDE_TEXT_PX = 18
"""What of a cell's width no text may stand on: the padding of the style sheet and the margin of the style, twice."""
_AROUND_PX = 14
"""What a cell is larger than its text."""
_TITLE_SHARE, _LEAST_TITLE = 0.5, 19
"""Of a narrow table, what a title takes before other columns do, and how many letters it has at least."""
_COLUMNS_KEY = "briefs/columns"


class _Row(NamedTuple):
    document: Document
    texts: tuple[str, ...]
    found_by: str


def _row(document: Document) -> _Row:
    texts = tuple(visible_name(column.text(document)) for column in COLUMNS)
    return _Row(document, texts, " ".join([*texts, document.source_path]).casefold())


def field_of(column: int) -> str:
    """Return the field of the metadata that a column shows; empty where it shows none, and cannot be corrected."""
    name = COLUMNS[column].title.casefold()
    return name if name in _FIELDS else ""


class BriefsModel(QAbstractTableModel):
    """A row for each document that has all words typed, in the order chosen; of equal ones the newest first."""

    edited = Signal(str, str, str)
    """A document's id, a field of its metadata and the value typed; shown when the document comes back corrected."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[_Row] = []
        self._rows: list[_Row] = []
        self._words: tuple[str, ...] = ()
        self._sorted_by = FILED, Qt.SortOrder.DescendingOrder

    @property
    def total(self) -> int:
        return len(self._all)

    def show_documents(self, documents: Sequence[Document]) -> None:
        """Take other documents, given newest first."""
        self._all = [_row(each) for each in documents]
        self._choose()

    def replace_document(self, document: Document) -> None:
        """Show a document with other metadata where it stands: nothing moves that is shown."""
        new = _row(document)
        self._all = [new if each.document.id == document.id else each for each in self._all]
        at = self.row_of(document.id)
        if at >= 0:
            self._rows[at] = new
            self.dataChanged.emit(self.index(at, 0), self.index(at, len(COLUMNS) - 1))

    @property
    def has_corrections(self) -> bool:
        return any(_is_corrected(row.document, name) for row in self._all for name in _FIELDS)

    def narrow(self, text: str) -> None:
        """Show only the documents whose columns or file have all of these words, or parts of words."""
        words = tuple(text.casefold().split())
        if words != self._words:
            self._words = words
            self._choose()

    def document(self, row: int) -> Document:
        return self._rows[row].document

    def row_of(self, document_id: str) -> int:
        """Return the row of a document, -1 where it is not shown."""
        return next((number for number, row in enumerate(self._rows) if row.document.id == document_id), -1)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; what is not known stands last either way."""
        self._sorted_by = column, order
        self._choose()

    def _choose(self) -> None:
        column, order = self._sorted_by
        key = COLUMNS[column].key
        shown = [row for row in self._all if all(word in row.found_by for word in self._words)]
        known = [(value, row) for row in shown if (value := key(row.document)) is not None]
        known.sort(key=lambda each: each[0], reverse=order is Qt.SortOrder.DescendingOrder)
        unknown = [row for row in shown if key(row.document) is None]
        self.beginResetModel()
        self._rows = [*(row for _, row in known), *unknown]
        self.endResetModel()

    # What Qt asks of a model.

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        text = self._rows[index.row()].texts[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.EditRole:
            return _value(getattr(self._rows[index.row()].document.metadata, field_of(index.column())))
        if role == Qt.ItemDataRole.FontRole:
            italic = font()
            italic.setItalic(_is_corrected(self._rows[index.row()].document, field_of(index.column())))
            return italic
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self._tip_text(index.row(), index.column()))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{COLUMNS[index.column()].title}: {text or 'not known'}"
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == _PAGES:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return what can be done with a cell: what is metadata can be corrected."""
        can = super().flags(index)
        return can | Qt.ItemFlag.ItemIsEditable if field_of(index.column()) else can

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Tell what was typed, where it differs; the cell changes when that is kept."""
        typed = " ".join(str(value).split())
        if role == Qt.ItemDataRole.EditRole and typed != self.data(index, role):
            self.edited.emit(self._rows[index.row()].document.id, field_of(index.column()), typed)
        return False

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].title
        return None

    def _tip_text(self, row: int, column: int) -> str:
        found = self._rows[row]
        fact = getattr(found.document.metadata, field_of(column), None)
        if isinstance(fact, Fact):
            return f"{found.texts[column]}\n{fact.found_in}"
        return found.document.source_path if column == _PAGES else found.texts[column]


def _is_corrected(document: Document, name: str) -> bool:
    fact = getattr(document.metadata, name, None)
    return fact is not None and fact.found_in == CORRECTED_HERE


class BriefsTable(QTableView):
    """The table; letters do nothing here, since elsewhere they record something."""

    def __init__(self, model: BriefsModel) -> None:
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
        room = self.viewport().width()
        least = min(least, max(round(_TITLE_SHARE * room), _LEAST_TITLE * self.fontMetrics().averageCharWidth()))
        header, left = self.horizontalHeader(), room - least
        title = least + max(left, 0)
        for number, most in enumerate(widths, 1):
            width = min(max(self.sizeHintForColumn(number), header.sectionSizeHint(number)), most)
            self.setColumnWidth(number, width)
            left -= width
            title = least + left if left >= 0 else title
        self.setColumnWidth(0, title)
        self._is_fitting = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()

    def _on_arranged(self) -> None:
        self._are_own = self._are_own or not self._is_fitting

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.model().rowCount() and not self.selectionModel().hasSelection():
            self.setCurrentIndex(self.model().index(0, 0))

    def keyboardSearch(self, _text: str) -> None:
        """Leave letters to the field above."""

    def hideEvent(self, event: QHideEvent) -> None:
        """Remember how wide the columns are, in which order they stand and which one sorts, where somebody chose."""
        if self._are_own:
            QSettings().setValue(_COLUMNS_KEY, self.horizontalHeader().saveState())
        super().hideEvent(event)


class _Header(QHeaderView):
    """Headings whose sign points down where the greatest or newest is on top; Qt's own style has it the other way."""

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, column: int) -> None:
        """Turn the sign of the column that sorts."""
        super().initStyleOptionForIndex(option, column)
        sign = QStyleOptionHeader.SortIndicator
        turned = {sign.SortUp: sign.SortDown, sign.SortDown: sign.SortUp}
        option.sortIndicator = turned.get(option.sortIndicator, option.sortIndicator)


class _CellDelegate(QStyledItemDelegate):
    """Edits a cell as text, and the kind of a document by a choice. Cuts a court at its beginning, since what tells the
    courts of a state apart stands last.
    """

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Leave out words of a court that do not fit, the first ones first."""
        super().initStyleOption(option, index)
        if index.column() == COURT:
            option.text = _end_of(option.text, option.fontMetrics, option.rect.width() - _BESIDE_TEXT_PX)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QComboBox(parent) if index.column() == KIND else super().createEditor(parent, option, index)
        if isinstance(editor, QComboBox):
            for kind, name in KINDS.items():
                editor.addItem(name, kind.value)
        editor.setAccessibleName(f"Correct: {COLUMNS[index.column()].title}")
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(index.data(Qt.ItemDataRole.EditRole)))
        else:
            super().setEditorData(editor, index)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentData(), Qt.ItemDataRole.EditRole)
        else:
            super().setModelData(editor, model, index)


def _end_of(text: str, metrics: QFontMetrics, width_px: int) -> str:
    """As many of the last words as fit; where the last one alone does not, the text as it is, to be cut anywhere."""
    words = text.split(" ")
    ends = (f"… {' '.join(words[at:])}" if at else text for at in range(len(words)))
    return next((end for end in ends if metrics.horizontalAdvance(end) < width_px), text)
