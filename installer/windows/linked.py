"""Whether every library that the folder's programs link to is in it, or is one that every Windows 10 brings.

Wine brings libraries that a bare Windows lacks (the C++ runtime), so that trying the folder there cannot show this.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

OBJDUMP = "x86_64-w64-mingw32-objdump"
_BINARY = (".dll", ".exe", ".pyd")
_OF_WINDOWS = frozenset(
    """advapi32 authz bcrypt bcryptprimitives cfgmgr32 combase comctl32 comdlg32 crypt32 cryptbase d2d1 d3d11
    d3d12 d3d9 dbghelp dcomp dnsapi dwmapi dwrite dxcore dxgi gdi32 icuuc imm32 iphlpapi kernel32 kernelbase
    mpr msvcrt mswsock ncrypt netapi32 normaliz ntdll ole32 oleaut32 opengl32 pdh powrprof propsys psapi rpcrt4
    secur32 setupapi shcore shell32 shlwapi ucrtbase uiautomationcore user32 userenv usp10 uxtheme version
    webservices winhttp winmm winspool ws2_32 wsock32 wtsapi32""".split()
)
"""Libraries of Windows 10 1809 and later that something in the folder links to, or may."""


def missing(folder: Path) -> list[str]:
    """What a program of the folder links to and will not find, as lines for a person to read."""
    binaries = [path for path in folder.rglob("*") if path.suffix.lower() in _BINARY]
    shared = {path.name.lower() for path in binaries if path.parent.name == "python" or path.parent == folder}
    lines = []
    for path in sorted(binaries):
        there = shared | {other.name.lower() for other in binaries if _is_reached(other, path)}
        lost = [name for name in _linked(path) if name not in there and not _is_of_windows(name)]
        lines += [f"{path.relative_to(folder).as_posix()} links to {name}, which is not there" for name in lost]
    return lines


def _is_reached(library: Path, program: Path) -> bool:
    """In the same folder, or in the one that the wheel's package adds (`NAME.libs`, PySide6's and Shiboken's)."""
    inner = "packages"
    first = library.parts[library.parts.index(inner) + 1] if inner in library.parts else ""
    own = program.parts[program.parts.index(inner) + 1] if inner in program.parts else ""
    added = {own, f"{own}.libs", *({"PySide6", "shiboken6"} if own in ("PySide6", "shiboken6") else ())}
    return library.parent == program.parent or (bool(first) and first in added)


def _linked(path: Path) -> Iterator[str]:
    listed = subprocess.run(
        [OBJDUMP, "-p", str(path)], capture_output=True, encoding="utf-8", errors="replace", check=True
    )
    yield from (name.lower() for name in re.findall(r"^\s*DLL Name: (\S+)", listed.stdout, re.MULTILINE))


def _is_of_windows(name: str) -> bool:
    return name.startswith(("api-ms-win-", "ext-ms-")) or name.rpartition(".")[0] in _OF_WINDOWS
