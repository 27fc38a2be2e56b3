"""What a bank has opened: its live generation, and what searches, renders and summarises over it.

Each part is opened when it is first needed, and again when another generation is published; never in the middle of an
operation, which keeps to one generation and one state of the office's lists. Must not know what people ask of a bank.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from briefbank.errors import BankMissingError, UsageError
from briefbank.platform.layout import Layout
from briefbank.platform.settings import Settings

if TYPE_CHECKING:
    from concurrent.futures import Future

    from briefbank.index.generation import Generation
    from briefbank.index.manifest import Finding
    from briefbank.models.encoders.port import Encoder
    from briefbank.pages.renderer import PageRenderer
    from briefbank.platform.progress import CancelToken
    from briefbank.search.aids import ModelAids
    from briefbank.search.alerts import AlertedRows, AlertList
    from briefbank.search.arguments import ArgumentIndex
    from briefbank.search.checklists.by_model import SentenceChooser
    from briefbank.search.checklists.checklist import ChecklistItem
    from briefbank.search.checklists.run import Checked
    from briefbank.search.engine import SearchEngine
    from briefbank.search.in_document import DocumentWords
    from briefbank.search.profiles.profile import ProfileStore
    from briefbank.search.profiles.ranking import PreparedProfile
    from briefbank.search.spelling import Speller
    from briefbank.search.summaries.summarizer import Summarizer
    from briefbank.search.unindexed import UnindexedFiles


_Bank = TypeVar("_Bank")
_Stamp = tuple[tuple[int, int], ...]
"""Time and size of the files that make up the office's lists."""


def each_of_one_state(bank: type[_Bank]) -> type[_Bank]:
    """Have every public method of a bank's class keep to one generation, whatever is published while it runs; a method
    that is added later is no exception. The bank has its parts in `_opened`.
    """
    for name, method in list(vars(bank).items()):
        if inspect.isfunction(method) and not name.startswith("_") and name != "close":
            setattr(bank, name, _of_one_state(method))
    return bank


