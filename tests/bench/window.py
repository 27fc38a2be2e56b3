"""Measures the window on a bank: when it is there, how soon a typed question is answered on the screen, how long the
event loop ever stands still while somebody searches, reads or indexes, and the memory of each process.
`python tests/bench/window.py --bank DIR`
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Self

import psutil
from report import Figure, table

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

_QUERIES = Path(__file__).with_name("queries.txt")
_LIMIT_S = 120.0
_TICK_MS = 5
_PAUSE_S = 0.0005
_BETWEEN_S = 0.5
"""Between two questions: nobody types faster, and the page of the one before is on the screen by then."""
_A_PAGE_S = 0.2
"""Between two pages that are leafed through: a key that is held down repeats faster, but moves within a page."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--starts", type=int, default=10, help="cold starts to take the median of")
    parser.add_argument("--searches", type=int, default=100)
    parser.add_argument("--folder", type=Path, help="index this folder too, into a new bank, and search meanwhile")
    parser.add_argument("--pages", type=int, default=100, help="how many pages of the longest brief to leaf through")
    parser.add_argument("--index-only", action="store_true", help="only what is asked for by --folder")
    parser.add_argument("--one-start", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if args.one_start:
        _one_start(args.bank)
        return
    with tempfile.TemporaryDirectory() as home:
        for name in ("DATA", "CONFIG", "CACHE"):
            os.environ[f"XDG_{name}_HOME"] = home
        figures = [] if args.index_only else [*_starts(args.bank, args.starts)]
        figures += [] if args.index_only else _searches(args.bank, Path(home), args.searches)
        figures += [] if args.index_only else _reading(args.bank, Path(home), args.pages)
        figures += _indexing(args.folder, Path(home)) if args.folder else []
    print(table(figures, []))


def _starts(bank: Path, count: int) -> list[Figure]:
    """Start the program anew `count` times; times are from the start of its process, interpreter included."""
    told = []
    for _ in range(count):
        began = time.time()
        command = [sys.executable, __file__, "--bank", str(bank), "--one-start"]
        out = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
        told.append([float(at) - began for at in out.split()[-2:]])
    visible, answered = (statistics.median(each) for each in zip(*told, strict=True))
    return [
        Figure("window visible, cold", visible, "s", 1.0, is_cost=True),
        Figure("first results on the screen, cold", answered, "s", 3.0, is_cost=True),
    ]


def _one_start(bank: Path) -> None:
    """Start as `briefbank-ui` does, ask at once, and print when the window and its first results were painted."""
    from briefbank.bank.remote import start_engine

    early = start_engine(bank)
    from ui.application import make_application

    app = make_application()
    with tempfile.TemporaryDirectory() as folder, _Window(bank, Path(folder), early) as shown:
        app.processEvents()
        print(time.time())
        shown.ask(_QUERIES.read_text(encoding="utf-8").splitlines()[0])
        print(time.time())


def _searches(bank: Path, folder: Path, count: int) -> list[Figure]:
    """Type questions one after the other into one window."""
    app = _application()
    questions = _QUERIES.read_text(encoding="utf-8").splitlines()
    with _Window(bank, folder) as shown:
        for question in questions[:5]:
            shown.ask(question)
        shown.wait(lambda: False, 2.0)
        stalls = _Stalls()
        times = []
        for number in range(count):
            times.append(shown.ask(questions[number % len(questions)]))
            shown.wait(lambda: False, _BETWEEN_S)
        stood_still = stalls.end("searching")
        memory = _memory()
    app.processEvents()
    return [
        Figure("typed to painted, p95", statistics.quantiles(times, n=20)[-1] * 1000, "ms", 150, is_cost=True),
        Figure("typed to painted, median", statistics.median(times) * 1000, "ms", is_cost=True),
        *stood_still,
        *(Figure(f"memory, {name}", size, "MB", is_cost=True) for name, size in memory),
    ]


def _reading(bank: Path, folder: Path, pages: int) -> list[Figure]:
    """Leaf through the longest brief, to its end and back, with words looked for in it: every page has marks."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from ui.reading.history import Place

    _application()
    with _Window(bank, folder) as shown:
        bank_of = shown.engine.bank
        longest = max(bank_of.documents().result(_LIMIT_S), key=lambda each: each.page_count)
        page = shown.window.search_space.page
        page.go_to(Place(longest, bank_of.first_passage(longest.id).result(_LIMIT_S).passage, is_whole=True))
        shown.wait(lambda: page.view.pages is not None)
        shown.wait(lambda: False, 2.0)
        stalls = _Stalls()
        page.open_find()
        QTest.keyClicks(page.find_bar.field, "court")
        page.view.setFocus()
        turn = Qt.Key.Key_Right
        for _ in range(pages):
            turn = {1: Qt.Key.Key_Right, longest.page_count: Qt.Key.Key_Left}.get(page.view.page, turn)
            QTest.keyClick(page.view, turn)
            shown.wait(lambda: False, _A_PAGE_S)
        return stalls.end("reading")


def _indexing(folder: Path, home: Path) -> list[Figure]:
    """Index a folder from the window into a new bank, and go on searching as soon as there is an index."""
    _application()
    questions = _QUERIES.read_text(encoding="utf-8").splitlines()
    with _Window(home / "bank", home) as shown:
        shown.wait(lambda: False, 3.0)
        stalls = _Stalls()
        for _ in range(2):  # the second run finds an index to search meanwhile, and reads failed files again
            shown.window.index_run.start(folder, retry_failed=True)
            shown.wait(lambda: False, 1.0)
            for question in questions:
                if not shown.window.index_run.is_running:
                    break
                if shown.window.search_space.generation:
                    shown.ask(question)
                shown.wait(lambda: False, _BETWEEN_S)
            shown.wait(lambda: not shown.window.index_run.is_running, 900)
        return stalls.end("indexing")


def _application() -> QApplication:
    from PySide6.QtWidgets import QApplication

    from ui.application import make_application

    running = QApplication.instance()
    return running if isinstance(running, QApplication) else make_application()


class _Stalls:
    """Watches how long the event loop ever stands still, and how much of that its thread was at work: on a busy machine
    the thread waits for a core as well.
    """

    def __init__(self) -> None:
        from PySide6.QtCore import QTimer

        self._gaps, self._work, self._last = [0.0], [0.0], (time.perf_counter(), time.thread_time())
        self._timer = QTimer(interval=_TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now = time.perf_counter(), time.thread_time()
        self._gaps.append((now[0] - self._last[0]) * 1000 - _TICK_MS)
        self._work.append((now[1] - self._last[1]) * 1000)
        self._last = now

    def end(self, doing: str) -> list[Figure]:
        """The longest of both."""
        self._timer.stop()
        return [
            Figure(f"longest stall of the event loop while {doing}", max(self._gaps), "ms", 50, is_cost=True),
            Figure(f"its thread at work at a stretch while {doing}", max(self._work), "ms", 50, is_cost=True),
        ]


class _Window:
    """The real window on a bank, with its engine and log."""

    def __init__(self, bank: Path, folder: Path, early: object = None) -> None:
        from briefbank.bank.remote import RemoteSummaries
        from ui.engine import EngineClient
        from ui.matters.keeper import MatterStore
        from ui.recorder import Recorder
        from ui.session import Session

        self.engine = EngineClient(bank)
        self.engine.bank.start(*([early] if early else []))
        self.recorder = Recorder(folder / "feedback.sqlite")
        self.matters = MatterStore(folder / "matters.sqlite")
        self.summaries = RemoteSummaries(bank)
        self.session = Session(self.engine, self.recorder, self.summaries, self.matters)
        self.window = self.session.make_window()
        self.window.show()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.window.close()
        self.summaries.close()
        self.engine.close()
        self.recorder.close()
        self.matters.close()

    def ask(self, text: str) -> float:
        """Return the seconds from Enter until the answer is painted."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        field, search = self.window.search_space.bar.field, self.window.search_space.search
        field.setText(text)
        before = search.shown
        began = time.perf_counter()
        QTest.keyClick(field, Qt.Key.Key_Return)
        self.wait(lambda: search.shown is not before and not search.is_waiting)
        self.window.repaint()
        return time.perf_counter() - began

    def wait(self, is_done: Callable[[], bool], limit_s: float = _LIMIT_S) -> None:
        """Let the window work until something holds."""
        from PySide6.QtWidgets import QApplication

        end = time.perf_counter() + limit_s
        while not is_done() and time.perf_counter() < end:
            QApplication.processEvents()
            time.sleep(_PAUSE_S)


def _memory() -> list[tuple[str, float]]:
    """The memory of this process and its children that is theirs alone, in MB."""
    own = psutil.Process()
    children = [(each.cmdline()[4] if len(each.cmdline()) > 4 else each.name(), each) for each in own.children()]
    return [(name, each.memory_full_info().uss / 1e6) for name, each in [("window", own), *children]]


if __name__ == "__main__":
    main()
