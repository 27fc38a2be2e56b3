"""A thread that writes events to a log, so that whoever tells them never waits for the disk.

What cannot be written is kept and tried again; nothing is dropped but an event that makes no sense. Must not know Qt.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from traceback import extract_tb
from typing import Any, Generic, TypeVar

from briefbank.errors import BankDamagedError, BriefBankError, UsageError
from briefbank.platform.disk import refusal_of
from briefbank.platform.event_log.log import EventLog

_BATCH = 500
_RETRY_S = 2.0
_CLOSE_TIMEOUT_S = 5.0
_ATTEMPTS = 3
"""At damage: one notices it, the next opening moves the file aside, the last makes a new one."""

_log = logging.getLogger(__name__)


Log = TypeVar("Log", bound=EventLog[Any, Any])
Told = TypeVar("Told")


class Writer(Generic[Log, Told]):
    """Owns the log and its thread. The three listeners are called in that thread."""

    def __init__(
        self,
        open_log: Callable[[], Log],
        *,
        on_opened: Callable[[Log], None],
        on_written: Callable[[list[Told]], None],
        on_failed: Callable[[BriefBankError], None],
        retry_s: float = _RETRY_S,
    ) -> None:
        """Start the thread. `on_opened` may read the log; `on_failed` is told once of a failure that goes on."""
        self._open_log = open_log
        self._on_opened = on_opened
        self._on_written = on_written
        self._on_failed = on_failed
        self._retry_s = retry_s
        self._log: Log | None = None
        self._changed = threading.Condition()
        self._pending: deque[Told] = deque()
        self._written: list[Told] = []
        self._is_closing = False
        self._is_urgent = False
        self._begun = self._ended = 0
        self.problem: BriefBankError | None = None
        """Why the last attempt to write failed; None where it did not."""
        # A disk that never answers must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="event writer", daemon=True)
        self._thread.start()

    @property
    def unwritten(self) -> int:
        """How many events are not on the disk yet."""
        return len(self._pending)

    def put(self, event: Told) -> None:
        """Take an event to be written; returns at once."""
        with self._changed:
            self._pending.append(event)
            self._changed.notify()

    def flush(self, timeout_s: float = _CLOSE_TIMEOUT_S) -> int:
        """Try now to write what waits, and return how many events are not on the disk after that."""
        with self._changed:
            self._is_urgent = True
            next_attempt = self._begun + 1
            self._changed.notify()
            self._changed.wait_for(lambda: not self._pending or self._ended >= next_attempt, timeout_s)
        return self.unwritten

    def close(self, timeout_s: float = _CLOSE_TIMEOUT_S) -> int:
        """Try once more to write what is left, end the thread, and return how many events could not be written."""
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        self._thread.join(timeout_s)
        return self.unwritten

    def _run(self) -> None:
        is_fine = self._attempt()
        is_last = False
        while not is_last:
            with self._changed:
                self._changed.notify()  # whoever flushes looks what came of the last attempt
                waits_for = self._is_due if is_fine else self._is_urged
                self._changed.wait_for(waits_for, None if is_fine else self._retry_s)
                is_last = self._is_closing
                self._begun, self._is_urgent = self._begun + 1, False
            is_fine = self._attempt()
            self._ended = self._begun
        if self._log:
            self._log.close()

    def _is_due(self) -> bool:
        return bool(self._pending) or self._is_closing

    def _is_urged(self) -> bool:
        return self._is_urgent or self._is_closing

    def _attempt(self) -> bool:
        """Write all that waits; whether that went well."""
        for _ in range(_ATTEMPTS):
            try:
                self._write_all()
            except BankDamagedError as problem:
                self._tell(problem)
                self._start_over()
            except BriefBankError as problem:
                self._tell(problem)
                return False
            except Exception as fault:  # noqa: BLE001  # the task boundary: the thread outlives a fault of ours
                self._tell(_named(fault))
                return False
            else:
                self.problem = None
                return True
        return False

    def _write_all(self) -> None:
        if self._log is None:
            self._log = self._open_log()
            self._on_opened(self._log)
        while batch := self._next_batch():
            written = self._append(self._log, batch)
            with self._changed:
                for _ in batch:
                    self._pending.popleft()
            self._written += written
            self._on_written(written)

    def _next_batch(self) -> list[Told]:
        with self._changed:
            return list(islice(self._pending, _BATCH))

    def _append(self, log: Log, batch: list[Told]) -> list[Told]:
        """Write a batch, and return it without the events that the log refuses: one of those must not stop the rest."""
        try:
            log.append(batch)
        except UsageError as problem:
            if len(batch) > 1:
                return [written for event in batch for written in self._append(log, [event])]
            self._on_failed(problem)
            return []
        return batch

    def _start_over(self) -> None:
        """Leave a damaged log. All of this session goes into the next one, which must know the searches judged."""
        if self._log:
            self._log.close()
        self._log = None
        with self._changed:
            self._pending.extendleft(reversed(self._written))
        self._written = []

    def _tell(self, problem: BriefBankError) -> None:
        before, self.problem = self.problem, problem
        if (type(before), str(before)) != (type(problem), str(problem)):
            self._on_failed(problem)


def _named(fault: Exception) -> BriefBankError:
    """Name what the system refused; log where a fault of this program happened, without its text, which may hold the
    user's, and name it for people.
    """
    if refusal := refusal_of(fault):
        return refusal
    at = extract_tb(fault.__traceback__)[-1]
    _log.error("%s at %s:%s", type(fault).__name__, Path(at.filename).name, at.lineno)
    advice = "It is kept and tried again; tell whoever looks after BriefBank."
    return BriefBankError(
        f"Writing down what you did met a fault of BriefBank itself ({type(fault).__name__}).", advice
    )
