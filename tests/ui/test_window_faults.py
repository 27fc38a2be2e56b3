"""The window on a bad day: its bank replaced or gone under it, feedback that cannot be written, very many clicks."""

from __future__ import annotations

import shutil
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import office
import pytest
from filelock import FileLock
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot
from windows import CONSENT, WAIT_MS, ask, opened, titles

from briefbank.bank.port import EngineState
from briefbank.cli.main import main
from briefbank.platform.layout import Layout
from ui.dialogs.help import HelpDialog
from ui.engine import EngineClient
from ui.window import MainWindow

LYNX = "A lynx in the courtroom is a structural error that no curative instruction can mend."


@pytest.fixture
def window(qtbot: QtBot, engine: EngineClient, log: Path) -> Iterator[MainWindow]:
    with opened(engine, log) as shown:
        yield shown


@pytest.fixture
def other_bank(folder: Path, tmp_path: Path) -> Path:
    """A bank of other briefs, ready to be moved in."""
    office.write_text(folder / "lynx.txt", office.memo("Lynx in the courtroom", LYNX, dated="May 4, 2024"))
    bank = office.write_bank(tmp_path / "other")
    assert main(["index", str(folder), "--bank", str(bank), "--quiet"]) == 0
    return bank


def test_a_bank_replaced_as_a_whole_is_taken_up_by_the_open_window(
    qtbot: QtBot, own_engine: EngineClient, other_bank: Path, log: Path, tmp_path: Path
) -> None:
    with opened(own_engine, log) as window:
        ask(window, qtbot, CONSENT)
        before, generation = titles(window), window.search_space.generation
        own_engine.bank_root.rename(tmp_path / "old")
        other_bank.rename(own_engine.bank_root)
        qtbot.waitUntil(lambda: window.search_space.generation != generation, timeout=WAIT_MS)
        assert titles(window) == before, "what is read is not taken away"
        ask(window, qtbot, "lynx in the courtroom")
        (first, *_) = window.search_space.pane.list.cards
        assert first.hit.document.metadata.title.value == "Lynx in the courtroom"
        qtbot.waitUntil(lambda: "3 briefs" in window.bottom.state, timeout=WAIT_MS)
        qtbot.waitUntil(lambda: window.search_space.page.view.pages is not None, timeout=WAIT_MS)
        assert window.search_space.page.view.pages is not None
        assert window.search_space.page.view.pages.document.id == first.hit.document.id


def test_a_bank_that_is_gone_is_explained_and_one_that_comes_back_answers_the_question(
    qtbot: QtBot, own_engine: EngineClient, log: Path, tmp_path: Path
) -> None:
    with opened(own_engine, log) as window:
        ask(window, qtbot, CONSENT)
        before = titles(window)
        kept = Path(shutil.copytree(own_engine.bank_root, tmp_path / "kept"))
        shutil.rmtree(own_engine.bank_root)
        qtbot.waitUntil(lambda: own_engine.notice.state is EngineState.FAILED, timeout=WAIT_MS)
        assert window.bottom.state == "The index is gone"
        assert titles(window) == before
        ask(window, qtbot, "photographic array shown by the detective")
        assert window.search_space.pane.state is not None
        assert window.search_space.pane.state.title == f"There is no bank at {own_engine.bank_root}."
        kept.rename(own_engine.bank_root)
        qtbot.waitUntil(lambda: window.search_space.pane.state is None, timeout=WAIT_MS)
        assert window.search_space.pane.list.cards


def test_an_index_that_cannot_be_opened_is_told_of_while_the_one_before_goes_on(
    qtbot: QtBot, own_engine: EngineClient, log: Path
) -> None:
    with opened(own_engine, log) as window:
        ask(window, qtbot, CONSENT)
        before, told = titles(window), own_engine.notice
        Layout(own_engine.bank_root).current_file.write_text("20990101T000000-lost\n", encoding="utf-8")
        qtbot.waitUntil(lambda: own_engine.notice is not told, timeout=WAIT_MS)
        assert own_engine.notice.message
        assert own_engine.notice.message in window.bottom.state
        ask(window, qtbot, "photographic array shown by the detective")
        ask(window, qtbot, CONSENT)
        assert titles(window) == before


def test_a_dialog_that_is_open_comes_to_the_front_instead_of_a_second_one(window: MainWindow) -> None:
    window.menu.show_help()
    (first,) = window.findChildren(HelpDialog)
    window.menu.show_help()
    assert window.findChildren(HelpDialog) == [first]
    first.close()
    window.menu.show_help()
    assert [each for each in window.findChildren(HelpDialog) if each.isVisible()] != [first]


