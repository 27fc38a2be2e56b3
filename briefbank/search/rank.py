"""The order of what was found: scores mixed, the best candidates read, families of near-copies made one, probabilities.

This is the one place that ranks; `values/bands.py` arranges what was ranked as people want it, as by date. What each
stage does in words: docs/evaluation.md, “How a search ranks”; what was tried: docs/decisions/0009-ranking.md. Must not
know hits.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from typing import TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from briefbank.index.dense import Rows, Vector
from briefbank.index.families import Families
from briefbank.index.generation import Generation
from briefbank.index.selection import Mask
from briefbank.index.term_index import EQUIVALENT_SHARE, TermIndex
from briefbank.index.tokens import own_terms, surfaces
from briefbank.platform.settings import Settings
from briefbank.search.aids import ModelAids, Reranking
from briefbank.search.exact import ExactAnswer
from briefbank.search.parse import Asks, Understanding
from briefbank.search.retrieve import Candidates, Retrieved, telling_terms, thesaurus
from briefbank.search.scope import LOWERING, Scope, Scores
from briefbank.search.signals import Proximity, argument_style
from briefbank.values.records import Band

# 60 as Cormack, Clarke and Büttcher (2009) found it good; not tuned here. Fusion by rank is the baseline of every
# evaluation, and joins the passages that resemble the stretches of a draft. Searches mix scores instead, which won 5.8
# points of NDCG@10 [+2.6, +9.1] over it on 70 judged questions, alike for shares of meaning from 0.4 to 0.7.
RRF_K = 60
# What reads the best candidates was chosen on 70 judged questions of defenders on 22 November 2026. Over the mix of
# scores all of it together wins 1.3 [0.6, 2.0] points of NDCG@5 on 1,760 queries of the project's own judgements, and
# 2.8 [2.2, 3.4] on 1,320 others (docs/decisions/0009-ranking.md). Whoever changes one of the numbers should measure it
# on judgements that were not looked at before.
_READ = 60
"""How many of the best candidates are read; the words of the others' texts are not looked at."""
_CLOSENESS_WEIGHT = 0.1
_STYLE_WEIGHT = 0.05
# Chosen on 28 November 2026 on 400 judged queries over documents with headings and on 69 new ones. They win 3.2 [2.0,
# 4.5] points of NDCG@5 on 300 others, 3.5 [1.2, 6.1] of useful@5 on all 102 new ones (docs/decisions/0009-ranking.md).
_HEADING_WEIGHT = 0.15
"""What a passage gains whose headings hold all words of the query."""
_LIFT = 0.5
"""How far a passage is lifted towards the best one under the same heading."""
_SUBJECT_HELD = 0.6
"""Share of a question's words, by rarity, from which the headings above a passage name its subject: of 85 judged
passages of a probability from 0.1 to 0.5 under such ones 55 % are useful.
"""
_FEEDBACK_SHARE = 0.3
"""Share of the terms that feedback adds, against those of the query."""
# In a trial both parts of feedback together won 6.2 points of NDCG@10 where a query has many relevant passages
# (contract clauses) and lost 2 on defenders' questions with about three each. Once all of the first five were judged,
# part of that loss turned out to be missing judgements: useful@5 +1.8, graded NDCG@10 −0.4.
_FEEDBACK_PASSAGES = 5
"""How many of the best passages are taken for relevant."""
_FEEDBACK_BETA = 0.5
"""What their mean weighs beside the query's own vector."""
_FEEDBACK_TERMS = 15
"""How many of their terms are added."""
# Chosen, not measured: briefs are copied from one another, but seldom twenty times.
_DEPTH_A_HIT = 20
"""How many exact matches are looked at for each hit; only larger families of near-copies want more."""
# The default of `dense_weight`. `weak_below` was calibrated with it (22 November 2026), so that it stays as it is where
# a bank has learned another weight.
_STRENGTH_DENSE_SHARE = 0.6
SIGNALS = ("score", "best_score", "mean_score", "best_words", "best_meaning", "question")
"""The columns of `Standing.signals`."""
_LEADERS = 10
"""How many of the best scores make `mean_score`."""
_UNDATED = date.min.toordinal()

