"""A pool of workers that does what it is given at once, in this process; before each step with a file, something may
happen.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Self

from hashing_encoder import HashingEncoder

from briefbank.errors import BriefBankError, SourceError
from briefbank.models.encoders.words import WordTable
from briefbank.platform.settings import Settings

Event = Callable[[str, Path], None]
"""Takes the name of the step and the file."""


class PoolAtOnce:
    """Stands in for `GuardedPool`."""

    before: Event

    def __init__(self, module: str, settings: Settings, scratch: Path) -> None:
        self.folder = scratch
        scratch.mkdir(exist_ok=True)
        WordTable(substitute=HashingEncoder.digest).write(scratch)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, task: Any, *, on_step: Callable[[Any], None] = lambda _: None, **_: object) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            if place := getattr(task, "place", None):
                type(self).before(type(task).__name__.lower(), place.path)
            future.set_result(task.run(on_step))
        except BriefBankError as error:
            future.set_exception(error)
        except OSError as error:
            future.set_exception(SourceError(f"The file cannot be read: {error.strerror}.", "Connect the share."))
        return future
