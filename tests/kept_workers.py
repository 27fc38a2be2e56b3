"""Confined workers that read files for one run after another, so that a test need not wait for new ones.

They are the workers of the program, as confined. Tests of how workers start, die or are stopped make their own pools.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

import pytest

from briefbank.ingest import texts
from briefbank.ingest.texts import GuardedPool
from briefbank.platform.processes.calls import Task
from briefbank.platform.processes.this_process import adopt_orphans, leave_orphans
from briefbank.platform.settings import Settings, worker_count

MARK = "kept-workers"
"""Begins the names of their folders, by which those who look for what a test left behind know them."""

_OF_THE_PROGRAM = GuardedPool


class KeptPool:
    """Stands in for `GuardedPool`, of which one is kept for each number of workers and limit of memory."""

    root: ClassVar[Path]
    kept: ClassVar[dict[tuple[int, int], GuardedPool]] = {}
    threads: ClassVar[set[int | None]] = set()

    def __init__(self, module: str, settings: Settings, scratch: Path | None = None) -> None:
        self._key = worker_count(settings), settings.read_memory_bytes
        self._futures: list[Future[Any]] = []
        if self._key in self.kept:
            return
        before = {thread.ident for thread in threading.enumerate()}
        folder = self.root / f"{MARK}-{'-'.join(map(str, self._key))}"
        self.kept[self._key] = _OF_THE_PROGRAM(module, settings, folder)
        self.threads |= {thread.ident for thread in threading.enumerate()} - before
        leave_orphans()  # until it is at work again

    @property
    def folder(self) -> Path:
        return self.kept[self._key].folder

    def submit(self, task: Task[Any], **how: Any) -> Future[Any]:
        self._futures.append(self.kept[self._key].submit(task, **how))
        return self._futures[-1]

    def __enter__(self) -> Self:
        adopt_orphans()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.stop()
            return
        wait(self._futures)
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        leave_orphans()

    def stop(self) -> None:
        """End them: the next run has new ones."""
        if pool := self.kept.pop(self._key, None):
            pool.stop()

    @classmethod
    def close(cls) -> None:
        for pool in cls.kept.values():
            adopt_orphans()
            pool.stop()
        cls.kept.clear()


@pytest.fixture(scope="session")
def kept_pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., KeptPool]]:
    KeptPool.root = tmp_path_factory.mktemp("workers")
    yield KeptPool
    KeptPool.close()


@pytest.fixture(autouse=True)
def kept_workers(
    kept_pool: Callable[..., KeptPool], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Have runs within the test's process read files by workers that are kept, but where faults are what is tried."""
    if request.path.parent.name not in ("faults", "trust"):
        monkeypatch.setattr(texts, "GuardedPool", kept_pool)
