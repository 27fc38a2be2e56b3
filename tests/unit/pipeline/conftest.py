"""A bank whose files are read in this process, so that each step is seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from pool_at_once import PoolAtOnce

from briefbank.bank.local import Bank


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The steps taken with files, as they are taken."""
    taken: list[tuple[str, str]] = []
    before = staticmethod(lambda step, path: taken.append((step, path.name)))
    monkeypatch.setattr("briefbank.ingest.texts.GuardedPool", PoolAtOnce)
    monkeypatch.setattr(PoolAtOnce, "before", before, raising=False)
    return taken


@pytest.fixture
def bank(empty_bank: Path, folder: Path, steps: list[tuple[str, str]]) -> Bank:
    """A bank of the folder's two briefs."""
    made = Bank.open(empty_bank)
    made.index(folder)
    steps.clear()
    return made
