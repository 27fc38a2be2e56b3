"""Confined workers for what is waited for: texts annotated once more, and files that are in no bank read into memory.

A hostile text may keep a pattern busy for ever, so no text is worked on elsewhere. Must not know what becomes of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from briefbank.errors import OcrMissingError, SourceError
from briefbank.index.notes import DocumentNotes
from briefbank.ingest.beneath import SourcePlace
from briefbank.ingest.discover import SourceFile, Unlisted, discover
from briefbank.ingest.documents import DOCUMENT_ID_LENGTH
from briefbank.ingest.parse import FileRead, How, Scans, Step, Waits, seconds_after
from briefbank.ingest.readers import readable_suffixes, refusal
from briefbank.ingest.segment import segment
from briefbank.ingest.segment.by_model import ModelCutter
from briefbank.ingest.worker import WORKER, Annotate, Cite, Convert, Digest, ReadFile
from briefbank.law.citations import DocumentCitations, PatternSet, ShortForm
from briefbank.models.encoders.port import Encoder
from briefbank.platform.processes.calls import Task
from briefbank.platform.processes.pool import GuardedPool
from briefbank.platform.progress import POLL_S, CancelToken, Progress, Reporter
from briefbank.platform.settings import Settings, worker_count
from briefbank.values.records import Passage

A = TypeVar("A")


class TextWorkers:
    """The workers that read files, and that annotate texts which were read before."""

    def __init__(self, settings: Settings, scratch: Path, cancel: CancelToken) -> None:
        """Start nothing yet; `scratch` is emptied by `at_work`."""
        self._settings, self._scratch, self._cancel = settings, scratch, cancel
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

    def annotated(
        self, documents: Iterable[tuple[str, Sequence[Passage]]], patterns: PatternSet
    ) -> Iterator[tuple[str, DocumentNotes | SourceError]]:
        """The notes of each document by its name, or why there are none; as many at a time as there are workers. One
        whose worker was stopped or died is tried again, alone, when the others are done.

        Raises:
            CancelledError: asked to stop.
        """
        waiting = iter(documents)
        running: dict[Future[DocumentNotes], tuple[str, Sequence[Passage]]] = {}
        again: list[tuple[str, Sequence[Passage]]] = []
        with self.at_work() as pool:
            while True:
                self._cancel.check()
                while len(running) < 2 * worker_count(self._settings) and (each := next(waiting, None)):
                    task = Annotate(_bare(each[1]), patterns.patterns)
                    running[pool.submit(task, timeout_s=self._settings.read_timeout_s)] = each
                if not running:
                    break
                for future in wait(running, timeout=POLL_S, return_when=FIRST_COMPLETED).done:
                    name, passages = running.pop(future)
                    try:
                        yield name, future.result()
                    except SourceError:
                        again.append((name, passages))
            for name, passages in again:
                try:
                    yield name, self.annotate(passages, patterns)
                except SourceError as error:
                    yield name, error

    def annotate(self, passages: Sequence[Passage], patterns: PatternSet) -> DocumentNotes:
        """See `annotate.annotate`.

        Raises:
            CancelledError: asked to stop.
            SourceError: as `GuardedPool.submit`.
        """
        if self._pool is None:
            raise RuntimeError("no workers are at work")
        return _annotated(self._pool, passages, patterns, self._settings, self._cancel)


class FileReader:
    """Reads files that are in no bank into memory alone: nothing is kept, indexed or logged. Made by `file_reader`.

    Its methods raise SourceError where a file or its text cannot be read, and CancelledError when asked to stop.
    """

    def __init__(self, pool: GuardedPool, settings: Settings, cancel: CancelToken) -> None:
        self._pool, self._settings, self._cancel = pool, settings, cancel

    def read(self, path: Path) -> tuple[str, FileRead]:
        """The digest and the document of a file of any kind that is indexed, pages without text left out. One that is a
        scan throughout is refused: nothing here reads it.
        """
        return self._read(path, How(self._settings, is_cut=False))

    def read_passages(self, path: Path, encoder: Encoder, patterns: PatternSet) -> tuple[str, FileRead]:
        """The same, cut into passages with that encoder's words, and annotated."""
        encoder.word_table(self._pool.folder).write(self._pool.folder)
        digest, read = self._read(path, How(self._settings, patterns=patterns.patterns, words=self._pool.folder))

        def annotate(passages: Sequence[Passage]) -> DocumentNotes:
            return _annotated(self._pool, passages, patterns, self._settings, self._cancel)

        return digest, cut_here(read, encoder, digest, annotate)

    def cite(
        self, passages: Sequence[Passage], patterns: PatternSet
    ) -> tuple[DocumentCitations, tuple[tuple[ShortForm, ...], ...]]:
        """What passages cite, and for each of them the short citations of cases."""
        return self._done(Cite(tuple(passages), patterns.patterns))

    def _read(self, path: Path, how: How) -> tuple[str, FileRead]:
        if not path.is_file():
            raise SourceError(f"There is no file {path}.", "Name a Word, PDF, RTF or text file.")
        place = SourcePlace(path.resolve().parent, path.resolve())
        digest = self._done(Digest(place))
        how = replace(how, document_id=digest[:DOCUMENT_ID_LENGTH], sha256=digest)
        read = self._done(ReadFile(place, how))
        if isinstance(read, Waits):
            read = self._done(Convert(place, how))
        assert isinstance(read, FileRead)  # noqa: S101  # a converter waits for nothing
        return digest, read

    def _done(self, task: Task[A]) -> A:
        return _done(self._pool, task, self._settings, self._cancel)


