"""Worker processes that may hang, swell or die over a hostile file without taking the run with them.

Knows nothing of what the workers do. Failures come out of the future as a SourceError; the pool goes on.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from multiprocessing import get_context
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Self, TypeVar

from pebble import ProcessExpired, ProcessPool

from briefbank.errors import BriefBankError, ReaderDiedError, SourceError, TooLargeError, TooSlowError
from briefbank.ingest.children import die_with_parent
from briefbank.platform.confine import confine, remove_dead_sockets
from briefbank.platform.settings import Settings, worker_count

_LOG = logging.getLogger(__name__)
_TASKS_PER_WORKER = 500
"""Tasks after which a worker is replaced, so that what a parser leaks stays small."""

T = TypeVar("T")


class GuardedPool:
    """As many workers as cores (or `settings.workers`), each confined to a folder of its own below `scratch`, with a
    memory limit; use as a context manager. `scratch` is emptied first and removed in the end.

    Leaving the block normally waits for what was submitted; leaving it by an exception, or `stop`, kills the workers
    and what they started. The thread that submits first must live as long as the pool: the workers end with it. Workers
    ignore Ctrl-C, so that the parent decides what becomes of their work.
    """

    def __init__(self, settings: Settings, scratch: Path | None = None) -> None:
        self._settings = settings
        self._scratch = scratch or Path(tempfile.mkdtemp(prefix="briefbank-"))
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._scratch.mkdir(mode=0o700)
        self._pool = self._new_pool()
        self._open: set[Future[Any]] = set()
        self._lock = Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._pool.close()
            self._pool.join()
            self._clear()
        else:
            self.stop()

    def submit(self, function: Callable[..., T], *args: object, timeout_s: float) -> Future[T]:
        """Run a module-level function in a worker; cancelling the future kills the worker that runs it.

        The future raises the BriefBankError that the function raised, or
            SourceError: it raised an OSError.
            TooSlowError: it ran longer than `timeout_s`, counted from its start, not from this call.
            TooLargeError: it needed more memory than a worker may take.
            ReaderDiedError: its process died, or it raised anything else; one file must not end the run.
        """
        inner = self._schedule(function, args, timeout_s)
        outer: Future[T] = Future()
        with self._lock:
            self._open.add(outer)
        outer.add_done_callback(lambda _: self._close(outer, inner))
        inner.add_done_callback(lambda _: _hand_over(inner, outer))
        return outer

    def stop(self) -> None:
        """Kill the workers, what they run and what they started; what was not finished is cancelled."""
        with self._lock:
            unfinished = tuple(self._open)
        for future in unfinished:  # first, so that a killed worker is not taken for one that died
            future.cancel()
        self._pool.stop()
        self._pool.join()
        self._clear()

    def _clear(self) -> None:
        shutil.rmtree(self._scratch, ignore_errors=True)
        remove_dead_sockets()

    def _new_pool(self) -> ProcessPool:
        return ProcessPool(
            max_workers=worker_count(self._settings),
            max_tasks=_TASKS_PER_WORKER,
            initializer=_prepare_worker,
            initargs=(self._scratch, self._settings.read_memory_bytes),
            context=get_context("spawn"),
        )

    def _schedule(self, function: Callable[..., T], args: tuple[object, ...], timeout_s: float) -> Future[T]:
        task = (function, *args)
        try:
            return self._pool.schedule(_call, args=task, timeout=timeout_s)
        except RuntimeError:
            # pebble gives a pool up when a worker dies between two tasks.
            _LOG.warning("worker pool broke down and is started again")
            self._pool.stop()
            self._pool.join()
            self._pool = self._new_pool()
            return self._pool.schedule(_call, args=task, timeout=timeout_s)

    def _close(self, outer: Future[T], inner: Future[T]) -> None:
        with self._lock:
            self._open.discard(outer)
        if outer.cancelled():
            inner.cancel()


def _hand_over(inner: Future[T], outer: Future[T]) -> None:
    if not outer.set_running_or_notify_cancel():
        return
    try:
        error = inner.exception()
    except CancelledError as cancelled:
        error = cancelled
    if error is None:
        outer.set_result(inner.result())
    else:
        outer.set_exception(_named(error))


def _named(error: BaseException) -> BaseException:
    """The error as the rest of the program knows it."""
    named: SourceError
    if isinstance(error, TimeoutError):
        named = TooSlowError("Reading was stopped at its time limit.", "Split the file, or raise read_timeout_s.")
    elif isinstance(error, ProcessExpired):
        named = ReaderDiedError(
            "The process that read the file died.", "The file may be damaged: save it again from its program."
        )
    elif isinstance(error, CancelledError):
        named = SourceError("Reading was interrupted.", "Run the same command again; the file is read then.")
    elif isinstance(error, OSError):
        advice = "Check that the share is connected and that you may read the file."
        named = SourceError(f"The file cannot be read: {error.strerror or type(error).__name__}.", advice)
    elif isinstance(error, BriefBankError):
        return error
    else:
        _LOG.error("reading met a fault of this program: %s", type(error).__name__)
        advice = "Save the file again as PDF and index that; tell whoever looks after BriefBank."
        named = ReaderDiedError(f"Reading met a fault of BriefBank itself ({type(error).__name__}).", advice)
    named.__cause__ = error
    return named


def _call(function: Callable[..., T], *args: object) -> T:
    """Run a task in the worker; a MemoryError is named here, where its memory is free again."""
    try:
        return function(*args)
    except MemoryError:
        raise TooLargeError(
            "The file needs more memory than reading may take.", "Split the file, or raise read_memory_bytes."
        ) from None


def _prepare_worker(scratch: Path, memory_bytes: int) -> None:
    die_with_parent()
    confine(Path(tempfile.mkdtemp(dir=scratch)), memory_bytes, converts=True)
