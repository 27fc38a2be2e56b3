"""What the office's directives say of authorities, sentence by sentence, and what a person decides on each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from briefbank.platform.visible import visible
from briefbank.values.authorities import Decision, SaidByDirective, Standing
from briefbank.values.records import Document, DocumentKind, Metadata
from ui.engine import EngineClient
from ui.flow import column_of, row_of
from ui.plain import PlainLabel, set_tool_tip
from ui.shortcuts import IN_DIRECTIVES, bind, key
from ui.theme import UNIT_PX
from ui.wording import count, day, problem_text

_COLUMNS = ("Shown?", "Authority", "What the directive says", "Directive", "Date")
_WORDS = _COLUMNS.index("What the directive says")
_ABOUT = (
    "Each sentence of a directive that names an authority. One that warns is shown, as the directive’s words, wherever "
    "a brief cites the authority; read it first, for it may speak of another one. Accept it, and it is your office’s "
    "own warning; silence it, and nobody sees it."
)
_NONE = "No directive of your office names an authority."
_HOW = "Which papers are your office’s directives, the table briefbank.csv at the top of the folder of briefs says."
_STANDINGS = {
    Standing.WARNS: "Yes: warns",
    Standing.NAMES: "No: only names it",
    Standing.ACCEPTED: "Yes: accepted",
    Standing.SILENCED: "No: silenced",
    Standing.REPLACED: "Your list: ",
}
_CAN = {
    Decision.ACCEPT: {Standing.WARNS, Standing.NAMES, Standing.SILENCED},
    Decision.SILENCE: {Standing.WARNS, Standing.ACCEPTED},
    Decision.UNDO: {Standing.ACCEPTED, Standing.SILENCED},
}


class DirectivesDialog(QDialog):
    """Asks the engine what directives say, and has it keep what is decided; the warnings change at once."""

    card_requested = Signal(str)
    """The authority whose card is wanted."""

    def __init__(self, engine: EngineClient, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._rows: tuple[SaidByDirective, ...] = ()
        self._papers = ""
        """What is to be known of papers that are no directives of the office, though they call themselves one."""
        self.setWindowTitle("What directives say")
        self.about, self.state = PlainLabel("One moment …", wraps=True), PlainLabel(wraps=True)
        self.table = self._table()
        self._buttons = {
            each: QPushButton(f"{each.title()} ({key(each, IN_DIRECTIVES).sequences[0]})") for each in Decision
        }
        for decision, button in self._buttons.items():
            button.setAutoDefault(False)
            set_tool_tip(button, key(decision, IN_DIRECTIVES).does)
            button.clicked.connect(partial(self.decide, decision))
        decide = {str(each): partial(self.decide, each) for each in Decision}
        within = Qt.ShortcutContext.WidgetWithChildrenShortcut
        bind(IN_DIRECTIVES, {**decide, "card": self._show_card}, self.table, within)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        column_of(
            self.about,
            (self.table, 1),
            row_of((self.state, 1), *self._buttons.values()),
            close,
            within=self,
            margins_px=None,
        )
        self.resize(130 * UNIT_PX, 70 * UNIT_PX)
        self._engine.ask(self._engine.bank.documents(), self._on_documents, self._on_failed, parent=self)

    def decide(self, decision: Decision) -> None:
        """Decide on the sentence that is selected, where that changes something."""
        row = self._current
        if row is None or row.standing not in _CAN[decision]:
            return
        self._set_enabled(None)
        asked = self._engine.bank.decide_on_directive(row.authority, row.words, decision)
        self._engine.ask(asked, lambda _: self._load(), self._on_failed, parent=self)

    def _on_documents(self, documents: Sequence[Document]) -> None:
        self._papers = papers_told(each.metadata for each in documents)
        self._load()

    def _load(self) -> None:
        self._engine.ask(self._engine.bank.said_by_directives(), self._show, self._on_failed, parent=self)

    def _table(self) -> QTableWidget:
        table = QTableWidget(0, len(_COLUMNS))
        table.setHorizontalHeaderLabels(_COLUMNS)
        table.setAccessibleName("What directives say")
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for column, share in enumerate((14, 24, 0, 20, 12)):
            table.setColumnWidth(column, share * UNIT_PX)
        table.horizontalHeader().setSectionResizeMode(_WORDS, QHeaderView.ResizeMode.Stretch)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setWordWrap(True)
        table.itemSelectionChanged.connect(lambda: self._set_enabled(self._current))
        return table

    @property
    def _current(self) -> SaidByDirective | None:
        row = self.table.currentRow()
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def _show(self, rows: Sequence[SaidByDirective]) -> None:
        first, at = not self._rows, self.table.currentRow()
        self._rows = tuple(rows)
        self.about.setText(" ".join(filter(None, (_ABOUT if rows else _NONE, self._papers))))
        for each in (self.table, *self._buttons.values()):
            each.setVisible(bool(rows))
        self.table.setRowCount(len(rows))
        for number, row in enumerate(rows):
            shown = _STANDINGS[row.standing] + row.listed
            title = row.document.metadata.title.value
            for column, text in enumerate((shown, row.authority, row.words, title, day(row.document.filed))):
                item = QTableWidgetItem(visible(text))
                set_tool_tip(item, text)
                self.table.setItem(number, column, item)
        warning = sum(each.standing in (Standing.WARNS, Standing.ACCEPTED) for each in rows)
        self.state.setText(f"{count(warning, 'sentence')} of {len(rows):,} warn." if rows else "")
        self.table.setCurrentCell(max(at, 0), 0)
        if first:
            self.table.setFocus()
        self._set_enabled(self._current)

    def _set_enabled(self, row: SaidByDirective | None) -> None:
        for decision, button in self._buttons.items():
            button.setEnabled(row is not None and row.standing in _CAN[decision])

    def _show_card(self) -> None:
        if row := self._current:
            self.card_requested.emit(row.authority)

    def _on_failed(self, problem: Exception) -> None:
        self.state.setText(problem_text(problem, "That could not be kept."))
        self._set_enabled(self._current)


def papers_told(known: Iterable[Metadata]) -> str:
    """Say how many papers call themselves directives that nobody set as the office's, and how that is done; "" where
    all are the office's.
    """
    are_own = [each.speaks_for_office for each in known if each.kind.value == DocumentKind.DIRECTIVE]
    more, others = " more" if any(are_own) else "", are_own.count(False)
    if not are_own:
        return _HOW
    if not others:
        return ""
    if others == 1:
        return f"1{more} paper calls itself a directive; it is not set as your office’s. {_HOW}"
    return f"{others:,}{more} papers call themselves directives; none is set as your office’s. {_HOW}"
