"""An index run as the window sees it: it outlives the dialog that started it. Must not know any widget."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from briefbank.bank.port import EngineState
from briefbank.errors import BriefBankError
from briefbank.platform.processes.child import Answer
from briefbank.platform.progress import Progress
from briefbank.values.state import IndexReport
from ui.engine import EngineClient, deliver
from ui.wording import count

_RATE_AFTER_S = 3.0


class IndexRun(QObject):
    """Runs one index run at a time and remembers how the last one ended."""

    changed = Signal()
    """It began, got on or ended."""

    def __init__(self, engine: EngineClient, parent: QObject | None = None) -> None:
        super().__init__(parent or engine)
        self._engine = engine
        self._answer: Answer[IndexReport] | None = None
        self.progress = Progress("starting")
        self.report: IndexReport | None = None
        self.error: BriefBankError | None = None
        self.is_stopping = False

    @property
    def is_running(self) -> bool:
        return self._answer is not None

    @property
    def has_ended(self) -> bool:
        """Whether there is the end of a run to tell of."""
        return not self.is_running and (self.report is not None or self.error is not None)

    def start(self, folder: Path, *, retry_failed: bool = False) -> None:
        """Index `folder`; nothing happens while another run is going on."""
        if self._answer:
            return
        self.progress, self.report, self.error, self.is_stopping = Progress("starting"), None, None, False
        self._answer = self._engine.bank.index(
            folder, retry_failed=retry_failed, reporter=lambda each: deliver(self, partial(self._on_progressed, each))
        )
        self._engine.ask(self._answer, lambda report: self._end(report, None), self._on_failed, parent=self)
        self.changed.emit()

    def cancel(self) -> None:
        """Ask the run to stop after the file it is at; its end comes anyway."""
        if self._answer:
            self.is_stopping = True
            self._answer.stop()
            self.changed.emit()

    def _on_progressed(self, progress: Progress) -> None:
        if self._answer:
            self.progress = progress
            self.changed.emit()

    def _on_failed(self, problem: Exception) -> None:
        if not isinstance(problem, BriefBankError):
            problem = BriefBankError("Indexing met a fault in BriefBank.", "Start it again; what was read is kept.")
        self._end(None, problem)

    def _end(self, report: IndexReport | None, error: BriefBankError | None) -> None:
        self._answer, self.report, self.error = None, report, error
        if report and self._engine.notice.state is EngineState.FAILED:
            self._engine.bank.restart()
        self.changed.emit()


def progress_line(progress: Progress) -> str:
    """Return a moment of a run in one line, for a status bar."""
    total = progress.files_total
    parts = [] if total is None else [f"{progress.files_done:,} of {count(total, 'file')}"]
    if progress.pages_done:
        parts.append(count(progress.pages_done, "page"))
    if progress.pages_done and progress.elapsed_s > _RATE_AFTER_S:
        parts.append(f"{progress.pages_done / progress.elapsed_s:,.1f} pages a second")
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    if progress.seconds_left is not None:
        parts.append(f"{duration(progress.seconds_left)} left")
    return " · ".join(parts)


def duration(seconds: float) -> str:
    """Return a span of time as people say it."""
    if seconds < 60:
        return f"{max(round(seconds), 1)} s"
    if seconds < 3600:
        return f"{round(seconds / 60)} min"
    return f"{int(seconds // 3600)} h {int(seconds % 3600 // 60)} min"
