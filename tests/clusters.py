"""What tests of clusters share: a run on a cluster of this machine, what a bank holds, to be compared, and attacks."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import threading
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from briefbank.bank.local import Bank
from briefbank.index.lance import import_lancedb
from briefbank.index.publish import live_generation
from briefbank.ingest.cluster.local import LocalCluster, local_cluster
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken, Progress
from briefbank.values import IndexReport


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


def rows_of(bank: Path, table: str) -> pa.Table:
    """All rows of a table of the live generation."""
    return _rows(live_generation(Layout(bank)), table)


def _rows(generation: Path, table: str) -> pa.Table:
    return import_lancedb().connect(str(generation)).open_table(table).to_arrow().combine_chunks()


def _digest_of_rows(generation: Path, table: str) -> str:
    rows = _rows(generation, table)
    written = pa.BufferOutputStream()
    with pa.ipc.new_stream(written, rows.schema) as stream:
        stream.write_table(rows)
    return hashlib.sha256(written.getvalue()).hexdigest()


def kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)


class Attacks:
    """Kills of a `worker` or of the `scheduler`, and a `share` that goes for a while, in an order drawn by `seed`, up
    to `pause_s` seconds apart.
    """

    def __init__(self, local: LocalCluster, share: Path, seed: int, attacks: list[str], pause_s: float = 4.0) -> None:
        self._local, self._share, self._chance, self._pause_s = local, share, random.Random(seed), pause_s
        self.left = list(attacks)
        self._chance.shuffle(self.left)
        self._is_over = threading.Event()

    @contextmanager
    def under_way(self) -> Iterator[Callable[[Progress], None]]:
        """Go on with the attacks while the block lasts, from when what it yields is told that files are read."""
        self._is_over.clear()
        is_reading = threading.Event()
        attacker = threading.Thread(target=self._go_on, args=(is_reading,))
        attacker.start()
        try:
            yield lambda at: is_reading.set() if at.stage == "reading" else None
        finally:
            self._is_over.set()
            is_reading.set()
            attacker.join()

    def _go_on(self, is_reading: threading.Event) -> None:
        is_reading.wait()
        while self.left and not self._is_over.wait(self._chance.uniform(0.2, self._pause_s)):
            if self.left[-1] == "share":
                away = self._share.rename(self._share.with_name("away"))
                self._is_over.wait(1.5)
                away.rename(self._share)
            else:
                kept = self._local.workers if self.left[-1] == "worker" else self._local.scheduler
                try:
                    kill(self._chance.choice(kept.pids))
                except ProcessLookupError:  # died, and is not started anew yet
                    continue
            self.left.pop()
