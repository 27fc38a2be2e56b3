"""What the window asks of a bank: one declaration for each method, with the child process that answers it.

The window has these methods of a `RemoteBank`, each returning the future of what is declared here. A child calls the
method of the same name of its local bank (`local.Bank`; for what is done once, `runs.BankRuns`). Arguments and answers
cross as the types of the hints, so a method needs nothing else to be reached; see `platform.processes.calls`. What the
methods do and raise is said where they do it. Must not import what computes.
"""

# mypy: disable-error-code="empty-body"
# The methods are declared here and done elsewhere.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from briefbank.platform.memory import MemoryUse
from briefbank.platform.processes.calls import Call
from briefbank.platform.processes.child import Answer, RemoteMethod
from briefbank.platform.progress import Reporter, silent
from briefbank.values.authorities import AuthoritiesFound, AuthorityCard, DraftReport
from briefbank.values.checklists import ChecklistReport, ChecklistsOffered
from briefbank.values.collected import Check, CollectedWords
from briefbank.values.defaults import ARGUMENTS_SHOWN
from briefbank.values.feedback import FeedbackExported, FeedbackExportWish
from briefbank.values.pages import (
    AlertMark,
    CitedOnPage,
    DocumentPages,
    OutlineEntry,
    PageImage,
    PageText,
    PassageMarks,
    Typography,
)
from briefbank.values.profiles import OfferedProfile, ProfilesOffered
from briefbank.values.reading import ArgumentOrder, ArgumentsFound, Extract, Facets, PassageInContext, WordsInDocument
from briefbank.values.records import Document, Query, SearchResult, Span
from briefbank.values.state import BankStatus, IndexReport
from briefbank.values.summaries import SummaryModel, SummaryPart
from briefbank.values.unreadable import UnreadableFiles

P = ParamSpec("P")
R = TypeVar("R")


class ChildRole(StrEnum):
    """What a child process does."""

    ENGINE = "engine"
    PAGES = "pages"
    SUMMARIES = "summaries"
    INDEX = "index"
    EXPORT = "export"
    DRAFT = "draft"
    CHECKLIST = "checklist"


class EngineState(StrEnum):
    """In what state the engine process is. Calls may be made in every state but CLOSED; they wait until it is ready."""

    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"
    """It cannot work (no bank, damaged, model missing): `EngineNotice.message` and `.advice` say what to do."""
    RESTARTING = "restarting"
    """It died and is being started again; the calls that were waiting for it failed with EngineDiedError."""
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class EngineNotice:
    """A change of the engine's state, for people; `generation` is the live one, empty until it is known.

    `is_missing`: it failed because there is no bank, or no index in it.
    """

    state: EngineState
    message: str = ""
    advice: str = ""
    generation: str = ""
    is_missing: bool = False


def _answered_by(role: ChildRole) -> Callable[[Callable[Concatenate[Any, P], R]], RemoteMethod[P, R]]:
    return lambda method: RemoteMethod(method, role)