_Id = TypeVar("_Id", str, int)


@dataclass(frozen=True, slots=True)
class Collapsed:
    """A row to show, the ranked `place` of the best of its family, and the family's other rows, newest first."""

    row: int
    place: int
    siblings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """What is to be shown, best first; `scores` and `probabilities` by place (None where nothing is calibrated).

    `weak_count` more were cut as too weak. `counted` are the rows that are shown or stood for, and `found` is how many
    there are but for near-copies.
    """

    shown: tuple[Collapsed, ...]
    scores: Scores
    counted: Rows
    found: int
    weak_count: int = 0
    probabilities: Scores | None = None
    notices: tuple[str, ...] = ()

    def in_order(self, order: Sequence[int], notices: tuple[str, ...]) -> Ranked:
        """The same with its first results, as many as `order` has places, in that order.

        Each place keeps its score and its probability, so that what is on point still comes before what is related.
        """
        shown = (*(self.shown[place] for place in order), *self.shown[len(order) :])
        moved = np.arange(len(self.scores))
        for earlier, each in zip(self.shown[: len(order)], shown, strict=False):
            moved[each.place] = earlier.place
        probabilities = None if self.probabilities is None else self.probabilities[moved]
        notices = (*self.notices, *notices)
        return replace(self, shown=shown, scores=self.scores[moved], probabilities=probabilities, notices=notices)


