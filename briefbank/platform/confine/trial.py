"""Tries what the machine at hand keeps readers of hostile files from, in a process that is confined as they are.

`python -m briefbank.platform.confine.trial SCRATCH KEPT` is that process. It harms nothing but the file KEPT, which was
made for it. Reaching the network is not tried: what that depends on is told by `missing_protection`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

_MEMORY_BYTES = 300_000_000
_CONTENT = b"of this user"
_MODULE = "briefbank.platform.confine.trial"
_CHANGES, _MEMORY = "changes no file of this user", "has no more memory than it is given"
_PRIVILEGES, _PROCESSES = "has no privileges of its user", "starts no more processes than it may"
_LONGEST_S = 120.0


def held_here() -> dict[str, bool]:
    """What a reader may not do, each with whether it was kept from it just now.

    Raises:
        OSError: the system starts no process.
        subprocess.SubprocessError: the process did not get as far as telling.
    """
    with TemporaryDirectory(prefix="briefbank-") as name:
        kept, scratch = Path(name, "kept"), Path(name, "scratch")
        scratch.mkdir()
        kept.write_bytes(_CONTENT)
        words = [sys.executable, "-P", "-m", _MODULE, str(scratch), str(kept)]
        done = subprocess.run(words, stdout=subprocess.PIPE, encoding="utf-8", timeout=_LONGEST_S, check=True)
        is_whole = kept.exists() and kept.read_bytes() == _CONTENT
        return {_CHANGES: is_whole, **json.loads(done.stdout)}


def _try_as_a_reader(scratch: Path, kept: Path) -> dict[str, bool]:
    from briefbank.platform.confine import confine

    confine(scratch, _MEMORY_BYTES)
    _is_refused(lambda: kept.write_bytes(b"harmed"))  # its parent looks at what came of these two
    _is_refused(kept.unlink)
    held = {_MEMORY: _is_refused(lambda: bytes(2 * _MEMORY_BYTES))}
    if sys.platform == "win32":
        from briefbank.platform.confine import windows

        held[_PRIVILEGES] = windows.privileges() == 0
        held[_PROCESSES] = _is_refused(lambda: _start(windows.MOST_PROCESSES))
    return held


def _start(count: int) -> None:
    """Start processes that run at the same time, and end them. Raises OSError."""
    started: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(count):
            words = [sys.executable, "-P", "-m", _MODULE]
            started.append(subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL))
    finally:
        for process in started:
            process.communicate()


def _is_refused(act: Callable[[], object]) -> bool:
    try:
        act()
    except (OSError, MemoryError):
        return True
    return False


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.stdout.write(json.dumps(_try_as_a_reader(Path(sys.argv[1]), Path(sys.argv[2]))))
    else:
        sys.stdin.read()
