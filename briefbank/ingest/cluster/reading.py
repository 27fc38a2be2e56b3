"""What a machine of the cluster does: read a file as the head would, and return what the bank's cache would hold of it.

Knows the folder of briefs as this machine sees it; must not know Dask.
"""

from __future__ import annotations

import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path, PurePosixPath

import msgspec
import numpy as np

from briefbank import __version__
from briefbank.errors import ChangingFileError, ModelError, OcrMissingError, SettingsError, SourceError
from briefbank.ingest.cache import Cache
from briefbank.ingest.discover import FolderIdentity, SourceFile
from briefbank.ingest.process import FileProcessor
from briefbank.ingest.readers.office import find_converter
from briefbank.models.encoders import Encoder, encoder_digest, load_passage_encoder
from briefbank.models.encoders.calibration import agrees, calibration_sentences
from briefbank.models.encoders.port import Embeddings
from briefbank.platform.files import TABLE_BYTES, read_bounded
from briefbank.platform.processes.calls import Failed, failed
from briefbank.platform.progress import CancelToken
from briefbank.platform.scratch import scratch_folder
from briefbank.platform.settings import Settings, parse_settings
from briefbank.platform.windows.names import openable

FOLDER_PATIENCE_S = 600.0
"""How long a machine waits for the folder of briefs when its share went away. Chosen: a file server restarts in it."""
_LOOK_AGAIN_S = 5.0


class ReadingSetup(msgspec.Struct, frozen=True):
    """How all machines read. `settings` are those of the bank as TOML has them; `engine` names the OCR program with
    its version, `converter` says whether LibreOffice is there; `sample` is how the head encodes the calibration
    sentences, as bytes of float32.
    """

    program: str
    settings: dict[str, int | float | str]
    recipe: str
    encoder_digest: str
    precision: str
    engine: str
    converter: bool
    citations: bytes
    sample: bytes


class ListedFile(msgspec.Struct, frozen=True):
    """A file to be read: its path below the folder of briefs with `/` between the parts, and its size."""

    path: str
    size_bytes: int


class RemoteRead(msgspec.Struct, frozen=True):
    """What became of a file: read (`is_new`), known before, or failed.

    `items` and `vectors` are what the bank's cache keeps of it, see `Cache.contents`.
    """

    sha256: str | None = None
    is_new: bool = False
    pages: int = 0
    error: Failed | None = None
    items: tuple[tuple[str, bytes], ...] = ()
    vectors: tuple[tuple[bytes, bytes, bytes], ...] = ()


class UnfitError(Exception):
    """This machine would read otherwise than the head; the message says in what."""


def setup_for(files: FileProcessor) -> ReadingSetup:
    """How this machine reads."""
    patterns = files.office_patterns
    values = msgspec.structs.asdict(files.settings)
    names = ("read_", "max_", "ocr_", "segmenter", "encoder", "llm_context")
    return ReadingSetup(
        program=__version__,
        settings={name: value for name, value in values.items() if name.startswith(names)},
        recipe=files.recipe,
        encoder_digest=files.embedder.digest,
        precision=files.embedder.precision,
        engine=_engine_name(files.settings),
        converter=bool(find_converter()),
        citations=read_bounded(patterns, TABLE_BYTES) if patterns.exists() else b"",
        sample=_sample_vectors(files.embedder.encoder),
    )