def press_in_box(wanted: str, told: list[str]) -> None:
    """Press a button of the message box that is about to open, and keep what it says."""

    def press() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        told.append(f"{box.text()} {box.informativeText()}")
        next(button for button in box.buttons() if button.text() == wanted).click()

    QTimer.singleShot(0, press)


def test_closing_tells_of_feedback_that_cannot_be_written_and_stays_if_wished(
    window: MainWindow, qtbot: QtBot, log: Path
) -> None:
    ask(window, qtbot, CONSENT)
    qtbot.waitUntil(lambda: window.search_space._recorder.unwritten == 0, timeout=WAIT_MS)
    told: list[str] = []
    with closing(sqlite3.connect(log, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        window.search_space.pane.list.cards[0].verdict.choose(verdict=True)
        window.bottom.comment.setText("The first one was it.")
        press_in_box("Stay", told)
        assert not window.close()
        assert window.isVisible()
        other.execute("ROLLBACK")
    assert told[0].startswith("2 entries of your feedback could not be written down")
    assert "Another program has been writing to the feedback log" in told[0]
    assert window.close()
    with closing(sqlite3.connect(log)) as reader:
        assert reader.execute("SELECT text FROM comment").fetchall() == [("The first one was it.",)]
        assert reader.execute("SELECT is_relevant FROM judgement").fetchall() == [(1,)]


def test_marks_of_a_log_that_opens_late_are_shown_on_the_results_but_not_over_what_was_said_since(
    qtbot: QtBot, engine: EngineClient, log: Path
) -> None:
    with opened(engine, log) as window:
        ask(window, qtbot, CONSENT)
        for card in window.search_space.pane.list.cards[:2]:
            card.verdict.choose(verdict=True)
    with FileLock(log.with_name(f".{log.name}.lock")) as lock, opened(engine, log) as window:
        ask(window, qtbot, CONSENT)
        first, second, *_ = window.search_space.pane.list.cards
        assert first.verdict.verdict is second.verdict.verdict is None
        second.verdict.choose(verdict=False)
        lock.release()
        qtbot.waitUntil(lambda: first.verdict.verdict is True, timeout=WAIT_MS)
        assert second.verdict.verdict is False
        qtbot.waitUntil(lambda: second.verdict.is_kept, timeout=WAIT_MS)
        assert window.bottom.judged.startswith("2 of")


def test_ten_thousand_judgements_are_all_kept_while_the_window_stays_alive(
    window: MainWindow, qtbot: QtBot, log: Path
) -> None:
    ask(window, qtbot, CONSENT)
    cards, stalls_ms, last = window.search_space.pane.list.cards, [], [time.perf_counter()]

    def beat() -> None:
        now = time.perf_counter()
        stalls_ms.append((now - last[0]) * 1000)
        last[0] = now

    timer = QTimer()
    timer.timeout.connect(beat)
    timer.start(1)
    for number in range(10_000):
        cards[number % len(cards)].verdict.choose(verdict=number // len(cards) % 3 == 0)
        if number % 10 == 9:
            qtbot.wait(1)
    qtbot.waitUntil(lambda: all(card.verdict.is_kept for card in cards), timeout=WAIT_MS)
    timer.stop()
    assert window.search_space._recorder.unwritten == 0
    assert statistics.median(stalls_ms) < 250
    shown = {card.hit.passage.id: card.verdict.verdict for card in cards}
    with closing(sqlite3.connect(log)) as reader:
        assert reader.execute("SELECT count(*) FROM judgement").fetchone() == (10_000,)
        latest = "SELECT passage_id, is_relevant, max(rowid) FROM judgement GROUP BY passage_id"
        kept = {passage: None if told is None else bool(told) for passage, told, _ in reader.execute(latest)}
    assert kept == shown


def test_a_program_that_cannot_be_started_is_explained(
    qtbot: QtBot,
    start_engine: Callable[[Path], EngineClient],
    office_bank: Path,
    log: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "no-python"))
    engine = start_engine(office_bank)
    with opened(engine, log) as window:
        window.search_space.ask(CONSENT)
        qtbot.waitUntil(lambda: engine.notice.state is EngineState.FAILED, timeout=WAIT_MS)
        qtbot.waitUntil(lambda: not window.search_space.search.is_waiting, timeout=WAIT_MS)
        assert window.search_space.pane.state is not None
        assert "is not started again" in window.search_space.pane.state.title
        window.index_run.start(folder)
        qtbot.waitUntil(lambda: window.index_run.has_ended, timeout=WAIT_MS)
        assert window.index_run.error is not None
        assert "could not be started" in window.index_run.error.message
