"""The calls of `Bank`, answered by child processes. Knows which child answers what, and nothing of how it does.

The engine and the page renderer are kept running; each index run has a child process of its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, wait
from datetime import date
from functools import partial
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

from briefbank.bank.services.calls import (
    ChildRole,
    Correct,
    EngineNotice,
    EngineState,
    ExportCorrections,
    FindAlerts,
    FindCited,
    FindMarks,
    FindTypography,
    FindWords,
    GetArguments,
    GetAuthorities,
    GetCard,
    GetChecklists,
    GetDocuments,
    GetFacets,
    GetFirstPassage,
    GetOutline,
    GetOwnWords,
    GetPassage,
    GetProfiles,
    GetStatus,
    GetUnreadable,
    KeepRelevant,
    MeasureMemory,
    OpenDocument,
    ReadPage,
    RemoveProfile,
    RenderPage,
    Reopen,
    Search,
    WarmPages,
)
from briefbank.bank.services.runs import (
    CheckDraft,
    ExportFeedback,
    Index,
    RunChecklist,
    WriteChecklistReport,
    WriteDraftReport,
)
from briefbank.errors import EngineDiedError
from briefbank.platform.memory import MemoryUse
from briefbank.platform.processes.calls import Call
from briefbank.platform.processes.child import Child
from briefbank.platform.processes.supervisor import ChildKind, Supervised
from briefbank.platform.progress import Reporter, silent
from briefbank.values import (
    AlertMark,
    ArgumentOrder,
    ArgumentsFound,
    AuthoritiesFound,
    AuthorityCard,
    BankStatus,
    ChecklistReport,
    ChecklistsOffered,
    CitedOnPage,
    DocumentPages,
    DraftReport,
    Extract,
    Facets,
    FeedbackExported,
    FeedbackExportWish,
    IndexReport,
    OfferedProfile,
    OutlineEntry,
    PageImage,
    PageText,
    PassageInContext,
    PassageMarks,
    ProfilesOffered,
    Typography,
    WordsInDocument,
)
from briefbank.values.defaults import ARGUMENTS_SHOWN
from briefbank.values.records import Document, Query, SearchResult, Span
from briefbank.values.unreadable import UnreadableFiles

DIED = {
    ChildRole.ENGINE: ("The search engine stopped unexpectedly.", "It is being started again; then search once more."),
    ChildRole.PAGES: (
        "This page could not be shown: showing it failed or took too long.",
        "Open the original instead.",
    ),
    ChildRole.INDEX: (
        "The index run ended unexpectedly.",
        "Start it again: what was read is kept, the old index stays in use.",
    ),
    ChildRole.EXPORT: ("The export ended unexpectedly.", "Nothing was written. Try again, or ask IT staff."),
    ChildRole.DRAFT: ("Checking the draft ended unexpectedly.", "Check it again; if that does not help, ask IT staff."),
    ChildRole.CHECKLIST: (
        "Going through the brief ended unexpectedly.",
        "Run the list again; if that does not help, ask IT staff.",
    ),
    ChildRole.SUMMARIES: (
        "Summaries are off because what writes them stopped unexpectedly.",
        "Try again. If that does not help, tell IT staff: memory may be short.",
    ),
}
GIVEN_UP = (
    "The search engine stopped 3 times in a row and is not started again.",
    "Try again. If that does not help, tell IT staff: memory may be short, or the bank damaged (briefbank check).",
)

_STOP_S = 5.0
"""How long a run that was asked to stop may take for the file it is at, when the window closes."""


def start_child(role: ChildRole, root: Path) -> Child:
    """Start the child process that answers the calls of `role` for the bank at `root`.

    Raises: OSError: the system starts no more processes.
    """
    return Child(
        "briefbank.bank.services.child", role, str(root), notice=EngineNotice if role is ChildRole.ENGINE else None
    )


def start_engine(root: Path) -> Child:
    """Start an engine process before there is a RemoteBank, so that it loads while a window is made; see `start`."""
    return start_child(ChildRole.ENGINE, root)


Report = TypeVar("Report")


class ChildRun(Generic[Report]):
    """Something done once in a child process of its own, which ends with it: an index run, an export.

    A killed index run loses only the files that it was reading. After `cancel` it finishes the file that it is at,
    keeps what was read, and `report` fails with CancelledError.
    """

    def __init__(self, child: Supervised, report: Future[Report]) -> None:
        self.report = report
        self._child = child

    @property
    def has_ended(self) -> bool:
        """Whether its process is gone, so that closing takes no time."""
        return self._child.is_at_rest

    def cancel(self) -> None:
        """Ask the run to stop. Returns at once."""
        self._child.stop(self.report)

    def close(self) -> None:
        """Wait some seconds for a run that was cancelled, then end its process."""
        wait([self.report], _STOP_S)
        self._child.close()


IndexRun = ChildRun[IndexReport]
DraftRun = ChildRun[DraftReport]
ChecklistRun = ChildRun[ChecklistReport]


class RemoteBank:
    """The calls of `Bank`, each answered by a future. Futures are completed, and listeners called, in threads of this
    object's own; a call that fails carries the BriefBankError that the bank raised. `Future.cancel()` drops a call that
    has not begun.
    """

    def __init__(self, root: Path, *, on_notice: Callable[[EngineNotice], None]) -> None:
        """Name the bank. Nothing is started yet."""
        self._root = root
        self._on_notice = on_notice
        engine = ChildKind("engine", partial(start_engine, root), DIED[ChildRole.ENGINE], given_up=GIVEN_UP)
        pages = ChildKind(
            "pages", partial(start_child, ChildRole.PAGES, root), DIED[ChildRole.PAGES], is_newest_first=True
        )
        self._engine = Supervised(engine, on_notice=self._on_engine_notice, on_death=self._on_engine_death)
        self._pages = Supervised(pages)
        self._generation = ""
        self._runs: list[ChildRun[Any]] = []
        self._lock = Lock()
        self._is_closed = False

    def start(self, engine: Child | None = None) -> None:
        """Start the engine process, or take over one that `start_engine` gave, and return at once."""
        self._engine.start(engine)
        self._pages.start()

    def _on_engine_notice(self, notice: EngineNotice) -> None:
        """Pass it on, and have the page renderer open a new generation before the first page of it is asked for."""
        self._on_notice(notice)
        if notice.generation not in ("", self._generation):
            self._generation = notice.generation
            self._pages.call(WarmPages())

    def _on_engine_death(self, died: EngineDiedError, is_given_up: bool) -> None:  # noqa: FBT001 - as it is told
        state = EngineState.FAILED if is_given_up else EngineState.RESTARTING
        self._on_notice(EngineNotice(state, died.message, died.advice))

    def restart(self) -> None:
        """Open the bank anew before any later call is answered; start the engine where it was given up.

        For example when a bank has been made since FAILED, or settings of the search were changed.
        """
        if self._engine.revive():
            self._engine.call(Reopen())

    def close(self) -> None:
        """End all child processes, an index run included, and wait for them."""
        with self._lock:
            self._is_closed = True
            runs = tuple(self._runs)
        for run in runs:
            run.cancel()
        self._engine.close()
        self._pages.close()
        for run in runs:
            run.close()
        self._on_notice(EngineNotice(EngineState.CLOSED))

    def search(self, query: Query) -> Future[SearchResult]:
        """See `Bank.search`. A search that is asked for later is answered later."""
        return self._engine.call(Search(query))

    def passage(self, passage_id: str, *, context: int = 1) -> Future[PassageInContext]:
        """See `Bank.passage`."""
        return self._engine.call(GetPassage(passage_id, context))

    def find_words(self, document_id: str, text: str) -> Future[WordsInDocument]:
        """See `Bank.find_words`."""
        return self._engine.call(FindWords(document_id, text))

    def first_passage(self, document_id: str) -> Future[PassageInContext]:
        """See `Bank.first_passage`."""
        return self._engine.call(GetFirstPassage(document_id))

    def own_words(self, passage_id: str) -> Future[tuple[Extract, ...]]:
        """See `Bank.own_words`."""
        return self._engine.call(GetOwnWords(passage_id))

    def facets(self) -> Future[Facets]:
        """See `Bank.facets`."""
        return self._engine.call(GetFacets())

    def documents(self) -> Future[tuple[Document, ...]]:
        """See `Bank.documents`."""
        return self._engine.call(GetDocuments())

    def arguments(
        self, text: str = "", *, order: ArgumentOrder | None = None, top_k: int = ARGUMENTS_SHOWN
    ) -> Future[ArgumentsFound]:
        """See `Bank.arguments`."""
        return self._engine.call(GetArguments(text, order, top_k))

    def authorities(self, text: str = "") -> Future[AuthoritiesFound]:
        """See `Bank.authorities`."""
        return self._engine.call(GetAuthorities(text))

    def card(self, text: str) -> Future[AuthorityCard]:
        """See `Bank.card`."""
        return self._engine.call(GetCard(text))

    def checklists(self) -> Future[ChecklistsOffered]:
        """See `Bank.checklists`."""
        return self._engine.call(GetChecklists())

    def profiles(self) -> Future[ProfilesOffered]:
        """See `CorrectedBank.offered_profiles`."""
        return self._engine.call(GetProfiles())

    def keep_relevant(self, name: str, question: str, log: Path) -> Future[OfferedProfile]:
        """See `CorrectedBank.keep_relevant`."""
        return self._engine.call(KeepRelevant(name, question, log))

    def remove_profile(self, name: str) -> Future[None]:
        """See `CorrectedBank.remove_own_profile`."""
        return self._engine.call(RemoveProfile(name))

    def unreadable(self) -> Future[UnreadableFiles | None]:
        """See `Bank.unreadable`."""
        return self._engine.call(GetUnreadable())

    def correct(self, document_id: str, name: str, value: str) -> Future[Document]:
        """See `CorrectedBank.correct`."""
        return self._engine.call(Correct(document_id, name, value))

    def export_corrections(self, out: Path) -> Future[int]:
        """See `CorrectedBank.export_corrections`."""
        return self._engine.call(ExportCorrections(out))

    def status(self) -> Future[BankStatus]:
        """See `Bank.status`."""
        return self._engine.call(GetStatus())

    def memory(self) -> Future[MemoryUse]:
        """Measure the memory of this process and of all that it started."""
        return self._engine.call(MeasureMemory(os.getpid()))

    def document_pages(self, document_id: str) -> Future[DocumentPages]:
        """See `Bank.document_pages`."""
        return self._pages.call(OpenDocument(document_id))

    def page_image(self, document_id: str, number: int, scale: float) -> Future[PageImage]:
        """See `Bank.page_image`; the page asked for last is rendered first."""
        return self._pages.call(RenderPage(document_id, number, scale))

    def page_text(self, document_id: str, number: int) -> Future[PageText]:
        """See `Bank.page_text`."""
        return self._pages.call(ReadPage(document_id, number))

    def marks(self, passage_id: str, matches: tuple[Span, ...]) -> Future[PassageMarks]:
        """See `Bank.marks`."""
        return self._pages.call(FindMarks(passage_id, matches))

    def outline(self, document_id: str) -> Future[tuple[OutlineEntry, ...]]:
        """See `Bank.outline`."""
        return self._pages.call(GetOutline(document_id))

    def typography(self, passage_id: str, text: str) -> Future[Typography]:
        """See `Bank.typography`."""
        return self._pages.call(FindTypography(passage_id, text))

    def alert_marks(self, document_id: str) -> Future[tuple[AlertMark, ...]]:
        """See `Bank.alert_marks`."""
        return self._pages.call(FindAlerts(document_id))

    def cited_on(self, document_id: str, number: int) -> Future[tuple[CitedOnPage, ...]]:
        """See `Bank.cited_on`."""
        return self._pages.call(FindCited(document_id, number))

    def index(self, folder: Path, *, retry_failed: bool = False, reporter: Reporter = silent) -> IndexRun:
        """Start an index run over `folder` in a process of its own, making the bank where there is none.

        The engine takes the new generation up by itself. `reporter` is called at most ten times a second.
        """
        return self._run(ChildRole.INDEX, Index(folder.absolute(), retry_failed), reporter)

    def check_draft(self, file: Path, *, reporter: Reporter = silent) -> DraftRun:
        """Hold a draft against the bank in a process of its own, with which all that was read of it goes at once.

        `reporter` is called at most ten times a second.
        """
        return self._once(self._run(ChildRole.DRAFT, CheckDraft(file.absolute()), reporter))

    def write_draft_report(
        self, report: DraftReport, out: Path, day: date, *, may_replace: bool = False
    ) -> Future[None]:
        """See `search.draft.word.export_draft_report`; in a process of its own, with which the report goes."""
        call = WriteDraftReport(report, out.absolute(), day, may_replace)
        return self._once(self._run(ChildRole.DRAFT, call)).report

    def run_checklist(
        self, checklist: str, document: str | Path, *, with_model: bool = False, reporter: Reporter = silent
    ) -> ChecklistRun:
        """Go through a document of the bank, by its id, or through a file in no bank, with a list named by its name or
        file; as `check_draft`.
        """
        wanted, file = ("", document.absolute()) if isinstance(document, Path) else (document, None)
        return self._once(self._run(ChildRole.CHECKLIST, RunChecklist(checklist, wanted, file, with_model), reporter))

    def write_checklist_report(
        self, report: ChecklistReport, out: Path, day: date, *, may_replace: bool = False
    ) -> Future[None]:
        """See `WriteChecklistReport`; in a process of its own, with which the report goes."""
        call = WriteChecklistReport(report, out.absolute(), day, may_replace)
        return self._once(self._run(ChildRole.CHECKLIST, call)).report

    def _once(self, run: ChildRun[Report]) -> ChildRun[Report]:
        """Forget a run as soon as it has ended."""
        # In a thread, since whoever finishes the future is what `close` waits for.
        run.report.add_done_callback(lambda _: Thread(target=self._forget, args=(run,), daemon=True).start())
        return run

    def export_feedback(self, wish: FeedbackExportWish) -> Future[FeedbackExported]:
        """Write feedback into a file, in a process of its own. See `services.feedback_export`."""
        return self._run(ChildRole.EXPORT, ExportFeedback(wish)).report

    def _forget(self, run: ChildRun[Any]) -> None:
        """End a run's process, and keep neither that nor its report."""
        run.close()
        with self._lock:
            self._runs = [each for each in self._runs if each is not run]

    def _run(self, role: ChildRole, call: Call[Any, Report], reporter: Reporter = silent) -> ChildRun[Report]:
        """Start a child for one call; those that have ended since the last time are closed."""
        child = Supervised(ChildKind(role, partial(start_child, role, self._root), DIED[role]))
        with self._lock:
            ended = [each for each in self._runs if each.has_ended]
            if self._is_closed:
                child.close()  # so that the call fails with CancelledError
            else:
                child.start()
            run = ChildRun(child, child.call(call, reporter))
            self._runs = [*(each for each in self._runs if each not in ended), run]
        for each in ended:
            each.close()
        return run
