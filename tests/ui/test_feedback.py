"""Marks and remarks from the window to the log and back, and what becomes of them when the log fails."""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hits import hit, result
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from briefbank.errors import BankDamagedError, BankInUseError
from briefbank.judgements.feedback.log import FeedbackLog, Mark, SavedSearch
from briefbank.values.records import Query
from ui.recorder import Recorder

WAIT_MS = 60_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "feedback.sqlite"


@pytest.fixture
def start(path: Path, qtbot: QtBot) -> Iterator[Callable[[], Recorder]]:
    """Start a recorder on the log, and wait until it knows what that holds."""
    started: list[Recorder] = []

    def make() -> Recorder:
        recorder = Recorder(path)
        started.append(recorder)
        with qtbot.waitSignal(recorder.saved_loaded, timeout=WAIT_MS):
            pass
        return recorder

    yield make
    for recorder in started:
        recorder.close()


def wait_for(qtbot: QtBot, recorder: Recorder, act: Callable[[], str]) -> None:
    """Do it, and wait until it is on the disk."""
    told: list[str] = []
    recorder.recorded.connect(told.append)
    event_id = act()
    qtbot.waitUntil(lambda: event_id in told, timeout=WAIT_MS)
    recorder.recorded.disconnect(told.append)


def test_a_mark_is_known_once_it_is_on_the_disk_and_again_after_a_restart(
    start: Callable[[], Recorder], qtbot: QtBot
) -> None:
    recorder = start()
    found = result("the stop", 2, 1)
    search_id = recorder.searched(found, found.hits)
    judged = recorder.judge(search_id, hit(1), relevant=True)
    assert recorder.judgements_of("the stop") == {}
    with qtbot.waitSignal(recorder.recorded, timeout=WAIT_MS, check_params_cb=lambda event_id: event_id == judged):
        pass
    assert recorder.judgements_of("the stop") == {"doc1-3": Mark(is_relevant=True)}
    wait_for(qtbot, recorder, lambda: recorder.rate(search_id, hit(1), 3))
    wait_for(qtbot, recorder, lambda: recorder.judge(search_id, hit(2), relevant=False))
    expected = {"doc1-3": Mark(is_relevant=True, stars=3), "doc2-3": Mark(is_relevant=False)}
    assert recorder.judgements_of("the stop") == expected
    assert recorder.close() == 0
    assert start().judgements_of("the stop") == expected


def test_a_mark_is_changed_and_withdrawn(start: Callable[[], Recorder], qtbot: QtBot) -> None:
    recorder = start()
    found = result("the stop", 1)
    search_id = recorder.searched(found, found.hits)
    for relevant, expected in (
        (True, {"doc1-3": Mark(is_relevant=True)}),
        (False, {"doc1-3": Mark(False)}),
        (None, {}),
    ):
        wait_for(qtbot, recorder, lambda told=relevant: recorder.judge(search_id, hit(1), told))
        assert recorder.judgements_of("the stop") == expected
    assert recorder.close() == 0
    assert start().judgements_of("the stop") == {}


def test_the_same_words_searched_again_show_what_was_said_before(start: Callable[[], Recorder], qtbot: QtBot) -> None:
    recorder = start()
    found = result("the stop", 1, 2)
    wait_for(qtbot, recorder, lambda: recorder.judge(recorder.searched(found, found.hits), hit(1), relevant=True))
    again = recorder.searched(found, found.hits)
    assert recorder.judgements_of("the stop") == {"doc1-3": Mark(is_relevant=True)}
    wait_for(qtbot, recorder, lambda: recorder.judge(again, hit(1), relevant=None))
    assert recorder.judgements_of("the stop") == {}


def test_a_passage_that_reads_differently_now_carries_no_old_mark(start: Callable[[], Recorder], qtbot: QtBot) -> None:
    recorder = start()
    found = result("the stop", 1)
    wait_for(qtbot, recorder, lambda: recorder.judge(recorder.searched(found, found.hits), hit(1), relevant=True))
    changed = replace(found, generation="later", hits=(hit(1, text="The passage as segmented anew."),))
    recorder.searched(changed, changed.hits)
    assert recorder.judgements_of("the stop") == {}


def test_marks_of_more_like_this_belong_to_its_passage(start: Callable[[], Recorder], qtbot: QtBot) -> None:
    recorder = start()
    found = result(Query("", like_passage="doc9-1"), 1)
    wait_for(qtbot, recorder, lambda: recorder.judge(recorder.searched(found, found.hits), hit(1), relevant=True))
    assert recorder.judgements_of("", "doc9-1") == {"doc1-3": Mark(is_relevant=True)}
    assert recorder.judgements_of("", "doc8-1") == {}
    assert recorder.history() == []