@contextmanager
def file_reader(settings: Settings, cancel: CancelToken) -> Iterator[FileReader]:
    """Yield what reads files, its worker at hand while the block lasts: one, for it is given one thing at a time."""
    with GuardedPool(WORKER, msgspec.structs.replace(settings, workers=1)) as pool:
        yield FileReader(pool, settings, cancel)


def read_record(
    folder: Path, settings: Settings, reporter: Reporter, cancel: CancelToken
) -> Iterator[tuple[Path, FileRead | SourceError]]:
    """Read all files of a folder as the record of a case, scans too, as many at a time as there are workers: each as it
    is done, by its absolute path, or why it cannot be read. Nothing is kept, indexed or logged.

    Raises:
        SourceError: the folder is missing or cannot be read.
        CancelledError: asked to stop.
    """
    how = How(settings, _scans(settings), threads=worker_count(settings), is_of_record=True)
    places: list[tuple[SourcePlace, type[ReadFile]]] = []
    for found in discover(folder.absolute(), readable_suffixes()):  # those who read stand in another folder
        if isinstance(found, Unlisted):
            yield found.path, found.error
        elif isinstance(found, SourceFile) and (found.refusal or not found.supported):
            yield found.path, found.refusal or refusal(found.path)
        elif isinstance(found, SourceFile):
            places.append((found.place, ReadFile))
    pages: Counter[SourcePlace] = Counter()
    done, total = 0, len(places)

    def on_step(place: SourcePlace, step: Step) -> float:
        pages[place] = max(pages[place], step.number)
        return seconds_after(step, settings)

    with GuardedPool(WORKER, settings) as pool:
        running: dict[Future[FileRead | Waits], SourcePlace] = {}
        while places or running:
            cancel.check()
            for place, task in places:
                step = partial(on_step, place)
                running[pool.submit(task(place, how), timeout_s=settings.read_timeout_s, on_step=step)] = place
            places = []
            reporter(Progress("record", files_done=done, files_total=total, pages_done=pages.total()))
            for future in wait(running, timeout=POLL_S, return_when=FIRST_COMPLETED).done:
                place = running.pop(future)
                try:
                    read: FileRead | Waits | SourceError = future.result()
                except SourceError as error:
                    read = error
                if isinstance(read, Waits):
                    places.append((place, Convert))
                else:
                    done += 1
                    yield place.path, read


def _scans(settings: Settings) -> Scans:
    from briefbank.ingest.ocr.tesseract import probe

    try:
        probe(settings.ocr_language)
    except OcrMissingError:
        return Scans.LEAVE
    return Scans.RECOGNISE


def cut_here(
    read: FileRead,
    encoder: Encoder,
    sha256: str,
    annotate: Callable[[Sequence[Passage]], DocumentNotes],
    cutter: ModelCutter | None = None,
) -> FileRead:
    """The file with its passages and notes: those made by the worker, or, where a model has to be asked where passages
    end, by this process out of the pieces that the worker made.
    """
    if read.document is None:
        return read
    passages = segment(read.document, encoder, sha256[:DOCUMENT_ID_LENGTH], cutter, pieces=read.pieces)
    return replace(read, document=None, pieces=(), passages=tuple(passages), notes=annotate(passages))


def _annotated(
    pool: GuardedPool, passages: Sequence[Passage], patterns: PatternSet, settings: Settings, cancel: CancelToken
) -> DocumentNotes:
    return _done(pool, Annotate(_bare(passages), patterns.patterns), settings, cancel)


def _bare(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The passages without the places of their words, which annotating does not read."""
    return tuple(replace(passage, boxes=()) for passage in passages)


def _done(pool: GuardedPool, task: Task[A], settings: Settings, cancel: CancelToken) -> A:
    future = pool.submit(task, timeout_s=settings.read_timeout_s, is_waited_for=True)
    while not future.done():
        cancel.check()
        wait([future], timeout=POLL_S)
    return future.result()
