"""Takes files into the cache: `intake` has confined workers read them, their passages are encoded here.

The same for a run on one machine and for each machine of a cluster. Must not know the ledger, nor what becomes of what
is in the cache.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Protocol

from briefbank.errors import SourceError, fault_told
from briefbank.ingest.annotate import CachedNotes
from briefbank.ingest.cache import Cache
from briefbank.ingest.discover import SourceFile
from briefbank.ingest.documents import CachedDocument, CachedDocuments
from briefbank.ingest.embed import Embedder
from briefbank.ingest.intake import FileResult, Intake
from briefbank.ingest.meter import Meter
from briefbank.ingest.parse import FileRead, How
from briefbank.ingest.segment import PASSAGE_SIZE
from briefbank.ingest.segment.by_model import load_cutter
from briefbank.ingest.texts import TextWorkers, cut_here
from briefbank.models.encoders import Encoder
from briefbank.models.encoders.words import TABLE_NAME
from briefbank.platform.progress import CancelToken
from briefbank.platform.settings import Settings

PIPELINE_VERSION = 9
"""Raised when readers, structure, metadata or segmentation change what they yield; documents are then read again."""

_log = logging.getLogger(__name__)


class Elsewhere(Protocol):
    """Other machines that take files into the cache of a `FileProcessor` as it does itself."""

    def process(
        self,
        files: FileProcessor,
        folder: Path,
        batches: Iterable[Iterable[SourceFile]],
        *,
        is_known: Callable[[str], bool],
        meter: Meter,
    ) -> Generator[FileResult]:
        """As `FileProcessor.process`, for the files below `folder`."""
        ...


class FileProcessor:
    """Reads files into `cache`. `embedder`, `documents`, `notes` and `texts` are what it is made of.

    To be closed at the end, for the language model, where one cuts passages.
    """

    def __init__(
        self,
        settings: Settings,
        cache: Cache,
        scratch: Path,
        office_patterns: Path,
        cancel: CancelToken,
        encoder: Encoder | None = None,
    ) -> None:
        """Load nothing that is heavy yet; `scratch` is emptied whenever files are read. An `encoder` is one that the
        settings name and that is loaded already.

        Raises:
            ModelError: the encoder is missing or wrong.
            SettingsError: the office's file of citation patterns is not in order; it may be absent.
        """
        self.settings = settings
        self.cache = cache
        self.office_patterns = office_patterns
        self.cancel = cancel
        self.embedder = Embedder(settings, cache, encoder)
        self._cutter = load_cutter(settings, cancel)
        sizes = f"{PASSAGE_SIZE.target}/{PASSAGE_SIZE.least}/{PASSAGE_SIZE.most}"
        by_model = f":{self._cutter.recipe}" if self._cutter else ""
        self.recipe = f"{PIPELINE_VERSION}:{self.embedder.digest}:{sizes}{by_model}"
        """Changes with all that changes what is read out of the same file."""
        self.texts = TextWorkers(settings, scratch, cancel)
        self.documents = CachedDocuments(cache, self.recipe)
        self.notes = CachedNotes(cache, self.recipe, office_patterns, self.texts.annotate)

    def close(self) -> None:
        """End the language model, where there is one."""
        if self._cutter:
            self._cutter.close()

    def process(
        self,
        batches: Iterable[Iterable[SourceFile]],
        *,
        is_known: Callable[[str], bool],
        on_began: Callable[[SourceFile], None],
        on_ocr_page: Callable[[], None],
    ) -> Generator[FileResult]:
        """Take the files into the cache, one batch after the other, and yield what became of each when it is there.

        `is_known` tells by SHA-256 whether a content need not be read again.

        Raises:
            CancelledError: asked to stop; what was finished is in the cache.
        """
        with self.texts.at_work() as pool:
            words = None if self._cutter else pool.folder
            intake = Intake(
                pool,
                self.cache,
                How(self.settings, patterns=self.notes.patterns.patterns, words=words),
                is_known=is_known,
                cancel=self.cancel,
                prepare=lambda: self._put_words(words),
                on_began=on_began,
                on_ocr_page=on_ocr_page,
            )
            # Two documents are encoded at a time, so that no core waits for the end of one.
            threads = ThreadPoolExecutor(2, "encoding")
            with closing(intake):
                try:
                    for result in chain.from_iterable(map(intake.read, batches)):
                        ended = self._into_cache(result, intake, threads)
                        if ended is not None:
                            yield ended
                finally:
                    threads.shutdown(cancel_futures=True)
                    intake.finish()

    def _put_words(self, folder: Path | None) -> None:
        """Load the encoder, and give the workers its words, by which they cut."""
        if folder and not (folder / TABLE_NAME).exists():
            self.embedder.encoder.word_table(folder).write(folder)

    def _into_cache(self, result: FileResult, intake: Intake, threads: Executor) -> FileResult | None:
        """Have the passages of the document, if there is one, encoded, after which `intake` yields its result:
        meanwhile the next are read. One that cutting here trips over fails alone.
        """
        read, sha256 = result.read, result.sha256
        if read is None or sha256 is None:
            return result
        bare = replace(result, read=None)  # results are collected; their texts need not stay
        try:
            whole = cut_here(read, self.embedder.encoder, sha256, self.notes.make, self._cutter)
        except SourceError as error:
            return replace(bare, error=error)
        except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
            _log.error("segmentation failed: %s", fault_told(error))
            advice = "This is a fault in BriefBank: report it, and index the file in another format meanwhile."
            failure = SourceError(f"The text could not be cut into passages ({type(error).__name__}).", advice)
            return replace(bare, error=failure)

        def encoded(future: Future[Callable[[], None]]) -> FileResult:
            keep_vectors = future.result()
            keep_vectors()
            self._keep(whole, result, sha256)
            return replace(bare, is_new=True, pages=whole.page_count - result.pages_counted)

        intake.await_too(self.embedder.encode_beside([passage.text for passage in whole.passages], threads), encoded)
        return None

    def _keep(self, read: FileRead, result: FileResult, sha256: str) -> None:
        if read.notes:
            self.notes.put(sha256, read.notes)
        document = CachedDocument(
            read.metadata,
            read.page_count,
            read.ocr_page_count,
            read.ocr_confidence,
            read.passages,
            read.has_pages,
            result.ocr_readings,
            read.page_runs,
            result.note,
        )
        self.documents.put(sha256, document)
