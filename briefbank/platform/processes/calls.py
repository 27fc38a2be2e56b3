"""What can be asked of a child process, how it goes over the pipes, and how the child takes it.

Methods and tasks are declared by nothing but their type hints. A method is asked of an object that the child holds: its
arguments go over in a struct made from its hints and are given to the object's method of that name. A parameter that is
a function (a reporter) is not sent: what the child gives to it comes back on the way to the answer. A task is a struct
that brings its own work. What comes back is decoded into the declared type, which has to be made of plain values:
numbers, texts, bytes, dates, paths, enumerations, tuples and mappings of them, frozen dataclasses. A union may hold one
dataclass beside plain values, as msgspec has it.

It goes over the pipes in frames of a stated length: four bytes (little-endian), then one message in MessagePack. The
child's end (`ParentLink`) yields the calls that come, and ends the process when nobody listens any more.
"""

from __future__ import annotations

import inspect
import os
import signal
import struct
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import IO, Any, ClassVar, Generic, TypeVar, cast, get_args, get_origin, get_type_hints
from weakref import WeakValueDictionary

import msgspec

from briefbank import errors
from briefbank.errors import BriefBankError, fault_told
from briefbank.platform.disk import refusal_of
from briefbank.platform.processes.this_process import keep_private
from briefbank.platform.progress import CancelToken

_LENGTH = struct.Struct("<I")

MOST_BYTES = 400_000_000
"""Largest message: twice a reading of `max_pages` (5,000) pages, which take 37 kB each in the sample briefs."""

_MOST_TOLD = 1_000
"""Characters of an error's message or advice that are believed; ours have a fifth of it."""

T = TypeVar("T")


class WireError(Exception):
    """The other end sent something that is not declared."""


class Ask(msgspec.Struct, frozen=True, tag="ask"):
    """To a child: make a call. `call` is the name of a method or task, `body` its arguments."""

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


A_co = TypeVar("A_co", covariant=True)


class Task(msgspec.Struct, Generic[A_co], frozen=True):
    """Work that needs nothing but its own fields. One that `converts` runs LibreOffice, which writes files: it gets a
    worker of its own.
    """

    converts: ClassVar[bool] = False

    def run(self, report: Callable[[Any], None], /) -> A_co:
        """Do the work, in the child; may report values of a declared type on the way."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Declared:
    """What goes to a child under a name, the type of its answer, and of what is reported on the way (None: nothing) to
    the parameter `reporter`.
    """

    name: str
    arguments: type[msgspec.Struct]
    answer: Any
    part: Any = None
    reporter: str = ""


Table = Mapping[str, Declared]
"""What a child answers, by name."""


@dataclass(frozen=True, slots=True)
class Call:
    """Something that is asked: what it is, and its arguments. These are not in the `repr`."""

    declared: Declared
    arguments: msgspec.Struct

    def __repr__(self) -> str:
        return f"Call({self.declared.name})"

    def run(self, on: object, report: Callable[[Any], None], cancel: CancelToken) -> object:
        """Do the work, in the child; a method that takes `cancel` gets the token."""
        if isinstance(self.arguments, Task):
            return self.arguments.run(report)
        method = getattr(on, self.declared.name)
        given = {name: getattr(self.arguments, name) for name in self.arguments.__struct_fields__}
        if self.declared.reporter:
            given[self.declared.reporter] = report
        if "cancel" in inspect.signature(method).parameters:
            given["cancel"] = cancel
        return method(**given)


def table(*asked: type[Task[Any]] | Callable[..., Any]) -> Table:
    """Return the table of these tasks and methods."""
    return {each.__name__: declared(each) for each in asked}


@cache
def declared(asked: type[Task[Any]] | Callable[..., Any]) -> Declared:
    """Return what the hints of a task or method declare."""
    if isinstance(asked, type) and issubclass(asked, Task):
        hints = get_type_hints(asked.run)
        functions = [each for each in map(_function, hints.values()) if each]
        return Declared(asked.__name__, asked, hints["return"], get_args(functions[0])[0][0] if functions else None)
    return _declared_method(asked)


def _function(hint: Any) -> Any:
    """The type of a function, where a hint asks for one, or for one or nothing."""
    return next((each for each in (hint, *get_args(hint)) if get_origin(each) is Callable), None)


def _declared_method(method: Callable[..., Any]) -> Declared:
    """Return what the hints of a method declare. A parameter `cancel` stays in the child, which has its own token."""
    hints = get_type_hints(method)
    sent: list[tuple[str, Any]] = []
    part: Any = None
    reporter = ""
    for name in inspect.signature(method).parameters:
        if function := _function(hints.get(name)):
            reporter, part = name, get_args(function)[0][0]
        elif name not in ("self", "cancel"):
            sent.append((name, hints[name]))
    return Declared(method.__name__, msgspec.defstruct(method.__name__, sent), hints["return"], part, reporter)


def method_call(method: Callable[..., Any], *given: Any, **named: Any) -> tuple[Call, Callable[[Any], None]]:
    """Return a method's call with these arguments, and the function that takes what is reported on its way."""
    kind = declared(method)
    bound = inspect.signature(method).bind(None, *given, **named)
    bound.apply_defaults()
    values = {name: bound.arguments[name] for name in kind.arguments.__struct_fields__}
    report = bound.arguments.get(kind.reporter)
    return Call(kind, kind.arguments(**values)), report or (lambda _: None)


