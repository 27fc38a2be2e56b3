"""Wall time of indexing scans by a cluster of this machine: with more workers, against one worker, against one machine,
and against the best that the machine's cores can do side by side.

Each run is pinned to as many cores as it has processes that read, with the head and the scheduler among them. Cores of
one machine share memory, caches and often more, so that two of them are no twice as fast: how fast they are is what
runs that know nothing of each other do at the same time, one pinned to each core.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
import tomllib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import tomli_w
from corpus import source_sentences
from hashing_encoder import offer
from report import Figure

from briefbank.bank.local import Bank
from briefbank.ingest.cluster.head import Cluster
from briefbank.ingest.cluster.machines import local_cluster
from briefbank.platform.layout import Layout

_SCAN_DPI = 200
_MOST_PAGES = 7
_WIDTH_PT, _HEIGHT_PT = 612, 792
_WORDS_A_PAGE, _LINE_CHARACTERS = 500, 84
_EFFICIENCY, _MOST_OVERHEAD_PERCENT = 0.85, 10


def measure(work: Path, *, quick: bool) -> list[Figure]:
    """Index the same scans in each way; the encoder is the hashing one, so that OCR is what counts."""
    offer()
    cores = sorted(os.sched_getaffinity(0))
    folder = work / "scans"
    pages = _write_scans(folder, files=7 if quick else 14)
    plain = _seconds(folder, work, cores[:1], workers=0)
    side_by_side = max(_at_once(folder, work, cores)) if len(cores) > 1 else plain
    ceiling = plain / side_by_side
    figures = [
        Figure(f"{pages} scanned pages, one machine, one core", plain, "s", is_cost=True),
        Figure(f"each of {len(cores)} such runs at once, a core each", side_by_side, "s", is_cost=True),
        Figure("  what the machine's cores do of ideal at once", ceiling, "of 1"),
    ]
    one = _seconds(folder, work, cores[:1], workers=1)
    overhead = 100 * (one / plain - 1)
    figures += [
        Figure("cluster, 1 worker", one, "s", is_cost=True),
        Figure("  overhead over one machine", overhead, "%", _MOST_OVERHEAD_PERCENT, is_cost=True),
    ]
    for workers in (each for each in (2, 4) if each <= len(cores)):
        wall = _seconds(folder, work, cores[:workers], workers=workers)
        figures += [
            Figure(f"cluster, {workers} workers", wall, "s", is_cost=True),
            Figure(f"  efficiency with {workers} workers, of ideal", one / wall / workers, "of 1", _EFFICIENCY),
        ]
        if workers == len(cores):
            figures.append(Figure("  the same, of what the cores do at once", one / wall / workers / ceiling, "of 1"))
    return figures


def _seconds(folder: Path, work: Path, cores: list[int], *, workers: int) -> float:
    """How long an index run into a new bank takes, in a process of its own that is pinned; 0 workers: a plain run."""
    return _waited(_start(folder, work, cores, workers))


def _at_once(folder: Path, work: Path, cores: list[int]) -> list[float]:
    return [_waited(each) for each in [_start(folder, work, [core], workers=0) for core in cores]]


def _start(folder: Path, work: Path, cores: list[int], workers: int) -> subprocess.Popen[str]:
    words = [str(folder), str(work / f"bank-{time.monotonic_ns()}"), str(workers), *map(str, cores)]
    places = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    return subprocess.Popen([sys.executable, __file__, *words], stdout=subprocess.PIPE, encoding="utf-8", env=places)


def _waited(process: subprocess.Popen[str]) -> float:
    said, _ = process.communicate()
    if process.returncode:
        raise SystemExit("A run failed.")
    return float(said)


def _run(folder: Path, bank: Path, workers: int, cores: list[int]) -> float:
    """Index pinned to some cores, and return the seconds."""
    os.sched_setaffinity(0, cores)
    layout = Layout(bank)
    layout.create()
    told = tomllib.loads(layout.settings_file.read_text(encoding="utf-8"))
    settings = told.get("settings", {}) | {"encoder": "hashing", "workers": 1, "settle_s": 0.0}
    layout.settings_file.write_text(tomli_w.dumps(told | {"settings": settings}), encoding="utf-8")
    started = time.perf_counter()
    with Bank.open(bank) as opened:
        if not workers:
            opened.index(folder)
        else:
            with local_cluster(folder, workers) as local:
                opened.index(folder, elsewhere=Cluster(local.scheduler_address, local.security, warn=print))
    return time.perf_counter() - started


def _write_scans(folder: Path, files: int) -> int:
    """Write PDF files of 1 to 7 page images, of which no two are alike; returns the number of pages."""
    import pymupdf

    folder.mkdir()
    words = iter(" ".join(source_sentences() * (1 + files // 8)).split())
    counts = [1 + number % _MOST_PAGES for number in range(files)]
    for number, pages in enumerate(counts):
        with pymupdf.open() as made:
            for _ in range(pages):
                picture = _page(words).get_pixmap(dpi=_SCAN_DPI, colorspace=pymupdf.csGRAY)
                jpeg = picture.tobytes("jpg", jpg_quality=80)
                made.new_page(width=_WIDTH_PT, height=_HEIGHT_PT).insert_image(made[-1].rect, stream=jpeg)
            made.save(folder / f"scan-{number:02d}.pdf")
    return sum(counts)


def _page(words: Iterator[str]) -> Any:
    """A page of text."""
    import pymupdf

    lines = textwrap.wrap(" ".join(islice(words, _WORDS_A_PAGE)), _LINE_CHARACTERS)
    page = pymupdf.open().new_page(width=_WIDTH_PT, height=_HEIGHT_PT)
    page.insert_text((72, 80), lines, fontname="tiro", fontsize=11, lineheight=1.3)
    return page


if __name__ == "__main__":
    print(_run(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), [int(each) for each in sys.argv[4:]]))
