"""One index run: plan, read, segment, encode, and publish a new generation last.

Everything read is in the cache and the ledger file by file, so a run that was killed loses at most the files that were
being read. Must not know terminals or windows.
"""

from __future__ import annotations

import hashlib
import logging
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from briefbank.errors import (
    BankDamagedError,
    BankMissingError,
    ChangingFileError,
    SourceError,
)
from briefbank.index.learned import Learned
from briefbank.index.manifest import GenerationInfo, find_damage, form_for, read_info, read_unreadable, write_unreadable
from briefbank.index.publish import clear_unfinished, live_generation, publish, start_generation
from briefbank.index.tokens import ANALYSER_VERSION
from briefbank.ingest.cache import Cache
from briefbank.ingest.discover import FolderIdentity, SourceFile, Unlisted, require_source
from briefbank.ingest.documents import DOCUMENT_ID_LENGTH, LostDocumentsError
from briefbank.ingest.intake import FileResult, settled, split_young
from briefbank.ingest.ledger import Ledger, LedgerEntry, below
from briefbank.ingest.meter import Meter
from briefbank.ingest.plan import NOT_OF_THE_FILE, IndexPlan, files_again, make_plan
from briefbank.ingest.process import Elsewhere, FileProcessor
from briefbank.ingest.readers import readable_suffixes
from briefbank.ingest.report import (
    copies_in,
    failure_of,
    failure_to_look,
    not_cited,
    not_listed,
    unreadable_in,
    unused_rows,
)
from briefbank.ingest.sidecar import SIDECAR_NAME, Overrides, read_sidecars
from briefbank.law.dockets import docket_key
from briefbank.models.encoders import Embeddings
from briefbank.platform import versions
from briefbank.platform.confine import missing_protection
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import remove_tree
from briefbank.platform.layout import Layout
from briefbank.platform.lock import writer_lock
from briefbank.platform.progress import CancelToken, Reporter
from briefbank.platform.settings import Settings
from briefbank.platform.windows.names import as_listed
from briefbank.values.records import Document, DocumentKind, Passage
from briefbank.values.state import Failure, IndexReport
from briefbank.values.unreadable import NEVER_OPENED, UnreadableFile, UnreadableFiles

_BATCH_PASSAGES = 4_096
_OF_THE_SHARE = frozenset({SourceError.code, ChangingFileError.code})
"""Failures that come by the thousand when the share goes."""

_log = logging.getLogger(__name__)


