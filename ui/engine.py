"""The engine as the window sees it: its state as a signal, its answers on the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from briefbank.bank.port import EngineNotice, EngineState
from briefbank.bank.remote import RemoteBank
from ui.tasks import FutureWatcher, deliver

T = TypeVar("T")


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
        self.bank = RemoteBank(bank_root, on_notice=self._deliver_notice)

    def ask(
        self,
        future: Future[T],
        on_done: Callable[[T], None],
        on_failed: Callable[[Exception], None],
        *,
        parent: QObject | None = None,
    ) -> FutureWatcher:
        """Hand the answer of `future` to one of the two on the window's thread, unless `parent` is gone by then."""
        return FutureWatcher(future, on_done, on_failed, parent or self)

    def close(self) -> None:
        """End the engine and every other child process, and wait for them."""
        self.bank.close()

    def _deliver_notice(self, notice: EngineNotice) -> None:
        deliver(self, partial(self._on_noticed, notice))

    def _on_noticed(self, notice: EngineNotice) -> None:
        self.notice = notice
        self.noticed.emit(notice)
