"""How long a process may take: by the processor's time, so that a busy machine costs no file.

Knows nothing of what it does.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress

import psutil

_LOOKS = 8
"""How often in the time of a limit a process is looked at: each look goes through all processes of the machine."""
_AWAKE = 0.001
"""Share of the processor below which a process counts as stopped; one of a hundred on a core has a hundredth."""
_MOST_PROCESSES = 64
"""LibreOffice starts four. A file that starts thousands would have looking at them take longer than its limit."""
_PATIENCE = 20.0
"""How many times as long as a limit a process may take by the clock."""


def processor_s(process: int) -> float:
    """Seconds of processor time that a process and all that it started have taken, as far as can be told; without end
    where these are more than any reader needs.
    """
    taken = 0.0
    with suppress(psutil.Error):
        root = psutil.Process(process)
        started = root.children(recursive=True)
        if len(started) > _MOST_PROCESSES:
            return math.inf
        for each in (root, *started):
            with suppress(psutil.Error):
                taken += sum(each.cpu_times()[:4])  # with children that have ended; elsewhere than on Linux those are 0
    return taken


class Limit:
    """`seconds` of a process' processor time, from now on. It is over too where the process took none for as long by
    the clock, for it hangs or was stopped, and at last when the clock went `_PATIENCE` times as far.
    """

    def __init__(
        self,
        process: int,
        seconds: float,
        taken: Callable[[int], float] = processor_s,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._process, self._seconds, self._taken, self._clock = process, seconds, taken, clock
        self._began = self._looked_at = self._awake_at = clock()
        self._at_first: float | None = None
        self._before = 0.0

    def is_over(self) -> bool:
        """Whether the process had its time. To be asked often: nearly always that costs nothing."""
        now = self._clock()
        since = now - self._looked_at
        if since < self._seconds / _LOOKS:
            return False
        taken = self._taken(self._process)
        if self._at_first is None:  # what it took before the first look is given to it
            self._at_first = taken
        elif taken - self._before >= _AWAKE * since:
            self._awake_at = now
        self._looked_at, self._before = now, taken
        has_stopped = now - self._awake_at >= self._seconds
        is_endless = now - self._began >= _PATIENCE * self._seconds
        if math.isinf(taken):
            return True
        return taken - self._at_first >= self._seconds or has_stopped or is_endless
