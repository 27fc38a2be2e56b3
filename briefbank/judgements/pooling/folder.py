"""Pools and settled judgements as folders: what `briefbank feedback pool` and `adjudicate` read and write."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from briefbank.errors import SourceError, UsageError
from briefbank.judgements.evaluate.beir import Entry, read_entries, write_beir_qrels, write_entries
from briefbank.judgements.pooling.adjudicate import Adjudication, adjudicate, qrels_of
from briefbank.judgements.pooling.pool import Pooler
from briefbank.judgements.pooling.sheet import Pair, read_guide, read_sheet, read_text, write_sheet
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import new_folder, require_new
from briefbank.platform.progress import CancelToken, Progress, Reporter, time_left

QRELS_NAME = "judged"


@dataclass(frozen=True, slots=True)
class PoolReport:
    """What a pool holds; `empty` names the queries for which nothing was found."""

    queries: int
    pairs: int
    empty: tuple[str, ...]


def write_pool(
    pooler: Pooler,
    queries_file: Path,
    out: Path,
    *,
    per_query: int,
    guide: Path | None,
    seed: int,
    reporter: Reporter,
    cancel: CancelToken,
) -> PoolReport:
    """Pool every query of a file into `out`: `pool.csv` and `pool.jsonl`, the same pairs, and `queries.jsonl`.

    Raises:
        SourceError: the queries or the guide cannot be read.
        UsageError: there is something at `out`, or a run is of other queries.
        CancelledError: asked to stop; nothing is written.
        NoSpaceError: the disk is full.
    """
    require_new(out)
    queries = _read_queries(queries_file)
    pooler.require_known(queries)
    told = _read_guide(guide)
    started = time.monotonic()
    pools: dict[str, list[Pair]] = {}
    for done, query in enumerate(queries):
        cancel.check()
        elapsed = time.monotonic() - started
        left = time_left(elapsed, done, len(queries))
        reporter(Progress("searching", done, len(queries), elapsed_s=elapsed, seconds_left=left, unit="queries"))
        pools[query.id] = pooler.pool(query, per_query, seed)
    pairs = [pair for pool in pools.values() for pair in pool]
    with disk_guard(out.parent, "writing the pool"), new_folder(out) as folder:
        write_sheet(pairs, folder / "pool.csv", told)
        write_sheet(pairs, folder / "pool.jsonl", told)
        write_entries(folder / "queries.jsonl", queries)
    return PoolReport(len(queries), len(pairs), tuple(query for query, pool in pools.items() if not pool))


def adjudicate_sheets(files: Sequence[Path], out: Path) -> Adjudication:
    """Settle graded sheets into a BEIR folder, and write what a third reader must see as `third-reading.csv` in it.

    Raises:
        SourceError: a sheet cannot be read.
        UsageError: there is something at `out`, or the sheets are of different pools, or nothing is graded.
        NoSpaceError: the disk is full.
    """
    require_new(out)
    found = adjudicate({name: read_sheet(file) for name, file in _named(files).items()})
    if not found.settled and not found.disputed:
        raise UsageError("Nothing in these sheets is graded.", "Fill in the column 'grade' with 0, 1, 2 or 3.")
    with disk_guard(out.parent, "writing the judgements"), new_folder(out) as folder:
        _write_collection(found.settled, folder)
        if found.disputed:
            for name in ("third-reading.csv", "third-reading.jsonl"):
                write_sheet(found.disputed, folder / name, read_guide())
    return found


def _write_collection(settled: Sequence[Pair], folder: Path) -> None:
    """As `briefbank evaluate` reads it; passages without a text are left to whoever has them."""
    queries = {pair.query_id: Entry(pair.query_id, pair.query) for pair in settled}
    passages = {pair.passage_id: Entry(pair.passage_id, pair.text, pair.heading) for pair in settled if pair.text}
    write_entries(folder / "queries.jsonl", queries.values())
    write_entries(folder / "corpus.jsonl", passages.values())
    (folder / "qrels").mkdir()
    write_beir_qrels(qrels_of(settled), folder / "qrels" / f"{QRELS_NAME}.tsv")


def _named(files: Sequence[Path]) -> dict[str, Path]:
    """The sheets by short names that differ."""
    if len(set(files)) < len(files):
        raise UsageError("A sheet is named twice.", "Name each reader's sheet once.")
    short = {file.stem: file for file in files}
    return short if len(short) == len(files) else {str(file): file for file in files}


def _read_guide(file: Path | None) -> str:
    return read_guide() if file is None else read_text(file, "Name a text file in UTF-8 as the guide.").strip()


def _read_queries(file: Path) -> list[Entry]:
    """The queries of a file: BEIR JSON lines, or a line each, which are numbered."""
    if file.suffix.lower() == ".jsonl":
        return read_entries(file)
    lines = read_text(file, "Name a text file in UTF-8 with one query a line.").splitlines()
    queries = [line.strip() for line in lines if line.strip()]
    if not queries:
        raise SourceError(f"{file} holds no query.", "Write one query a line.")
    return [Entry(f"q{number:04}", text) for number, text in enumerate(queries, start=1)]
