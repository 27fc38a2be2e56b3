"""The space in which one searches: the question above, the answers beside their pages.

Binds the parts; what a search is, how a card looks and how marks are kept stand in modules of their own.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from briefbank.bank.port import EngineNotice, EngineState
from briefbank.judgements.feedback.log import SavedSearch
from briefbank.platform.visible import visible_name
from briefbank.values.bands import order_notice
from briefbank.values.defaults import RESULTS_SHOWN
from briefbank.values.profiles import OfferedProfile
from briefbank.values.reading import Facets
from briefbank.values.records import Document, Filters, Hit, Query, SortOrder
from briefbank.values.summaries import SummarySource
from ui.bottom_bar import BottomBar
from ui.dialogs.asking import ask_name
from ui.engine import EngineClient
from ui.index_job import IndexJob
from ui.reading.history import place_of
from ui.reading.list_and_page import ListAndPage
from ui.recorder import Recorder
from ui.search.bar import ChipBar, SearchBar, filter_chips, hint_chips, like_chip
from ui.search.feedback import ResultFeedback
from ui.search.filter_bar import FilterBar
from ui.search.issues import Issues
from ui.search.pane import ResultsPane, StartPage
from ui.search.searching import SearchModel, ShownResults
from ui.wording import COPIED, count

_BUSY_AFTER_MS = 150
"""Most answers come sooner; a sign that flashes for each of them would be noise."""
_SPLIT_PX = 600, 620
_STRETCH = 2, 3
"""How the room of a larger window is divided: wider excerpts, and a page that needs no scrolling sideways."""


class SearchSpace(QWidget):
    """One search at a time over one bank."""

    index_requested = Signal()
    """Somebody wants to index a folder, or to see how far that is."""
    card_requested = Signal(str)
    """The words that name the authority whose card somebody wants to read."""
    facets_counted = Signal(object)
    """The Facets of the index that is live now."""

    def __init__(
        self, engine: EngineClient, recorder: Recorder, summaries: SummarySource, job: IndexJob, bottom: BottomBar
    ) -> None:
        super().__init__()
        self._engine, self._recorder = engine, recorder
        self._job, self._bottom = job, bottom
        self.generation = ""
        self._like: Hit | None = None
        self._is_outdated = False
        self.search = SearchModel(engine, self)
        self.bar = SearchBar()
        self.filters = FilterBar()
        self.filters.set_order(self.search.order)
        self.chips = ChipBar(self.clear_filters)
        self.pane = ResultsPane(engine, summaries)
        self.issues = Issues(engine, recorder.path, self)
        self.start = StartPage(self)
        self.feedback = ResultFeedback(recorder, self.pane.list, bottom, self.search, self)
        self._busy = QTimer(self, singleShot=True, interval=_BUSY_AFTER_MS)
        self._busy.timeout.connect(lambda: self.bar.set_busy(is_busy=True))
        self._lay_out()
        self._connect_search()
        self._connect_results()
        self._connect_rest()
        self._on_history_loaded(recorder.history())  # which is there already where this is a second window
        self._on_saved_loaded(recorder.saved_searches())
        self._on_noticed(engine.notice)
        self.setFocusProxy(self.bar.field)

    def take_focus(self) -> None:
        self.bar.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.bar.field.selectAll()

    def ask(self, text: str) -> None:
        """Search for a text with the filters that hold; a second time for the same one: go to its results."""
        asked, shown = self.search.query, self.search.shown
        is_same = asked is not None and asked.text == text and not (asked.like_passage or asked.profile)
        if not text or (is_same and self.search.is_waiting):
            return
        if is_same and shown and self.pane.state is None and not self._is_outdated:
            self.pane.list.take_focus()
            return
        self._like = None
        self._send(Query(text, filters=self.filters.filters))

    def ask_like(self, hit: Hit) -> None:
        self._like = hit
        self._send(Query("", filters=self.filters.filters, like_passage=hit.passage.id))

    def run_issue(self, issue: OfferedProfile) -> None:
        self._like = None
        self.bar.field.setText(issue.asks)
        self._send(Query(issue.asks, filters=self.filters.filters, profile=issue.name))

    def ask_saved(self, saved: SavedSearch) -> None:
        """Search as it was saved."""
        self._like = None
        self.bar.field.setText(saved.query.text)
        self.filters.set_filters(saved.query.filters)
        self._send(saved.query)

    def clear_filters(self) -> None:
        """Take away every filter and every condition read out of the words."""
        self.filters.set_filters(Filters())
        hints = self.search.shown.result.hints if self.search.shown else ()
        refused = tuple(dict.fromkeys([*self._query().refused_hints, *(hint.text for hint in hints)]))
        self._change(filters=Filters(), refused_hints=refused)

    def switch_order(self) -> None:
        is_recency = self.search.order is SortOrder.RECENCY
        self.search.set_order(SortOrder.RELEVANCE if is_recency else SortOrder.RECENCY)

    def _query(self) -> Query:
        return self.search.query or Query(self.bar.field.text().strip(), filters=self.filters.filters)

    def _change(self, **changes: object) -> None:
        query = replace(self._query(), **changes)  # type: ignore[arg-type]
        if query.text or query.like_passage:
            self._send(query)
        else:
            self._show_chips()

    def _send(self, query: Query) -> None:
        self.search.ask(query)
        if query.text:
            self.bar.field.remember(query.text)
            self.start.set_earlier(self.bar.field.history)
        self._show_chips()

    def switch_correction(self) -> None:
        """Search for what was typed in the place of what it was corrected to, or correct it again."""
        is_corrected = bool(self.search.shown and self.search.shown.result.corrections)
        if is_corrected or self._query().as_typed:
            self._change(as_typed=not self._query().as_typed)

    def show_card(self) -> None:
        if self.search.shown and (authority := self.search.shown.result.authority):
            self.card_requested.emit(authority)

    def restore(self) -> None:
        self._change(include_hidden=not self._query().include_hidden)

    def show_weak(self) -> None:
        self._change(include_weak=not self._query().include_weak)

    def _on_sent(self) -> None:
        self._busy.start()
        if self._engine.notice.state is not EngineState.READY and not self.search.shown:
            self.pane.show_waiting(self._engine.notice)

    def _on_answered(self) -> None:
        self._end_waiting()
        shown = self.search.shown
        if not shown:
            return
        self._is_outdated = False
        self.filters.set_found(shown.result.counts if shown.count else None)
        if not shown.count:
            self._clear_results()
            self.pane.show_nothing(shown.result)
        else:
            self.pane.list.show_briefs(shown.briefs(self.search.order))
            self.pane.list.notes.show_result(shown.result, shown.count)
            self._show_order(shown)
            self.pane.list.set_left(shown.left)
            self.pane.show_list()
        self.feedback.begin(shown)
        self._bottom.announce(". ".join((count(shown.count, "brief"), *shown.result.notices)))
        self._show_chips()

    def _on_extended(self) -> None:
        self._end_waiting()
        shown = self.search.shown
        if not shown:
            return
        self.pane.list.notes.show_result(shown.result, shown.count)
        self._show_order(shown)
        self.pane.list.set_left(shown.left)
        self.pane.list.extend(shown.briefs(self.search.order))
        self.feedback.extend(shown)

    def _on_reordered(self) -> None:
        self.filters.set_order(self.search.order)
        if self.search.shown:
            self.pane.list.reorder(self.search.shown.briefs(self.search.order))
            self._show_order(self.search.shown)

    def _show_order(self, shown: ShownResults) -> None:
        self.pane.list.notes.show_order(
            order_notice((each.best for each in shown.briefs(self.search.order)), self.search.order)
        )

    def _on_search_failed(self, problem: Exception) -> None:
        self._end_waiting()
        if self.search.is_extending:
            self._bottom.show_problem(problem)
            return
        # Results of the search before must not pass for an answer to this one.
        self._clear_results()
        if self._engine.notice.state is EngineState.FAILED:
            self._show_engine_failed(self._engine.notice)
        else:
            self.pane.show_error(problem)
        self.search.shown = None
        self.feedback.end()
        self._show_chips()

    def _clear_results(self) -> None:
        """Leave neither cards nor a page of the search before, which would be taken for an answer to this one."""
        self.filters.set_found(None)
        self.pane.list.show_briefs(())
        self.splitter.forget_page()

    def _end_waiting(self) -> None:
        self._busy.stop()
        self.bar.set_busy(is_busy=False)

    def _on_selected(self, hit: Hit) -> None:
        self.splitter.do_soon(lambda: self.page.go_to(place_of(hit)))

    def _open_page(self, hit: Hit) -> None:
        self.splitter.drop()
        self.page.go_to(place_of(hit))
        self.page.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_chips(self) -> None:
        hints = self.search.shown.result.hints if self.search.shown else ()
        chips = [like_chip(self._like, self._drop_like)] if self._like else []
        if profile := self._query().profile:
            chips.append(self.issues.chip(profile, lambda: self._change(profile="")))
        chips += filter_chips(self.filters.filters, self._filter)
        chips += hint_chips(hints, self._refuse)
        self.chips.set_chips(chips)

    def _filter(self, filters: Filters) -> None:
        self.filters.set_filters(filters)
        self._change(filters=filters)

    def _refuse(self, hint: str) -> None:
        self._change(refused_hints=(*self._query().refused_hints, hint))

    def _drop_like(self) -> None:
        self._like = None
        text = self.bar.field.text().strip()
        if text:
            self._send(Query(text, filters=self.filters.filters))
        else:
            self.search.forget()
            self._end_waiting()
            self.feedback.end()
            self._clear_results()
            self._show_idle()
            self._show_chips()

    def _on_noticed(self, notice: EngineNotice) -> None:
        if notice.state is EngineState.READY:
            self._take_up(notice.generation)
        elif notice.state is EngineState.FAILED:
            if not self.search.shown:
                self._show_engine_failed(notice)
        elif notice.state in (EngineState.STARTING, EngineState.RESTARTING):
            if self.search.is_waiting and not self.search.shown:
                self.pane.show_waiting(notice)
            elif self.search.query is None:
                self._show_idle()

    def _take_up(self, generation: str) -> None:
        """Speak of the index that is live now; results of an earlier one stay until they are asked for again."""
        is_renewed = bool(self.generation) and generation != self.generation
        self.generation = generation
        self._engine.ask(self._engine.bank.facets(), self._on_facets_counted, self._bottom.show_problem, parent=self)
        self.issues.load()
        if self.search.shown and is_renewed:
            self._is_outdated = True
            self._bottom.show_message("The index was renewed. Search again to use it.")
        elif self.search.query is None:
            self._show_idle()
        elif not self.search.shown and not self.search.is_waiting:
            self.search.again()  # what failed while the engine was down

    def _on_facets_counted(self, facets: Facets) -> None:
        self.filters.set_facets(facets)
        self.start.set_bank(facets, self.generation)
        self.facets_counted.emit(facets)

    def _show_engine_failed(self, notice: EngineNotice) -> None:
        if self.generation or not notice.is_missing:
            self.pane.show_failed(notice)
        elif self._job.is_running:
            self.pane.show_indexing()
        elif self._job.report and self._job.report.published:
            self.pane.show_waiting(EngineNotice(EngineState.STARTING))
        else:
            self.pane.show_first_use(visible_name(str(self._engine.bank_root)))

    def _restart_engine(self) -> None:
        self._engine.bank.restart()
        self.pane.show_waiting(EngineNotice(EngineState.RESTARTING))

    def _show_idle(self) -> None:
        self.pane.show_idle(self.start.start)

    def _show_idle_again(self) -> None:
        """Show what has become known since, where nothing was asked yet."""
        if self.search.query is None and self._engine.notice.state is not EngineState.FAILED:
            self._show_idle()

    def _on_corrected(self, document: Document) -> None:
        """Name a document as it was corrected, in results and among the newest briefs."""
        self.pane.list.correct(document)
        self.start.correct(document)

    def show_first_page(self, document_id: str) -> None:
        self.splitter.show_found(partial(self._engine.bank.first_passage, document_id))

    def _on_job_changed(self, *_: object) -> None:
        if not self.search.shown and self._engine.notice.state is EngineState.FAILED:
            self._show_engine_failed(self._engine.notice)

    def _on_history_loaded(self, texts: list[str]) -> None:
        known = self.bar.field.history
        self.bar.field.history = [*known, *(each for each in texts if each not in known)]
        self.start.set_earlier(self.bar.field.history)

    def _on_saved_loaded(self, searches: list[SavedSearch]) -> None:
        self.bar.show_saved(searches)
        self.start.set_saved(searches)

    def _on_issues_changed(self) -> None:
        self.bar.show_issues(self.issues.offered.profiles)
        self.start.set_issues(self.issues.offered)

    def save_search(self) -> None:
        query = self._query()
        if not query.text:
            self._bottom.show_message("There is no search to save yet.")
            return

        def save(name: str) -> None:
            self._recorder.save_search(name, replace(query, top_k=RESULTS_SHOWN))
            self._bottom.show_message("The search is saved.")

        chips = len(self.chips.chips)
        with_chips = f" with {count(chips, 'condition')}" if chips else ""
        kept = f"The question is kept{with_chips}, to be asked again; its results are not."
        ask_name(self, "Save this search", f"{kept}\nName:", save, query.text[:60])

    def _lay_out(self) -> None:
        self.splitter = ListAndPage(self._engine, self._bottom, self.pane, sizes_px=_SPLIT_PX)
        self.page = self.splitter.page
        self.splitter.setObjectName("results-and-page")
        self.splitter.setStretchFactor(0, _STRETCH[0])
        self.splitter.setStretchFactor(1, _STRETCH[1])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for each in (self.bar, self.filters, self.chips):
            column.addWidget(each)
        column.addWidget(self.splitter, 1)

    def _connect_search(self) -> None:
        self.bar.asked.connect(self.ask)
        self.bar.left_downwards.connect(self.pane.list.take_focus)
        self.bar.save_requested.connect(self.save_search)
        self.bar.saved_chosen.connect(self.ask_saved)
        self.bar.forget_requested.connect(self._recorder.forget_saved)
        self.bar.issue_chosen.connect(self.run_issue)
        self.bar.issue_made.connect(lambda: self.issues.make(self._query().text))
        self.bar.issue_removed.connect(self.issues.remove)
        self.issues.changed.connect(self._on_issues_changed)
        self.start.changed.connect(self._show_idle_again)
        self.issues.message.connect(self._bottom.show_message)
        self.issues.failed.connect(self._bottom.show_problem)
        self.pane.issue_requested.connect(self.run_issue)
        self.filters.changed.connect(self._filter)
        self.filters.order_chosen.connect(self.search.set_order)
        self.search.sent.connect(self._on_sent)
        self.search.answered.connect(self._on_answered)
        self.search.extended.connect(self._on_extended)
        self.search.reordered.connect(self._on_reordered)
        self.search.failed.connect(self._on_search_failed)

    def _connect_results(self) -> None:
        results = self.pane.list
        results.selected.connect(self._on_selected)
        results.open_requested.connect(self._open_page)
        results.beside_requested.connect(lambda hit: self.splitter.beside_requested.emit(place_of(hit)))
        results.similar_requested.connect(self.ask_like)
        results.sibling_requested.connect(self.splitter.show_passage)
        results.more_requested.connect(self.search.more)
        results.copied.connect(lambda: self._bottom.show_message(COPIED))
        results.failed.connect(self._bottom.show_problem)

    def _connect_rest(self) -> None:
        self.pane.ask_requested.connect(self._ask_earlier)
        self.pane.saved_requested.connect(self.ask_saved)
        self.pane.brief_requested.connect(self.show_first_page)
        self.pane.again_requested.connect(self.search.again)
        self.pane.clear_requested.connect(self.clear_filters)
        self.pane.weak_requested.connect(self.show_weak)
        self.pane.restore_requested.connect(self.restore)
        self.pane.correction_switched.connect(self.switch_correction)
        self.pane.card_requested.connect(self.show_card)
        self.pane.index_requested.connect(self.index_requested)
        self.pane.restart_requested.connect(self._restart_engine)
        self._job.started.connect(self._on_job_changed)
        self._job.progressed.connect(self._on_job_changed)
        self._job.finished.connect(self._on_job_changed)
        self._engine.noticed.connect(self._on_noticed)
        self._engine.corrected.connect(self._on_corrected)
        self._recorder.history_loaded.connect(self._on_history_loaded)
        self._recorder.saved_loaded.connect(self._on_saved_loaded)

    def _ask_earlier(self, text: str) -> None:
        self.bar.field.setText(text)
        self.ask(text)
