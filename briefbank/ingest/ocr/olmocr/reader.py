"""Pages read by an olmOCR server: what it is asked for one page, what of its answers is believed, and the way of
scanned pages to it and through the merge, several at once.

Rendering and merging run in guarded workers, asking in threads of this process, so that what parses untrusted files
never sees a network. The prompt, the front matter and its parser are the package `olmocr`'s own. Must not know what
becomes of the pages.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from briefbank.errors import BriefBankError, OcrMissingError
from briefbank.ingest.beneath import SourcePlace
from briefbank.ingest.ocr.olmocr.merge import MERGE_VERSION, Ink, ScanPicture
from briefbank.ingest.ocr.olmocr.server import Server, ServerError, resolve
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

_MOST_TOKENS = 8_000
_TEMPERATURES = (0.1, 0.2, 0.5, 0.8)
"""One try each: as olmOCR's own pipeline does, more warmth after an answer that looped or made no sense."""

_WAITS_S = (0.5, 2.0, 8.0)
"""Pauses after a server that is away or broken, before it is asked the same again."""

_FRONT_MATTER = 1_000
"""Characters within which the front matter must end; it has five short lines."""

_LOOP_LETTERS, _LOOP_TIMES, _LOOP_PERIOD = 160, 4, 400
"""An answer loops whose end says the same, of up to a length, so many times over and for so many characters."""

_SAME_LINES, _LINE_LETTERS = 5, 10

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
    """Reads pages with the server of the settings. `on_done` calls back in the thread that owns the pool."""

    def __init__(
        self,
        pool: GuardedPool,
        settings: Settings,
        on_done: Callable[[Future[Any], Callable[[Future[Any]], None]], None],
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
        self._on_done = on_done
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
        self._on_done(future, partial(self._rendered, task))

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
        self._on_done(asked, partial(self._answered, task, picture.ink))

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
        self._on_done(merging, partial(self._merged, task))

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


class UnusableAnswerError(ServerError):
    """The server answered, but not with a page's text; asked again, it may."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A page as olmOCR prints it. `turn_deg` is how the picture must be turned, counter-clockwise, to be upright."""

    markdown: str
    turn_deg: int = 0


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]


class _Model(msgspec.Struct):
    id: str


class _Models(msgspec.Struct):
    data: list[_Model] = []


def prompt_version() -> str:
    """A name for the prompt and the package that it comes from: other ones, other answers."""
    from olmocr.prompts.prompts import build_no_anchoring_v4_yaml_prompt
    from olmocr.version import VERSION

    digest = hashlib.sha256(f"{build_no_anchoring_v4_yaml_prompt()}{_MOST_TOKENS}{_TEMPERATURES}".encode())
    return f"{VERSION}-{digest.hexdigest()[:8]}"


def choose_model(server: Server, wanted: str) -> str:
    """Return the name of the model to ask for: `wanted`, or what the server names first.

    Raises:
        OcrMissingError: the server does not answer, or has no such model.
    """
    try:
        names = [model.id for model in msgspec.json.decode(server.exchange("GET", "/models"), type=_Models).data]
    except (ServerError, ValueError) as error:
        reason = error.reason if isinstance(error, ServerError) else "its list of models makes no sense"
        advice = "Start the server, mend ocr_server, or leave it empty for Tesseract alone."
        raise OcrMissingError(f"The OCR server cannot be used: {reason}.", advice) from error
    if wanted in names or (names and not wanted):
        return wanted or names[0]
    known = ", ".join(names) or "none"
    raise OcrMissingError(f"The OCR server has no model {wanted!r}. It has: {known}.", "Mend ocr_server_model.")


class Transcriber:
    """Asks a server for one page at a time; used by several threads."""

    def __init__(self, server: Server, model: str, waits_s: Sequence[float] = _WAITS_S) -> None:
        self._server = server
        self._model = model
        self._waits_s = waits_s

    def transcribe(self, png_base64: str) -> Transcript:
        """Return what the server reads on a picture.

        Raises:
            ServerError: after a bounded number of tries there is no answer; UnusableAnswerError: none that can be used.
        """
        *firsts, last = _TEMPERATURES
        for temperature in firsts:
            with suppress(UnusableAnswerError):
                return parse_completion(self._ask(png_base64, temperature))
        return parse_completion(self._ask(png_base64, last))

    def _ask(self, png_base64: str, temperature: float) -> bytes:
        from olmocr.prompts.prompts import build_no_anchoring_v4_yaml_prompt

        picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{png_base64}"}}
        content = [{"type": "text", "text": build_no_anchoring_v4_yaml_prompt()}, picture]
        query = {
            "model": self._model,
            "messages": [{"role": "user", "content": content}],
            "max_tokens": _MOST_TOKENS,
            "temperature": temperature,
        }
        body = msgspec.json.encode(query)
        for wait_s in self._waits_s:
            try:
                return self._server.exchange("POST", "/chat/completions", body)
            except ServerError as error:
                if error.is_lasting:
                    raise
                self._server.wait(wait_s)
        return self._server.exchange("POST", "/chat/completions", body)


def parse_completion(body: bytes) -> Transcript:
    """Return the transcript out of a completion.

    Raises:
        UnusableAnswerError: it is cut off, loops, or is not what olmOCR answers with.
    """
    try:
        choice = msgspec.json.decode(body, type=_Completion).choices[0]
    except (ValueError, IndexError) as error:
        raise UnusableAnswerError("the server's answer makes no sense") from error
    if choice.finish_reason != "stop":
        raise UnusableAnswerError("the server's answer was cut off")
    transcript = _parsed(choice.message.content or "")
    if is_looping(transcript.markdown):
        raise UnusableAnswerError("the server's answer went round in a loop")
    return transcript


def _parsed(content: str) -> Transcript:
    from olmocr.prompts.prompts import PageResponse
    from olmocr.train.front_matter import FrontMatterParser

    end = content.find("\n---", 4)
    if not content.startswith("---\n") or not 0 < end <= _FRONT_MATTER:
        raise UnusableAnswerError("the server's answer lacks its front matter")
    logging.getLogger("olmocr").setLevel(logging.CRITICAL)  # it logs pieces of what it cannot parse
    parser = FrontMatterParser(front_matter_class=PageResponse)
    try:
        page = parser({"markdown_content": content, "markdown_path": "answer"})["page_data"]
    except (ValueError, RecursionError) as error:
        raise UnusableAnswerError("the front matter of the server's answer is invalid") from error
    return Transcript(page.natural_text or "", 0 if page.is_rotation_valid else page.rotation_correction)


def is_looping(markdown: str) -> bool:
    """Whether a text ends in a loop, or repeats a line over and over, as a model does that has lost its place."""
    from olmocr.repeatdetect import RepeatDetector

    text = re.sub(r"\s+", " ", re.sub(r"<[^<>]*>", " ", markdown)).strip()
    detector = RepeatDetector(max_ngram_size=_LOOP_PERIOD)
    detector.add_letters(text)
    for size, times in enumerate(detector.ngram_repeats(), 1):
        if times >= _LOOP_TIMES and size * times >= _LOOP_LETTERS and any(map(str.isalpha, text[-size:])):
            return True
    lines = (line.strip() for line in markdown.splitlines() if line.strip())
    runs = ((line, sum(1 for _ in run)) for line, run in groupby(lines))
    return any(times >= _SAME_LINES and sum(map(str.isalpha, line)) >= _LINE_LETTERS for line, times in runs)
