"""The search field with its history and the saved searches, and the row of chips of what narrows the search.

Says what is asked; knows neither engine nor results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QLineEdit, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from briefbank.values.records import Filters, Hint, Hit
from ui.flow import row_of
from ui.plain import ElidedLabel, quiet_button
from ui.shortcuts import IN_A_SEARCH
from ui.theme import UNIT_PX, font
from ui.wording import FACETS, chosen, period, without

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

    def __init__(self) -> None:
        """Begin empty, with an empty menu."""
        super().__init__()
        self.field = SearchField()
        self.field.setPlaceholderText(_PLACEHOLDER)
        self.field.setAccessibleName("Search the briefs")
        self.field.setFont(font(scale=1.15))
        self.field.setClearButtonEnabled(True)
        self.field.returnPressed.connect(self._submit)
        self.button = QPushButton(_BUSY)
        self.button.setDefault(True)
        self.button.setFixedWidth(self.button.sizeHint().width())
        self.button.setText(_SEARCH)
        self.button.clicked.connect(self._submit)
        self.saved = quiet_button("Saved ▾", name="Saved searches and issues")
        self.saved.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.saved.setMenu(QMenu(self))  # a menu of the space itself took the bottom line out of the way of Tab
        row_of((self.field, 1), self.button, self.saved, within=self)

    def set_busy(self, *, is_busy: bool) -> None:
        self.button.setText(_BUSY if is_busy else _SEARCH)

    def _submit(self) -> None:
        self.asked.emit(self.field.text().strip())


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
        self._row = row_of(within=self, spacing_px=UNIT_PX // 2)
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
    label = ElidedLabel(scale=0.92)
    label.setText(chip.text)
    label.setMaximumWidth(_WIDEST_PX)
    for each in (frame, label):
        each.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    remove = _button("×", f"Remove: {chip.text}", chip.remove)
    row_of(label, remove, within=frame, spacing_px=2, margins_px=(UNIT_PX, 0, 2, 0))
    return frame


def _button(text: str, name: str, on_clicked: Callable[[], None]) -> QToolButton:
    made = quiet_button(text, name=name, tip=name)
    made.clicked.connect(lambda _checked: on_clicked())
    return made
