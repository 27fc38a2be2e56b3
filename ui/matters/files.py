"""What is done to whole matters: one saved as a file for a colleague, one brought in from such a file, one taken out of
the archive.

Files are read and written in a thread. Must not know how a matter is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from briefbank.matters.events import Event
from briefbank.matters.state import Matter
from briefbank.platform.visible import visible_name
from ui.dialogs.save import ask_where
from ui.matters.keeper import MatterKeeper
from ui.tasks import FutureWatcher

T = TypeVar("T")

_KIND = "Matters (*.json)"
_MOST_ARCHIVED = 30
"""More would leave the screen; the command line lists all."""


class MatterMenu(QMenu):
    """The menu of the matters at the left."""

    done = Signal(str)
    """In words, what was done."""
    failed = Signal(object)

    def __init__(self, keeper: MatterKeeper, parent: QWidget) -> None:
        """Offer what can be done; what is archived is looked up when the menu opens."""
        super().__init__("Matters", parent)
        self._keeper, self._owner = keeper, parent
        self._task: FutureWatcher | None = None
        self.save = self.addAction("&Save as a file …", self._on_save)
        self.bring_in = self.addAction("&Bring in from a file …", self._on_bring_in)
        self.addSeparator()
        self.archived = self.addMenu("A&rchived")
        self.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """List the archived matters, the newest first."""
        self.save.setEnabled(self._keeper.current is not None)
        self.archived.clear()
        matters = [each for each in reversed(self._keeper.matters) if each.is_archived]
        for matter in matters[:_MOST_ARCHIVED]:
            name = visible_name(matter.name).replace("&", "&&")
            self.archived.addAction(name, partial(self._keeper.take_out, matter))
        self.archived.setEnabled(bool(matters))

    def _on_save(self) -> None:
        if matter := self._keeper.current:
            place = ask_where(self._owner, "Save the matter as a file", matter.name, ".json", _KIND)
            if place:
                self._run(partial(_save, matter, *place), lambda _: self.done.emit(f"Saved: {visible_name(place[0])}"))

    def _on_bring_in(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self._owner, "Bring in a matter", "", _KIND)
        if chosen:
            self._run(partial(_read, Path(chosen)), self._keeper.bring_in)

    def _run(self, work: Callable[[], T], on_done: Callable[[T], None]) -> None:
        thread = ThreadPoolExecutor(1, "matter file")
        future = thread.submit(work)
        thread.shutdown(wait=False)
        self._task = FutureWatcher(future, on_done, self.failed.emit, self)


def _save(matter: Matter, out: Path, may_replace: bool) -> None:  # noqa: FBT001 - as it was answered
    from briefbank.matters.exchange import write_matter

    write_matter(matter, out, may_replace=may_replace)


def _read(path: Path) -> list[Event]:
    from briefbank.matters.exchange import read_matter

    return read_matter(path)[1]
