"""The machine that publishes: it has the cluster read files, and takes what comes back into the bank's cache, so that
the run goes on as if it had read them itself.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from briefbank.errors import (
    BriefBankError,
    ChangingFileError,
    EngineDiedError,
    ReaderKilledError,
    SourceError,
    fault_told,
)
from briefbank.ingest.cluster.machines import Worker, connection, gone_error, require_address, workers
from briefbank.ingest.cluster.reading import ListedFile, RemoteRead, setup_for
from briefbank.ingest.discover import SourceFile
from briefbank.ingest.intake import FileResult, require_unchanged
from briefbank.ingest.meter import Meter
from briefbank.ingest.process import FileProcessor
from briefbank.platform.processes.calls import WireError, error_of

if TYPE_CHECKING:
    from distributed import Client, Future, Security

PATIENCE_S = 600.0
"""How long a run waits for a machine that can take part. Chosen: a machine restarts in this time."""
_AHEAD = 2
"""Files that are given out for each worker, so that none waits for this machine."""
_RETRIES = 2
"""How often a file is given out again where a task fails; each of them has waited for the folder of briefs."""
_POLL_S = 0.05
_LOOK_S = 1.0
"""How often the scheduler is asked who is there."""

_log = logging.getLogger(__name__)


class Cluster:
    """Has files read by a cluster; given to `Bank.index`. `warn` is told of machines that may not take part."""

    def __init__(
        self, address: str, own: Security, *, warn: Callable[[str], None], patience_s: float = PATIENCE_S
    ) -> None:
        """Connect to nothing yet.

        Raises:
            UsageError: the address is none, or not encrypted.
        """
        self.address = require_address(address)
        self.own = own
        self.warn = warn
        self.patience_s = patience_s

    def process(
        self,
        files: FileProcessor,
        folder: Path,
        batches: Iterable[Iterable[SourceFile]],
        *,
        is_known: Callable[[str], bool],
        meter: Meter,
    ) -> Generator[FileResult]:
        """As `FileProcessor.process`; files that do not lie below `folder` are read by this machine.

        Raises:
            CancelledError: asked to stop; the machines finish the files that they are at.
            EngineDiedError: the scheduler went away, or no machine came that can take part.
            UsageError: the scheduler does not accept this machine's certificate, or this machine not its.
        """
        with connection(self.address, self.own) as client:
            run = _Run(self, client, files, folder, is_known)
            for batch in batches:
                elsewhere: list[SourceFile] = []
                here: list[SourceFile] = []
                for file in batch:
                    (elsewhere if file.folder == folder and file.path.is_relative_to(folder) else here).append(file)
                yield from run.results(elsewhere)
                if here:
                    on_page = meter.page
                    yield from files.process([here], is_known=is_known, on_began=meter.began, on_ocr_page=on_page)


@dataclass(slots=True)
class _Task:
    """A file that was given out, or a worker that was asked to join. `is_alone` where no other file is given out."""

    future: Future
    file: SourceFile | None = None
    worker: str = ""
    is_alone: bool = False


class _Run:
    """One index run."""

    def __init__(
        self, cluster: Cluster, client: Client, files: FileProcessor, folder: Path, is_known: Callable[[str], bool]
    ) -> None:
        from distributed import as_completed

        from briefbank.ingest.cluster.servers import join, read_file

        self._join, self._read_file = join, read_file
        self._cluster, self._client = cluster, client
        self._files, self._folder, self._is_known = files, folder, is_known
        self._name = secrets.token_hex(8)
        self._setup = setup_for(files)
        self._known = b"".join(bytes.fromhex(each) for each in files.documents.digests() if is_known(each))
        self._completed = as_completed(loop=client.loop, with_results=True, raise_errors=False)
        self._tasks: dict[str, _Task] = {}
        self._task_count = 0
        self._waiting: deque[SourceFile] = deque()
        self._suspects: deque[SourceFile] = deque()
        """Over which workers died, perhaps for another file that they had: each is read alone, last."""
        self._there: dict[str, Worker] = {}
        self._fit: set[str] = set()
        """Hosts of machines that may take part; their worker processes come and go."""
        self._missing_since = time.monotonic()
        self._look_at = 0.0
        self._warned: set[str] = set()

    def results(self, files: list[SourceFile]) -> Iterator[FileResult]:
        """Yield what became of each file, as it comes; those that take longest are given out first."""
        self._waiting.extend(sorted(files, key=lambda file: (-file.size_bytes, str(file.path))))
        while self._waiting or self._suspects or self._given_out:
            self._files.cancel.check()
            self._look()
            self._give_out()
            completed = self._completed.next_batch(block=False)
            for future, result in completed:
                if task := self._tasks.pop(future.key, None):
                    yield from self._ended(task, future.status, result)
            if not completed:
                self._files.cancel.wait(_POLL_S)

    @property
    def _given_out(self) -> int:
        return sum(each.file is not None for each in self._tasks.values())

    @property
    def _ready(self) -> int:
        """Workers that may take part and are there."""
        return sum(each.host in self._fit for each in self._there.values())

    def _look(self) -> None:
        """See who is there, and ask who is new to join."""
        if time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + _LOOK_S
        if self._client.status != "running":
            raise gone_error()
        before, self._there = self._there, workers(self._client)
        for key in [key for key, each in self._tasks.items() if each.worker in before.keys() - self._there.keys()]:
            self._tasks.pop(key).future.cancel()
        for address in self._there.keys() - before.keys():
            self._submit(self._join, self._setup, self._known, workers=[address]).worker = address
        if self._ready:
            self._missing_since = time.monotonic()
        elif time.monotonic() - self._missing_since > self._cluster.patience_s:
            message = f"No machine of the cluster at {self._cluster.address} can take part."
            raise EngineDiedError(message, "Start one with `briefbank cluster worker`, or look at what they say.")

    def _give_out(self) -> None:
        while self._waiting and self._given_out < _AHEAD * self._ready:
            self._read(self._waiting.popleft())
        if self._suspects and not self._waiting and not self._given_out and self._ready:
            self._read(self._suspects.popleft()).is_alone = True

    def _read(self, file: SourceFile) -> _Task:
        listed = ListedFile(str(PurePosixPath(*file.path.relative_to(self._folder).parts)), file.size_bytes)
        task = self._submit(self._read_file, self._setup, listed, workers=sorted(self._fit))
        task.file = file
        return task

    def _submit(self, function: Callable[..., Any], *arguments: object, workers: list[str]) -> _Task:
        self._task_count += 1
        key = f"briefbank-{self._name}-{self._task_count}"
        future = self._client.submit(function, *arguments, key=key, workers=workers, retries=_RETRIES, pure=False)
        self._completed.add(future)
        self._tasks[key] = task = _Task(future)
        return task

    def _ended(self, task: _Task, status: str, result: Any) -> Iterator[FileResult]:
        """Take in how a task ended; yields what became of its file, where that is known."""
        from distributed import KilledWorker

        if status == "cancelled":
            raise gone_error()
        fault = result[1] if status == "error" else None
        if task.file is None:
            self._joined(self._there.get(task.worker), f"it failed: {fault_told(fault)}" if fault else result)
        elif fault is None:
            yield self._taken(task.file, result)
        elif not isinstance(fault, KilledWorker):
            _log.error("a machine of the cluster failed at a file: %s", fault_told(fault))
            message = "A machine of the cluster failed at this file, or does not reach the folder of briefs."
            yield FileResult(task.file, error=SourceError(message, "The next run tries again."))
        elif not task.is_alone:
            self._suspects.append(task.file)
        else:
            message = "Machines of the cluster died again and again while they read this file."
            advice = "The next run tries again; where it comes back, have IT look at the machines' memory."
            yield FileResult(task.file, error=ReaderKilledError(message, advice))

    def _joined(self, worker: Worker | None, differs: str) -> None:
        if worker is None:
            return
        if not differs:
            self._fit.add(worker.host)
        elif worker.machine not in self._warned:
            self._warned.add(worker.machine)
            self._cluster.warn(
                f"{worker.machine} takes no part, for it would read otherwise than this machine. "
                f"What differs: {differs}."
            )

    def _taken(self, file: SourceFile, read: RemoteRead) -> FileResult:
        """Take what was read into the cache, and return what became of the file."""
        self._files.cache.take(read.items, read.vectors)
        try:
            require_unchanged(file)
        except ChangingFileError as changed:
            return FileResult(file, error=changed)
        error = _error(read)
        if isinstance(error, ChangingFileError):  # there it looks otherwise, here it has not changed
            message = "A machine of the cluster found this file missing or changed; this machine sees it as it was."
            advice = "See that all machines have the same folder under --folder; the next run reads it."
            error = SourceError(message, advice)
        if error is None and read.sha256 and not read.is_new and not self._is_known(read.sha256):
            error = SourceError("What was known of this file was lost meanwhile.", "The next run reads it.")
        return FileResult(file, read.sha256, error=error, is_new=read.is_new and error is None, pages=read.pages)


def _error(read: RemoteRead) -> BriefBankError | None:
    if read.error is None:
        return None
    try:
        return error_of(read.error)
    except WireError:
        return SourceError("A machine of the cluster failed at this file.", "The next run tries again.")
