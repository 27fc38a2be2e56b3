"""Search from typed to results, memory and cold start, over synthetic banks of several sizes."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import psutil
from corpus import fill_bank, make_material, publish_bank
from report import Figure

from briefbank.bank.local import Bank
from briefbank.models.encoders import encoder_digest, export_encoder, load_query_encoder
from briefbank.platform.settings import Settings
from briefbank.values.records import DocumentKind, Filters, Query, SortOrder

DESIGN_SIZE = 140_000
_QUERIES = Path(__file__).with_name("queries.txt")
_MEMORY_QUERIES = 50
_EXPRESSIONS = (
    "consent /s search", '"reasonable suspicion" & stop', "(car or vehicle) /s search!", "suppress! /p confess!",
    "jury +3 instruct!", '"excited utterance" % hearsay', "officer /10 warrant & home", "miranda & (waiv! or invok!)",
    "sentenc! /s (excessive or mitigating)", '"beyond a reasonable doubt" /p charge', "identif! /s photograph!",
    "prosecutor /s (summation or closing)", "2c:11-3 & purpose", "plain /2 error", "state /s prove & clear",
    "counsel /5 ineffective", "wom*n or m*n /s victim", '"change control"~5^5', "the /s of", "con! /s sta!",
)  # fmt: skip
"""Terms and connectors, the last two broad on purpose."""
_IMPORT_TIME = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \| (\s*)(\S+)")
_SHOWN_IMPORTS = 8


def queries() -> list[Query]:
    """The benchmark's questions; every third is filtered, by kind and by date in turns."""
    lines = _QUERIES.read_text(encoding="utf-8").splitlines()
    filtered = (
        Filters(kinds=(DocumentKind.BRIEF,)),
        Filters(since=date(2015, 1, 1)),
        Filters(kinds=(DocumentKind.INTERNAL, DocumentKind.DIRECTIVE), until=date(2020, 12, 31)),
    )
    return [
        Query(line, sort=tuple(SortOrder)[n % 2], filters=filtered[n // 3 % 3] if n % 3 == 2 else Filters())
        for n, line in enumerate(lines)
    ]


def measure(sizes: list[int], work: Path, *, quick: bool) -> list[Figure]:
    """Build a bank of each size, search it in a fresh process; start cold over the one that the design plans for."""
    settings = Settings()
    export = work / "query-encoder"
    export_encoder(settings, export)
    encoder = load_query_encoder(export, encoder_digest(settings))
    material = make_material(encoder)
    figures = []
    for size in sizes:
        root = work / f"bank-{size}"
        fill_bank(root, size, material, encoder, export)
        started = time.perf_counter()
        publish_bank(root, export)
        writing_s, goal = time.perf_counter() - started, 120 if size == DESIGN_SIZE else None
        figures.append(Figure(f"{size:,} passages: writing the index", writing_s, "s", goal, is_cost=True))
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
            figures += fresh.submit(_search, root, size, 2 if quick else 5).result()
        if size == max(each for each in sizes if each <= DESIGN_SIZE):
            figures += _cold_start(root, size, 1 if quick else 3)
    return figures


def _search(root: Path, size: int, rounds: int) -> list[Figure]:
    """Memory after opening and some searches, then the time of each query, best of the rounds taken by its median."""
    asked = queries()
    process = psutil.Process()
    before = process.memory_info().rss
    started = time.perf_counter()
    bank = Bank.open(root)
    bank.search(asked[0])
    opening_s = time.perf_counter() - started
    for query in asked[:_MEMORY_QUERIES]:
        bank.search(query)
    memory = process.memory_info().rss
    mapped = sum(each.rss for each in process.memory_maps() if Path(each.path).is_relative_to(root.resolve()))
    times = [[_milliseconds(bank, query) for query in asked] for _ in range(rounds)]
    typical = np.median(times, axis=0)
    filtered = np.array([query.filters != Filters() for query in asked])
    exact = np.median([[_milliseconds(bank, Query(each)) for each in _EXPRESSIONS] for _ in range(rounds)], axis=0)
    is_design = size == DESIGN_SIZE
    name = f"{size:,} passages: "
    return [
        Figure(name + "search p50", float(np.percentile(typical, 50)), "ms", is_cost=True),
        Figure(name + "search p95", float(np.percentile(typical, 95)), "ms", 45 if is_design else None, is_cost=True),
        Figure(name + "search p95, single rounds", float(np.percentile(times, 95)), "ms", is_cost=True),
        Figure(name + "search p95 with filters", float(np.percentile(typical[filtered], 95)), "ms", is_cost=True),
        Figure(name + "terms and connectors p50", float(np.percentile(exact, 50)), "ms", is_cost=True),
        Figure(
            name + "terms and connectors p95",
            float(np.percentile(exact, 95)),
            "ms",
            80 if is_design else None,
            is_cost=True,
        ),
        Figure(name + "opening and first search", opening_s, "s", is_cost=True),
        Figure(name + "memory", memory / 1e9, "GB", 0.6 if is_design else None, is_cost=True),
        Figure(name + "memory, without mapped files", (memory - mapped) / 1e9, "GB", is_cost=True),
        Figure(name + "memory before opening", before / 1e9, "GB", is_cost=True),
    ]


def _milliseconds(bank: Bank, query: Query) -> float:
    started = time.perf_counter()
    bank.search(query)
    return 1000 * (time.perf_counter() - started)


def _cold_start(root: Path, size: int, rounds: int) -> list[Figure]:
    """Wall time of `briefbank search` as a new process, the files in the system's cache, and its largest imports."""
    command = ["-m", "briefbank", "search", queries()[0].text, "--bank", str(root), "--json"]
    subprocess.run([sys.executable, *command], stdout=subprocess.DEVNULL, check=True)  # compiles what is not yet
    walls = []
    before = os.times()
    for _ in range(rounds):
        started = time.perf_counter()
        subprocess.run([sys.executable, *command], stdout=subprocess.DEVNULL, check=True)
        walls.append(time.perf_counter() - started)
    after = os.times()
    busy = after.children_user + after.children_system - before.children_user - before.children_system
    profiled = subprocess.run(
        [sys.executable, "-X", "importtime", *command], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    name = f"{size:,} passages: "
    imports = [
        Figure(f"{name}  import of {package}", seconds, "s", is_cost=True)
        for package, seconds in largest_imports(profiled.stderr)
    ]
    goal = 1.5 if size == DESIGN_SIZE else None  # 0.9 was reached by private parts of LanceDB alone
    return [
        Figure(name + "cold start to results", statistics.median(walls), "s", goal, is_cost=True),
        Figure(name + "cold start, processor time", busy / rounds, "s", is_cost=True),
        *imports,
    ]


def largest_imports(profile: str) -> list[tuple[str, float]]:
    """The packages whose modules took most of an import profile (`-X importtime`), with their own seconds."""
    own: Counter[str] = Counter()
    for microseconds, _, _, module in _IMPORT_TIME.findall(profile):
        own[module.partition(".")[0]] += int(microseconds)
    return [(package, microseconds / 1e6) for package, microseconds in own.most_common(_SHOWN_IMPORTS)]
