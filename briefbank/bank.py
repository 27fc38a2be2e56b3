"""The bank: all that a window or a command line may ask for. Opens parts only when they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from briefbank.errors import BriefBankError, UsageError
from briefbank.files import space_guard
from briefbank.layout import FORMAT_MAJOR, FORMAT_MINOR, Layout
from briefbank.progress import CancelToken, Reporter, silent
from briefbank.records import Document, Query, SearchResult, Span
from briefbank.reports import (
    BankFinding,
    BankStatus,
    DocumentPages,
    Extract,
    Facets,
    IndexReport,
    PageImage,
    PageText,
    PassageInContext,
    PassageMarks,
)
from briefbank.settings import Settings, read_settings

if TYPE_CHECKING:
    from briefbank.index.generation import Generation
    from briefbank.ingest.ledger import LedgerEntry
    from briefbank.pages.maker import PageMaker
    from briefbank.search.engine import SearchEngine


class Bank:
    """One bank on a local disk. Searching only reads; indexing writes a new generation and publishes it last."""

    def __init__(self, layout: Layout, settings: Settings, *, is_pinned: bool = False) -> None:
        self._layout = layout
        self._settings = settings
        self._is_pinned = is_pinned
        self._generation: Generation | None = None
        self._engine: SearchEngine | None = None
        self._pages: PageMaker | None = None

    @classmethod
    def open(cls, root: Path, *, is_pinned: bool = False) -> Bank:
        """Open an existing bank. A pinned one keeps the generation that it opens first, whatever is published later.

        Raises:
            BankMissingError, BankNewerError, BankDamagedError, SettingsError: as their names say.
        """
        layout = Layout(root)
        layout.require()
        return cls(layout, read_settings(layout.settings_file), is_pinned=is_pinned)

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

    def own_words(self, passage_id: str) -> tuple[Extract, ...]:
        """Return what the passage's brief says of itself, word for word and in document order.

        Raises:
            UsageError: there is no such passage in the live generation.
        """
        from briefbank.search.own_words import own_words

        passage = self.passage(passage_id, context=0).passage
        return own_words(passage, self._live_generation().passages_of(passage.document_id))

    def facets(self) -> Facets:
        """Return what a search can be narrowed to, with counts."""
        from briefbank.search.facets import facets_of

        return facets_of(self._live_generation())

    def document_pages(self, document_id: str) -> DocumentPages:
        """See `pages.maker.PageMaker.document_pages`."""
        return self._page_maker().document_pages(document_id)

    def page_image(self, document_id: str, number: int, scale: float) -> PageImage:
        """See `pages.maker.PageMaker.page_image`."""
        return self._page_maker().page_image(document_id, number, scale)

    def page_text(self, document_id: str, number: int) -> PageText:
        """See `pages.maker.PageMaker.page_text`."""
        return self._page_maker().page_text(document_id, number)

    def marks(self, passage_id: str, matches: tuple[Span, ...]) -> PassageMarks:
        """See `pages.maker.PageMaker.marks`."""
        return self._page_maker().marks(passage_id, matches)

    def warm(self) -> str:
        """Open what a search needs and search once, so that the next search is quick; returns the generation's name.

        Raises:
            BankMissingError, BankDamagedError, ModelError: there is no index, or it cannot be used.
        """
        self._live_engine().search(Query("warm"))
        return self._live_generation().name

    def warm_pages(self) -> None:
        """Open what showing a page needs.

        Raises:
            BankMissingError, BankDamagedError: there is no index, or it cannot be used.
        """
        self._page_maker()

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

    def _live_folder(self) -> Path:
        """The folder of the generation to use: the live one; where this bank is pinned, the one it holds."""
        from briefbank.index.publish import live_generation

        held = self._generation
        if held and (self._is_pinned or held.name == self._layout.current()):
            return held.folder
        return live_generation(self._layout)

    def _live_generation(self) -> Generation:
        """Open the live generation once; again, and the engine with it, when another one was published."""
        from briefbank.index.generation import Generation

        folder = self._live_folder()
        if self._generation is None or self._generation.folder != folder:
            self._generation, self._engine = Generation.open(folder), None
        return self._generation

    def _page_maker(self) -> PageMaker:
        from briefbank.pages.maker import PageMaker

        generation = self._live_generation()
        if self._pages is None or not self._pages.shows(generation):
            if self._pages is not None:
                self._pages.close()
            self._pages = PageMaker(generation, self._layout.cache_file)
        return self._pages

    def _live_engine(self) -> SearchEngine:
        from briefbank.encode import load_query_encoder
        from briefbank.index.generation import read_info
        from briefbank.search.engine import SearchEngine

        folder = self._live_folder()
        if self._engine and self._generation and self._generation.folder == folder:
            return self._engine
        digest = read_info(folder).encoder_digest
        with ThreadPoolExecutor(max_workers=1) as beside:  # most of what loading an encoder does is not Python
            encoder = beside.submit(load_query_encoder, self._layout.encoders / digest, digest)
            generation = self._live_generation()
        self._engine = SearchEngine(generation, encoder.result(), self._settings)
        return self._engine


def _size_bytes(file: Path) -> int:
    """The size of a file, or 0 where an index run has just removed it."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
