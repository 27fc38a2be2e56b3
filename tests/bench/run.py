"""The benchmark: `make bench`, or parts of it by hand. Writes build/bench/latest.json and compares with the run before.

Figures of one machine mean little on another: read the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

import cluster
import encoding
import indexing
import reading
import report
import searching
from report import Figure

_ROOT = Path(__file__).resolve().parents[2]
_BUILD = _ROOT / "build" / "bench"
_SAMPLES = _ROOT / "tests" / "data" / "samples" / "office"
_COMPILED = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(_BUILD / "bytecode")}
"""For the commands that are timed: they keep their modules compiled, as an installation does, whatever is set here."""
_PARTS = ("reading", "encoding", "indexing", "unchanged", "searching", "cluster")


def main() -> None:
    args = _arguments()
    os.environ.update(_COMPILED)
    latest, work = _BUILD / "latest.json", _BUILD / "work"
    before = report.read_results(latest)
    facts = report.machine()
    print(f"{facts['processor']}, {facts['cores']} cores, {', '.join(facts['features'])}; load {facts['load']}")
    results = before
    for part in args.only or _PARTS:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        try:
            figures = _part(part, args, work, facts["features"])()
        finally:
            shutil.rmtree(work)
        print(f"\n{part}\n{report.table(figures, before.get(part, {}).get('figures', []))}", flush=True)
        at = datetime.now(UTC).isoformat(timespec="seconds")
        results = report.merged(results, part, figures, facts, at)
    if before:
        latest.replace(_BUILD / "previous.json")
    latest.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _part(part: str, args: argparse.Namespace, work: Path, features: list[str]) -> Callable[[], list[Figure]]:
    sizes = [10_000] if args.quick else [10_000, searching.DESIGN_SIZE]
    sizes += [1_000_000] * args.million
    files = sorted(path for path in args.corpus.rglob("*") if path.is_file())
    return {
        "reading": lambda: reading.measure(files, work, quick=args.quick),
        "encoding": lambda: encoding.measure(features, quick=args.quick),
        "indexing": lambda: indexing.measure(args.corpus, work),
        "unchanged": lambda: indexing.measure_unchanged(work, quick=args.quick),
        "searching": lambda: searching.measure(sizes, work, quick=args.quick),
        "cluster": lambda: cluster.measure(work, quick=args.quick),
    }[part]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure reading, encoding, indexing and searching on this machine.")
    parser.add_argument("--only", action="append", choices=_PARTS, help="measure this part alone; may be repeated")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, small banks: two minutes")
    parser.add_argument("--million", action="store_true", help="search 1,000,000 passages too: half an hour, 6 GB")
    parser.add_argument("--corpus", type=Path, default=_SAMPLES, metavar="DIR", help="briefs to read and index")
    return parser.parse_args()


if __name__ == "__main__":
    main()
