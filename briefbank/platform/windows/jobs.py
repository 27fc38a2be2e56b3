"""Jobs: processes that Windows holds to limits together and ends together, with all that they start.

Knows nothing of what the processes do.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from ctypes.wintypes import DWORD, LARGE_INTEGER

from briefbank.platform.windows import api

_PROCESS_LIMIT, _MEMORY_LIMIT, _DIE_QUIETLY, _KILL_ON_CLOSE = 0x8, 0x100, 0x400, 0x2000
_EXTENDED_LIMITS, _DESKTOP_LIMITS = 9, 4
_NO_DESKTOP = 0xFF
"""No windows of other programs, clipboard, settings, display, desktops, global atoms, and no shutting down."""
_TERMINATE, _SET_QUOTA = 0x1, 0x100
_KILLED = 1


class _Basic(ctypes.Structure):
    _fields_ = (
        ("process_time", LARGE_INTEGER),
        ("job_time", LARGE_INTEGER),
        ("flags", DWORD),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("processes", DWORD),
        ("affinity", ctypes.c_size_t),
        ("priority", DWORD),
        ("scheduling", DWORD),
    )


class _Extended(ctypes.Structure):
    _fields_ = (
        ("basic", _Basic),
        ("transfers", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("most_process_memory", ctypes.c_size_t),
        ("most_job_memory", ctypes.c_size_t),
    )


class Job:
    """A job; what is in it ends when it is closed, and so with the process that holds it, however that one ends."""

    def __init__(self, *, memory_bytes: int | None = None, processes: int | None = None) -> None:
        """Make an empty one. `memory_bytes` is what each of its processes may commit, `processes` how many there may be
        at a time; one with either also has no use of the desktop.

        Raises:
            OSError: the system refuses it.
        """
        self._handle: int | None = api.done("CreateJobObjectW", None, None)
        limits = _Extended()
        limits.basic.flags = _KILL_ON_CLOSE | _DIE_QUIETLY
        if memory_bytes is not None:
            limits.basic.flags |= _MEMORY_LIMIT
            limits.process_memory = memory_bytes
        if processes is not None:
            limits.basic.flags |= _PROCESS_LIMIT
            limits.basic.processes = processes
        self._set(_EXTENDED_LIMITS, limits)
        if memory_bytes is not None or processes is not None:
            self._set(_DESKTOP_LIMITS, DWORD(_NO_DESKTOP))

    def take(self, process: int) -> None:
        """Put the process with this id in, and so whatever it starts from now on.

        Raises:
            OSError: it has ended, or the system refuses it.
        """
        handle = api.done("OpenProcess", _TERMINATE | _SET_QUOTA, False, process)  # noqa: FBT003 - Windows' own order
        try:
            api.done("AssignProcessToJobObject", self._handle, handle)
        finally:
            api.called("CloseHandle", handle)

    def take_this_process(self) -> None:
        """Put this process in, for good. Raises OSError as `take` does."""
        api.done("AssignProcessToJobObject", self._handle, api.called("GetCurrentProcess"))

    def end_all(self) -> None:
        """Kill every process that is in it. Returns at once."""
        if self._handle is not None:
            with suppress(OSError):
                api.done("TerminateJobObject", self._handle, _KILLED)

    def close(self) -> None:
        """Give it up, which ends what is left in it."""
        handle, self._handle = self._handle, None
        if handle is not None:
            api.called("CloseHandle", handle)

    def _set(self, kind: int, value: ctypes.Structure | DWORD) -> None:
        api.done("SetInformationJobObject", self._handle, kind, ctypes.byref(value), ctypes.sizeof(value))
