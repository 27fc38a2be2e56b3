"""The windows of the program, and what they share: one engine, one log of each kind, one index run.

What a window shows, collects in and undoes is its own.
"""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from briefbank.values.summaries import SummarySource
from ui import placement
from ui.engine import EngineClient
from ui.index_run import IndexRun
from ui.matters.keeper import MatterKeeper, MatterStore
from ui.recorder import Recorder
from ui.window import MainWindow


class Session(QObject):
    """Opens windows, and quits with all of them."""

    def __init__(
        self, engine: EngineClient, recorder: Recorder, summaries: SummarySource, matters: MatterStore
    ) -> None:
        super().__init__()
        self._engine, self._recorder = engine, recorder
        self._summaries, self._matters = summaries, matters
        self._index_run = IndexRun(engine, self)
        self.windows: list[MainWindow] = []
        """Those that are open, in the order in which they were opened."""

    def make_window(self) -> MainWindow:
        """Make a window that is not shown yet."""
        number = next(each for each in range(1, len(self.windows) + 2) if each not in self._numbers)
        keeper = MatterKeeper(self._matters)
        window = MainWindow(self._engine, self._recorder, self._summaries, keeper, self._index_run, number)
        keeper.setParent(window)
        window.window_requested.connect(self.open_window)
        window.quit_requested.connect(self.quit)
        window.closed.connect(self._on_closed)
        self.windows.append(window)
        self._count()
        return window

    def open_window(self) -> None:
        """Show another window: where the second was left, or else over the one that is used now."""
        active = QApplication.activeWindow()
        used = active if isinstance(active, MainWindow) else self.windows[-1]
        window = self.make_window()
        if not window.is_placed or window.number > 2:
            placement.cascade(window, used)
        window.show()
        window.activateWindow()

    def quit(self) -> None:
        """Close all windows, unless somebody stays for what could not be written."""
        active = QApplication.activeWindow()
        asking = active if isinstance(active, MainWindow) else self.windows[-1]
        for window in self.windows:
            window.finish()
        if not asking.may_end():
            return
        for window in tuple(self.windows):
            window.is_last = False
            window.close()

    @property
    def _numbers(self) -> set[int]:
        return {each.number for each in self.windows}

    def _count(self) -> None:
        for each in self.windows:
            each.is_last = len(self.windows) == 1

    def _on_closed(self, window: MainWindow) -> None:
        self.windows.remove(window)
        self._count()
        if self.windows:
            window.deleteLater()
