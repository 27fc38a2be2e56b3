"""What the window's process asks of its children: each call a class, each child's calls a table.

`Bank` and what computes are imported by the children alone, inside the methods that run there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from briefbank.bank.services.runs import (
    CheckDraft,
    ExportFeedback,
    Index,
    RunChecklist,
    WriteChecklistReport,
    WriteDraftReport,
)
from briefbank.platform.memory import MemoryUse, measure
from briefbank.platform.processes.calls import Call, LongCall, Turn, table
from briefbank.values import (
    AlertMark,
    ArgumentOrder,
    ArgumentsFound,
    AuthoritiesFound,
    AuthorityCard,
    BankStatus,
    ChecklistsOffered,
    CitedOnPage,
    DocumentPages,
    Extract,
    Facets,
    OfferedProfile,
    OutlineEntry,
    PageImage,
    PageText,
    PassageInContext,
    PassageMarks,
    ProfilesOffered,
    SummaryModel,
    SummaryPart,
    Typography,
    WordsInDocument,
)
from briefbank.values.records import Document, Query, SearchResult, Span
from briefbank.values.unreadable import UnreadableFiles

if TYPE_CHECKING:
    from briefbank.bank.local import Bank
    from briefbank.bank.services.corrected import CorrectedBank


class ChildRole(StrEnum):
    """What a child process does."""

    ENGINE = "engine"
    PAGES = "pages"
    INDEX = "index"
    SUMMARIES = "summaries"
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


# --- the engine -------------------------------------------------------------------------------------------------


class Search(Call["Bank", SearchResult], frozen=True):
    """See `Bank.search`."""

    query: Query

    def run(self, bank: Bank, /) -> SearchResult:
        return bank.search(self.query)


class GetPassage(Call["Bank", PassageInContext], frozen=True):
    """See `Bank.passage`."""

    passage_id: str
    context: int

    def run(self, bank: Bank, /) -> PassageInContext:
        return bank.passage(self.passage_id, context=self.context)


class FindWords(Call["Bank", WordsInDocument], frozen=True):
    """See `Bank.find_words`."""

    document_id: str
    text: str

    def run(self, bank: Bank, /) -> WordsInDocument:
        return bank.find_words(self.document_id, self.text)


class GetFirstPassage(Call["Bank", PassageInContext], frozen=True):
    """See `Bank.first_passage`."""

    document_id: str

    def run(self, bank: Bank, /) -> PassageInContext:
        return bank.first_passage(self.document_id)


class GetOwnWords(Call["Bank", tuple[Extract, ...]], frozen=True):
    """See `Bank.own_words`."""

    passage_id: str

    def run(self, bank: Bank, /) -> tuple[Extract, ...]:
        return bank.own_words(self.passage_id)


class GetFacets(Call["Bank", Facets], frozen=True):
    """See `Bank.facets`."""

    def run(self, bank: Bank, /) -> Facets:
        return bank.facets()


class GetDocuments(Call["Bank", tuple[Document, ...]], frozen=True):
    """See `Bank.documents`."""

    def run(self, bank: Bank, /) -> tuple[Document, ...]:
        return bank.documents()


class GetArguments(Call["Bank", ArgumentsFound], frozen=True):
    """See `Bank.arguments`."""

    text: str
    order: ArgumentOrder | None
    top_k: int

    def run(self, bank: Bank, /) -> ArgumentsFound:
        return bank.arguments(self.text, order=self.order, top_k=self.top_k)


class GetAuthorities(Call["Bank", AuthoritiesFound], frozen=True):
    """See `Bank.authorities`."""

    text: str

    def run(self, bank: Bank, /) -> AuthoritiesFound:
        return bank.authorities(self.text)


class GetCard(Call["Bank", AuthorityCard], frozen=True):
    """See `Bank.card`."""

    text: str

    def run(self, bank: Bank, /) -> AuthorityCard:
        return bank.card(self.text)


class GetChecklists(Call["Bank", ChecklistsOffered], frozen=True):
    """See `Bank.checklists`."""

    def run(self, bank: Bank, /) -> ChecklistsOffered:
        return bank.checklists()


class GetProfiles(Call["CorrectedBank", ProfilesOffered], frozen=True):
    """See `CorrectedBank.offered_profiles`."""

    def run(self, bank: CorrectedBank, /) -> ProfilesOffered:
        return bank.offered_profiles()


class KeepRelevant(Call["CorrectedBank", OfferedProfile], frozen=True):
    """See `CorrectedBank.keep_relevant`."""

    name: str
    question: str
    log: Path

    def run(self, bank: CorrectedBank, /) -> OfferedProfile:
        return bank.keep_relevant(self.name, self.question, self.log)


class RemoveProfile(Call["CorrectedBank", None], frozen=True):
    """See `CorrectedBank.remove_own_profile`."""

    name: str

    def run(self, bank: CorrectedBank, /) -> None:
        bank.remove_own_profile(self.name)


class GetUnreadable(Call["Bank", UnreadableFiles | None], frozen=True):
    """See `Bank.unreadable`."""

    def run(self, bank: Bank, /) -> UnreadableFiles | None:
        return bank.unreadable()


class Correct(Call["CorrectedBank", Document], frozen=True):
    """See `CorrectedBank.correct`."""

    document_id: str
    name: str
    value: str

    def run(self, bank: CorrectedBank, /) -> Document:
        return bank.correct(self.document_id, self.name, self.value)


class ExportCorrections(Call["CorrectedBank", int], frozen=True):
    """See `CorrectedBank.export_corrections`."""

    out: Path

    def run(self, bank: CorrectedBank, /) -> int:
        return bank.export_corrections(self.out)


class GetStatus(Call["Bank", BankStatus], frozen=True):
    """See `Bank.status`; answered for a bank that holds no index yet, too."""

    def run(self, bank: Bank, /) -> BankStatus:
        return bank.status()


class MeasureMemory(Call["Bank", MemoryUse], frozen=True):
    """See `platform.memory.measure`; `process` is the window's, whose children are counted with it."""

    process: int

    def run(self, _bank: Bank, /) -> MemoryUse:
        return measure(self.process)


