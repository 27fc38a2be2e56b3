"""Reads a file that is in no bank as briefs are read, in confined workers, into memory alone: nothing is kept, indexed
or logged. Must not know what the text is wanted for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import msgspec

from briefbank.errors import SourceError
from briefbank.index.notes import DocumentNotes
from briefbank.ingest.beneath import SourcePlace
from briefbank.ingest.pieces import Piece
from briefbank.ingest.worker import WORKER, Annotate, Cite, Convert, Cut, Digest, Parse, Structure
from briefbank.law.citations import DocumentCitations, PatternSet, ShortForm
from briefbank.platform.processes.calls import Task
from briefbank.platform.processes.pool import GuardedPool
from briefbank.platform.progress import POLL_S, CancelToken
from briefbank.platform.settings import Settings
from briefbank.values.records import Passage, StructuredDocument

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class FileText:
    """A file as it was read; `unread_pages` are those without text, as scans are."""

    sha256: str
    document: StructuredDocument
    unread_pages: tuple[int, ...] = ()


class FileReader:
    """Reads files and works on their texts in confined workers; made by `file_reader`.

    Its methods raise SourceError where a file or its text cannot be read, and CancelledError when asked to stop.
    """

    def __init__(self, pool: GuardedPool, settings: Settings, cancel: CancelToken) -> None:
        self._pool, self._settings, self._cancel = pool, settings, cancel

    def read(self, path: Path) -> FileText:
        """Read a file of any kind that is indexed. One that is a scan throughout is refused: nothing here reads it."""
        if not path.is_file():
            raise SourceError(f"There is no file {path}.", "Name a Word, PDF, RTF or text file.")
        place = SourcePlace(path.resolve().parent, path.resolve())
        digest = self._done(Digest(place))
        parsed = self._done(Parse(place, self._settings))
        unread = parsed.reading.pages_to_ocr if parsed.reading else ()
        if parsed.reading and len(unread) == len(parsed.reading.pages):
            advice = "Save it from the program that it was written in, or have its scan read first."
            raise SourceError(f"{path.name} has no page with text.", advice)
        if parsed.reading:
            document = self._done(Structure(replace(parsed.reading, pages_to_ocr=())))
        else:
            document = parsed.document or self._done(Convert(place, self._settings))
        return FileText(digest, document, unread)

    def cut(self, document: StructuredDocument, most_words: int) -> tuple[tuple[Piece, ...], ...]:
        """See `pieces.document_pieces`."""
        return self._done(Cut(document.text, document.blocks, document.sections, most_words))

    def annotate(self, passages: Sequence[Passage], patterns: PatternSet) -> DocumentNotes:
        """See `annotate.annotate`; without the places of words, which it does not read."""
        bare = tuple(replace(passage, boxes=()) for passage in passages)
        return DocumentNotes(*self._done(Annotate(bare, patterns.patterns)))

    def cite(
        self, passages: Sequence[Passage], patterns: PatternSet
    ) -> tuple[DocumentCitations, tuple[tuple[ShortForm, ...], ...]]:
        """What passages cite, and for each of them the short citations of cases."""
        return self._done(Cite(tuple(passages), patterns.patterns))

    def _done(self, task: Task[A]) -> A:
        future = self._pool.submit(task, timeout_s=self._settings.read_timeout_s, is_waited_for=True)
        while not future.done():
            self._cancel.check()
            wait([future], timeout=POLL_S)
        return future.result()


@contextmanager
def file_reader(settings: Settings, cancel: CancelToken) -> Iterator[FileReader]:
    """Yield what reads files, its worker at hand while the block lasts: one, for it is given one thing at a time."""
    with GuardedPool(WORKER, msgspec.structs.replace(settings, workers=1)) as pool:
        yield FileReader(pool, settings, cancel)
