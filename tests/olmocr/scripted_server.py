"""An OpenAI-compatible server on this machine that answers what a test tells it to, faults included."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "olmocr"
_TRICKLE_S = 0.05


@dataclass(frozen=True)
class Answer:
    """What goes over the wire: `wait_s` later, in single bytes (`trickle`), `cut` bytes short of what was promised."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    wait_s: float = 0.0
    trickle: bool = False
    cut: int = 0


def front_matter(*, is_rotation_valid: bool = True, rotation_correction: int = 0) -> str:
    return (
        f"---\nprimary_language: en\nis_rotation_valid: {is_rotation_valid}\n"
        f"rotation_correction: {rotation_correction}\nis_table: False\nis_diagram: False\n---\n"
    )


def completion(content: str | None, *, finish_reason: str = "stop") -> Answer:
    message = {"role": "assistant", "content": content}
    usage = {"prompt_tokens": 1200, "completion_tokens": 300, "total_tokens": 1500}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return Answer(json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage}).encode())


def page_of(text: str, **matter: Any) -> Answer:
    """olmOCR's answer for a page with this text."""
    return completion(front_matter(**matter) + text)


@dataclass
class Script:
    """What the server answers and what it was asked. `answer` gets the request and its number, from 0."""

    answer: Callable[[dict[str, Any], int], Answer]
    models: Sequence[str] = (MODEL,)
    asked: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    most_at_once: int = 0
    url: str = ""
    is_over: threading.Event = field(default_factory=threading.Event)
    _at_once: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def noted(self, path: str, request: dict[str, Any]) -> Iterator[int]:
        with self._lock:
            self.paths.append(path)
            self.asked.append(request)
            number = len(self.asked) - 1
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            yield number
        finally:
            with self._lock:
                self._at_once -= 1


def always(*answers: Answer) -> Callable[[dict[str, Any], int], Answer]:
    """The answers one after the other, the last one for ever."""
    return lambda _, number: answers[min(number, len(answers) - 1)]


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        listed = {"object": "list", "data": [{"id": name, "object": "model"} for name in self.server.script.models]}
        self._send(Answer(json.dumps(listed).encode()))

    def do_POST(self) -> None:
        script = self.server.script
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with script.noted(self.path, request) as number:
            self._send(script.answer(request, number))

    def _send(self, answer: Answer) -> None:
        self.server.script.is_over.wait(answer.wait_s)
        with suppress(OSError):  # whoever asked may have gone
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(answer.body)))
            for name, value in answer.headers:
                self.send_header(name, value)
            self.end_headers()
            for piece in self._pieces(answer):
                self.wfile.write(piece)
        self.close_connection = True

    def _pieces(self, answer: Answer) -> Iterator[bytes]:
        body = answer.body[: len(answer.body) - answer.cut]
        if not answer.trickle:
            yield body
            return
        for at in range(len(body)):
            if self.server.script.is_over.wait(_TRICKLE_S):
                return
            yield body[at : at + 1]


@contextmanager
def serving(
    answer: Callable[[dict[str, Any], int], Answer],
    models: Sequence[str] = (MODEL,),
    *,
    tls: ssl.SSLContext | None = None,
) -> Iterator[Script]:
    """Serve on a port of this machine until the block is left."""
    script = Script(answer, models)
    with _Server(script) as server:
        script.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}/v1"
        if tls:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield script
        finally:
            script.is_over.set()
            server.shutdown()
            thread.join()