def index_folder(
    layout: Layout,
    settings: Settings,
    folder: Path,
    *,
    retry_failed: bool = False,
    remove_missing: bool = False,
    elsewhere: Elsewhere | None = None,
    reporter: Reporter,
    cancel: CancelToken,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> IndexReport:
    """Bring the bank up to date with `folder` and publish a new generation if anything changed. Files are read by the
    machines that are `elsewhere`, where there are any; all else is done here.

    Raises:
        UsageError: the folder is the bank, or lies in it.
        BankInUseError: another program is indexing into this bank.
        CancelledError: asked to stop; what was read is kept for the next run, the live generation is untouched.
        SourceError: the folder cannot be read, or it went away meanwhile; nothing is dropped from the index.
        NoSpaceError, ModelError, BankDamagedError: as their names say; the live generation is untouched.
    """
    require_source(folder, layout.root)
    with disk_guard(layout.root, "indexing"):
        layout.create()  # its cache folder may have been cleared away
        with (
            writer_lock(layout.lock_file),
            Ledger(layout.ledger_file) as ledger,
            Cache(layout.cache_file) as cache,
        ):
            clear_unfinished(layout)
            run = _Run(layout, settings, ledger, cache, reporter, cancel, clock, elsewhere)
            # Not resolve(): a share keeps the name by which the office knows it.
            source = Path(os.path.abspath(folder))  # noqa: PTH100
            if os.name == "nt":  # or the same folder in other letters would be another
                source = as_listed(source)
            with closing(run):
                return run.index(source, retry_failed=retry_failed, remove_missing=remove_missing)


def republish(
    layout: Layout,
    settings: Settings,
    learned: Learned | None,
    *,
    reporter: Reporter,
    cancel: CancelToken,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> str:
    """Publish what the bank holds once more, with what was learned, and return the name of the new generation.

    No file is read and nothing encoded that is in the cache. The caller holds the writer's lock.

    Raises:
        CancelledError, NoSpaceError, ModelError, BankDamagedError: as their names say; nothing is published.
    """
    with (
        disk_guard(layout.root, "writing the index"),
        Ledger(layout.ledger_file) as ledger,
        Cache(layout.cache_file) as cache,
    ):
        run = _Run(layout, settings, ledger, cache, reporter, cancel, clock)
        with closing(run):
            return run.republish(learned)


@dataclass(frozen=True, slots=True)
class _Built:
    """The generation that a run ended with, new or as it was."""

    generation: str
    info: GenerationInfo
    is_new: bool


class _Run:
    def __init__(
        self,
        layout: Layout,
        settings: Settings,
        ledger: Ledger,
        cache: Cache,
        reporter: Reporter,
        cancel: CancelToken,
        clock: Callable[[], datetime],
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self._layout = layout
        self._settings = settings
        self._ledger = ledger
        self._cache = cache
        self._cancel = cancel
        self._clock = clock
        self._elsewhere = elsewhere
        self._meter = Meter(reporter)
        self._known: Mapping[str, LedgerEntry] = {}
        self._reread: set[str | None] = set()  # contents to be read once more, although the cache holds them
        self._changing: list[tuple[str, str]] = []
        self._unnamed = 0
        """Documents of a new index that call themselves directives without IT's word."""
        self._kept_failures: list[Failure] = []
        self._not_cited: Mapping[str, SourceError] = {}
        self._files = FileProcessor(settings, cache, layout.scratch, layout.citations_file, cancel)
        self._embedder, self._cached_documents = self._files.embedder, self._files.documents
        self._learned = self._live_learned()
        self._not_listed = self._live_not_listed()

    def index(self, folder: Path, *, retry_failed: bool, remove_missing: bool) -> IndexReport:
        self._meter.stage("looking")
        identity = FolderIdentity(folder)
        listed_at = time.time()
        known = self._known = self._ledger.entries()
        earlier = below(known, folder)
        if retry_failed:
            self._reread = {entry.sha256 for entry in earlier.values() if entry.note}
        plan = make_plan(
            folder,
            readable_suffixes(),
            earlier,
            self._cached().__contains__,
            retry_failed=retry_failed,
            remove_missing=remove_missing,
        )
        here = below(self._not_listed, folder)
        found = {each.path: each for each in not_listed(plan.unlisted)}
        self._not_listed = {path: each for path, each in self._not_listed.items() if path not in here} | found
        settled_at = time.monotonic() + self._settings.settle_s
        overrides = read_sidecars(folder, plan.tables)
        of_other_folders = [known[path] for path in sorted(known.keys() - earlier.keys())]
        plan.to_read += files_again(self._stale(of_other_folders), folder)
        ready, young = split_young(plan.to_read, self._settings.settle_s, listed_at)
        late = settled(young, settled_at, self._cancel, self._note_changing)
        results = self._read(plan, identity, ready, late)
        self._ledger.forget(plan.gone)
        entries = self._apply_overrides(overrides, folder)
        # The text of files that left the folder is confidential: it does not stay in the cache.
        self._cache.forget(self._contents(known) - self._contents(entries))
        try:
            built = self._build(entries)
        except LostDocumentsError:
            results += self._read_again(entries, plan, folder, identity)
            entries = self._apply_overrides(overrides, folder)
            built = self._build(entries)
        report = self._report(below(entries, folder), plan, results, built)
        out_of_reach = [*(path for path, _ in self._changing), *(str(each.path) for each in plan.unlisted)]
        unused = unused_rows(below(overrides.values, folder), entries, out_of_reach)
        return replace(
            report,
            failures=(*report.failures, *overrides.problems),
            notes=(
                *report.notes,
                *overrides.notes,
                *self._unnamed_directives(folder),
                *unused,
                *self._unused_outcomes(overrides, entries, folder),
            ),
            copies=copies_in(entries, folder),
        )

    def close(self) -> None:
        """End the language model, where one cuts passages."""
        self._files.close()

    def republish(self, learned: Learned | None) -> str:
        self._learned = learned
        return self._build(self._ledger.entries()).generation

    def _live_learned(self) -> Learned | None:
        """What the live generation learned, if that was with the encoder in use."""
        try:
            learned = Learned.read(live_generation(self._layout))
        except (BankMissingError, BankDamagedError):
            return None
        return learned if learned and learned.card.encoder_digest == self._embedder.digest else None

    def _live_not_listed(self) -> dict[str, UnreadableFile]:
        """What the runs that made the live generation could not look at, by path: the ledger knows nothing of it."""
        try:
            unreadable = read_unreadable(live_generation(self._layout))
        except (BankMissingError, BankDamagedError):
            return {}
        return {each.path: each for each in unreadable.files if each.code in NEVER_OPENED} if unreadable else {}

    @staticmethod
    def _contents(entries: Mapping[str, LedgerEntry]) -> set[str]:
        return {entry.sha256 for entry in entries.values() if entry.sha256}

    def _is_cached(self, sha256: str) -> bool:
        return sha256 not in self._reread and self._cached_documents.holds(sha256)

    def _cached(self) -> set[str]:
        """All contents for which `_is_cached` is true now: one look at the cache instead of thousands."""
        return self._cached_documents.digests() - self._reread

    def _stale(self, entries: Iterable[LedgerEntry]) -> list[LedgerEntry]:
        """Files that were read, but whose text is gone from the cache or was read in an older way."""
        cached = self._cached()
        return [each for each in entries if each.sha256 and not each.is_failed and each.sha256 not in cached]

    def _read_again(
        self, entries: Mapping[str, LedgerEntry], plan: IndexPlan, folder: Path, identity: FolderIdentity
    ) -> list[FileResult]:
        """Read the files whose text the cache turned out to have lost; `plan` calls them unchanged no more."""
        self._cache.renew_if_damaged()
        lost = self._stale(entries.values())
        _log.warning("%d files are read again, which the cache has lost", len(lost))
        paths = {each.path for each in lost}
        plan.unchanged = [each for each in plan.unchanged if each.path not in paths]
        files = files_again(lost, folder)
        return self._read(IndexPlan(to_read=files), identity, files)

    def _read(self, plan: IndexPlan, identity: FolderIdentity, *batches: Iterable[SourceFile]) -> list[FileResult]:
        """Read the files, one batch after the other, file by file into cache and ledger."""
        for file, error in plan.refused:
            self._record(FileResult(file, error=error))
        if not plan.to_read:
            return []
        self._meter.expect(plan.to_read)
        done = []
        results = self._results(identity.folder, batches)
        with closing(results):
            for result in results:
                # One look at the folder tells a share that went from a file that is unreadable by itself.
                if result.error is not None and result.error.code in _OF_THE_SHARE:
                    identity.require_same()
                if result.is_new:
                    self._reread.discard(result.sha256)
                self._record(result)
                self._meter.file(result.file, result.pages, is_failed=result.error is not None)
                done.append(result)
        return done

    def _results(self, folder: Path, batches: Iterable[Iterable[SourceFile]]) -> Generator[FileResult]:
        meter, is_known = self._meter, self._is_cached
        if self._elsewhere:
            return self._elsewhere.process(self._files, folder, batches, is_known=is_known, meter=meter)
        return self._files.process(batches, is_known=is_known, on_began=meter.began, on_ocr_page=meter.page)

    def _record(self, result: FileResult) -> None:
        file, error = result.file, result.error
        path = str(file.path)
        if isinstance(error, ChangingFileError):
            self._note_changing(file, error)
            return
        if error and error.code in NOT_OF_THE_FILE and self._has_earlier_text(path):
            message = f"{error.message} The index keeps the text that the file had before."
            self._kept_failures.append(Failure(path, error.code, message, error.advice))
            return
        entry = LedgerEntry(
            path,
            file.size_bytes,
            file.mtime_ns,
            result.sha256,
            error_code=error.code if error else None,
            error=error.message if error else None,
            advice=error.advice if error else None,
            note=result.note if error or result.is_new else self._cached_documents.note(result.sha256),
            overrides=self._known[path].overrides if path in self._known else {},
            read_at=self._clock().isoformat(timespec="seconds"),
        )
        self._ledger.record(entry)
        if error:
            _log.warning("file failed: %s", error.code)

    def _note_changing(self, file: SourceFile | Unlisted, error: ChangingFileError) -> None:
        self._changing.append((str(file.path), f"{error.message} {error.advice}"))

    def _has_earlier_text(self, path: str) -> bool:
        """Whether an earlier reading of the file is at hand."""
        entry = self._known.get(path)
        return bool(entry and not entry.is_failed and entry.sha256 and self._cached_documents.holds(entry.sha256))

    def _apply_overrides(self, overrides: Overrides, folder: Path) -> dict[str, LedgerEntry]:
        """Bring the ledger's overrides in line with what IT wrote into the folder's sidecars; return its entries."""
        entries = self._ledger.entries()
        for path, entry in below(entries, folder).items():
            wanted = overrides.of(Path(path))
            if overrides.outcomes and (outcome := overrides.outcome_of(Path(path), self._dockets(entry, wanted))):
                wanted = {"outcome": outcome, **wanted}
            if overrides.unknown and not overrides.unknown.isdisjoint((Path(path), *Path(path).parents)):
                wanted = {**entry.overrides, **wanted}
            if entry.overrides != wanted:
                entries[path] = replace(entry, overrides=dict(wanted))
                self._ledger.record(entries[path])
        return entries

    def _dockets(self, entry: LedgerEntry, overridden: Mapping[str, str]) -> list[str]:
        """The dockets of a file: what its table says, else what stands in it."""
        if docket := overridden.get("docket"):
            return docket.split(", ")
        found = self._cached_documents.metadata(entry.sha256) if entry.sha256 and not entry.is_failed else None
        return list(found.dockets) if found else []

    def _unused_outcomes(
        self, overrides: Overrides, entries: Mapping[str, LedgerEntry], folder: Path
    ) -> Iterator[tuple[str, str]]:
        """A note for each table of the folder with outcomes of dockets that no brief is under, as (path, note)."""
        for table in overrides.outcomes:
            if folder not in table.path.parents:  # above it: its other briefs need not be in this bank
                continue
            here = below(entries, table.path.parent).items()
            dockets = (each for path, entry in here for each in self._dockets(entry, overrides.values.get(path, {})))
            if note := table.unused_note({docket_key(each) for each in dockets}):
                yield str(table.path), note

    def _unnamed_directives(self, folder: Path) -> Iterator[tuple[str, str]]:
        """A note where papers of a new index call themselves directives and IT did not say so, as (path, note)."""
        if self._unnamed:
            count = f"{self._unnamed:,} document{'' if self._unnamed == 1 else 's'}"
            note = (
                f"By their heads {count} could be directives. What they say counts as the office's word only where "
                f"{SIDECAR_NAME} at the top names them, or their folder: directives/,directive"
            )
            yield str(folder), note

    def _build(self, known: Mapping[str, LedgerEntry]) -> _Built:
        entries = [entry for entry in known.values() if entry.sha256 and not entry.is_failed]
        lacking = self._files.notes.lacking(dict.fromkeys(each.sha256 for each in entries if each.sha256))
        self._not_cited = self._cite_anew(entries, lacking) if lacking else {}
        unreadable = unreadable_in(known.values(), self._not_listed.values(), self._not_cited)
        source_digest = self._source_digest(entries, unreadable)
        # What an index has in the place of citations that were made only now, nobody knows.
        if len(lacking) == len(self._not_cited) and (same := self._live_if_same(source_digest)):
            return same
        from briefbank.index.generation import write_generation

        self._meter.stage("writing the index")
        self._embedder.export_for_queries(self._layout.encoders)
        documents = self._cached_documents.documents(entries, self._cancel)
        made = [each.metadata for each in documents.values()]
        self._unnamed = sum(each.kind.value == DocumentKind.DIRECTIVE and not each.speaks_for_office for each in made)
        info = GenerationInfo(
            encoder_digest=self._embedder.digest,
            encoder_precision=self._embedder.precision,
            dimension=self._embedder.encoder.dimension,
            segmenter=self._files.recipe,
            citations=self._files.notes.version,
            source_digest=source_digest,
            created_at=self._clock().isoformat(timespec="seconds"),
            form=form_for(sum(each.passage_count for each in documents.values())),
        )
        building = start_generation(self._layout, self._clock())
        try:
            if self._learned:
                self._learned.write(building)
            write_unreadable(building, unreadable)
            notes = self._files.notes.annotator(documents, DOCUMENT_ID_LENGTH, self._not_cited)
            info = write_generation(building, list(documents.values()), self._batches(documents), info, notes)
            return _Built(publish(self._layout, building), info, is_new=True)
        finally:  # published, it was renamed, and nothing is left under this name
            remove_tree(building)

    def _cite_anew(self, entries: Sequence[LedgerEntry], lacking: Sequence[str]) -> dict[str, SourceError]:
        """Read the citations of documents whose text stays; returns why those of some cannot be read."""
        self._meter.stage("reading citations", len(lacking))
        documents = self._cached_documents
        wanted = set(lacking)
        documents.documents(
            (each for each in entries if each.sha256 in wanted), self._cancel
        )  # names all that are lost

        def passages() -> Iterator[tuple[str, Sequence[Passage]]]:
            for sha256 in lacking:
                yield sha256, documents.get(sha256).passages
                self._meter.written()

        return self._files.notes.make_anew(passages(), self._files.texts.annotated)

    def _live_if_same(self, source_digest: str) -> _Built | None:
        """The live generation, where it was built from the same content and is intact."""
        try:
            folder = live_generation(self._layout)
            info = read_info(folder)
        except (BankMissingError, BankDamagedError):
            return None
        if info.source_digest != source_digest or find_damage(folder):
            return None
        return _Built(folder.name, info, is_new=False)

    def _batches(self, documents: Mapping[str, Document]) -> Iterator[tuple[list[Passage], Embeddings]]:
        batch: list[Passage] = []
        self._meter.stage("writing the index", len(documents))
        for sha256 in documents:
            self._cancel.check()
            batch += self._cached_documents.get(sha256).passages
            self._meter.written()
            if len(batch) >= _BATCH_PASSAGES:
                yield batch, self._embedder.passages([passage.text for passage in batch])
                batch = []
        if batch:
            yield batch, self._embedder.passages([passage.text for passage in batch])
        self._meter.stage("finishing the index")

    def _source_digest(self, entries: Sequence[LedgerEntry], unreadable: UnreadableFiles) -> str:
        # A note goes when pages that OCR failed on were read after all: the same file, another text.
        lines = [
            f"{each.path}\0{each.sha256}\0{sorted(each.overrides.items())}{each.note and chr(0) + each.note}"
            for each in entries
        ]
        made_by = [self._files.recipe, ANALYSER_VERSION, str(versions.GENERATION), self._files.notes.version]
        made_by += [self._learned.digest] if self._learned else []
        made_by += [f"unreadable {versions.UNREADABLE}", *map(str, unreadable.files)]
        return hashlib.sha256("\n".join([*made_by, *lines]).encode()).hexdigest()

    def _report(
        self,
        entries: Mapping[str, LedgerEntry],
        plan: IndexPlan,
        results: Sequence[FileResult],
        built: _Built,
    ) -> IndexReport:
        """How the run ended for the `entries` of its folder; `Bank.status` tells of files that failed in others."""
        failures = [failure_of(entry) for entry in entries.values() if entry.is_failed]
        failures += self._kept_failures
        failures += [
            not_cited(path, error)
            for path, each in entries.items()
            if not each.is_failed and (error := self._not_cited.get(each.sha256 or ""))
        ]
        for each in plan.unlisted:
            if isinstance(each.error, ChangingFileError):
                self._note_changing(each, each.error)
            else:
                failures.append(failure_to_look(each))
        notes = [(entry.path, entry.note) for entry in entries.values() if entry.note]
        return IndexReport(
            generation=built.generation,
            published=built.is_new,
            indexed=len({str(result.file.path) for result in results if result.error is None}),
            unchanged=sum(not entry.is_failed for entry in plan.unchanged),
            removed=len(plan.gone),
            failures=tuple(failures),
            notes=(*notes, *self._changing),
            documents=built.info.document_count,
            passages=built.info.passage_count,
            pages=self._meter.pages,
            seconds=self._meter.elapsed_s,
            missing_protection=missing_protection(),
        )
