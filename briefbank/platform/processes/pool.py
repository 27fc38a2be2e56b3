"""Worker processes that may hang, swell, die or lie over a hostile file without taking the run with them.

Knows nothing of what the workers do. Failures come out of the future as a SourceError; the pool goes on.
"""

from __future__ import annotations

import logging
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from threading import Condition, Event, Thread
from types import TracebackType
from typing import Any, NoReturn, Self, TypeVar

from briefbank.errors import (
    BriefBankError,
    ReaderDiedError,
    ReaderKilledError,
    SourceError,
    TooLargeError,
    TooSlowError,
    fault_told,
)
from briefbank.platform.confine import confine, remove_dead_sockets
from briefbank.platform.confine.own_processes import go_on_below_a_reaper
from briefbank.platform.confine.quota import WATCH_S, is_too_much
from briefbank.platform.files import make_private
from briefbank.platform.processes.calls import Call, ParentLink, Table, Task, declared
from briefbank.platform.processes.child import CallResult, Child
from briefbank.platform.processes.limits import Limit
from briefbank.platform.processes.this_process import adopt_orphans, die_with_parent, end_orphans, leave_orphans
from briefbank.platform.settings import Settings, worker_count

_LOG = logging.getLogger(__name__)
_TASKS_PER_WORKER = 500
"""Tasks after which a worker is replaced, so that what a parser leaks stays small."""
_END_S = 5.0
_MOST_MESSAGES = 100_000
"""Ends a worker that reports for ever; a file has at most some thousand pages, and two reports of each."""
_TELL = "Save the file again as PDF and use that; tell whoever looks after BriefBank."

A = TypeVar("A")


@dataclass(eq=False, slots=True)
class _PendingTask:
    """A task, its future, and the worker that is at it."""

    task: Task[Any]
    timeout_s: float
    on_step: Callable[[Any], float] | None
    future: Future[Any] = field(default_factory=Future)
    worker: Child | None = None
    limit: Limit | None = None
    folder: Path | None = None
    """What its worker may not fill, where it may write at all."""
    is_late: bool = False
    has_filled: bool = False


