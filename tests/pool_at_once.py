"""A pool of workers that does what it is given at once, in this process; before each step with a file, something may
happen.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Self

from briefbank.errors import BriefBankError, SourceError
from briefbank.platform.processes.calls import Task
from briefbank.platform.settings import Settings

Event = Callable[[str, Path], None]
"""Takes the name of the step and the file."""


class PoolAtOnce:
    """Stands in for `GuardedPool`."""

    before: Event

    def __init__(self, module: str, settings: Settings, scratch: Path) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, task: Task[Any], *, timeout_s: float, is_waited_for: bool = False) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            if place := getattr(task, "place", None):
                type(self).before(type(task).__name__.lower(), place.path)
            future.set_result(task.run(None))
        except BriefBankError as error:
            future.set_exception(error)
        except OSError as error:
            future.set_exception(SourceError(f"The file cannot be read: {error.strerror}.", "Connect the share."))
        return future
