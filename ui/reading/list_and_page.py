"""A list beside the page of what is selected in it: how they divide the room, and what gives way where there is little.

Knows neither what is listed nor what is shown.
"""

from __future__ import annotations

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from ui.reading.outline import NARROWEST_PX
from ui.reading.panel import PagePanel
from ui.theme import UNIT_PX

LIST_PX, PAGE_PX = 272, 448
"""The least width of either: results and notes wrap, a page has to be legible."""
_TWO_PAGES_PX = 1_220
"""The least width of two pages: a page of Letter at three quarters of its size, twice."""
NARROW_PAGE_PX = 360
"""The least width of a page while another brief stands beside it; the bars around it still wrap without a cut."""
_WITH_OUTLINE_PX = NARROWEST_PX + NARROW_PAGE_PX


class ListAndPage(QSplitter):
    """The list at the left, which folds, and the page."""

    def __init__(self, left: QWidget, page: PagePanel, sizes_px: tuple[int, int]) -> None:
        """Divide the room in this way until somebody divides it otherwise."""
        super().__init__(Qt.Orientation.Horizontal, childrenCollapsible=False, handleWidth=UNIT_PX)
        self._left, self._page = left, page
        self._own: QByteArray | None = None
        """How the room was divided before the list was folded or room given away; None where neither holds."""
        self._list_px = 0
        """How wide the list is while room is given away."""
        self._folded_for: set[str] = set()
        """What was opened beside the page that the list gave way to; empty where somebody folded it, or nobody did."""
        for each, narrowest in ((left, LIST_PX), (page, PAGE_PX)):
            each.setMinimumWidth(narrowest)
            self.addWidget(each)
        left.lower()  # a splitter names its last part first, to screen readers too
        self.setSizes(list(sizes_px))
        page.two_pages_toggled.connect(lambda is_on: self._make_room("pages", _TWO_PAGES_PX, is_on=is_on))
        page.outline_toggled.connect(lambda is_on: self._make_room("outline", _WITH_OUTLINE_PX, is_on=is_on))

    @property
    def is_folded(self) -> bool:
        """Whether the list is folded away."""
        return self._left.isHidden()

    def set_folded(self, *, is_folded: bool) -> None:
        """Fold the list away, or unfold it; the keyboard goes on from it to the page."""
        if is_folded == self.is_folded:
            return
        self._folded_for = set()
        self._keep_own()
        focused = self.window().focusWidget()
        if is_folded and focused and self._left.isAncestorOf(focused):
            self._page.view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._left.setHidden(is_folded)
        self._divide()

    def give_room(self, list_px: int) -> None:
        """Make do with less, the list as wide as told: another brief stands beside this page."""
        self._keep_own()
        self._list_px = list_px
        self._page.setMinimumWidth(NARROW_PAGE_PX)
        self._divide()

    def take_room(self) -> None:
        """Divide all of the room again as it was divided before."""
        self._list_px = 0
        self._page.setMinimumWidth(PAGE_PX)
        self._divide()

    def saveState(self) -> QByteArray:  # noqa: N802 - Qt's name
        """Return how the room is divided while nothing is folded or given away."""
        return super().saveState() if self._own is None else self._own

    def _make_room(self, opened: str, needed_px: int, *, is_on: bool) -> None:
        """Fold the list away where what is opened would be too small to read beside it, and unfold it after all that
        it gave way to.
        """
        if is_on and not self.is_folded and self._page.width() < needed_px:
            self.set_folded(is_folded=True)
            self._folded_for = {opened}
            self.refresh()  # now, so that what is opened knows how much room it has
        elif is_on and self._folded_for:
            self._folded_for.add(opened)
        elif opened in self._folded_for:
            self._folded_for.discard(opened)
            self.set_folded(is_folded=bool(self._folded_for))

    def _keep_own(self) -> None:
        if self._own is None:
            self._own = super().saveState()

    def _divide(self) -> None:
        if self.is_folded:
            return
        if self._list_px:
            self.setSizes([self._list_px, max(self.width() - self._list_px - self.handleWidth(), 1)])
        elif self._own is not None:
            self.restoreState(self._own)
            self._own = None
