"""The candidates of a search: the best of each retriever, each scored exactly by both; nothing of their fusion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from briefbank.index.dense import Rows, Vector
from briefbank.index.generation import Generation
from briefbank.index.lexical import top_rows
from briefbank.search.query import Understanding
from briefbank.search.scope import Scope
from briefbank.search.thesaurus import thesaurus


@dataclass(frozen=True, slots=True)
class Candidates:
    """`rows` are distinct and ascending; `lexical` and `dense` are their scores, shape (candidates,).

    `lexical_run` and `dense_run` are the rows as each retriever ranked them, best first.
    """

    rows: Rows
    lexical: Vector
    dense: Vector
    vectors: Vector
    lexical_run: Rows
    dense_run: Rows
    hidden_count: int
    has_exact: bool


def retrieve(
    generation: Generation, understanding: Understanding, vector: Vector, scope: Scope, depth: int, also: Rows
) -> Candidates:
    """Bring the `depth` best passages of each retriever within the scope, and the rows in `also`, which lie in it.

    A candidate counts as hidden where it would have been among the lexical ones but for its section kind.
    """
    all_scores = generation.lexical.scores(understanding.terms, thesaurus())
    unhidden_run = top_rows(all_scores, depth, scope.mask | scope.hidden)
    hidden_count = int(scope.hidden[unhidden_run].sum())
    if not scope.mask.any():
        return _no_candidates(hidden_count)
    lexical_run = top_rows(all_scores, depth, scope.mask)
    dense_run, similarities = generation.dense.search(vector, depth, scope.where)
    rows = np.union1d(np.union1d(lexical_run, dense_run), also)
    vectors = generation.dense.vectors(rows)
    dense = vectors @ vector
    dense[np.searchsorted(rows, dense_run)] = similarities
    counts = generation.lexical.matched_counts(understanding.own_terms)
    return Candidates(
        rows=rows,
        lexical=all_scores[rows],
        dense=dense,
        vectors=vectors,
        lexical_run=lexical_run,
        dense_run=dense_run,
        hidden_count=hidden_count,
        has_exact=bool((counts[scope.mask] == len(understanding.words)).any()),
    )


def _no_candidates(hidden_count: int) -> Candidates:
    nothing = np.empty(0, dtype=np.float32)
    no_rows = np.empty(0, dtype=np.int64)
    no_vectors = np.empty((0, 0), dtype=np.float32)
    return Candidates(no_rows, nothing, nothing, no_vectors, no_rows, no_rows, hidden_count, has_exact=False)
