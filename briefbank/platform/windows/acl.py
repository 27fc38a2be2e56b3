"""Who may read and write files on Windows: access lists, and the marks of integrity beside them.

Knows nothing of what the files hold.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes.wintypes import DWORD, HANDLE
from functools import cache
from pathlib import Path

from briefbank.platform.windows import api

_A_FILE = 1
_DACL, _LABEL, _PROTECTED = 0x4, 0x10, 0x80000000
_REVISION = 1
_QUERY_TOKEN, _TOKEN_USER = 0x8, 1
_TOKEN_BYTES = 256
_ACCESS_DENIED, _INVALID_FUNCTION, _NOT_SUPPORTED = 5, 1, 50
_NO_LISTS = (_ACCESS_DENIED, _INVALID_FUNCTION, _NOT_SUPPORTED)
"""FAT keeps no access lists, and a share leaves them to whoever looks after it: its own rights hold there."""


def make_private(path: Path) -> None:
    """Take a file or folder, and what will be made in it, from everyone but this user, the system and administrators;
    what is in a folder already keeps its own list.

    Does nothing where the disk or share keeps no access lists of the user's.

    Raises:
        OSError: the system refuses it.
    """
    inherited = "OICI" if path.is_dir() else ""
    people = (user(), "SY", "BA")
    _apply(path, "D:P" + "".join(f"(A;{inherited};FA;;;{each})" for each in people), _DACL | _PROTECTED)


def open_to_low_integrity(folder: Path) -> None:
    """Let processes of low integrity write in a folder, which Windows keeps them from elsewhere. Raises OSError."""
    _apply(folder, "S:(ML;OICI;NW;;;LW)", _LABEL)


def access_list(path: Path) -> str:
    """The access list of a file or folder as Windows writes it down (SDDL): "D:P(A;;FA;;;SY)…".

    Raises:
        OSError: it cannot be read.
    """
    descriptor = ctypes.c_void_p()
    number = api.called(
        "GetNamedSecurityInfoW", str(path), _A_FILE, _DACL, None, None, None, None, ctypes.byref(descriptor)
    )
    if number:
        raise api.fault(number, str(path))
    told = ctypes.c_wchar_p()
    try:
        function = "ConvertSecurityDescriptorToStringSecurityDescriptorW"
        api.done(function, descriptor, _REVISION, _DACL, ctypes.byref(told), None)
        return told.value or ""
    finally:
        api.called("LocalFree", told)
        api.called("LocalFree", descriptor)


@cache
def user() -> str:
    """The identifier (SID) of the user that this process runs under. Raises OSError."""
    token = HANDLE()
    api.done("OpenProcessToken", api.called("GetCurrentProcess"), _QUERY_TOKEN, ctypes.byref(token))
    told = ctypes.c_wchar_p()
    try:
        answer, size = ctypes.create_string_buffer(_TOKEN_BYTES), DWORD()
        api.done("GetTokenInformation", token, _TOKEN_USER, answer, _TOKEN_BYTES, ctypes.byref(size))
        sid = ctypes.c_void_p.from_buffer(answer)  # what the answer begins with
        api.done("ConvertSidToStringSidW", sid, ctypes.byref(told))
        return told.value or ""
    finally:
        api.called("LocalFree", told)
        api.called("CloseHandle", token)


def _apply(path: Path, described: str, what: int) -> None:
    with _descriptor(described) as descriptor:
        try:
            api.done("SetFileSecurityW", str(path), what, descriptor, path=str(path))
        except OSError as error:
            if getattr(error, "winerror", None) not in _NO_LISTS:
                raise


@contextmanager
def _descriptor(described: str) -> Iterator[ctypes.c_void_p]:
    made = ctypes.c_void_p()
    function = "ConvertStringSecurityDescriptorToSecurityDescriptorW"
    api.done(function, described, _REVISION, ctypes.byref(made), None)
    try:
        yield made
    finally:
        api.called("LocalFree", made)
