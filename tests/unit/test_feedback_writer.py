"""The thread that writes feedback: every mark is on the disk or told not to be."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hits import result

from briefbank.errors import BankDamagedError, BankInUseError, BriefBankError, UsageError
from briefbank.judgements.feedback.events import Content, Event, Judged, Rated, Searched, shown_as
from briefbank.judgements.feedback.log import FeedbackLog, Mark
from briefbank.platform.event_log.log import new_id, utc_now
from briefbank.platform.event_log.writer import Writer
from briefbank.values.records import Query

WAIT_S = 10.0


class Told:
    """A writer and what it told."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.opened = 0
        self.written: list[str] = []
        self.failures: list[Exception] = []
        self.writer = Writer(
            lambda: FeedbackLog(path, busy_timeout_s=0.05),
            on_opened=self._on_opened,
            on_written=lambda events: self.written.extend(event.id for event in events),
            on_failed=self.failures.append,
            retry_s=0.05,
        )

    def _on_opened(self, _log: FeedbackLog) -> None:
        self.opened += 1

    def put(self, content: Content) -> str:
        event = Event(new_id(), utc_now(), content)
        self.writer.put(event)
        return event.id

    def search(self) -> str:
        return self.put(Searched(Query("the stop"), "G", 1.0, shown_as(result("x", 1, 2, 3).hits)))

    def until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + WAIT_S
        while not holds():
            assert time.monotonic() < deadline, "the writer is late"
            time.sleep(0.005)

    def until_written(self, event_id: str) -> None:
        self.until(lambda: event_id in self.written)


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    made = Told(tmp_path / "feedback.sqlite")
    yield made
    made.writer.close()


def test_what_was_told_written_is_in_the_log(told: Told) -> None:
    search_id = told.search()
    judged = told.put(Judged(search_id, "doc1-3", is_relevant=True))
    told.until_written(judged)
    with FeedbackLog(told.path) as log:
        assert log.event_ids() == [search_id, judged] == told.written


def test_flushing_tells_what_is_not_on_the_disk_and_tries_at_once(tmp_path: Path) -> None:
    path = tmp_path / "feedback.sqlite"
    failures: list[BriefBankError] = []
    writer = Writer(
        lambda: FeedbackLog(path, busy_timeout_s=0.05),
        on_opened=lambda _log: None,
        on_written=lambda _events: None,
        on_failed=failures.append,
        retry_s=3600,
    )
    writer.put(Event(new_id(), utc_now(), Searched(Query("the stop"), "G", 1.0, ())))
    assert (writer.flush(), writer.problem) == (0, None)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writer.put(Event(new_id(), utc_now(), Searched(Query("hearsay"), "G", 1.0, ())))
        assert writer.flush() == 1
        assert [writer.problem] == failures
        assert isinstance(writer.problem, BankInUseError)
        assert writer.flush() == 1
        other.execute("ROLLBACK")
    assert (writer.flush(), writer.problem) == (0, None)
    assert writer.close() == 0


def test_a_fault_of_the_program_is_told_for_people_and_never_with_its_text(caplog: pytest.LogCaptureFixture) -> None:
    def open_log() -> FeedbackLog:
        raise ValueError("what somebody asked")

    failures: list[BriefBankError] = []
    writer = Writer(
        open_log, on_opened=lambda _log: None, on_written=lambda _events: None, on_failed=failures.append, retry_s=0.01
    )
    writer.put(Event(new_id(), utc_now(), Searched(Query("the stop"), "G", 1.0, ())))
    assert writer.flush() == 1
    assert writer.close() == 1
    (problem,) = failures
    assert "ValueError" in problem.message
    assert "ValueError at test_feedback_writer.py" in caplog.text
    assert "what somebody asked" not in caplog.text + problem.message + problem.advice


def test_closing_writes_what_is_left(told: Told) -> None:
    search_id = told.search()
    ids = [told.put(Judged(search_id, "doc2-3", is_relevant=bool(number % 2))) for number in range(2_000)]
    assert told.writer.close() == 0
    with FeedbackLog(told.path) as log:
        assert log.event_ids() == [search_id, *ids]


def test_events_of_many_threads_are_all_written(told: Told) -> None:
    search_id = told.search()
    put = [
        threading.Thread(target=lambda: [told.put(Rated(search_id, "doc1-3", 1 + n % 5)) for n in range(300)])
        for _ in range(4)
    ]
    for thread in put:
        thread.start()
    for thread in put:
        thread.join()
    assert told.writer.close() == 0
    with FeedbackLog(told.path) as log:
        assert len(log.event_ids()) == 1 + 4 * 300


def test_what_cannot_be_written_is_kept_told_once_and_written_later(told: Told) -> None:
    told.until_written(told.search())
    with closing(sqlite3.connect(told.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        search_id = told.search()
        judged = told.put(Judged(search_id, "doc1-3", is_relevant=True))
        told.until(lambda: bool(told.failures))
        time.sleep(0.5)  # several more attempts
        assert [type(failure) for failure in told.failures] == [BankInUseError]
        assert told.writer.unwritten == 2
        other.execute("ROLLBACK")
    told.until_written(judged)
    assert told.writer.unwritten == 0


def test_closing_says_how_many_events_could_not_be_written(told: Told) -> None:
    told.until_written(told.search())
    with closing(sqlite3.connect(told.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        told.search()
        assert told.writer.close() == 1
        other.execute("ROLLBACK")


def test_an_event_that_makes_no_sense_does_not_hold_up_the_others(told: Told) -> None:
    told.until_written(told.search())
    with closing(sqlite3.connect(told.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # so that all of these are written at once
        search_id = told.search()
        wrong = told.put(Rated(search_id, "doc1-3", 9))
        right = told.put(Rated(search_id, "doc1-3", 5))
        told.until(lambda: bool(told.failures))
        other.execute("ROLLBACK")
    told.until_written(right)
    told.until(lambda: told.writer.unwritten == 0)
    assert wrong not in told.written
    assert [type(failure) for failure in told.failures] == [BankInUseError, UsageError]


def test_a_log_found_damaged_at_the_start_is_told_of_and_a_new_one_begun(tmp_path: Path) -> None:
    (tmp_path / "feedback.sqlite").write_bytes(b"")
    told = Told(tmp_path / "feedback.sqlite")
    search_id = told.search()
    told.until_written(search_id)
    assert told.writer.close() == 0
    assert [type(failure) for failure in told.failures] == [BankDamagedError]
    with FeedbackLog(told.path) as log:
        assert log.event_ids() == [search_id]


def test_a_log_damaged_under_the_program_takes_nothing_of_the_session_along(told: Told, tmp_path: Path) -> None:
    search_id = told.search()
    told.until_written(told.put(Judged(search_id, "doc1-3", is_relevant=True)))
    with FeedbackLog(told.path) as other:  # makes the program read the file anew
        other.append([Event(new_id(), utc_now(), Searched(Query("hearsay"), "G", 1.0, ()))])
    junk = random.Random(3).randbytes(told.path.stat().st_size)
    with told.path.open("r+b") as file:
        file.write(junk)
    told.until_written(told.put(Rated(search_id, "doc1-3", 4)))
    assert told.writer.close() == 0
    assert {type(failure) for failure in told.failures} == {BankDamagedError}
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1
    with FeedbackLog(told.path) as log:
        assert list(log.marks().values()) == [Mark(is_relevant=True, stars=4)]
