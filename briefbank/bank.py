"""The bank: the one door for window and command line. Each part of it is opened when it is first needed.

Holds no work of its own: each method names the room that does it. All of them raise BankMissingError, BankDamagedError
or BankNewerError where the bank or its live generation cannot be used; those that search also ModelError.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Self

from briefbank.cautions import cautions_of
from briefbank.defaults import ARGUMENTS_SHOWN
from briefbank.errors import SettingsError, UsageError
from briefbank.opened import OpenedParts
from briefbank.platform.disk import disk_guard
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken, Reporter, silent
from briefbank.platform.settings import Settings, read_settings
from briefbank.records import Document, Passage, Query, SearchResult, Span
from briefbank.reports import (
    AlertMark,
    ArgumentOrder,
    ArgumentsFound,
    AuthorityCard,
    BankFinding,
    BankStatus,
    DocumentPages,
    DraftReport,
    Extract,
    Facets,
    IndexReport,
    OutlineEntry,
    PageImage,
    PageText,
    PassageInContext,
    PassageMarks,
    SummariesReport,
    WordsInDocument,
)
from briefbank.unreadable import UnreadableFiles

if TYPE_CHECKING:
    from briefbank.judgements.learn.judgements import BeirFolder, LogOfFeedback
    from briefbank.judgements.learn.run import LearnReport
    from briefbank.judgements.pooling.pool import Pooler
    from briefbank.judgements.synthesize import SynthesisReport
    from briefbank.office.packs.install import InstallReport
    from briefbank.office.packs.write import PackReport
    from briefbank.office.repair.mend import RepairReport
    from briefbank.reports import SummaryModel, SummaryPart
    from briefbank.search.alerts import Alert
    from briefbank.search.directive_alerts import ProposedAlert


class Bank:
    """One bank on a local disk. Searching only reads; indexing writes a new generation and publishes it last.

    The methods stand in the order of who uses them: defenders, IT where the bank is indexed, IT everywhere, and whoever
    measures the search. Ids are those of the live generation; pages are counted from 1, offsets in texts from 0.
    """

    def __init__(self, layout: Layout, settings: Settings, *, is_pinned: bool = False) -> None:
        self._layout = layout
        self._settings = settings
        self._opened = OpenedParts(layout, settings, is_pinned=is_pinned)

    @classmethod
    def open(cls, root: Path, *, is_pinned: bool = False) -> Self:
        """Open an existing bank. A pinned one keeps the generation that it opens first, whatever is published later.

        Raises:
            BankMissingError, BankNewerError, BankDamagedError, SettingsError: as their names say.
        """
        layout = Layout(root)
        layout.require()
        return cls(layout, read_settings(layout.settings_file), is_pinned=is_pinned)

    @classmethod
    def create(cls, root: Path, source: Path | None = None) -> Self:
        """Open a bank, making an empty one where there is none; nothing is made if `source` cannot be indexed into it.

        Raises:
            NoSpaceError: the disk is full; and as `open` and `ingest.discover.require_source`.
        """
        from briefbank.ingest.discover import require_source

        if source is not None:
            require_source(source, root)
        with disk_guard(root, "making the bank"):
            Layout(root).create()
        return cls.open(root)

    def __enter__(self) -> Self:
        """Return itself; what runs beside it ends with the block."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all that it opened and end the language models that it started. Used again, it opens what it needs."""
        self._opened.close()

    # What defenders do: search and read.

    def search(self, query: Query) -> SearchResult:
        """Search the live generation; a newly published one is taken up by itself.

        Raises:
            UsageError: the query is empty or its limits make no sense.
        """
        return self._opened.engine().search(query)

    def passage(self, passage_id: str, *, context: int = 1) -> PassageInContext:
        """Return a passage with up to `context` neighbours on each side.

        Raises:
            UsageError: there is no such passage in the live generation.
        """
        generation = self._opened.generation()
        passage = generation.passage(passage_id)
        if passage is None:
            advice = "Ids change when a brief changes: search again, and use the id shown then."
            raise UsageError(f"There is no passage {passage_id} in the live index.", advice)
        found = generation.in_context(passage, max(context, 0))
        cautions = {each.id: self._cautions(each) for each in (*found.before, passage, *found.after)}
        return replace(found, cautions={each: lines for each, lines in cautions.items() if lines})

    def first_passage(self, document_id: str) -> PassageInContext:
        """Return the passage with which a document begins.

        Raises:
            UsageError: there is no such document in the live generation, or no text in it.
        """
        passages = self._opened.generation().passages_of(document_id)
        if not passages:
            advice = "Ids change when a brief changes: list the documents again, and use the id shown then."
            raise UsageError(f"There is no document {document_id} with text in the live index.", advice)
        return self.passage(passages[0].id, context=0)

    def passages_of(self, document_id: str) -> tuple[Passage, ...]:
        """Return all passages of a document in their order; none where there is no such document."""
        return tuple(self._opened.generation().passages_of(document_id))

    def passages_as_shown(self, shown: Collection[tuple[str, str]]) -> dict[tuple[str, str], Passage]:
        """Return the passages that were shown under these ids and text digests, wherever their texts stand now; what
        is gone is absent. See `judgements.feedback.opinions`.
        """
        from briefbank.judgements.feedback.opinions import passages_as_shown

        return passages_as_shown(self._opened.generation(), shown)

    def find_words(self, document_id: str, text: str) -> WordsInDocument:
        """Return every place of a document at which words stand; see `search.in_document`.

        Raises:
            UsageError: there is no such document in the live generation, or the text holds no word.
        """
        return self._opened.document_words(document_id).find(text)

    def own_words(self, passage_id: str) -> tuple[Extract, ...]:
        """Return what the passage's brief says of itself, word for word and in document order.

        Raises:
            UsageError: there is no such passage in the live generation.
        """
        from briefbank.search.own_words import own_words

        passage = self.passage(passage_id, context=0).passage
        return own_words(passage, self._opened.generation().passages_of(passage.document_id), self._cautions)

    def _cautions(self, passage: Passage) -> tuple[str, ...]:
        """What must stay with the words of a passage of the live generation."""
        row = self._opened.generation().dense.row_of(passage.id)
        return cautions_of(passage, () if row is None else self._opened.alerted_rows().warnings(row))

    def documents(self) -> tuple[Document, ...]:
        """Return every document, newest first, undated ones last."""
        return self._opened.generation().newest_first()

    def arguments(
        self, text: str = "", *, order: ArgumentOrder | None = None, top_k: int = ARGUMENTS_SHOWN
    ) -> ArgumentsFound:
        """Return the point headings of the briefs in groups of like ones: all, or those that answer a text; see
        `search.arguments.ArgumentIndex.find`.

        Raises:
            UsageError: `top_k` is below 1, the text holds no word, or there is no best one without a text.
        """
        return self._opened.arguments().find(text, order, top_k)

    def facets(self) -> Facets:
        """Return what a search can be narrowed to, each value with the number of its documents."""
        from briefbank.search.facets import facets_of

        return facets_of(self._opened.generation())

    def unreadable(self) -> UnreadableFiles | None:
        """Return the files that the live generation lacks because they could not be read; None where that is unknown,
        since an older program wrote it.
        """
        return self._opened.generation().unreadable

    def case_names(self) -> frozenset[str]:
        """Return the cases that any document cites with their reporter, as `state v carty`."""
        authorities = self._opened.generation().authorities
        return authorities.case_names() if authorities else frozenset()

    def summary(
        self, passage_id: str, on_part: Callable[[SummaryPart], None], cancel: CancelToken | None = None
    ) -> SummaryModel:
        """Tell a passage's checked summary part by part, and return which model wrote it; see `Summarizer.show`.

        Raises:
            UsageError: there is no such passage.
            ModelError, CancelledError: there is none yet, and it could not be written.
        """
        passage = self.passage(passage_id, context=0).passage
        summarizer, passages = self._opened.summarizer(), self.passages_of(passage.document_id)
        return summarizer.show(passage, passages, on_part, cancel or CancelToken())

    def document_pages(self, document_id: str) -> DocumentPages:
        """Return the sizes of a document's pages in points, and whether they are as filed.

        Raises:
            UsageError: there is no such document.
        """
        return self._opened.page_renderer().document_pages(document_id)

    def page_image(self, document_id: str, number: int, scale: float) -> PageImage:
        """Render a page at `scale` pixels a point.

        Raises:
            UsageError: there is no such page, or the scale makes no sense.
            SourceError: it cannot be rendered.
        """
        return self._opened.page_renderer().page_image(document_id, number, scale)

    def page_text(self, document_id: str, number: int) -> PageText:
        """Return the words of a page with their boxes in points, in reading order; raises as `page_image`."""
        return self._opened.page_renderer().page_text(document_id, number)

    def marks(self, passage_id: str, matches: tuple[Span, ...]) -> PassageMarks:
        """Return where a passage stands on its pages, and where in it each span of its text does, in points.

        Raises:
            UsageError: there is no such passage.
            SourceError: its pages cannot be read.
        """
        return self._opened.page_renderer().marks(passage_id, matches)

    def outline(self, document_id: str) -> tuple[OutlineEntry, ...]:
        """Return the headings of a document, with where each stands on its pages as `document_pages` has them.

        Raises:
            UsageError: there is no such document.
            SourceError: its pages cannot be read.
        """
        return self._opened.page_renderer().outline(document_id)

    def italics(self, passage_id: str) -> tuple[Span, ...] | None:
        """Return which ranges of a passage's text are italic as filed; None where nothing tells. Raises as `marks`."""
        return self._opened.page_renderer().italics(passage_id)

    def alert_marks(self, document_id: str) -> tuple[AlertMark, ...]:
        """Return where on a document's pages it cites what the office's list warns of; raises as `marks`."""
        alerted, generation = self._opened.alerted_rows(), self._opened.generation()
        found = []
        for passage in generation.passages_of(document_id):
            row = generation.dense.row_of(passage.id)
            for warning, spans in alerted.citations(row) if row is not None else ():
                marks = self._opened.page_renderer().marks(passage.id, spans)
                found.append(AlertMark(warning, tuple(chain.from_iterable(marks.matches)), marks.outline))
        return tuple(found)

    # Opened ahead of time, so that the first search, page and summary come at once.

    def warm(self) -> str:
        """Open what a search needs and search once, so that the next search is quick; returns the generation's name."""
        self._opened.engine().warm()
        return self._opened.generation().name

    def warm_pages(self) -> None:
        """Open what showing a page needs."""
        self._opened.page_renderer()

    def warm_summaries(self) -> None:
        """Open what showing a kept summary needs, so that the first one comes at once; raises as `warm`."""
        from briefbank.law.grounding import Source

        self._opened.generation()
        Source("State v. Carty, 170 N.J. 632 (2002)").doubts("")

    # What IT does on the machine that indexes.

    def index(
        self,
        folder: Path,
        *,
        retry_failed: bool = False,
        remove_missing: bool = False,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> IndexReport:
        """Bring the bank up to date with a folder; see `ingest.pipeline.index_folder`.

        Raises:
            UsageError: the bank was installed from a pack; and as there.
        """
        from briefbank.ingest.pipeline import index_folder
        from briefbank.office.provenance import require_not_installed
        from briefbank.office.repair.seals import seal

        require_not_installed(self._layout)
        report = index_folder(
            self._layout,
            self._settings,
            folder,
            retry_failed=retry_failed,
            remove_missing=remove_missing,
            reporter=reporter,
            cancel=cancel or CancelToken(),
        )
        if self._layout.summaries_file.is_file():
            self._opened.summarizer().cache.keep_only({document.id for document in self._opened.generation().documents})
        if report.published:
            seal(self._layout)
        return report

    def break_lock(self) -> str:
        """Take the writer's lock from a program that left it; returns who that was. See `lock.break_lock`."""
        from briefbank.platform.lock import break_lock

        return break_lock(self._layout.lock_file)

    def summarize(
        self, document_id: str = "", *, reporter: Reporter = silent, cancel: CancelToken | None = None
    ) -> SummariesReport:
        """Write the summaries of one document, or of all (""), ahead of time; see `summaries.precompute`.

        Raises:
            UsageError: there is no such document.
            LanguageModelError, CancelledError: as their names say; what was written is kept.
        """
        from briefbank.summaries.precompute import precompute

        with closing(self._opened.summarizer()) as summarizer:
            return precompute(summarizer, self._opened.generation(), document_id, reporter, cancel or CancelToken())

    def card(self, text: str) -> AuthorityCard:
        """Return what the bank knows of the authority that a text names: a citation, a rule, or the name of a case.

        Raises:
            UsageError: the text names no authority, or several.
        """
        from briefbank.search.card import authority_card

        generation = self._opened.generation()
        return authority_card(text, generation, self._opened.alert_list(generation.folder).alerts)

    def check_draft(self, path: Path, *, reporter: Reporter = silent, cancel: CancelToken | None = None) -> DraftReport:
        """Hold a draft against the bank; it is read into memory, and nothing of it is kept. See `search.draft.check`.

        Raises:
            SourceError: the draft cannot be read.
            CancelledError: asked to stop.
        """
        from briefbank.search.draft.check import DraftChecker

        engine, generation = self._opened.engine(), self._opened.generation()
        alerts = self._opened.alert_list(generation.folder).alerts
        checker = DraftChecker(generation, engine, alerts, self._settings)
        return checker.check(path, reporter, cancel or CancelToken())

    def alerts(self) -> dict[Alert, int]:
        """Return the office's alerts that serve, each with how many passages cite the authority; raises as `search`."""
        return self._opened.alerted_rows().counts

    def proposed_alerts(self) -> tuple[ProposedAlert, ...]:
        """Return what the office's directives say against authorities that its list lacks; raises as `search`."""
        from briefbank.search.directive_alerts import proposed_alerts

        generation = self._opened.generation()
        return proposed_alerts(generation, self._opened.alert_list(generation.folder).alerts)

    def alert_problems(self) -> tuple[SettingsError, ...]:
        """Return what is wrong with the office's list: rows that do not serve, or all of it; raises as `search`."""
        return self._opened.alert_list(self._opened.folder()).problems

    def set_alerts(self, table: Path) -> None:
        """Take a CSV table as the office's list of alerts, in force at once; see `search.alerts.replace_alerts`.

        Raises:
            UsageError: the bank was installed from a pack, whose list it is; and as there.
        """
        from briefbank.office.provenance import require_not_installed
        from briefbank.office.repair.seals import seal_file
        from briefbank.search.alerts import replace_alerts

        require_not_installed(self._layout)
        replace_alerts(table, self._layout.alerts_file, self._layout.citations_file)
        seal_file(self._layout, self._layout.alerts_file)

    def pack(
        self,
        out: Path,
        key: Path | None = None,
        passphrase: bytes | None = None,
        *,
        since: str = "",
        with_models: bool = False,
        with_summaries: bool = True,
        volume_bytes: int | None = None,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> PackReport:
        """Write a pack of the live generation, signed with the office's key or that of the file `key`.

        `since` names an earlier pack or generation, of which only the changes are packed; a part has at most
        `volume_bytes`. See `office.packs.write.write_pack`.

        Raises:
            UsageError: `out` is there already, there is no such key, or `since` names nothing.
            SettingsError: a list of the office that the bank had is gone, or no file: laptops would lose it.
            NoSpaceError, DiskError, CancelledError: as their names say; nothing is left behind.
        """
        from briefbank.models.installed import models_folder
        from briefbank.office.packs.signing_keys import load_private_key
        from briefbank.office.packs.volumes import LARGEST_VOLUME_BYTES
        from briefbank.office.packs.write import write_pack
        from briefbank.office.repair.seals import require_lists

        require_lists(self._layout)
        return write_pack(
            self._layout,
            out,
            load_private_key(key, passphrase),
            since=since,
            models=models_folder() if with_models else None,
            with_summaries=with_summaries,
            volume_bytes=volume_bytes or LARGEST_VOLUME_BYTES,
            reporter=reporter,
            cancel=cancel,
        )

    # What IT does on every machine.

    @staticmethod
    def install(
        root: Path,
        pack: Path,
        *,
        trust: Path | None = None,
        allow_older: bool = False,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> InstallReport:
        """Install a pack into the bank at `root`, made where there is none; `trust` is a key to believe for this pack.

        Raises:
            PackError, UsageError, BankInUseError, NoSpaceError, DiskError, CancelledError: see
                `office.packs.install.install_pack`. In every case the bank searches as before.
        """
        from briefbank.office.packs.install import install_pack
        from briefbank.office.repair.seals import seal, seals_file
        from briefbank.platform.files import remove_unfinished

        report = install_pack(root, pack, trust=trust, allow_older=allow_older, reporter=reporter, cancel=cancel)
        if report.is_new:
            seal(Layout(root))
        else:  # an install of the same pack may have been killed while it sealed
            remove_unfinished(seals_file(Layout(root)))
        return report

    def status(self) -> BankStatus:
        """Return what the bank holds, how large it is in bytes, which files failed, and which pack it came as."""
        from briefbank.office.status import status_of

        problems = self._opened.alert_list(self._opened.folder()).notices if self._layout.current() else ()
        return status_of(self._layout, problems)

    def check(self) -> list[BankFinding]:
        """Verify digests, counts and cross-references of the whole bank; empty where it is sound."""
        from briefbank.office.repair.check import check, not_in_force

        found = check(self._layout)
        if any(finding.is_damage for finding in found) or not self._layout.current():
            return found
        return [*found, *not_in_force(self._layout, self.alert_problems())]

    @staticmethod
    def repair(root: Path, *, reporter: Reporter = silent, cancel: CancelToken | None = None) -> RepairReport:
        """Mend the bank at `root` as far as that is possible without the source files, and check it again.

        Raises:
            BankInUseError, NoSpaceError, CancelledError: as their names say; what was mended is kept.
        """
        from briefbank.office.repair.mend import repair

        return repair(Layout(root), reporter=reporter, cancel=cancel)

    def rollback(self) -> str:
        """Make the generation before the live one live, and return its name; see `index.publish.roll_back`."""
        from briefbank.index.publish import roll_back

        return roll_back(self._layout)

    # What is done to measure the search, and to improve it.

    def pooler(self, runs: Sequence[Path] = ()) -> Pooler:
        """Return what gathers passages to be graded; `runs` are further rankings of them, in TREC format.

        Raises:
            SourceError: a run cannot be read; and as `search`.
        """
        from briefbank.judgements.pooling.pool import open_pooler

        return open_pooler(self._opened.generation(), self._opened.engine(), self._layout.encoders, runs)

    def synthesize(
        self, out: Path, *, count: int, seed: int, reporter: Reporter = silent, cancel: CancelToken | None = None
    ) -> SynthesisReport:
        """Have a language model make up `count` questions for passages, and write them as a BEIR folder.

        Raises:
            UsageError, SourceError, LanguageModelError, NoSpaceError, CancelledError: see `judgements.synthesize`.
        """
        from briefbank.judgements.synthesize import require_possible, synthesize, tools_for

        require_possible(out, count)
        with tools_for(self._opened.generation(), self._opened.engine(), self._settings) as tools:
            return synthesize(tools, out, count=count, seed=seed, reporter=reporter, cancel=cancel or CancelToken())

    def learn(
        self,
        source: LogOfFeedback | BeirFolder,
        *,
        seed: int = 0,
        dry_run: bool = False,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> LearnReport:
        """Let judgements change the ranking where cross-validation shows that it helps; with `dry_run` only say so.

        Raises:
            UsageError: the bank was installed from a pack; and as `judgements.learn.run.learn`.
        """
        from briefbank.judgements.learn.run import learn
        from briefbank.office.provenance import require_not_installed

        if not dry_run:
            require_not_installed(self._layout)
        cancel = cancel or CancelToken()
        return learn(self._layout, self._settings, source, seed=seed, dry_run=dry_run, reporter=reporter, cancel=cancel)
