"""Wall time of indexing the scanned samples by one machine and by a cluster of it. Each run is pinned to as many cores
as it has processes that read, with head and scheduler among them. The encoder is the hashing one, so that OCR counts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from hashing_encoder import offer
from report import Figure

from briefbank.bank.local import Bank
from briefbank.ingest.cluster.head import Cluster
from briefbank.ingest.cluster.machines import local_cluster
from briefbank.platform.layout import Layout

_SAMPLES = Path(__file__).resolve().parents[1] / "data" / "samples" / "office" / "briefs"
_YEARS = ("2001", "2004", "2007", "2010")
"""Of the scanned samples, 59 pages."""
_EFFICIENCY, _MOST_OVERHEAD_PERCENT = 0.85, 10


def measure(work: Path, *, quick: bool) -> list[Figure]:
    """Index the same scans in each way."""
    folder, cores = work / "scans", sorted(os.sched_getaffinity(0))
    for year in _YEARS[: 2 if quick else None]:
        shutil.copytree(_SAMPLES / year, folder / year)
    plain, one = (_seconds(folder, work, cores[:1], workers) for workers in (0, 1))
    figures = [
        Figure("scanned briefs, one machine, one core", plain, "s", is_cost=True),
        Figure("cluster, 1 worker", one, "s", is_cost=True),
        Figure("  overhead over one machine", 100 * (one / plain - 1), "%", _MOST_OVERHEAD_PERCENT, is_cost=True),
    ]
    for workers in (each for each in (2, 4) if each <= len(cores)):
        wall = _seconds(folder, work, cores[:workers], workers)
        figures += [
            Figure(f"cluster, {workers} workers", wall, "s", is_cost=True),
            Figure(f"  efficiency with {workers} workers, of ideal", one / wall / workers, "of 1", _EFFICIENCY),
        ]
    return figures


def _seconds(folder: Path, work: Path, cores: list[int], workers: int) -> float:
    """How long an index run into a new bank takes, in a process of its own that is pinned; 0 workers: a plain run."""
    words = [str(folder), str(work / f"bank-{time.monotonic_ns()}"), str(workers), *map(str, cores)]
    places = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    command = [sys.executable, __file__, *words]
    return float(subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", env=places, check=True).stdout)


def _run(folder: Path, bank: Path, workers: int, cores: list[int]) -> float:
    """Index pinned to some cores, and return the seconds, start of scheduler and workers included."""
    os.sched_setaffinity(0, cores)
    offer()
    layout = Layout(bank)
    layout.create()
    with layout.settings_file.open("a", encoding="utf-8") as file:  # it ends with [settings]
        file.write('encoder = "hashing"\nworkers = 1\nsettle_s = 0.0\n')
    started = time.perf_counter()
    with Bank.open(bank) as opened:
        if not workers:
            opened.index(folder)
        else:
            with local_cluster(folder, workers) as local:
                opened.index(folder, elsewhere=Cluster(local.scheduler_address, local.security, warn=print))
    return time.perf_counter() - started


if __name__ == "__main__":
    print(_run(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), [int(each) for each in sys.argv[4:]]))