class Ranker:
    """Puts what was found in one generation in order."""

    def __init__(
        self, generation: Generation, settings: Settings, calibration: Calibration | None, aids: ModelAids
    ) -> None:
        """Take an open generation, what turns scores into probabilities, and what reads the best results closely."""
        self._generation, self._settings = generation, settings
        self._calibration, self._aids = calibration, aids
        self.reranking = None
        if aids.cross_encoder:
            self.reranking = Reranking(aids.cross_encoder, settings.graded_results, settings.grading_time_s)
        days = [each.filed.toordinal() if each.filed else _UNDATED for each in generation.documents]
        self._days = np.array(days, dtype=np.int64)[generation.dense.columns.document]

    def rank_question(self, found: Retrieved) -> Ranked:
        """Rank candidates, cut the weak ones, show each family once, and have the best of them read closely."""
        ranked, understanding = self.score_and_cut(found), found.target.understanding
        if understanding.is_sample:
            return ranked
        best = ranked.shown[: self.reranking.depth] if self.reranking else ()
        # What is asked for by number stays as found.
        is_read = found.parsed.asks is Asks.QUESTION and not understanding.legal_number_share
        if self.reranking and is_read and len(best) > 1:
            fused = ranked.scores[[each.place for each in best]]
            ranked = ranked.in_order(*self.reranking.order(understanding.meaning, self._texts(best), fused))
        if self._aids.grader:
            best = ranked.shown[: self._aids.graded_count]
            ranked = ranked.in_order(*self._aids.order(understanding.meaning, self._texts(best)))
        return ranked

    def score_and_cut(self, found: Retrieved) -> Ranked:
        """Rank candidates, cut the weak ones and show each family once, without a cross-encoder or grader."""
        generation, candidates = self._generation, found.candidates
        understanding, scores = found.target.understanding, self.scores(found)
        shares = shares_of_most(generation.lexical, understanding, candidates)
        order = self._order(candidates.rows, scores)
        family_count = generation.families.count(candidates.rows)
        # Strength and probability say how well a question is answered; conditions alone and a pasted text ask none.
        is_question = found.parsed.asks is Asks.QUESTION
        probabilities = None
        if self._calibration and is_question:
            best = float(shares.max(initial=0)), float(candidates.dense.max(initial=0))
            standing = Standing(scores, *best, len(understanding.words))
            probabilities = self._calibration.probabilities(standing)
        weakest = self._settings.weak_below
        if is_question and weakest and not found.parsed.query.include_weak:
            strong = strengths(shares, candidates) >= weakest
            if self._calibration and probabilities is not None:
                strong &= probabilities >= self._calibration.related
            # What cites the authority that the question names is kept even where its words are weak.
            strong |= np.isin(candidates.rows, found.cites.rows)
            if probabilities is not None:  # nothing is shown that is less than half as likely as what is cut
                strong &= probabilities >= probabilities[~strong].max(initial=0) / 2
            order = order[strong[order]]
        probabilities = None if probabilities is None else probabilities[order]
        ranked = self._families(candidates.rows[order], scores[order], found.scope)
        return replace(ranked, weak_count=family_count - len(ranked.shown), probabilities=probabilities)

    def scores(self, found: Retrieved) -> Scores:
        """Score candidates, shape (candidates,); what cites the authority that the question names is lifted."""
        candidates, target = found.candidates, found.target
        lowered = found.scope.lowered[candidates.rows]
        weight = self._settings.dense_weight
        scores = rank(self._generation, target.understanding, target.vector, candidates, lowered, weight)
        return scores + found.cites.bonus(candidates.rows)

    def rank_profile(self, rows: Rows, scores: Scores, scope: Scope) -> Ranked:
        """Rank what a profile scores."""
        scores = scores * np.where(scope.lowered[rows], LOWERING, 1.0)
        order = self._order(rows, scores)
        return self._families(rows[order], scores[order], scope)

    def rank_exact(self, answer: ExactAnswer, top_k: int) -> Ranked:
        """Rank all that meets a query which is meant to the letter, of equal ones the newest first."""
        best = answer.best(_DEPTH_A_HIT * top_k + self._settings.candidate_depth)
        rows = answer.rows[best]
        order = best[self._order(rows, answer.scores[best], self._days[rows])]
        meets = np.zeros_like(answer.scope.mask)  # a newer near-copy may lack the very word
        meets[answer.rows] = True
        # Lazily, as far as `top_k`: a common word meets thousands of passages.
        families = collapse(answer.rows[order].tolist(), self._generation.families, self._days, meets)
        shown = tuple(islice(families, top_k))
        return Ranked(shown, answer.scores[order], answer.rows, self._generation.families.count(answer.rows))

    def fuse(self, runs: Sequence[Sequence[Collapsed]], count: int) -> Ranked:
        """The best of several rankings by their ranks in each."""
        found = {each.row: each for run in reversed(runs) for each in reversed(run)}
        fused = reciprocal_rank_fusion([each.row for each in run] for run in runs)
        rows = np.array(list(fused), dtype=np.int64)
        scores = np.array(list(fused.values()))
        order = self._order(rows, scores)[:count]
        shown = tuple(replace(found[int(rows[number])], place=place) for place, number in enumerate(order))
        return Ranked(shown, scores[order], rows, len(rows))

    def _order(self, rows: Rows, scores: Scores, days: npt.NDArray[np.int64] | None = None) -> Rows:
        """Places from the best score to the worst, ties newest first where `days` are given, then by passage id."""
        ids = np.array(self._generation.dense.ids(rows), dtype=str)
        return np.lexsort((ids, -scores) if days is None else (ids, -days, -scores))

    def _families(self, rows: Rows, scores: Scores, scope: Scope) -> Ranked:
        shown = tuple(collapse(rows.tolist(), self._generation.families, self._days, scope.mask))
        counted = np.array([row for each in shown for row in (each.row, *each.siblings)], dtype=np.int64)
        return Ranked(shown, scores, counted[scope.mask[counted]], len(shown))

    def _texts(self, shown: Sequence[Collapsed]) -> list[str]:
        return self._generation.dense.texts(np.array([each.row for each in shown], dtype=np.int64))


