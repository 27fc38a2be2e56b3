"""Runs a command as on a kernel without Landlock or without seccomp: a script, by a filter around the command.

`older_kernel.py landlock,seccomp COMMAND …`
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

_LANDLOCK_CREATE_RULESET = 444
_PRCTL = {"x86_64": 157, "aarch64": 167}[os.uname().machine]
_PR_GET_SECCOMP, _PR_SET_SECCOMP = 21, 22
_LOAD, _EQUAL, _RETURN, _ALLOW, _ERRNO = 0x20, 0x15, 0x06, 0x7FFF0000, 0x00050000
_WITHOUT_LANDLOCK = (
    (_LOAD, 0, 0, 0),
    (_EQUAL, 0, 1, _LANDLOCK_CREATE_RULESET),
    (_RETURN, 0, 0, _ERRNO | errno.ENOSYS),
    (_RETURN, 0, 0, _ALLOW),
)
_WITHOUT_SECCOMP = (
    (_LOAD, 0, 0, 0),
    (_EQUAL, 0, 4, _PRCTL),
    (_LOAD, 0, 0, 16),
    (_EQUAL, 1, 0, _PR_GET_SECCOMP),
    (_EQUAL, 0, 1, _PR_SET_SECCOMP),
    (_RETURN, 0, 0, _ERRNO | errno.EINVAL),
    (_RETURN, 0, 0, _ALLOW),
)


def take_away(program: tuple[tuple[int, int, int, int], ...]) -> None:
    """Filter the calls of this process."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in program))
    described = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(code)))
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    assert libc.prctl(_PR_SET_SECCOMP, 2, described, 0, 0) == 0


if __name__ == "__main__":
    if "landlock" in sys.argv[1]:
        take_away(_WITHOUT_LANDLOCK)
    if "seccomp" in sys.argv[1]:
        take_away(_WITHOUT_SECCOMP)  # last: it takes away what takes away
    os.execvp(sys.argv[2], sys.argv[2:])
