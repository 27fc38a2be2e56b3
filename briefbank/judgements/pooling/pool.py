"""Candidates to be graded for a query: the best of several rankings, near-copies once, shuffled.

Pooling as TREC does it (Sparck Jones and van Rijsbergen 1975): what no ranking brings is not judged, so that a pool
should draw on rankings that differ. Reads a generation and writes nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from briefbank.errors import UsageError
from briefbank.index.generation import Generation
from briefbank.index.lexical import top_rows
from briefbank.judgements.evaluate.beir import Entry, Run
from briefbank.judgements.feedback.events import text_sha256
from briefbank.judgements.pooling.sheet import Pair
from briefbank.models.encoders.port import Encoder
from briefbank.records import Passage, Query, SortOrder
from briefbank.search.engine import SearchEngine
from briefbank.search.query import understand
from briefbank.search.scope import scope_of

LEAST_PER_QUERY = 4
_DEPTH = 100
"""How deep each ranking is looked into."""
_DEEP_FROM = 20
"""Ranks of the search from which the hard ones are drawn: near enough to be mistaken, too far to be shown."""


@dataclass(frozen=True, slots=True)
class Rankings:
    """The rows that each ranking brings for one query, best first. `search` is what people are shown."""

    search: Sequence[int]
    others: tuple[Sequence[int], ...]


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
            rankings = self._rankings(query)
        except UsageError:  # a query without a word has no candidates, and the others still have theirs
            return []
        rows = _choose(rankings, per_query, self._generation.families.root, chance)
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

    def _rankings(self, query: Entry) -> Rankings:
        asked = Query(query.text, top_k=_DEPTH, sort=SortOrder.RELEVANCE, include_weak=True)
        search = self._rows(hit.passage.id for hit in self._engine.search(asked).hits)
        understanding = understand(query.text)
        vector = self._encoder.encode_queries([understanding.meaning])[0]
        scope = scope_of(asked, self._generation.dense)
        words = top_rows(self._generation.lexical.scores(understanding.terms), _DEPTH, scope.mask)
        meaning = self._generation.dense.search(vector, _DEPTH, scope.where)[0]
        runs = (self._rows(passage for passage, _ in run.get(query.id, ())[:_DEPTH]) for run in self._runs)
        return Rankings(search, (words.tolist(), meaning.tolist(), *runs))

    def _rows(self, passage_ids: Iterable[str]) -> list[int]:
        rows = (self._generation.dense.row_of(each) for each in passage_ids)
        return [row for row in rows if row is not None]


def _choose(rankings: Rankings, count: int, root: Callable[[int], int], chance: random.Random) -> list[int]:
    """Take what the recipe says from each ranking, and fill what is then missing from the search."""
    taken: dict[int, int] = {}

    def take(rows: Iterable[int], number: int) -> None:
        for row in rows:
            if number <= 0 or len(taken) >= count:
                return
            if root(row) not in taken:
                taken[root(row)] = row
                number -= 1

    deep = list(rankings.search[_DEEP_FROM:])
    chance.shuffle(deep)
    hard = max(count // 8, 1)
    take(rankings.search, count // 2)
    each = (count - count // 2 - hard) // max(len(rankings.others), 1)
    for ranking in rankings.others:
        take(ranking, each)
    take(deep, hard)
    take(rankings.search, count)
    for ranking in rankings.others:
        take(ranking, count)
    return list(taken.values())


def _pair(query: Entry, passage: Passage) -> Pair:
    heading = " › ".join(passage.section_path)
    return Pair(query.id, query.text, passage.id, text_sha256(passage.text), heading, passage.text)
