"""Windows programs run under Wine, and where things lie there."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from program import ROOT

BUILT = Path(os.environ.get("BRIEFBANK_WINDOWS", ROOT / "build" / "windows"))
WINE = ROOT / "installer" / "windows" / "wine" / "wine"
PLACE = Path(os.environ.get("BRIEFBANK_WINE", ROOT / "build" / "wine"))
DRIVE = PLACE / "prefix" / "drive_c"
PROGRAMS = DRIVE / "users" / "root" / "AppData" / "Local" / "Programs" / "BriefBank"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a Windows program ended."""

    code: int
    out: str
    said: str

    @property
    def json(self) -> Any:
        """What it wrote, as JSON."""
        return json.loads(self.out)


def windows_path(path: Path) -> str:
    """The name that a Windows program knows a file by."""
    if path.is_relative_to(DRIVE):
        return "C:\\" + "\\".join(path.relative_to(DRIVE).parts)
    return "Z:" + str(path.resolve()).replace("/", "\\")


def run(program: str | Path, *words: object, seconds: float = 600, **environment: str) -> Ended:
    """Run a Windows program to its end; paths among the words are turned into Windows'."""
    named = [windows_path(word) if isinstance(word, Path) else str(word) for word in (program, *words)]
    # Files, for Wine's desktop, where a program started it, keeps a pipe open for as long as any other program runs.
    with TemporaryFile() as out, TemporaryFile() as said:
        done = subprocess.run(
            ["sh", str(WINE), "run", "wine", *named],
            stdout=out, stderr=said, timeout=seconds, check=False, env={**os.environ, **environment},
        )  # fmt: skip
        return Ended(done.returncode, *map(_written, (out, said)))


def _written(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", errors="replace").replace("\r\n", "\n")


def install(setup: Path, words: str, *, seconds: float = 600) -> Ended:
    """Run an installer from a line of Windows' own shell: NSIS takes all that follows `/D=`, unquoted, as a folder."""
    script = DRIVE / "install.cmd"
    line = f'@start /wait "" "{windows_path(setup)}" {words}\r\n@exit /b %ERRORLEVEL%\r\n'
    script.write_bytes(line.encode())
    return run("cmd", "/c", script, seconds=seconds)


def briefbank(*words: object, seconds: float = 600, **environment: str) -> Ended:
    """Run the installed command line."""
    return run(PROGRAMS / "briefbank.exe", *words, seconds=seconds, **environment)


def end_wine() -> None:
    """End every Windows program of this Wine."""
    subprocess.run(["sh", str(WINE), "run", "wineserver", "--kill"], check=False, capture_output=True, timeout=60)
