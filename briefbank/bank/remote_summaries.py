"""Summaries for the window, out of a child process that looks them up or has them written. Knows nothing of how.

The child is started when there is a model to write with or a summary to show, and again by the first request after it
died. Whether there is one is looked up in a thread, for that reads files and a database that may be busy.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock, Thread
from typing import Any

from briefbank.bank.port import Asked, BankPort, ChildRole, R
from briefbank.bank.remote import child_kind
from briefbank.errors import BriefBankError, ModelError
from briefbank.platform.layout import Layout
from briefbank.platform.processes.calls import method_call
from briefbank.platform.processes.supervisor import Answer, Supervised
from briefbank.values import SummaryListener, SummaryModel, SummaryPart

_LOOK_S = 2.0


class RemoteSummaries(BankPort):
    """A SummarySource. Listeners are told in a thread of its own; `close` at the end."""

    def __init__(self, root: Path) -> None:
        """Name the bank, and begin to look for a model; no process is started yet."""
        self._root = root
        self._worker = Supervised(child_kind(ChildRole.SUMMARIES, root))
        self._lock = RLock()
        self._model: SummaryModel | None = None
        self._looked_at = 0.0
        self._looking: Thread | None = None
        self._is_warm = False
        self._worker.start()
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

    def send(self, asked: Asked[..., R], given: tuple[Any, ...], named: dict[str, Any]) -> Answer[R]:
        """See `BankPort.send`."""
        return self._worker.call(*method_call(asked.method, *given, **named))

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
    from briefbank.summaries.cache import SummaryCache, prompt_version

    newest = SummaryCache(Layout(root).summaries_file, prompt_version()).newest_model()
    return SummaryModel(*newest) if newest else None
