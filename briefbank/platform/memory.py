"""How much memory a process and its children take. Knows nothing of what they do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import psutil


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """What the processes of a program take for themselves together, and what of this computer's memory is free, in
    bytes.
    """

    own_bytes: int
    free_bytes: int
    total_bytes: int


def measure(process: int) -> MemoryUse:
    """Add up what a process and all below it take for themselves, by its number.

    Files that are mapped, as an index is, are not counted: the system takes their memory back whenever it is needed. A
    process that ends meanwhile counts nothing.
    """
    machine = psutil.virtual_memory()
    return MemoryUse(sum(map(_own_bytes, _tree(process))), int(machine.available), int(machine.total))


def _tree(process: int) -> Iterator[psutil.Process]:
    with suppress(psutil.Error):
        root = psutil.Process(process)
        yield from (root, *root.children(recursive=True))


def _own_bytes(process: psutil.Process) -> int:
    with suppress(psutil.Error):
        taken = process.memory_info()
        own: int | None = getattr(taken, "private", None)  # Windows
        return own if own is not None else max(int(taken.rss) - int(getattr(taken, "shared", 0)), 0)
    return 0
