"""Summaries in the real window, out of the real child process over a real bank.

What a language model would write is put into the bank beforehand by a scripted one, through the same code that
`briefbank summarize` runs; the window then needs no model.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from children import living_children
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from scripted_model import ScriptedModel

from briefbank.bank.local import Bank
from briefbank.bank.remote import RemoteSummaries
from briefbank.platform.layout import Layout
from briefbank.search.summaries.summarizer import WITHHELD
from briefbank.values.records import Query
from briefbank.values.summaries import SummaryModel, SummaryPart
from ui.engine import EngineClient
from ui.matters.keeper import MatterStore
from ui.reading.guarded_text import GuardedText
from ui.reading.summary import SummaryPanel
from ui.recorder import Recorder
from ui.session import Session

WAIT_S, WAIT_MS = 60, 60_000
ANSWER = {
    "legal_issue": ["The issue is whether the stop was prolonged.", "It rests on State v. Marlowe, 12 N.J. 3 (1970)."],
    "facts": ["Mr. Zebulon waited."],
    "posture": [],
}
NOTHING: dict[str, list[str]] = {"legal_issue": [], "facts": [], "posture": []}


class Heard:
    """A listener that keeps what it is told."""

    def __init__(self) -> None:
        self.parts: list[SummaryPart] = []
        self.model: SummaryModel | None = None
        self.problem = ("", "")
        self.ended = threading.Event()

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)

    def part_written(self, part: SummaryPart) -> None:
        self.parts.append(part)

    def done(self, model: SummaryModel) -> None:
        self.model = model
        self.ended.set()

    def failed(self, message: str, advice: str) -> None:
        self.problem = message, advice
        self.ended.set()


@pytest.fixture(autouse=True)
def _no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "models"))


@pytest.fixture
def summarised_bank(own_bank: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the office's bank, all of it summarised."""
    with monkeypatch.context() as patched:
        patched.setattr(
            "briefbank.models.language.load_language_model", lambda *_arguments: ScriptedModel(ANSWER, NOTHING)
        )
        assert Bank.open(own_bank).summarize().written > 5
    return own_bank


@pytest.fixture
def summaries(summarised_bank: Path) -> Iterator[RemoteSummaries]:
    source = RemoteSummaries(summarised_bank)
    assert model_of(source)
    yield source
    source.close()


def model_of(source: RemoteSummaries, *, is_there: bool = True) -> SummaryModel | None:
    """The model, once it was looked up; it is looked up in a thread, every two seconds at most."""
    deadline = time.monotonic() + 60
    while bool(source.model()) is not is_there and time.monotonic() < deadline:
        time.sleep(0.05)
    return source.model()


def passages_of(root: Path) -> list[str]:
    bank = Bank.open(root)
    document = max(bank.documents(), key=lambda each: each.passage_count)
    return [each.id for each in bank.passages_of(document.id) if each.section_kind == "argument"]


def ask(source: RemoteSummaries, passage_id: str) -> Heard:
    heard = Heard()
    source.request(passage_id, heard)
    assert heard.ended.wait(WAIT_S)
    return heard


def test_a_bank_that_came_with_summaries_shows_them_without_a_model(
    summaries: RemoteSummaries, summarised_bank: Path
) -> None:
    model = summaries.model()
    assert model
    assert model.name == "Scripted 1B"
    heard = ask(summaries, passages_of(summarised_bank)[0])
    assert heard.model == model
    assert heard.text.startswith(f"Legal issue: The issue is whether the stop was prolonged. {WITHHELD}")
    assert [part.doubt for part in heard.parts if part.doubt] == ["the name Zebulon"]
    assert "Marlowe" not in heard.text


def test_without_model_and_summaries_there_is_no_model(own_bank: Path) -> None:
    source = RemoteSummaries(own_bank)
    try:
        time.sleep(1)
        assert source.model() is None
        assert "No language model" in ask(source, passages_of(own_bank)[0]).problem[0]
    finally:
        source.close()


