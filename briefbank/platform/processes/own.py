"""What every process of this program sees to before it works: what it makes is private, and how it ends.

Knows nothing of what the process is for.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_OWNER_ONLY = 0o077
_PR_SET_PDEATHSIG = 1


def keep_private() -> None:
    """Make files for their owner alone, also in libraries that do not ask, and leave no core dump, which would hold
    what was asked and read.
    """
    os.umask(_OWNER_ONLY)
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def die_with_parent() -> None:
    """Have the kernel kill this process when the thread that started it ends, however it ends. Linux only; nothing
    elsewhere.

    To be called in the child, first thing. Not inherited: each generation of children asks for itself.
    """
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
