"""The bank in child processes: the same answers, in order, and another generation taken up without a wait."""

from __future__ import annotations

import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import office
import psutil
import pytest
from children import living_children
from systems import NOT_FOUND, open_files_change

from briefbank import errors
from briefbank.bank.child import Engine
from briefbank.bank.local import Bank
from briefbank.bank.port import BankPort, ChildRole, EngineNotice, EngineState, methods_of
from briefbank.bank.reader import BankReader
from briefbank.bank.remote import RemoteBank, start_engine
from briefbank.bank.runs import BankRuns
from briefbank.errors import UsageError
from briefbank.ingest.worker import TASKS
from briefbank.models.language import LanguageModel
from briefbank.platform.processes.calls import Table, error_of, failed, table
from briefbank.platform.processes.child import Child, RemoteMethod
from briefbank.platform.progress import Progress
from briefbank.values.records import Query, SearchResult, Span

QUESTION = Query("may the police search after consent at a prolonged stop")
WAIT_S = 150
LANGUAGE = table(LanguageModel.answer, LanguageModel.count_tokens)


@dataclass
class Remote:
    """A remote bank and what it told."""

    bank: RemoteBank
    notices: list[EngineNotice] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def wait_for(self, is_true: Callable[[list[EngineNotice]], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: is_true(self.notices), WAIT_S), self.notices


def open_remote(root: Path) -> Remote:
    def on_notice(notice: EngineNotice) -> None:
        with remote.changed:
            remote.notices.append(notice)
            remote.changed.notify_all()

    remote = Remote(RemoteBank(root, on_notice=on_notice))
    return remote


@pytest.fixture(scope="module")
def shared(library_bank: Path) -> Iterator[Remote]:
    """A remote bank whose processes all run; never killed, closed or indexed with."""
    remote = open_remote(library_bank)
    remote.bank.start()
    document = remote.bank.search(QUESTION).result(WAIT_S).hits[0].document
    remote.bank.document_pages(document.id).result(WAIT_S)
    yield remote
    remote.bank.close()


@pytest.fixture
def opened() -> Iterator[Callable[..., Remote]]:
    """Open remote banks that are closed at the end."""
    made: list[Remote] = []

    def open_and_start(root: Path, *engine: Child) -> Remote:
        made.append(open_remote(root))
        made[-1].bank.start(*engine)
        return made[-1]

    yield open_and_start
    for each in made:
        each.bank.close()


def is_ready(notices: list[EngineNotice]) -> bool:
    return bool(notices) and notices[-1].state is EngineState.READY


def untimed(result: SearchResult) -> SearchResult:
    return replace(result, took_ms=0)


def test_every_call_is_answered_as_the_bank_answers_it(shared: Remote, library_bank: Path) -> None:
    bank, remote = Bank.open(library_bank), shared.bank
    result = bank.search(QUESTION)
    hit = next(hit for hit in result.hits if hit.document.source_path.endswith(".pdf"))
    assert untimed(remote.search(QUESTION).result(WAIT_S)) == untimed(result)
    assert remote.passage(hit.passage.id, context=2).result(WAIT_S) == bank.passage(hit.passage.id, context=2)
    assert remote.own_words(hit.passage.id).result(WAIT_S) == bank.own_words(hit.passage.id)
    assert remote.facets().result(WAIT_S) == bank.facets()
    assert remote.documents().result(WAIT_S) == bank.documents()
    assert remote.status().result(WAIT_S).documents == bank.status().documents
    document, page = hit.document.id, hit.passage.page_first
    assert remote.document_pages(document).result(WAIT_S) == bank.document_pages(document)
    assert remote.page_image(document, page, 1.0).result(WAIT_S) == bank.page_image(document, page, 1.0)
    assert remote.page_text(document, page).result(WAIT_S) == bank.page_text(document, page)
    assert remote.marks(hit.passage.id, hit.matches).result(WAIT_S) == bank.marks(hit.passage.id, hit.matches)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells the limits of a process")
def test_no_child_leaves_a_core_dump(shared: Remote) -> None:
    children = living_children()
    assert children
    assert {each.rlimit(psutil.RLIMIT_CORE) for each in children} == {(0, 0)}


def test_an_error_keeps_its_kind_and_advice(shared: Remote) -> None:
    with pytest.raises(UsageError, match="no passage nonsense") as caught:
        shared.bank.passage("nonsense").result(WAIT_S)
    assert caught.value.advice


def test_a_fault_of_the_program_is_named_without_its_text(shared: Remote) -> None:
    with pytest.raises(errors.BriefBankError, match="WireError") as caught:
        shared.bank.passage("a secret", context="not a number").result(WAIT_S)  # type: ignore[arg-type]
    assert "not a number" not in str(caught.value)
    assert shared.bank.search(QUESTION).result(WAIT_S).hits


class OddError(errors.BriefBankError):
    """Cannot be made again from what its base class keeps."""

    def __init__(self, one: str, two: str, three: str) -> None:
        super().__init__(one + two, three)


def test_an_error_that_the_other_end_does_not_know_keeps_what_it_says() -> None:
    error = error_of(failed(1, OddError("It ", "broke \udc80.", "Mend it.")))
    assert type(error) is errors.BriefBankError
    assert (error.message, error.advice) == ("It broke \\udc80.", "Mend it.")


def test_every_error_crosses_as_itself() -> None:
    known = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, BaseException)]
    assert len(known) > 20
    for kind in known:
        made = kind("It broke.", "Mend it.")
        if isinstance(made, errors.BriefBankError):
            crossed = error_of(failed(1, made))
            assert (type(crossed), crossed.message, crossed.advice) == (kind, "It broke.", "Mend it.")


