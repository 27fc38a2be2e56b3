"""Runs files through the guarded workers: digest, parse, OCR page by page, structure.

Must not know what becomes of the documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.errors import BriefBankError, EmptyFileError, OcrMissingError, SourceError, TooSlowError
from briefbank.files import file_sha256
from briefbank.ingest.cache import Cache
from briefbank.ingest.discover import SourceFile
from briefbank.ingest.parse import parse, structure, with_ocr
from briefbank.progress import CancelToken
from briefbank.records import Page, Reading, StructuredDocument
from briefbank.settings import Settings, worker_count

if TYPE_CHECKING:
    from briefbank.ingest.pool import GuardedPool

_RENDER_S = 10.0
"""What rendering and straightening a page may take on top of OCR itself."""
_POLL_S = 0.2
"""How often a cancel is looked for while all workers are busy."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file. `document` is None where it failed, or where its content was known already."""

    file: SourceFile
    sha256: str | None = None
    document: StructuredDocument | None = None
    error: BriefBankError | None = None
    pages_given_up: tuple[int, ...] = ()
    pages_counted: int = 0
    """Pages that were told of one by one while they came out of OCR."""


@dataclass(slots=True)
class _Job:
    file: SourceFile
    sha256: str = ""
    reading: Reading | None = None
    ocr_pages: dict[int, Page] = field(default_factory=dict)
    waiting: int = 0
    given_up: list[int] = field(default_factory=list)
    counted: int = 0


class Intake:
    """The way of files through the workers. `is_known` tells by SHA-256 whether a content need not be read again."""

    def __init__(
        self,
        pool: GuardedPool,
        cache: Cache,
        settings: Settings,
        *,
        is_known: Callable[[str], bool],
        cancel: CancelToken,
        on_ocr_page: Callable[[], None],
    ) -> None:
        self._pool = pool
        self._cache = cache
        self._settings = settings
        self._ocr_engine = ""
        self._is_known = is_known
        self._cancel = cancel
        self._on_ocr_page = on_ocr_page
        self._running: dict[Future[Any], Callable[[Future[Any]], Outcome | None]] = {}
        self._jobs_open = 0

    def outcomes(self, files: Iterable[SourceFile]) -> Iterator[Outcome]:
        """Yield each file's outcome as it comes, not in the order of the files.

        Raises:
            CancelledError: as soon as the token says so; pages already through OCR are in the cache.
        """
        queue = iter(files)
        window = 2 * worker_count(self._settings)
        while True:
            self._cancel.check()
            while self._jobs_open < window and (file := next(queue, None)) is not None:
                self._start(_Job(file))
            if not self._running:
                return
            done, _ = wait(self._running, timeout=_POLL_S, return_when=FIRST_COMPLETED)
            for future in done:
                outcome = self._running.pop(future)(future)
                if outcome is not None:
                    self._jobs_open -= 1
                    yield outcome

    def _start(self, job: _Job) -> None:
        self._jobs_open += 1
        self._submit(file_sha256, job.file.path, then=partial(self._digested, job))

    def _submit(
        self, function: Callable[..., Any], *args: object, then: Callable[[Future[Any]], Outcome | None]
    ) -> None:
        self._running[self._pool.submit(function, *args, timeout_s=self._settings.read_timeout_s)] = then

    def _digested(self, job: _Job, future: Future[str]) -> Outcome | None:
        try:
            job.sha256 = future.result()
        except SourceError as error:
            return Outcome(job.file, error=error)
        except OSError as error:
            advice = "Check that the share is connected and that you may read the file."
            return Outcome(job.file, error=SourceError(f"The file cannot be read: {error.strerror}.", advice))
        if self._is_known(job.sha256):
            return Outcome(job.file, job.sha256)
        self._submit(parse, job.file.path, self._settings, then=partial(self._parsed, job))
        return None

    def _parsed(self, job: _Job, future: Future[Reading | StructuredDocument]) -> Outcome | None:
        try:
            parsed = future.result()
        except SourceError as error:
            return self._failed(job, error)
        if isinstance(parsed, StructuredDocument):
            return self._finished(job, parsed)
        try:
            self._require_ocr()
        except OcrMissingError as error:
            return self._failed(job, error)
        job.reading = parsed
        for number in parsed.pages_to_ocr:
            self._ocr(job, number)
        self._after_ocr(job)
        return None

    def _require_ocr(self) -> None:
        if not self._ocr_engine:
            from briefbank.ingest.ocr.tesseract import probe

            self._ocr_engine = f"tesseract-{probe(self._settings.ocr_language).version}"

    def _ocr(self, job: _Job, number: int) -> None:
        from briefbank.ingest.ocr.tesseract import ocr_page

        key = self._ocr_key(job, number)
        known = self._cache.get(key, Page)
        if known is not None:
            job.ocr_pages[number] = known
            return
        job.waiting += 1
        timeout_s = self._settings.ocr_page_timeout_s + _RENDER_S
        future = self._pool.submit(ocr_page, job.file.path, number, self._settings, timeout_s=timeout_s)
        self._running[future] = partial(self._page_read, job, number)

    def _page_read(self, job: _Job, number: int, future: Future[Page]) -> None:
        job.waiting -= 1
        try:
            job.ocr_pages[number] = future.result()
        except BriefBankError:
            job.given_up.append(number)
        else:
            self._cache.put(self._ocr_key(job, number), job.ocr_pages[number])
        job.counted += 1
        self._on_ocr_page()
        self._after_ocr(job)

    def _after_ocr(self, job: _Job) -> None:
        if job.waiting == 0 and job.reading is not None:
            self._submit(structure, with_ocr(job.reading, job.ocr_pages), then=partial(self._structured, job))
            job.reading = None

    def _structured(self, job: _Job, future: Future[StructuredDocument]) -> Outcome:
        try:
            return self._finished(job, future.result())
        except EmptyFileError as error:
            if not job.given_up:
                return self._failed(job, error)
            message = f"OCR gave up on {len(job.given_up)} pages, the others are blank."
            advice = "Raise ocr_page_timeout_s in bank.toml and index again with --retry-failed."
            return self._failed(job, TooSlowError(message, advice))
        except SourceError as error:
            return self._failed(job, error)

    def _finished(self, job: _Job, document: StructuredDocument) -> Outcome:
        if _has_changed(job.file):
            advice = "It is probably still being copied; run the same command again later."
            return Outcome(job.file, error=SourceError("The file changed while it was being read.", advice))
        return Outcome(
            job.file, job.sha256, document, pages_given_up=tuple(sorted(job.given_up)), pages_counted=job.counted
        )

    def _failed(self, job: _Job, error: BriefBankError) -> Outcome:
        return Outcome(job.file, job.sha256, error=error)

    def _ocr_key(self, job: _Job, number: int) -> str:
        settings = self._settings
        return f"ocr:{job.sha256}:{number}:{self._ocr_engine}:{settings.ocr_dpi}:{settings.ocr_language}"


def _has_changed(file: SourceFile) -> bool:
    try:
        stat = Path(file.path).stat()
    except OSError:
        return True
    return (stat.st_size, stat.st_mtime_ns) != (file.size_bytes, file.mtime_ns)
