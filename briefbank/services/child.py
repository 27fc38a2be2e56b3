"""The inside of a child process: reads calls, asks the bank, writes answers, and ends when nobody listens any more.

Run as `python -m briefbank.services.child ROLE BANK`. Logs types and places, never what was asked or found.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from briefbank.bank import Bank
from briefbank.platform.confine import only_read
from briefbank.platform.files import keep_to_owner
from briefbank.platform.pipes import Sender, receive, take_pipes
from briefbank.platform.progress import CancelToken, Progress
from briefbank.services.answer import answer
from briefbank.services.guard import guarded
from briefbank.services.messages import Message, Moved, Request, Role, Stop, Written

_PROGRESS_S = 0.1
_MAKING_WAY = 10
"""Added to the priority number ("niceness") of an index run."""


def main() -> None:
    """Take over the pipes and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    keep_to_owner()
    logging.basicConfig(level=logging.ERROR, format="%(name)s: %(message)s")
    role, root = Role(sys.argv[1]), Path(sys.argv[2])
    if role is Role.PAGES:
        only_read()  # it parses untrusted files again; before it has a second thread
    source, sender = take_pipes()
    inbox: SimpleQueue[Message] = SimpleQueue()
    is_stoppable = role in (Role.INDEX, Role.SUMMARIES)
    Thread(target=_listen, args=(source, inbox), kwargs={"is_stoppable": is_stoppable}, daemon=True).start()
    if role is Role.ENGINE:
        from briefbank.services.engine import Engine

        Engine(root, inbox, sender).serve()
    elif role is Role.PAGES:
        _serve(root, inbox, sender, _show_page)
    elif role is Role.SUMMARIES:
        _serve(root, inbox, sender, _summarise)
    else:
        _index(root, inbox, sender)


def _listen(source: IO[bytes], inbox: SimpleQueue[Message], *, is_stoppable: bool) -> None:
    """Each request that can be stopped gets a token of its own, so that a late Stop never reaches the next one."""
    cancel = CancelToken()
    for message in receive(source):
        if isinstance(message, Stop):
            cancel.cancel()
        elif is_stoppable and isinstance(message, Request):
            cancel = CancelToken()
            inbox.put(replace(message, options={**message.options, "cancel": cancel}))
        else:
            inbox.put(message)
    os._exit(0)  # nobody is left to answer; work in hand loses nothing by it


def _serve(
    root: Path, inbox: SimpleQueue[Message], sender: Sender, call: Callable[[Bank, Request, Sender], object]
) -> None:
    """Answer one request after the other, with a bank that the first one opens."""
    bank: Bank | None = None

    def ask(request: Request) -> object:
        nonlocal bank
        bank = bank or Bank.open(root)
        return call(bank, request, sender)

    while True:
        message = inbox.get()
        if isinstance(message, Request):
            answer(lambda request=message: ask(request), sender)  # type: ignore[misc]


def _show_page(bank: Bank, request: Request, _: Sender) -> object:
    bank.warm_pages()  # an index that was published since is opened before the limits begin
    with guarded():
        return getattr(bank, request.call)(*request.arguments, **request.options)


def _summarise(bank: Bank, request: Request, sender: Sender) -> object:
    if request.call == "warm_summaries":
        bank.warm_summaries()
        return None
    return getattr(bank, request.call)(
        *request.arguments, **request.options, on_part=lambda part: sender.send(Written(part))
    )


def _index(root: Path, inbox: SimpleQueue[Message], sender: Sender) -> None:
    """One index run; ends with it. It and its workers make way for whoever searches meanwhile."""
    if sys.platform != "win32":
        os.nice(_MAKING_WAY)
    told_at, told = -_PROGRESS_S, ""

    def report(progress: Progress) -> None:
        nonlocal told_at, told
        is_last = progress.files_done == progress.files_total
        if is_last or progress.stage != told or time.monotonic() - told_at >= _PROGRESS_S:
            told_at, told = time.monotonic(), progress.stage
            sender.send(Moved(progress))

    request = inbox.get()
    if isinstance(request, Request):
        options = {**request.options, "reporter": report}
        folder: Any = request.arguments[0]
        answer(lambda: getattr(Bank.create(root, folder), request.call)(*request.arguments, **options), sender)


if __name__ == "__main__":
    main()
