"""What every process of this program sees to before it works: what it makes is private, and how it ends.

Knows nothing of what the process is for.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock

_OWNER_ONLY = 0o077
STARTED: set[int] = set()
"""Process ids of the children that this process started and that have not been told to end."""

_ROUNDS = 100
"""How often orphans are looked for that came to light when others were killed."""

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_KEPT_BYTES = {_M_TRIM_THRESHOLD: 256 << 20, _M_MMAP_THRESHOLD: 32 << 20}
"""The second is the most that glibc takes. For the first 32 MB are enough in bf16, not in fp32."""


def keep_private() -> None:
    """Make files for their owner alone, also in libraries that do not ask, and leave no core dump, which would hold
    what was asked and read.
    """
    os.umask(_OWNER_ONLY)
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def keep_freed_memory() -> None:
    """Have the C library keep some freed memory for what is asked next, and not give it back to the system each time.

    For work that takes and frees megabytes thousands of times a second: the kernel clears each page that it gives anew,
    which was a sixteenth of the time of encoding 96,000 and 82,000 tokens. glibc only; other libraries do as they do.
    """
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError):  # a C library without it
        for parameter, most in _KEPT_BYTES.items():
            ctypes.CDLL(None).mallopt(parameter, most)


def die_with_parent() -> None:
    """Have the kernel kill this process when the thread that started it ends, however it ends. Linux only: on Windows
    the parent's job does it (`Child`).

    To be called in the child, first thing. Not inherited: each generation of children asks for itself.
    """
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


_adopters = 0
_adopting = Lock()


def adopt_orphans() -> None:
    """Have the kernel make this process the parent of what its children started and left behind, until `leave_orphans`
    was called as often. Linux only.
    """
    _adopt(1)


def leave_orphans() -> None:
    """Leave them to the system again, which reaps them: who adopts for ever collects the dead of others."""
    _adopt(-1)


def _adopt(more: int) -> None:
    global _adopters  # noqa: PLW0603 - what the kernel keeps is one for the process, too
    if sys.platform == "linux":
        with _adopting:
            _adopters += more
            ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, int(_adopters > 0), 0, 0, 0)


def end_orphans() -> None:
    """Kill the confined processes that workers left behind: children of this process that it did not start."""
    if sys.platform != "linux":
        return
    import psutil

    ours = _filters(os.getpid())
    for _ in range(_ROUNDS):
        children = psutil.Process().children()
        orphans = [each for each in children if each.pid not in STARTED and _filters(each.pid) > ours]
        for orphan in orphans:
            with suppress(psutil.Error, ChildProcessError):
                orphan.kill()
                os.waitpid(orphan.pid, 0)
        if not orphans:
            return


def _filters(process: int) -> int:
    """How many filters of system calls hold a process; 0 where it is gone, or the kernel (before 5.9) does not say."""
    with suppress(OSError):
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8", errors="replace")
        return int(status.partition("\nSeccomp_filters:")[2].split("\n", 1)[0] or 0)
    return 0
