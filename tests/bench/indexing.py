"""Time of a whole index run and of a second one over unchanged files; where the main thread's time goes."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from corpus import PassageMaker, make_material
from hashing_encoder import HashingEncoder, offer
from report import Figure

from briefbank.bank.local import Bank
from briefbank.errors import ExitCode
from briefbank.index import generation
from briefbank.ingest import pipeline
from briefbank.ingest.embed import Embedder
from briefbank.ingest.intake import Intake
from briefbank.platform.layout import Layout

_TINY_FILES = 5_000
_SHARE_DELAY_S = 0.002
"""What each look at a file or folder takes on the slow share: a round trip over an office's network."""

_STEPS = "loading the encoder", "waiting for readers and the encoder", "writing the index", "the rest"


class Stopwatch:
    """Seconds by step; a step within another is taken off the outer one. `clock` yields seconds."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.seconds: Counter[str] = Counter()
        self._clock = clock
        self._within: list[str] = []
        self._since = 0.0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        self._note()
        self._within.append(name)
        try:
            yield
        finally:
            self._note()
            self._within.pop()

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, its time counted under `name`."""

        @functools.wraps(function)
        def within(*args: Any, **named: Any) -> Any:
            with self.step(name):
                return function(*args, **named)

        return within

    def timed_steps(self, function: Callable[..., Iterator[Any]], name: str) -> Callable[..., Iterator[Any]]:
        """The generator function; what its steps take is counted under `name`, what its caller does is not."""

        @functools.wraps(function)
        def within(*args: Any, **named: Any) -> Iterator[Any]:
            steps = function(*args, **named)
            while True:
                with self.step(name):
                    item = next(steps, None)
                if item is None:
                    return
                yield item

        return within

    def _note(self) -> None:
        now = self._clock()
        if self._within:
            self.seconds[self._within[-1]] += now - self._since
        self._since = now


def measure(folder: Path, work: Path) -> list[Figure]:
    """Index `folder` into a new bank twice."""
    bank = Bank.create(work / "bank")
    first = work / "first"
    first.mkdir()
    (first / "note.txt").write_text("A note by which the bank measures its encoder.\n", encoding="utf-8")
    once_s = bank.index(first).seconds
    watch = Stopwatch()
    with _steps_timed(watch), watch.step("the rest"):
        report = bank.index(folder)
    again = bank.index(folder)
    if not report.pages or again.published:
        raise SystemExit("The folder of briefs holds nothing that can be indexed, or it changed meanwhile.")
    shares = [
        Figure(f"  share of the run: {name}", 100 * watch.seconds[name] / report.seconds, "%", is_cost=True)
        for name in _STEPS
    ]
    return [
        Figure("first index run of a bank, one note (model, export)", once_s, "s", is_cost=True),
        Figure("index run, files", report.indexed, "files"),
        Figure("index run, files failed", len(report.failures), "files", is_cost=True),
        Figure("index run, pages", report.pages, "pages"),
        Figure("index run, passages", report.passages, "passages"),
        Figure("index run per 1,000 pages", 1000 * report.seconds / report.pages, "s", is_cost=True),
        *shares,
        Figure("index run again, nothing changed", again.seconds, "s", is_cost=True),
    ]


@contextmanager
def _steps_timed(watch: Stopwatch) -> Iterator[None]:
    """Count the steps of an index run; reading goes on in workers and encoding in threads, of
    which only the wait for them is counted.
    """
    with ExitStack() as stack:
        for owner, name, step in (
            (generation, "write_generation", "writing the index"),
            (pipeline, "publish", "writing the index"),
            (Embedder, "export_for_queries", "loading the encoder"),
        ):
            stack.enter_context(patch.object(owner, name, watch.timed(step, getattr(owner, name))))
        load = patch("briefbank.ingest.embed.load_passage_encoder", watch.timed("loading the encoder", _loader()))
        stack.enter_context(load)
        outcomes = watch.timed_steps(Intake.outcomes, "waiting for readers and the encoder")
        stack.enter_context(patch.object(Intake, "outcomes", outcomes))
        yield


def _loader() -> Callable[..., Any]:
    from briefbank.ingest import embed

    return embed.load_passage_encoder


def measure_unchanged(work: Path, *, quick: bool) -> list[Figure]:
    """Index many tiny files with the hashing encoder, then again, also where every look at a file is slow."""
    count = 300 if quick else _TINY_FILES
    folder = work / "tiny"
    folder.mkdir()
    offer()
    maker = PassageMaker(make_material(HashingEncoder()))
    for number in range(count):
        (folder / f"note-{number:04d}.txt").write_text(f"Note {number}\n\n{maker.draw()[0]}\n", encoding="utf-8")
    layout = Layout(work / "tiny-bank")
    layout.create()
    told = layout.settings_file.read_text(encoding="utf-8").replace("[settings]", '[settings]\nencoder = "hashing"')
    layout.settings_file.write_text(told, encoding="utf-8")
    first = _index_by_command(folder, layout.root)
    before = _processor_s()
    again = _index_by_command(folder, layout.root)
    of_processors = _processor_s() - before
    with _slow_share():
        slow = Bank.open(layout.root).index(folder).seconds
    return [
        Figure(f"{count} tiny files, hashing encoder: first run", first, "s", is_cost=True),
        Figure(f"{count} tiny files: second run, nothing changed", again, "s", goal=0.5, is_cost=True),
        Figure(f"{count} tiny files: processor time of the second run", of_processors, "s", is_cost=True),
        Figure(f"{count} tiny files: the same on a share of {_SHARE_DELAY_S * 1000:.0f} ms", slow, "s", is_cost=True),
    ]


def _processor_s() -> float:
    """Processor time of the processes that were waited for so far: on a busy machine the better figure."""
    times = os.times()
    return times.children_user + times.children_system


class _SlowEntry:
    """An entry of a folder whose size and time are asked for over a network."""

    def __init__(self, entry: os.DirEntry[str]) -> None:
        self.name, self.is_dir, self.is_symlink, self._stat = entry.name, entry.is_dir, entry.is_symlink, entry.stat

    def stat(self) -> os.stat_result:
        time.sleep(_SHARE_DELAY_S)
        return self._stat()


@contextmanager
def _slow_share() -> Iterator[None]:
    """Delay every look at files and folders in this process. No real share: that has caches, and hiccups."""
    scandir, stat = os.scandir, os.stat

    @contextmanager
    def slow_scandir(path: Any) -> Iterator[Iterator[_SlowEntry]]:
        time.sleep(_SHARE_DELAY_S)
        with scandir(path) as listed:
            yield map(_SlowEntry, listed)

    def slow_stat(*args: Any, **named: Any) -> os.stat_result:
        time.sleep(_SHARE_DELAY_S)
        return stat(*args, **named)

    with patch("os.scandir", slow_scandir), patch("os.stat", slow_stat):
        yield


def _index_by_command(folder: Path, bank: Path) -> float:
    """Seconds of `briefbank index` from the start of its process to its end."""
    command = [sys.executable, "-m", "briefbank", "index", str(folder), "--bank", str(bank), "--quiet"]
    started = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != ExitCode.OK:
        raise SystemExit(f"Indexing {folder} ended with exit code {done.returncode}.")
    return time.perf_counter() - started
