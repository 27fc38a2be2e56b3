"""A process that all it starts ends with: the first of a PID namespace, whose others the kernel kills with it.

Where the kernel makes none (not Linux, or user namespaces are closed to this user) its process group has to do: the
parent kills that as one, and a confined process cannot leave it. What does not hold then is told in the threat model: a
parent that is killed outright leaves it behind. Knows nothing of what the processes do.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
from contextlib import suppress
from pathlib import Path

from briefbank.platform.processes.this_process import adopt_orphans, die_with_parent

_NEW_USER, _NEW_PID = 0x10000000, 0x20000000
_KILLED = 128
"""An exit status above it tells of a signal, as a shell's does."""
_CAPABILITIES = 0x20080522
"""The version of `capset` with two sets of 32 bits."""


def go_on_below_a_reaper() -> None:
    """Go on in a child of a process that reaps all that the child leaves behind: the first of a PID namespace where one
    can be had, else this one. What waits outside ends as the child ends. To be called while there is one thread.

    Unreaped, what forks for ever takes every process number of the machine within its time limit.
    """
    if sys.platform != "linux":
        return
    if _enter():
        _go_on_in_child()
    else:
        adopt_orphans()
    _go_on_in_child()


def _go_on_in_child() -> None:
    """Fork: the child returns; this process reaps until that child has ended, and ends as it did."""
    child = os.fork()
    if not child:
        die_with_parent()
        return
    ended = status = 0
    while ended != child:
        ended, status = os.wait()
    code = os.waitstatus_to_exitcode(status)
    killed_by = -code if code < 0 else code - _KILLED if code > _KILLED else 0
    if killed_by:
        signal.signal(killed_by, signal.SIG_DFL) if killed_by != signal.SIGKILL else None
        os.kill(os.getpid(), killed_by)
        code = _KILLED + killed_by  # the first of a namespace cannot kill itself: its parent does so for it
    os._exit(code)


def _enter() -> bool:
    """Have the next child be the first of a namespace. Only root may do that without a user namespace, in which it
    would lose its rights over files of others.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEW_PID) == 0:
        return True
    user, group = os.geteuid(), os.getegid()
    if user == 0 or libc.unshare(_NEW_USER | _NEW_PID) != 0:
        return False
    with suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    # Of the rights within the new namespace none is needed.
    libc.capset(struct.pack("=Ii", _CAPABILITIES, 0), bytes(24))
    return True