def collapse(rows: Sequence[int], families: Families, days: npt.NDArray[np.int64], mask: Mask) -> Iterator[Collapsed]:
    """Yield each family of the ranked rows once, in the order of its best row.

    Collapsed is the newest of the family within the mask; `days` are the filing days by row. Ties go by row.
    """
    seen: set[int] = set()
    for place, (row, has_copies) in enumerate(zip(rows, families.have_copies(rows), strict=True)):
        if not has_copies:
            yield Collapsed(row, place, ())
            continue
        root = families.root(row)
        if root not in seen:
            seen.add(root)
            members = families.members(row)
            ordered = members[np.lexsort((members, -days[members]))]
            # Within the mask: a filter by year must not show the copy of another year.
            newest = int(ordered[mask[ordered]][0])
            yield Collapsed(newest, place, tuple(int(each) for each in ordered if each != newest))


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was read of the best candidates: their places among all, best first, their terms, what that is worth, and
    the document and headings that each stands under.
    """

    places: npt.NDArray[np.int64]
    terms: list[list[str]]
    worth: Scores
    sections: list[tuple[int, tuple[str, ...]]]


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
        return _lifted(first, reading)
    best = reading.places[np.argsort(-first[reading.places], kind="stable")[:_FEEDBACK_PASSAGES]]
    dense = candidates.vectors @ towards(vector, candidates.vectors[best])
    terms_by_place = dict(zip(reading.places.tolist(), reading.terms, strict=True))
    added = telling_terms([terms_by_place[place] for place in best.tolist()], generation.lexical, _FEEDBACK_TERMS)
    expanded = generation.lexical.weighted_scores(added).at(candidates.rows)
    lexical = (1 - _FEEDBACK_SHARE) * of_best(candidates.lexical) + _FEEDBACK_SHARE * of_best(expanded)
    return _lifted(_add(mix(dense, lexical, dense_weight), reading) * factor, reading)


def _read(generation: Generation, understanding: Understanding, candidates: Candidates, scores: Scores) -> _Reading:
    places = np.lexsort((candidates.rows, -scores))[:_READ]
    proximity = Proximity({term: generation.lexical.rarity(term) for term in understanding.own_terms})
    rows = candidates.rows[places]
    read = generation.dense.texts_under_headings(rows)
    if understanding.is_sample:  # judged were questions
        read = [(text, ()) for text, _ in read]
    words = [surfaces(text) for text, _ in read]
    terms = [own_terms(each) for each in words]
    asked, index = understanding.own_terms, generation.lexical
    shares = {path: share_held(_terms_of_headings(path), asked, index) for path in {path for _, path in read}}
    documents = generation.dense.columns.document[rows].tolist()
    worth = [
        _CLOSENESS_WEIGHT * proximity.closeness(own)
        + _STYLE_WEIGHT * argument_style(text, each)
        + _HEADING_WEIGHT * shares[path]
        for (text, path), each, own in zip(read, words, terms, strict=True)
    ]
    sections = [(number, path) for number, (_, path) in zip(documents, read, strict=True)]
    return _Reading(places, terms, np.array(worth), sections)


def share_held(held: frozenset[str], terms: Iterable[str], index: TermIndex) -> float:
    """What `held` has of some terms by their rarity, 0 to 1; half for another word that stands for one."""
    got = whole = 0.0
    for term in terms:
        rarity = index.rarity(term)
        whole += rarity
        if term in held:
            got += rarity
        elif not held.isdisjoint(thesaurus().get(term, ())):
            got += rarity * EQUIVALENT_SHARE
    return got / whole if whole else 0.0


def names_subject(path: tuple[str, ...], understanding: Understanding, index: TermIndex) -> bool:
    """Whether the headings above a passage hold most of what a question is about."""
    return share_held(_terms_of_headings(path), understanding.own_terms, index) >= _SUBJECT_HELD


@lru_cache(maxsize=10_000)
def _terms_of_headings(path: tuple[str, ...]) -> frozenset[str]:
    return frozenset(term for heading in path for term in own_terms(surfaces(heading)))


def _lifted(scores: Scores, reading: _Reading) -> Scores:
    """Lift what was read towards the best under the same headings, which they cannot overtake."""
    best: dict[tuple[int, tuple[str, ...]], float] = {}
    for section, score in zip(reading.sections, scores[reading.places].tolist(), strict=True):
        best[section] = max(score, best.get(section, score))
    lifted = scores.copy()
    for place, section in zip(reading.places.tolist(), reading.sections, strict=True):
        if section[1]:
            lifted[place] += _LIFT * (best[section] - scores[place])
    return lifted


def _add(scores: Scores, reading: _Reading) -> Scores:
    total = scores.copy()
    total[reading.places] += reading.worth
    return total


def towards(vector: Vector, best: Vector) -> Vector:
    """Move a query's unit vector towards the mean of the best passages', shape (passages, dimension) (Rocchio 1971).

    It finds what says the same in other words, which a question as short as a defender's cannot name.
    """
    moved = vector + _FEEDBACK_BETA * best.mean(axis=0)
    length = float(np.linalg.norm(moved))
    return vector if length == 0 else (moved / length).astype(np.float32)


def of_best(scores: npt.NDArray[np.floating]) -> Scores:
    """Scores as shares of the best one, which becomes 1; where none is above 0, all become 0.

    Unlike a scaling between the best and the worst candidate, this depends on no number of candidates.
    """
    best = float(scores.max()) if len(scores) else 0.0
    shares: Scores = scores.astype(np.float64) / best if best > 0 else np.zeros(len(scores))
    return shares


def mix(dense: npt.NDArray[np.floating], lexical: npt.NDArray[np.floating], dense_weight: float) -> Scores:
    """Weighted sum of the scores of the same candidates as shares of their best, shape (candidates,).

    The scaling is that of Bruch, Gai and Ingber (2023) with 0 for the least score.
    """
    return dense_weight * of_best(dense) + (1 - dense_weight) * of_best(lexical)


def reciprocal_rank_fusion(runs: Iterable[Sequence[_Id]], rrf_k: int = RRF_K) -> dict[_Id, float]:
    """Score every id of any run by its ranks (Cormack, Clarke and Buettcher 2009); in any order of runs."""
    shares: dict[_Id, list[float]] = {}
    for run in runs:
        for rank, identifier in enumerate(run, start=1):
            shares.setdefault(identifier, []).append(1 / (rrf_k + rank))
    return {identifier: math.fsum(each) for identifier, each in shares.items()}


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


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a search's candidates: their `scores`, shape (candidates,), the largest share that the query's
    words reach in one of what they could (`best_words`), the largest cosine (`best_meaning`), and how many content
    words the query has (`word_count`).
    """

    scores: Scores
    best_words: float
    best_meaning: float
    word_count: int

    def signals(self) -> Scores:
        """What a probability follows from, shape (candidates, len(SIGNALS)): all but the first are the same for all."""
        best = np.sort(self.scores)[::-1][:_LEADERS]
        shared = (best[0], best.mean(), self.best_words, self.best_meaning, math.log1p(self.word_count))
        return np.column_stack([self.scores, np.tile(shared, (len(self.scores), 1))])