class GuardedPool:
    """As many workers as cores (or `settings.workers`), confined, with a memory limit; use as a context manager. Tasks
    that convert are done one by one by workers of their own, each of which may write in a folder below `scratch`, which
    is emptied first and removed in the end.

    Leaving the block normally waits for what was submitted; leaving it by an exception, or `stop`, kills the workers
    and what they started. Workers ignore Ctrl-C, so that the parent decides what becomes of their work.
    """

    def __init__(self, module: str, settings: Settings, scratch: Path | None = None) -> None:
        """Workers run `module`, which calls `work` with the tasks that it knows. They are started when needed."""
        self._module = module
        self._memory_bytes = settings.read_memory_bytes
        self._scratch = scratch or Path(tempfile.mkdtemp(prefix="briefbank-"))
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._scratch.mkdir(mode=0o700)
        make_private(self._scratch)
        self._changed = Condition()
        self._waiting: deque[_PendingTask] = deque()
        self._open: set[_PendingTask] = set()
        self._is_closing = False
        self._is_closed = False
        self._has_ended = Event()
        # Each thread starts its own workers, for they end with the thread that started them.
        self._threads = [
            Thread(target=self._keep_working, name="briefbank-pool", daemon=True) for _ in range(worker_count(settings))
        ]
        self._watcher = Thread(target=self._watch, name="briefbank-pool-limits", daemon=True)
        for thread in (*self._threads, self._watcher):
            thread.start()
        adopt_orphans()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._close()
        else:
            self.stop()

    @property
    def folder(self) -> Path:
        """A folder that all workers can read; what is put into it goes with the pool."""
        return self._scratch

    def submit(
        self,
        task: Task[A],
        *,
        timeout_s: float,
        is_waited_for: bool = False,
        on_step: Callable[[Any], float] | None = None,
    ) -> Future[A]:
        """Run a task in a worker, before all others where the caller does nothing until it is done; cancelling the
        future kills the worker that is at it. Once the block was left, the future is cancelled at once.

        What a long one reports goes to `on_step`, in a thread of the pool, before the future is done; that returns how
        long it may take until it reports once more or ends (without, it may take `timeout_s` again).

        The future raises the SourceError that the task raised, or
            SourceError: it raised an OSError.
            TooSlowError: it took more than `timeout_s` of processor time, counted from its start or last step, or took
                none for as long by the clock (see `limits`).
            TooLargeError: it needed more memory than a worker may take.
            ReaderKilledError: the system killed its process; the file need not be why.
            ReaderDiedError: its process died of it or answered what it may not, or it raised anything else.
        """
        pending = _PendingTask(task, timeout_s, on_step)
        with self._changed:
            if self._is_closing:
                pending.future.cancel()
                return pending.future
            if is_waited_for:
                self._waiting.appendleft(pending)
            else:
                self._waiting.append(pending)
            self._open.add(pending)
            self._changed.notify()
        pending.future.add_done_callback(lambda _: self._ended(pending))
        return pending.future

    def stop(self) -> None:
        """Kill the workers, what they run and what they started; what was not finished is cancelled."""
        with self._changed:
            unfinished = tuple(self._open)
        for pending in unfinished:
            pending.future.cancel()
        self._close()

    def _close(self) -> None:
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        self._has_ended.set()
        self._watcher.join()
        with self._changed:
            if self._is_closed:
                return  # by `stop`, before the block was left
            self._is_closed = True
        leave_orphans()
        shutil.rmtree(self._scratch, ignore_errors=True)
        remove_dead_sockets()

    def _ended(self, pending: _PendingTask) -> None:
        """A future is never told that it runs, so that it can be cancelled until its answer is there."""
        with self._changed:
            self._open.discard(pending)
            if pending.future.cancelled() and pending.worker:
                self._kill(pending.worker)

    def _keep_working(self) -> None:
        worker: _Worker | None = None
        while pending := self._next():
            worker = self._worked(pending, worker)
        if worker:
            self._end(worker)

    def _watch(self) -> None:
        """Kill each worker that takes longer, or has written more, than it may."""
        while not self._has_ended.wait(WATCH_S):
            with self._changed:
                at_work = [each for each in self._open if each.worker]
            for pending in at_work:
                limit, worker, folder = pending.limit, pending.worker, pending.folder
                is_late = limit is not None and limit.is_over()
                has_filled = bool(folder and worker and is_too_much(folder, worker.pid))
                if not (is_late or has_filled):
                    continue
                with self._changed:  # else it might be at another task already
                    is_same = worker is not None and pending.worker is worker and pending.limit is limit
                    if is_same and worker:
                        pending.is_late, pending.has_filled = is_late, has_filled
                        worker.kill()
                if is_same and worker:
                    self._kill(worker)

    def _kill(self, child: Child) -> None:
        """Kill a worker and what it left behind, which holds the pipe that is read from else."""
        child.kill()
        child.wait(_END_S)
        end_orphans()

    def _end(self, worker: _Worker) -> None:
        """End a worker, and what it left behind."""
        worker.child.end(_END_S)
        end_orphans()

    def _next(self) -> _PendingTask | None:
        """Wait for the next task; None where there will be none."""
        with self._changed:
            while not self._waiting:
                if self._is_closing:
                    return None
                self._changed.wait()
            return self._waiting.popleft()

    def _worked(self, pending: _PendingTask, worker: _Worker | None) -> _Worker | None:
        """Have a task done and its future completed; returns the worker, which may be another one."""
        value: object = None
        error: SourceError | None = None
        try:
            if pending.task.converts:
                value = self._converted(pending)
            else:
                worker = self._fit(worker)
                value = self._value(pending, worker)
        except _LiedBeforeError:
            return self._worked(pending, worker)
        except SourceError as problem:
            error = problem
        except OSError as problem:
            error = SourceError(f"No process can be started: {problem.strerror}.", "Close other programs.")
        except Exception as fault:  # noqa: BLE001 - the task boundary: a thread that died would leave its task waiting
            _LOG.error("the pool met a fault of this program: %s", fault_told(fault))
            error = ReaderDiedError(f"Reading met a fault of BriefBank itself ({type(fault).__name__}).", _TELL)
        if pending.future.set_running_or_notify_cancel():
            pending.future.set_exception(error) if error else pending.future.set_result(value)
        return worker

    def _fit(self, worker: _Worker | None) -> _Worker:
        """Return the worker, or a new one if it has done its number of tasks or is gone."""
        if worker and worker.is_fit:
            return worker
        if worker:
            self._end(worker)
        return self._new_worker(self._scratch, "reads")

    def _new_worker(self, folder: Path, kind: str) -> _Worker:
        child = Child(self._module, str(folder), str(self._memory_bytes), kind)
        return _Worker(child)

    def _converted(self, pending: _PendingTask) -> object:
        """The value of a task that converts, done by a worker that sees one file and whose folder goes with it."""
        folder = Path(tempfile.mkdtemp(dir=self._scratch))
        worker = self._new_worker(folder, "converts")
        pending.folder = folder
        try:
            return self._value(pending, worker)
        finally:
            self._end(worker)
            shutil.rmtree(folder, ignore_errors=True)

    def _value(self, pending: _PendingTask, worker: _Worker) -> object:
        with self._changed:
            if not pending.future.cancelled():
                pending.worker = worker.child
        try:
            return worker.value(pending) if pending.worker else None
        finally:
            with self._changed:
                pending.worker = None


