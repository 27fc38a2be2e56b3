"""The engine process: a warm bank that answers searches, and follows what is published without making them wait.

Another generation is opened beside the one in use, and takes its place when it is ready.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from briefbank.bank.local import Bank
from briefbank.bank.services.calls import EngineNotice, EngineState, GetStatus, Reopen
from briefbank.bank.services.corrected import CorrectedBank
from briefbank.errors import BankMissingError, BriefBankError, UsageError, fault_told
from briefbank.platform.layout import Layout
from briefbank.platform.processes.parent_link import Job, ParentLink, fault_of

_LOG = logging.getLogger(__name__)
_LOOK_S = 1.0

Stamp = tuple[str | None, int, int]
"""What tells one state of a bank from another: the live generation, and when it and the settings were written."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """What came of opening the bank as it was at `stamp`: a warm one, or why there is none."""

    stamp: Stamp
    bank: CorrectedBank | BriefBankError
    notice: EngineNotice


class Engine:
    """Answers one request after the other. Only opening runs in a thread of its own."""

    def __init__(self, root: Path, line: ParentLink) -> None:
        self._root = root
        self._line = line
        self._opened = self._open()
        self._opening: SimpleQueue[_Opened] | None = None
        self._looked_at = 0.0

    def serve(self) -> None:
        """Answer calls until the process ends."""
        self._line.tell(self._opened.notice)
        while True:
            if job := self._line.next(_LOOK_S):
                job.answer(self._result)
            self._look()

    def _result(self, job: Job) -> object:
        if isinstance(job.call, Reopen):
            return job.run(lambda: self._take_up(self._open()))
        if isinstance(job.call, GetStatus):  # works on any bank, also on one that holds no index yet
            with Bank.open(self._root) as bank:
                return job.run(bank)
        try:
            return job.run(self._bank())
        except UsageError:
            raise
        except Exception:  # there was no bank, or its files were replaced while it was open
            if self._stamp() == self._opened.stamp:
                raise
            self._take_up(self._open())
            return job.run(self._bank())

    def _bank(self) -> CorrectedBank:
        if isinstance(self._opened.bank, BriefBankError):
            raise self._opened.bank
        return self._opened.bank

    def _look(self) -> None:
        """Once a second, see whether something else was published; take it up when it is open."""
        if time.monotonic() - self._looked_at < _LOOK_S:
            return
        self._looked_at = time.monotonic()
        if self._opening is not None:
            if not self._opening.empty():
                self._take_up(self._opening.get())
                self._opening = None
        elif self._stamp() != self._opened.stamp:
            opening: SimpleQueue[_Opened] = SimpleQueue()
            Thread(target=lambda: opening.put(self._open()), daemon=True).start()
            self._opening = opening

    def _open(self) -> _Opened:
        stamp = self._stamp()
        try:
            bank = CorrectedBank.open(self._root, is_pinned=True)
            return _Opened(stamp, bank, EngineNotice(EngineState.READY, generation=bank.warm()))
        except BriefBankError as problem:
            return _failed(stamp, problem)
        except Exception as fault:  # noqa: BLE001 - the task boundary
            _LOG.error("the bank cannot be opened: %s", fault_told(fault))
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
        if isinstance(was.bank, Bank) and was.bank is not opened.bank:
            was.bank.close()
        self._line.tell(opened.notice)

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
