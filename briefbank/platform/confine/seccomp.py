"""System calls that a process may make, held by the kernel (seccomp): a list in `syscalls.toml`, made into a filter.

Knows neither files nor folders: what a call may touch is for Landlock to say.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

_PR_GET_SECCOMP, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 21, 22, 38
_SECCOMP_MODE_FILTER = 2
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""AUDIT_ARCH_*, by which a filter tells 64-bit calls from those of other instruction sets of the same processor. The
x32 calls of x86_64 share its value and have numbers above 0x40000000, which are in no list.
"""

_LOAD, _AND, _JUMP, _JUMP_EQUAL, _JUMP_NOT_BELOW, _RETURN = 0x20, 0x54, 0x05, 0x15, 0x35, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
"""Offsets in `struct seccomp_data`; six arguments of eight bytes, the low half first on both machines."""

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000


class Instruction(NamedTuple):
    """One instruction of the classic BPF: code, jumps where it holds and where not, and its value."""

    code: int
    if_true: int = 0
    if_false: int = 0
    value: int = 0


Program = tuple[Instruction, ...]

_UNKNOWN = Instruction(_RETURN, value=_ERRNO | errno.ENOSYS)
_REFUSE = Instruction(_RETURN, value=_ERRNO | errno.EPERM)
_PERMIT = Instruction(_RETURN, value=_ALLOW)


class Calls(StrEnum):
    """Who is confined, as the lists in `syscalls.toml` name them."""

    READ = "read"
    CONVERT = "convert"
    SHOW = "show"


def is_there() -> bool:
    """Whether this kernel filters system calls and this machine's calls are known."""
    libc = ctypes.CDLL(None, use_errno=True)
    return platform.machine() in _ARCHITECTURES and libc.prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) >= 0


def allow_only(calls: Calls) -> None:
    """Have the kernel refuse every other call to this process, for good, and to all that it starts.

    Raises:
        OSError: the kernel takes no filter.
    """
    program = filter_program(calls, platform.machine())
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in program))
    described = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, described, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the kernel takes no filter of system calls")


def filter_program(calls: Calls, machine: str) -> Program:
    """The filter as the kernel runs it: the machine's own calls, found by binary search, and their arguments."""
    table = _table()
    numbers: Mapping[str, int] = table["numbers"][machine]
    rules = {**table["arguments"][Calls.READ], **table["arguments"].get(calls, {})}
    allowed = {*table["calls"][Calls.READ], *table["calls"][calls]}
    answers: dict[str, Program] = dict.fromkeys(table["calls"]["refused"], (_REFUSE,))
    answers |= {name: _checked(rules.get(name, ())) for name in allowed}
    cases = sorted((numbers[name], answer) for name, answer in answers.items() if name in numbers)
    return (
        Instruction(_LOAD, value=_ARCHITECTURE_AT),
        Instruction(_JUMP_EQUAL, 1, 0, _ARCHITECTURES[machine]),
        _UNKNOWN,
        Instruction(_LOAD, value=_NUMBER_AT),
        *_search(cases),
    )


@cache
def _table() -> dict[str, Any]:
    with Path(__file__).with_name("syscalls.toml").open("rb") as file:
        return tomllib.load(file)


def _search(cases: Sequence[tuple[int, Program]]) -> Program:
    """Find the number that was loaded among the cases, which are sorted by it."""
    if len(cases) == 1:
        number, answer = cases[0]
        return (Instruction(_JUMP_EQUAL, 0, len(answer), number), *answer, _UNKNOWN)
    middle = len(cases) // 2
    below, rest = _search(cases[:middle]), _search(cases[middle:])
    # A conditional jump reaches 255 instructions; an unconditional one reaches them all.
    jumps = Instruction(_JUMP_NOT_BELOW, 0, 1, cases[middle][0]), Instruction(_JUMP, value=len(below))
    return (*jumps, *below, *rest)


def _checked(conditions: Iterable[Mapping[str, Any]]) -> Program:
    """Permit a call whose arguments meet all conditions, refuse it else."""
    return (*chain.from_iterable(map(_condition, conditions)), _PERMIT)


def _condition(condition: Mapping[str, Any]) -> Program:
    """Go on where the argument has one of the values: in the bits of the mask, or else in all 64."""
    at = _ARGUMENTS_AT + 8 * condition["argument"]
    if mask := condition.get("mask"):
        wide: Program = ()
        low: Program = (Instruction(_LOAD, value=at), Instruction(_AND, value=mask))
    else:
        wide = Instruction(_LOAD, value=at + 4), Instruction(_JUMP_EQUAL, 1, 0, 0), _REFUSE
        low = (Instruction(_LOAD, value=at),)
    values: Sequence[int] = condition["values"]
    compared = (Instruction(_JUMP_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values))
    return (*wide, *low, *compared, _REFUSE)
