"""The row of what narrows the search: filters, conditions read out of the words, the passage to be alike.

Each can be taken away, and all at once. The row is there only while there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from briefbank.values.records import Filters, Hint, Hit
from ui.plain import ElidedLabel, set_tool_tip
from ui.theme import UNIT_PX, font
from ui.wording import FACETS, chosen, period, without

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

    def __init__(self, on_clear: Callable[[], None], parent: QWidget | None = None) -> None:
        """Begin empty; `on_clear` takes away all."""
        super().__init__(parent)
        self._on_clear = on_clear
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(UNIT_PX // 2)
        self.chips: tuple[Chip, ...] = ()
        self.hide()

    def set_chips(self, chips: Sequence[Chip]) -> None:
        """Show these and no others."""
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
    label = ElidedLabel()
    label.setFont(font(scale=0.92))
    label.setText(chip.text)
    label.setMaximumWidth(_WIDEST_PX)
    for each in (frame, label):
        each.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    row.addWidget(label)
    row.addWidget(_button("×", f"Remove: {chip.text}", chip.remove))
    return frame


def _button(text: str, name: str, on_clicked: Callable[[], None]) -> QToolButton:
    made = QToolButton()
    made.setText(text)
    made.setAccessibleName(name)
    set_tool_tip(made, name)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    made.clicked.connect(lambda _checked: on_clicked())
    return made