def test_a_bank_whose_summaries_are_being_written_keeps_nobody_waiting(summarised_bank: Path) -> None:
    """Somebody else holds the file for longer than a look at it may wait."""
    with closing(sqlite3.connect(Layout(summarised_bank).summaries_file, isolation_level=None)) as writer:
        writer.execute("PRAGMA locking_mode=EXCLUSIVE")
        writer.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        source = RemoteSummaries(summarised_bank)
        assert source.model() is None
        assert time.monotonic() - began < 5
        writer.execute("ROLLBACK")
    try:
        assert model_of(source)
    finally:
        source.close()


def test_requests_are_answered_in_turn_and_cancelled_ones_not_at_all(
    summaries: RemoteSummaries, summarised_bank: Path
) -> None:
    ids = passages_of(summarised_bank)[:2]
    heard = [Heard() for _ in range(12)]
    cancels = [summaries.request(ids[number % 2], each) for number, each in enumerate(heard)]
    for cancel in cancels[1:-1]:
        cancel()
        cancel()
    assert heard[-1].ended.wait(WAIT_S)
    assert heard[0].model
    assert heard[-1].text == heard[0].text
    assert not any(each.parts or each.ended.is_set() for each in heard[1:-1])
    cancels[-1]()


def test_a_writer_that_dies_costs_its_request_alone(summaries: RemoteSummaries, summarised_bank: Path) -> None:
    passage_id = passages_of(summarised_bank)[0]
    ask(summaries, passage_id)
    (child,) = (each for each in living_children() if "summaries" in each.cmdline())
    os.kill(child.pid, signal.SIGSTOP)
    heard = Heard()
    summaries.request(passage_id, heard)
    os.kill(child.pid, signal.SIGKILL)
    assert heard.ended.wait(WAIT_S)
    assert heard.problem[0].startswith("Summaries are off because")
    assert ask(summaries, passage_id).model
    assert "no passage nowhere" in ask(summaries, "nowhere").problem[0]


def test_the_window_shows_the_summary_checked_and_marked(
    engine: EngineClient, summaries: RemoteSummaries, user_folders: Path, qtbot: QtBot
) -> None:
    """The engine is on the same office's bank, so that passages have the same ids."""
    recorder, matters = Recorder(user_folders / "feedback.sqlite"), MatterStore(user_folders / "matters.sqlite")
    session = Session(engine, recorder, summaries, matters)
    window = session.make_window()
    qtbot.addWidget(window)
    window.show()
    window.search_space.ask("consent at a prolonged stop")
    qtbot.waitUntil(lambda: bool(window.search_space.pane.list.cards), timeout=WAIT_MS)
    window.search_space.pane.list.take_focus()
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_S)

    def told() -> str:
        return "".join(each.accessibleName() for each in window.findChildren(GuardedText))

    qtbot.waitUntil(lambda: "Zebulon" in told(), timeout=WAIT_MS)
    assert "The issue is whether the stop was prolonged." in told()
    assert "Mr. Zebulon waited. [Not in the source: the name Zebulon]" in told()
    assert WITHHELD in told()
    assert "Marlowe" not in told()
    window.close()
    assert recorder.close() == 0
    assert matters.close() == 0


def test_a_passage_whose_summary_did_not_come_speaks_for_itself(
    own_engine: EngineClient, summaries: RemoteSummaries, summarised_bank: Path, qtbot: QtBot
) -> None:
    """A laptop without a model, and a brief that was indexed after the summaries were written."""
    Layout(summarised_bank).summaries_file.unlink()
    assert model_of(summaries, is_there=False) is None
    hit = Bank.open(summarised_bank).search(Query("consent at a prolonged stop")).hits[0]
    panel = SummaryPanel(own_engine, AsIfInstalled(summaries))
    qtbot.addWidget(panel)
    panel.set_hit(hit)
    panel.show()
    panel.toggle()

    def labels() -> list[str]:
        return [each.text() for each in panel.findChildren(QLabel) if each.isVisible()]

    qtbot.waitUntil(lambda: "Point heading" in labels(), timeout=WAIT_MS)
    assert any(each.startswith("No summary: No language model is installed.") for each in labels())
    panel.collapse()


class AsIfInstalled:
    """Says that there is a model, as a bank does that came with some summaries."""

    def __init__(self, summaries: RemoteSummaries) -> None:
        self.request = summaries.request

    def model(self) -> SummaryModel:
        return SummaryModel("Scripted 1B", "2026-11-20")