class BankPort:
    """The methods, by the child that answers them: kept running, or started for one call."""

    def send(self, role: str, call: Call, on_part: Callable[[Any], None]) -> Answer[Any]:
        """Have the child of this role make a call; `on_part` takes what is reported on its way."""
        raise NotImplementedError

    # The engine. A search that is asked for later is answered later.

    @_answered_by(ChildRole.ENGINE)
    def search(self, query: Query) -> SearchResult:
        """Search the live generation."""

    @_answered_by(ChildRole.ENGINE)
    def passage(self, passage_id: str, *, context: int = 1) -> PassageInContext:
        """Find a passage and its neighbours."""

    @_answered_by(ChildRole.ENGINE)
    def first_passage(self, document_id: str) -> PassageInContext:
        """Find the passage with which a document begins."""

    @_answered_by(ChildRole.ENGINE)
    def find_words(self, document_id: str, text: str) -> WordsInDocument:
        """Find every place of a document at which words stand."""

    @_answered_by(ChildRole.ENGINE)
    def own_words(self, passage_id: str) -> tuple[Extract, ...]:
        """Find what the passage's brief says of itself."""

    @_answered_by(ChildRole.ENGINE)
    def facets(self) -> Facets:
        """Count what a search can be narrowed to."""

    @_answered_by(ChildRole.ENGINE)
    def documents(self) -> tuple[Document, ...]:
        """List every document, newest first."""

    @_answered_by(ChildRole.ENGINE)
    def arguments(
        self, text: str = "", *, order: ArgumentOrder | None = None, top_k: int = ARGUMENTS_SHOWN
    ) -> ArgumentsFound:
        """Group the point headings of the briefs: all, or those that answer a text."""

    @_answered_by(ChildRole.ENGINE)
    def authorities(self, text: str = "") -> AuthoritiesFound:
        """Find the authorities in whose names the words stand."""

    @_answered_by(ChildRole.ENGINE)
    def card(self, text: str) -> AuthorityCard:
        """Tell what the bank knows of the authority that a text names."""

    @_answered_by(ChildRole.ENGINE)
    def checklists(self) -> ChecklistsOffered:
        """List the checklists that come with the program."""

    @_answered_by(ChildRole.ENGINE)
    def offered_profiles(self) -> ProfilesOffered:
        """List the issue profiles that can be run."""

    @_answered_by(ChildRole.ENGINE)
    def keep_relevant(self, name: str, question: str, log: Path) -> OfferedProfile:
        """Keep what is marked relevant to a question as a profile of the user's own."""

    @_answered_by(ChildRole.ENGINE)
    def remove_own_profile(self, name: str) -> None:
        """Remove a profile of the user's own."""

    @_answered_by(ChildRole.ENGINE)
    def unreadable(self) -> UnreadableFiles | None:
        """List the files that could not be read."""

    @_answered_by(ChildRole.ENGINE)
    def correct(self, document_id: str, name: str, value: str) -> Document:
        """Correct a field of a document."""

    @_answered_by(ChildRole.ENGINE)
    def export_corrections(self, out: Path) -> int:
        """Write the user's corrections as a table for IT."""

    @_answered_by(ChildRole.ENGINE)
    def status(self) -> BankStatus:
        """Tell what the bank holds; also of one that holds no index yet."""

    @_answered_by(ChildRole.ENGINE)
    def memory(self) -> MemoryUse:
        """Measure the memory of the window's process and of all that it started."""

    @_answered_by(ChildRole.ENGINE)
    def reopen(self) -> None:
        """Open the bank again, whether it looks changed or not."""

    # The pages. What is asked for last is answered first.

    @_answered_by(ChildRole.PAGES)
    def warm_pages(self) -> None:
        """Open what showing a page needs."""

    @_answered_by(ChildRole.PAGES)
    def document_pages(self, document_id: str) -> DocumentPages:
        """Measure the pages of a document."""

    @_answered_by(ChildRole.PAGES)
    def page_image(self, document_id: str, number: int, scale: float) -> PageImage:
        """Render a page."""

    @_answered_by(ChildRole.PAGES)
    def page_text(self, document_id: str, number: int) -> PageText:
        """Find the words of a page with their boxes."""

    @_answered_by(ChildRole.PAGES)
    def marks(self, passage_id: str, matches: tuple[Span, ...]) -> PassageMarks:
        """Find where a passage, and spans of it, stand on its pages."""

    @_answered_by(ChildRole.PAGES)
    def outline(self, document_id: str) -> tuple[OutlineEntry, ...]:
        """List the headings of a document with their places."""

    @_answered_by(ChildRole.PAGES)
    def typography(self, passage_id: str, text: str) -> Typography:
        """Tell how a passage's text is printed as filed."""

    @_answered_by(ChildRole.PAGES)
    def check_collected(self, words: tuple[CollectedWords, ...], *, with_pages: bool = False) -> tuple[Check, ...]:
        """Look collected words up as the bank and its lists have them today."""

    @_answered_by(ChildRole.PAGES)
    def alert_marks(self, document_id: str) -> tuple[AlertMark, ...]:
        """Find where a document cites what the office's list warns of."""

    @_answered_by(ChildRole.PAGES)
    def cited_on(self, document_id: str, number: int) -> tuple[CitedOnPage, ...]:
        """List the authorities that a page cites."""

    # The summaries.

    @_answered_by(ChildRole.SUMMARIES)
    def warm_summaries(self) -> None:
        """Open what showing a kept summary needs."""

    @_answered_by(ChildRole.SUMMARIES)
    def summary(self, passage_id: str, on_part: Callable[[SummaryPart], None]) -> SummaryModel:
        """Tell a passage's checked summary part by part."""

    # Done once, in a process of its own, with which all that was read of a file goes. Progress is reported at most ten
    # times a second.

    @_answered_by(ChildRole.INDEX)
    def index(self, folder: Path, *, retry_failed: bool = False, reporter: Reporter = silent) -> IndexReport:
        """Index a folder, making the bank where there is none; the engine takes the new generation up by itself."""

    @_answered_by(ChildRole.EXPORT)
    def export_feedback(self, wish: FeedbackExportWish) -> FeedbackExported:
        """Write feedback into a file."""

    @_answered_by(ChildRole.DRAFT)
    def check_draft(self, file: Path, *, reporter: Reporter = silent) -> DraftReport:
        """Hold a draft against the bank."""

    @_answered_by(ChildRole.DRAFT)
    def write_draft_report(self, report: DraftReport, out: Path, day: date, *, may_replace: bool = False) -> None:
        """Write a report as a Word document."""

    @_answered_by(ChildRole.CHECKLIST)
    def run_checklist(
        self,
        checklist: str,
        document_id: str = "",
        file: Path | None = None,
        *,
        with_model: bool = False,
        reporter: Reporter = silent,
    ) -> ChecklistReport:
        """Go through a document of the bank, or a file in none, with a list named by its name or file."""

    @_answered_by(ChildRole.CHECKLIST)
    def write_checklist_report(
        self, report: ChecklistReport, out: Path, day: date, *, may_replace: bool = False
    ) -> None:
        """Write a report as a Word document, or as a table where `out` ends with .csv."""


def methods_of(*roles: ChildRole) -> dict[str, Callable[..., Any]]:
    """Return the methods that children of these roles answer, by name."""
    asked = (each for each in vars(BankPort).values() if isinstance(each, RemoteMethod))
    return {each.method.__name__: each.method for each in asked if each.role in roles}
