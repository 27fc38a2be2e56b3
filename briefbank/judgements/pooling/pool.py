"""Candidates to be graded for a query: the best of several rankings, near-copies once, shuffled; written and read as
folders.

Pooling as TREC does it (Sparck Jones and van Rijsbergen 1975): what no ranking brings is not judged, so that a pool
should draw on rankings that differ.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from briefbank.errors import SourceError, UsageError
from briefbank.index.generation import Generation
from briefbank.judgements.evaluate.beir import (
    Entry,
    Run,
    read_entries,
    read_text,
    read_trec_run,
    write_beir,
    write_entries,
)
from briefbank.judgements.feedback.events import text_sha256
from briefbank.judgements.pooling.sheet import (
    Adjudication,
    Pair,
    adjudicate,
    qrels_of,
    read_guide,
    read_sheet,
    write_sheet,
)
from briefbank.models.encoders.port import Encoder
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import new_folder, require_new
from briefbank.platform.progress import CancelToken, Progress, Reporter, counting
from briefbank.search.engine import SearchEngine
from briefbank.search.parse import understand
from briefbank.search.scope import scope_of
from briefbank.values.records import Passage, Query, SortOrder

LEAST_PER_QUERY = 4
_DEPTH = 100
"""How deep each ranking is looked into."""
_DEEP_FROM = 20
"""Ranks of the search from which the hard ones are drawn: near enough to be mistaken, too far to be shown."""

QRELS_NAME = "judged"


class Pooler:
    """Makes pools over one generation. `runs` are rankings of other systems over the same passages."""

    def __init__(
        self, generation: Generation, engine: SearchEngine, encoder: Encoder, runs: Sequence[Run] = ()
    ) -> None:
        self._generation = generation
        self._engine = engine
        self._encoder = encoder
        self._runs = runs

    def pool(self, query: Entry, per_query: int, seed: int) -> list[Pair]:
        """Choose at most `per_query` passages: half from the search itself, the rest by turns from each retriever alone
        and each further run, an eighth from ranks 20 to 100 of the search; shuffled by the query's id and `seed`.

        Raises:
            UsageError: `per_query` is below 4.
        """
        if per_query < LEAST_PER_QUERY:
            raise UsageError("A pool that small says nothing.", f"Give --per-query {LEAST_PER_QUERY} or more.")
        chance = random.Random(f"{seed} {query.id}")  # noqa: S311 - repeatable, not secret
        try:
            search, others = self._rankings(query)
        except UsageError:  # a query without a word has no candidates, and the others still have theirs
            return []
        rows = _choose(search, others, per_query, self._generation.families.root, chance)
        chance.shuffle(rows)
        return [_pair(query, passage) for passage in self._generation.dense.passages(np.array(rows, dtype=np.int64))]

    def require_known(self, queries: Sequence[Entry]) -> None:
        """Refuse a run that answers none of the queries: its ids are those of others.

        Raises:
            UsageError: there is one, by number.
        """
        known = {query.id for query in queries}
        for number, run in enumerate(self._runs, start=1):
            if not known & set(run):
                message = f"Run {number} ranks nothing for any of these queries."
                raise UsageError(message, "Name the run that was made for them; ids must be the same.")

    def _rankings(self, query: Entry) -> tuple[list[int], list[list[int]]]:
        """The rows that the search brings, as people are shown them, and those of every other ranking, best first."""
        asked = Query(query.text, top_k=_DEPTH, sort=SortOrder.RELEVANCE, include_weak=True)
        search = self._rows(hit.passage.id for hit in self._engine.search(asked).hits)
        understanding = understand(query.text)
        vector = self._encoder.encode_queries([understanding.meaning])[0]
        scope = scope_of(asked, self._generation.dense)
        words = self._generation.lexical.scores(understanding.terms).best(_DEPTH, scope.shown)
        meaning = self._generation.dense.search(vector, _DEPTH, scope.shown)[0]
        runs = (self._rows(passage for passage, _ in run.get(query.id, ())[:_DEPTH]) for run in self._runs)
        return search, [words.tolist(), meaning.tolist(), *runs]

    def _rows(self, passage_ids: Iterable[str]) -> list[int]:
        rows = (self._generation.dense.row_of(each) for each in passage_ids)
        return [row for row in rows if row is not None]


def _choose(
    search: Sequence[int],
    others: Sequence[Sequence[int]],
    count: int,
    root: Callable[[int], int],
    chance: random.Random,
) -> list[int]:
    """Take what the recipe says from each ranking, and fill what is then missing from the search."""
    taken: dict[int, int] = {}

    def take(rows: Iterable[int], number: int) -> None:
        for row in rows:
            if number <= 0 or len(taken) >= count:
                return
            if root(row) not in taken:
                taken[root(row)] = row
                number -= 1

    deep = list(search[_DEEP_FROM:])
    chance.shuffle(deep)
    hard = max(count // 8, 1)
    take(search, count // 2)
    each = (count - count // 2 - hard) // max(len(others), 1)
    for ranking in others:
        take(ranking, each)
    take(deep, hard)
    take(search, count)
    for ranking in others:
        take(ranking, count)
    return list(taken.values())


def _pair(query: Entry, passage: Passage) -> Pair:
    heading = " › ".join(passage.section_path)
    return Pair(query.id, query.text, passage.id, text_sha256(passage.text), heading, passage.text)


def open_pooler(generation: Generation, engine: SearchEngine, encoders: Path, runs: Sequence[Path]) -> Pooler:
    """Return what pools over a generation, with its query encoder out of the folder `encoders` and with further
    rankings, in TREC format.

    Raises:
        SourceError: a run cannot be read.
        ModelError, BankDamagedError: the encoder cannot be used.
    """
    from briefbank.models.encoders import load_query_encoder

    digest = generation.info.encoder_digest
    encoder = load_query_encoder(encoders / digest, digest)
    return Pooler(generation, engine, encoder, [read_trec_run(run) for run in runs])


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
    guide_text = read_text(guide, "Name a text file in UTF-8 as the guide.").strip() if guide else read_guide()
    report = counting(reporter, Progress("searching", files_total=len(queries), unit="queries"), len(queries))
    pools: dict[str, list[Pair]] = {}
    for done, query in enumerate(queries):
        cancel.check()
        report(done)
        pools[query.id] = pooler.pool(query, per_query, seed)
    pairs = [pair for pool in pools.values() for pair in pool]
    with disk_guard(out.parent, "writing the pool"), new_folder(out) as folder:
        write_sheet(pairs, folder / "pool.csv", guide_text)
        write_sheet(pairs, folder / "pool.jsonl", guide_text)
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
    if len(set(files)) < len(files):
        raise UsageError("A sheet is named twice.", "Name each reader's sheet once.")
    are_short = len({file.stem for file in files}) == len(files)
    found = adjudicate({file.stem if are_short else str(file): read_sheet(file) for file in files})
    if not found.settled and not found.disputed:
        raise UsageError("Nothing in these sheets is graded.", "Fill in the column 'grade' with 0, 1, 2 or 3.")
    with disk_guard(out.parent, "writing the judgements"), new_folder(out) as folder:
        queries = {pair.query_id: Entry(pair.query_id, pair.query) for pair in found.settled}
        # Passages without a text are left to whoever has them.
        with_text = [pair for pair in found.settled if pair.text]
        passages = {pair.passage_id: Entry(pair.passage_id, pair.text, pair.heading) for pair in with_text}
        write_beir(folder, passages.values(), queries.values(), qrels_of(found.settled), QRELS_NAME)
        if found.disputed:
            for name in ("third-reading.csv", "third-reading.jsonl"):
                write_sheet(found.disputed, folder / name, read_guide())
    return found


def _read_queries(file: Path) -> list[Entry]:
    """The queries of a file: BEIR JSON lines, or a line each, which are numbered."""
    if file.suffix.lower() == ".jsonl":
        return read_entries(file)
    lines = read_text(file, "Name a text file in UTF-8 with one query a line.").splitlines()
    queries = [line.strip() for line in lines if line.strip()]
    if not queries:
        raise SourceError(f"{file} holds no query.", "Write one query a line.")
    return [Entry(f"q{number:04}", text) for number, text in enumerate(queries, start=1)]
