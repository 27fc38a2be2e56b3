"""The inside of the bank's child processes: calls are read, answered by a local bank, and the process ends when nobody
listens any more. Run as `python -m briefbank.bank.child ROLE BANK`.

A call that renders a page of an untrusted file has limits of time and memory: one that breaks them costs its process,
or itself. Logs types and places, never what was asked or found.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from briefbank.bank.port import ChildRole, EngineNotice, EngineState, OfTheEngine, methods_of
from briefbank.bank.reader import BankReader
from briefbank.errors import BankMissingError, BriefBankError, TooLargeError, UsageError, fault_told
from briefbank.platform.confine import only_read
from briefbank.platform.layout import Layout
from briefbank.platform.memory import MemoryUse, measure
from briefbank.platform.processes.calls import ParentLink, ReceivedCall, fault_of, table
from briefbank.values.state import BankStatus

CALL_S = 30.0
CALL_BYTES = 2_000_000_000
"""The most that one call about an untrusted page may take, in time and in memory beside what is in use."""

_LOG = logging.getLogger(__name__)
_LOOK_S = 1.0
"""How often the engine looks whether another generation was published."""
_MAKING_WAY = 10
"""Added to the priority number ("niceness") of an index run."""


def main() -> None:
    """Take over the pipes and serve."""
    logging.basicConfig(level=logging.ERROR, format="%(name)s: %(message)s")
    role, root = ChildRole(sys.argv[1]), Path(sys.argv[2])
    if role is ChildRole.PAGES:
        only_read()  # it parses untrusted files again; before it has a second thread
    parent = ParentLink(table(*methods_of(role).values()))
    match role:
        case ChildRole.ENGINE:
            Engine(root, parent).serve()
        case ChildRole.PAGES | ChildRole.SUMMARIES:
            _serve(root, parent, is_guarded=role is ChildRole.PAGES)
        case _:
            _run_once(root, parent, is_making_way=role in (ChildRole.INDEX, ChildRole.EXPORT))


def _serve(root: Path, parent: ParentLink, *, is_guarded: bool) -> None:
    """Answer one call after the other, with a bank that the first one opens."""
    bank: BankReader | None = None

    def result(call: ReceivedCall) -> object:
        nonlocal bank
        bank = bank or BankReader.open(root)
        if not is_guarded:
            return call.run(bank)
        bank.warm_pages()  # an index that was published since is opened before the limits begin
        with guarded():
            return call.run(bank)

    while True:
        if call := parent.next():
            call.answer(result)


def _run_once(root: Path, parent: ParentLink, *, is_making_way: bool) -> None:
    """One index run, export, draft or checklist; ends with it. What nobody waits for makes way for searches."""
    from briefbank.bank.runs import BankRuns

    if is_making_way and sys.platform != "win32":
        os.nice(_MAKING_WAY)
    if call := parent.next():
        call.answer(lambda call: call.run(BankRuns(root)))


Stamp = tuple[str | None, int, int]
"""What tells one state of a bank from another: the live generation, and when it and the settings were written."""


_OWN = {"reopen", "status", "memory"}
"""The methods of `OfTheEngine`; the others its bank does."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """What came of opening the bank as it was at `stamp`: a warm one, or why there is none."""

    stamp: Stamp
    bank: BankReader | BriefBankError
    notice: EngineNotice


class Engine(OfTheEngine):
    """A warm bank that answers one call after the other, and follows what is published without making searches wait:
    another generation is opened beside the one in use, in a thread, and takes its place when it is ready.
    """

    def __init__(self, root: Path, parent: ParentLink) -> None:
        self._root = root
        self._parent = parent
        self._opened = self._open()
        self._opening: SimpleQueue[_Opened] | None = None
        self._looked_at = 0.0

    def serve(self) -> None:
        """Answer calls until the process ends."""
        self._parent.tell(self._opened.notice)
        while True:
            if call := self._parent.next(_LOOK_S):
                call.answer(self._result)
            self._look()

    def reopen(self) -> None:
        """Open the bank again, whether it looks changed or not."""
        self._take_up(self._open())

    def status(self) -> BankStatus:
        """See `BankReader.status`; answered for a bank that holds no index yet, too."""
        with BankReader.open(self._root) as bank:
            return bank.status()

    def memory(self) -> MemoryUse:
        """See `platform.memory.measure`: the window's process, whose children are counted with it."""
        return measure(os.getppid())

    def _result(self, call: ReceivedCall) -> object:
        if call.name in _OWN:
            return call.run(self)
        try:
            return call.run(self._bank())
        except UsageError:
            raise
        except Exception:  # there was no bank, or its files were replaced while it was open
            if self._stamp() == self._opened.stamp:
                raise
            self.reopen()
            return call.run(self._bank())

    def _bank(self) -> BankReader:
        if isinstance(self._opened.bank, BriefBankError):
            raise self._opened.bank
        return self._opened.bank

    def _look(self) -> None:
        """Once a second, see whether something else was published; take it up when it is open."""
        if time.monotonic() - self._looked_at < _LOOK_S:
            return
        self._looked_at = time.monotonic()
        if self._opening is not None:
            if not self._opening.empty():
                self._take_up(self._opening.get())
                self._opening = None
        elif self._stamp() != self._opened.stamp:
            opening: SimpleQueue[_Opened] = SimpleQueue()
            Thread(target=lambda: opening.put(self._open()), daemon=True).start()
            self._opening = opening

    def _open(self) -> _Opened:
        stamp = self._stamp()
        try:
            bank = BankReader.open(self._root, is_pinned=True)
            return _Opened(stamp, bank, EngineNotice(EngineState.READY, generation=bank.warm()))
        except BriefBankError as problem:
            return _failed(stamp, problem)
        except Exception as fault:  # noqa: BLE001 - the task boundary
            _LOG.error("the bank cannot be opened: %s", fault_told(fault))
            return _failed(stamp, fault_of(fault))

    def _take_up(self, opened: _Opened) -> None:
        """Put what was opened in the place of what is in use, and tell; what works outlives what does not."""
        was, problem = self._opened, opened.bank
        if (
            isinstance(problem, BriefBankError)
            and isinstance(was.bank, BankReader)
            and not isinstance(problem, BankMissingError)
        ):
            notice = replace(was.notice, message=problem.message, advice=problem.advice)
            opened = _Opened(opened.stamp, was.bank, notice)
        self._opened = opened
        if isinstance(was.bank, BankReader) and was.bank is not opened.bank:
            was.bank.close()
        self._parent.tell(opened.notice)

    def _stamp(self) -> Stamp:
        layout = Layout(self._root)
        return layout.current(), _changed_at(layout.current_file), _changed_at(layout.settings_file)


def _failed(stamp: Stamp, problem: BriefBankError) -> _Opened:
    is_missing = isinstance(problem, BankMissingError)
    return _Opened(
        stamp, problem, EngineNotice(EngineState.FAILED, problem.message, problem.advice, is_missing=is_missing)
    )


def _changed_at(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


@contextmanager
def guarded(seconds: float = CALL_S, memory_bytes: int = CALL_BYTES) -> Iterator[None]:
    """End this process if the block runs longer; refuse it more memory than that on top of what is in use (Linux).

    Raises:
        TooLargeError: the block ran out of memory.
    """
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123 - os.devnull is no path to build on
        # A timer of C's own: a parser that hangs may never let Python run again.
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        try:
            with _memory_limit(memory_bytes):
                yield
        except MemoryError:
            advice = "Open the original in its own program instead."
            raise TooLargeError("The page needs more memory than showing it may take.", advice) from None
        finally:
            faulthandler.cancel_dump_traceback_later()


@contextmanager
def _memory_limit(memory_bytes: int) -> Iterator[None]:
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    limit = mapped + memory_bytes
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


if __name__ == "__main__":
    main()
