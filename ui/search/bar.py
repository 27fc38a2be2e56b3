"""The search field with its history and the saved searches, and the row of chips of what narrows the search.

Says what is asked; knows neither engine nor results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from briefbank.judgements.feedback.log import SavedSearch
from briefbank.values.profiles import OfferedProfile
from briefbank.values.records import Filters, Hint, Hit
from ui.flow import row_of
from ui.plain import ElidedLabel, button_text, quiet_button
from ui.shortcuts import IN_A_SEARCH
from ui.theme import UNIT_PX, font
from ui.wording import FACETS, chosen, issue_text, period, without

_PLACEHOLDER = "Ask in your own words, or type a citation, rule or “exact phrase”"
_SEARCH, _BUSY = "Search", "Searching …"
_OF_THE_WINDOW = {
    QKeySequence(sequence).toString()
    for each in IN_A_SEARCH
    if each.name not in ("undo", "redo")
    for sequence in each.sequences
}
"""Keys that a line of text would take for itself on some systems: on Linux one goes to the end of the line."""


class SearchField(QLineEdit):
    """A line of text whose arrow keys bring back earlier searches."""

    left_downwards = Signal()
    """Down was pressed behind the last entry of the history."""

    def __init__(self) -> None:
        super().__init__()
        self.history: list[str] = []
        self._place = -1
        self._draft = ""
        self.textEdited.connect(self._on_text_edited)

    def event(self, event: QEvent) -> bool:
        """Leave the keys of a search to the window."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and QKeySequence(event.keyCombination()).toString() in _OF_THE_WINDOW
        ):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Up:
            self._walk(+1)
        elif event.key() == Qt.Key.Key_Down:
            if self._place < 0:
                self.left_downwards.emit()
            else:
                self._walk(-1)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show a question from its beginning once nobody types, though it be longer than a narrow field."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.setCursorPosition(0)

    def setText(self, text: str | None) -> None:
        """Put a question there, seen from its beginning unless somebody is typing."""
        super().setText(text)
        if not self.hasFocus():
            self.setCursorPosition(0)

    def remember(self, text: str) -> None:
        """Put a search at the front of the history, once."""
        self.history = [text, *(each for each in self.history if each != text)]
        self._place = -1

    def _walk(self, step: int) -> None:
        if self._place < 0:
            self._draft = self.text()
        place = self._place + step
        if place == 0 and step > 0 and self.history[:1] == [self._draft]:
            place += 1
        if place >= len(self.history):
            return
        if place == 0 and step < 0 and self.history[0] == self._draft:
            place = -1
        self._place = place
        self.setText(self._draft if place < 0 else self.history[place])

    def _on_text_edited(self) -> None:
        self._place = -1


class SearchBar(QWidget):
    """The field, its button and the menu of saved searches."""

    asked = Signal(str)
    """Enter was pressed or the button clicked over this text; it may be empty."""
    left_downwards = Signal()
    save_requested = Signal()
    saved_chosen = Signal(object)
    """A SavedSearch."""
    forget_requested = Signal(str)
    issue_chosen = Signal(object)
    """An OfferedProfile that is to be run."""
    issue_made = Signal()
    """What is marked relevant is to become an issue."""
    issue_removed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.field = SearchField()
        self.field.setPlaceholderText(_PLACEHOLDER)
        self.field.setAccessibleName("Search the briefs")
        self.field.setFont(font(scale=1.15))
        self.field.setClearButtonEnabled(True)
        self.field.returnPressed.connect(self._submit)
        self.field.left_downwards.connect(self.left_downwards)
        self.button = QPushButton(_BUSY)
        self.button.setDefault(True)
        self.button.setFixedWidth(self.button.sizeHint().width())
        self.button.setText(_SEARCH)
        self.button.clicked.connect(self._submit)
        self.saved = _menu_button("Saved ▾", "Saved searches and issues", QMenu(self))
        self._searches: Sequence[SavedSearch] = ()
        self._issues: Sequence[OfferedProfile] = ()
        row_of((self.field, 1), self.button, self.saved, within=self)
        self._fill()

    def set_busy(self, *, is_busy: bool) -> None:
        self.button.setText(_BUSY if is_busy else _SEARCH)

    def show_saved(self, searches: Sequence[SavedSearch]) -> None:
        """Offer the saved searches, each to be asked, and to be forgotten."""
        self._searches = searches
        self._fill()

    def show_issues(self, issues: Sequence[OfferedProfile]) -> None:
        """Offer the issues, each to be run, and those that the user made to be removed."""
        self._issues = issues
        self._fill()

    def _fill(self) -> None:
        menu = self.saved.menu()
        menu.clear()
        menu.addAction("Save this search …", self.save_requested.emit)
        menu.addAction("Make an issue of what is marked relevant …", self.issue_made.emit)
        menu.addSeparator()
        if not self._searches:
            menu.addAction("No searches are saved yet").setEnabled(False)
        for search in self._searches:
            menu.addAction(button_text(search.name), partial(self.saved_chosen.emit, search))
        if self._searches:
            forget = menu.addMenu("Forget")
            for search in self._searches:
                forget.addAction(button_text(search.name), partial(self.forget_requested.emit, search.name))
        if self._issues:
            menu.addSeparator()
            run = menu.addMenu("Run an issue")
            for issue in self._issues:
                run.addAction(button_text(issue_text(issue)), partial(self.issue_chosen.emit, issue))
        if own := [each for each in self._issues if each.is_own]:
            remove = menu.addMenu("Remove an issue of yours")
            for issue in own:
                remove.addAction(button_text(issue.name), partial(self.issue_removed.emit, issue.name))

    def _submit(self) -> None:
        self.asked.emit(self.field.text().strip())


