"""What is done to the text of documents in guarded workers, since a hostile text may keep a pattern busy for ever.

Must not know what an index run does with the results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import wait
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from briefbank.index.notes import DocumentNotes
from briefbank.ingest.pieces import Piece
from briefbank.ingest.worker import WORKER, Annotate, Cut
from briefbank.law.citations import PatternSet
from briefbank.platform.processes.calls import Task
from briefbank.platform.processes.pool import GuardedPool
from briefbank.platform.progress import POLL_S, CancelToken
from briefbank.platform.settings import Settings
from briefbank.values.records import Passage, StructuredDocument

A = TypeVar("A")


class TextWorkers:
    """Cuts and annotates texts in the workers that also read files, and waits for them."""

    def __init__(self, settings: Settings, scratch: Path, cancel: CancelToken) -> None:
        """Start nothing yet; `scratch` is emptied by `at_work`."""
        self._settings = settings
        self._scratch = scratch
        self._cancel = cancel
        self._pool: GuardedPool | None = None

    @contextmanager
    def at_work(self) -> Iterator[GuardedPool]:
        """Yield the pool while the block lasts, within another such block that one's pool. Outside of both no text is
        worked on: it would have no guard.
        """
        if self._pool is not None:
            yield self._pool
            return
        with GuardedPool(WORKER, self._settings, self._scratch) as pool:
            self._pool = pool
            try:
                yield pool
            finally:
                self._pool = None

    def cut(self, document: StructuredDocument, most: int) -> tuple[tuple[Piece, ...], ...]:
        """The pieces of each section, of at most `most` words, see `pieces.document_pieces`.

        Raises:
            CancelledError: asked to stop.
            SourceError: as `GuardedPool.submit`.
        """
        return self._done(Cut(document.text, document.blocks, document.sections, most))

    def annotate(self, passages: Sequence[Passage], patterns: PatternSet) -> DocumentNotes:
        """See `annotate.annotate`; without the places of words, which it does not read. Raises as `cut`."""
        return DocumentNotes(*self._done(Annotate(_bare(passages), patterns.patterns)))

    def _done(self, task: Task[A]) -> A:
        if self._pool is None:
            raise RuntimeError("no workers are at work")
        future = self._pool.submit(task, timeout_s=self._settings.read_timeout_s, is_waited_for=True)
        while not future.done():
            self._cancel.check()
            wait([future], timeout=POLL_S)
        return future.result()


def _bare(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    return tuple(replace(passage, boxes=()) for passage in passages)
