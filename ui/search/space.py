"""The space in which one searches: the question above, the answers beside their pages.

Binds the parts; what a search is, how a card looks and how marks are kept stand in modules of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from briefbank.bank.port import EngineNotice, EngineState
from briefbank.judgements.feedback.log import SavedSearch
from briefbank.matters.follows import default_log
from briefbank.platform.visible import visible_name
from briefbank.values.bands import order_notice
from briefbank.values.defaults import RESULTS_SHOWN
from briefbank.values.follows import News
from briefbank.values.profiles import OfferedProfile
from briefbank.values.reading import Facets
from briefbank.values.records import Document, Filters, Hit, Query, SearchResult, SortOrder
from briefbank.values.summaries import SummarySource
from briefbank.values.unreadable import UnreadableFiles
from ui.bottom_bar import BottomBar
from ui.dialogs.asking import ask_name
from ui.engine import EngineClient
from ui.flow import column_of
from ui.index_run import IndexRun
from ui.matters.keeper import MatterKeeper
from ui.plain import button_text
from ui.reading.history import place_of
from ui.reading.list_and_page import ListAndPage
from ui.recorder import Recorder
from ui.search.bar import Chip, ChipBar, SearchBar, filter_chips, hint_chips, like_chip
from ui.search.feedback import ResultFeedback
from ui.search.filter_bar import FilterBar
from ui.search.following import Following
from ui.search.issues import Issues
from ui.search.pane import (
    Action,
    Choices,
    ResultsPane,
    State,
    engine_failed,
    first_use,
    idle,
    nothing_found,
    search_failed,
    waiting,
)
from ui.search.searching import SearchModel, ShownResults
from ui.wording import COPIED, count, day, issue_text, made

_BUSY_AFTER_MS = 150
"""Most answers come sooner; a sign that flashes for each of them would be noise."""
_SEARCHES_SHOWN = 4
"""Earlier ones, and saved ones; the newest briefs are to be in sight below them."""
_MATTERS_SHOWN = 3
_NAME_LETTERS = 60
_ISSUES_SHOWN = 6
"""The menu beside the search field has all."""
_NO_ISSUE = (
    "A question kept with answers that helped finds more than the question alone. Mark such answers with R, then "
    "choose Saved ▾, Make an issue of what is marked relevant."
)
_SPLIT_PX = 600, 620
_STRETCH = 2, 3
"""How the room of a larger window is divided: wider excerpts, and a page that needs no scrolling sideways."""


class SearchSpace(QWidget):
    """One search at a time over one bank."""

    index_requested = Signal()
    """Somebody wants to index a folder, or to see how far that is."""
    card_requested = Signal(str)
    """The words that name the authority whose card somebody wants to read."""
    matter_requested = Signal(str)
    """The id of a matter that is to be opened."""
    facets_counted = Signal(object)
    """The Facets of the index that is live now."""

    def __init__(
        self,
        engine: EngineClient,
        recorder: Recorder,
        summaries: SummarySource,
        matters: MatterKeeper,
        index_run: IndexRun,
        bottom: BottomBar,
    ) -> None:
        super().__init__()
        self._engine, self._recorder, self._matters = engine, recorder, matters
        self._index_run, self._bottom = index_run, bottom
        self.generation = ""
        self._facets: Facets | None = None
        self._unreadable: UnreadableFiles | None = None
        self._like: Hit | None = None
        self._is_outdated = False
        self.search = SearchModel(engine, self)
        self.commands: dict[str, Callable[[], object]] = {
            "order": self.switch_order,
            "more": self.search.more,
            "as-typed": self.switch_correction,
            "tables": self.toggle_tables,
            "weak": self.toggle_weak,
            "clear": self.clear_filters,
            "save": self.save_search,
            "card": self.show_card,
        }
        """What the keys of a search do, by their names in `IN_A_SEARCH`; buttons that say the same do it too."""
        self.bar = SearchBar()
        self.filter_bar = FilterBar()
        self.filter_bar.set_order(self.search.order)
        self.chip_bar = ChipBar(self.clear_filters)
        self.pane = ResultsPane(engine, summaries, self.commands)
        self.issues = Issues(engine, recorder.path, self)
        self.following = Following(engine, default_log(), self)
        self.feedback = ResultFeedback(recorder, self.pane.list, bottom, self.search, self)
        self._busy = QTimer(self, singleShot=True, interval=_BUSY_AFTER_MS)
        self._busy.timeout.connect(lambda: self.bar.set_busy(is_busy=True))
        self._lay_out()
        self._connect_search()
        self._connect_results()
        self._connect_rest()
        self._on_history_loaded(recorder.history())  # which is there already where this is a second window
        self._on_offered_changed()
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
        self._send(Query(text, filters=self.filter_bar.filters))

    def ask_like(self, hit: Hit) -> None:
        self._like = hit
        self._send(Query("", filters=self.filter_bar.filters, like_passage=hit.passage.id))

    def run_issue(self, issue: OfferedProfile) -> None:
        self._like = None
        self.bar.field.setText(issue.asks)
        self._send(Query(issue.asks, filters=self.filter_bar.filters, profile=issue.name))

    def ask_saved(self, saved: SavedSearch) -> None:
        """Search as it was saved."""
        self._like = None
        self.bar.field.setText(saved.query.text)
        self.filter_bar.set_filters(saved.query.filters)
        self._send(saved.query)

    def ask_news(self, news: News) -> None:
        """Show what is new of a follow, which is seen then; where nothing is, all of it."""
        query = replace(news.query if news.passages else news.follow.query, top_k=RESULTS_SHOWN)
        self.ask_saved(SavedSearch(news.follow.name, query))
        if not news.problem:
            self.following.mark_seen(news)

    def follow_search(self) -> None:
        """Follow the search that is shown: a question, an issue, or an authority that it asks for."""
        query = replace(self._query(), top_k=RESULTS_SHOWN)
        query = replace(query, filters=replace(query.filters, documents=()))
        if name := (query.profile or query.text)[:_NAME_LETTERS]:
            self.following.follow(name, query)
            self._bottom.show_message(f"Followed: Home says what a new index has of “{name}”.")
        else:
            self._bottom.show_message("There is no search to follow yet.")

    def clear_filters(self) -> None:
        """Take away every filter and every condition read out of the words."""
        self.filter_bar.set_filters(Filters())
        hints = self.search.shown.result.hints if self.search.shown else ()
        refused = tuple(dict.fromkeys([*self._query().refused_hints, *(hint.text for hint in hints)]))
        self._change(filters=Filters(), refused_hints=refused)

    def switch_order(self) -> None:
        is_recency = self.search.order is SortOrder.RECENCY
        self.search.set_order(SortOrder.RELEVANCE if is_recency else SortOrder.RECENCY)

    def _query(self) -> Query:
        return self.search.query or Query(self.bar.field.text().strip(), filters=self.filter_bar.filters)

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
        self._show_chips()

    def switch_correction(self) -> None:
        """Search for what was typed in the place of what it was corrected to, or correct it again."""
        is_corrected = bool(self.search.shown and self.search.shown.result.corrections)
        if is_corrected or self._query().as_typed:
            self._change(as_typed=not self._query().as_typed)

    def show_card(self) -> None:
        if self.search.shown and (authority := self.search.shown.result.authority):
            self.card_requested.emit(authority)

    def toggle_tables(self) -> None:
        """Show tables and rank facts alike, or leave them out and lower again."""
        self._change(include_hidden=not self._query().include_hidden)

    def toggle_weak(self) -> None:
        """Show weak matches, or leave them out again."""
        self._change(include_weak=not self._query().include_weak)

    def _on_sent(self) -> None:
        self._busy.start()
        if self._engine.notice.state in (EngineState.STARTING, EngineState.RESTARTING) and not self.search.shown:
            self.pane.show_state(waiting(self._engine.notice.state))

    def _on_answered(self) -> None:
        self._end_waiting()
        shown = self.search.shown
        if not shown:
            return
        self._is_outdated = False
        self.filter_bar.set_found(shown.result.counts if shown.count else None)
        if not shown.count:
            self._clear_results()
            self._show_nothing(shown.result)
        else:
            self.pane.list.show_briefs(shown.briefs(self.search.order))
            self.pane.list.notes.show_result(shown.result, shown.count)
            self._show_order(shown)
            self.pane.list.set_left(shown.left)
            self.pane.show_list()
        self.feedback.begin(shown)
        self._bottom.announce(". ".join((count(shown.count, "brief"), *shown.result.notices)))
        self._show_chips()

    def _show_nothing(self, result: SearchResult) -> None:
        """Say that nothing was found, and, once that was looked up, without which condition something is."""
        without: list[tuple[Chip, int]] = []

        def show() -> None:
            if self.search.shown and self.search.shown.result is result:
                self.pane.show_state(nothing_found(result, self.commands, self._facets, without))

        def found(chip: Chip, other: SearchResult) -> None:
            without.append((chip, other.found))
            show()

        query = result.query
        fewer: list[Query] = []
        chips = [
            *filter_chips(query.filters, lambda filters: fewer.append(replace(query, filters=filters))),
            *hint_chips(
                result.hints, lambda hint: fewer.append(replace(query, refused_hints=(*query.refused_hints, hint)))
            ),
        ]
        for chip in chips:
            chip.remove()
        chips = [*filter_chips(query.filters, self._filter), *hint_chips(result.hints, self._refuse)]
        for chip, other in zip(chips, fewer, strict=True):
            future = self._engine.bank.search(replace(other, top_k=1))
            self._engine.ask(future, partial(found, chip), parent=self)
        show()

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
        self.filter_bar.set_order(self.search.order)
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
            self.pane.show_state(search_failed(problem, self.search.again))
        self.search.shown = None
        self.feedback.end()
        self._show_chips()

    def _clear_results(self) -> None:
        """Leave neither cards nor a page of the search before, which would be taken for an answer to this one."""
        self.filter_bar.set_found(None)
        self.pane.list.show_briefs(())
        self.splitter.forget_page()

    def _end_waiting(self) -> None:
        self._busy.stop()
        self.bar.set_busy(is_busy=False)

    def _open_page(self, hit: Hit) -> None:
        self.splitter.drop()
        self.page.go_to(place_of(hit))
        self.page.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_chips(self) -> None:
        hints = self.search.shown.result.hints if self.search.shown else ()
        chips = [like_chip(self._like, self._drop_like)] if self._like else []
        if profile := self._query().profile:
            chips.append(self.issues.chip(profile, lambda: self._change(profile="")))
        filters = self.filter_bar.filters
        if filters.documents:
            chips.append(Chip("In new briefs alone", lambda: self._filter(replace(filters, documents=()))))
        chips += filter_chips(filters, self._filter)
        chips += hint_chips(hints, self._refuse)
        self.chip_bar.set_chips(chips)

    def _filter(self, filters: Filters) -> None:
        self.filter_bar.set_filters(filters)
        self._change(filters=filters)

    def _refuse(self, hint: str) -> None:
        self._change(refused_hints=(*self._query().refused_hints, hint))

    def _drop_like(self) -> None:
        self._like = None
        text = self.bar.field.text().strip()
        if text:
            self._send(Query(text, filters=self.filter_bar.filters))
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
                self.pane.show_state(waiting(notice.state))
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
        self._facets = facets
        self.filter_bar.set_facets(facets)
        self.following.load()
        self._show_idle_again()
        self.facets_counted.emit(facets)

    def set_unreadable(self, unreadable: UnreadableFiles | None) -> None:
        """Take up which files the index lacks; None where that is not known."""
        self._unreadable = unreadable
        self._show_idle_again()

    def _show_engine_failed(self, notice: EngineNotice) -> None:
        index = self.index_requested.emit
        if self.generation or not notice.is_missing:
            self.pane.show_state(engine_failed(notice, self._restart_engine, index))
        elif self._index_run.is_running:
            text = "The first index is being made. Searching begins by itself when it is complete."
            self.pane.show_state(State("Indexing", text, (Action("Show the progress", index),)))
        elif self._index_run.report and self._index_run.report.published:
            self.pane.show_state(waiting(EngineState.STARTING))
        else:
            self.pane.show_state(first_use(visible_name(str(self._engine.bank_root)), index))

    def _restart_engine(self) -> None:
        self._engine.bank.restart()
        self.pane.show_state(waiting(EngineState.RESTARTING))

    def go_home(self) -> None:
        """Show the page that a search begins with; the results of the last one stay for whoever goes back to them."""
        self._show_idle()
        self.splitter.forget_page()
        self.bar.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def leave_home(self) -> None:
        """Show the results of the last search again, where there are any."""
        if self.search.shown and self.search.shown.count and not self.search.is_waiting:
            self.pane.show_list()

    def _show_idle(self) -> None:
        """Offer what was searched for before, saved or kept as an issue, the matters worked on last, and the newest
        briefs.
        """
        issues = self.issues.offered
        earlier, saved = self.bar.field.history[:_SEARCHES_SHOWN], self._recorder.saved_searches()[:_SEARCHES_SHOWN]
        lost = f" ({issues.unreadable:,} cannot be read: tell IT staff)" if issues.unreadable else ""
        matters = sorted(self._matters.open_matters, key=lambda each: each.changed_at, reverse=True)[:_MATTERS_SHOWN]
        lists = (
            Choices.of(
                "Followed", ((f"{each.follow.name}: {each.told}", each) for each in self.following.news), self.ask_news
            ),
            Choices.of("Earlier searches", ((each, each) for each in earlier), self._ask_earlier),
            Choices.of("Saved searches", ((each.name, each) for each in saved), self.ask_saved),
            Choices.of(
                f"Issues{lost}",
                ((issue_text(each), each) for each in issues.profiles[:_ISSUES_SHOWN]),
                self.run_issue,
                empty=_NO_ISSUE if earlier else "",
            ),
            Choices.of(
                "Matters",
                ((f"{each.name} · {count(len(each.passages), 'passage')}", each.id) for each in matters),
                self.matter_requested.emit,
            ),
            Choices.of(
                "Newest briefs",
                (
                    (f"{day(each.filed)} · {each.metadata.title.value}", each.id)
                    for each in (self._facets.newest if self._facets else ())
                ),
                self.show_first_page,
            ),
        )
        self.pane.show_state(idle(lists, self._health()))

    def _health(self) -> str:
        """What the bank holds, in a line; empty where that is not known yet."""
        if not self._facets:
            return ""
        indexed = made(self.generation)
        unreadable = self._unreadable.told if self._unreadable else ""
        parts = (count(self._facets.documents, "brief"), f"indexed {indexed}" if indexed else "", unreadable)
        return " · ".join(filter(None, parts))

    def _show_idle_again(self) -> None:
        """Show what has become known since, where nothing was asked yet."""
        if self.search.query is None and self._engine.notice.state is not EngineState.FAILED:
            self._show_idle()

    def _on_corrected(self, document: Document) -> None:
        """Name a document as it was corrected, in results and among the newest briefs."""
        self.pane.list.correct(document)
        if self._facets:
            newest = (document if each.id == document.id else each for each in self._facets.newest)
            self._facets = replace(self._facets, newest=tuple(newest))
            self._show_idle_again()

    def show_first_page(self, document_id: str) -> None:
        self.splitter.show_found(partial(self._engine.bank.first_passage, document_id))

    def _on_index_run_changed(self) -> None:
        if not self.search.shown and self._engine.notice.state is EngineState.FAILED:
            self._show_engine_failed(self._engine.notice)

    def _on_history_loaded(self, texts: list[str]) -> None:
        known = self.bar.field.history
        self.bar.field.history = [*known, *(each for each in texts if each not in known)]
        self._show_idle_again()

    def _on_offered_changed(self) -> None:
        """Offer the saved searches and the issues in the menu beside the field, and where nothing was asked yet."""
        searches, issues, menu = self._recorder.saved_searches(), self.issues.offered.profiles, self.bar.saved.menu()
        menu.clear()
        menu.addAction("Save this search …", self.save_search)
        menu.addAction("Make an issue of what is marked relevant …", lambda: self.issues.make(self._query().text))
        menu.addAction("Follow this search", self.follow_search)
        if self.following.news:
            stop = menu.addMenu("Stop following")
            for name in (each.follow.name for each in self.following.news):
                stop.addAction(button_text(name), partial(self.following.stop, name))
        menu.addSeparator()
        if not searches:
            menu.addAction("No searches are saved yet").setEnabled(False)
        for search in searches:
            menu.addAction(button_text(search.name), partial(self.ask_saved, search))
        if searches:
            forget = menu.addMenu("Forget")
            for search in searches:
                forget.addAction(button_text(search.name), partial(self._recorder.forget_saved, search.name))
        if issues:
            menu.addSeparator()
            run = menu.addMenu("Run an issue")
            for issue in issues:
                run.addAction(button_text(issue_text(issue)), partial(self.run_issue, issue))
        if own := [each for each in issues if each.is_own]:
            remove = menu.addMenu("Remove an issue of yours")
            for issue in own:
                remove.addAction(button_text(issue.name), partial(self.issues.remove, issue.name))
        self._show_idle_again()

    def save_search(self) -> None:
        query = self._query()
        if not query.text:
            self._bottom.show_message("There is no search to save yet.")
            return

        def save(name: str) -> None:
            self._recorder.save_search(name, replace(query, top_k=RESULTS_SHOWN))
            self._bottom.show_message("The search is saved.")

        chips = len(self.chip_bar.chips)
        with_chips = f" with {count(chips, 'condition')}" if chips else ""
        kept = f"The question is kept{with_chips}, to be asked again; its results are not."
        ask_name(self, "Save this search", f"{kept}\nName:", save, query.text[:60])

    def _lay_out(self) -> None:
        self.splitter = ListAndPage(self._engine, self._bottom, self.pane, sizes_px=_SPLIT_PX)
        self.page = self.splitter.page
        self.splitter.setObjectName("results-and-page")
        self.splitter.setStretchFactor(0, _STRETCH[0])
        self.splitter.setStretchFactor(1, _STRETCH[1])
        column_of(self.bar, self.filter_bar, self.chip_bar, (self.splitter, 1), within=self, spacing_px=6)

    def _connect_search(self) -> None:
        self.bar.asked.connect(self.ask)
        self.bar.field.left_downwards.connect(self.pane.take_focus)
        self.issues.changed.connect(self._on_offered_changed)
        self.issues.message.connect(self._bottom.show_message)
        self.issues.failed.connect(self._bottom.show_problem)
        self.following.changed.connect(self._on_offered_changed)
        self.following.failed.connect(self._bottom.show_problem)
        self.filter_bar.changed.connect(self._filter)
        self.filter_bar.order_chosen.connect(self.search.set_order)
        self.search.sent.connect(self._on_sent)
        self.search.answered.connect(self._on_answered)
        self.search.extended.connect(self._on_extended)
        self.search.reordered.connect(self._on_reordered)
        self.search.failed.connect(self._on_search_failed)

    def _connect_results(self) -> None:
        results = self.pane.list
        results.selected.connect(lambda hit: self.splitter.do_soon(lambda: self.page.go_to(place_of(hit))))
        results.open_requested.connect(self._open_page)
        results.beside_requested.connect(lambda hit: self.splitter.beside_requested.emit(place_of(hit)))
        results.similar_requested.connect(self.ask_like)
        results.sibling_requested.connect(self.splitter.show_passage)
        results.copied.connect(lambda: self._bottom.show_message(COPIED))
        results.failed.connect(self._bottom.show_problem)

    def _connect_rest(self) -> None:
        self._matters.changed.connect(self._show_idle_again)
        self._matters.changed.connect(lambda: self.pane.list.set_collected(self._matters.current))
        self._index_run.changed.connect(self._on_index_run_changed)
        self._engine.noticed.connect(self._on_noticed)
        self._engine.corrected.connect(self._on_corrected)
        self._recorder.history_loaded.connect(self._on_history_loaded)
        self._recorder.saved_loaded.connect(self._on_offered_changed)

    def _ask_earlier(self, text: str) -> None:
        self.bar.field.setText(text)
        self.ask(text)
