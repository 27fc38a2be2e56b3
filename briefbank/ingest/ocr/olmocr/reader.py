"""The way of scanned pages to the OCR server and through the merge; several are on their way at once.

Rendering and merging run in guarded workers, asking in threads of this process, so that what parses untrusted files
never sees a network. Must not know what becomes of the pages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from briefbank.errors import BriefBankError, OcrMissingError
from briefbank.ingest.beneath import SourcePlace
from briefbank.ingest.ocr.olmocr.merge import MERGE_VERSION, Ink, ScanPicture
from briefbank.ingest.ocr.olmocr.server import Server, ServerError, resolve
from briefbank.ingest.ocr.olmocr.transcript import (
    Transcriber,
    Transcript,
    UnusableAnswerError,
    choose_model,
    prompt_version,
)
from briefbank.ingest.worker import Merge, Render
from briefbank.platform.settings import Settings
from briefbank.values.records import Page

if TYPE_CHECKING:
    from briefbank.platform.processes.pool import GuardedPool

_WORK_S = 60.0
"""Seconds after which rendering a page, or merging two readings, is given up."""

PAGES_AT_ONCE = 8
"""Pages that the server is given at a time. Chosen: vLLM, which serves olmOCR, reads several at once."""
_MOST_TURNS = 3
_MOST_LOST = 3
"""Pages in a row without any answer after which the server is not asked again in this run."""

Then = Callable[[Page, str], None]
"""Takes the page, and why olmOCR's reading is not in it, or nothing."""


@dataclass(slots=True)
class _Task:
    place: SourcePlace
    page: Page
    then: Then
    turn_deg: int
    turns: int = 0


class OlmocrReader:
    """Reads pages with the server of the settings. `watch` calls back in the thread that owns the pool."""

    def __init__(
        self,
        pool: GuardedPool,
        settings: Settings,
        watch: Callable[[Future[Any], Callable[[Future[Any]], None]], None],
    ) -> None:
        """See that everything is there.

        Raises:
            OcrMissingError: the package `olmocr` or the server is not.
            SettingsError: the server's address is none.
        """
        if find_spec("olmocr") is None:
            advice = "Run: pip install 'briefbank[olmocr]'"
            raise OcrMissingError("The Python package 'olmocr' is not installed.", advice)
        self._pool = pool
        self._watch = watch
        self._server = Server(resolve(settings.ocr_server), settings.ocr_server_timeout_s)
        model = choose_model(self._server, settings.ocr_server_model)
        self.engine = f"olmocr-{prompt_version()}-{MERGE_VERSION}:{model}"
        self._transcriber = Transcriber(self._server, model)
        self._threads = ThreadPoolExecutor(PAGES_AT_ONCE, "ocr-server")
        self._waiting: deque[_Task] = deque()
        self._busy = 0
        self._lost = 0

    def read(self, place: SourcePlace, page: Page, then: Then) -> None:
        """Have a page of a PDF read that Tesseract has read as `page`; `then` is called once."""
        self._waiting.append(_Task(place, page, then, page.rotation_deg))
        self._fill()

    def close(self) -> None:
        """End what is under way; nobody is called back any more."""
        self._server.stop()
        self._threads.shutdown(cancel_futures=True)

    def _fill(self) -> None:
        """Start as many pages as the server takes; a picture is made only when its turn has come."""
        while self._waiting and (self._busy < PAGES_AT_ONCE or self._lost >= _MOST_LOST):
            task = self._waiting.popleft()
            if self._lost >= _MOST_LOST:
                task.then(task.page, "the server had stopped answering")
            else:
                self._busy += 1
                self._render(task)

    def _render(self, task: _Task) -> None:
        future = self._pool.submit(Render(task.place, task.page.number, task.turn_deg), timeout_s=_WORK_S)
        self._watch(future, partial(self._rendered, task))

    def _rendered(self, task: _Task, future: Future[ScanPicture]) -> None:
        try:
            picture = future.result()
        except BriefBankError:
            self._end(task, task.page, "its picture could not be made")
            return
        if picture.is_blank:
            self._end(task, task.page, "")
            return
        asked = self._threads.submit(self._transcriber.transcribe, picture.png_base64)
        self._watch(asked, partial(self._answered, task, picture.ink))

    def _answered(self, task: _Task, ink: Ink, future: Future[Transcript]) -> None:
        try:
            transcript = future.result()
        except ServerError as error:
            self._lost = 0 if isinstance(error, UnusableAnswerError) else self._lost + 1
            self._end(task, task.page, error.reason)
            return
        self._lost = 0
        if transcript.turn_deg and task.turns < _MOST_TURNS:
            task.turns += 1
            task.turn_deg = (task.turn_deg - transcript.turn_deg) % 360
            self._render(task)
            return
        merging = self._pool.submit(Merge(task.page, transcript.markdown, ink), timeout_s=_WORK_S)
        self._watch(merging, partial(self._merged, task))

    def _merged(self, task: _Task, future: Future[tuple[Page, str]]) -> None:
        try:
            page, reason = future.result()
        except BriefBankError:
            page, reason = task.page, "its text could not be placed on the page"
        self._end(task, page, reason)

    def _end(self, task: _Task, page: Page, reason: str) -> None:
        self._busy -= 1
        task.then(page, reason)
        self._fill()
