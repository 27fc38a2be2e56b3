"""How long work reports its progress and is asked to stop; knows neither terminal nor window."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from briefbank.errors import CancelledError

POLL_S = 0.2
"""How often a `CancelToken` is looked at while something is waited for; chosen as what a person takes for at once."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A moment of a long task. Totals are None until known; `seconds_left` is None until it can be estimated. `current`
    names the file at hand, without its folder.

    `unit` says what is counted as files where the work goes through something else, in the plural.
    """

    stage: str
    files_done: int = 0
    files_total: int | None = None
    pages_done: int = 0
    failed: int = 0
    elapsed_s: float = 0.0
    seconds_left: float | None = None
    current: str = ""
    unit: str = "files"


_LEAST_SHARE = 0.05
"""Of the work that must be done before the rest is estimated from it: nothing above 19 times the time that has passed
is ever told. Chosen: from the first of thousands of files a run of one minute was once said to last 1,811 hours."""


def time_left(elapsed_s: float, done: float, total: float) -> float | None:
    """Seconds that the rest takes at the pace so far; None before enough is done to tell."""
    return elapsed_s / done * (total - done) if done and done >= _LEAST_SHARE * total else None


Reporter = Callable[[Progress], None]
"""A function that is given the progress of a task: it prints it, shows it in the window, or ignores it."""


def silent(progress: Progress) -> None:
    """Ignore progress."""


def counting(reporter: Reporter, progress: Progress, total: int, begun: int = 0) -> Callable[..., None]:
    """Return what reports `progress` with how many of `total` are done, and how many failed, and the time left.

    `begun` were done before, and say nothing of the pace.
    """
    started = time.monotonic()

    def report(done: int, failed: int = 0) -> None:
        elapsed = time.monotonic() - started
        left = time_left(elapsed, done - begun, total - begun)
        reporter(replace(progress, files_done=done, failed=failed, elapsed_s=elapsed, seconds_left=left))

    return report


class CancelToken:
    """Set once by whoever wants the work to stop; looked at by the work between two steps."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def is_cancelled(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> None:
        """Wait, but no longer than until the work is asked to stop."""
        self._event.wait(seconds)

    def check(self) -> None:
        """Raise CancelledError if the work was asked to stop."""
        if self._event.is_set():
            raise CancelledError("Stopped as asked.", "Run the same command again to go on where it stopped.")
