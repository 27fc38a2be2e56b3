"""How tests start the program, here or in a process of its own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
MANY_KILLS = 20 if sys.platform == "win32" else 50
"""How often the slow tests kill a program; fewer where they run under Wine, which starts one five times as slowly."""
END_BY_KILL = 15 if sys.platform == "win32" else -9
"""What psutil's `kill` has a process end with: Windows ends it outright as well, and knows no signals."""


def command(*arguments: object) -> list[str]:
    """The words that start a command in a process of its own."""
    return [sys.executable, "-m", "briefbank", *map(str, arguments)]


def python_path(*folders: Path) -> str:
    """The PYTHONPATH of a process of its own that imports from these folders too, and knows the tests' encoder."""
    return os.pathsep.join(filter(None, (*map(str, folders), os.environ.get("PYTHONPATH"))))


@dataclass(frozen=True, slots=True)
class Result:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def told(self) -> str:
        """What it printed, less what this machine cannot hold readers to: told everywhere but on a new Linux."""
        return "".join(line for line in self.out.splitlines(keepends=True) if not line.startswith("Not protected: "))


Briefbank = Callable[..., Result]