class _LiedBeforeError(Exception):
    """The worker sent what it may not, perhaps over a file that it read earlier: another worker does the task."""


class _Worker:
    """One worker process, used by one thread."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self._messages = child.messages()
        self._tasks = 0

    @property
    def is_fit(self) -> bool:
        """Whether it may take another task."""
        return self._tasks < _TASKS_PER_WORKER and self.child.is_running and not self.child.was_killed

    def value(self, pending: _PendingTask) -> object:
        """Have a task done and return its value, or raise why there is none."""
        self._tasks += 1
        pending.limit = Limit(self.child.pid, pending.timeout_s)
        self.child.ask(Call(declared(type(pending.task)), pending.task))
        result = None
        for each in islice(self._messages, _MOST_MESSAGES):
            if isinstance(each, CallResult):
                result = each
                break
            allowed_s = pending.on_step(each.value) if pending.on_step else pending.timeout_s
            pending.limit = Limit(self.child.pid, allowed_s)
        pending.limit = None
        if result is None:
            self.child.end(_END_S)
            raise self._death(pending)
        error = result.error
        if error is not None:  # what a worker says of the run itself is not believed
            raise error if isinstance(error, SourceError) else SourceError(error.message, error.advice)
        return result.value

    def _death(self, pending: _PendingTask) -> SourceError | _LiedBeforeError:
        if pending.has_filled:
            message = "Converting the file filled the disk beyond what it may, and was stopped."
            return TooLargeError(message, "Save the file as PDF or DOCX in the program that wrote it.")
        if pending.is_late:
            return TooSlowError("Reading was stopped at its time limit.", "Split the file, or raise read_timeout_s.")
        if refused := self.child.refused:
            message = f"The reader could not be told of the file: {refused.strerror}."
            return ReaderKilledError(message, "Run the same command again; the file is read then.")
        if self.child.has_lied:
            if self._tasks > 1:
                return _LiedBeforeError()
            advice = "Do not open it; have IT staff look at where the file comes from."
            return ReaderDiedError("The process that read the file broke its bounds and was ended.", advice)
        if self.child.was_killed_by_system:
            advice = "Close other programs and run again, or set fewer workers: memory was short, most likely."
            return ReaderKilledError("The system ended the process that read the file.", advice)
        advice = "The file may be damaged: save it again from its program."
        return ReaderDiedError("The process that read the file died.", advice)


def work(tasks: Table) -> NoReturn:
    """Serve as a worker for these tasks until the pool ends this process."""
    die_with_parent()
    scratch, memory_bytes, kind = sys.argv[1:]
    if kind == "converts":  # others start no process
        go_on_below_a_reaper()
    # With one thread confining holds for all of it, and programs can be started safely between two lines of Python.
    parent = ParentLink(tasks, is_listening=sys.platform != "linux")
    confine(Path(scratch), int(memory_bytes), converts=kind == "converts")
    while True:
        if call := parent.next():
            call.answer(lambda call: call.run(None), _named)


def _named(fault: Exception) -> BriefBankError:
    """Turn what a task raised into an error for people."""
    if isinstance(fault, MemoryError):
        message = "The file needs more memory than reading may take."
        return TooLargeError(message, "Split the file, or raise read_memory_bytes.")
    if isinstance(fault, OSError):
        advice = "Check that the share is connected and that you may read the file."
        return SourceError(f"The file cannot be read: {fault.strerror or type(fault).__name__}.", advice)
    return ReaderDiedError(f"Reading met a fault of BriefBank itself ({type(fault).__name__}).", _TELL)
