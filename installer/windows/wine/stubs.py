"""Builds what Wine lacks of Windows into a Wine prefix: `stubs.py WINE_LIBRARIES SYSTEM32`. Never shipped.

Wine's C runtime moves to another name, and one takes its place that passes every call on to it but for the complex
functions; so what is tried under Wine is, byte for byte, what is shipped.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
_COMPILER = "x86_64-w64-mingw32-gcc"
_OBJDUMP = "x86_64-w64-mingw32-objdump"
_MOVED = "wineucrt"
_BUILTIN = b"Wine builtin DLL"
"""What tells Wine that a file stands for a library of its own, whose name it must then have."""


def main() -> int:
    """Build both libraries into the second folder named."""
    libraries, system = map(Path, sys.argv[1:3])
    runtime = libraries / "ucrtbase.dll"
    (system / f"{_MOVED}.dll").write_bytes(runtime.read_bytes().replace(_BUILTIN, bytes(len(_BUILTIN)), 1))
    definitions = system / "ucrtbase.def"
    definitions.write_text("LIBRARY ucrtbase\nEXPORTS\n" + "\n".join(_exports(runtime)), encoding="utf-8")
    _link(system / "ucrtbase.dll", HERE / "complex.c", definitions)
    _link(system / "icuuc.dll", HERE / "icuuc.c")
    return 0


def _exports(runtime: Path) -> list[str]:
    own = set(_own_functions())
    listed = subprocess.run([_OBJDUMP, "-p", str(runtime)], capture_output=True, encoding="utf-8", check=True).stdout
    table = listed.partition("[Ordinal/Name Pointer] Table")[2]
    names = re.findall(r"^\s*\[\s*\d+\]\s+(?:\+base\[\s*\d+\]\s+)?(?:[0-9a-f]+\s+)?(\S+)$", table, re.MULTILINE)
    return [f"  {name} = wine_{name}" if name in own else f'  "{name}" = "{_MOVED}.{name}"' for name in names]


def _own_functions() -> list[str]:
    text = (HERE / "complex.c").read_text(encoding="utf-8")
    plain = re.findall(r"EXPORT\((\w+)\)\(", text)
    families = re.findall(r"(?:OF_ONE|TO_REAL)\((c\w+)\)", text)
    return [*plain, *(name + form for name in families for form in ("", "f", "l"))]


def _link(library: Path, *sources: Path) -> None:
    library.unlink(missing_ok=True)
    command = [_COMPILER, "-O2", "-shared", "-static", "-s", "-fno-builtin", *map(str, sources)]
    subprocess.run([*command, "-o", str(library)], check=True)


if __name__ == "__main__":
    sys.exit(main())
