"""Gives files to the confined workers, for `process`: their digest, then one task (`worker.ReadFile`) for what is new.

A file that was changed a moment ago may still be being copied, and a share does not say so: it is read once its size
and time have stayed the same for `settle_s` seconds.

Must not know what becomes of the documents.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from briefbank.errors import (
    BriefBankError,
    ChangingFileError,
    OcrMissingError,
    ReaderKilledError,
    SourceError,
    TooSlowError,
)
from briefbank.ingest.beneath import SourcePlace
from briefbank.ingest.cache import Cache, ocr_key
from briefbank.ingest.discover import SourceFile
from briefbank.ingest.documents import DOCUMENT_ID_LENGTH
from briefbank.ingest.parse import FileRead, How, Scans, Step, Waits, seconds_after
from briefbank.ingest.readers.lines import HEIGHT_PT, WIDTH_PT
from briefbank.ingest.worker import Convert, Digest, ReadFile
from briefbank.platform.progress import POLL_S, CancelToken
from briefbank.platform.settings import Settings, worker_count
from briefbank.platform.windows.names import openable
from briefbank.values.page_numbers import named_in
from briefbank.values.records import Page, TextSource

if TYPE_CHECKING:
    from briefbank.ingest.ocr.olmocr.reader import OlmocrReader
    from briefbank.platform.processes.pool import GuardedPool

_NANOSECONDS = 1e9
_GAVE_UP = "OCR gave up on pages "
_NOT_READ = "Not read, though the file holds it: "
"""Begins the last sentence of a note."""
_DISAGREE = "the OCR engines disagree; compare the text with the page"
_BLIND = "only the OCR server could read it; nobody knows where on the page its words stand"

_MOST_THREADS = 4
"""Pages of one file that OCR reads at a time, where workers would have nothing to do; each takes some 200 MB."""

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
class FileResult:
    """What became of one file. `read` is None where it failed, or where its content was known already."""

    file: SourceFile
    sha256: str | None = None
    read: FileRead | None = None
    error: BriefBankError | None = None
    pages_given_up: tuple[str, ...] = ()
    ocr_notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    unread_parts: tuple[str, ...] = ()
    """As in `FileRead`, which is let go before the others are told."""
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
        given_up = ", ".join(self.pages_given_up)
        parts = ", ".join(self.unread_parts)
        missing = [f"{_GAVE_UP}{given_up}."] if given_up else []
        return " ".join([*missing, *self.ocr_notes, *self.remarks, *([f"{_NOT_READ}{parts}."] if parts else [])])


def parts_unread(note: str) -> str:
    """Return what a note (`FileResult.note`) says that the file holds besides, as "attachment 2 “plea.doc”"; empty
    where it says nothing of the kind.
    """
    return note.partition(_NOT_READ)[2].removesuffix(".")


def pages_given_up(note: str) -> str:
    """Return the pages that a note (`FileResult.note`) says are missing, as "3, 5"; empty where it says none."""
    return note.removeprefix(_GAVE_UP).partition(".")[0] if note.startswith(_GAVE_UP) else ""


def is_mixed(page: Page) -> bool:
    """Whether a page is typed text with pictures of text, which alone OCR reads."""
    return page.source is TextSource.TEXT_LAYER and (bool(page.pictures) or page.ocr_confidence is not None)


@dataclass(slots=True)
class _FileInWork:
    file: SourceFile
    sha256: str = ""
    converts: bool = False
    is_dangerous: bool = False
    """Whether a page of it ended its reader; others are not to be lost with it."""
    begun: set[int] = field(default_factory=set)
    pages: dict[int, Page] = field(default_factory=dict)
    """What OCR has read so far."""
    given_up: dict[int, Page] = field(default_factory=dict)
    """Pages that it gave up on, without text."""
    tried: set[int] = field(default_factory=set)
    """Pages that OCR gave up on when others were read beside this file."""
    is_alone: bool = False
    """Whether it is read a second time, nothing beside it."""
    partial: FileResult | None = None
    """What came of the first time, where that was something."""
    waiting: int = 0
    is_improved: bool = False
    """Whether another engine has seen all pages."""
    noted: dict[str, list[int]] = field(default_factory=dict)
    counted: int = 0


class Intake:
    """Takes files through the workers. `is_known` tells by SHA-256 whether a content need not be read again; `prepare`
    is called once, when the first files are with the workers.
    """

    def __init__(
        self,
        pool: GuardedPool,
        cache: Cache,
        how: How,
        *,
        is_known: Callable[[str], bool],
        cancel: CancelToken,
        prepare: Callable[[], None],
        on_began: Callable[[SourceFile], None],
        on_ocr_page: Callable[[], None],
    ) -> None:
        self._pool = pool
        self._how = how
        self._settings = how.settings
        self._workers = worker_count(how.settings)
        self._scans = ScanEngines(pool, cache, how.settings, self._on_done)
        self._is_known = is_known
        self._cancel = cancel
        self._prepare: Callable[[], None] | None = prepare
        self._on_began = on_began
        self._on_ocr_page = on_ocr_page
        self._running: dict[Future[Any], Callable[[Future[Any]], FileResult | None]] = {}
        self._steps: SimpleQueue[tuple[_FileInWork, Step]] = SimpleQueue()
        self._awaited: set[Future[Any]] = set()
        self._jobs_open = self._digesting = 0
        self._again: deque[_FileInWork] = deque()
        self._is_reading = False

    def close(self) -> None:
        """Stop asking the OCR server, where there is one."""
        self._scans.close()

    def read(self, files: Iterable[SourceFile]) -> Iterator[FileResult]:
        """Yield each file's result as it comes, not in the order of the files. A file that ran into a limit, or whose
        reader was killed, and one of which OCR gave up on a page is read again at the end, alone: others may have
        taken the machine.

        Raises:
            CancelledError: as soon as the token says so; pages already through OCR are in the cache.
        """
        queue = iter(files)
        # Two files for each worker, so that none waits for this process, and few texts are in memory.
        window = 2 * self._workers
        done: set[Future[Any]] = set()
        while True:
            self._cancel.check()
            while self._jobs_open < window and (file := next(queue, None)) is not None:
                self._start(_FileInWork(file))
            if not self._running and self._again:
                self._start_alone(self._again.popleft())
            if not self._running:
                return
            if self._prepare and self._is_reading and not (self._digesting and done):
                self._prepare()
                self._prepare = None
            done, _ = wait(self._running, timeout=POLL_S, return_when=FIRST_COMPLETED)
            self._take_steps()
            for future in done:
                self._awaited.discard(future)
                result = self._running.pop(future)(future)
                if result is not None:
                    self._jobs_open -= 1
                    yield result

    def await_too(self, future: Future[A], then: Callable[[Future[A]], FileResult]) -> None:
        """Have `read` yield what is made of a future when it is done. Counts as an open job until then."""
        self._jobs_open += 1
        self._awaited.add(future)
        self._running[future] = then

    def finish(self) -> None:
        """Do what is to follow on futures that are done, for whoever takes no more `read`."""
        for future in self._awaited:
            if future.done() and not future.cancelled() and not future.exception():
                self._running.pop(future)(future)
        self._awaited.clear()

    def _on_done(self, future: Future[Any], then: Callable[[Future[Any]], FileResult | None]) -> None:
        self._running[future] = then

    def _start(self, job: _FileInWork) -> None:
        self._jobs_open += 1
        self._digesting += 1
        self._on_began(job.file)
        digest = self._pool.submit(Digest(job.file.place), timeout_s=self._settings.read_timeout_s)
        self._on_done(digest, partial(self._digested, job))

    def _start_alone(self, job: _FileInWork) -> None:
        job.is_alone = True
        job.tried = {*job.given_up}
        job.begun.clear()
        job.given_up.clear()
        if not job.sha256:
            self._start(job)
            return
        self._jobs_open += 1
        self._read(job)

    def _put_off(self, job: _FileInWork) -> None:
        """Read a file again when all others are done."""
        self._jobs_open -= 1
        self._again.append(job)

    def _digested(self, job: _FileInWork, future: Future[str]) -> FileResult | None:
        self._digesting -= 1
        try:
            job.sha256 = future.result()
        except SourceError as error:
            return self._failed(job, error)
        # A copy, or a file that was moved: its content was read before, under whatever name.
        if self._is_known(job.sha256):
            return _if_unchanged(FileResult(job.file, job.sha256))
        job.pages = self._scans.read_before(job.sha256)
        if not self._scans.has_server:
            self._count(job, len(job.pages))
        self._read(job)
        return None

    def _read(self, job: _FileInWork) -> None:
        self._is_reading = True
        how = replace(
            self._how,
            scans=Scans.RECOGNISE if job.is_improved else self._scans.how,
            pages=tuple(job.pages.values()),
            given_up=tuple(job.given_up),
            threads=1 if job.is_dangerous else max(1, min(_MOST_THREADS, self._workers // self._jobs_open)),
            document_id=job.sha256[:DOCUMENT_ID_LENGTH],
            sha256=job.sha256,
        )
        future = self._pool.submit(
            (Convert if job.converts else ReadFile)(job.file.place, how),
            timeout_s=self._settings.read_timeout_s,
            on_step=partial(self._took_step, job),
        )
        self._on_done(future, partial(self._was_read, job))

    def _took_step(self, job: _FileInWork, step: Step) -> float:
        """Keep a step for the thread that owns this; returns the seconds that the next one may take."""
        self._steps.put((job, step))
        return seconds_after(step, self._settings)

    def _take_steps(self) -> None:
        """Keep the pages that workers have read meanwhile."""
        while not self._steps.empty():
            job, step = self._steps.get()
            if not step.number or step.number in job.pages:
                continue
            if step.number in job.given_up:
                job.given_up[step.number] = step.page or job.given_up[step.number]
                continue
            if step.page is None:
                job.begun.add(step.number)
                continue
            if step.is_given_up:
                job.given_up[step.number] = step.page
            elif step.page.number == step.number:
                job.pages[step.number] = step.page
                self._scans.keep(job.sha256, step.page)
            if not self._scans.has_server and step.number not in job.tried:
                self._count(job, 1)

    def _count(self, job: _FileInWork, pages: int) -> None:
        job.counted += pages
        for _ in range(pages):
            self._on_ocr_page()

    def _was_read(self, job: _FileInWork, future: Future[FileRead | Waits]) -> FileResult | None:
        self._take_steps()
        try:
            read = future.result()
        except SourceError as error:
            lost = job.begun - job.pages.keys() - job.given_up.keys()
            if not lost:
                return self._failed(job, error)
            # The page at hand was too much for the worker: the file is read without it, once it is known which it was.
            is_known = len(lost) == 1
            job.is_dangerous = True
            job.begun.clear()
            for number in lost if is_known else ():
                job.given_up[number] = Page(number, WIDTH_PT, HEIGHT_PT, (), TextSource.NONE)
            self._count(job, 0 if self._scans.has_server or not is_known else 1)
            self._read(job)
            return None
        if isinstance(read, FileRead):
            return self._finished(job, read)
        if read is Waits.CONVERTER:
            job.converts = True
            self._read(job)
            return None
        try:
            self._scans.require()
        except OcrMissingError as error:
            return self._failed(job, error)
        self._improve(job)
        return None

    def _improve(self, job: _FileInWork) -> None:
        """Have the OCR server read the pages too; then the file is read once more, with what came of them."""
        scans = (page for page in (job.pages | job.given_up).values() if not is_mixed(page))
        pages = sorted(scans, key=lambda page: page.number)
        job.waiting = len(pages)
        for page in pages:
            then = partial(self._improved, job, page.number)
            self._scans.improve(job.file.place, job.sha256, page, then, is_given_up=page.number in job.given_up)

    def _improved(self, job: _FileInWork, number: int, page: Page | None, note: str) -> None:
        if page is not None:
            job.pages[number] = page
            job.given_up.pop(number, None)
        if note:
            job.noted.setdefault(note, []).append(number)
        job.waiting -= 1
        self._count(job, 1)
        if not job.waiting:
            job.is_improved = True
            self._read(job)

    def _finished(self, job: _FileInWork, read: FileRead) -> FileResult | None:
        notes = tuple(f"{_pages(numbers)}: {note}." for note, numbers in sorted(job.noted.items()))
        readings = self._scans.readings if job.pages else ()
        result = FileResult(
            job.file,
            job.sha256,
            read,
            pages_given_up=tuple(named_in(read.page_runs, number) for number in read.unread_pages),
            ocr_notes=notes,
            remarks=read.remarks,
            unread_parts=read.unread_parts,
            ocr_readings=readings,
            pages_counted=job.counted,
        )
        if read.unread_pages and not job.is_alone and not self._scans.has_server:
            job.partial = result
            self._put_off(job)
            return None
        return _if_unchanged(result)

    def _failed(self, job: _FileInWork, error: BriefBankError) -> FileResult | None:
        if isinstance(error, TooSlowError | ReaderKilledError) and not job.is_alone:
            self._put_off(job)
            return None
        if job.partial:
            return _if_unchanged(job.partial)
        return _if_unchanged(FileResult(job.file, job.sha256, error=error))


Then = Callable[[Page | None, str], None]
"""Takes the page, or None where OCR gave up on it, and a note for people, or nothing."""


class ScanEngines:
    """What scans are read by: Tesseract in the workers, and the OCR server, if the settings name one. Keeps what they
    read in the cache. `on_done` calls back in the thread that owns the pool.
    """

    def __init__(
        self,
        pool: GuardedPool,
        cache: Cache,
        settings: Settings,
        on_done: Callable[[Future[Any], Callable[[Future[Any]], None]], None],
    ) -> None:
        from briefbank.ingest.ocr.tesseract import probe

        self._pool, self._cache, self._settings, self._on_done = pool, cache, settings, on_done
        self.has_server = bool(settings.ocr_server)
        self._server: OlmocrReader | None = None
        self._missing: OcrMissingError | None = None
        self._reading = ""
        try:
            self._reading = f"{probe(settings.ocr_language)}:{settings.ocr_dpi}:{settings.ocr_language}"
        except OcrMissingError as error:
            self._missing = error

    @property
    def how(self) -> Scans:
        """What workers do with scans."""
        if self._missing:
            return Scans.REFUSE
        return Scans.RECOGNISE_ALONE if self.has_server else Scans.RECOGNISE

    @property
    def readings(self) -> tuple[str, ...]:
        """Under what the cache holds the pages that these engines read, the best first."""
        if self._server:
            return self._server_reading, self._reading
        return (self._reading,)

    def require(self) -> None:
        """See that the engines are there, the server too.

        Raises:
            OcrMissingError: one is not.
            SettingsError: the address of the server is none.
        """
        from briefbank.ingest.ocr.olmocr.reader import OlmocrReader

        if self._missing:
            raise self._missing
        if self.has_server and not self._server:
            try:
                self._server = OlmocrReader(self._pool, self._settings, self._on_done)
            except OcrMissingError as error:
                self._missing = error
                raise

    def close(self) -> None:
        """Stop asking the OCR server."""
        if self._server:
            self._server.close()

    def read_before(self, sha256: str) -> dict[int, Page]:
        """Pages of a content that Tesseract has read, by number, as an earlier run may have left them."""
        if not self._reading:
            return {}
        start, end = f"ocr:{sha256}:", f":{self._reading}"
        keys = (key for key in self._cache.keys(start) if key.endswith(end))
        numbers = (key.removeprefix(start).removesuffix(end) for key in keys)
        found = (self._cached(sha256, int(number), self._reading) for number in numbers if number.isdecimal())
        return {page.number: page for page in found if page}

    def keep(self, sha256: str, page: Page) -> None:
        """Keep a page that Tesseract has read."""
        self._cache.put(ocr_key(sha256, page.number, self._reading), page)

    def improve(self, place: SourcePlace, sha256: str, page: Page, then: Then, *, is_given_up: bool) -> None:
        """Have the server read a page that Tesseract has read, or gave up on; `then` is called once, here or later."""
        assert self._server  # noqa: S101  # see `require`
        if merged := self._cached(sha256, page.number, self._server_reading):
            self._report(merged, "", then)
        elif is_given_up:
            self._server.read(place, page, lambda read, _: then(read, _BLIND) if read.lines else then(None, ""))
        else:
            self._server.read(place, page, partial(self._improved, sha256, then))

    def _improved(self, sha256: str, then: Then, page: Page, reason: str) -> None:
        if not reason:
            self._cache.put(ocr_key(sha256, page.number, self._server_reading), page)
        self._report(page, reason, then)

    @staticmethod
    def _report(page: Page, reason: str, then: Then) -> None:
        from briefbank.ingest.ocr.olmocr.merge import disagrees

        if reason:
            then(page, f"read by Tesseract alone, as {reason}")
        else:
            then(page, _DISAGREE if disagrees(page) else "")

    def _cached(self, sha256: str, number: int, reading: str) -> Page | None:
        """A page from the cache, if it is the one: a flipped bit in a key makes it the key of another page."""
        page = self._cache.get(ocr_key(sha256, number, reading), Page)
        return page if page and page.number == number else None

    @property
    def _server_reading(self) -> str:
        return f"{self._reading}:{self._server.engine if self._server else ''}"


def _pages(numbers: Iterable[int]) -> str:
    """Page numbers as a note begins with them."""
    listed = sorted(numbers)
    return f"Page{'s' if len(listed) > 1 else ''} {', '.join(map(str, listed))}"


def _if_unchanged(result: FileResult) -> FileResult:
    """The result, or a failure where the file changed while it was read: the text may be of neither state."""
    try:
        require_unchanged(result.file)
    except ChangingFileError as error:
        return FileResult(result.file, error=error)
    return result
