"""The bank in child processes, so that the window imports nothing heavy and outlives whatever dies.

Three children, each started by spawn and restarted when it dies: the engine (search, passages, facts of the bank), the
page maker (untrusted files are rendered there, so a hostile one costs its page and no search) and, while it runs, an
index run. Must not know Qt.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from briefbank.progress import Reporter, silent
from briefbank.records import Document, Query, SearchResult, Span
from briefbank.reports import (
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


class EngineState(StrEnum):
    """Where the engine process is. Calls may be made in every state but CLOSED; they wait until it is ready."""

    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"
    """It cannot work (no bank, damaged, model missing): `EngineNotice.message` and `.advice` say what to do."""
    RESTARTING = "restarting"
    """It died and is being started again; the calls that were waiting for it failed with EngineDiedError."""
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class EngineNotice:
    """A change of the engine's state, for people; `generation` is the live one, empty until it is known."""

    state: EngineState
    message: str = ""
    advice: str = ""
    generation: str = ""


@dataclass(frozen=True, slots=True)
class IndexRun:
    """An index run going on in its own process. `cancel` lets it finish the file it is at; the report comes anyway."""

    report: Future[IndexReport]
    cancel: Callable[[], None]


class RemoteBank:
    """The calls of `Bank`, each answered by a future. Futures are completed, and listeners called, in a thread of this
    object's own; a call that fails carries the BriefBankError that the bank raised. `Future.cancel()` drops a call that
    has not begun.
    """

    def __init__(self, root: Path, *, on_notice: Callable[[EngineNotice], None]) -> None:
        """Name the bank. Nothing is started yet."""
        raise NotImplementedError

    def start(self) -> None:
        """Start the engine process and return at once."""
        raise NotImplementedError

    def restart(self) -> None:
        """Start the engine anew after FAILED, for example when a bank has been made since."""
        raise NotImplementedError

    def close(self) -> None:
        """End all child processes, an index run included, and wait for them."""
        raise NotImplementedError

    def search(self, query: Query) -> Future[SearchResult]:
        """See `Bank.search`. A search that is asked for later is answered later."""
        raise NotImplementedError

    def passage(self, passage_id: str, *, context: int = 1) -> Future[PassageInContext]:
        """See `Bank.passage`."""
        raise NotImplementedError

    def own_words(self, passage_id: str) -> Future[tuple[Extract, ...]]:
        """See `Bank.own_words`."""
        raise NotImplementedError

    def facets(self) -> Future[Facets]:
        """See `Bank.facets`."""
        raise NotImplementedError

    def documents(self) -> Future[tuple[Document, ...]]:
        """See `Bank.documents`."""
        raise NotImplementedError

    def status(self) -> Future[BankStatus]:
        """See `Bank.status`."""
        raise NotImplementedError

    def document_pages(self, document_id: str) -> Future[DocumentPages]:
        """See `Bank.document_pages`."""
        raise NotImplementedError

    def page_image(self, document_id: str, number: int, scale: float) -> Future[PageImage]:
        """See `Bank.page_image`; the page asked for last is rendered first."""
        raise NotImplementedError

    def page_text(self, document_id: str, number: int) -> Future[PageText]:
        """See `Bank.page_text`."""
        raise NotImplementedError

    def marks(self, passage_id: str, matches: tuple[Span, ...]) -> Future[PassageMarks]:
        """See `Bank.marks`."""
        raise NotImplementedError

    def index(self, folder: Path, *, reporter: Reporter = silent) -> IndexRun:
        """Start an index run over `folder` in a process of its own; a new generation is taken up by the next search."""
        raise NotImplementedError
