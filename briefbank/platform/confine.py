"""What a process that parses untrusted files may still do: write in its scratch folder or nowhere, reach no network.

Limits are inherited by whatever the process starts and cannot be taken back. They are Linux's own (Landlock, seccomp,
resource limits), each used where the kernel has it; elsewhere the process is only kept apart. Knows nothing of files.
"""

from __future__ import annotations

import ctypes
import logging
import os
import platform
import struct
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

_LOG = logging.getLogger(__name__)

_MAX_WRITTEN_BYTES = 1_000_000_000
"""Size of the largest file that a parser may write; a converted brief has a thousandth of it."""

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_FILTER = 38, 22, 2

_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_LANDLOCK_VERSION = 1
_LANDLOCK_BENEATH = 1
_WRITE_FILE, _MAKE_SOCKET, _REFER, _TRUNCATE = 1 << 1, 1 << 9, 1 << 13, 1 << 14
_CHANGE_FOLDERS = sum(1 << bit for bit in range(4, 13))
"""Removing and making files, folders, links, pipes, sockets and devices."""
_EVERY_CHANGE = _WRITE_FILE | _CHANGE_FOLDERS | _REFER | _TRUNCATE

_SOCKETS = Path("/tmp")  # noqa: S108
"""Where LibreOffice makes a socket first of all, whatever it is told of other places; it may not remove it."""

_SOCKET_NAME = f"OSL_PIPE_{os.getuid() if hasattr(os, 'getuid') else ''}_*"

_SOCKET_CALLS = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""By machine: what seccomp calls it, and the number of `socket`."""

_AF_UNIX = 1
_LOAD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 13  # errno EACCES


def confine(scratch: Path, memory_bytes: int) -> None:
    """Limit this process and its children: memory, size of files, writing (below `scratch` alone), network (none).

    `scratch` becomes the folder it works in and that of its temporary files. The memory limit comes on top of what the
    interpreter and its libraries have mapped. To be called while the process has one thread.
    """
    os.chdir(scratch)
    tempfile.tempdir = str(scratch)
    os.environ["TMPDIR"] = str(scratch)
    if sys.platform != "linux":
        return
    import resource

    mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    _lower(resource.RLIMIT_AS, mapped + memory_bytes)
    _lower(resource.RLIMIT_FSIZE, _MAX_WRITTEN_BYTES)
    _lower(resource.RLIMIT_CORE, 0)
    _give_up_rights({scratch: _EVERY_CHANGE, _SOCKETS: _MAKE_SOCKET})


def only_read() -> None:
    """Let this process and its children change no file and reach no network. To be called while it has one thread."""
    if sys.platform == "linux":
        _give_up_rights({})


def _give_up_rights(changes: Mapping[Path, int]) -> None:
    """Give up every change of files but those below these places, and networks."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if not _change_only_below(libc, changes):
        _LOG.info("this kernel has no Landlock: readers are not kept from writing elsewhere")
    if not _refuse_networks(libc):
        _LOG.info("this kernel has no seccomp: readers are not kept from opening sockets")


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
    import resource

    _, hard = resource.getrlimit(limit)
    resource.setrlimit(limit, (to if hard == resource.RLIM_INFINITY else min(to, hard), hard))


def _change_only_below(libc: ctypes.CDLL, changes: Mapping[Path, int]) -> bool:
    """Have the kernel refuse every change of files and folders but these below these places, and to /dev/null."""
    version = libc.syscall(_LANDLOCK_CREATE, None, 0, _LANDLOCK_VERSION)
    if version < 1:
        return False
    handled = _EVERY_CHANGE & ~(_REFER if version < 2 else 0) & ~(_TRUNCATE if version < 3 else 0)
    attributes = struct.pack("=Q", handled)
    rules = libc.syscall(_LANDLOCK_CREATE, attributes, len(attributes), 0)
    if rules < 0:
        return False
    try:
        for path, allowed in {**changes, Path(os.devnull): _WRITE_FILE}.items():
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                libc.syscall(_LANDLOCK_ADD, rules, _LANDLOCK_BENEATH, struct.pack("=Qi", allowed & handled, place), 0)
            finally:
                os.close(place)
        return bool(libc.syscall(_LANDLOCK_RESTRICT, rules, 0) == 0)
    finally:
        os.close(rules)


def _refuse_networks(libc: ctypes.CDLL) -> bool:
    """Have the kernel refuse every socket but those between programs of this machine (Unix sockets)."""
    known = _SOCKET_CALLS.get(platform.machine())
    if known is None:
        return False
    machine, call = known
    steps = [
        (_LOAD, 0, 0, 4),  # the machine that the call is for
        (_JUMP_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, _REFUSE),  # another one's numbers: no program of ours
        (_LOAD, 0, 0, 0),  # the number of the call
        (_JUMP_EQUAL, 0, 3, call),
        (_LOAD, 0, 0, 16),  # its first argument, the family of addresses
        (_JUMP_EQUAL, 1, 0, _AF_UNIX),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(code)))
    return bool(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_FILTER, program, 0, 0) == 0)
