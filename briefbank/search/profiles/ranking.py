"""Passages ranked by a profile: how near they come to its central samples, and how many of their telling words they
hold. Knows one index at a time; must not know where profiles are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from briefbank.index.dense import Rows, Vector
from briefbank.index.generation import Generation
from briefbank.index.lexical import top_rows
from briefbank.index.tokens import tokenise
from briefbank.models.encoders.port import Encoder
from briefbank.records import Filters, Span
from briefbank.search.fuse import Scores, of_best
from briefbank.search.profiles.keywords import Keyword, places_of
from briefbank.search.profiles.profile import Profile, Sample
from briefbank.search.pseudo_relevance import telling_terms
from briefbank.search.query import Understanding, understand
from briefbank.search.scope import Scope

CENTRES = 5
WORDS = 25
ENOUGH = 10
QUESTION_SHARE = 0.5
DENSE_WEIGHT = 0.6
KEYWORD_LIFT = 0.1
_ALL = 2_000


@dataclass(frozen=True, slots=True)
class PreparedProfile:
    """A profile made ready to rank passages of any index that has the same encoder.

    `centres` are the unit vectors of its central samples, shape (centres, dimension); `words` its telling words, whose
    weights add up to 1. `question_share` is what the question counts against the samples, 0 to 1.
    """

    centres: Vector
    words: Mapping[str, float]
    question: Understanding | None
    question_vector: Vector | None
    question_share: float
    keywords: tuple[Keyword, ...]
    filters: Filters
    gone_count: int = 0
    """How many samples are left out, being passages that the index has no more."""

    @property
    def vectors(self) -> list[Vector]:
        """Of the central samples, and of the question where it counts."""
        is_asked = self.question_vector is not None and self.question_share > 0
        return [*self.centres, *([self.question_vector] if is_asked else [])]

    @property
    def notices(self) -> tuple[str, ...]:
        """What whoever searches should know."""
        if not self.gone_count:
            return ()
        those = "sample is a passage" if self.gone_count == 1 else "samples are passages"
        return (f"{self.gone_count} {those} that the index has no more, and was left out; the others are used.",)

    def reason(self, text: str) -> tuple[tuple[Span, ...], str]:
        """Which ranges of a passage match the profile, in order, and why it was found."""
        places = places_of(text)
        held = [keyword for keyword in self.keywords if keyword.is_in(places)]
        wanted = {*self.words, *(term for keyword in held for term in keyword.terms)}
        if self.question and self.question_share:
            wanted |= set(self.question.terms)
        spans = tuple(token.span for token in tokenise(text) if not wanted.isdisjoint(token.terms))
        told = [f"keyword “{keyword.text}”" for keyword in held]
        if self.words:
            told.append(f"{sum(term in places for term in self.words)} of the samples' {len(self.words)} telling words")
        return spans, "; ".join(told) or "like the profile in meaning"


@dataclass(frozen=True, slots=True)
class ProfileScores:
    """Passages as a profile scores them, each of shape (passages,). `scores` order them and compare within one call
    alone; `cosines` are those to the nearest central sample, or to the question, and compare across documents.
    """

    rows: Rows
    scores: Scores
    cosines: Scores


def prepare(profile: Profile, generation: Generation, encoder: Encoder) -> PreparedProfile:
    """Make a profile ready. The index tells which words of the samples are rare, and has the passages that are samples
    without words of their own.
    """
    texts, gone = _texts_of(profile.samples, generation)
    question = understand(profile.question) if tokenise(profile.question) else None
    terms = [[token.term for token in tokenise(text)] for text in texts]
    return PreparedProfile(
        centres=central(encoder.encode_passages(texts)) if texts else np.empty((0, encoder.dimension), np.float32),
        words=telling_terms([each for each in terms if each], generation.lexical, WORDS),
        question=question,
        question_vector=encoder.encode_queries([question.meaning])[0] if question else None,
        question_share=_question_share(len(texts)) if question else 0.0,
        keywords=profile.keywords,
        filters=profile.filters,
        gone_count=gone,
    )


def _texts_of(samples: Sequence[Sample], generation: Generation) -> tuple[list[str], int]:
    """The words of samples, and how many are passages that the index has no more."""
    texts = [each.text for each in samples if each.text]
    named = [generation.dense.row_of(each.passage) for each in samples if not each.text]
    rows = [row for row in named if row is not None]
    return texts + generation.dense.texts(np.array(rows, dtype=np.int64)), len(named) - len(rows)


def _question_share(sample_count: int) -> float:
    if not sample_count:
        return 1.0
    return QUESTION_SHARE if sample_count < ENOUGH else 0.0


def central(vectors: Vector, count: int = CENTRES) -> Vector:
    """The vectors, at most `count` of them, to the nearest of which all others come as near as possible.

    Facility location over cosines, chosen greedily, which comes within 1 − 1/e of the best choice (Nemhauser, Wolsey
    and Fisher 1978).
    """
    if len(vectors) <= count:
        return vectors
    cosines = vectors @ vectors.T
    nearest = np.full(len(vectors), -1.0, dtype=cosines.dtype)
    chosen: list[int] = []
    for _ in range(count):
        best = int(np.maximum(cosines, nearest).sum(axis=1).argmax())
        chosen.append(best)
        nearest = np.maximum(nearest, cosines[best])
    return vectors[chosen]


def candidates(profile: PreparedProfile, generation: Generation, scope: Scope, depth: int) -> Rows:
    """The rows that are worth scoring, ascending: all of a scope of at most `_ALL` passages; else the `depth` best by
    each central sample, by the question, by the words of both and by the keywords.
    """
    inside = np.flatnonzero(scope.mask)
    if len(inside) <= _ALL:
        return inside
    index = generation.lexical
    runs = [generation.dense.search(vector, depth, scope.where)[0] for vector in profile.vectors]
    runs.append(top_rows(index.weighted_scores(profile.words), depth, scope.mask))
    if profile.question:
        runs.append(top_rows(index.scores(profile.question.terms), depth, scope.mask))
    holding = np.zeros(len(scope.mask), dtype=np.float32)
    for keyword in profile.keywords:
        holding[index.matched_counts(keyword.terms) == len(set(keyword.terms))] += keyword.boost
    runs.append(top_rows(holding, depth, scope.mask))
    return np.unique(np.concatenate(runs))


def scored(profile: PreparedProfile, generation: Generation, rows: Rows) -> ProfileScores:
    """Score passages of an index; keywords lift what holds them and leave nothing out."""
    share = profile.question_share
    vectors = generation.dense.vectors(rows)
    dense, lexical = np.zeros(len(rows)), np.zeros(len(rows))
    if len(profile.centres):
        dense += (1 - share) * (vectors @ profile.centres.T).max(axis=1)
        lexical += (1 - share) * of_best(generation.lexical.weighted_scores(profile.words)[rows])
    if profile.question is not None and profile.question_vector is not None and share:
        dense += share * (vectors @ profile.question_vector)
        lexical += share * of_best(generation.lexical.scores(profile.question.terms)[rows])
    scores = DENSE_WEIGHT * of_best(dense) + (1 - DENSE_WEIGHT) * of_best(lexical)
    if profile.keywords:
        scores += KEYWORD_LIFT * of_best(keyword_scores(profile.keywords, generation.dense.texts(rows)))
    return ProfileScores(rows, scores, dense)


def keyword_scores(keywords: Sequence[Keyword], texts: Sequence[str]) -> Scores:
    """What the keywords that each text holds count together, shape (texts,)."""
    places = map(places_of, texts)
    return np.array([sum(keyword.boost for keyword in keywords if keyword.is_in(each)) for each in places])
