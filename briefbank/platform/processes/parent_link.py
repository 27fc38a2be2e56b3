"""The inside of a child process: takes calls from its parent and sends what becomes of them.

Ends the process when nobody listens any more. Knows nothing of what the calls do.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, cast
from weakref import WeakValueDictionary

import msgspec

from briefbank.errors import BriefBankError, fault_told
from briefbank.platform.disk import refusal_of
from briefbank.platform.processes.calls import (
    Answered,
    Ask,
    Call,
    Failed,
    Sender,
    Table,
    ToChild,
    Told,
    WireError,
    failed,
    pack,
    receive,
    unpack,
)
from briefbank.platform.processes.this_process import keep_private
from briefbank.platform.progress import CancelToken


def fault_of(fault: Exception) -> BriefBankError:
    """Name for people what the system refused, or a fault of this program without its text, which may hold theirs."""
    advice = "Try again; if it happens again, tell whoever looks after BriefBank."
    return refusal_of(fault) or BriefBankError(
        f"This met a fault of BriefBank itself ({type(fault).__name__}).", advice
    )


@dataclass(frozen=True, slots=True)
class Job:
    """A call that waits for its answer."""

    call: Call
    number: int
    cancel: CancelToken
    sender: Sender

    def tell(self, value: object) -> None:
        """Send something on the way to the answer."""
        self.sender.send(Told(self.number, msgspec.Raw(pack(value))))

    def run(self, on: object) -> object:
        """Make the call on an object of the type that it asks for."""
        return self.call.run(on, self.tell, self.cancel)

    def answer(self, work: Callable[[Job], object], named: Callable[[Exception], BriefBankError] = fault_of) -> None:
        """Do the work and send what becomes of it: the boundary at which any fault becomes an answer, in the words of
        `named`.
        """
        message: Answered | Failed
        try:
            message = Answered(self.number, msgspec.Raw(pack(work(self))))
        except BriefBankError as problem:
            message = failed(self.number, problem)
        except Exception as fault:  # noqa: BLE001 - the task boundary
            place = "" if isinstance(fault, OSError | MemoryError) else fault_told(fault)
            message = failed(self.number, named(fault), place)
        self.sender.send(message)


class ParentLink:
    """The child's end of the connection. Where it does not listen in a thread, nothing is received while a call is
    being made: neither Stop nor the end of the parent.
    """

    def __init__(self, table: Table, *, is_listening: bool = True) -> None:
        """Take over the pipes. Ctrl-C is left to the parent."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        keep_private()
        source, self._sender = _take_pipes()
        self._jobs = self._received(source, table)
        self._inbox: SimpleQueue[Job] | None = None
        if is_listening:
            self._inbox = SimpleQueue()
            Thread(target=self._listen, args=(self._inbox,), daemon=True).start()

    def next(self, seconds: float | None = None) -> Job | None:
        """Wait for the next call; None where none comes within that time."""
        if self._inbox is None:
            job = next(self._jobs, None)
            if job is None:
                sys.exit(0)
            return job
        try:
            return self._inbox.get(timeout=seconds)
        except Empty:
            return None

    def tell(self, notice: object) -> None:
        """Send what nobody asked for."""
        self._sender.send(Told(0, msgspec.Raw(pack(notice))))

    def _received(self, source: IO[bytes], table: Table) -> Iterator[Job]:
        """Yield the calls as they come. Each has its own cancel token, so that a late Stop reaches no other call."""
        tokens: WeakValueDictionary[int, CancelToken] = WeakValueDictionary()
        for message in receive(source, cast("type[ToChild]", ToChild)):
            if isinstance(message, Ask):
                try:
                    asked = table[message.call]
                    call = Call(asked, unpack(message.body, asked.arguments))
                except (KeyError, WireError) as fault:  # a parent that asks wrongly is told so, and goes on
                    self._sender.send(failed(message.number, fault_of(fault), fault_told(fault)))
                    continue
                cancel = tokens[message.number] = CancelToken()
                yield Job(call, message.number, cancel, self._sender)
            elif (token := tokens.get(message.number)) is not None:
                token.cancel()

    def _listen(self, inbox: SimpleQueue[Job]) -> None:
        try:
            for job in self._jobs:
                inbox.put(job)
        finally:
            os._exit(0)  # nobody is left to answer; work in hand loses nothing by it


def _take_pipes() -> tuple[IO[bytes], Sender]:
    """Keep the two pipes for this program alone: what libraries print goes to standard error, and processes that this
    one starts inherit neither.
    """
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(source, "rb"), Sender(os.fdopen(sink, "wb"))
