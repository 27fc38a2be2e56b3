"""A pool of workers that does what it is given at once, in this process; before each step with a file, something may
happen.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Self

from briefbank.errors import BriefBankError, SourceError
from briefbank.platform.settings import Settings

Event = Callable[[str, Path], None]
"""Takes the name of the step and the file."""


class PoolAtOnce:
    """Stands in for `briefbank.ingest.pool.GuardedPool`."""

    before: Event

    def __init__(self, settings: Settings, scratch: Path) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, function: Callable[..., Any], *args: Any, timeout_s: float) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            if isinstance(args[0], Path):
                type(self).before(function.__name__, args[0])
            future.set_result(function(*args))
        except BriefBankError as error:
            future.set_exception(error)
        except OSError as error:
            future.set_exception(SourceError(f"The file cannot be read: {error.strerror}.", "Connect the share."))
        return future
