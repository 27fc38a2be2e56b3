"""What a machine of the cluster does with a unit: read its files as one machine would, and put the result on the share.

Knows the share and the folder of briefs as this machine sees them; must not know Dask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from threading import Event, Thread

import msgspec
import numpy as np

from briefbank import __version__
from briefbank.errors import BriefBankError, ChangingFileError, ModelError, OcrMissingError, SettingsError
from briefbank.ingest.cache import Cache
from briefbank.ingest.cluster.share import FileRead, Job, JobFolder, ListedFile, UnitResult
from briefbank.ingest.discover import FolderIdentity, SourceFile
from briefbank.ingest.intake import FileOutcome
from briefbank.ingest.process import FileProcessor
from briefbank.ingest.readers.office import find_converter
from briefbank.models.encoders import Encoder, encoder_digest, load_passage_encoder
from briefbank.models.encoders.calibration import agrees, calibration_sentences
from briefbank.models.encoders.port import Embeddings
from briefbank.platform.processes.wire import failed
from briefbank.platform.progress import CancelToken
from briefbank.platform.scratch import scratch_folder
from briefbank.platform.settings import Settings, parse_settings
from briefbank.platform.windows.names import openable

_LOOK_S = 5.0
"""How often a machine looks whether its job still goes on. Chosen: a look at the share each few seconds costs nothing,
and nobody waits for a machine to stop."""

Tell = Callable[[int, int, int, int], None]
"""Is told of a unit under way: files, pages, bytes, failures so far."""


class Receipt(msgspec.Struct, frozen=True):
    """How a unit ended, in counts: `problem` is empty where its result is on the share, else one of `PROBLEMS`."""

    unit: str
    problem: str = ""
    files: int = 0
    pages: int = 0
    detail: str = ""
    """For `fault`: where in the program it happened, without any text."""


SHARE_GONE, REFUSED, STOPPED, FAULT = "share", "refused", "stopped", "fault"
PROBLEMS = (SHARE_GONE, REFUSED, STOPPED, FAULT)


class UnfitError(Exception):
    """This machine would read otherwise than the one that asks; the message says in what."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where this machine sees the share and the folder of briefs; nothing outside of that folder is read."""

    share: Path
    folder: Path


def reading_settings(settings: Settings) -> dict[str, int | float | str]:
    """Return the settings that tell how files are read, but for how many processes a machine uses."""
    values = msgspec.structs.asdict(settings)
    names = ("read_", "max_", "ocr_", "segmenter", "encoder", "llm_context")
    return {name: value for name, value in values.items() if name.startswith(names)}


def engine_name(settings: Settings) -> str:
    """Name the OCR engine with its version, or "none"."""
    from briefbank.ingest.ocr.tesseract import probe

    try:
        return probe(settings.ocr_language)
    except OcrMissingError:
        return "none"


def sample_vectors(encoder: Encoder) -> bytes:
    """How an encoder encodes the calibration sentences, to be compared with another machine's."""
    return np.ascontiguousarray(encoder.encode_passages(calibration_sentences()), dtype=np.float32).tobytes()