class Calibration(msgspec.Struct, frozen=True):
    """A logistic regression from `SIGNALS` to the probability that a passage is graded useful (2 or 3 of 3).

    It holds for the encoder of this digest alone, since another one's cosines mean something else. What is at least
    `on_point` likely counts as on point, what is less likely than `related` as weak.
    """

    encoder: str
    on_point: float
    related: float
    constant: float
    weights: dict[str, float]

    def probabilities(self, standing: Standing) -> Scores:
        """The probability of each candidate, shape (candidates,), 0 to 1."""
        if not len(standing.scores):
            return np.empty(0)
        odds = self.constant + standing.signals() @ np.array([self.weights[name] for name in SIGNALS])
        probabilities: Scores = 1 / (1 + np.exp(-odds))
        return probabilities

    def band(self, probability: float) -> Band:
        """Where a result of this probability stands."""
        if probability >= self.on_point:
            return Band.ON_POINT
        return Band.RELATED if probability >= self.related else Band.WEAK


def calibration_for(encoder_digest: str) -> Calibration | None:
    """The calibration for an encoder; None where nothing was fitted for it."""
    shipped = _shipped()
    return shipped if shipped.encoder == encoder_digest else None


@cache
def _shipped() -> Calibration:
    text = files("briefbank.search").joinpath("relevance.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Calibration)
