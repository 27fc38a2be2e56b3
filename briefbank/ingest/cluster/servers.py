"""Dask's scheduler and worker as a cluster of BriefBank runs them, and the two tasks that a worker does.

Imported only where Dask is set up already.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import distributed  # noqa: TID253 - this module is for its processes
from distributed.comm.registry import backends  # noqa: TID253
from distributed.comm.tcp import TLSBackend, TLSListener  # noqa: TID253

from briefbank.ingest.cluster.reading import ListedFile, Reader, ReadingSetup, RemoteRead, UnfitError
from briefbank.platform.processes.this_process import keep_private

_HANDSHAKE_S = 20.0
_MOST_HANDSHAKES = 200
"""Connections that may be without a verified certificate at one time; a process may have 1,024 files open."""


class GuardedListener(TLSListener):  # type: ignore[misc]
    """A listener that closes connections which do not prove themselves in time, the oldest first where there are too
    many: whoever has a certificate shows it at once, and gets in beside any number that show none.
    """

    async def start(self) -> None:
        """Listen."""
        await super().start()
        accepted, unproven = self.tcp_server.handle_stream, dict[Any, None]()

        async def handle_stream(stream: Any, address: Any) -> None:
            unproven[stream] = None
            if len(unproven) > _MOST_HANDSHAKES:
                next(each for each in unproven if not each.closed()).close()
            try:
                await asyncio.wait_for(stream.wait_for_handshake(), _HANDSHAKE_S)
            except (OSError, TimeoutError):
                stream.close()
                return
            finally:
                del unproven[stream]
            await accepted(stream, address)

        self.tcp_server.handle_stream = handle_stream


class GuardedBackend(TLSBackend):  # type: ignore[misc]
    """Dask's encrypted connections, with listeners that are guarded."""

    def get_listener(self, loc: str, handle_incoming: Any, deserialize: bool, **connection_args: Any) -> TLSListener:  # noqa: FBT001
        """A listener at an address of this machine."""
        return GuardedListener(loc, handle_incoming, deserialize, **connection_args)


backends["tls"] = GuardedBackend()


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
