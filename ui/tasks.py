"""Answers brought to the window's thread: the one place where threads meet the window.

Other threads touch one object only, which is never deleted: a signal of any other might be sent while the window's
thread deletes it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import cache
from threading import Lock
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal, Slot
from shiboken6 import isValid

T = TypeVar("T")


class _Mailbox(QObject):
    """Lives on the window's thread as long as the program."""

    arrived = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)
        if app := QCoreApplication.instance():
            self.moveToThread(app.thread())

    @Slot(object)
    def _on_arrived(self, call: Callable[[], None]) -> None:
        call()


_making = Lock()
"""Of two threads that find no mailbox, only one may make it: what the other's held would be lost."""


@cache
def _mailbox() -> _Mailbox:
    return _Mailbox()


def deliver(owner: QObject, call: Callable[[], None]) -> None:
    """Have the window's thread make a call, unless `owner` is gone by then; from any thread."""
    with _making:
        mailbox = _mailbox()
    mailbox.arrived.emit(lambda: call() if isValid(owner) else None)


class FutureWatcher:
    """A future whose answer reaches the window's thread; nothing is told once it was cancelled or `owner` is gone."""

    def __init__(
        self, future: Future[T], on_done: Callable[[T], None], on_failed: Callable[[Exception], None], owner: QObject
    ) -> None:
        """Watch `future`."""
        self._future = future
        self._is_cancelled = False

        def tell() -> None:
            if self._is_cancelled:
                return
            try:
                answer = future.result()
            except CancelledError:
                return
            except Exception as problem:  # noqa: BLE001 - the task boundary: whoever asked shows it
                on_failed(problem)
            else:
                on_done(answer)

        # Called in whichever thread finishes the future; `tell` runs on the window's.
        future.add_done_callback(lambda _: deliver(owner, tell))

    def cancel(self) -> None:
        """Drop the answer, and the work too if it has not begun."""
        self._is_cancelled = True
        self._future.cancel()
