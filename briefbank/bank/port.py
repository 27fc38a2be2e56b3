"""What the window asks of a bank: which of its methods, and which child process answers each.

A `RemoteBank` has these methods too, each returning the future of the answer. What they take, do, return and raise is
said where they do it: in `reader`, and for what is done once in `runs`. Arguments and answers cross as the types of
their hints, so a method needs nothing else to be reached; see `platform.processes`. Must not import what computes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from briefbank.bank.reader import BankReader
from briefbank.bank.runs import BankRuns
from briefbank.platform.memory import MemoryUse
from briefbank.platform.processes.calls import Call
from briefbank.platform.processes.child import Answer, RemoteMethod
from briefbank.values.state import BankStatus


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


class OfTheEngine(Protocol):
    """What the engine answers itself, also where its bank cannot be used."""

    def reopen(self) -> None:
        """Open the bank again, whether it looks changed or not."""

    def status(self) -> BankStatus:
        """Tell what the bank holds; also of one that holds no index yet."""

    def memory(self) -> MemoryUse:
        """Measure the memory of the window's process and of all that it started."""


class BankPort:
    """The methods, by the child that answers them: kept running, or started for one call."""

    def send(self, role: str, call: Call, on_part: Callable[[Any], None]) -> Answer[Any]:
        """Have the child of this role make a call; `on_part` takes what is reported on its way."""
        raise NotImplementedError

    # The engine. A search that is asked for later is answered later.
    search = RemoteMethod(BankReader.search, ChildRole.ENGINE)
    passage = RemoteMethod(BankReader.passage, ChildRole.ENGINE)
    first_passage = RemoteMethod(BankReader.first_passage, ChildRole.ENGINE)
    find_words = RemoteMethod(BankReader.find_words, ChildRole.ENGINE)
    own_words = RemoteMethod(BankReader.own_words, ChildRole.ENGINE)
    facets = RemoteMethod(BankReader.facets, ChildRole.ENGINE)
    may_open = RemoteMethod(BankReader.may_open, ChildRole.ENGINE)
    documents = RemoteMethod(BankReader.documents, ChildRole.ENGINE)
    arguments = RemoteMethod(BankReader.arguments, ChildRole.ENGINE)
    authorities = RemoteMethod(BankReader.authorities, ChildRole.ENGINE)
    card = RemoteMethod(BankReader.card, ChildRole.ENGINE)
    said_by_directives = RemoteMethod(BankReader.said_by_directives, ChildRole.ENGINE)
    decide_on_directive = RemoteMethod(BankReader.decide_on_directive, ChildRole.ENGINE)
    checklists = RemoteMethod(BankReader.checklists, ChildRole.ENGINE)
    news = RemoteMethod(BankReader.news, ChildRole.ENGINE)
    follow = RemoteMethod(BankReader.follow, ChildRole.ENGINE)
    mark_seen = RemoteMethod(BankReader.mark_seen, ChildRole.ENGINE)
    stop_following = RemoteMethod(BankReader.stop_following, ChildRole.ENGINE)
    offered_profiles = RemoteMethod(BankReader.offered_profiles, ChildRole.ENGINE)
    keep_relevant = RemoteMethod(BankReader.keep_relevant, ChildRole.ENGINE)
    remove_own_profile = RemoteMethod(BankReader.remove_own_profile, ChildRole.ENGINE)
    unreadable = RemoteMethod(BankReader.unreadable, ChildRole.ENGINE)
    correct = RemoteMethod(BankReader.correct, ChildRole.ENGINE)
    export_corrections = RemoteMethod(BankReader.export_corrections, ChildRole.ENGINE)
    reopen = RemoteMethod(OfTheEngine.reopen, ChildRole.ENGINE)
    status = RemoteMethod(OfTheEngine.status, ChildRole.ENGINE)
    memory = RemoteMethod(OfTheEngine.memory, ChildRole.ENGINE)

    # The pages. What is asked for last is answered first.
    warm_pages = RemoteMethod(BankReader.warm_pages, ChildRole.PAGES)
    document_pages = RemoteMethod(BankReader.document_pages, ChildRole.PAGES)
    page_image = RemoteMethod(BankReader.page_image, ChildRole.PAGES)
    show_others = RemoteMethod(BankReader.show_others, ChildRole.PAGES)
    page_text = RemoteMethod(BankReader.page_text, ChildRole.PAGES)
    marks = RemoteMethod(BankReader.marks, ChildRole.PAGES)
    outline = RemoteMethod(BankReader.outline, ChildRole.PAGES)
    typography = RemoteMethod(BankReader.typography, ChildRole.PAGES)
    check_collected = RemoteMethod(BankReader.check_collected, ChildRole.PAGES)
    alert_marks = RemoteMethod(BankReader.alert_marks, ChildRole.PAGES)
    cited_on = RemoteMethod(BankReader.cited_on, ChildRole.PAGES)

    # The summaries.
    warm_summaries = RemoteMethod(BankReader.warm_summaries, ChildRole.SUMMARIES)
    summary = RemoteMethod(BankReader.summary, ChildRole.SUMMARIES)

    # Done once, in a process of its own, with which all that was read of a file goes. Progress is reported at most ten
    # times a second.
    index = RemoteMethod(BankRuns.index, ChildRole.INDEX)
    export_feedback = RemoteMethod(BankRuns.export_feedback, ChildRole.EXPORT)
    check_draft = RemoteMethod(BankRuns.check_draft, ChildRole.DRAFT)
    write_draft_report = RemoteMethod(BankRuns.write_draft_report, ChildRole.DRAFT)
    read_check_record = RemoteMethod(BankRuns.read_check_record, ChildRole.DRAFT)
    save_check_record = RemoteMethod(BankRuns.save_check_record, ChildRole.DRAFT)
    run_checklist = RemoteMethod(BankRuns.run_checklist, ChildRole.CHECKLIST)
    write_checklist_report = RemoteMethod(BankRuns.write_checklist_report, ChildRole.CHECKLIST)


def methods_of(*roles: ChildRole) -> dict[str, Callable[..., Any]]:
    """Return the methods that children of these roles answer, by name."""
    asked = (each for each in vars(BankPort).values() if isinstance(each, RemoteMethod))
    return {each.method.__name__: each.method for each in asked if each.role in roles}