def _of_one_state(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def run(bank: Any, *given: Any, **named: Any) -> Any:
        with bank._opened.held():  # noqa: SLF001 - of the bank that the method is of
            return method(bank, *given, **named)

    return run


class OpenedParts:
    """The parts of one bank. One that is pinned keeps the generation that it opens first."""

    def __init__(self, layout: Layout, settings: Settings, *, is_pinned: bool) -> None:
        """Open nothing yet."""
        from briefbank.judgements.corrections import Corrections, default_corrections

        self._layout = layout
        self._settings = settings
        self._is_pinned = is_pinned
        self._generation: Generation | None = None
        self._engine: SearchEngine | None = None
        self._arguments: ArgumentIndex | None = None
        self._aids: ModelAids | None = None
        self._is_held = False
        self._folder: Path | None = None
        self._stamp: _Stamp | None = None
        """What the operation at hand keeps to, once looked up: its generation, and the state of its lists."""
        self._lists: tuple[Path, _Stamp, AlertList] | None = None
        self._lists_stamp: _Stamp = ()
        self._encoder: Encoder | None = None
        self._speller: Speller | None = None
        self.corrections = Corrections(default_corrections())
        self._corrected_at = (0, 0)
        """The state of the corrections that the generation shows; at first there are none."""
        self._alerted: tuple[AlertedRows, Generation, AlertList] | None = None
        self._warning: tuple[Generation, AlertList, AlertList] | None = None
        """A generation, the office's list for it, and what warns in it (`alerts`)."""
        self._pages: PageRenderer | None = None
        self._summarizer: Summarizer | None = None
        self._words: DocumentWords | None = None
        self._words_in = ""
        """The name of the generation that `_words` are of."""

    def close(self) -> None:
        """Let go of all that was opened: tables, mapped files, encoder, pages, and the language models."""
        for each in (self._aids, self._summarizer, self._pages):
            if each:
                each.close()
        self._engine = self._aids = self._summarizer = self._pages = self._generation = self._encoder = None
        self._words = self._alerted = self._warning = self._arguments = self._speller = self._lists = None
        self._lists_stamp = ()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep to the generation and the lists that are used first, to the end of the block."""
        if self._is_held:
            yield
            return
        self._is_held, self._folder, self._stamp = True, None, None
        try:
            yield
        finally:
            self._is_held = False

    def alert_list(self, folder: Path) -> AlertList:
        """The office's list as it holds for the generation in `folder`; the one read last where that was removed.

        Raises:
            BankMissingError: it was removed before its list was read.
        """
        from briefbank.office.provenance import lists_of
        from briefbank.search.alerts import read_alerts

        stamp = self._stamp_of_lists(folder)
        if self._lists is None or self._lists[:2] != (folder, stamp):
            lists = lists_of(self._layout, folder)
            read = read_alerts(lists.alerts, lists.citations)
            if not folder.is_dir():  # its lists went with it, and none found is no list
                raise BankMissingError("The index was replaced while it was opened.", "Try again.")
            self._lists = folder, stamp, read
        return self._lists[2]

    def alerts(self) -> AlertList:
        """What warns in the live generation: the office's list, and what directives say of authorities that are not on
        it; anew where either has changed.
        """
        generation = self.generation()
        return self._alerts_of(generation, self.alert_list(generation.folder))

    def _alerts_of(self, generation: Generation, listed: AlertList) -> AlertList:
        from briefbank.search.directives import directive_alerts

        if self._warning is None or self._warning[0] is not generation or self._warning[1] is not listed:
            said = directive_alerts(generation, (*listed.alerts, *listed.silent))
            self._warning = generation, listed, replace(listed, alerts=(*listed.alerts, *said))
        return self._warning[2]

    def profiles(self) -> ProfileStore:
        """The issue profiles: those kept in this bank, and those that came with the generation."""
        from briefbank.office.provenance import lists_of
        from briefbank.search.profiles.profile import ProfileStore

        own = self._layout.profiles
        came = lists_of(self._layout, self.folder()).profiles if self._layout.current() else own
        return ProfileStore(tuple(dict.fromkeys((own, came))))

    def alerted_rows(self) -> AlertedRows:
        """Which passages of the generation cite what `alerts` names; anew where these have changed."""
        from briefbank.search.alerts import AlertedRows

        generation, alerts = self.generation(), self.alerts()
        if self._alerted is None or self._alerted[1] is not generation or self._alerted[2] is not alerts:
            self._alerted = AlertedRows(alerts.alerts, generation), generation, alerts
        return self._alerted[0]

    def folder(self) -> Path:
        """The folder of the generation to use: the live one; where this bank is pinned, the one it holds; in the middle
        of an operation the one that it began with.
        """
        if self._folder is None or not self._is_held:
            self._folder = self._look_up()
        return self._folder

    def _look_up(self) -> Path:
        from briefbank.index.publish import live_generation

        opened = self._generation
        if opened and (self._is_pinned or opened.name == self._layout.current()):
            return opened.folder
        return live_generation(self._layout)

    def generation(self) -> Generation:
        """Open the live generation once; again, and the engine with it, when another one was published. Its documents
        are as the user corrected them.
        """
        return self._generation_in(self.folder())

    def _generation_in(self, folder: Path, damage: Future[list[Finding]] | None = None) -> Generation:
        from briefbank.index.generation import Generation

        if self._generation is None or self._generation.folder != folder:
            self._generation, self._engine, self._arguments = Generation.open(folder, damage), None, None
            self._encoder, self._speller, self._corrected_at = None, None, (0, 0)
        if (state := self.corrections.state) != self._corrected_at:
            self._generation.dense.correct(self.corrections.of)
            self._engine, self._arguments, self._corrected_at = None, None, state
        return self._generation

    def document_words(self, document_id: str) -> DocumentWords:
        """The words of a document of the live generation; those of the last one asked for are kept.

        Raises:
            UsageError: there is no such document.
        """
        from briefbank.search.in_document import DocumentWords

        generation = self.generation()
        if self._words is None or (self._words_in, self._words.document_id) != (generation.name, document_id):
            passages = generation.passages_of(document_id)
            if not passages:
                advice = "Ids change when a brief changes: search again, and use the id shown then."
                raise UsageError(f"There is no document {document_id} with text in the live index.", advice)
            self._words, self._words_in = DocumentWords(document_id, passages), generation.name
        return self._words

    def arguments(self) -> ArgumentIndex:
        """The point headings of the live generation, read and grouped when they are first asked for; raises as
        `engine`.
        """
        from briefbank.search.arguments import ArgumentIndex

        engine = self.engine()
        if self._arguments is None:
            self._arguments = ArgumentIndex(self.generation(), engine.answering, self._settings.weak_below)
        return self._arguments

    def summarizer(self) -> Summarizer:
        """The summaries of this bank, with the language model that writes them."""
        from briefbank.search.summaries.summarizer import open_summarizer

        if self._summarizer is None:
            self._summarizer = open_summarizer(self._layout.summaries_file, self._settings)
        return self._summarizer

    def page_renderer(self) -> PageRenderer:
        """What renders pages of the live generation's documents."""
        from briefbank.office.provenance import sources_of
        from briefbank.pages.renderer import PageRenderer

        generation = self.generation()
        if self._pages is None or not self._pages.shows(generation):
            if self._pages is not None:
                self._pages.close()
            self._pages = PageRenderer(generation, self._layout.cache_file, sources_of(self._layout))
        return self._pages

    def engine(self) -> SearchEngine:
        """The search over the live generation, anew where that or a list of the office has changed.

        Raises:
            BankMissingError, BankDamagedError, ModelError: there is no index, or it cannot be used.
        """
        from briefbank.index.manifest import find_damage, read_info

        folder = self.folder()
        is_open = self._generation is not None and self._generation.folder == folder
        if is_open:
            self._generation_in(folder)  # with the corrections that were made since
        if self._engine and is_open and self._lists_stamp == self._stamp_of_lists(folder):
            return self._engine
        # Hashing and most of what loading an encoder does is not Python: libraries are imported meanwhile.
        with ThreadPoolExecutor(max_workers=2) as executor:
            damage = None if is_open else executor.submit(find_damage, folder)
            stamp = self._stamp_of_lists(folder)
            digest = read_info(folder).encoder_digest
            from briefbank.models.encoders import load_query_encoder

            load = partial(load_query_encoder, self._layout.encoders / digest, digest)
            encoder = executor.submit(load) if self._encoder is None or not is_open else None
            from briefbank.search.aids import load_aids
            from briefbank.search.engine import SearchEngine

            listed = self.alert_list(folder)
            generation = self._generation_in(folder, damage)  # of the list; another may be live by now
            alerts = self._alerts_of(generation, listed)
        if self._aids is None:
            self._aids = load_aids(self._settings)
        self._encoder = encoder.result() if encoder else self._encoder or load()
        self._engine = SearchEngine(generation, self._encoder, self._settings, alerts, self._aids, self._speller)
        self._speller = self._engine.speller
        self._lists_stamp = stamp
        return self._engine

    def encoder(self) -> Encoder:
        """The encoder of the live generation; raises as `engine`."""
        self.engine()
        if self._encoder is None:
            raise RuntimeError("an engine without an encoder")
        return self._encoder

    def engine_over(self, generation: Generation) -> SearchEngine:
        """The search over a generation in memory: with the alerts, models and spelling of the live one."""
        from briefbank.search.engine import SearchEngine

        engine, alerts = self.engine(), self.alerts()
        aids = {"aids": self._aids} if self._aids else {}
        return SearchEngine(generation, self.encoder(), self._settings, alerts, speller=engine.speller, **aids)

    def prepared_item(self, item: ChecklistItem) -> PreparedProfile:
        """An item of a checklist as a profile made ready. Raises UsageError where it names one that is not there."""
        from briefbank.search.checklists.run import profile_of

        return self.engine().prepared(profile_of(item, self.profiles().named))

    def checked(self, documents: Sequence[str] | UnindexedFiles | None) -> Checked:
        """What a checklist is run over: documents by their ids, opened files, or all documents, newest first.

        Raises:
            UsageError: there is no such document.
        """
        from briefbank.search.alerts import AlertedRows
        from briefbank.search.checklists.run import Checked, cautions_in
        from briefbank.search.scope import numbers_named

        live = self.generation()
        if documents is None or isinstance(documents, Sequence):
            numbers = () if documents is None else numbers_named(live.dense, documents)
            wanted = live.newest_first() if documents is None else tuple(live.documents[each] for each in numbers)
            return Checked(live, wanted, cautions_in(live, self.alerted_rows()))
        generation = documents.generation
        alerted = AlertedRows(self.alerts().alerts, generation)
        return Checked(generation, generation.documents, cautions_in(generation, alerted), is_of_files=True)

    @contextmanager
    def sentence_chooser(self, cancel: CancelToken, *, is_wanted: bool) -> Iterator[SentenceChooser | None]:
        """Yield what has the language model choose sentences, or None where it is not wanted.

        Raises:
            ModelError: there is no model for it.
        """
        if not is_wanted:
            yield None
            return
        from briefbank.models.installed import Role
        from briefbank.models.language import load_language_model
        from briefbank.search.checklists.by_model import SentenceChooser

        with closing(load_language_model(Role.EXTRACT, self._settings)) as model:
            yield SentenceChooser(model, self._settings.llm_time_limit_s, cancel)

    def _stamp_of_lists(self, folder: Path) -> _Stamp:
        """The state of the lists of a generation; where that was removed, a pinned bank goes on with those it read."""
        from briefbank.office.provenance import RECORD

        if self._is_held and self._stamp is not None:
            return self._stamp
        if self._lists and self._lists[0] == folder and not folder.is_dir():
            self._stamp = self._lists[1]
        else:
            self._stamp = tuple(map(_stamp, (self._layout.alerts_file, self._layout.citations_file, folder / RECORD)))
        return self._stamp


def _stamp(file: Path) -> tuple[int, int]:
    """Time and size of a file, by which a change is seen; zeros where there is none."""
    try:
        stat = file.stat()
    except FileNotFoundError:
        return 0, 0
    return stat.st_mtime_ns, stat.st_size
