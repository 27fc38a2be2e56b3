"""How well a candidate answers at all, on a scale that is the same for every question. Knows no ranking and no hits.

Ranking compares passages with one another, so its best is always 1. Whether even the best is any good needs a measure
that an unanswerable question cannot reach. How it was calibrated: docs/evaluation.md, “Weak matches”.
"""

from __future__ import annotations

from briefbank.index.lexical import LexicalIndex
from briefbank.search.fuse import Scores
from briefbank.search.query import Understanding
from briefbank.search.retrieve import Candidates

_MEANING = 0.6


def strengths(index: LexicalIndex, understanding: Understanding, candidates: Candidates) -> Scores:
    """The strength of each candidate, shape (candidates,), at most 1.

    It is the cosine, and the share that the words reach of the most that they could; a word that no passage holds
    counts as fully missed.
    """
    most = index.most(understanding.terms)
    covered = candidates.lexical.astype(float) / most if most else candidates.lexical.astype(float)
    strength: Scores = _MEANING * candidates.dense + (1 - _MEANING) * covered
    return strength
