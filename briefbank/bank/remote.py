"""The bank in child processes, so that the window imports nothing heavy and outlives whatever dies.

The engine and the page renderer are kept running (untrusted files are rendered in the second, so a hostile one costs
its page and no search); what is done once has a child of its own. Knows which child answers what (`port`), and nothing
of how it does. Must not know Qt.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Lock, RLock, Thread
from typing import Any

from briefbank.bank.port import BankPort, ChildRole, EngineNotice, EngineState
from briefbank.errors import BriefBankError, EngineDiedError, ModelError
from briefbank.platform.layout import Layout
from briefbank.platform.processes.calls import Call
from briefbank.platform.processes.child import Answer, Child, ChildKind, Death, Supervised
from briefbank.values.summaries import SummaryListener, SummaryModel, SummaryPart

DIED = {
    ChildRole.ENGINE: ("The search engine stopped unexpectedly.", "It is being started again; then search once more."),
    ChildRole.PAGES: (
        "This page could not be shown: showing it failed or took too long.",
        "Open the original instead.",
    ),
    ChildRole.INDEX: (
        "The index run ended unexpectedly.",
        "Start it again: what was read is kept, the old index stays in use.",
    ),
    ChildRole.EXPORT: ("The export ended unexpectedly.", "Nothing was written. Try again, or ask IT staff."),
    ChildRole.DRAFT: ("Checking the draft ended unexpectedly.", "Check it again; if that does not help, ask IT staff."),
    ChildRole.CHECKLIST: (
        "Going through the brief ended unexpectedly.",
        "Run the list again; if that does not help, ask IT staff.",
    ),
    ChildRole.SUMMARIES: (
        "Summaries are off because what writes them stopped unexpectedly.",
        "Try again. If that does not help, tell IT staff: memory may be short.",
    ),
}
GIVEN_UP = (
    "The search engine stopped 3 times in a row and is not started again.",
    "Try again. If that does not help, tell IT staff: memory may be short, or the bank damaged (briefbank check).",
)

_STOP_S = 5.0
"""How long a run that was asked to stop may take for the file it is at, when the window closes."""
_LOOK_S = 2.0
"""How old may be what is known of the model for summaries."""


def start_child(role: ChildRole, root: Path) -> Child:
    """Start the child process of this role for the bank at `root`.

    Raises: OSError: the system starts no more processes.
    """
    notice = EngineNotice if role is ChildRole.ENGINE else None
    return Child("briefbank.bank.child", role, str(root), notice=notice)


def start_engine(root: Path) -> Child:
    """Start an engine process before there is a RemoteBank, so that it loads while a window is made; see `start`."""
    return start_child(ChildRole.ENGINE, root)


def child_kind(role: ChildRole, root: Path) -> ChildKind:
    """Return how the child of this role is kept."""
    return ChildKind(
        role,
        lambda: start_child(role, root),
        partial(_died, role),
        given_up=EngineDiedError(*GIVEN_UP) if role is ChildRole.ENGINE else None,
        is_eager=role is ChildRole.ENGINE,
        is_newest_first=role is ChildRole.PAGES,
    )


def _died(role: ChildRole, death: Death) -> EngineDiedError:
    if death.refused and role is not ChildRole.ENGINE:
        message = f"The process that does this could not be started: {death.refused}."
        return EngineDiedError(message, "Close other programs, then try again.")
    return EngineDiedError(*DIED[role])


class RemoteBank(BankPort):
    """The methods of the port, each answered by a future. They are declared there (`search = RemoteMethod(
    BankReader.search, …)`) and made by that descriptor in `platform/processes/child.py`: `remote.search(query)` is the
    future of what `BankReader.search` returns in the child. Futures are completed, and listeners called, in threads of
    this object's own; a call that fails carries the BriefBankError that the bank raised.

    What is done once has a process of its own. A killed index run loses only the files that it was reading; one that is
    asked to stop finishes the file that it is at and keeps what was read.
    """

    def __init__(self, root: Path, *, on_notice: Callable[[EngineNotice], None]) -> None:
        """Name the bank. Nothing is started yet."""
        self._root = root
        self._on_notice = on_notice
        engine = Supervised(
            child_kind(ChildRole.ENGINE, root), on_notice=self._on_engine_notice, on_death=self._on_engine_death
        )
        self._kept = {ChildRole.ENGINE: engine, ChildRole.PAGES: Supervised(child_kind(ChildRole.PAGES, root))}
        self._generation = ""
        self._runs: list[tuple[Supervised, Answer[Any]]] = []
        self._lock = Lock()
        self._is_closed = False

    def start(self, engine: Child | None = None) -> None:
        """Start the engine process, or take over one that `start_engine` gave, and return at once."""
        self._kept[ChildRole.ENGINE].start(engine)

    def send(self, role: str, call: Call, on_part: Callable[[Any], None]) -> Answer[Any]:
        """See `BankPort.send`."""
        if kept := self._kept.get(ChildRole(role)):
            return kept.call(call, on_part)
        child = Supervised(child_kind(ChildRole(role), self._root))
        with self._lock:
            if self._is_closed:
                child.close()  # so that the call fails with CancelledError
            answer = child.call(call, on_part)
            self._runs.append((child, answer))
        # In a thread, since whoever completes the future is what `close` waits for.
        answer.add_done_callback(lambda _: Thread(target=self._forget, args=(child,), daemon=True).start())
        return answer

    def restart(self) -> None:
        """Open the bank anew before any later call is answered; start the engine where it was given up.

        For example when a bank has been made since FAILED, or settings of the search were changed.
        """
        if self._kept[ChildRole.ENGINE].revive():
            self.reopen()

    def close(self) -> None:
        """End all child processes, an index run included, and wait for them."""
        with self._lock:
            self._is_closed = True
            runs = tuple(self._runs)
        for _, answer in runs:
            answer.stop()
        for child in self._kept.values():
            child.close()
        wait([answer for _, answer in runs], _STOP_S)
        for child, _ in runs:
            child.close()
        self._on_notice(EngineNotice(EngineState.CLOSED))

    def _on_engine_notice(self, notice: EngineNotice) -> None:
        """Pass it on, and have the page renderer open a new generation before the first page of it is asked for."""
        self._on_notice(notice)
        if notice.generation not in ("", self._generation):
            self._generation = notice.generation
            self.warm_pages()

    def _on_engine_death(self, died: BriefBankError, is_given_up: bool) -> None:  # noqa: FBT001 - as it is told
        state = EngineState.FAILED if is_given_up else EngineState.RESTARTING
        self._on_notice(EngineNotice(state, died.message, died.advice))

    def _forget(self, child: Supervised) -> None:
        """End a run's process, and keep neither that nor its answer."""
        child.close()
        with self._lock:
            self._runs = [each for each in self._runs if each[0] is not child]


