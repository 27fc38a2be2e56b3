"""What tests of clusters share: a run on a cluster of this machine, and what a bank holds, to be compared."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

from briefbank.bank import Bank
from briefbank.index.publish import live_generation
from briefbank.ingest.cluster.local import LocalCluster, local_cluster
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken, Progress
from briefbank.reports import IndexReport


def index_with(
    local: LocalCluster, folder: Path, bank: Path, on_progress: Callable[[Progress], None] = lambda _: None
) -> IndexReport:
    with Bank.create(bank, folder) as opened:
        return opened.index(folder, elsewhere=local.cluster, reporter=on_progress)


def index_by_cluster(folder: Path, bank: Path, workers: int = 1, share: Path | None = None) -> IndexReport:
    warned: list[str] = []
    with local_cluster(folder, CancelToken(), workers=workers, share=share, warn=warned.append) as local:
        report = index_with(local, folder, bank)
    assert not warned
    return report


def index_here(folder: Path, bank: Path) -> IndexReport:
    with Bank.create(bank, folder) as opened:
        return opened.index(folder)


def content(bank: Path) -> dict[str, set[str]]:
    """The digests of all files of the live generation by name, but for what Lance names at random or dates."""
    generation = live_generation(Layout(bank))
    told = tomllib.loads((generation / "generation.toml").read_text(encoding="utf-8"))
    found: dict[str, set[str]] = {"source": {told["generation"]["source_digest"]}}
    for name, digest in told["files"].items():
        if ".lance/_" not in name:
            found.setdefault(name.partition(".lance/")[0], set()).add(digest)
    return found
