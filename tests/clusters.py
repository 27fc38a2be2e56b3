"""What tests of clusters share: an index run on one, what a bank holds, to be compared, and kills of workers."""

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
from typing import Any

import pyarrow as pa

from briefbank.bank.local import Bank
from briefbank.index.lance import import_lancedb
from briefbank.index.publish import live_generation
from briefbank.ingest.cluster.head import Cluster
from briefbank.platform.layout import Layout
from briefbank.platform.progress import Progress
from briefbank.values.state import IndexReport


def index_with(
    local: Any, folder: Path, bank: Path, on_progress: Callable[[Progress], None] = lambda _: None, **options: Any
) -> IndexReport:
    """Index on a cluster of this machine; without `warn` no machine may be refused."""
    warned: list[str] = []
    cluster = Cluster(local.scheduler_address, local.security, **{"warn": warned.append, **options})
    with Bank.create(bank, folder) as opened:
        report = opened.index(folder, elsewhere=cluster, reporter=on_progress)
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
            found[table] = {_digest_of_rows(rows_of(bank, table))}
    return found


def rows_of(bank: Path, table: str) -> pa.Table:
    """All rows of a table of the live generation."""
    generation = live_generation(Layout(bank))
    return import_lancedb().connect(str(generation)).open_table(table).to_arrow().combine_chunks()


def _digest_of_rows(rows: pa.Table) -> str:
    written = pa.BufferOutputStream()
    with pa.ipc.new_stream(written, rows.schema) as stream:
        stream.write_table(rows)
    return hashlib.sha256(written.getvalue()).hexdigest()


@contextmanager
def kills(local: Any, times: int, seed: int, pause_s: float = 3.0) -> Iterator[Callable[[Progress], None]]:
    """Kill workers of a cluster of this machine, one after the other, at moments drawn by `seed`, from when what this
    yields is told that files are read; the next begins when the last one's successor is there.
    """
    chance, is_over, is_reading = random.Random(seed), threading.Event(), threading.Event()
    done: list[int] = []

    def go_on() -> None:
        is_reading.wait()
        while len(done) < times and not is_over.wait(chance.uniform(0.2, pause_s)):
            process = chance.choice(list(local.workers.values())).pid
            if process and process not in done:
                os.kill(process, signal.SIGKILL)
                done.append(process)

    killer = threading.Thread(target=go_on)
    killer.start()
    try:
        yield lambda at: is_reading.set() if at.stage == "reading" and at.files_done else None
        assert done, "nobody was killed while files were read"
    finally:
        is_over.set()
        is_reading.set()
        killer.join()
