"""What Windows holds a process to that parses untrusted files: a job with limits, low integrity, no privileges.

A process of low integrity may write only where that is allowed to it, and neither into nor to the harm of processes
without that mark; it may still read what its user may read, and reach the network. Knows nothing of what the files are.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator
from ctypes.wintypes import DWORD, HANDLE
from pathlib import Path

from briefbank.platform.windows import acl, api
from briefbank.platform.windows.jobs import Job

MOST_PROCESSES = 8
"""A reader and the LibreOffice and console processes that it starts: four of them were seen at most."""

_QUERY, _ADJUST_PRIVILEGES, _ADJUST_DEFAULT = 0x8, 0x20, 0x80
_PRIVILEGES, _INTEGRITY = 3, 25
_LOW = "S-1-16-4096"
_IS_INTEGRITY, _IS_REMOVED = 0x20, 0x4
_PRIVILEGE = struct.Struct("<IiI")
_MOST_BYTES = 4096

_jobs: list[Job] = []
"""The job of this process, held until it ends, and with it what it started."""


def confine(memory_bytes: int | None, scratch: Path | None, processes: int = MOST_PROCESSES) -> None:
    """Limit this process and its children for good. `memory_bytes` is what each may commit; where there is `scratch`,
    it may write there, and nowhere else.

    Raises:
        OSError: the system refuses it; the process must not go on.
    """
    if scratch:
        acl.open_to_low_integrity(scratch)
    job = Job(memory_bytes=memory_bytes, processes=processes)
    job.take_this_process()
    _jobs.append(job)
    token = HANDLE()
    rights = _QUERY | _ADJUST_PRIVILEGES | _ADJUST_DEFAULT
    api.done("OpenProcessToken", api.called("GetCurrentProcess"), rights, ctypes.byref(token))
    try:
        _remove_privileges(token)
        _lower_integrity(token)
    finally:
        api.called("CloseHandle", token)


def missing_protection() -> Iterator[str]:
    """What of this the system at hand does not hold, and what Windows has nothing against; one sentence each."""
    reader = "a file that takes over the program that reads it"
    yield (
        f"Windows keeps {reader} from changing files and other programs, but not from the network, nor from what this "
        "user may read; index on Linux, or forbid python.exe and briefbank.exe the network in Windows' firewall."
    )
    if api.is_wine():
        yield (
            f"This is Wine, which holds readers neither to memory nor to rights: {reader} has all rights of this user; "
            "index on Linux or Windows."
        )


def privileges() -> int:
    """How many privileges this process has."""
    token = HANDLE()
    api.done("OpenProcessToken", api.called("GetCurrentProcess"), _QUERY, ctypes.byref(token))
    try:
        return len(_held(token))
    finally:
        api.called("CloseHandle", token)


def _held(token: HANDLE) -> list[tuple[int, int]]:
    """The numbers of the privileges that a token has, each in two halves."""
    answer, size = ctypes.create_string_buffer(_MOST_BYTES), DWORD()
    api.done("GetTokenInformation", token, _PRIVILEGES, answer, _MOST_BYTES, ctypes.byref(size))
    (count,) = struct.unpack_from("<I", answer)
    entries = (_PRIVILEGE.unpack_from(answer, 4 + number * _PRIVILEGE.size) for number in range(count))
    return [(low, high) for low, high, _ in entries]


def _remove_privileges(token: HANDLE) -> None:
    held = _held(token)
    removed = struct.pack("<I", len(held)) + b"".join(_PRIVILEGE.pack(low, high, _IS_REMOVED) for low, high in held)
    api.done("AdjustTokenPrivileges", token, False, removed, 0, None, None)  # noqa: FBT003 - Windows' own order


def _lower_integrity(token: HANDLE) -> None:
    """Mark this process as of low integrity, which cannot be taken back."""

    class Label(ctypes.Structure):
        _fields_ = (("sid", ctypes.c_void_p), ("attributes", DWORD))

    sid = ctypes.c_void_p()
    api.done("ConvertStringSidToSidW", _LOW, ctypes.byref(sid))
    try:
        label = Label(sid, _IS_INTEGRITY)
        size = ctypes.sizeof(label) + api.called("GetLengthSid", sid)
        api.done("SetTokenInformation", token, _INTEGRITY, ctypes.byref(label), size)
    finally:
        api.called("LocalFree", sid)
