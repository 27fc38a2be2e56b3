"""What Ctrl-C does to work that takes a while, and how that is followed. Knows no verb."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypedDict

from briefbank.cli import output
from briefbank.platform.progress import CancelToken, Reporter

_ASK_TO_END = {signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGBREAK", signal.SIGTERM)}
"""Windows tells of Ctrl-Break, and of its console being closed, by a signal of its own."""


@contextmanager
def ctrl_c_cancels(cancel: CancelToken, unit: str) -> Iterator[None]:
    """The first Ctrl-C finishes the file (or other unit) at hand and stops; the second one stops at once."""

    def on_signal(_number: int, _frame: object) -> None:
        if cancel.is_cancelled:
            raise KeyboardInterrupt
        output.warn(f"\nStopping after the {unit} at hand; press Ctrl-C again to stop at once.")
        cancel.cancel()

    before = {number: signal.signal(number, on_signal) for number in _ASK_TO_END}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Work(TypedDict):
    """What a long piece of work is given: whom to tell of progress, and when to stop."""

    reporter: Reporter
    cancel: CancelToken


@contextmanager
def long_work(unit: str, *, quiet: bool = False, after_s: float = 0.0) -> Iterator[Work]:
    """Yield what long work is given; Ctrl-C stops it after the `unit` at hand. Progress shows after `after_s`."""
    cancel = CancelToken()
    with ctrl_c_cancels(cancel, unit), output.progress_reporter(quiet=quiet, after_s=after_s) as reporter:
        yield Work(reporter=reporter, cancel=cancel)
