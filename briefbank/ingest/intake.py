"""Runs files through the guarded workers: digest, parse, OCR page by page, structure.

A file that was changed a moment ago may still be being copied, and a share does not say so: it is read once its size
and time have stayed the same for `settle_s` seconds.

Must not know what becomes of the documents.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from briefbank.errors import (
    BriefBankError,
    ChangingFileError,
    EmptyFileError,
    OcrMissingError,
    SourceError,
    TooSlowError,
)
from briefbank.ingest.cache import Cache
from briefbank.ingest.discover import SourceFile
from briefbank.ingest.parse import with_ocr
from briefbank.ingest.scans import Scans
from briefbank.ingest.worker import Convert, Digest, Parse, Parsed, Structure
from briefbank.platform.progress import POLL_S, CancelToken
from briefbank.platform.settings import Settings, worker_count
from briefbank.platform.windows.names import openable
from briefbank.values.records import Page, Reading, StructuredDocument

if TYPE_CHECKING:
    from briefbank.platform.processes.calls import Task
    from briefbank.platform.processes.pool import GuardedPool

_NANOSECONDS = 1e9
_GAVE_UP = "OCR gave up on pages "

A = TypeVar("A")


def require_unchanged(file: SourceFile) -> None:
    """Check that a file is as it was listed.

    Raises:
        ChangingFileError: it is not, or not there any more.
    """
    try:
        now = openable(file.path).stat()
    except OSError as error:
        advice = "If it was moved, it is read at its new place by the next run."
        raise ChangingFileError("The file went away while the folder was being read.", advice) from error
    if (now.st_size, now.st_mtime_ns) != (file.size_bytes, file.mtime_ns):
        advice = "It is probably still being copied; the next run reads it."
        raise ChangingFileError("The file changed while it was being read.", advice)


def split_young(
    files: Sequence[SourceFile], settle_s: float, listed_at: float
) -> tuple[list[SourceFile], list[SourceFile]]:
    """Return the files that may be read at once, and those changed less than `settle_s` seconds before the folder was
    listed, by the clock of whoever wrote them. `listed_at` is when the listing began (of `time.time`): a walk may take
    minutes, and of the time since a file was looked at nothing is known.
    """
    youngest_ns = (listed_at - settle_s) * _NANOSECONDS
    ready = [file for file in files if file.mtime_ns < youngest_ns or not settle_s]
    return ready, [file for file in files if settle_s and file.mtime_ns >= youngest_ns]


def settled(
    young: Iterable[SourceFile],
    until: float,
    cancel: CancelToken,
    on_unsettled: Callable[[SourceFile, ChangingFileError], None],
) -> Iterator[SourceFile]:
    """Wait until the moment `until` (of `time.monotonic`), then yield the files that stayed as they were listed."""
    for file in young:
        cancel.wait(max(0.0, until - time.monotonic()))
        cancel.check()
        try:
            require_unchanged(file)
        except ChangingFileError as error:
            on_unsettled(file, error)
        else:
            yield file


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of one file. `document` is None where it failed, or where its content was known already."""

    file: SourceFile
    sha256: str | None = None
    document: StructuredDocument | None = None
    error: BriefBankError | None = None
    pages_given_up: tuple[int, ...] = ()
    ocr_notes: tuple[str, ...] = ()
    ocr_readings: tuple[str, ...] = ()
    """Under what the cache holds its pages that OCR has read, the best first."""
    pages_counted: int = 0
    """Pages that were counted one by one as they came out of OCR, and are not to be counted again with the file."""
    is_new: bool = False
    """Whether its content was read now and is in the cache, rather than known before."""
    pages: int = 0
    """Pages of what was read now, but for those that were counted one by one."""

    @property
    def note(self) -> str:
        """What is missing from the text of a file that was read all the same, for people; empty where nothing is."""
        given_up = ", ".join(map(str, self.pages_given_up))
        return " ".join([*([f"{_GAVE_UP}{given_up}."] if given_up else []), *self.ocr_notes])


def pages_given_up(note: str) -> str:
    """Return the pages that a note (`FileOutcome.note`) says are missing, as "3, 5"; empty where it says none."""
    return note.removeprefix(_GAVE_UP).partition(".")[0] if note.startswith(_GAVE_UP) else ""


@dataclass(slots=True)
class _Job:
    file: SourceFile
    sha256: str = ""
    reading: Reading | None = None
    ocr_pages: dict[int, Page] = field(default_factory=dict)
    waiting: int = 0
    given_up: list[int] = field(default_factory=list)
    noted: dict[str, list[int]] = field(default_factory=dict)
    counted: int = 0


