"""The log of matters as all windows share it: every call returns at once, the log is written in a thread.

Must not know windows, nor what can be undone in one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from briefbank.errors import BriefBankError
from briefbank.matters.events import Content, Event, new_id, utc_now
from briefbank.matters.log import MatterLog
from briefbank.matters.state import Matter, matters_of
from briefbank.platform.event_log.writer import Writer
from ui.tasks import deliver

_BUSY_TIMEOUT_S = 2.0
"""How long another program may hold the log before that is told; writing is tried again after."""


class MatterStore(QObject):
    """What the log holds and what was done since. Signals come on the windows' thread."""

    changed = Signal()
    """Something is in a matter that was not, or the log was read."""
    written = Signal(object)
    """The ids of events that are on the disk now, a tuple."""
    failed = Signal(object)
    """A BriefBankError, for people. What was done is kept in mind and written when it can be."""

    def __init__(
        self,
        path: Path,
        parent: QObject | None = None,
        *,
        clock: Callable[[], datetime] = utc_now,
        make_id: Callable[[], str] = new_id,
    ) -> None:
        """Open the log at `path` in a thread, making one where there is none."""
        super().__init__(parent)
        self.make_id = make_id
        self._clock = clock
        self._events: list[Event] = []
        self._folded: tuple[Matter, ...] | None = None
        self._writer: Writer[MatterLog, Event] = Writer(
            lambda: MatterLog(path, clock=clock, make_id=make_id, busy_timeout_s=_BUSY_TIMEOUT_S),
            on_opened=self._read_log,
            on_written=lambda events: deliver(self, lambda: self._on_written(events)),
            on_failed=lambda problem: deliver(self, lambda: self.failed.emit(problem)),
        )

    def close(self) -> int:
        """Write what is left, end the thread, and return how many events could not be written (0 but on failure)."""
        return self._writer.close()

    def flush(self) -> int:
        """Try now to write what waits, and return how many events are not on the disk."""
        return self._writer.flush()

    @property
    def problem(self) -> BriefBankError | None:
        """Why what was done last could not be written; None where it was."""
        return self._writer.problem

    @property
    def matters(self) -> tuple[Matter, ...]:
        """All matters, archived ones among them, in the order in which they were made."""
        if self._folded is None:
            self._folded = matters_of(self._events)
        return self._folded

    def new_event(self, content: Content) -> Event:
        """Return something that was done, as it is recorded."""
        return Event(self.make_id(), self._clock(), content)

    def record(self, events: Sequence[Event]) -> None:
        """Take up what was done, and have it written."""
        self._events.extend(events)
        for event in events:
            self._writer.put(event)
        self._tell()

    def _tell(self) -> None:
        self._folded = None
        self.changed.emit()

    def _read_log(self, log: MatterLog) -> None:
        """Read what the log holds, in the writer's thread, and bring it to the windows'."""
        events = log.events()
        deliver(self, lambda: self._on_opened(events))

    def _on_opened(self, events: list[Event]) -> None:
        """Take up what the log holds; what this session has done since stands behind it."""
        known = {event.id for event in events}
        self._events = [*events, *(event for event in self._events if event.id not in known)]
        self._tell()

    def _on_written(self, events: list[Event]) -> None:
        self.written.emit(tuple(event.id for event in events))
