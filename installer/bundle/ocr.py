"""Puts the machine's Tesseract into the offline folder: the program, its libraries, its English and orientation data.

Linux only; on Windows the build script copies Tesseract's own folder. Must not know what else is in the bundle.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

_LANGUAGES = ("eng", "osd")
_OF_THE_SYSTEM = re.compile(r"(ld-linux.*|libc|libm|libdl|librt|libpthread|libresolv)\.so")
"""The C library stays the machine's own: another one does not fit its kernel and name services."""

_STARTER = """\
#!/bin/sh
# Runs the Tesseract of this folder with the libraries and data of this folder.
here=$(dirname -- "$0")
LD_LIBRARY_PATH="$here/lib" TESSDATA_PREFIX="$here/tessdata" exec "$here/lib/tesseract" "$@"
"""


def add_ocr(folder: Path) -> list[Path]:
    """Fill `folder` and return the libraries and programs it was filled from; nothing where Tesseract is missing."""
    program = shutil.which("tesseract")
    if program is None:
        return []
    data = _data_folder(program)
    if data is None:
        return []
    (folder / "lib").mkdir(parents=True)
    sources = [Path(program), *_libraries(program)]
    for source in sources:
        shutil.copy(source, folder / "lib" / source.name)
    (folder / "tessdata" / "configs").mkdir(parents=True)
    for language in _LANGUAGES:
        shutil.copy(data / f"{language}.traineddata", folder / "tessdata")
    shutil.copy(data / "configs" / "tsv", folder / "tessdata" / "configs")
    starter = folder / "tesseract"
    starter.write_text(_STARTER, encoding="utf-8")
    starter.chmod(0o755)
    return sources


def _data_folder(program: str) -> Path | None:
    listed = subprocess.run([program, "--list-langs"], capture_output=True, encoding="utf-8", check=True)
    lines = (listed.stdout or listed.stderr).splitlines()
    place = re.search(r'"(.+)"', lines[0])
    return Path(place[1]) if place and set(_LANGUAGES) <= set(lines[1:]) else None


def _libraries(program: str) -> list[Path]:
    linked = subprocess.run(["ldd", program], capture_output=True, encoding="utf-8", check=True).stdout
    found = re.findall(r"^\s*(\S+) => (/\S+)", linked, re.MULTILINE)
    return sorted(Path(path) for name, path in found if not _OF_THE_SYSTEM.match(name))