def test_everything_shown_is_recorded_in_its_place(start: Callable[[], Recorder], path: Path) -> None:
    recorder = start()
    found = result("the stop", 3, 1, 2)
    search_id = recorder.searched(found, found.hits)
    recorder.showed_more(search_id, (hit(5), hit(4)), generation="later")
    recorder.opened_summary(search_id, hit(5), "Small 4B")
    recorder.judge(search_id, hit(9), relevant=False)  # out of the context of another: shown all the same
    recorder.comment(search_id, "The third one was it. \ud83d")
    assert recorder.close() == 0
    with closing(sqlite3.connect(path)) as reader:
        shown = reader.execute("SELECT position, rank, generation FROM shown ORDER BY position").fetchall()
        summaries = reader.execute("SELECT passage_id, model FROM summary_opened").fetchall()
    first = found.generation
    assert shown == [(1, 3, first), (2, 1, first), (3, 2, first), (4, 5, "later"), (5, 4, "later"), (6, 9, first)]
    assert summaries == [("doc5-3", "Small 4B")]
    with FeedbackLog(path) as log:
        assert list(log.comments().values()) == ["The third one was it. ?"]


def test_history_and_saved_searches_are_told_when_the_log_is_open(
    start: Callable[[], Recorder], path: Path, qtbot: QtBot
) -> None:
    recorder = start()
    for text in ("the stop", "hearsay", "the stop"):
        recorder.searched(result(text, 1), (hit(1),))
    assert recorder.history() == ["the stop", "hearsay"]
    query = Query("hearsay", top_k=9)
    for name in ("mine", "gone"):
        recorder.save_search(name, query)
    wait_for(qtbot, recorder, lambda: recorder.forget_saved("gone"))
    assert recorder.saved_searches() == [SavedSearch("mine", query)]
    assert recorder.close() == 0
    again = Recorder(path)
    told: list[list[object]] = []
    again.history_loaded.connect(told.append)
    again.saved_loaded.connect(told.append)
    qtbot.waitUntil(lambda: len(told) == 2, timeout=WAIT_MS)
    assert told == [["the stop", "hearsay"], [SavedSearch("mine", query)]]
    again.close()


def test_what_cannot_be_written_is_told_and_written_later(
    start: Callable[[], Recorder], path: Path, qtbot: QtBot
) -> None:
    recorder = start()
    found = result("the stop", 1)
    failures: list[object] = []
    recorder.failed.connect(failures.append)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        search_id = recorder.searched(found, found.hits)
        recorder.judge(search_id, hit(1), relevant=True)
        qtbot.waitUntil(lambda: bool(failures), timeout=WAIT_MS)
        assert isinstance(failures[0], BankInUseError)
        assert recorder.unwritten == 2
        assert recorder.judgements_of("the stop") == {}
        other.execute("ROLLBACK")
    qtbot.waitUntil(lambda: recorder.judgements_of("the stop") == {"doc1-3": Mark(is_relevant=True)}, timeout=WAIT_MS)
    assert recorder.unwritten == 0


def test_a_damaged_log_is_told_of_and_feedback_goes_on(path: Path, qtbot: QtBot) -> None:
    path.write_bytes(b"no log at all " * 100)
    recorder = Recorder(path)
    while not list(path.parent.glob("*.damaged-*/*")):  # found before anyone has connected to the signal
        time.sleep(0.01)
    time.sleep(0.1)
    with qtbot.waitSignal(recorder.failed, timeout=WAIT_MS) as told:
        pass
    assert isinstance(told.args[0], BankDamagedError)
    found = result("the stop", 1)
    wait_for(qtbot, recorder, lambda: recorder.judge(recorder.searched(found, found.hits), hit(1), relevant=True))
    assert recorder.close() == 0


def test_ten_thousand_marks_neither_hold_up_the_window_nor_get_lost(
    start: Callable[[], Recorder], path: Path, qtbot: QtBot
) -> None:
    recorder = start()
    stalls_ms: list[float] = []
    last = [time.perf_counter()]

    def beat() -> None:
        now = time.perf_counter()
        stalls_ms.append((now - last[0]) * 1000)
        last[0] = now

    timer = QTimer()
    timer.timeout.connect(beat)
    timer.start(1)
    for number in range(100):
        found = result(f"query {number}", *range(1, 101))
        search_id = recorder.searched(found, found.hits)
        for each in found.hits:
            recorder.judge(search_id, each, relevant=each.rank % 2 == 0)
        qtbot.wait(1)
    qtbot.waitUntil(lambda: recorder.unwritten == 0, timeout=60_000)
    timer.stop()
    assert recorder.close() == 0
    assert statistics.median(stalls_ms) < 250
    with FeedbackLog(path) as log:
        assert len(log.marks()) == 10_000


def test_a_click_is_on_the_disk_in_a_moment(start: Callable[[], Recorder], qtbot: QtBot) -> None:
    recorder = start()
    found = result("the stop", 1)
    search_id = recorder.searched(found, found.hits)
    took_ms = []
    for number in range(40):
        began = time.perf_counter()
        wanted = recorder.judge(search_id, hit(1), relevant=bool(number % 2))
        with qtbot.waitSignal(recorder.recorded, timeout=WAIT_MS, check_params_cb=lambda told, it=wanted: told == it):
            pass
        took_ms.append((time.perf_counter() - began) * 1000)
    assert statistics.median(took_ms) < 500
