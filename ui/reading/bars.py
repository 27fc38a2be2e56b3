"""The controls around the page: where it is and what can be done with it above, keeping and copying below it, the
notices between, and what stands in its place while there is none.

They show what they are given and say what was pressed; they know neither the bank nor passages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QMenu,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from briefbank.errors import BriefBankError
from briefbank.platform.visible import visible_name
from briefbank.values.page_numbers import FoundAt, PageRun, label_of, run_of, sheets_bearing
from ui import theme
from ui.flow import column_of, row_of
from ui.plain import PlainLabel, button_text, set_tool_tip
from ui.reading.view import Fit
from ui.shortcuts import ON_THE_PAGE, READING, key
from ui.theme import UNIT_PX
from ui.wording import count as counted

_MATTER_CHARS = 28


class PageBar(QWidget):
    """The page number; and the menu of what is done more rarely with pages and passages, each with its key."""

    page_turned = Signal(int)
    """One page on, or back: 1 or -1."""
    page_entered = Signal(int)
    hit_stepped = Signal(int)
    zoom_stepped = Signal(int)
    whole_zoom_asked = Signal()
    fit_asked = Signal(object)
    two_pages_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page, self._numbers = 0, PageNumbers()
        self.number = QLineEdit(self)
        self.number.setAccessibleName("Page number")
        self.number.setMaxLength(12)
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.number.setFixedWidth(self.number.fontMetrics().horizontalAdvance("0000") + 2 * UNIT_PX)
        self.sign, self.of = PlainLabel(parent=self), PlainLabel(parent=self)
        self.sign.setMinimumWidth(
            self.sign.fontMetrics().horizontalAdvance("p.")
        )  # nothing moves, whatever brief is shown
        self.more = tool("⋯", "More: other pages, size, neighbouring passages, the file itself", parent or self)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(QMenu(self.more))
        self._fill(self.more.menu())
        row_of(self.sign, self.number, self.of, within=self, spacing_px=UNIT_PX // 2)
        self.number.returnPressed.connect(self._on_number_entered)
        self.number.editingFinished.connect(self._on_number_left)
        self.show_page(0, PageNumbers())
        self.show_hit(-1, 0, is_shown=False)

    def _fill(self, menu: QMenu) -> None:
        def add(text: str, name: str = "", do: Callable[[], object] | None = None) -> QAction:
            written = key(name, (*ON_THE_PAGE, *READING)).menu_text(text) if name else text
            return menu.addAction(written, do) if do else menu.addAction(written)

        self.hits = add("")
        self.next_hit = add("Next marked words", "next-hit", lambda: self.hit_stepped.emit(1))
        self.previous_hit = add("Previous marked words", "previous-hit", lambda: self.hit_stepped.emit(-1))
        self.next = add("Next passage of this brief")
        self.previous = add("Previous passage of this brief")
        menu.addSeparator()
        self.next_page = add("Next page", "next-page", lambda: self.page_turned.emit(1))
        self.previous_page = add("Previous page", "previous-page", lambda: self.page_turned.emit(-1))
        menu.addSeparator()
        self.larger = add("Larger", "zoom-in", lambda: self.zoom_stepped.emit(1))
        self.smaller = add("Smaller", "zoom-out", lambda: self.zoom_stepped.emit(-1))
        self.zoom = add("", "", self.whole_zoom_asked.emit)
        self.fit_width = add("Fit the page’s width", "zoom-fit", lambda: self.fit_asked.emit(Fit.WIDTH))
        self.fit_page = add("Fit the whole page", "", lambda: self.fit_asked.emit(Fit.PAGE))
        self.two_pages = add("Two pages side by side", "two-pages", self.two_pages_asked.emit)
        for each in (self.fit_width, self.fit_page, self.two_pages):
            each.setCheckable(True)
        menu.addSeparator()
        self.print = add("Print …", "print")
        self.original = add("Open the original file")
        self.checklist = add("Go through this brief with a checklist", "checklist")

    def show_page(self, page: int, numbers: PageNumbers) -> None:
        """Show which page of how many is in view, counted from 1; 0 where there is none."""
        self._page, self._numbers = page, numbers
        label = numbers.label(page)
        if not self.number.hasFocus() or not self.number.isModified():
            self.number.setText(label.number)
        set_tool_tip(self.number, label.known_by)
        self.sign.setText(numbers.sign)
        self.of.setText(label.of)
        self.of.setMinimumWidth(self.of.fontMetrics().horizontalAdvance(numbers.widest) if numbers.count else 0)
        self.number.setEnabled(numbers.count > 0)
        self.previous_page.setEnabled(page > 1)
        self.next_page.setEnabled(page < numbers.count)

    def show_hit(self, hit: int, count: int | None, *, is_shown: bool = True) -> None:
        """Show which hit (from 0) of how many stands out; -1 where none does. `count` is None until that is known.

        Not shown where no words were asked for, or others are marked.
        """
        if count:
            self.hits.setText(f"hit {hit + 1} of {count}" if hit >= 0 else counted(count, "hit"))
        else:
            self.hits.setText("" if count is None else "no hits")
        for each in (self.previous_hit, self.hits, self.next_hit):
            each.setVisible(is_shown)
            each.setEnabled(bool(count) and each is not self.hits)

    def show_zoom(self, zoom: float, fit: Fit, across: int) -> None:
        """Show the zoom (1.0 for 100 %; 0 where there is no page), what it follows, and how many pages are abreast."""
        self.zoom.setText(f"{100 * zoom:.0f} %: show at 100 %" if zoom else "– %")
        for each in (self.smaller, self.zoom, self.larger, self.fit_width, self.fit_page, self.two_pages):
            each.setEnabled(zoom > 0)
        self.two_pages.setChecked(across > 1)
        self.fit_width.setChecked(fit is Fit.WIDTH)
        self.fit_page.setChecked(fit is Fit.PAGE)

    def _on_number_entered(self) -> None:
        self.number.setModified(False)
        sheet = self._numbers.asked(self.number.text(), self._page)
        if sheet is not None:
            self.page_entered.emit(sheet)

    def _on_number_left(self) -> None:
        self.number.setText(self._numbers.label(self._page).number)


class PassageBar(QWidget):
    """What is done most with a passage: keeping and copying it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.add = tool("", key("add", ON_THE_PAGE).tip, self)
        self.copy = tool("Copy", "Copy what is selected, or the passage, with its source", self)
        row_of(self.add, self.copy, 1, within=self, spacing_px=UNIT_PX // 2, margins_px=(UNIT_PX // 2,) * 4)
        self.name_matter("")

    def name_matter(self, name: str) -> None:
        """Say which matter words are added to; "" where one is to be named first."""
        short = name if len(name) <= _MATTER_CHARS else f"{name[:_MATTER_CHARS]}…"
        self.add.setText(button_text(f"Add to “{short}”" if name else "Add to a matter"))


class Notice(QFrame):
    """A warning in a line of its own, with a button where something can be done about it."""

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.text = PlainLabel(parent=self, wraps=True)
        self.button = QPushButton(self)
        self.button.clicked.connect(self.pressed)
        margins = (UNIT_PX, UNIT_PX // 2, UNIT_PX, UNIT_PX // 2)
        row_of((self.text, 1), self.button, within=self, spacing_px=UNIT_PX // 2, margins_px=margins)
        self.show_text("")

    def show_text(self, text: str, button: str = "") -> None:
        self.text.setText(text)
        self.setAccessibleName(text)
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self.setVisible(bool(text))


def tool(text: str, name: str, parent: QWidget) -> QToolButton:
    """A quiet button; `name` is its tool tip and what a screen reader says."""
    made = QToolButton(parent)
    made.setText(text)
    if len(text) == 1:
        made.setProperty("tone", "sign")
    set_tool_tip(made, name)
    made.setAccessibleName(name)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.setIconSize(QSize(0, 0))
    return made


_FOUND = {
    FoundAt.FOOT: "The page number, as printed at the foot of the page",
    FoundAt.HEAD: "The page number, as printed at the head of the page",
    FoundAt.BETWEEN: "The page bears no number; it is counted from those before and behind it",
}
_ATTACHED = "The page of a file that lies in this one, counted there"
_UNKNOWN = "No page number is certain here: look at the page before you cite it"
_SHEET = "The page of the file, counted from 1"


class PageLabel(NamedTuple):
    """What stands in the field of the page number, what behind it, and how the number is known."""

    number: str
    of: str
    known_by: str


@dataclass(frozen=True, slots=True)
class PageNumbers:
    """The numbers of `count` pages. `runs` are those printed on them, None where they were never read. Without
    `has_own_pages` the pages were set for showing them alone.
    """

    count: int = 0
    runs: Sequence[PageRun] | None = None
    has_own_pages: bool = True

    def label(self, sheet: int) -> PageLabel:
        if not self.count:
            return PageLabel("", "", "")
        if self.runs and self.has_own_pages:
            run, number = run_of(self.runs, sheet), label_of(self.runs, sheet)
            if run and run.attachment:
                place = f"in {run.attachment} · sheet {sheet:,} of {self.count:,}"
                return PageLabel(run.figures(sheet), place, _ATTACHED)
            is_same = number == str(sheet)
            of = f"of {self.count:,}" if is_same else f"· sheet {sheet:,} of {self.count:,}"
            return PageLabel(visible_name(number), of, _FOUND[run.found] if run else _UNKNOWN)
        of = f"{self.count:,}" if self._is_page else counted(self.count, "sheet")
        return PageLabel(str(sheet), f"of {of}", _SHEET)

    @property
    def sign(self) -> str:
        return "p." if self.count and self._is_page else ""

    @property
    def widest(self) -> str:
        """The longest text that can stand behind the number, so that nothing moves when pages are turned."""
        texts = [self.label(self.count).of]
        if self.runs and self.has_own_pages:
            texts.append(f"· sheet {self.count:,} of {self.count:,}")
        return max(texts, key=len)

    def spoken(self, sheet: int) -> str:
        """Return "page 8, sheet 13 of 18" for a screen reader."""
        number, of, _ = self.label(sheet)
        if of.startswith("·"):
            return f"page {number}, {of[2:]}" if number else of[2:]
        return f"page {number} {of}" if self._is_page else f"sheet {number} of {self.count:,}"

    @property
    def _is_page(self) -> bool:
        """Whether sheets are called pages: where printed numbers are known, or were never read."""
        return self.has_own_pages and self.runs != ()

    def asked(self, text: str, near: int) -> int | None:
        """Return the sheet that a text asks for: the one that bears this number, of several the nearest to `near`; else
        the one of this number in the file ("13", "sheet 13"). None where there is none.
        """
        typed = re.fullmatch(r"(sheet)?\s*([^\s].*?)\s*", text, re.IGNORECASE)
        if not typed:
            return None
        bearing = () if typed[1] or not self.has_own_pages else sheets_bearing(self.runs or (), typed[2])
        bearing = tuple(sheet for sheet in bearing if sheet <= self.count)
        if bearing:
            return min(bearing, key=lambda sheet: (abs(sheet - near), sheet))
        is_sheet = typed[2].isdecimal() and len(typed[2]) < 7 and 1 <= int(typed[2]) <= self.count
        return int(typed[2]) if is_sheet else None


_EMPTY = "What you choose at the left is shown here on its page."
"""True in every space, and where a search found nothing to choose."""
_LOADING = "Opening the brief …"
_WIDTH_PX = 420


class PageStates(QStackedWidget):
    """The view of pages, or a message instead of it."""

    retried = Signal()

    def __init__(self, view: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message, self.advice = _line(is_bold=True), _line()
        self.retry = QPushButton("Try again")
        self.retry.clicked.connect(self.retried)
        self._view, self._instead = view, QWidget(self)
        middle = ((each, Qt.AlignmentFlag.AlignHCenter) for each in (self.message, self.advice, self.retry))
        column_of(1, *middle, 2, within=self._instead, margins_px=None)
        self.addWidget(view)
        self.addWidget(self._instead)

    def show_empty(self) -> None:
        self._show_message("", _EMPTY)

    def show_loading(self) -> None:
        self._show_message("", _LOADING)

    def show_failure(self, message: str, advice: str) -> None:
        self._show_message(message, advice, can_retry=True)

    def show_view(self) -> None:
        """There is a page."""
        self.setCurrentWidget(self._view)

    def _show_message(self, message: str, advice: str, *, can_retry: bool = False) -> None:
        self.message.setText(message)
        self.message.setVisible(bool(message))
        self.advice.setText(advice)
        self.retry.setVisible(can_retry)
        self.setCurrentWidget(self._instead)


def _line(*, is_bold: bool = False) -> PlainLabel:
    made = PlainLabel(wraps=True, tone="" if is_bold else "muted")
    made.setFont(theme.font(is_bold=is_bold))
    made.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    made.setFixedWidth(_WIDTH_PX)
    return made


def in_words(problem: Exception) -> tuple[str, str]:
    """What happened and what to do about it."""
    if isinstance(problem, BriefBankError):
        return problem.message, problem.advice
    return "The page cannot be shown.", "Try again; if it happens again, tell whoever looks after BriefBank."
