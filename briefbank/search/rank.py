"""The order of a search's candidates: fusion, a closer look at the best, pseudo-relevance feedback.

Must not know hits or filters. What each stage does in words: docs/evaluation.md, “How a search ranks”.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from briefbank.index.dense import Vector
from briefbank.index.generation import Generation
from briefbank.index.tokens import own_terms, surfaces
from briefbank.search.fuse import Scores, mix, of_best
from briefbank.search.pseudo_relevance import PASSAGES, telling_terms, towards
from briefbank.search.query import Understanding
from briefbank.search.retrieve import Candidates
from briefbank.search.scope import LOWERING
from briefbank.search.signals import Proximity, argument_style

# The four below were chosen on 70 judged questions of defenders on 22 November 2026: with all of them the search won
# 2.8 points on these, and nothing on 100 questions that nobody had tuned on. Whoever changes one should measure it on
# judgements that were not looked at before (docs/decisions/0009-ranking.md).
_READ = 60
"""How many of the best candidates are read; the words of the others' texts are not looked at."""
_CLOSENESS_WEIGHT = 0.1
_STYLE_WEIGHT = 0.05
_FEEDBACK_SHARE = 0.3
"""Share of the terms that feedback adds, against those of the query."""

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was read of the best candidates: their places among all, best first, their terms, and what that is worth."""

    places: npt.NDArray[np.int64]
    terms: list[list[str]]
    worth: Scores


def rank(
    generation: Generation,
    understanding: Understanding,
    vector: Vector,
    candidates: Candidates,
    lowered: Mask,
    dense_weight: float,
) -> Scores:
    """Score the candidates, shape (candidates,); `lowered` marks those whose section kind ranks lower.

    Feedback is left out where citations, rules or statutes are asked for: these are meant as they are written.
    """
    if not len(candidates.rows):
        return np.empty(0)
    # Vectors know little of numbers: what is asked of citations, rules and statutes is left to the words, if found.
    number_share = understanding.legal_number_share if candidates.lexical.any() else 0.0
    dense_weight *= 1 - number_share
    # By a factor, not a subtraction, so that it costs the same at every height of the score.
    factor = np.where(lowered, LOWERING, 1.0)
    fused = mix(candidates.dense, candidates.lexical, dense_weight)
    reading = _read(generation, understanding, candidates, fused * factor)
    first = _add(fused, reading) * factor
    if number_share:  # words added to a citation would find other passages than those that cite it
        return first
    best = reading.places[np.argsort(-first[reading.places], kind="stable")[:PASSAGES]]
    dense = candidates.vectors @ towards(vector, candidates.vectors[best])
    terms_by_place = dict(zip(reading.places.tolist(), reading.terms, strict=True))
    added = telling_terms([terms_by_place[place] for place in best.tolist()], generation.lexical)
    expanded = generation.lexical.weighted_scores(added).of(candidates.rows)
    lexical = (1 - _FEEDBACK_SHARE) * of_best(candidates.lexical) + _FEEDBACK_SHARE * of_best(expanded)
    return _add(mix(dense, lexical, dense_weight), reading) * factor


def _read(generation: Generation, understanding: Understanding, candidates: Candidates, scores: Scores) -> _Reading:
    places = np.lexsort((candidates.rows, -scores))[:_READ]
    proximity = Proximity({term: generation.lexical.rarity(term) for term in understanding.own_terms})
    texts = generation.dense.texts(candidates.rows[places])
    words = [surfaces(text) for text in texts]
    terms = [own_terms(each) for each in words]
    worth = [
        _CLOSENESS_WEIGHT * proximity.closeness(each) + _STYLE_WEIGHT * argument_style(text, read)
        for text, read, each in zip(texts, words, terms, strict=True)
    ]
    return _Reading(places, terms, np.array(worth))


def _add(scores: Scores, reading: _Reading) -> Scores:
    total = scores.copy()
    total[reading.places] += reading.worth
    return total