@pytest.mark.parametrize("calls", [table(*methods_of(*ChildRole).values()), TASKS, LANGUAGE])
def test_every_call_and_answer_is_of_types_that_messages_hold(calls: Table) -> None:
    for call in calls.values():
        told = repr([msgspec.inspect.type_info(each) for each in (call.arguments, call.answer, call.part)])
        assert set(re.findall(r"CustomType\(cls=<class '([\w.]+)'", told)) <= {"pathlib.Path"}


def test_each_child_holds_what_answers_the_methods_that_are_asked_of_it_under_their_names() -> None:
    once = methods_of(ChildRole.INDEX, ChildRole.EXPORT, ChildRole.DRAFT, ChildRole.CHECKLIST)
    for name in methods_of(*ChildRole):
        assert isinstance(vars(BankPort)[name], RemoteMethod)
        assert hasattr(BankRuns if name in once else BankReader, name) or hasattr(Engine, name), name


def order_of(futures: list[Future[Any]]) -> list[int]:
    """The numbers of the futures in the order in which they were completed."""
    done: list[int] = []
    for number, future in enumerate(futures):
        future.add_done_callback(lambda _, number=number: done.append(number))
    for future in futures:
        future.exception(WAIT_S)
    time.sleep(0.05)  # callbacks come after whoever waits
    return done


def test_searches_are_answered_in_the_order_asked_also_before_the_engine_is_ready(
    opened: Callable[..., Remote], library_bank: Path
) -> None:
    remote = opened(library_bank)
    assert order_of([remote.bank.search(QUESTION) for _ in range(4)]) == [0, 1, 2, 3]
    assert is_ready(remote.notices)
    assert remote.notices[-1].generation == remote.bank.search(QUESTION).result(WAIT_S).generation


def test_the_page_asked_for_last_is_rendered_first(shared: Remote) -> None:
    document = next(each for each in shared.bank.documents().result(WAIT_S) if each.source_path.endswith(".pdf"))
    done = order_of([shared.bank.page_image(document.id, 1, 4.0) for _ in range(4)])
    assert done[0] == 0  # was begun before there was another
    assert done[1:] == [3, 2, 1]


def test_a_call_that_was_cancelled_before_its_turn_is_never_made(shared: Remote) -> None:
    first, *others = [shared.bank.search(QUESTION) for _ in range(5)]
    assert all(each.cancel() for each in others[1:])
    assert first.result(WAIT_S).hits
    assert others[0].result(WAIT_S).hits
    assert all(each.cancelled() for each in others[1:])


def test_an_engine_started_before_the_bank_is_taken_over(opened: Callable[..., Remote], own_bank: Path) -> None:
    remote = opened(own_bank, start_engine(own_bank))
    assert remote.bank.search(QUESTION).result(WAIT_S).hits
    commands = [each.cmdline() for each in living_children()]
    assert len([words for words in commands if words[-2:] == ["engine", str(own_bank)]]) == 1


def test_after_closing_calls_are_cancelled(library_bank: Path) -> None:
    remote = open_remote(library_bank)
    remote.bank.start()
    waiting = remote.bank.search(QUESTION)
    remote.bank.close()
    assert remote.notices[-1].state is EngineState.CLOSED
    for future in (waiting, remote.bank.search(QUESTION), remote.bank.page_text("x", 1)):
        with pytest.raises(CancelledError):
            future.result(WAIT_S)
    with pytest.raises(CancelledError):
        remote.bank.index(library_bank).result(WAIT_S)


