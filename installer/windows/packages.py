"""The Windows wheels of the offline folder: fetched with the digests of `wheels.txt`, unpacked, thinned out.

Must not know of CPython, launchers or installers.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

LOCK = Path(__file__).resolve().parent / "wheels.txt"
_PYTHON = (3, 11)
_VERSION = ".".join(map(str, _PYTHON))
_TARGET = ("--platform", "win_amd64", "--python-version", _VERSION, "--implementation", "cp", "--only-binary=:all:")


def fetch(folder: Path) -> None:
    """Have exactly the locked wheels in `folder`; pip refuses what has another digest."""
    folder.mkdir(parents=True, exist_ok=True)
    _pip("download", "--require-hashes", *_TARGET, "--dest", str(folder), "--requirement", str(LOCK))


def unpack(wheels: Path, folder: Path) -> None:
    """Install the locked wheels out of `wheels` into `folder`, without touching a network."""
    offline = ("--no-index", "--find-links", str(wheels), "--require-hashes", "--no-compile", "--no-warn-conflicts")
    _pip("install", *offline, *_TARGET, "--target", str(folder), "--requirement", str(LOCK))


def add(names: tuple[str, ...], constraints: Path, folder: Path) -> None:
    """Install tools for trying what was built, in the versions that are tried elsewhere; not for what is handed out."""
    _pip("install", *_TARGET, "--no-compile", "--constraint", str(constraints), "--target", str(folder), *names)


def thin_out(folder: Path, is_needed: Callable[[str], bool]) -> None:
    """Delete the files that are not needed, by their path below `folder`, and folders that this leaves empty."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif not is_needed(path.relative_to(folder).as_posix()):
            path.unlink()


def drop_records(folder: Path) -> None:
    """Delete pip's lists of installed files: they hold digests of scripts that name this machine's Python, and list
    files that were thinned out.
    """
    for record in folder.glob("*.dist-info/RECORD"):
        record.unlink()


def compile_all(folder: Path) -> None:
    """Put byte code in the place of every module, as PyInstaller does: nothing is compiled, or written, on a laptop.

    Raises:
        RuntimeError: this is not Python 3.11, whose byte code alone the folder's Python reads.
    """
    if sys.version_info[:2] != _PYTHON:
        raise RuntimeError(f"Build with Python {_VERSION}: its byte code is what the folder's Python reads.")
    # One process and a fixed seed, so that the same sources give the same bytes.
    command = [sys.executable, "-m", "compileall", "-q", "-b", "-j", "1", "-s", str(folder), "-p", "packages"]
    seeded = {**os.environ, "PYTHONHASHSEED": "0"}
    subprocess.run([*command, "--invalidation-mode", "unchecked-hash", str(folder)], env=seeded, check=True)
    for source in folder.rglob("*.py"):
        if source.with_suffix(".pyc").is_file():
            source.unlink()


def _pip(verb: str, *words: str) -> None:
    options = ("--quiet", "--disable-pip-version-check", "--no-deps")
    subprocess.run([sys.executable, "-m", "pip", verb, *options, *words], check=True)