class Intake:
    """Takes files through the workers. `is_known` tells by SHA-256 whether a content need not be read again."""

    def __init__(
        self,
        pool: GuardedPool,
        cache: Cache,
        settings: Settings,
        *,
        is_known: Callable[[str], bool],
        cancel: CancelToken,
        on_began: Callable[[SourceFile], None],
        on_ocr_page: Callable[[], None],
    ) -> None:
        self._pool = pool
        self._settings = settings
        self._scans = Scans(pool, cache, settings, self._watch)
        self._is_known = is_known
        self._cancel = cancel
        self._on_began = on_began
        self._on_ocr_page = on_ocr_page
        self._running: dict[Future[Any], Callable[[Future[Any]], FileOutcome | None]] = {}
        self._followed: set[Future[Any]] = set()
        self._jobs_open = 0

    def close(self) -> None:
        """Stop asking the OCR server, where there is one."""
        self._scans.close()

    def outcomes(self, files: Iterable[SourceFile]) -> Iterator[FileOutcome]:
        """Yield each file's outcome as it comes, not in the order of the files.

        Raises:
            CancelledError: as soon as the token says so; pages already through OCR are in the cache.
        """
        queue = iter(files)
        # Two files for each worker, so that none waits for this process, and few readings are in memory.
        window = 2 * worker_count(self._settings)
        while True:
            self._cancel.check()
            while self._jobs_open < window and (file := next(queue, None)) is not None:
                self._start(_Job(file))
            if not self._running:
                return
            done, _ = wait(self._running, timeout=POLL_S, return_when=FIRST_COMPLETED)
            for future in done:
                self._followed.discard(future)
                outcome = self._running.pop(future)(future)
                if outcome is not None:
                    self._jobs_open -= 1
                    yield outcome

    def follow(self, future: Future[A], then: Callable[[Future[A]], FileOutcome]) -> None:
        """Have `outcomes` yield what is made of a future when it is done; until then a file less is begun."""
        self._jobs_open += 1
        self._followed.add(future)
        self._running[future] = then

    def finish(self) -> None:
        """Do what is to follow on futures that are done, for whoever takes no more `outcomes`."""
        for future in self._followed:
            if future.done() and not future.cancelled() and not future.exception():
                self._running.pop(future)(future)
        self._followed.clear()

    def _start(self, job: _Job) -> None:
        self._jobs_open += 1
        self._on_began(job.file)
        self._submit(Digest(job.file.place), then=partial(self._digested, job))

    def _submit(self, task: Task[A], then: Callable[[Future[A]], FileOutcome | None]) -> None:
        self._running[self._pool.submit(task, timeout_s=self._settings.read_timeout_s)] = then

    def _digested(self, job: _Job, future: Future[str]) -> FileOutcome | None:
        try:
            job.sha256 = future.result()
        except SourceError as error:
            return self._failed(job, error)
        # A copy, or a file that was moved: its content was read before, under whatever name.
        if self._is_known(job.sha256):
            return _if_unchanged(FileOutcome(job.file, job.sha256))
        self._submit(Parse(job.file.place, self._settings), then=partial(self._parsed, job))
        return None

    def _parsed(self, job: _Job, future: Future[Parsed]) -> FileOutcome | None:
        try:
            parsed = future.result()
        except SourceError as error:
            return self._failed(job, error)
        reading = parsed.reading
        if reading is None and parsed.document is None:
            self._submit(Convert(job.file.place, self._settings), then=partial(self._structured, job))
            return None
        if reading is None:
            return self._finished(job, parsed.document)
        try:
            self._scans.require()
        except OcrMissingError as error:
            return self._failed(job, error)
        job.reading = reading
        job.waiting = len(reading.pages_to_ocr)
        pages = {page.number: page for page in reading.pages}
        for number in reading.pages_to_ocr:
            self._scans.read(job.file.place, job.sha256, pages[number], partial(self._page_read, job, number))
        return None

    def _watch(self, future: Future[Any], then: Callable[[Future[Any]], None]) -> None:
        self._running[future] = then

    def _page_read(self, job: _Job, number: int, page: Page | None, note: str) -> None:
        job.waiting -= 1
        if page is None:
            job.given_up.append(number)
        else:
            job.ocr_pages[number] = page
        if note:
            job.noted.setdefault(note, []).append(number)
        job.counted += 1
        self._on_ocr_page()
        self._after_ocr(job)

    def _after_ocr(self, job: _Job) -> None:
        if job.waiting == 0 and job.reading is not None:
            self._submit(Structure(with_ocr(job.reading, job.ocr_pages)), then=partial(self._structured, job))
            job.reading = None  # it may be large, and the worker has its own now

    def _structured(self, job: _Job, future: Future[StructuredDocument]) -> FileOutcome:
        try:
            return self._finished(job, future.result())
        except EmptyFileError as error:
            if not job.given_up:
                return self._failed(job, error)
            count = len(job.given_up)
            message = f"OCR gave up on {count} {'page' if count == 1 else 'pages'}; the rest of the file is blank."
            advice = "Raise ocr_page_timeout_s in bank.toml and index again with --retry-failed."
            return self._failed(job, TooSlowError(message, advice))
        except SourceError as error:
            return self._failed(job, error)

    def _finished(self, job: _Job, document: StructuredDocument | None) -> FileOutcome:
        given_up = tuple(sorted(job.given_up))
        notes = tuple(f"{_pages(numbers)}: {note}." for note, numbers in sorted(job.noted.items()))
        readings = self._scans.readings if job.counted else ()
        return _if_unchanged(FileOutcome(job.file, job.sha256, document, None, given_up, notes, readings, job.counted))

    def _failed(self, job: _Job, error: BriefBankError) -> FileOutcome:
        return _if_unchanged(FileOutcome(job.file, job.sha256, error=error))


def _pages(numbers: Iterable[int]) -> str:
    """Page numbers as a note begins with them."""
    listed = sorted(numbers)
    return f"Page{'s' if len(listed) > 1 else ''} {', '.join(map(str, listed))}"


def _if_unchanged(outcome: FileOutcome) -> FileOutcome:
    """The outcome, or a failure where the file changed while it was read: the text may be of neither state."""
    try:
        require_unchanged(outcome.file)
    except ChangingFileError as error:
        return FileOutcome(outcome.file, error=error)
    return outcome
