"""Futures answered on the window's thread: the one place where threads meet the window."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

T = TypeVar("T")


class Task(QObject):
    """A future whose answer reaches the window's thread; nothing is told once it was cancelled."""

    _finished = Signal()

    def __init__(
        self,
        future: Future[T],
        on_done: Callable[[T], None],
        on_failed: Callable[[Exception], None],
        parent: QObject,
    ) -> None:
        """Watch `future` for as long as `parent` lives."""
        super().__init__(parent)
        self._future = future
        self._on_done = on_done
        self._on_failed = on_failed
        self._is_cancelled = False
        self._finished.connect(self._on_finished, Qt.ConnectionType.QueuedConnection)
        future.add_done_callback(self._tell)

    def cancel(self) -> None:
        """Drop the answer, and the work too if it has not begun."""
        self._is_cancelled = True
        self._future.cancel()

    def _tell(self, _future: Future[T]) -> None:
        try:
            self._finished.emit()
        except RuntimeError:  # the window is gone
            return

    @Slot()
    def _on_finished(self) -> None:
        self.deleteLater()
        if self._is_cancelled:
            return
        try:
            answer = self._future.result()
        except CancelledError:
            return
        except Exception as problem:  # noqa: BLE001 - the task boundary: whoever asked shows it
            self._on_failed(problem)
        else:
            self._on_done(answer)
