"""How much a converter may leave in its scratch folder, counted from outside: the kernel limits single files only."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MOST_BYTES_OF_A_FILE = 1_000_000_000
"""The copy that LibreOffice works on is as large as `max_file_bytes` allows; what it makes of a brief, a thousandth."""

MOST_BYTES, MOST_FILES = 2_500_000_000, 2_000
"""Of all files together; LibreOffice 7.4 made 39 files and folders and 0.3 MB for a letter."""

WATCH_S = 0.2
"""How often to look. Between two looks a disk takes some hundred megabytes more than is allowed."""


def is_too_much(scratch: Path, process: int) -> bool:
    """Whether a converter and what it started have written more than they may: files of the folder, and on Linux those
    that they have removed and hold on to.
    """
    bytes_written = files = 0
    for size in (*_sizes_below(scratch, MOST_FILES), *_sizes_of_removed(scratch, process)):
        bytes_written += size
        files += 1
    return bytes_written > MOST_BYTES or files > MOST_FILES


def _sizes_below(folder: Path, most: int) -> Iterator[int]:
    """What files and folders take on the disk, until there is one more than `most`."""
    waiting = [str(folder)]
    while waiting and most >= 0:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:  # it may be removed while it is looked at
            for entry in entries:
                found = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(found.st_mode):
                    waiting.append(entry.path)
                most -= 1
                yield _on_disk(found)
                if most < 0:
                    return


def _sizes_of_removed(scratch: Path, process: int) -> Iterator[int]:
    """What files without a name take that a process or one that it started holds, each file once."""
    import psutil

    held: dict[int, int] = {}
    with suppress(psutil.Error):
        root = psutil.Process(process)
        for each in (root, *root.children(recursive=True)):
            folder = Path("/proc", str(each.pid))
            held = {**dict(_mapped(folder, f"{scratch}/")), **held, **dict(_open(folder))}
    yield from held.values()


def _open(process: Path) -> Iterator[tuple[int, int]]:
    """The number and size of each removed file that is open; threads may have files of their own."""
    for link in process.glob("task/*/fd/*"):
        with suppress(OSError):
            found = link.stat()
            if stat.S_ISREG(found.st_mode) and not found.st_nlink:
                yield found.st_ino, _on_disk(found)


def _mapped(process: Path, below: str) -> Iterator[tuple[int, int]]:
    """The number of each removed file that is mapped into memory; its size is not told, so the most that it may be."""
    with suppress(OSError):
        for line in (process / "maps").read_text(encoding="utf-8", errors="replace").splitlines():
            *_, number, path = line.split(maxsplit=5) if line.endswith(" (deleted)") else ("0", "")
            if path.startswith(below):
                yield int(number), MOST_BYTES_OF_A_FILE


def _on_disk(found: os.stat_result) -> int:
    return 512 * found.st_blocks if hasattr(found, "st_blocks") else found.st_size
