"""The engine as the window sees it: answers on the window's thread, its state as a signal, real processes behind it."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from program import ROOT
from PySide6.QtCore import QCoreApplication, QObject
from pytestqt.qtbot import QtBot

from briefbank.values.records import Query, SearchResult
from ui.engine import EngineClient

WAIT_MS = 60_000


def test_an_answer_arrives_on_the_windows_thread(engine: EngineClient, qtbot: QtBot) -> None:
    threads: list[int] = []
    answers: list[SearchResult] = []

    def on_done(result: SearchResult) -> None:
        threads.append(threading.get_ident())
        answers.append(result)

    engine.ask(engine.bank.search(Query("consent at a prolonged stop")), on_done, answers.append)
    qtbot.waitUntil(lambda: bool(answers), timeout=WAIT_MS)
    assert answers[0].hits
    assert threads == [threading.get_ident()]


def test_nothing_is_told_to_whoever_is_gone(engine: EngineClient, qtbot: QtBot) -> None:
    told: list[object] = []
    asker = QObject()
    future = engine.bank.search(Query("consent"))
    engine.ask(future, told.append, told.append, parent=asker)
    asker.deleteLater()
    del asker
    future.result(60)
    qtbot.wait(50)
    assert told == []


def test_answers_that_come_while_their_askers_are_deleted_do_no_harm(engine: EngineClient, qtbot: QtBot) -> None:
    told: list[object] = []
    with ThreadPoolExecutor(4) as pool:
        for number in range(2_000):
            asker = QObject()
            engine.ask(pool.submit(int, number), told.append, told.append, parent=asker)
            if number % 2:
                asker.deleteLater()
            else:
                asker.setParent(engine)
            if number % 50 == 0:
                QCoreApplication.processEvents()
    qtbot.waitUntil(lambda: set(range(0, 2_000, 2)) <= set(told), timeout=WAIT_MS)


def test_nothing_is_told_after_cancelling(engine: EngineClient, qtbot: QtBot) -> None:
    told: list[object] = []
    future = engine.bank.facets()
    engine.ask(future, told.append, told.append).cancel()
    qtbot.wait(200)
    assert told == []


AT_ONCE = """
import sys
from threading import Barrier, Thread
from PySide6.QtCore import QCoreApplication, QObject
from ui import engine

sys.setswitchinterval(1e-6)
application, owner, arrived, earlier = QCoreApplication([]), QObject(), [], []
for _ in range(50):
    earlier.append(engine._mailbox())
    engine._mailbox.cache_clear()
    start = Barrier(4)

    def tell():
        start.wait()
        engine.deliver(owner, lambda: arrived.append(1))

    threads = [Thread(target=tell) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    application.processEvents()
print(len(arrived))
"""


def test_nothing_is_lost_where_threads_tell_the_window_their_first_at_the_same_time() -> None:
    ended = subprocess.run([sys.executable, "-c", AT_ONCE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "200\n")
