"""The engine as the window sees it, and the one place where threads meet the window.

Other threads touch one object only, the mailbox, which is never deleted: a signal of any other might be sent while the
window's thread deletes it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import cache, partial
from pathlib import Path
from threading import Lock
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal, Slot
from shiboken6 import isValid

from briefbank.bank.port import EngineNotice, EngineState
from briefbank.bank.remote import RemoteBank

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


class EngineClient(QObject):
    """Owns the remote bank. `ask` turns one of its futures into two calls on the window's thread."""

    noticed = Signal(object)
    """An EngineNotice: the state changed, or another generation went live."""
    corrected = Signal(object)
    """A Document of which somebody has corrected something, as it is now."""

    def __init__(self, bank_root: Path, parent: QObject | None = None) -> None:
        """Name the bank; `bank.start()` starts it."""
        super().__init__(parent)
        self.bank_root = bank_root
        self.notice = EngineNotice(EngineState.STARTING)
        self.bank = RemoteBank(bank_root, on_notice=lambda notice: deliver(self, partial(self._on_noticed, notice)))

    def ask(
        self,
        future: Future[T],
        on_done: Callable[[T], None],
        on_failed: Callable[[Exception], None] = lambda _problem: None,
        *,
        parent: QObject | None = None,
    ) -> FutureWatcher:
        """Hand the answer of `future` to one of the two on the window's thread, unless `parent` is gone by then. A
        failure is heard of by nobody where what is shown only lacks something by it.
        """
        return FutureWatcher(future, on_done, on_failed, parent or self)

    def close(self) -> None:
        """End the engine and every other child process, and wait for them."""
        self.bank.close()

    def _on_noticed(self, notice: EngineNotice) -> None:
        self.notice = notice
        self.noticed.emit(notice)