class Reader:
    """Reads files as the head does; to be closed at the end. `known` are the SHA-256 of contents that the bank has."""

    def __init__(self, folder: Path, setup: ReadingSetup, known: frozenset[str] = frozenset()) -> None:
        """Load what that needs.

        Raises:
            UnfitError: this machine would read otherwise.
        """
        self.setup, self.known = setup, known
        self._folder = folder
        cancel = CancelToken()
        settings = _fitting_settings(setup)
        encoder = _fitting_encoder(setup, settings)
        with ExitStack() as stack:
            scratch = stack.enter_context(scratch_folder(prefix="briefbank-cluster-"))
            citations = scratch / "citations.toml"
            if setup.citations:
                citations.write_bytes(setup.citations)
            # In memory: no text of a brief stays on the disk of a machine that only reads.
            self._cache = stack.enter_context(closing(Cache(Path(":memory:"))))
            self._files = stack.enter_context(
                closing(FileProcessor(settings, self._cache, scratch / "work", citations, cancel, encoder))
            )
            if self._files.recipe != setup.recipe:
                raise UnfitError("the recipe by which it reads")
            stack.enter_context(self._files.texts.at_work())
            stack.callback(cancel.cancel)
            self._open = stack.pop_all()

    def close(self) -> None:
        self._open.close()

    def read(self, listed: ListedFile) -> RemoteRead:
        """Read a file.

        Raises:
            SourceError: the folder of briefs went away and did not come back.
        """
        self._wait_for_folder()
        try:
            source = self._source(listed)
        except ChangingFileError as error:
            self._wait_for_folder()
            return RemoteRead(error=failed(0, error))
        self._cache.clear()
        [result] = self._files.process(
            [[source]], is_known=self.known.__contains__, on_began=lambda _: None, on_ocr_page=lambda: None
        )
        items, vectors = self._cache.contents()
        self._cache.clear()
        FolderIdentity(self._folder)  # a share that went away makes a file look as if it were missing
        pages = result.pages + result.pages_counted if result.is_new else result.pages_counted
        problem = failed(0, result.error) if result.error else None
        return RemoteRead(result.sha256, result.is_new, pages, problem, tuple(items), tuple(vectors))

    def _wait_for_folder(self) -> None:
        deadline = time.monotonic() + FOLDER_PATIENCE_S
        while time.monotonic() < deadline:
            with suppress(SourceError):
                FolderIdentity(self._folder)
                return
            time.sleep(_LOOK_AGAIN_S)
        FolderIdentity(self._folder)

    def _source(self, listed: ListedFile) -> SourceFile:
        """The file as this machine sees it; its time may look otherwise over another kind of share.

        Raises:
            ChangingFileError: it is not there, or of another size.
        """
        path = self._folder.joinpath(*PurePosixPath(listed.path).parts)
        try:
            found = openable(path).stat()
        except OSError as error:
            raise ChangingFileError("The file went away while the folder was being read.", "") from error
        if found.st_size != listed.size_bytes:
            raise ChangingFileError("The file changed while it was being read.", "The next run reads it.")
        return SourceFile(path, found.st_size, found.st_mtime_ns, supported=True, folder=self._folder)


def _fitting_settings(setup: ReadingSetup) -> Settings:
    if setup.program != __version__:
        raise UnfitError(f"its version of BriefBank, {__version__} instead of {setup.program}")
    try:
        settings = parse_settings({**setup.settings, "workers": 1, "settle_s": 0.0}, "what the head asks for")
    except SettingsError as error:
        raise UnfitError("its version of BriefBank, which does not know a setting") from error
    if (engine := _engine_name(settings)) != setup.engine:
        raise UnfitError(f"its OCR program, {engine} instead of {setup.engine}")
    if bool(find_converter()) != setup.converter:
        raise UnfitError(f"LibreOffice, which {'is missing' if setup.converter else 'the head lacks'}")
    return settings


def _fitting_encoder(setup: ReadingSetup, settings: Settings) -> Encoder:
    try:
        if encoder_digest(settings) != setup.encoder_digest:
            raise UnfitError("its encoder")
        encoder = load_passage_encoder(settings, setup.precision)
    except ModelError as error:
        raise UnfitError("its encoder, which is missing or damaged") from error
    if encoder.precision != setup.precision:
        raise UnfitError(f"the precision of its encoder, {encoder.precision} instead of {setup.precision}")
    exact = _vectors(setup.sample, encoder.dimension)
    own = _vectors(_sample_vectors(encoder), encoder.dimension)
    if exact.shape != own.shape or not agrees(exact, own):
        raise UnfitError("what its encoder makes of the same sentences")
    return encoder


def _engine_name(settings: Settings) -> str:
    """Name the OCR engine with its version, or "none"."""
    from briefbank.ingest.ocr.tesseract import probe

    try:
        return probe(settings.ocr_language)
    except OcrMissingError:
        return "none"


def _sample_vectors(encoder: Encoder) -> bytes:
    return np.ascontiguousarray(encoder.encode_passages(calibration_sentences()), dtype=np.float32).tobytes()


def _vectors(data: bytes, dimension: int) -> Embeddings:
    return np.frombuffer(data, dtype=np.float32).reshape(-1, dimension)
