"""How a call to a child process is declared: a class with the arguments as fields and the work as its method.

    class Facets(Call["Bank", reports.Facets], frozen=True):
        def run(self, bank: Bank, /) -> reports.Facets:
            return bank.facets()

A child answers the calls of its table, each by the name of its class. The parent decodes what comes back into the
answer's declared type, which has to be made of plain values: numbers, texts, bytes, dates, paths, enumerations, tuples
and mappings of them, frozen dataclasses. A union may hold one dataclass beside plain values, as msgspec has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_origin

import msgspec

from briefbank.platform.progress import CancelToken

C_contra = TypeVar("C_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)
T_contra = TypeVar("T_contra", contravariant=True)


class Call(msgspec.Struct, Generic[C_contra, A_co], frozen=True):
    """A call that a child makes on an object of type C, and answers with a value of type A."""

    def run(self, on: C_contra, /) -> A_co:
        """Do the work, in the child."""
        raise NotImplementedError


class Task(Call[None, A_co], Generic[A_co], frozen=True):
    """A call that needs nothing but its own fields. One that `converts` runs LibreOffice, which writes files: it gets a
    worker of its own.
    """

    converts: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Turn(Generic[C_contra, T_contra]):
    """What a long call works with: the object, a token that says whether to stop, and a function that reports a value
    of type T on the way.
    """

    on: C_contra
    cancel: CancelToken
    tell: Callable[[T_contra], None]


class LongCall(Call[Turn[C_contra, T_contra], A_co], Generic[C_contra, A_co, T_contra], frozen=True):
    """A call that can be stopped, and that reports values of type T before it returns an A."""


Table = Mapping[str, type[Call[Any, Any]]]
"""The calls that a child answers, by the names of their classes."""


def table(*calls: type[Call[Any, Any]]) -> Table:
    """Return the table of these calls."""
    return {each.__name__: each for each in calls}


def answer_type(call: type[Call[Any, Any]]) -> Any:
    """Return the type of what a call returns."""
    return _declared(call, Task)[0] if issubclass(call, Task) else _declared(call, Call, LongCall)[1]


def told_type(call: type[Call[Any, Any]]) -> Any:
    """Return the type of what a call reports on its way; None where it reports nothing."""
    return _declared(call, LongCall)[2] if issubclass(call, LongCall) else None


def _declared(call: type[Call[Any, Any]], *origins: type[Call[Any, Any]]) -> tuple[Any, ...]:
    """The types that a call's class gave to the class that it is made from."""
    bases: Iterable[Any] = call.__orig_bases__  # type: ignore[attr-defined]  # typing's own mark on the class
    return next(get_args(base) for base in bases if get_origin(base) in origins)
