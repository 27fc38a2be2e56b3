"""The candidates of a search: the best of each retriever, each scored exactly by both, and how strong each one is.

Must not know how candidates are ranked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from briefbank.index.dense import Rows, Vector
from briefbank.index.generation import Generation
from briefbank.index.term_index import TermIndex
from briefbank.index.tokens import index_terms
from briefbank.search.fuse import Scores
from briefbank.search.query import Understanding
from briefbank.search.scope import Scope

# The default of `dense_weight`. `weak_below` was calibrated with it (22 November 2026), so that it stays as it is where
# a bank has learned another weight.
_STRENGTH_DENSE_SHARE = 0.6


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
    # LanceDB works in threads of its own: what is looked up by words meanwhile costs no time.
    wait_for_nearest = generation.dense.begin_search(vector, depth, scope.shown) if scope.mask.any() else None
    all_scores = generation.lexical.scores(understanding.terms, thesaurus())
    unhidden_run, lexical_run = all_scores.best_in_both(depth, scope.allowed, scope.shown)
    hidden_count = int(scope.hidden[unhidden_run].sum())
    if wait_for_nearest is None:
        return _no_candidates(hidden_count)
    worded = np.union1d(lexical_run, also)
    nothing = np.empty((0, len(vector)), dtype=np.float32)
    vectors_of_worded = generation.dense.ranking_vectors(worded) if len(worded) else nothing
    # "No passage has all these words" is said of the whole scope, not of the candidates.
    own_terms = understanding.own_terms
    has_exact = len(set(own_terms)) == len(own_terms) and generation.lexical.has_all(own_terms, scope.shown)
    nearest = wait_for_nearest()
    # Each candidate gets both scores, whichever retriever brought it, or the mix would punish what only one has found.
    rows = np.union1d(worded, nearest.rows)
    vectors = np.empty((len(rows), len(vector)), dtype=np.float32)
    vectors[np.searchsorted(rows, worded)] = vectors_of_worded
    vectors[np.searchsorted(rows, nearest.rows)] = nearest.vectors
    dense = vectors @ vector
    dense[np.searchsorted(rows, nearest.rows)] = nearest.cosines
    return Candidates(
        rows=rows,
        lexical=all_scores.of(rows),
        dense=dense,
        vectors=vectors,
        lexical_run=lexical_run,
        dense_run=nearest.rows,
        hidden_count=hidden_count,
        has_exact=has_exact,
    )


def _no_candidates(hidden_count: int) -> Candidates:
    nothing = np.empty(0, dtype=np.float32)
    no_rows = np.empty(0, dtype=np.int64)
    no_vectors = np.empty((0, 0), dtype=np.float32)
    return Candidates(no_rows, nothing, nothing, no_vectors, no_rows, no_rows, hidden_count, has_exact=False)


def strengths(shares: Scores, candidates: Candidates) -> Scores:
    """How well each candidate answers at all, shape (candidates,), at most 1, on the same scale for every question.

    It is the cosine, and what `shares_of_most` gives; a word that no passage holds counts as fully missed. A ranking
    cannot tell this: it compares passages with one another, so its best is near 1 also for a question that nothing
    answers. How `weak_below` was calibrated: docs/evaluation.md, “Weak matches”.
    """
    strength: Scores = _STRENGTH_DENSE_SHARE * candidates.dense + (1 - _STRENGTH_DENSE_SHARE) * shares
    return strength


def shares_of_most(index: TermIndex, understanding: Understanding, candidates: Candidates) -> Scores:
    """What the words reach in each candidate as a share of the most that they could in any, shape (candidates,)."""
    most = index.most(understanding.terms)
    return candidates.lexical.astype(float) / most if most else candidates.lexical.astype(float)


@cache
def thesaurus() -> Mapping[str, tuple[str, ...]]:
    """The equivalents of each term that has any, in alphabetical order, out of `thesaurus.txt`."""
    # By itself it raised Recall@100 of the words' side from 90.7 to 94.9 in a trial on judged queries; fused with
    # meaning it changed nothing. It stays for what meaning does not catch, and because anybody can mend the file.
    text = files("briefbank.search").joinpath("thesaurus.txt").read_text(encoding="utf-8")
    equivalents: dict[str, set[str]] = {}
    for line in text.splitlines():
        group = set() if line.startswith("#") else {index_terms(word)[0] for word in line.split(",") if word.strip()}
        for term in group:
            equivalents.setdefault(term, set()).update(group - {term})
    return {term: tuple(sorted(others)) for term, others in equivalents.items()}