def fault_of(fault: Exception) -> BriefBankError:
    """Name for people what the system refused, or a fault of this program without its text, which may hold theirs."""
    advice = "Try again; if it happens again, tell whoever looks after BriefBank."
    return refusal_of(fault) or BriefBankError(
        f"This met a fault of BriefBank itself ({type(fault).__name__}).", advice
    )


@dataclass(frozen=True, slots=True)
class ReceivedCall:
    """A call that waits for its answer."""

    call: Call
    number: int
    cancel: CancelToken
    sender: Sender

    @property
    def name(self) -> str:
        """What is asked: the name of a method or task."""
        return self.call.declared.name

    def tell(self, value: object) -> None:
        """Send something on the way to the answer."""
        self.sender.send(Told(self.number, msgspec.Raw(pack(value))))

    def run(self, on: object) -> object:
        """Make the call on an object of the type that it asks for."""
        return self.call.run(on, self.tell, self.cancel)

    def answer(
        self, work: Callable[[ReceivedCall], object], named: Callable[[Exception], BriefBankError] = fault_of
    ) -> None:
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
    """The child's end of the pipes. Where it does not listen in a thread, nothing is received while a call is
    being made: neither Stop nor the end of the parent.
    """

    def __init__(self, table: Table, *, is_listening: bool = True) -> None:
        """Take over the pipes. Ctrl-C is left to the parent."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        keep_private()
        source, self._sender = _take_pipes()
        self._calls = self._receive(source, table)
        self._inbox: SimpleQueue[ReceivedCall] | None = None
        if is_listening:
            self._inbox = SimpleQueue()
            Thread(target=self._listen, args=(self._inbox,), daemon=True).start()

    def next(self, seconds: float | None = None) -> ReceivedCall | None:
        """Wait for the next call; None where none comes within that time."""
        if self._inbox is None:
            if call := next(self._calls, None):
                return call
            sys.exit(0)
        try:
            return self._inbox.get(timeout=seconds)
        except Empty:
            return None

    def tell(self, notice: object) -> None:
        """Send what nobody asked for."""
        self._sender.send(Told(0, msgspec.Raw(pack(notice))))

    def _receive(self, source: IO[bytes], table: Table) -> Iterator[ReceivedCall]:
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
                yield ReceivedCall(call, message.number, cancel, self._sender)
            elif (token := tokens.get(message.number)) is not None:
                token.cancel()

    def _listen(self, inbox: SimpleQueue[ReceivedCall]) -> None:
        try:
            for call in self._calls:
                inbox.put(call)
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
