"""The inside of a child process: reads calls, asks the bank, writes answers, and ends when nobody listens any more.

A call that renders a page of an untrusted file has limits of time and memory: one that breaks them costs its process,
or itself. Run as `python -m briefbank.bank.services.child ROLE BANK`.
Logs types and places, never what was asked or found.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from briefbank.bank.local import Bank
from briefbank.bank.services.calls import CALLS, ChildRole
from briefbank.errors import TooLargeError
from briefbank.platform.confine import only_read
from briefbank.platform.processes.parent_link import Job, ParentLink

CALL_S = 30.0
CALL_BYTES = 2_000_000_000

_ONCE = ChildRole.INDEX, ChildRole.EXPORT, ChildRole.DRAFT, ChildRole.CHECKLIST
_MAKING_WAY = 10
"""Added to the priority number ("niceness") of an index run."""


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


def main() -> None:
    """Take over the pipes and serve."""
    logging.basicConfig(level=logging.ERROR, format="%(name)s: %(message)s")
    role, root = ChildRole(sys.argv[1]), Path(sys.argv[2])
    if role is ChildRole.PAGES:
        only_read()  # it parses untrusted files again; before it has a second thread
    line = ParentLink(CALLS[role])
    if role is ChildRole.ENGINE:
        from briefbank.bank.services.engine import Engine

        Engine(root, line).serve()
    elif role in _ONCE:
        _run_once(root, line, is_making_way=role in (ChildRole.INDEX, ChildRole.EXPORT))
    else:
        _serve(root, line, is_guarded=role is ChildRole.PAGES)


def _serve(root: Path, line: ParentLink, *, is_guarded: bool) -> None:
    """Answer one call after the other, with a bank that the first one opens."""
    bank: Bank | None = None

    def result(job: Job) -> object:
        nonlocal bank
        bank = bank or Bank.open(root)
        limits: AbstractContextManager[None] = nullcontext()
        if is_guarded:
            bank.warm_pages()  # an index that was published since is opened before the limits begin
            limits = guarded()
        with limits:
            return job.run(bank)

    while True:
        if job := line.next():
            job.answer(result)


def _run_once(root: Path, line: ParentLink, *, is_making_way: bool) -> None:
    """One index run, export, draft or checklist; ends with it. What nobody waits for makes way for searches."""
    if is_making_way and sys.platform != "win32":
        os.nice(_MAKING_WAY)
    if job := line.next():
        job.answer(lambda job: job.run(root))


if __name__ == "__main__":
    main()
