"""Compiles `briefbank.exe` and `briefbank-ui.exe` with MinGW-w64: the same bytes from the same sources.

Must not know what they start.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

SOURCES = Path(__file__).resolve().parent / "launcher"
COMPILER = "x86_64-w64-mingw32-gcc"
RESOURCES = "x86_64-w64-mingw32-windres"
_PROGRAMS = {
    "briefbank": ("BriefBank command line", ()),
    "briefbank-ui": ("BriefBank, offline search over an office's own briefs", ("-mwindows", "-DWINDOWED")),
}
# No time of linking, and none of the names of this machine's folders.
_LINKING = ("-s", "-static", "-Wl,--no-insert-timestamp", "-Wl,--dynamicbase,--nxcompat,--high-entropy-va")


def compile_launchers(folder: Path, work: Path, *, version: str, icon: Path) -> list[Path]:
    """Write both programs into `folder` and return where they are."""
    return [_compile(name, folder, work, version, icon) for name in _PROGRAMS]


def _compile(name: str, folder: Path, work: Path, version: str, icon: Path) -> Path:
    description, options = _PROGRAMS[name]
    program = folder / f"{name}.exe"
    resources = work / f"{name}.res"
    numbers = ",".join([*version.split("."), "0", "0", "0"][:4])
    named = {
        "DESCRIPTION": description,
        "FILE_NAME": program.name,
        "VERSION": version,
        "ICON_FILE": icon.as_posix(),
        "MANIFEST_FILE": (SOURCES / "briefbank.manifest").as_posix(),
    }
    # A header beside the script: quotation marks do not survive windres' own command line.
    lines = [f"#define NUMBERS {numbers}", *(f'#define {key} "{value}"' for key, value in named.items())]
    script = work / f"{name}.rc"
    script.write_text("\n".join([*lines, (SOURCES / "launcher.rc").read_text("utf-8")]), encoding="utf-8")
    subprocess.run([RESOURCES, "-O", "coff", str(script), str(resources)], check=True)
    warnings = ("-Wall", "-Wextra")
    source = str(SOURCES / "launcher.c")
    compiled = [COMPILER, "-Os", "-municode", *warnings, *options, source, str(resources), *_LINKING]
    subprocess.run([*compiled, "-o", str(program)], check=True)
    return program
