"""Limits on what showing a page of an untrusted file may take. A call that breaks one costs its process, or itself."""

from __future__ import annotations

import faulthandler
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from briefbank.errors import TooLargeError

CALL_S = 30.0
CALL_BYTES = 2_000_000_000


@contextmanager
def guarded(seconds: float = CALL_S, memory_bytes: int = CALL_BYTES) -> Iterator[None]:
    """End this process if the block runs longer; refuse it more memory than that on top of what is in use (Linux).

    Raises:
        TooLargeError: the block ran out of memory.
    """
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123 - os.devnull is no path to build on
        # A timer of C's own: a parser that hangs may never let Python run again.
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        try:
            with _memory_limit(memory_bytes):
                yield
        except MemoryError:
            advice = "Open the original in its own program instead."
            raise TooLargeError("The page needs more memory than showing it may take.", advice) from None
        finally:
            faulthandler.cancel_dump_traceback_later()


@contextmanager
def _memory_limit(memory_bytes: int) -> Iterator[None]:
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    limit = mapped + memory_bytes
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
