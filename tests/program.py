"""How tests start the program in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def command(*arguments: object) -> list[str]:
    """The words that start a command in a process of its own."""
    return [sys.executable, "-m", "briefbank", *map(str, arguments)]
