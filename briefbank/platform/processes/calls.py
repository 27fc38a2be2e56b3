"""What can be asked of a child process: methods and tasks, each declared by nothing but its type hints.

A method is asked of an object that the child holds: its arguments go over in a struct made from its hints and are given
to the object's method of that name. A parameter that is a function (a reporter) is not sent: what the child gives to it
comes back on the way to the answer. A task is a struct that brings its own work. What comes back is decoded into the
declared type, which has to be made of plain values: numbers, texts, bytes, dates, paths, enumerations, tuples and
mappings of them, frozen dataclasses. A union may hold one dataclass beside plain values, as msgspec has it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from briefbank.platform.progress import CancelToken

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
