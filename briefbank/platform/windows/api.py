"""Functions of Windows that Python does not offer, each with its declared arguments; loaded when first called.

Knows nothing of what they are called for.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from ctypes import c_int, c_void_p
from ctypes.wintypes import BOOL, DWORD, HANDLE, LPCWSTR, UINT
from functools import cache
from typing import Any

_INVALID_HANDLE = c_void_p(-1).value

_KERNEL, _SECURITY = "kernel32", "advapi32"
_FUNCTIONS: dict[str, tuple[str, Any, tuple[Any, ...]]] = {
    "AdjustTokenPrivileges": (_SECURITY, BOOL, (HANDLE, BOOL, c_void_p, DWORD, c_void_p, c_void_p)),
    "AssignProcessToJobObject": (_KERNEL, BOOL, (HANDLE, HANDLE)),
    "CloseHandle": (_KERNEL, BOOL, (HANDLE,)),
    "ConvertSecurityDescriptorToStringSecurityDescriptorW": (
        _SECURITY,
        BOOL,
        (c_void_p, DWORD, DWORD, c_void_p, c_void_p),
    ),
    "ConvertSidToStringSidW": (_SECURITY, BOOL, (c_void_p, c_void_p)),
    "ConvertStringSecurityDescriptorToSecurityDescriptorW": (_SECURITY, BOOL, (LPCWSTR, DWORD, c_void_p, c_void_p)),
    "ConvertStringSidToSidW": (_SECURITY, BOOL, (LPCWSTR, c_void_p)),
    "CreateFileW": (_KERNEL, HANDLE, (LPCWSTR, DWORD, DWORD, c_void_p, DWORD, DWORD, HANDLE)),
    "CreateJobObjectW": (_KERNEL, HANDLE, (c_void_p, LPCWSTR)),
    "FlushFileBuffers": (_KERNEL, BOOL, (HANDLE,)),
    "GetCurrentProcess": (_KERNEL, HANDLE, ()),
    "GetDriveTypeW": (_KERNEL, UINT, (LPCWSTR,)),
    "GetLengthSid": (_SECURITY, DWORD, (c_void_p,)),
    "GetNamedSecurityInfoW": (
        _SECURITY,
        DWORD,
        (LPCWSTR, c_int, DWORD, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
    ),
    "GetTokenInformation": (_SECURITY, BOOL, (HANDLE, c_int, c_void_p, DWORD, c_void_p)),
    "GetVolumeInformationW": (
        _KERNEL,
        BOOL,
        (LPCWSTR, c_void_p, DWORD, c_void_p, c_void_p, c_void_p, c_void_p, DWORD),
    ),
    "GetVolumePathNameW": (_KERNEL, BOOL, (LPCWSTR, c_void_p, DWORD)),
    "LocalFree": (_KERNEL, c_void_p, (c_void_p,)),
    "MoveFileExW": (_KERNEL, BOOL, (LPCWSTR, LPCWSTR, DWORD)),
    "OpenProcess": (_KERNEL, HANDLE, (DWORD, BOOL, DWORD)),
    "OpenProcessToken": (_SECURITY, BOOL, (HANDLE, DWORD, c_void_p)),
    "SetFileSecurityW": (_SECURITY, BOOL, (LPCWSTR, DWORD, c_void_p)),
    "SetInformationJobObject": (_KERNEL, BOOL, (HANDLE, c_int, c_void_p, DWORD)),
    "SetTokenInformation": (_SECURITY, BOOL, (HANDLE, c_int, c_void_p, DWORD)),
    "TerminateJobObject": (_KERNEL, BOOL, (HANDLE, UINT)),
}


@cache
def _function(name: str) -> Callable[..., Any]:
    if sys.platform == "win32":
        library, answer, arguments = _FUNCTIONS[name]
        found = ctypes.WinDLL(library, use_last_error=True)[name]
        found.restype, found.argtypes = answer, arguments
        return found
    raise OSError(f"{name} is a function of Windows")


def called(name: str, *arguments: object) -> Any:
    """Call a function and return its answer, whatever that is."""
    return _function(name)(*arguments)


def done(name: str, *arguments: object, path: str | None = None) -> Any:
    """Call a function whose answer is nothing, or no handle, where it fails. `path` is named by the error.

    Raises:
        OSError: it failed.
    """
    answer = called(name, *arguments)
    if not answer or answer == _INVALID_HANDLE:
        raise fault(_last_number(), path)
    return answer


def fault(number: int, path: str | None = None) -> OSError:
    """The error with one of Windows' own numbers, as Python's functions would raise it."""
    if sys.platform == "win32":
        return OSError(0, ctypes.FormatError(number).strip(), path, number)
    return OSError(number, "a fault of Windows", path)


def _last_number() -> int:
    if sys.platform == "win32":
        return ctypes.get_last_error()
    return 0


@cache
def is_wine() -> bool:
    """Whether this is Wine: it takes limits of jobs and marks of integrity, and does not hold to them."""
    return sys.platform == "win32" and hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")
