"""Who may read and write files on Windows: access lists, and the marks of integrity beside them.

Knows nothing of what the files hold.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes.wintypes import DWORD, HANDLE
from functools import cache
from pathlib import Path

from briefbank.platform.windows import api

_A_FILE = 1
_DACL, _LABEL, _PROTECTED = 0x4, 0x10, 0x80000000
_REVISION = 1
_QUERY_TOKEN, _TOKEN_USER = 0x8, 1
_TOKEN_BYTES = 256
_INVALID_FUNCTION, _NOT_SUPPORTED = 1, 50
_NO_LISTS = (_INVALID_FUNCTION, _NOT_SUPPORTED)
"""FAT keeps no access lists."""
_KEEPS_LISTS, _ON_ANOTHER_MACHINE = 0x8, 4
_PATH_CHARACTERS = 32_768


def make_private(path: Path) -> None:
    """Take a file or folder, and what will be made in it, from everyone but this user, the system and administrators;
    what is in a folder already keeps its own list.

    Does nothing where the disk or share keeps no access lists of the user's, or the file has this one already.

    Raises:
        OSError: the system refuses it, as it does for what somebody else owns.
    """
    inherited = "OICI" if path.is_dir() else ""
    people = (user(), "SY", "BA")
    wanted = "D:P" + "".join(f"(A;{inherited};FA;;;{each})" for each in people)
    try:
        _apply(path, wanted, _DACL | _PROTECTED)
    except PermissionError:
        if _keeps_lists(path) and access_list(path) != wanted:
            raise


def open_to_low_integrity(folder: Path) -> None:
    """Let processes of low integrity write in a folder, which Windows keeps them from elsewhere. Raises OSError."""
    with suppress(PermissionError):  # Wine's answer, and that of shares: what writes there then says that it cannot
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


def _keeps_lists(path: Path) -> bool:
    """Whether a path is on a disk of this machine that keeps access lists: FAT keeps none, and a share leaves them to
    whoever looks after it: its own rights hold there.
    """
    root, flags = ctypes.create_unicode_buffer(_PATH_CHARACTERS), DWORD()
    api.done("GetVolumePathNameW", str(path), root, _PATH_CHARACTERS, path=str(path))
    if api.called("GetDriveTypeW", root) == _ON_ANOTHER_MACHINE:
        return False
    told = api.called("GetVolumeInformationW", root, None, 0, None, None, ctypes.byref(flags), None, 0)
    return not told or bool(flags.value & _KEEPS_LISTS)


@contextmanager
def _descriptor(described: str) -> Iterator[ctypes.c_void_p]:
    made = ctypes.c_void_p()
    function = "ConvertStringSecurityDescriptorToSecurityDescriptorW"
    api.done(function, described, _REVISION, ctypes.byref(made), None)
    try:
        yield made
    finally:
        api.called("LocalFree", made)
