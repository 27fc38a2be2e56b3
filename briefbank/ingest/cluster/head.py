"""The machine that publishes: it cuts the files into units, has the cluster read them, and takes what comes back into
the bank's cache, so that the run goes on as if it had read them itself.

A unit that was read lies on the share until the bank has it, so that the next run goes on wherever this one ends.
"""

from __future__ import annotations

import logging
import platform
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath

from briefbank import __version__
from briefbank.errors import BriefBankError, ChangingFileError, ReaderKilledError, SourceError
from briefbank.ingest.cache import OF_A_CONTENT
from briefbank.ingest.cluster.certificates import Certificates
from briefbank.ingest.cluster.dispatch import PATIENCE_S, Dispatch, Unit, Ways
from briefbank.ingest.cluster.engine import require_address
from briefbank.ingest.cluster.share import FileRead, Job, JobFolder, ListedFile, UnitResult, job_id, unit_id
from briefbank.ingest.cluster.unit import engine_name, reading_settings, sample_vectors
from briefbank.ingest.discover import SourceFile
from briefbank.ingest.embed import embedding_keys
from briefbank.ingest.intake import FileOutcome, require_unchanged
from briefbank.ingest.meter import Meter
from briefbank.ingest.process import FileProcessor
from briefbank.ingest.readers.office import find_converter
from briefbank.platform.files import TABLE_BYTES, read_bounded
from briefbank.platform.processes.wire import Failed, WireError, error_of

_UNIT_BYTES = 25_000_000
"""Of the files of one unit: some 500 pages of 50 kB, as scans have them; a larger file is a unit of its own."""
_UNIT_FILES = 64
_UNITS_PER_WORKER = 4
"""Into how many units the files that are left would be cut for each worker at least: units become smaller towards the
end, so that all workers end at about the same time.
"""

_log = logging.getLogger(__name__)


