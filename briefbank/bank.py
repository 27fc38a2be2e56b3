"""The bank: all that a window or a command line may ask for. Opens parts only when they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from briefbank.errors import BriefBankError, UsageError
from briefbank.files import space_guard
from briefbank.layout import FORMAT_MAJOR, FORMAT_MINOR, Layout
from briefbank.progress import CancelToken, Reporter, silent
from briefbank.records import Document, Query, SearchResult
from briefbank.reports import BankFinding, BankStatus, IndexReport, PassageInContext
from briefbank.settings import Settings, read_settings

if TYPE_CHECKING:
    from briefbank.index.generation import Generation
    from briefbank.ingest.ledger import LedgerEntry
    from briefbank.search.engine import SearchEngine


class Bank:
    """One bank on a local disk. Searching only reads; indexing writes a new generation and publishes it last."""

    def __init__(self, layout: Layout, settings: Settings) -> None:
        self._layout = layout
        self._settings = settings
        self._generation: Generation | None = None
        self._engine: SearchEngine | None = None

    @classmethod
    def open(cls, root: Path) -> Bank:
        """Open an existing bank.

        Raises:
            BankMissingError, BankNewerError, BankDamagedError, SettingsError: as their names say.
        """
        layout = Layout(root)
        layout.require()
        return cls(layout, read_settings(layout.settings_file))

    @classmethod
    def create(cls, root: Path) -> Bank:
        """Open a bank, making an empty one where there is none.

        Raises:
            NoSpaceError: the disk is full; and as `open`.
        """
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        with space_guard(root, "making the bank"):
            Layout(root).create()
        return cls.open(root)

    def index(
        self,
        folder: Path,
        *,
        retry_failed: bool = False,
        remove_missing: bool = False,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> IndexReport:
        """Bring the bank up to date with a folder; see `ingest.pipeline.index_folder`."""
        from briefbank.ingest.pipeline import index_folder

        return index_folder(
            self._layout,
            self._settings,
            folder,
            retry_failed=retry_failed,
            remove_missing=remove_missing,
            reporter=reporter,
            cancel=cancel or CancelToken(),
        )

    def search(self, query: Query) -> SearchResult:
        """Search the live generation; a newly published one is taken up by itself.

        Raises:
            UsageError: the query is empty or its limits make no sense.
            BankMissingError, BankDamagedError, ModelError: there is no index, or it cannot be used.
        """
        if query.top_k < 1:
            raise UsageError("At least one passage must be asked for.", "Give --top-k 1 or more.")
        filters = query.filters
        if filters.since and filters.until and filters.since > filters.until:
            raise UsageError(
                f"No date is both after {filters.since} and before {filters.until}.", "Swap the two dates."
            )
        return self._live_engine().search(query)

    def passage(self, passage_id: str, *, context: int = 1) -> PassageInContext:
        """Return a passage with up to `context` neighbours on each side.

        Raises:
            UsageError: there is no such passage in the live generation.
        """
        generation = self._live_generation()
        passage = generation.passage(passage_id)
        if passage is None:
            advice = "Ids change when a brief changes: search again, and use the id shown then."
            raise UsageError(f"There is no passage {passage_id} in the live index.", advice)
        near = generation.neighbours(passage, max(context, 0))
        return PassageInContext(
            next(each for each in generation.documents if each.id == passage.document_id),
            tuple(each for each in near if each.order < passage.order),
            passage,
            tuple(each for each in near if each.order > passage.order),
        )

    def documents(self) -> tuple[Document, ...]:
        """Return every document, newest first, undated ones last."""
        known = self._live_generation().documents
        dated = sorted((each for each in known if each.filed), key=lambda each: (each.metadata.filed.value, each.id))  # type: ignore[union-attr]
        return (*reversed(dated), *sorted((each for each in known if not each.filed), key=lambda each: each.id))

    def status(self) -> BankStatus:
        """Return what the bank holds and which files failed."""
        from briefbank.index.generation import read_info
        from briefbank.index.publish import live_generation
        from briefbank.ingest.pipeline import failure_of

        live = self._layout.current()
        info = read_info(live_generation(self._layout)) if live else None
        entries = self._ledger_entries()
        names = (path.name for path in self._layout.generations.iterdir())
        return BankStatus(
            bank=str(self._layout.root),
            format=f"{FORMAT_MAJOR}.{FORMAT_MINOR}",
            generation=live,
            other_generations=tuple(sorted(name for name in names if name != live and "." not in name)),
            documents=info.document_count if info else 0,
            passages=info.passage_count if info else 0,
            encoder=info.encoder_digest if info else "",
            precision=info.encoder_precision if info else "",
            files=len(entries),
            failures=tuple(failure_of(entry) for entry in entries if entry.is_failed),
            bytes=sum(_size_bytes(path) for path in self._layout.root.rglob("*") if path.is_file()),
        )

    def check(self) -> list[BankFinding]:
        """Verify digests, counts and cross-references of everything that searching needs."""
        return list(self._findings())

    def rollback(self) -> str:
        """Make the generation before the live one live; returns its name.

        Raises:
            BankInUseError: an index run is going on.
            BankMissingError: there is no earlier generation.
        """
        from briefbank.files import writer_lock
        from briefbank.index.publish import rollback

        with writer_lock(self._layout.lock_file):
            return rollback(self._layout)

    def _findings(self) -> Iterator[BankFinding]:
        from briefbank.encode import load_query_encoder
        from briefbank.index.generation import read_info, verify_generation
        from briefbank.index.publish import live_generation

        try:
            folder = live_generation(self._layout)
        except BriefBankError as problem:
            yield BankFinding("current", problem.message, problem.advice)
            return
        damage = list(verify_generation(folder))
        for finding in damage:
            yield BankFinding(f"generation {folder.name}", finding.message, finding.advice)
        try:
            digest = read_info(folder).encoder_digest
            load_query_encoder(self._layout.encoders / digest, digest)
        except BriefBankError as problem:
            yield BankFinding("encoder", problem.message, problem.advice)
        try:
            entries = self._ledger_entries()
        except BriefBankError as problem:
            yield BankFinding("ledger", problem.message, problem.advice)
            return
        if damage:
            return
        indexed = {document.sha256: document for document in self._live_generation().documents}
        known = {entry.sha256: entry for entry in entries if entry.sha256 and not entry.is_failed}
        for sha256 in indexed.keys() - known.keys():
            advice = "Index its folder again; it is either read again or dropped."
            yield BankFinding("ledger", f"Document {indexed[sha256].id} is indexed but not in the ledger.", advice)
        for sha256 in known.keys() - indexed.keys():
            advice = "Index its folder again; a run that was interrupted is completed by that."
            yield BankFinding("ledger", f"{known[sha256].path} was read but is not in the live index.", advice)

    def _ledger_entries(self) -> list[LedgerEntry]:
        from briefbank.ingest.ledger import Ledger

        with Ledger(self._layout.ledger_file) as ledger:
            return list(ledger.entries().values())

    def _live_generation(self) -> Generation:
        """Open the live generation once; again, and the engine with it, when another one was published."""
        from briefbank.index.generation import Generation
        from briefbank.index.publish import live_generation

        if self._generation is None or self._generation.name != self._layout.current():
            self._generation, self._engine = Generation.open(live_generation(self._layout)), None
        return self._generation

    def _live_engine(self) -> SearchEngine:
        from briefbank.encode import load_query_encoder
        from briefbank.search.engine import SearchEngine

        generation = self._live_generation()
        if self._engine is None:
            digest = generation.info.encoder_digest
            encoder = load_query_encoder(self._layout.encoders / digest, digest)
            self._engine = SearchEngine(generation, encoder, self._settings)
        return self._engine


def _size_bytes(file: Path) -> int:
    """The size of a file, or 0 where an index run has just removed it."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
