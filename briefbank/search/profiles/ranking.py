"""Passages ranked by a profile: how near they come to its central samples, and how many of their telling words they
hold. Knows one index at a time; must not know where profiles are kept.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from briefbank.errors import UsageError
from briefbank.index.dense import Rows, Vector
from briefbank.index.generation import Generation
from briefbank.index.term_index import TermIndex
from briefbank.index.tokens import tokenise
from briefbank.models.encoders.port import Encoder
from briefbank.search.parse import Understanding, understand
from briefbank.search.profiles.keywords import Keyword, Places, places_of, telling_words
from briefbank.search.profiles.profile import Profile, Sample
from briefbank.search.rank import of_best
from briefbank.search.scope import Scope, Scores
from briefbank.values.records import Filters, Span

# All measured with `evaluate --spans` on 2,283 clauses of 183 contracts, profiles from one half run on the other
# (docs/evaluation.md, “Profiles and spans”); differences below a point are noise.
_CENTRES = 10
"""Samples that are searched with. Recall within 35,000 characters is 97.7 with 5 and 98.1 with 10."""
_DENSE_WEIGHT = 0.4
"""Of cosines against words. Recall at 10 is 90.8 with 0.3, 91.0 with 0.4, 90.5 with 0.5."""
_ENOUGH_FOR_DIRECTION = 5
_WITH_DIRECTION = 0.25, 0.25, 0.5
"""Weights of cosines, of the direction of the samples and of words, from so many samples on: recall at 10 of 91.4 (87.1
in long contracts) against 91.1 (86.5) without the direction. Of three samples it gains nothing.
"""
_MOST_OF_QUESTION = 0.5
_QUESTION_IN_SAMPLES = 2.5
"""What the question counts: a half, and less the more samples there are, as if it were so many of them. With 1 sample
recall at 10 is 73.4 without the question and 84.4 with a half of it; with 10 samples 88.3 with a tenth of it, 89.0 with
a quarter, 88.8 with a half; with 80 samples 91.4 with a tenth, 90.6 with a quarter.
"""
_KEYWORD_LIFT = 0.05
"""What all keywords together add at most. Mined ones gain 0.1 of recall at 10 with it, and lose some with more."""
# Chosen, not measured: several hundred pages, whose vectors are read in a few milliseconds.
_ALL = 2_000
"""Up to so many passages of a scope, all are scored."""
# Words that no passage holds score nothing at most, by which nothing can be divided.
_LEAST = 1e-9
_KEYWORDS_TOLD = 3
"""Keywords that the reason of a result names."""


@dataclass(frozen=True, slots=True)
class PreparedProfile:
    """A profile made ready to rank passages of any index that has the same encoder.

    `centres` are the unit vectors of its central samples, shape (centres, dimension); `direction` is the one in which
    they differ from the bank's passages, None of few samples; `words` are its telling words, whose weights add up to 1.
    `question_share` is what the question counts against the samples, 0 to 1.
    """

    centres: Vector
    direction: Vector | None
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
        # Marked are words that tell more than the average: with all of them a page of "State", "court" and "v." is.
        telling = (term for term, weight in self.words.items() if weight * len(self.words) >= 1)
        wanted = {*telling, *(term for keyword in held for term in keyword.terms)}
        if self.question and self.question_share:
            wanted |= set(self.question.terms)
        spans = tuple(token.span for token in tokenise(text) if not wanted.isdisjoint(token.terms))
        told = [_describe_keywords(held)] if held else []
        if self.words:
            told.append(f"{sum(term in places for term in self.words)} of the samples' {len(self.words)} telling words")
        return spans, "; ".join(told) or "like the profile in meaning"


def _describe_keywords(held: Sequence[Keyword]) -> str:
    """The keywords that a passage holds, those that count most first, in a few words."""
    ordered = sorted(held, key=lambda each: -each.boost)
    named = ", ".join(f"“{each.text}”" for each in ordered[:_KEYWORDS_TOLD])
    more = f" and {len(held) - _KEYWORDS_TOLD} more" if len(held) > _KEYWORDS_TOLD else ""
    return f"{'keyword' if len(held) == 1 else 'keywords'} {named}{more}"


@dataclass(frozen=True, slots=True)
class ProfileScores:
    """Passages as a profile scores them, each of shape (passages,). `scores` order them, and compare within one call
    alone. `strengths`, from 0 to 1, tell whether a passage is what is looked for at all, and compare across documents,
    though not across profiles: the share of the telling words and of the keywords that it holds.
    """

    rows: Rows
    scores: Scores
    strengths: Scores


def prepare(profile: Profile, generation: Generation, encoder: Encoder) -> PreparedProfile:
    """Make a profile ready. The index tells which words of the samples are rare, and has the passages that are samples
    without words of their own.

    Raises:
        UsageError: it says nothing of what is looked for, or nothing more since its samples are gone.
    """
    texts, gone = texts_of(profile.samples, generation)
    marked = [each.text for each in profile.samples if each.text and each.central]
    centres = central(encoder.encode_passages(marked or texts)) if texts else np.empty((0, encoder.dimension), "f4")
    question = understand(profile.question) if tokenise(profile.question) else None
    if not (texts or question or profile.keywords):
        why = "its samples are passages that the index has no more" if gone else "its question has no word"
        advice = "Give it a question, keywords, or samples with their words."
        raise UsageError(f"“{profile.name}” says nothing of what is looked for: {why}.", advice)
    return PreparedProfile(
        centres=centres,
        direction=generation.dense.spread.away(centres) if len(texts) >= _ENOUGH_FOR_DIRECTION else None,
        words=telling_words(texts, generation.lexical),
        question=question,
        question_vector=encoder.encode_queries([question.meaning])[0] if question else None,
        question_share=_question_share(len(texts)) if question else 0.0,
        keywords=profile.keywords,
        filters=profile.filters,
        gone_count=gone,
    )


def texts_of(samples: Sequence[Sample], generation: Generation) -> tuple[list[str], int]:
    """The words of samples, and how many are passages that the index has no more."""
    texts = [each.text for each in samples if each.text]
    named = [generation.dense.row_of(each.passage) for each in samples if not each.text]
    rows = [row for row in named if row is not None]
    return texts + generation.dense.texts(np.array(rows, dtype=np.int64)), len(named) - len(rows)


def _question_share(sample_count: int) -> float:
    if not sample_count:
        return 1.0
    return min(_MOST_OF_QUESTION, _QUESTION_IN_SAMPLES / sample_count)


def central(vectors: Vector, count: int = _CENTRES) -> Vector:
    """The vectors, at most `count` of them, to the nearest of which all others come as near as possible."""
    return vectors[central_places(vectors, count)]


def central_places(vectors: Vector, count: int = _CENTRES) -> list[int]:
    """Which vectors these are, the most central first.

    Facility location over cosines, chosen greedily, which comes within 1 − 1/e of the best choice (Nemhauser, Wolsey
    and Fisher 1978).
    """
    cosines = vectors @ vectors.T
    nearest = np.full(len(vectors), -1.0, dtype=cosines.dtype)
    chosen: list[int] = []
    for _ in range(min(count, len(vectors))):
        best = int(np.maximum(cosines, nearest).sum(axis=1).argmax())
        chosen.append(best)
        nearest = np.maximum(nearest, cosines[best])
    return chosen


def candidates(profile: PreparedProfile, generation: Generation, scope: Scope, depth: int) -> Rows:
    """The rows that are worth scoring, ascending: all of a scope of at most `_ALL` passages; else the `depth` best by
    each central sample, by the question, by the words of both and by the keywords.
    """
    inside = np.flatnonzero(scope.mask)
    if len(inside) <= _ALL:
        return inside
    index = generation.lexical
    runs = [generation.dense.search(vector, depth, scope.shown)[0] for vector in profile.vectors]
    runs.append(index.weighted_scores(profile.words).best(depth, scope.shown))
    if profile.question:
        runs.append(index.scores(profile.question.terms).best(depth, scope.shown))
    keywords = [(each.terms, each.boost) for each in profile.keywords]
    runs.append(index.best_holding(keywords, depth, scope.shown))
    return np.unique(np.concatenate(runs))


def scored(
    profile: PreparedProfile, generation: Generation, rows: Rows, places: Sequence[Places] | None = None
) -> ProfileScores:
    """Score passages of an index; keywords lift what holds them and leave nothing out. `places` are those of their
    terms, where these are known already.
    """
    dense, lexical, strengths = np.zeros(len(rows)), np.zeros(len(rows)), np.zeros(len(rows))
    if not len(rows):
        return ProfileScores(rows, dense, strengths)
    share, index, vectors = profile.question_share, generation.lexical, generation.dense.vectors(rows)
    if profile.question is not None and profile.question_vector is not None:
        words = index.scores(profile.question.terms).at(rows)
        dense += share * (vectors @ profile.question_vector)
        lexical += share * of_best(words)
        strengths += words / max(index.most(profile.question.terms), _LEAST)
    if len(profile.centres):
        words = index.weighted_scores(profile.words).at(rows)
        dense += (1 - share) * (vectors @ profile.centres.T).max(axis=1)
        lexical += (1 - share) * of_best(words)
        strengths = (words / max(_most(profile.words, index), _LEAST)).astype(np.float64)
    scores = _DENSE_WEIGHT * of_best(dense) + (1 - _DENSE_WEIGHT) * of_best(lexical)
    if profile.direction is not None:
        by_cosine, by_direction, by_words = _WITH_DIRECTION
        along = _from_0_to_1(vectors @ profile.direction)
        scores = by_cosine * of_best(dense) + by_direction * along + by_words * of_best(lexical)
    if profile.keywords:
        held = keyword_shares(profile.keywords, places or [places_of(each) for each in generation.dense.texts(rows)])
        scores += _KEYWORD_LIFT * of_best(held)
        strengths = (strengths + held) / 2
    return ProfileScores(rows, scores, strengths)


def _from_0_to_1(values: Vector) -> Scores:
    """Values of which only differences mean anything, the least as 0 and the greatest as 1."""
    least, reach = float(values.min()), float(np.ptp(values))
    return (values.astype(np.float64) - least) / (reach or 1.0)


def _most(words: Mapping[str, float], index: TermIndex) -> float:
    """The score that no passage can exceed."""
    return math.fsum(weight * index.most([term]) for term, weight in words.items())


def keyword_shares(keywords: Sequence[Keyword], texts: Sequence[Places]) -> Scores:
    """What the keywords that each text holds count, as a share of what all count together, shape (texts,)."""
    total = math.fsum(keyword.boost for keyword in keywords) or 1.0
    return np.array([math.fsum(word.boost for word in keywords if word.is_in(each)) / total for each in texts])