class Cluster:
    """Has files read by a cluster; given to `Bank.index`."""

    def __init__(
        self,
        address: str,
        certificates: Certificates,
        share: Path,
        *,
        keep: Callable[[], None] = lambda: None,
        warn: Callable[[str], None] = lambda _: None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Connect to nothing yet; `keep` and `warn` as `dispatch.Ways`.

        Raises:
            UsageError: the address is none, or not encrypted.
        """
        self.ways = Ways(require_address(address), certificates, keep, warn, patience_s)
        self._share = share

    def process(
        self,
        files: FileProcessor,
        folder: Path,
        bank: Path,
        batches: Iterable[Iterable[SourceFile]],
        *,
        is_known: Callable[[str], bool],
        meter: Meter,
    ) -> Generator[FileOutcome]:
        """As `FileProcessor.process`; files that do not lie below `folder` are read by this machine.

        Raises:
            CancelledError: asked to stop; the machines stop, and what they read is taken by the next run.
            EngineDiedError: the scheduler or all workers went away and did not come back.
            SourceError: the share went away and did not come back.
        """
        with closing(_Run(self.ways, self._share, files, folder, bank, is_known, meter)) as run:
            for batch in batches:
                everywhere, here = _apart(batch, folder)
                yield from run.outcomes(everywhere)
                yield from (
                    files.process([here], is_known=is_known, on_began=meter.began, on_ocr_page=meter.page)
                    if here
                    else ()
                )
            run.end()


def _apart(batch: Iterable[SourceFile], folder: Path) -> tuple[list[SourceFile], list[SourceFile]]:
    everywhere: list[SourceFile] = []
    here: list[SourceFile] = []
    for file in batch:
        (everywhere if file.folder == folder and file.path.is_relative_to(folder) else here).append(file)
    return everywhere, here


class _Run:
    """One index run."""

    def __init__(
        self,
        ways: Ways,
        share: Path,
        files: FileProcessor,
        folder: Path,
        bank: Path,
        is_known: Callable[[str], bool],
        meter: Meter,
    ) -> None:
        self._files, self._folder, self._is_known, self._meter = files, folder, is_known, meter
        job = _job(files)
        # The folder belongs to the name: the same paths below another one are other files.
        self._job = JobFolder(share, job_id(f"{platform.node()}\0{bank}\0{folder}", job))
        self._sources: dict[ListedFile, SourceFile] = {}
        self._dispatch = Dispatch(ways, self._job, files.cancel)
        try:
            self._job.begin(job, (each for each in files.documents.digests() if is_known(each)))
        except OSError as error:
            advice = "Name a folder that all machines of the cluster can read and write with --share."
            raise SourceError(f"The share {share} cannot be used: {error.strerror}.", advice) from error

    def end(self) -> None:
        """All is read: nothing stays on the share."""
        self._job.end()

    def close(self) -> None:
        """Have the machines stop; where the run did not come to its end, what they read stays for the next one."""
        self._dispatch.close()
        self._job.pause()

    def outcomes(self, files: list[SourceFile]) -> Iterator[FileOutcome]:
        """Yield what became of each file, as it comes."""
        self._sources = {_listed(each, self._folder): each for each in files}
        yield from self._found_on_share()
        self._dispatch.give(self._units())
        while self._sources:
            read, given_up = self._dispatch.step()
            at = self._dispatch.under_way
            self._meter.under_way(at.files, at.pages, at.size_bytes, at.failed)
            for unit in read:
                yield from self._taken(unit)
                self._dispatch.give_out()  # a worker need not wait until all of them are taken
            for unit in given_up:
                yield from self._gave_up(unit)

    def _units(self) -> Iterator[Unit]:
        """Cut the files into units, those that take longest first, each when it is asked for: by then it is known how
        many workers there are.
        """
        files = deque(sorted(self._sources, key=lambda file: (-file.size_bytes, file.path)))
        left_bytes = sum(each.size_bytes for each in files)
        while files:
            units = max(1, self._dispatch.ready_workers) * _UNITS_PER_WORKER
            is_last = len(files) <= units
            most_bytes, most_files = min(_UNIT_BYTES, left_bytes // units), min(_UNIT_FILES, len(files) // units)
            unit = [files.popleft()]
            size_bytes = unit[0].size_bytes
            while files and len(unit) < most_files and size_bytes + files[0].size_bytes <= most_bytes:
                unit.append(files.popleft())
                size_bytes += unit[-1].size_bytes
            left_bytes -= size_bytes
            yield Unit(unit_id(self._job.name, unit), tuple(unit), is_last=is_last)

    def _found_on_share(self) -> Iterator[FileOutcome]:
        """Take what an earlier run had read but not yet taken."""
        for name in list(self._job.results()):
            self._files.cancel.check()
            result = self._result(name)
            if result and any(read.file in self._sources for read in result.files):
                yield from self._outcomes_of(result)
            self._job.forget(name)

    def _taken(self, unit: Unit) -> Iterator[FileOutcome]:
        try:
            result = self._result(unit.name)
        except OSError:
            self._dispatch.share_failed()
            self._dispatch.again(unit)
            return
        self._dispatch.share_answers()
        if result is None:
            self._dispatch.again(unit)
            return
        yield from self._outcomes_of(result)
        try:
            self._job.forget(unit.name)
        except OSError:
            _log.warning("a unit stays on the share until the run ends")

    def _result(self, name: str) -> UnitResult | None:
        """What was read of a unit, if all of it fits together."""
        result = self._job.result(name)
        if result and not _fits(result, self._files):
            _log.warning("what was read of a unit does not fit together, and is read again")
            self._job.forget(name)
            return None
        return result

    def _outcomes_of(self, result: UnitResult) -> Iterator[FileOutcome]:
        """Take a result into the cache, and yield what became of those of its files that are still waited for."""
        self._files.cache.take(result.items, result.vectors)
        for read in result.files:
            if source := self._sources.pop(read.file, None):
                yield self._outcome(source, read)

    def _outcome(self, source: SourceFile, read: FileRead) -> FileOutcome:
        error = _error(read)
        try:
            require_unchanged(source)
        except ChangingFileError as changed:
            return FileOutcome(source, error=changed)
        if isinstance(error, ChangingFileError):  # there it looks otherwise, here it has not changed
            message = "A machine of the cluster found this file missing or changed; this machine sees it as it was."
            error = SourceError(
                message, "See that all machines have the same folder under --folder; the next run reads it."
            )
        if error is None and read.sha256 and not read.is_new and not self._is_known(read.sha256):
            error = SourceError("What was known of this file was lost meanwhile.", "The next run reads it.")
        return FileOutcome(source, read.sha256, error=error, is_new=read.is_new and error is None, pages=read.pages)

    def _gave_up(self, unit: Unit) -> Iterator[FileOutcome]:
        for listed in unit.files:
            if source := self._sources.pop(listed, None):
                message = f"Machines of the cluster died {unit.deaths} times while they read this file."
                advice = "The next run tries again; where it comes back, have IT look at the machines' memory."
                yield FileOutcome(source, error=ReaderKilledError(message, advice))


def _job(files: FileProcessor) -> Job:
    patterns = files.office_patterns
    return Job(
        program=__version__,
        settings=reading_settings(files.settings),
        recipe=files.recipe,
        encoder_digest=files.embedder.digest,
        precision=files.embedder.precision,
        engine=engine_name(files.settings),
        converter=bool(find_converter()),
        citations=read_bounded(patterns, TABLE_BYTES) if patterns.exists() else b"",
        sample=sample_vectors(files.embedder.encoder),
    )


def _listed(file: SourceFile, folder: Path) -> ListedFile:
    path = str(PurePosixPath(*file.path.relative_to(folder).parts))
    return ListedFile(path, file.size_bytes, file.mtime_ns)


def _error(read: FileRead) -> BriefBankError | None:
    if read.error is None:
        return None
    try:
        return error_of(Failed(0, *read.error))
    except WireError:
        return SourceError("A machine of the cluster failed at this file.", "The next run tries again.")


def _fits(result: UnitResult, files: FileProcessor) -> bool:
    """Whether a result holds what was read of its own files, whole, and nothing else."""
    new = {read.sha256 for read in result.files if read.is_new}
    texts: list[str] = []
    held = set()
    for key, value in result.items:
        kind, _, rest = key.partition(":")
        sha256 = rest.partition(":")[0]
        if kind not in OF_A_CONTENT or sha256 not in {read.sha256 for read in result.files}:
            return False
        if kind == "document":
            document = files.documents.decoded(sha256, key, value)
            if document is None:
                return False
            held.add(sha256)
            texts += [passage.text for passage in document.passages]
    vectors = {key for key, _, _ in result.vectors}
    return held >= new and vectors == set(embedding_keys(files.embedder.digest, texts))
