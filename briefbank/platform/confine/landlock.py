"""Files that a process may change, held by the kernel (Landlock); with them TCP, signals and abstract sockets.

Each right is asked for only where the kernel knows it: `version` says what this one knows.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every machine
_ASK_VERSION = 1
_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38

_WRITE_FILE, _REFER, _TRUNCATE = 1 << 1, 1 << 13, 1 << 14
MAKE_SOCKET = 1 << 9
_CHANGE_FOLDERS = sum(1 << bit for bit in range(4, 13))
"""Removing and making files, folders, links, pipes, sockets and devices."""
EVERY_CHANGE = _WRITE_FILE | _CHANGE_FOLDERS | _REFER | _TRUNCATE

_TCP = 0b11  # binding and connecting
_SCOPES = 0b11  # abstract Unix sockets and signals: only among the processes under the same limits

REFERS, TRUNCATES, TCP, SCOPES = 2, 3, 4, 6
"""Versions from which the kernel holds moves between folders, truncation, TCP, and signals."""


@cache
def version() -> int:
    """Which Landlock this kernel has; 0 where it has none or has it switched off."""
    return max(0, int(ctypes.CDLL(None, use_errno=True).syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)))


def change_only_below(places: Mapping[Path, int]) -> None:
    """Have the kernel refuse this process, for good, and all that it starts: every change of files and folders but
    these below these places, writing to anything but them and /dev/null, TCP, and signals to other processes.

    Raises:
        OSError: the kernel has no Landlock, or takes no rules.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    attributes = _attributes(version())
    (handled,) = struct.unpack_from("=Q", attributes)
    rules = _checked(libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0))
    try:
        for path, allowed in {**places, Path(os.devnull): _WRITE_FILE}.items():
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                rule = struct.pack("=Qi", allowed & handled, place)
                _checked(libc.syscall(_ADD_RULE, rules, _PATH_BENEATH, rule, 0))
            finally:
                os.close(place)
        libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        _checked(libc.syscall(_RESTRICT_SELF, rules, 0))
    finally:
        os.close(rules)


def _attributes(known: int) -> bytes:
    """`struct landlock_ruleset_attr`, as long as this version knows it."""
    changes = EVERY_CHANGE & ~(_REFER if known < REFERS else 0) & ~(_TRUNCATE if known < TRUNCATES else 0)
    fields = (changes, *((_TCP,) if known >= TCP else ()), *((_SCOPES,) if known >= SCOPES else ()))
    return struct.pack(f"={len(fields)}Q", *fields)


def _checked(answer: int) -> int:
    if answer < 0:
        raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
    return answer
