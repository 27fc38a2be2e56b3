"""An index run in a child process of its own, seen from outside. A killed one loses only the files it was at."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from threading import Lock, Thread

from briefbank.errors import BriefBankError, EngineDiedError
from briefbank.platform.progress import Reporter
from briefbank.reports import IndexReport
from briefbank.services.messages import Answered, Failed, Moved, Request, Role, Stop
from briefbank.services.process import ChildProcess

_STOP_S = 5.0
"""How long a run that was asked to stop may take for the file it is at, when the window closes."""
_END_S = 3.0


class IndexProcess:
    """One run: started once, stopped by request, killed if it does not heed that."""

    def __init__(self, root: Path, folder: Path, reporter: Reporter, *, retry_failed: bool) -> None:
        self.report: Future[IndexReport] = Future()
        self._root = root
        self._folder = folder
        self._reporter = reporter
        self._retry_failed = retry_failed
        self._lock = Lock()
        self._is_stopped = False
        self._child: ChildProcess | None = None
        self._thread = Thread(target=self._run, name="briefbank-index", daemon=True)

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin; returns at once."""
        self.report.set_running_or_notify_cancel()
        self._thread.start()

    def cancel(self) -> None:
        """Ask it to stop after the file at hand; returns at once."""
        with self._lock:
            self._is_stopped = True
            if self._child:
                self._child.send(Stop())

    def close(self) -> None:
        """Wait for a run that was cancelled; end it if it takes too long."""
        self._thread.join(_STOP_S)
        with self._lock:
            child = self._child
        if child:
            child.end(_END_S)
        self._thread.join()

    def _run(self) -> None:
        try:
            child = ChildProcess(Role.INDEX, self._root)
        except OSError as error:
            advice = "Close other programs, then start it again."
            self.report.set_exception(BriefBankError(f"The index run could not be started: {error.strerror}.", advice))
            return
        with self._lock:
            self._child = child
            child.send(Request("index", (self._folder.absolute(),), {"retry_failed": self._retry_failed}))
            if self._is_stopped:
                child.send(Stop())
        outcome: IndexReport | BriefBankError = EngineDiedError(
            "The index run ended unexpectedly.", "Start it again: what was read is kept, the old index stays in use."
        )
        for message in child.messages():
            if isinstance(message, Moved):
                self._reporter(message.progress)
            elif isinstance(message, Answered) and isinstance(message.value, IndexReport):
                outcome = message.value
            elif isinstance(message, Failed):
                outcome = message.error
        child.end(_END_S)
        if isinstance(outcome, IndexReport):
            self.report.set_result(outcome)
        else:
            self.report.set_exception(outcome)