def _menu_button(text: str, name: str, menu: QMenu) -> QToolButton:
    made = quiet_button(text, name=name)
    made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    made.setMenu(menu)
    return made


_WIDEST_PX = 45 * UNIT_PX
_EACH = 2
"""Values of one filter that get a chip each; more share one."""


@dataclass(frozen=True, slots=True)
class Chip:
    """What a chip says, and what taking it away does."""

    text: str
    remove: Callable[[], None]


class ChipBar(QWidget):
    """Shows chips in one row."""

    def __init__(self, on_clear: Callable[[], None]) -> None:
        """Begin empty; `on_clear` takes away all."""
        super().__init__()
        self._on_clear = on_clear
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(UNIT_PX // 2)
        self.chips: tuple[Chip, ...] = ()
        self.hide()

    def set_chips(self, chips: Sequence[Chip]) -> None:
        self.chips = tuple(chips)
        while (item := self._row.takeAt(0)) is not None:
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        for chip in chips:
            self._row.addWidget(_chip_frame(chip))
        if len(chips) > 1:
            self._row.addWidget(_button("Clear all", "Clear all filters", self._on_clear))
        self._row.addStretch(1)
        self.setVisible(bool(chips))


def like_chip(hit: Hit, drop: Callable[[], None]) -> Chip:
    """Return the chip of the passage that results are to be like."""
    text = f"Like: {hit.document.metadata.title.value}"
    cited = hit.document.cited_pages(hit.passage.page_first, hit.passage.page_last)
    return Chip(f"{text}, {cited}" if cited else text, drop)


def filter_chips(filters: Filters, change: Callable[[Filters], None]) -> Iterator[Chip]:
    """Yield the chips of filters; each gives those that are left to `change`."""
    if filters.since or filters.until:
        yield Chip(period(filters), partial(change, replace(filters, since=None, until=None)))
    for facet in FACETS:
        values = chosen(filters, facet)
        if len(values) > _EACH:
            yield Chip(f"{facet.name}: {len(values)} chosen", partial(change, without(filters, facet, *values)))
            continue
        for value in values:
            yield Chip(f"{facet.name}: {facet.label(value)}", partial(change, without(filters, facet, value)))


def hint_chips(hints: Sequence[Hint], refuse: Callable[[str], None]) -> Iterator[Chip]:
    """Yield the chips of conditions read out of the words; each gives its words to `refuse`."""
    for hint in hints:
        yield Chip(f"From your words: {hint.meaning}", partial(refuse, hint.text))


def _chip_frame(chip: Chip) -> QFrame:
    frame = QFrame()
    frame.setObjectName("chip")
    row = QHBoxLayout(frame)
    row.setContentsMargins(UNIT_PX, 0, 2, 0)
    row.setSpacing(2)
    label = ElidedLabel(scale=0.92)
    label.setText(chip.text)
    label.setMaximumWidth(_WIDEST_PX)
    for each in (frame, label):
        each.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    row.addWidget(label)
    row.addWidget(_button("×", f"Remove: {chip.text}", chip.remove))
    return frame


def _button(text: str, name: str, on_clicked: Callable[[], None]) -> QToolButton:
    made = quiet_button(text, name=name, tip=name)
    made.clicked.connect(lambda _checked: on_clicked())
    return made
