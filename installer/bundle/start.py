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


def _settle() -> None:
    """Give other programs back the library path that was theirs."""
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
