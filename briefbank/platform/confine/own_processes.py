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

_NEW_USER, _NEW_PID = 0x10000000, 0x20000000
_CAPABILITIES = 0x20080522
"""The version of `capset` with two sets of 32 bits."""


def go_on_as_first() -> None:
    """Go on in a child that is the first of a PID namespace, where one can be had; else do nothing.

    This process waits for it outside, and ends as it ends. To be called while there is one thread.
    """
    if sys.platform != "linux" or not _enter():
        return
    inner = os.fork()
    if not inner:
        return
    _, status = os.waitpid(inner, 0)
    if os.WIFSIGNALED(status):
        signal.signal(os.WTERMSIG(status), signal.SIG_DFL) if os.WTERMSIG(status) != signal.SIGKILL else None
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


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
