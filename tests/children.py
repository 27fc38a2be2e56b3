"""The processes that a test's own process has started, and that still run."""

from __future__ import annotations

import psutil


def living_children(*, recursive: bool = False) -> list[psutil.Process]:
    """Children of this process without those that have ended and wait to be reaped, which have no command any more."""
    return [each for each in psutil.Process().children(recursive=recursive) if _lives(each)]


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
