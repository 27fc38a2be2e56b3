"""Pseudo-relevance feedback: the best passages of a first ranking sharpen the query. Knows vectors and terms only.

It finds the passages that say the same in other words, which a question as short as a defender's cannot name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from briefbank.index.dense import Vector
from briefbank.index.term_index import TermIndex
from briefbank.index.tokens import is_telling

# Chosen on 22 November 2026. In a trial both together won 6.2 points of NDCG@10 where a query has many relevant
# passages (contract clauses) and lost 2 on defenders' questions with about three each. Once all of the first five were
# judged, part of that loss turned out to be missing judgements: useful@5 +1.8, graded NDCG@10 −0.4.
PASSAGES = 5
"""How many of the best passages are taken for relevant."""
_BETA = 0.5
"""What their mean weighs beside the query's own vector."""
_TERMS = 15
"""How many of their terms are added."""


def towards(vector: Vector, best: Vector) -> Vector:
    """Move a query's unit vector towards the mean of the best passages', shape (passages, dimension) (Rocchio 1971)."""
    moved = vector + _BETA * best.mean(axis=0)
    length = float(np.linalg.norm(moved))
    return vector if length == 0 else (moved / length).astype(np.float32)


def telling_terms(passages: Sequence[Sequence[str]], index: TermIndex, count: int = _TERMS) -> Mapping[str, float]:
    """The terms that set passages apart, each with its weight; the weights add up to 1.

    A relevance model (RM3; Abdul-Jaleel et al. 2004): a term's weight is its mean share of a passage's terms, and the
    `count` terms are chosen by that share times their rarity.
    """
    shares: defaultdict[str, float] = defaultdict(float)
    for terms in passages:
        for term, times in Counter(terms).items():
            shares[term] += times / len(terms)
    rarity = {term: index.rarity(term) for term in shares if is_telling(term) and index.holders(term) > 1}
    chosen = sorted(rarity, key=lambda term: (-shares[term] * rarity[term], term))[:count]
    total = sum(shares[term] for term in chosen)
    return {term: shares[term] / total for term in chosen}
