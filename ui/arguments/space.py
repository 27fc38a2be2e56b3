"""The space in which the bank's arguments are browsed and searched, beside the page where each is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from briefbank.values.defaults import ARGUMENTS_SHOWN
from briefbank.values.reading import Argument, ArgumentGroup, ArgumentOrder, ArgumentsFound
from briefbank.values.records import Document
from ui.bottom_bar import BottomBar
from ui.engine import EngineClient, FutureWatcher
from ui.findings.finding import Finding, where
from ui.findings.tree import FindingsTree
from ui.flow import column_of, row_of
from ui.headings import sentence_case
from ui.orders import OrderButtons
from ui.plain import quiet_button
from ui.reading.list_and_page import FilterField, ListAndPage, LoadWhenSeen, status_label
from ui.wording import count, day

_ASK_AFTER_MS = 200
"""How long typing rests before it is asked: about the pause between two words of a quick typist."""
_MOST_LINES = 3
_NONE = "No argument was found for these words."
_ORDERS: Mapping[StrEnum, str] = {
    ArgumentOrder.BEST: "Best match",
    ArgumentOrder.NEWEST: "Newest first",
    ArgumentOrder.FREQUENT: "Most argued",
    ArgumentOrder.ALPHABETICAL: "A–Z",
}


class ArgumentsSpace(QWidget):
    """What the office has argued, and where; type to search it, Return to read."""

    def __init__(self, engine: EngineClient, bottom: BottomBar) -> None:
        super().__init__()
        self._engine = engine
        self.tree = FindingsTree("Arguments", _MOST_LINES)
        self.field = FilterField(self.tree, "What did we argue? Words of a heading, or what it is about")
        self.orders = OrderButtons(_ORDERS)
        self.status = status_label()
        self.more = quiet_button("", tone="edge")
        self.more.hide()
        self._groups: tuple[ArgumentGroup, ...] = ()
        self._order: ArgumentOrder | None = None
        self._is_asked = False
        self._top_k = ARGUMENTS_SHOWN
        self._asking: FutureWatcher | None = None
        self._typing = QTimer(self, singleShot=True, interval=_ASK_AFTER_MS)
        self._typing.timeout.connect(self._on_rested)
        left = QWidget()
        above = row_of((self.orders, 1), self.status)
        column_of(self.field, above, (self.tree, 1), (self.more, Qt.AlignmentFlag.AlignLeft), within=left)
        self.splitter = ListAndPage(engine, bottom, left, self.tree, name="arguments")
        self.page, self.empty = self.splitter.page, self.splitter.empty
        column_of(self.splitter, within=self)
        self.field.textChanged.connect(self._typing.start)
        self.orders.chosen.connect(self._on_order_chosen)
        self.more.clicked.connect(self._on_more)
        self.tree.selected.connect(lambda each: self.splitter.show_soon(partial(engine.bank.passage, each.passage_id)))
        self.tree.opened.connect(lambda each: self.splitter.open(partial(engine.bank.passage, each.passage_id)))
        engine.corrected.connect(self._on_corrected)
        self.setFocusProxy(self.field)
        self._loading = LoadWhenSeen(engine, self, self.status, self.load)

    @property
    def is_waiting(self) -> bool:
        return self._asking is not None or self._typing.isActive()

    def load(self) -> None:
        self._typing.stop()
        if self._asking:
            self._asking.cancel()
        text = self.field.text().strip()
        shown = self._order or (ArgumentOrder.BEST if text else ArgumentOrder.NEWEST)
        self.orders.buttons[ArgumentOrder.BEST].setVisible(bool(text))
        self.orders.show_order(shown)
        future = self._engine.bank.arguments(text, order=self._order, top_k=self._top_k)
        self._asking = self._engine.ask(future, self._on_found, self._on_failed, parent=self)

    def _on_found(self, found: ArgumentsFound) -> None:
        self._asking, self._groups = None, tuple(found.groups)
        self.tree.show_findings(findings_of(found.groups))
        left = found.found - len(found.groups)
        self.status.setText(count(found.found, "argument"))
        self.more.setText(f"Show {min(left, ARGUMENTS_SHOWN)} more of {left:,}")
        self.more.setVisible(left > 0)
        self.splitter.say_empty("" if found.groups or not self.field.text().strip() else _NONE)

    def _on_failed(self, problem: Exception) -> None:
        self._asking, self._groups = None, ()
        self.tree.show_findings(())
        self.splitter.say_empty("")
        self.more.hide()
        self._loading.fail(problem)

    def _on_corrected(self, document: Document) -> None:
        self._groups = tuple(_corrected(group, document) for group in self._groups)
        self.tree.replace_findings(findings_of(self._groups))

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


def findings_of(groups: Sequence[ArgumentGroup]) -> list[Finding]:
    """Return the lines of groups; a group of several headings unfolds."""
    return [_group_line(each) for each in groups]


def _group_line(group: ArgumentGroup) -> Finding:
    first = group.arguments[0]
    if group.argument_count == 1:
        return replace(_line(first), text=sentence_case(group.heading), is_bold=True)
    lines = [_line(each) for each in group.arguments]
    if more := group.argument_count - len(lines):
        lines[-1] = replace(lines[-1], below=f"{lines[-1].below} – and {more:,} older")
    return replace(
        _line(first),
        text=sentence_case(group.heading),
        below=_argued(group),
        children=tuple(lines),
        is_folded=True,
        is_bold=True,
    )


def _line(argument: Argument) -> Finding:
    path = "\n".join(" ".join(each.split()) for each in argument.path)
    below = where(argument.document, argument.page, argument.page)
    return Finding(sentence_case(argument.heading), below, passage_id=argument.passage_id, tip=path)


def _argued(group: ArgumentGroup) -> str:
    """Return in how many briefs a group is argued; in one alone, in which and under how many headings of it."""
    if group.brief_count > 1:
        return f"argued in {count(group.brief_count, 'brief')}, last {day(group.filed)}"
    document = group.arguments[0].document
    said = [document.metadata.title.value, day(document.filed), count(group.argument_count, "heading")]
    return " · ".join(said)


def _corrected(group: ArgumentGroup, document: Document) -> ArgumentGroup:
    arguments = tuple(
        replace(each, document=document) if each.document.id == document.id else each for each in group.arguments
    )
    return replace(group, arguments=arguments)
