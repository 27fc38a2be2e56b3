"""The inside of a language model's child process: loads the model, answers one request after the other, and ends when
nobody has asked for a while or nobody listens any more; so its memory is given back.

Run as `python -m briefbank.models.language.child FILE SHA256 CONTEXT_TOKENS IDLE_S`. Writes neither log nor terminal.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

import psutil

from briefbank.errors import BriefBankError, CancelledError, LanguageModelError
from briefbank.models.language.generate import LoadedModel
from briefbank.models.language.port import Answer, Priority
from briefbank.models.language.wire import Answered, Ask, Began, Count, Failed, Stop, Wrote
from briefbank.platform.pipes import Sender, receive, take_pipes

_NICE = 10
"""The priority number ("niceness") of work in the background."""


class _Server:
    """Answers what comes in; the model is loaded by the first request."""

    def __init__(self, file: Path, sha256: str, context_tokens: int, sender: Sender) -> None:
        self._file = file
        self._sha256 = sha256
        self._context_tokens = context_tokens
        self._sender = sender
        self._model: LoadedModel | None = None
        self.inbox: SimpleQueue[Ask | Count] = SimpleQueue()
        self._stopped: set[int] = set()

    def listen(self, source: IO[bytes]) -> None:
        """Sort what comes in until nobody is there any more."""
        for message in receive(source):
            if isinstance(message, Stop):
                self._stopped.add(message.number)
            else:
                self.inbox.put(message)
        os._exit(0)

    def serve(self, message: Ask | Count) -> None:
        """Answer one request: the boundary at which any fault becomes an answer."""
        try:
            self._sender.send(Answered(message.number, self._answer(message)))
        except BriefBankError as problem:
            self._sender.send(Failed(message.number, problem))
        except Exception as fault:  # noqa: BLE001 - the task boundary
            last = traceback.extract_tb(fault.__traceback__)[-1]
            error = LanguageModelError(f"The language model met a fault ({type(fault).__name__}).", "Try again.")
            self._sender.send(Failed(message.number, error, f"{Path(last.filename).name}:{last.lineno}"))

    def _answer(self, message: Ask | Count) -> Answer | int:
        number = message.number
        model = self._model = self._model or LoadedModel(self._file, self._sha256, self._context_tokens)
        if number in self._stopped:
            raise CancelledError("Stopped as asked.")
        self._sender.send(Began(number))
        if isinstance(message, Count):
            return model.count(message.messages)
        if message.request.priority is Priority.BACKGROUND:
            _make_way()
        return model.answer(
            message.request,
            is_cancelled=lambda: number in self._stopped,
            on_text=lambda text: self._sender.send(Wrote(number, text)),
        )


def main() -> None:
    """Serve until nobody asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Read when llama.cpp is loaded. Threads that spin while they wait stall one another on a machine with other work.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    file, sha256, context_tokens, idle_s = sys.argv[1:]
    source, sender = take_pipes()
    server = _Server(Path(file), sha256, int(context_tokens), sender)
    Thread(target=server.listen, args=(source,), daemon=True).start()
    while True:
        try:
            message = server.inbox.get(timeout=float(idle_s))
        except Empty:
            os._exit(0)
        server.serve(message)


def _make_way() -> None:
    """Let whatever else runs go first. On Linux each thread has a priority of its own."""
    if sys.platform == "win32":
        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
        return
    nice = max(os.getpriority(os.PRIO_PROCESS, 0), _NICE)
    for thread in psutil.Process().threads() if sys.platform == "linux" else ():
        os.setpriority(os.PRIO_PROCESS, thread.id, nice)
    os.setpriority(os.PRIO_PROCESS, 0, nice)


if __name__ == "__main__":
    main()