class _UnderWay:
    """Counts what was read of a unit, and tells of it."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._files = self._pages = self._bytes = self._failed = 0

    def page(self) -> None:
        """Count a page that came out of OCR."""
        self._pages += 1
        self._told()

    def file(self, pages: int, read: FileRead) -> None:
        """Count a file with those of its pages that were not counted one by one."""
        self._files += 1
        self._pages += pages
        self._bytes += read.file.size_bytes
        self._failed += read.error is not None
        self._told()

    def _told(self) -> None:
        self._tell(self._files, self._pages, self._bytes, self._failed)


class Reader:
    """Reads units of one job on this machine; to be closed at the end."""

    def __init__(self, site: Site, folder: JobFolder) -> None:
        """Load what the job needs, and compare it with what the job says.

        Raises:
            UnfitError: this machine would read otherwise.
            OSError: the share does not answer, or has no such job.
        """
        self._site = site
        self._job_folder = folder
        self._job = job = folder.job()
        self.renew()
        self._cancel = CancelToken()
        settings = self._fitting_settings(job)
        encoder = _fitting_encoder(job, settings)
        with ExitStack() as stack:
            scratch = stack.enter_context(scratch_folder(prefix="briefbank-unit-"))
            citations = scratch / "citations.toml"
            if job.citations:
                citations.write_bytes(job.citations)
            # In memory: no text of a brief stays on the disk of a machine that only reads.
            self._cache = stack.enter_context(closing(Cache(Path(":memory:"))))
            self._files = stack.enter_context(
                closing(FileProcessor(settings, self._cache, scratch / "work", citations, self._cancel, encoder))
            )
            if self._files.recipe != job.recipe:
                raise UnfitError("the recipe by which it reads")
            stack.enter_context(self._files.texts.at_work())
            self._open = stack.pop_all()

    def renew(self) -> None:
        """Look anew what the bank has: a later run of the same job knows more, or less, than the one before.

        Raises:
            OSError: the share does not answer, or has no such job any more.
        """
        self._known = self._job_folder.known()

    def close(self) -> None:
        self._cancel.cancel()
        self._open.close()

    @staticmethod
    def _fitting_settings(job: Job) -> Settings:
        if job.program != __version__:
            raise UnfitError(f"its version of BriefBank, {__version__} instead of {job.program}")
        try:
            settings = parse_settings({**job.settings, "workers": 1, "settle_s": 0.0}, "the job")
        except SettingsError as error:
            raise UnfitError("its version of BriefBank, which does not know a setting") from error
        if (engine := engine_name(settings)) != job.engine:
            raise UnfitError(f"its OCR program, {engine} instead of {job.engine}")
        if bool(find_converter()) != job.converter:
            raise UnfitError(f"LibreOffice, which {'is missing' if job.converter else 'the head lacks'}")
        return settings

    def read(self, unit: str, tell: Tell) -> Receipt:
        """Read the files of a unit and put the result on the share, unless it is there.

        Raises:
            OSError: the share does not answer, or the folder of briefs is gone.
            CancelledError: the job was closed meanwhile.
        """
        FolderIdentity(self._site.folder)
        if (done := self._job_folder.result(unit)) is None:
            self._cache.clear()
            with _watched(self._job_folder, self._cancel):
                files = tuple(self._files_read(self._job_folder.files_of(unit), tell))
            items, vectors = self._cache.contents()
            FolderIdentity(self._site.folder)  # a share that went makes every file look as if it were missing
            done = UnitResult(unit, files, tuple(items), tuple(vectors))
            self._job_folder.put_result(done)
            self._cache.clear()
        return Receipt(unit, "", len(done.files), sum(each.pages for each in done.files))

    def _files_read(self, listed: tuple[ListedFile, ...], tell: Tell) -> Iterator[FileRead]:
        sources = {}
        for each in listed:
            try:
                sources[self._source(each)] = each
            except ChangingFileError as error:
                yield FileRead(each, error=_told(error))
        at = _UnderWay(tell)
        outcomes = self._files.process(
            [sources], is_known=self._known.__contains__, on_began=lambda _: None, on_ocr_page=at.page
        )
        with closing(outcomes):
            for outcome in outcomes:
                read = _file_read(sources[outcome.file], outcome)
                at.file(outcome.pages, read)
                yield read

    def _source(self, listed: ListedFile) -> SourceFile:
        """The file as this machine sees it; its time may look otherwise over another kind of share.

        Raises:
            ChangingFileError: it is not there, or of another size.
        """
        path = self._site.folder.joinpath(*PurePosixPath(listed.path).parts)
        try:
            found = openable(path).stat()
        except OSError as error:
            raise ChangingFileError("The file went away while the folder was being read.", "") from error
        if found.st_size != listed.size_bytes:
            raise ChangingFileError("The file changed while it was being read.", "The next run reads it.")
        return SourceFile(path, found.st_size, found.st_mtime_ns, supported=True, folder=self._site.folder)


@contextmanager
def _watched(folder: JobFolder, cancel: CancelToken) -> Iterator[None]:
    """While the block runs, stop the work as soon as the job is closed."""
    is_done = Event()

    def watch() -> None:
        while not is_done.wait(_LOOK_S):
            with suppress(OSError):  # a share that is away may come back before the unit is read
                if not folder.is_open:
                    cancel.cancel()

    thread = Thread(target=watch, name="briefbank-job", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_done.set()
        thread.join()


def _file_read(listed: ListedFile, outcome: FileOutcome) -> FileRead:
    pages = outcome.pages + outcome.pages_counted if outcome.is_new else outcome.pages_counted
    error = _told(outcome.error) if outcome.error else None
    return FileRead(listed, outcome.sha256, outcome.is_new, pages, error)


def _told(error: BriefBankError) -> tuple[str, str, str]:
    said = failed(0, error)
    return said.kind, said.message, said.advice


def _fitting_encoder(job: Job, settings: Settings) -> Encoder:
    try:
        if encoder_digest(settings) != job.encoder_digest:
            raise UnfitError("its encoder")
        encoder = load_passage_encoder(settings, job.precision)
    except ModelError as error:
        raise UnfitError("its encoder, which is missing or damaged") from error
    if encoder.precision != job.precision:
        raise UnfitError(f"the precision of its encoder, {encoder.precision} instead of {job.precision}")
    exact = _vectors(job.sample, encoder.dimension)
    own = _vectors(sample_vectors(encoder), encoder.dimension)
    if exact.shape != own.shape or not agrees(exact, own):
        raise UnfitError("what its encoder makes of the same sentences")
    return encoder


def _vectors(data: bytes, dimension: int) -> Embeddings:
    return np.frombuffer(data, dtype=np.float32).reshape(-1, dimension)
