"""Starts the programs of the offline folder: the command line, the window, and the processes that either starts.

BriefBank starts its processes as `sys.executable -P -m briefbank.MODULE`. There is no interpreter in the folder, so its
programs answer to that form themselves, for modules of BriefBank alone.
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

_HERE = Path(sys.executable).resolve().parent


def main() -> int:
    """Run what the program's name and first words say."""
    _settle()
    module = _module_asked_for(sys.argv[1:])
    if module:
        sys.argv = sys.argv[sys.argv.index(module) :]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        return 0
    if Path(sys.executable).stem == "briefbank-ui":
        # A window's program has no standard input or output on Windows; its processes talk over theirs.
        sys.executable = str(_HERE / f"briefbank{Path(sys.executable).suffix}")
        from ui.app import main as window

        return window()
    from briefbank.cli.main import main as command_line

    return command_line()


_TESSERACT = {"ProgramFiles": "Tesseract-OCR", "LOCALAPPDATA": "Programs/Tesseract-OCR"}
"""Where Tesseract's installer for Windows puts it, for everybody and for one user; it leaves PATH as it is."""


def _settle() -> None:
    """Put the folder's OCR program first, on Windows an installed one last, and give other programs back the library
    path that was theirs.
    """
    places = [str(_HERE / "ocr"), os.environ.get("PATH", os.defpath)]
    if sys.platform == "win32":
        places += [str(Path(os.environ[name], place)) for name, place in _TESSERACT.items() if name in os.environ]
    os.environ["PATH"] = os.pathsep.join(places)
    if sys.platform == "linux":
        own = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
        os.environ.pop("LD_LIBRARY_PATH", None)
        if own:
            os.environ["LD_LIBRARY_PATH"] = own


def _module_asked_for(words: list[str]) -> str | None:
    if words[:1] == ["-P"]:
        words = words[1:]
    if len(words) > 1 and words[0] == "-m" and words[1].partition(".")[0] == "briefbank":
        return words[1]
    return None


if __name__ == "__main__":
    sys.exit(main())
