"""An index run in a child process of its own, seen from outside. A killed one loses only the files it was at."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from threading import Lock, Thread

from briefbank.errors import BriefBankError, EngineDiedError
from briefbank.platform.processes.child import Child, Part
from briefbank.platform.progress import Reporter
from briefbank.reports import IndexReport
from briefbank.services.calls import ChildRole, Index
from briefbank.services.start import DIED, start_child

_STOP_S = 5.0
"""How long a run that was asked to stop may take for the file it is at, when the window closes."""
_END_S = 3.0


class IndexProcess:
    """One run: started once, stopped by request, killed if it does not heed that."""

    def __init__(self, root: Path, folder: Path, reporter: Reporter, *, retry_failed: bool) -> None:
        self.report: Future[IndexReport] = Future()
        self._root = root
        self._reporter = reporter
        self._call = Index(folder.absolute(), retry_failed)
        self._lock = Lock()
        self._is_stopped = False
        self._number = 0
        self._child: Child | None = None
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
                self._child.stop(self._number)

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
            child = start_child(ChildRole.INDEX, self._root)
        except OSError as error:
            advice = "Close other programs, then start it again."
            self.report.set_exception(BriefBankError(f"The index run could not be started: {error.strerror}.", advice))
            return
        with self._lock:
            self._child = child
            self._number = child.ask(self._call)
            if self._is_stopped:
                child.stop(self._number)
        outcome: IndexReport | BriefBankError = EngineDiedError(*DIED[ChildRole.INDEX])
        for message in child.messages():
            if isinstance(message, Part):
                self._reporter(message.value)
            else:
                outcome = message.error or message.value
        child.end(_END_S)
        if isinstance(outcome, IndexReport):
            self.report.set_result(outcome)
        else:
            self.report.set_exception(outcome)
