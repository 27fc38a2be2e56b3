"""The space in which the bank's arguments are browsed and searched, beside the page where each is made."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from briefbank.values import ArgumentOrder, ArgumentsFound
from briefbank.values.defaults import ARGUMENTS_SHOWN
from ui.arguments.tree import ArgumentsTree
from ui.bottom_bar import BottomBar
from ui.engine import EngineClient
from ui.flow import FlowLayout
from ui.reading.beside_page import BesidePage, FilterField
from ui.tasks import FutureWatcher
from ui.theme import UNIT_PX
from ui.wording import count

_ASK_AFTER_MS = 200
"""How long typing rests before it is asked: about the pause between two words of a quick typist."""
_NONE = "No argument was found for these words."
_ORDERS = {
    ArgumentOrder.BEST: "Best match",
    ArgumentOrder.NEWEST: "Newest first",
    ArgumentOrder.FREQUENT: "Most argued",
    ArgumentOrder.ALPHABETICAL: "A–Z",
}


class OrderButtons(QWidget):
    """One button for each order, the one that holds put down; the best match only where something is asked."""

    chosen = Signal(object)
    """An ArgumentOrder."""

    def __init__(self) -> None:
        """Begin with none put down."""
        super().__init__()
        self.buttons: dict[ArgumentOrder, QToolButton] = {}
        group = QButtonGroup(self)
        row = FlowLayout(self, spacing_px=2)
        for order, text in _ORDERS.items():
            button = QToolButton()
            button.setText(text)
            button.setAccessibleName(text)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(partial(self.chosen.emit, order))
            group.addButton(button)
            self.buttons[order] = button
        row.add_group(*self.buttons.values())

    def show_order(self, order: ArgumentOrder, *, is_asked: bool) -> None:
        """Put down the button of an order; a tick says so as well as the colour."""
        self.buttons[ArgumentOrder.BEST].setVisible(is_asked)
        for each, button in self.buttons.items():
            button.setChecked(each is order)
            button.setText(f"✓ {_ORDERS[each]}" if each is order else _ORDERS[each])


class ArgumentsSpace(BesidePage):
    """What the office has argued, and where; type to search it, Return to read."""

    def __init__(self, engine: EngineClient, bottom: BottomBar) -> None:
        """Lay out the space and ask for the newest arguments."""
        super().__init__(engine, bottom, "arguments")
        self.tree = ArgumentsTree()
        self.field = FilterField(self.tree, "What did we argue? Words of a heading, or what it is about")
        self.orders = OrderButtons()
        self.more = QToolButton()
        self._order: ArgumentOrder | None = None
        self._is_asked = False
        self._top_k = ARGUMENTS_SHOWN
        self._asking: FutureWatcher | None = None
        self._typing = QTimer(self, singleShot=True, interval=_ASK_AFTER_MS)
        self._typing.timeout.connect(self._on_rested)
        self._lay_out()
        self.field.textChanged.connect(self._typing.start)
        self.orders.chosen.connect(self._on_order_chosen)
        self.more.clicked.connect(self._on_more)
        self.tree.selected.connect(lambda passage_id: self.show_soon(partial(self.engine.bank.passage, passage_id)))
        self.tree.opened.connect(lambda passage_id: self.open(partial(self.engine.bank.passage, passage_id)))
        engine.corrected.connect(self.tree.correct)
        self.setFocusProxy(self.field)

    @property
    def is_waiting(self) -> bool:
        """Whether an answer, or the end of typing, is awaited."""
        return self._asking is not None or self._typing.isActive()

    def load(self) -> None:
        """Ask for the groups that the field and the order name."""
        self._typing.stop()
        if self._asking:
            self._asking.cancel()
        text = self.field.text().strip()
        shown = self._order or (ArgumentOrder.BEST if text else ArgumentOrder.NEWEST)
        self.orders.show_order(shown, is_asked=bool(text))
        future = self.engine.bank.arguments(text, order=self._order, top_k=self._top_k)
        self._asking = self.engine.ask(future, self._on_found, self._on_failed, parent=self)

    def _on_found(self, found: ArgumentsFound) -> None:
        self._asking = None
        self.tree.show_groups(found.groups)
        left = found.found - len(found.groups)
        self.status.setText(count(found.found, "argument"))
        self.more.setText(f"Show {min(left, ARGUMENTS_SHOWN)} more of {left:,}")
        self.more.setVisible(left > 0)
        self.tell_empty("" if found.groups or not self.field.text().strip() else _NONE)

    def _on_failed(self, problem: Exception) -> None:
        self._asking = None
        self.tree.show_groups(())
        self.tell_empty("")
        self.more.hide()
        self.tell_load_failed(problem)

    def _on_rested(self) -> None:
        """Ask for what stands in the field; what was browsed in another order is searched best match first."""
        is_asked = bool(self.field.text().strip())
        if is_asked is not self._is_asked:
            self._is_asked, self._order = is_asked, None
        self._top_k = ARGUMENTS_SHOWN
        self.load()

    def _on_order_chosen(self, order: ArgumentOrder) -> None:
        self._order, self._top_k = order, ARGUMENTS_SHOWN
        self.load()

    def _on_more(self) -> None:
        self._top_k += ARGUMENTS_SHOWN
        self.load()

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT_PX)
        row = QHBoxLayout()
        row.addWidget(self.orders, 1)
        row.addWidget(self.status)
        self.more.setProperty("tone", "edge")
        self.more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.more.hide()
        column.addWidget(self.field)
        column.addLayout(row)
        column.addWidget(self.tree, 1)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.arrange(left, self.tree)
