"""What defenders ask of a bank: search, read and correct it, keep profiles, and hold drafts against it.

Each method calls the room that does the work, and opens what that needs when it is first asked for. All of them raise
BankMissingError, BankDamagedError or BankNewerError where the bank or its live generation cannot be used; those that
search also ModelError.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Self

from briefbank.bank.opened import OpenedParts, each_of_one_state
from briefbank.errors import BriefBankError, UsageError
from briefbank.matters.check_record import CheckRecord, RecordWish
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken, Reporter, silent
from briefbank.platform.settings import Settings, read_settings
from briefbank.values.authorities import (
    Addressed,
    AuthoritiesFound,
    AuthorityCard,
    Decision,
    DraftReport,
    SaidByDirective,
)
from briefbank.values.cautions import caution_lines, cautions_of
from briefbank.values.checklists import ChecklistReport, ChecklistsOffered
from briefbank.values.collected import Check, CollectedWords
from briefbank.values.defaults import ARGUMENTS_SHOWN, AUTHORITIES_SHOWN, NEWS_MOST
from briefbank.values.follows import Follow, News, marks_of
from briefbank.values.pages import (
    AlertMark,
    CitedOnPage,
    DocumentPages,
    OutlineEntry,
    PageImage,
    PageText,
    PassageMarks,
    Reference,
    Typography,
)
from briefbank.values.profiles import OfferedProfile, ProfilesOffered
from briefbank.values.reading import (
    ArgumentOrder,
    ArgumentsFound,
    Extract,
    Facets,
    PassageInContext,
    WordsInDocument,
)
from briefbank.values.record import CaseRecord
from briefbank.values.records import Band, Document, Passage, Query, SearchResult, Span
from briefbank.values.state import BankStatus
from briefbank.values.summaries import SummaryModel, SummaryPart
from briefbank.values.unreadable import UnreadableFiles

if TYPE_CHECKING:
    from briefbank.search.alerts import Alert
    from briefbank.search.checklists.checklist import Checklist
    from briefbank.search.profiles.profile import OwnProfiles, Profile, StoredProfiles
    from briefbank.search.profiles.ranking import PreparedProfile
    from briefbank.search.unindexed import UnindexedFiles


@each_of_one_state
class BankReader:
    """What defenders ask of one bank on a local disk. Changes no generation; corrections are kept apart, for the user.

    Ids are those of the live generation; pages are counted from 1, offsets in texts from 0.
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

    def __enter__(self) -> Self:
        """Return itself; what runs beside it ends with the block."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def require_index(self) -> None:
        """Raise BankMissingError where the bank holds no index yet."""
        self._opened.generation()

    def close(self) -> None:
        """Close all that it opened and end the language models that it started. Used again, it opens what it needs."""
        self._opened.close()

    def search(self, query: Query) -> SearchResult:
        """Search the live generation; a newly published one is taken up by itself.

        Raises:
            UsageError: the query is empty or its limits make no sense, or there is no such profile as it names.
        """
        if query.profile:
            result = self.search_by_profile(self.prepared_profile(self.profile(query.profile)), query)
        else:
            result = self._opened.engine().search(query)
        damage = self._opened.corrections.notices
        return replace(result, notices=result.notices + damage) if damage else result

    def addressed(self, query: Query) -> Addressed | None:
        """Return every brief that cites the authorities which a query asks for alone, with the steps to them; None
        where it asks for anything else. See `search.asked_authority`; raises as `search`.
        """
        return self._opened.engine().addressed(query)

    def news(self, log: Path) -> tuple[News, ...]:
        """Return what of each follow in a log stands in documents that the bank had not when it was looked at last;
        raises as `EventLog`.
        """
        from briefbank.matters.follows import follows_in

        return tuple(map(self._news_of, follows_in(log)))

    def follow(self, questions: Mapping[str, Query], log: Path) -> tuple[News, ...]:
        """Follow questions under their names from today on; returns as `news`."""
        from briefbank.matters.follows import FollowLog, seen_events

        known = marks_of(self._opened.generation().documents)
        with FollowLog(log) as opened:
            for name, query in questions.items():
                opened.append(seen_events(opened.events(), name, query, known))
        return self.news(log)

    def mark_seen(self, shown: Mapping[str, tuple[str, ...]], log: Path) -> tuple[News, ...]:
        """Mark documents as seen that were shown, by their ids, as new of what is followed under a name; those that
        were published since stay new. Returns as `news`.
        """
        from briefbank.matters.follows import FollowLog, follows_of, seen_events

        documents = self._opened.generation().documents
        with FollowLog(log) as opened:
            for each in follows_of(opened.events()):
                if each.name in shown:
                    still_new = {new.id for new in each.new_among(documents)}.difference(shown[each.name])
                    known = marks_of(document for document in documents if document.id not in still_new)
                    opened.append(seen_events(opened.events(), each.name, each.query, known))
        return self.news(log)

    def stop_following(self, name: str, log: Path) -> tuple[News, ...]:
        """Follow something no longer; returns as `news`."""
        from briefbank.matters.follows import FollowEnded, FollowLog, event

        with FollowLog(log) as opened:
            opened.append([event(FollowEnded(name))])
        return self.news(log)

    def _news_of(self, follow: Follow) -> News:
        new = tuple(each.id for each in follow.new_among(self._opened.generation().documents))
        wanted = set(new).intersection(follow.query.filters.documents or new)
        filters = replace(follow.query.filters, documents=tuple(sorted(wanted)))
        query = replace(follow.query, filters=filters, top_k=NEWS_MOST)
        if not wanted:
            return News(follow, 0, query)
        try:
            addressed = None if query.profile else self.addressed(query)
            if addressed is not None:
                return News(follow, sum(each.passage_count for each in addressed.briefs), query)
            count = sum(hit.band is not Band.WEAK for hit in self.search(query).hits)
            return News(follow, count, query)
        except BriefBankError as problem:
            return News(follow, 0, query, problem.message)

    def open_files(
        self, paths: Sequence[Path], *, reporter: Reporter = silent, cancel: CancelToken | None = None
    ) -> UnindexedFiles:
        """Read files that are in no bank into memory, to be searched as the live generation is; nothing is kept.

        Raises:
            SourceError: a file is missing, cannot be read, or is a scan.
            CancelledError: asked to stop.
        """
        from briefbank.search.unindexed import open_unindexed

        opened = self._opened
        encoder, bank = opened.encoder(), opened.generation()
        stop = cancel or CancelToken()
        return open_unindexed(paths, bank, encoder, self._settings, opened.engine_over, reporter, stop)

    def profiles(self) -> StoredProfiles:
        """Return the issue profiles of the bank, and what is wrong with those that cannot be used."""
        return self._opened.profiles().all()

    def own_profiles(self) -> OwnProfiles:
        """Return the issue profiles that this user made, beside those of the bank."""
        from briefbank.search.profiles.profile import OwnProfiles

        return OwnProfiles(self._opened.profiles())

    def profile(self, name: str) -> Profile:
        """Return an issue profile of the bank, or one of the user's own where the bank has none of that name.

        Raises:
            UsageError: there is none of that name.
            SettingsError, BankNewerError: its file cannot be used.
        """
        return self.own_profiles().named(name)

    def offered_profiles(self) -> ProfilesOffered:
        """Return the profiles that can be run: those of the bank and the user's own."""
        return self.own_profiles().offered()

    def profile_from_relevant(self, name: str, question: str, log: Path) -> Profile:
        """Return a profile of the passages that are marked relevant to a question in a log of feedback, as far as the
        bank still holds them.

        Raises:
            UsageError: there are none.
            SourceError, BankDamagedError, BankNewerError: the log cannot be read.
        """
        from briefbank.judgements.export.collection import relevant_passages
        from briefbank.search.profiles.profile import Profile, Sample

        passages = relevant_passages(log, question, self._opened.generation())
        return Profile(name, question, tuple(Sample(each.text, each.id) for each in passages))

    def keep_relevant(self, name: str, question: str, log: Path) -> OfferedProfile:
        """Keep what is marked relevant to a question as a profile of the user's own; see `profile_from_relevant`.

        Raises:
            UsageError: there is one of that name; and as there.
            NoSpaceError, DiskError, AccessError: it could not be kept.
        """
        return self.own_profiles().keep(self.profile_from_relevant(name, question, log))

    def remove_own_profile(self, name: str) -> None:
        """Remove a profile of the user's own. Raises UsageError where there is none of that name."""
        self.own_profiles().remove(name)

    def prepared_profile(self, profile: Profile) -> PreparedProfile:
        """Return a profile made ready to search the bank, or files that are in no bank; raises as `search`."""
        return self._opened.engine().prepared(profile)

    def search_by_profile(self, profile: PreparedProfile, query: Query) -> SearchResult:
        """Return what a profile finds, within the query's filters, which stand in the place of the profile's own where
        they set any; raises as `search`.
        """
        return self._opened.engine().by_profile(profile, query)

    def checklists(self) -> ChecklistsOffered:
        """Return the lists that come with the program, and the language model that could choose sentences for them."""
        from briefbank.search.checklists.checklist import offered

        return offered()

    def run_checklist(
        self,
        checklist: Checklist,
        documents: Sequence[str] | UnindexedFiles | None = None,
        *,
        with_model: bool = False,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> ChecklistReport:
        """Answer a checklist for documents by their ids, for opened files, or for all documents, newest first.

        `with_model`: the language model chooses the sentences. See `search.checklists.run`.

        Raises:
            UsageError: there is no such document, or no profile that an item names.
            ModelError: the language model is wanted and missing, or it cannot be used.
            CancelledError: asked to stop.
        """
        from briefbank.search.checklists.run import run_checklist

        stop = cancel or CancelToken()
        with self._opened.sentence_chooser(stop, is_wanted=with_model) as chooser:
            checked = self._opened.checked(documents)
            return run_checklist(checklist, checked, self._opened.prepared_item, chooser, reporter, stop)

    def passage(self, passage_id: str, *, context: int = 1) -> PassageInContext:
        """Return a passage with up to `context` neighbours on each side.

        Raises:
            UsageError: there is no such passage in the live generation, or `context` is below 0.
        """
        if context < 0:
            raise UsageError(f"No {context} neighbours can be shown.", "Ask for 0 or more on each side.")
        generation = self._opened.generation()
        passage = generation.passage(passage_id)
        if passage is None:
            advice = "Ids change when a brief changes: search again, and use the id shown then."
            raise UsageError(f"There is no passage {passage_id} in the live index.", advice)
        found = generation.in_context(passage, context)
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

    def check_collected(self, words: tuple[CollectedWords, ...], *, with_pages: bool = False) -> tuple[Check, ...]:
        """Look collected words up as the live generation and today's lists have them; see `matters.checked`.

        `with_pages`: files may be opened, for words that were selected over the edge of a page.
        """
        from briefbank.matters.checked import check_words

        generation = self._opened.generation()
        alerts = self._opened.alerts()
        return check_words(
            words,
            generation.documents,
            generation.passages_of,
            self._cautions,
            lambda text: caution_lines(alerts.warnings_in(text), None),
            self._words_on if with_pages else None,
        )

    def _words_on(self, document_id: str, number: int) -> str:
        try:
            return " ".join(word.text for word in self.page_text(document_id, number).words)
        except BriefBankError:
            return ""

    def passages_as_shown(self, shown: Collection[tuple[str, str]]) -> dict[tuple[str, str], Passage]:
        """Return the passages that were shown under these ids and text digests, wherever their texts stand now; what
        is gone is absent. See `judgements.export.collection`.
        """
        from briefbank.judgements.export.collection import passages_as_shown

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
        from briefbank.search.in_document import own_words

        passage = self.passage(passage_id, context=0).passage
        return own_words(passage, self._opened.generation().passages_of(passage.document_id), self._cautions)

    def _cautions(self, passage: Passage) -> tuple[str, ...]:
        """What must stay with the words of a passage of the live generation."""
        row = self._opened.generation().dense.row_of(passage.id)
        return cautions_of(passage, () if row is None else self._opened.alerted_rows().warnings(row))

    def documents(self) -> tuple[Document, ...]:
        """Return every document, newest first, undated ones last."""
        return self._opened.generation().newest_first()

    def correct(self, document_id: str, name: str, value: str) -> Document:
        """Correct a field of a document for good, and return the document as it is shown from now on.

        Raises:
            UsageError: there is no such document or field, or the value makes no sense.
            NoSpaceError, DiskError, BriefBankError: it could not be kept.
        """
        written = self._opened.generation().dense.written_documents
        document = next((each for each in written if each.id == document_id), None)
        if document is None:
            advice = "It left the index meanwhile: look for it in the table again."
            raise UsageError(f"There is no document {document_id} in the live index.", advice)
        self._opened.corrections.add(document, name, value)
        return self._opened.corrections.of(document)

    def export_corrections(self, out: Path) -> int:
        """Write the corrections that hold as a `briefbank.csv` for IT; see `Corrections.write_table`.

        Raises:
            NoSpaceError, DiskError, OSError: it could not be written.
        """
        return self._opened.corrections.write_table(self._opened.generation().dense.written_documents, out)

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
        from briefbank.search.present import facets_of

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

    def show_others(self, files: tuple[tuple[Document, tuple[Passage, ...]], ...]) -> None:
        """Have the pages of files that are in no bank shown as those of documents are, in the place of such files
        before; known until the index is renewed, and kept nowhere.
        """
        self._opened.page_renderer().show_others(files)

    def may_open(self, source_path: str) -> bool:
        """Return whether the file of a brief may be opened on this computer; see `office.provenance.sources_of`."""
        from briefbank.office.provenance import sources_of

        return sources_of(self._layout)(source_path)

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

    def references(self, document_id: str) -> tuple[Reference, ...]:
        """Return what in a document refers to another place of it, in the order of its text; see `references.resolve`.

        Raises:
            UsageError: there is no such document with text in the live generation.
        """
        from briefbank.pages.references.resolve import references_in

        document = self.first_passage(document_id).document
        return tuple(references_in(self.passages_of(document_id), document.page_runs or ()))

    def typography(self, passage_id: str, text: str) -> Typography:
        """Return how a passage's `text` is printed as filed; nothing is known of it where the index was renewed and its
        passage of this id has another text. Raises as `marks`.
        """
        return self._opened.page_renderer().typography(passage_id, text)

    def alert_marks(self, document_id: str) -> tuple[AlertMark, ...]:
        """Return where on a document's pages it cites what the office's list warns of; raises as `marks`."""
        from briefbank.values.pages import AlertMark

        alerted, generation = self._opened.alerted_rows(), self._opened.generation()
        found = []
        for passage in generation.passages_of(document_id):
            row = generation.dense.row_of(passage.id)
            for warning, spans in alerted.citations(row) if row is not None else ():
                marks = self._opened.page_renderer().marks(passage.id, spans)
                found.append(AlertMark(warning, tuple(chain.from_iterable(marks.matches)), marks.outline))
        return tuple(found)

    def cited_on(self, document_id: str, number: int) -> tuple[CitedOnPage, ...]:
        """Return the authorities that a page of a document cites, in the order of the page; raises as `page_text`."""
        from briefbank.pages.citations import cited_on

        return cited_on(self._opened.generation(), self._opened.page_renderer(), document_id, number)

    def card(self, text: str) -> AuthorityCard:
        """Return what the bank knows of the authority that a text names: a citation, a rule, or the name of a case.

        Raises:
            UsageError: the text names no authority, or several.
        """
        from briefbank.search.card import authority_card

        generation = self._opened.generation()
        return authority_card(text, generation, self._opened.alert_list(generation.folder).alerts)

    def authorities(self, text: str = "", *, top_k: int = AUTHORITIES_SHOWN) -> AuthoritiesFound:
        """Return the authorities in whose names the words of a text stand, or their beginnings, the most cited first;
        those that are known by a name alone are not among them.
        """
        from briefbank.search.asked_authority import authorities_with

        return authorities_with(text, self._opened.generation().authorities, top_k)

    def listed_alerts(self) -> tuple[Alert, ...]:
        """Return the office's list alone, with those of whom nobody is to be warned; raises as `search`."""
        listed = self._opened.alert_list(self._opened.folder())
        return (*listed.alerts, *listed.silent)

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

    def said_by_directives(self) -> tuple[SaidByDirective, ...]:
        """Return what directives say of authorities, each sentence with what the office's list makes of it."""
        from briefbank.search.directives import DirectiveTable

        return DirectiveTable(self._opened.generation(), self.listed_alerts()).rows()

    def decide_on_directive(self, authority: str, words: str, decision: Decision) -> None:
        """Put a directive's sentence on the office's list, silence it, or leave its authority to the directives again;
        in force at once.

        Raises:
            UsageError: see `search.directives.DirectiveTable.decided`; and as `set_alerts`.
            SettingsError: a row of the list cannot be read, which would be lost.
        """
        from briefbank.search.directives import DirectiveTable, table

        if problems := self._opened.alert_list(self._opened.folder()).problems:
            raise problems[0]
        decided = DirectiveTable(self._opened.generation(), self.listed_alerts()).decided(authority, words, decision)
        with TemporaryDirectory() as scratch:
            Path(scratch, "alerts.csv").write_text(table(decided, ()), encoding="utf-8")
            self.set_alerts(Path(scratch, "alerts.csv"))

    def check_draft(
        self,
        path: Path,
        record: CaseRecord | None = None,
        *,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> DraftReport:
        """Hold a draft against the bank, and its cites of the record against that; both are read into memory, and
        nothing of them is kept. See `search.draft.check`.

        Raises:
            SourceError: the draft or the folder of the record cannot be read.
            UsageError: a file that was named for a volume of the record is not there.
            CancelledError: asked to stop.
        """
        from briefbank.office.provenance import list_used
        from briefbank.search.draft.reading import reading_draft
        from briefbank.search.draft.record_files import reading_record

        cancel = cancel or CancelToken()
        with ExitStack() as stack:
            reading = stack.enter_context(reading_draft(path, self._settings, cancel))
            held = stack.enter_context(reading_record(record, path, self._settings, cancel)) if record else None
            # Imported, and the bank opened, while the file is read.
            from briefbank.search.draft.check import DraftChecker
            from briefbank.search.draft.findings import with_record_pages

            engine, generation = self._opened.engine(), self._opened.generation()
            alerts = self._opened.alert_list(generation.folder).alerts
            known = generation, engine, alerts, self._layout.authority_list, self._opened.alerts().alerts
            report = DraftChecker(*known).check(reading, reporter, cancel, held)
        report = with_record_pages(report, record.folder) if record else report
        used = list_used(self._layout, generation.folder, len(alerts))
        return replace(report, lists=(*used, *report.lists))

    def check_record(self, report: DraftReport, wish: RecordWish) -> CheckRecord:
        """Return the record of a check with the statement on AI in the office's words; nothing is written.

        Raises:
            SettingsError: the office's `statement.toml` cannot be used.
            UsageError: there is no statement of that name.
        """
        from briefbank.judgements.feedback.sources import summaries_opened
        from briefbank.matters.check_record import record_of
        from briefbank.matters.statement import SummaryUse, named_statement, statements
        from briefbank.office.provenance import lists_of

        lists = lists_of(self._layout, self._opened.folder())
        statement = named_statement(statements(lists.statement), wish.statement)
        try:
            use = SummaryUse.of(*summaries_opened(wish.log, wish.since))
        except BriefBankError as problem:
            use = SummaryUse(None, why_unknown=problem.message.rstrip("."))
        return record_of(report, wish, statement, use)

    def status(self) -> BankStatus:
        """Return what the bank holds, how large it is in bytes, which files failed, and which pack it came as."""
        from briefbank.office.status import status_of

        problems = self._opened.alert_list(self._opened.folder()).notices if self._layout.current() else ()
        return status_of(self._layout, problems)

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
