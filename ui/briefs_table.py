"""The documents of a bank as rows and columns, sorted and narrowed. Knows documents and no engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from briefbank.platform.visible import visible_name
from briefbank.records import Document, DocumentKind, Fact
from ui.plain import tip
from ui.wording import KINDS, count, day

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class Column(NamedTuple):
    """A column: its heading, its width at first in characters, what it shows of a document, and by what it is sorted
    (None stands last).
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
    return ", ".join(parts)


def _value(fact: Fact | None) -> str:
    return fact.value if fact else ""


def _fact(name: str) -> Callable[[Document], str]:
    return lambda document: _value(getattr(document.metadata, name))


def _key(text: Callable[[Document], str]) -> Callable[[Document], str | None]:
    return lambda document: text(document).casefold() or None


def _worded(title: str, width_chars: int, text: Callable[[Document], str]) -> Column:
    return Column(title, width_chars, text, _key(text))


COLUMNS = (
    _worded("Title", 44, _fact("title")),
    Column("Filed", 16, lambda document: day(document.filed) if document.filed else "", lambda each: each.filed),
    _worded("Kind", 10, lambda document: KINDS[DocumentKind(document.metadata.kind.value)]),
    _worded("Court", 20, _fact("court")),
    _worded("Docket", 15, _fact("docket")),
    _worded("Author", 16, _fact("author")),
    _worded("Outcome", 12, _fact("outcome")),
    Column("Pages", 7, lambda document: str(document.page_count), lambda document: document.page_count),
    _worded("State", 22, state_of),
)
FILED = 1
"""The column by which the table is sorted at first, the newest on top."""
_PAGES = 7


class _Row(NamedTuple):
    document: Document
    texts: tuple[str, ...]
    found_by: str


class BriefsModel(QAbstractTableModel):
    """A row for each document that has all words typed, in the order chosen; of equal ones the newest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Begin empty."""
        super().__init__(parent)
        self._all: list[_Row] = []
        self._rows: list[_Row] = []
        self._words: tuple[str, ...] = ()
        self._sorted_by = FILED, Qt.SortOrder.DescendingOrder

    @property
    def total(self) -> int:
        """How many documents there are, shown or not."""
        return len(self._all)

    def show_documents(self, documents: Sequence[Document]) -> None:
        """Take other documents, given newest first."""
        rows = []
        for each in documents:
            texts = tuple(visible_name(column.text(each)) for column in COLUMNS)
            rows.append(_Row(each, texts, " ".join([*texts, each.source_path]).casefold()))
        self._all = rows
        self._choose()

    def narrow(self, text: str) -> None:
        """Show only the documents whose columns or file have all of these words, or parts of words."""
        words = tuple(text.casefold().split())
        if words != self._words:
            self._words = words
            self._choose()

    def document(self, row: int) -> Document:
        """Return the document of a row."""
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

    def rowCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802
        """Return the number of documents shown."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802
        """Return the number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what a cell shows, and says to a screen reader."""
        text = self._rows[index.row()].texts[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self._told(index.row(), index.column()))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{COLUMNS[index.column()].title}: {text or 'not known'}"
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == _PAGES:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the heading of a column."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].title
        return None

    def _told(self, row: int, column: int) -> str:
        """The whole text of a cell, and where it was found."""
        found = self._rows[row]
        name = COLUMNS[column].title.casefold()
        fact = getattr(found.document.metadata, name, None)
        if isinstance(fact, Fact):
            return f"{found.texts[column]}\n{fact.found_in}"
        return found.document.source_path if column == _PAGES else found.texts[column]
