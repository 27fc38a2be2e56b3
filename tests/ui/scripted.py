"""A source of summaries that says what a test wrote, from a thread of its own, as a language model's would."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from briefbank.values.summaries import SummaryListener, SummaryModel, SummaryPart

MODEL = SummaryModel("Quill 3B", "2026-10-02")
WRITTEN = SummaryModel("Quill 3B", "2026-11-20")


class Wait:
    """The source says nothing more until the test lets it go on, or cancels it."""


@dataclass(frozen=True)
class Fault:
    """The source gives up."""

    message: str
    advice: str


Step = SummaryPart | Wait | Fault


class ScriptedSummaries:
    """Plays the same steps for every request. A stubborn one does not heed that it was cancelled."""

    def __init__(self, *steps: Step, model: SummaryModel | None = MODEL, is_stubborn: bool = False) -> None:
        self.requests: list[str] = []
        self.cancelled: list[str] = []
        self.go_on = threading.Event()
        self.threads: list[threading.Thread] = []
        self._steps = steps
        self._model = model
        self._is_stubborn = is_stubborn

    def model(self) -> SummaryModel | None:
        return self._model

    def request(self, passage_id: str, listener: SummaryListener) -> Callable[[], None]:
        self.requests.append(passage_id)
        stopped = threading.Event()

        def cancel() -> None:
            if passage_id not in self.cancelled:
                self.cancelled.append(passage_id)
            stopped.set()

        thread = threading.Thread(target=self._play, args=(passage_id, listener, stopped), name="scripted summary")
        self.threads.append(thread)
        thread.start()
        return cancel

    def join(self) -> None:
        self.go_on.set()
        for thread in self.threads:
            thread.join(10)

    def _play(self, passage_id: str, listener: SummaryListener, stopped: threading.Event) -> None:
        for step in self._steps:
            if isinstance(step, Wait):
                while not self.go_on.wait(0.01) and not (stopped.is_set() and not self._is_stubborn):
                    pass
            if stopped.is_set() and not self._is_stubborn:
                return
            if isinstance(step, Fault):
                listener.failed(step.message, step.advice)
                return
            if isinstance(step, SummaryPart):
                listener.part_written(SummaryPart(step.text.replace("ID", passage_id), step.doubt))
        listener.done(WRITTEN)
