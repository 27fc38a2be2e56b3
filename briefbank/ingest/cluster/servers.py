"""Dask's scheduler and worker as a cluster of BriefBank runs them, and the two tasks that a worker does.

Imported only where Dask is set up already.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import distributed  # noqa: TID253 - this module is for its processes

from briefbank.ingest.cluster.reading import ListedFile, Reader, ReadingSetup, RemoteRead, UnfitError
from briefbank.platform.processes.this_process import keep_private


class Scheduler(distributed.Scheduler):  # type: ignore[misc]
    """A scheduler that serves nothing to browsers."""

    def start_http_server(self, *_: Any, **__: Any) -> None:
        return


class ReadingWorker(distributed.Worker):  # type: ignore[misc]
    """A worker that reads in one folder, whatever it is asked, and serves nothing to browsers."""

    def __init__(self, *arguments: Any, folder: str, **options: Any) -> None:
        keep_private()
        self.folder = Path(folder)
        self.reader: Reader | None = None
        super().__init__(*arguments, **options)

    def start_http_server(self, *_: Any, **__: Any) -> None:
        return

    def begin(self, setup: ReadingSetup, known: frozenset[str]) -> Reader:
        """Make ready to read so. Raises UnfitError."""
        if self.reader:
            self.reader.close()
            self.reader = None
        self.reader = Reader(self.folder, setup, known)
        return self.reader


def join(setup: ReadingSetup, known: bytes) -> str:
    """Make ready to read so; return in what this machine would read otherwise, or nothing. `known` are the SHA-256, one
    after the other, of contents that the bank has.
    """
    worker: ReadingWorker = distributed.get_worker()
    digests = frozenset(known[at : at + 32].hex() for at in range(0, len(known), 32))
    if worker.reader and worker.reader.setup == setup:
        worker.reader.known = digests
        return ""
    try:
        worker.begin(setup, digests)
    except UnfitError as error:
        return str(error)
    return ""


def read_file(setup: ReadingSetup, file: ListedFile) -> RemoteRead:
    """Read a file. Raises UnfitError where this machine would read otherwise, SourceError without the folder."""
    worker: ReadingWorker = distributed.get_worker()
    reader = worker.reader
    if reader is None or reader.setup != setup:
        reader = worker.begin(setup, frozenset())
    return reader.read(file)
