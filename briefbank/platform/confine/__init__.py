"""What a process that parses untrusted files may still do: write in its scratch folder or nowhere, reach nobody.

Limits are inherited by whatever the process starts and cannot be taken back. They are each system's own: on Linux
Landlock, seccomp and resource limits, on Windows a job and low integrity (`windows.py`). `missing_protection` says in
words what the one at hand does not hold. Knows nothing of what the files are.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from briefbank.platform.confine.quota import MOST_BYTES_OF_A_FILE
from briefbank.platform.confine.seccomp import Calls

__all__ = ["confine", "missing_protection", "only_read", "remove_dead_sockets"]

_SOCKETS = Path("/tmp")  # noqa: S108
"""Where LibreOffice makes a socket first of all, whatever it is told of other places; it may not remove it."""

_SOCKET_NAME = f"OSL_PIPE_{os.getuid() if hasattr(os, 'getuid') else ''}_*"

_READER = "a file that takes over the program that reads it"


def confine(scratch: Path, memory_bytes: int, *, converts: bool = False) -> tuple[str, ...]:
    """Limit this process and its children: memory, files (none may be changed), system calls.

    `scratch` becomes the folder it works in. The memory limit comes on top of what the interpreter and its libraries
    have mapped. One that `converts` may run LibreOffice: it writes below `scratch`, and listens on a Unix socket;
    how much it writes is for its parent to watch (`is_too_much`). To be called while the process has one thread.
    Returns what this machine cannot hold it to, as `missing_protection` does.

    Raises:
        OSError: the kernel has the means and refuses them; the process must not go on.
        RuntimeError: it has a second thread, which would keep its rights.
    """
    os.chdir(scratch)
    tempfile.tempdir = str(scratch)
    os.environ.update(TMPDIR=str(scratch), TEMP=str(scratch), TMP=str(scratch))
    missing = missing_protection()  # asked before it may not be asked any more
    if sys.platform == "win32":
        import psutil

        from briefbank.platform.confine import windows

        committed = int(psutil.Process().memory_info().private)
        windows.confine(committed + memory_bytes, scratch if converts else None)
    if sys.platform == "linux":
        from resource import RLIMIT_AS, RLIMIT_FSIZE, getpagesize

        mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * getpagesize()
        _lower(RLIMIT_AS, mapped + memory_bytes)
        _lower(RLIMIT_FSIZE, MOST_BYTES_OF_A_FILE if converts else 0)
        from briefbank.platform.confine.landlock import EVERY_CHANGE, MAKE_SOCKET

        places = {scratch: EVERY_CHANGE, _SOCKETS: MAKE_SOCKET} if converts else {}
        _give_up_rights(places, Calls.CONVERT if converts else Calls.READ)
    return missing


def only_read() -> tuple[str, ...]:
    """Let this process and its children change no file and reach nobody. To be called while it has one thread.

    Returns and raises as `confine` does.
    """
    missing = missing_protection()
    if sys.platform == "win32":
        from briefbank.platform.confine import windows

        windows.confine(None, None, processes=1)
    if sys.platform == "linux":
        _give_up_rights({}, Calls.SHOW)
    return missing


def _give_up_rights(places: Mapping[Path, int], calls: Calls) -> None:
    """Give up every change of files but those below these places, and every system call but these."""
    from resource import RLIMIT_CORE

    from briefbank.platform.confine import landlock, seccomp

    if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208 - names are all that is needed
        raise RuntimeError("a process is confined while it has one thread")
    _lower(RLIMIT_CORE, 0)
    if landlock.version():
        landlock.change_only_below(places)
    if seccomp.is_there():
        seccomp.allow_only(calls)


def remove_dead_sockets() -> None:
    """Remove what LibreOffice had to leave behind: its sockets that nobody listens to. Not for confined processes."""
    try:
        heard = set(Path("/proc/net/unix").read_text(encoding="utf-8", errors="replace").split())
    except OSError:
        return
    for socket in _SOCKETS.glob(_SOCKET_NAME):
        if str(socket) not in heard and socket.is_socket():
            socket.unlink(missing_ok=True)


def _lower(limit: int, to: int) -> None:
    """Lower a limit for good: the hard one too, up to which a process may raise its own."""
    import resource

    _, hard = resource.getrlimit(limit)
    lowered = to if hard == resource.RLIM_INFINITY else min(to, hard)
    resource.setrlimit(limit, (lowered, lowered))


def missing_protection() -> tuple[str, ...]:
    """One sentence for each protection that this machine lacks: what it is, what that means, and what to do.

    To be asked by a process that is not confined: one that is may not ask any more.
    """
    if sys.platform == "win32":
        from briefbank.platform.confine import windows

        return tuple(windows.missing_protection())
    return tuple(_missing_on_linux() if sys.platform == "linux" else _missing_elsewhere())


def _missing_elsewhere() -> Iterator[str]:
    yield (
        "This system has neither Landlock nor seccomp, which are Linux's own: "
        f"{_READER} has all rights of this user; index on Linux, and carry packs to this machine."
    )


def _missing_on_linux() -> Iterator[str]:
    from briefbank.platform.confine import landlock, seccomp

    if not seccomp.is_there():
        yield (
            "The kernel filters no system calls (seccomp), or this processor's calls are not known here: "
            f"{_READER} can reach the network and other programs; use a kernel with CONFIG_SECCOMP_FILTER on x86_64 "
            "or aarch64."
        )
    version = landlock.version()
    if version == 0:
        yield (
            "The kernel has no Landlock, or has it switched off: "
            f"{_READER} can change and remove this user's files and stop other programs; use Linux 6.12 or newer, with "
            "landlock among the modules of its lsm= option."
        )
    elif version < landlock.SCOPES:
        emptied = "empty this user's files and " if version < landlock.TRUNCATES else ""
        yield (
            f"The kernel is older than Linux 6.12: {_READER} can {emptied}stop other programs of this user; use Linux "
            "6.12 or newer."
        )
