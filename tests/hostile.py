"""What a child says that a hostile file has taken over."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import msgspec

from briefbank.platform.processes.calls import MOST_BYTES


class Escape:
    """Makes a folder in whatever process unpickles it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.folder),)


def frame(message: object) -> bytes:
    body = message if isinstance(message, bytes) else msgspec.msgpack.encode(message)
    return struct.pack("<I", len(body)) + body


def answered(value: object, number: int = 1) -> bytes:
    return frame({"type": "answered", "number": number, "body": value})


HOSTILE = {
    "of the wrong type": answered("forty-two"),
    "an answer to nothing": answered(42, 99),
    "told unasked": frame({"type": "told", "number": 0, "body": 1}),
    "told of what tells nothing": frame({"type": "told", "number": 1, "body": 1}),
    "of a kind there is not": frame({"type": "run", "number": 1, "body": "mkdir"}),
    "an error there is not": frame({"type": "failed", "number": 1, "kind": "os", "message": "", "advice": ""}),
    "an error that is a function": frame(
        {"type": "failed", "number": 1, "kind": "fault_told", "message": "", "advice": ""}
    ),
    "an error of Python": frame({"type": "failed", "number": 1, "kind": "SystemExit", "message": "", "advice": ""}),
    "nested without end": frame(b"\x91" * 1_000_000),
    "more members than there are bytes": frame(b"\x83\xa4type\xa8answered\xa6number\x01\xa4body\xdd\xff\xff\xff\xff"),
    "longer than any": struct.pack("<I", MOST_BYTES + 1),
    "no message": frame(b""),
}
