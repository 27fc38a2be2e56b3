"""What tests of clusters share: a run on a cluster of this machine, and what a bank holds, to be compared."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from briefbank.bank import Bank
from briefbank.index.lance import import_lancedb
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
    """The digests of all that the live generation holds, by name: of tables their rows, for Lance names files at random
    and presses the same texts into more bytes or fewer.
    """
    generation = live_generation(Layout(bank))
    told = tomllib.loads((generation / "generation.toml").read_text(encoding="utf-8"))
    found: dict[str, set[str]] = {"source": {told["generation"]["source_digest"]}}
    for name, digest in told["files"].items():
        table, is_of_table, _ = name.partition(".lance/")
        if not is_of_table:
            found[name] = {digest}
        elif table not in found:
            found[table] = {_digest_of_rows(generation, table)}
    return found


def _digest_of_rows(generation: Path, table: str) -> str:
    rows = import_lancedb().connect(str(generation)).open_table(table).to_arrow().combine_chunks()
    written = pa.BufferOutputStream()
    with pa.ipc.new_stream(written, rows.schema) as stream:
        stream.write_table(rows)
    return hashlib.sha256(written.getvalue()).hexdigest()
