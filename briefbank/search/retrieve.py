"""The candidates of a search: the best of each retriever, each scored exactly by both; nothing of their fusion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from briefbank.index.dense import Rows, Vector
from briefbank.index.generation import Generation
from briefbank.index.lexical import top_rows
from briefbank.search.query import Understanding
from briefbank.search.scope import Scope


@dataclass(frozen=True, slots=True)
class Candidates:
    """`rows` are distinct and ascending; `lexical` and `dense` hold their scores, shape (candidates,).

    `lexical_run` and `dense_run` are the rows as each retriever ranked them, best first.
    """

    rows: Rows
    lexical: Vector
    dense: Vector
    lexical_run: Rows
    dense_run: Rows
    hidden_count: int
    has_exact: bool


def retrieve(
    generation: Generation, understanding: Understanding, vector: Vector, scope: Scope, depth: int
) -> Candidates:
    """Bring the `depth` best passages of each retriever within the scope.

    A candidate counts as hidden where it would have been among the lexical ones but for its section kind.
    """
    all_scores = generation.lexical.scores(understanding.terms)
    unhidden_run = top_rows(all_scores, depth, scope.mask | scope.hidden)
    hidden_count = int(scope.hidden[unhidden_run].sum())
    if not scope.mask.any():
        nothing = np.empty(0, dtype=np.float32)
        no_rows = np.empty(0, dtype=np.int64)
        return Candidates(no_rows, nothing, nothing, no_rows, no_rows, hidden_count, has_exact=False)
    lexical_run = top_rows(all_scores, depth, scope.mask)
    dense_run, similarities = generation.dense.search(vector, depth, scope.where)
    rows = np.union1d(lexical_run, dense_run)
    dense = np.empty(len(rows), dtype=np.float32)
    dense[np.searchsorted(rows, dense_run)] = similarities
    missing = ~np.isin(rows, dense_run)
    dense[missing] = generation.dense.similarities(vector, rows[missing])
    counts = generation.lexical.matched_counts(understanding.own_terms)
    return Candidates(
        rows=rows,
        lexical=all_scores[rows],
        dense=dense,
        lexical_run=lexical_run,
        dense_run=dense_run,
        hidden_count=hidden_count,
        has_exact=bool((counts[scope.mask] == len(understanding.words)).any()),
    )