class Reopen(Call[Callable[[], None], None], frozen=True):
    """Open the bank again, whether it looks changed or not."""

    def run(self, reopen: Callable[[], None], /) -> None:
        reopen()


# --- the page maker ---------------------------------------------------------------------------------------------


class WarmPages(Call["Bank", None], frozen=True):
    """See `Bank.warm_pages`."""

    def run(self, bank: Bank, /) -> None:
        bank.warm_pages()


class OpenDocument(Call["Bank", DocumentPages], frozen=True):
    """See `Bank.document_pages`."""

    document_id: str

    def run(self, bank: Bank, /) -> DocumentPages:
        return bank.document_pages(self.document_id)


class RenderPage(Call["Bank", PageImage], frozen=True):
    """See `Bank.page_image`."""

    document_id: str
    number: int
    scale: float

    def run(self, bank: Bank, /) -> PageImage:
        return bank.page_image(self.document_id, self.number, self.scale)


class ReadPage(Call["Bank", PageText], frozen=True):
    """See `Bank.page_text`."""

    document_id: str
    number: int

    def run(self, bank: Bank, /) -> PageText:
        return bank.page_text(self.document_id, self.number)


class FindMarks(Call["Bank", PassageMarks], frozen=True):
    """See `Bank.marks`."""

    passage_id: str
    matches: tuple[Span, ...]

    def run(self, bank: Bank, /) -> PassageMarks:
        return bank.marks(self.passage_id, self.matches)


class GetOutline(Call["Bank", tuple[OutlineEntry, ...]], frozen=True):
    """See `Bank.outline`."""

    document_id: str

    def run(self, bank: Bank, /) -> tuple[OutlineEntry, ...]:
        return bank.outline(self.document_id)


class FindTypography(Call["Bank", Typography], frozen=True):
    """See `Bank.typography`."""

    passage_id: str
    text: str

    def run(self, bank: Bank, /) -> Typography:
        return bank.typography(self.passage_id, self.text)


class FindAlerts(Call["Bank", tuple[AlertMark, ...]], frozen=True):
    """See `Bank.alert_marks`."""

    document_id: str

    def run(self, bank: Bank, /) -> tuple[AlertMark, ...]:
        return bank.alert_marks(self.document_id)


class FindCited(Call["Bank", tuple[CitedOnPage, ...]], frozen=True):
    """See `Bank.cited_on`."""

    document_id: str
    number: int

    def run(self, bank: Bank, /) -> tuple[CitedOnPage, ...]:
        return bank.cited_on(self.document_id, self.number)


# --- summaries --------------------------------------------------------------------------------------------------


class WarmSummaries(Call["Bank", None], frozen=True):
    """See `Bank.warm_summaries`."""

    def run(self, bank: Bank, /) -> None:
        bank.warm_summaries()


class Summarize(LongCall["Bank", SummaryModel, SummaryPart], frozen=True):
    """See `Bank.summary`."""

    passage_id: str

    def run(self, turn: Turn[Bank, SummaryPart], /) -> SummaryModel:
        return turn.on.summary(self.passage_id, turn.tell, turn.cancel)


CALLS = {
    ChildRole.ENGINE: table(
        Search,
        GetPassage,
        GetFirstPassage,
        FindWords,
        GetOwnWords,
        GetFacets,
        GetDocuments,
        GetArguments,
        GetAuthorities,
        GetCard,
        GetChecklists,
        GetProfiles,
        KeepRelevant,
        RemoveProfile,
        Correct,
        ExportCorrections,
        GetStatus,
        MeasureMemory,
        GetUnreadable,
        Reopen,
    ),
    ChildRole.PAGES: table(
        WarmPages, OpenDocument, RenderPage, ReadPage, FindMarks, FindAlerts, FindCited, GetOutline, FindTypography
    ),
    ChildRole.INDEX: table(Index),
    ChildRole.EXPORT: table(ExportFeedback),
    ChildRole.DRAFT: table(CheckDraft, WriteDraftReport),
    ChildRole.CHECKLIST: table(RunChecklist, WriteChecklistReport),
    ChildRole.SUMMARIES: table(WarmSummaries, Summarize),
}
