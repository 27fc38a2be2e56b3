"""What goes over the pipes between two processes of this program: frames of a stated length, one message in each.

A frame is four bytes of length (little-endian) and a message in MessagePack. Knows nothing of calls or processes.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Hashable, Iterator
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import IO, Any, TypeVar, cast

import msgspec

from briefbank import errors
from briefbank.errors import BriefBankError

_LENGTH = struct.Struct("<I")

MOST_BYTES = 400_000_000
"""Largest message: twice a reading of `max_pages` (5,000) pages, which take 37 kB each in the sample briefs."""

_MOST_TOLD = 1_000
"""Characters of an error's message or advice that are believed; ours have a fifth of it."""

T = TypeVar("T")


class WireError(Exception):
    """The other end sent something that is not declared."""


class Ask(msgspec.Struct, frozen=True, tag="ask"):
    """To a child: make a call. `call` is the name of its class, `body` its fields."""

    number: int
    call: str
    body: msgspec.Raw


class Stop(msgspec.Struct, frozen=True, tag="stop"):
    """To a child: nobody waits for this call any more."""

    number: int


class Told(msgspec.Struct, frozen=True, tag="told"):
    """To the parent: a value reported on the way to an answer. The number is 0 where it belongs to no call."""

    number: int
    body: msgspec.Raw


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    """To the parent: what the call returned."""

    number: int
    body: msgspec.Raw


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """To the parent: the error that the call raised, by the name of its class. `place` says where a fault of this
    program happened.
    """

    number: int
    kind: str
    message: str
    advice: str
    place: str = ""


ToChild = Ask | Stop
ToParent = Told | Answered | Failed


def pack(value: object) -> bytes:
    """Encode a value of declared type."""
    return _ENCODER.encode(value)


def unpack(data: bytes | msgspec.Raw, kind: type[T]) -> T:
    """Decode a value of that type.

    Raises:
        WireError: it is something else.
    """
    try:
        return cast("T", _decoder(cast("Hashable", kind)).decode(data))
    except (ValueError, RecursionError, MemoryError, NotImplementedError) as error:  # msgspec's own are ValueErrors
        raise WireError(type(error).__name__) from None


def failed(number: int, problem: BriefBankError, place: str = "") -> Failed:
    """Describe an error for the other end, as the nearest class that is declared in `briefbank.errors`."""
    kind = next(each.__name__ for each in type(problem).__mro__ if vars(errors).get(each.__name__) is each)
    return Failed(number, kind, _plain(problem.message), _plain(problem.advice), _plain(place))


def error_of(message: Failed) -> BriefBankError:
    """Return the error that the other end describes.

    Raises: WireError: there is no such class of errors.
    """
    kind = vars(errors).get(message.kind)
    if not (isinstance(kind, type) and issubclass(kind, BriefBankError)):
        raise WireError("an unknown error")
    return kind(message.message[:_MOST_TOLD], message.advice[:_MOST_TOLD])


class Sender:
    """Writes messages to a pipe, from any thread."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._lock = Lock()

    def send(self, message: ToChild | ToParent) -> None:
        """Write a message.

        Raises:
            OSError: nobody reads the other end any more.
        """
        body = pack(message)
        with self._lock:
            self._pipe.write(_LENGTH.pack(len(body)))
            self._pipe.write(body)
            self._pipe.flush()

    def close(self) -> None:
        """Say that nothing more will come."""
        with self._lock:
            try:
                self._pipe.close()
            except OSError:  # what was left to write has no reader
                return


def receive(pipe: IO[bytes], kind: type[T]) -> Iterator[T]:
    """Yield what comes until the other end is closed, or its process dies in the middle of a message.

    Raises:
        WireError: a message is longer than `MOST_BYTES`, or not of that type.
    """
    while len(head := _read(pipe, _LENGTH.size)) == _LENGTH.size:
        (length,) = _LENGTH.unpack(head)
        if length > MOST_BYTES:
            raise WireError("a message without end")
        body = _read(pipe, length)
        if len(body) < length:
            return
        yield unpack(body, kind)


def _read(pipe: IO[bytes], length: int) -> bytes:
    try:
        return pipe.read(length)
    except (OSError, ValueError):  # closed meanwhile by whoever ends the process
        return b""


def _plain(text: str) -> str:
    """Escape what UTF-8 cannot encode: file names that are not text."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _to_plain(value: object) -> object:
    """Encode a path as the system's own bytes, since not every file name is text."""
    if isinstance(value, Path):
        return os.fsencode(value)
    raise NotImplementedError(f"{type(value).__name__} is no type that messages hold")


def _from_plain(kind: type[Any], value: object) -> object:
    if issubclass(kind, Path) and isinstance(value, bytes):
        return Path(os.fsdecode(value))
    raise NotImplementedError(f"{kind.__name__} is no type that messages hold")


_ENCODER = msgspec.msgpack.Encoder(enc_hook=_to_plain)


@lru_cache(maxsize=256)
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind, dec_hook=_from_plain)