def test_a_page_process_that_cannot_be_started_is_told_with_the_reason(
    library_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remote = open_remote(library_bank)
    monkeypatch.setattr("sys.executable", str(tmp_path / "no-python"))
    remote.bank.start()
    with pytest.raises(errors.EngineDiedError, match=f"could not be started: {NOT_FOUND}"):
        remote.bank.document_pages("any").result(WAIT_S)
    remote.bank.close()


def test_a_bank_that_was_never_started_can_be_closed(library_bank: Path) -> None:
    open_remote(library_bank).bank.close()


# --- indexing ----------------------------------------------------------------------------------------------------


def test_the_first_index_run_brings_the_engine_to_work(
    opened: Callable[..., Remote], empty_bank: Path, folder: Path
) -> None:
    remote = opened(empty_bank)
    remote.wait_for(lambda notices: notices[-1:] != [] and notices[-1].state is EngineState.FAILED)
    assert "no index yet" in remote.notices[-1].message
    assert remote.notices[-1].advice
    with pytest.raises(errors.BankMissingError):
        remote.bank.search(QUESTION).result(WAIT_S)
    assert remote.bank.status().result(WAIT_S).generation is None
    steps: list[Progress] = []
    report = remote.bank.index(folder, reporter=steps.append).result(WAIT_S)
    assert (report.documents, report.failures) == (2, ())
    assert max(step.files_done for step in steps) == 2
    assert remote.bank.search(QUESTION).result(WAIT_S).hits
    remote.wait_for(is_ready)
    assert remote.notices[-1].generation == report.generation


def test_indexing_a_folder_that_is_not_there_leaves_no_bank_behind(tmp_path: Path, folder: Path) -> None:
    root = tmp_path / "new"
    remote = open_remote(root)
    run = remote.bank.index(folder / "nowhere")
    with pytest.raises(errors.SourceError):
        run.result(WAIT_S)
    assert not root.exists()
    remote.bank.close()


def test_a_new_generation_is_taken_up_while_nobody_asks(
    opened: Callable[..., Remote], own_bank: Path, folder: Path
) -> None:
    remote = opened(own_bank)
    before = remote.bank.search(QUESTION).result(WAIT_S).generation
    report = remote.bank.index(folder).result(WAIT_S)
    assert report.generation != before
    remote.wait_for(lambda notices: notices[-1].generation == report.generation)
    assert remote.bank.search(QUESTION).result(WAIT_S).generation == report.generation
    (engine,) = (each for each in living_children() if each.cmdline()[-2:] == ["engine", str(own_bank)])
    held = " ".join(each.path for each in engine.memory_maps()) if sys.platform == "linux" else report.generation
    assert report.generation in held
    assert before not in held
    hit = remote.bank.search(QUESTION).result(WAIT_S).hits[0]
    assert remote.bank.marks(hit.passage.id, (Span(0, 3),)).result(WAIT_S).passage_id == hit.passage.id


@open_files_change
def test_a_bank_replaced_under_an_open_engine_is_searched_next(
    opened: Callable[..., Remote], own_bank: Path, folder: Path, tmp_path: Path
) -> None:
    remote = opened(own_bank)
    assert remote.bank.search(QUESTION).result(WAIT_S).hits
    other = office.write_bank(tmp_path / "other")
    generation = Bank.open(other).index(folder).generation
    shutil.rmtree(own_bank)
    other.rename(own_bank)
    results = [remote.bank.search(QUESTION).result(WAIT_S) for _ in range(2)]
    assert all(result.hits for result in results)
    remote.wait_for(lambda notices: notices[-1].generation == generation)
    assert remote.bank.search(QUESTION).result(WAIT_S).generation == generation


def test_an_engine_whose_new_generation_is_damaged_keeps_the_old_one_and_says_so(
    opened: Callable[..., Remote], own_bank: Path
) -> None:
    remote = opened(own_bank)
    before = remote.bank.search(QUESTION).result(WAIT_S)
    live = own_bank / "generations" / before.generation
    damaged = Path(shutil.copytree(live, live.with_name("29990101T000000Z")))
    (damaged / "lexical" / "vocab.index.json").write_text("{}", encoding="utf-8")
    (own_bank / "current").write_text("29990101T000000Z\n", encoding="utf-8")
    remote.wait_for(lambda notices: bool(notices[-1].message))
    assert remote.notices[-1].state is EngineState.READY
    assert remote.notices[-1].advice
    assert untimed(remote.bank.search(QUESTION).result(WAIT_S)) == untimed(before)


def test_changed_settings_are_taken_up(opened: Callable[..., Remote], own_bank: Path) -> None:
    remote = opened(own_bank)
    assert remote.bank.search(QUESTION).result(WAIT_S).hits
    settings = own_bank / "bank.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("weak_below = 0.0", "weak_below = 1.0"), encoding="utf-8")
    remote.wait_for(lambda notices: len(notices) > 1 and is_ready(notices))
    assert untimed(remote.bank.search(QUESTION).result(WAIT_S)) == untimed(Bank.open(own_bank).search(QUESTION))


def test_a_cancelled_run_keeps_the_old_index(opened: Callable[..., Remote], own_bank: Path, folder: Path) -> None:
    remote = opened(own_bank)
    run = remote.bank.index(folder)
    run.stop()
    with pytest.raises(errors.CancelledError):
        run.result(WAIT_S)
    assert len(remote.bank.documents().result(WAIT_S)) == 6


def test_closing_ends_an_index_run_and_all_it_started(own_bank: Path, tmp_path: Path) -> None:
    (tmp_path / "scans").mkdir()
    for number in range(12):
        office.write_scan(tmp_path / "scans" / f"{number}.pdf", office.memo("Arrays", office.LINEUP), dpi=100 + number)
    remote = open_remote(own_bank)
    remote.bank.start()
    begun = threading.Event()
    run = remote.bank.index(tmp_path / "scans", reporter=lambda told: begun.set() if told.stage == "reading" else None)
    assert begun.wait(WAIT_S)
    remote.bank.close()
    assert isinstance(run.exception(0), errors.BriefBankError)
    assert Bank.open(own_bank).search(QUESTION).hits
