"""The engine process: a warm bank that answers searches, and follows what is published without making them wait.

Another generation is opened beside the one in use, and takes its place when it is ready.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from briefbank.bank import Bank
from briefbank.errors import BankMissingError, BriefBankError, UsageError
from briefbank.platform.layout import Layout
from briefbank.platform.pipes import Sender
from briefbank.services.answer import answer, fault_of
from briefbank.services.messages import EngineNotice, EngineState, Message, Noticed, Reopen, Request

_LOOK_S = 1.0

Stamp = tuple[str | None, int, int]
"""What tells one state of a bank from another: the live generation, and when it and the settings were written."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """What came of opening the bank as it was at `stamp`: a warm one, or why there is none."""

    stamp: Stamp
    bank: Bank | BriefBankError
    notice: EngineNotice


class Engine:
    """Answers one request after the other. Only opening runs in a thread of its own."""

    def __init__(self, root: Path, inbox: SimpleQueue[Message], sender: Sender) -> None:
        self._root = root
        self._inbox = inbox
        self._sender = sender
        self._opened = self._open()
        self._beside: SimpleQueue[_Opened] | None = None
        self._looked_at = 0.0

    def serve(self) -> None:
        """Answer for ever."""
        self._sender.send(Noticed(self._opened.notice))
        while True:
            try:
                message = self._inbox.get(timeout=_LOOK_S)
            except Empty:
                message = None
            if isinstance(message, Request):
                answer(lambda request=message: self._ask(request), self._sender)  # type: ignore[misc]
            elif isinstance(message, Reopen):
                self._take_up(self._open())
            self._look()

    def _ask(self, request: Request) -> object:
        if request.call == "status":  # works on any bank, also on one that holds no index yet
            return Bank.open(self._root).status()
        try:
            return self._call(request)
        except UsageError:
            raise
        except Exception:  # there was no bank, or its files were replaced while it was open
            if self._stamp() == self._opened.stamp:
                raise
            self._take_up(self._open())
            return self._call(request)

    def _call(self, request: Request) -> object:
        bank = self._opened.bank
        if isinstance(bank, BriefBankError):
            raise bank
        return getattr(bank, request.call)(*request.arguments, **request.options)

    def _look(self) -> None:
        """Once a second, see whether something else was published; take it up when it is open."""
        if time.monotonic() - self._looked_at < _LOOK_S:
            return
        self._looked_at = time.monotonic()
        if self._beside is not None:
            if not self._beside.empty():
                self._take_up(self._beside.get())
                self._beside = None
        elif self._stamp() != self._opened.stamp:
            beside: SimpleQueue[_Opened] = SimpleQueue()
            Thread(target=lambda: beside.put(self._open()), daemon=True).start()
            self._beside = beside

    def _open(self) -> _Opened:
        stamp = self._stamp()
        try:
            bank = Bank.open(self._root, is_pinned=True)
            return _Opened(stamp, bank, EngineNotice(EngineState.READY, generation=bank.warm()))
        except BriefBankError as problem:
            return _failed(stamp, problem)
        except Exception as fault:  # noqa: BLE001 - the task boundary
            return _failed(stamp, fault_of(fault))

    def _take_up(self, opened: _Opened) -> None:
        """Put what was opened in the place of what is in use, and tell; what works outlives what does not."""
        was, problem = self._opened, opened.bank
        if (
            isinstance(problem, BriefBankError)
            and isinstance(was.bank, Bank)
            and not isinstance(problem, BankMissingError)
        ):
            notice = replace(was.notice, message=problem.message, advice=problem.advice)
            opened = _Opened(opened.stamp, was.bank, notice)
        self._opened = opened
        self._sender.send(Noticed(opened.notice))

    def _stamp(self) -> Stamp:
        layout = Layout(self._root)
        return layout.current(), _changed_at(layout.current_file), _changed_at(layout.settings_file)


def _failed(stamp: Stamp, problem: BriefBankError) -> _Opened:
    is_missing = isinstance(problem, BankMissingError)
    return _Opened(
        stamp, problem, EngineNotice(EngineState.FAILED, problem.message, problem.advice, is_missing=is_missing)
    )


def _changed_at(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0
