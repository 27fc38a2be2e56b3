"""The inside of a child process: reads calls, asks the bank, writes answers, and ends when nobody listens any more.

Run as `python -m briefbank.services.child ROLE BANK`. Logs types and places, never what was asked or found.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from briefbank.bank import Bank
from briefbank.platform.confine import only_read
from briefbank.platform.processes.inside import Job, ParentLink
from briefbank.services.calls import CALLS, ChildRole
from briefbank.services.guard import guarded

_MAKING_WAY = 10
"""Added to the priority number ("niceness") of an index run."""


def main() -> None:
    """Take over the pipes and serve."""
    logging.basicConfig(level=logging.ERROR, format="%(name)s: %(message)s")
    role, root = ChildRole(sys.argv[1]), Path(sys.argv[2])
    if role is ChildRole.PAGES:
        only_read()  # it parses untrusted files again; before it has a second thread
    line = ParentLink(CALLS[role])
    if role is ChildRole.ENGINE:
        from briefbank.services.engine import Engine

        Engine(root, line).serve()
    elif role is ChildRole.INDEX:
        _index(root, line)
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


def _index(root: Path, line: ParentLink) -> None:
    """One index run; ends with it. It and its workers make way for whoever searches meanwhile."""
    if sys.platform != "win32":
        os.nice(_MAKING_WAY)
    if job := line.next():
        job.answer(lambda job: job.run(root))


if __name__ == "__main__":
    main()