class RemoteSummaries(BankPort):
    """A SummarySource: its child is started when there is a model to write with or a summary to show. That is looked up
    in a thread, for it reads files and a database that may be busy. Listeners are told in a thread of its own; `close`
    at the end.
    """

    def __init__(self, root: Path) -> None:
        """Name the bank, and begin to look for a model; no process is started yet."""
        self._root = root
        self._worker = Supervised(child_kind(ChildRole.SUMMARIES, root))
        self._lock = RLock()
        self._model: SummaryModel | None = None
        self._looked_at = 0.0
        self._looking: Thread | None = None
        self._is_warm = False
        self.model()

    def model(self) -> SummaryModel | None:
        """Return the model that is installed, else the one whose summaries came with the bank, as it was when this was
        last looked up: at most some seconds before the call before this one. Returns at once.
        """
        with self._lock:
            is_old = time.monotonic() - self._looked_at > _LOOK_S
            if (is_old or not self._looked_at) and not (self._looking and self._looking.is_alive()):
                self._looking = Thread(target=self._look, name="briefbank-look", daemon=True)
                self._looking.start()
            return self._model

    def request(self, passage_id: str, listener: SummaryListener) -> Callable[[], None]:
        """Ask the child; see `SummarySource.request`."""
        is_cancelled = False

        def on_part(part: SummaryPart) -> None:
            with self._lock:
                if not is_cancelled:
                    listener.part_written(part)

        def on_ended(ended: Future[SummaryModel]) -> None:
            with self._lock:
                if is_cancelled or ended.cancelled():
                    return
                problem = ended.exception()
                if isinstance(problem, BriefBankError):
                    listener.failed(problem.message, problem.advice)
                elif problem is None:
                    listener.done(ended.result())

        def cancel() -> None:
            nonlocal is_cancelled
            with self._lock:
                is_cancelled = True
            if not answer.cancel():
                answer.stop()

        answer = self.summary(passage_id, on_part)
        answer.add_done_callback(on_ended)
        return cancel

    def send(self, role: str, call: Call, on_part: Callable[[Any], None]) -> Answer[Any]:
        """See `BankPort.send`."""
        del role  # the port's methods for summaries have one child
        return self._worker.call(call, on_part)

    def close(self) -> None:
        """End the child and wait for it."""
        self._worker.close()
        if self._looking:
            self._looking.join()

    def _look(self) -> None:
        """Look for a model; where there is one, start the child: somebody is about to be offered a summary."""
        model = _installed() or _travelled(self._root)
        with self._lock:
            self._model, self._looked_at = model, time.monotonic()
            is_first, self._is_warm = bool(model) and not self._is_warm, self._is_warm or bool(model)
        if is_first:
            self.warm_summaries()


def _installed() -> SummaryModel | None:
    from briefbank.models.installed import Role as ModelRole
    from briefbank.models.installed import model_for

    try:
        model = model_for(ModelRole.SUMMARY)
    except ModelError:  # the folder of models is damaged, which `briefbank models verify` tells
        return None
    if model is None or importlib.util.find_spec("llama_cpp") is None:
        return None
    try:
        changed = model.weights_path.stat().st_mtime
    except OSError:
        return None
    return SummaryModel(model.name, datetime.fromtimestamp(changed, tz=UTC).astimezone().date().isoformat())


def _travelled(root: Path) -> SummaryModel | None:
    from briefbank.search.summaries.cache import SummaryCache, prompt_version

    newest = SummaryCache(Layout(root).summaries_file, prompt_version()).newest_model()
    return SummaryModel(*newest) if newest else None
