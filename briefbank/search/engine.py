"""The search itself: one question in, ranked passages out. Reads one generation and writes nothing."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice

import numpy as np
import numpy.typing as npt

from briefbank.errors import ModelError
from briefbank.index.dense import Vector
from briefbank.index.generation import Generation
from briefbank.index.learned import AdaptedEncoder
from briefbank.models.encoders.port import Embeddings, Encoder
from briefbank.platform.settings import Settings
from briefbank.search.addressed import briefs_addressing
from briefbank.search.aids import ModelAids
from briefbank.search.alerts import AlertedRows, AlertList
from briefbank.search.alike import Likeness, is_pasted, like_passage, like_text, words_of
from briefbank.search.asked_authority import asked_authority
from briefbank.search.collapse import Collapsed, Mask, collapse
from briefbank.search.exact import (
    NOTHING_WEIGHTED,
    ExactAnswer,
    Reason,
    Weighted,
    answer_to_citations,
    answer_to_expression,
    authorities_alone,
    citing,
    is_expression,
    sections_named,
)
from briefbank.search.facets import FacetCounter
from briefbank.search.fuse import Scores
from briefbank.search.hints import Hinted, HintReader
from briefbank.search.profiles.profile import Profile, narrowed
from briefbank.search.profiles.ranking import PreparedProfile, candidates, prepare, scored
from briefbank.search.query import Understanding, understand
from briefbank.search.rank import rank
from briefbank.search.relevance import Standing, calibration_for
from briefbank.search.rerank import Reranking
from briefbank.search.retrieve import Candidates, retrieve, shares_of_most, strengths
from briefbank.search.scope import LOWERING, Scope, require_sensible, scope_of
from briefbank.search.snippet import best_sentence, match
from briefbank.search.spelling import Corrected, Speller
from briefbank.search.unreadable_names import UnreadableNames
from briefbank.values import Addressed
from briefbank.values.bands import arranged
from briefbank.values.records import Hit, Passage, Query, SearchResult, Sibling, SortOrder

# Chosen, not measured: briefs are copied from one another, but seldom twenty times.
_DEPTH_A_HIT = 20
"""How many exact matches are looked at for each hit; only larger families of near-copies want more."""
_RRF_K = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009, whose value it is)."""
_NO_AIDS = ModelAids()
_NO_ALERTS = AlertList()
_UNDATED = date.min.toordinal()


@dataclass(frozen=True, slots=True)
class _Ranked:
    """What is to be shown, best first, with its scores, and how many more were cut as too weak.

    `probabilities` are those of the scores, and None where nothing is calibrated.
    """

    shown: tuple[Collapsed, ...]
    scores: Scores
    weak_count: int
    probabilities: Scores | None = None

    def in_order(self, order: Sequence[int]) -> _Ranked:
        """The same with its first results, as many as `order` has places, in that order.

        Each place keeps its score and its probability, so that what is on point still comes before what is related.
        """
        shown = (*(self.shown[place] for place in order), *self.shown[len(order) :])
        moved = np.arange(len(self.scores))
        for earlier, each in zip(self.shown[: len(order)], shown, strict=False):
            moved[each.place] = earlier.place
        probabilities = None if self.probabilities is None else self.probabilities[moved]
        return _Ranked(shown, self.scores[moved], self.weak_count, probabilities)


@dataclass(frozen=True, slots=True)
class Alike:
    """What is most similar to a text: hits for all of it, and for each stretch of it the rows, best first."""

    hits: tuple[Hit, ...]
    rows: tuple[tuple[int, ...], ...]


class SearchEngine:
    """Answers queries over one generation; may be used for any number of queries, one at a time."""

    def __init__(
        self,
        generation: Generation,
        encoder: Encoder,
        settings: Settings,
        alerts: AlertList = _NO_ALERTS,
        aids: ModelAids = _NO_AIDS,
        speller: Speller | None = None,
    ) -> None:
        """Take an open generation, the encoder for queries, the office's alerts, and what added models do; a `speller`
        where words are right that another generation holds.

        Raises:
            ModelError: the encoder is not the one that the generation was built with.
        """
        if encoder.digest != generation.info.encoder_digest:
            message = "The index was built with another encoder than the one that is installed."
            raise ModelError(message, "Install the model that built the index, or index the folder again.")
        learned = generation.learned
        self._generation = generation
        self._encoder = AdaptedEncoder(encoder, learned) if learned else encoder
        self._settings = learned.applied_to(settings) if learned else settings
        self._reranking = None
        if aids.cross_encoder:
            self._reranking = Reranking(aids.cross_encoder, settings.graded_results, settings.grading_time_s)
        # What was fitted to the encoder's own vectors of questions says nothing of those that were moved.
        is_moved = aids.expander is not None or bool(learned and learned.moves_questions)
        self._calibration = None if is_moved else calibration_for(encoder.digest)
        self.speller = speller or Speller(generation)
        self._hints = HintReader(generation.documents)
        self._aids = aids
        self._alerted = AlertedRows(alerts.alerts, generation.authorities)
        self._unreadable = UnreadableNames(generation)
        self._notices = alerts.notices
        self._counts = FacetCounter(generation)
        days = [each.filed.toordinal() if each.filed else _UNDATED for each in generation.documents]
        self._days = np.array(days, dtype=np.int64)[generation.dense.columns.document]

    def warm(self) -> None:
        """Read what the first search would wait for."""
        self.speller.warm()
        self.search(Query("warm"))

    def search(self, query: Query) -> SearchResult:
        """Find the `top_k` best passages, shown in the order asked for.

        Raises:
            UsageError: the query holds no word, `top_k` is below 1, its dates exclude each other, or there is no such
                passage as it is to be like.
        """
        result = self._answer(query)
        if query.like_passage or is_pasted(query.text):
            return result
        texts = [query.text, *(each.corrected for each in result.corrections)]
        authority = asked_authority(query.text, self._generation.authorities)
        return replace(result, notices=(*result.notices, *self._unreadable.notices(texts)), authority=authority)

    def _answer(self, query: Query) -> SearchResult:
        started = time.perf_counter()
        require_sensible(query)
        generation = self._generation
        if is_expression(query.text) and not query.like_passage:
            # No hints are read and nothing weak is cut: an expression means what it says.
            scope = scope_of(query, generation.dense, sections_named(query.text))
            answer = answer_to_expression(query.text, generation, self._encoder, scope, self._settings.candidate_depth)
            result = self._to_the_letter(query, answer, scope, started)
            return replace(result, notices=(*self.speller.missing(query.text), *result.notices))
        # Before hints are read, so that a misspelt month or court sets its condition too.
        corrected = self._corrected(query)
        hinted = self._hints.read(replace(query, text=corrected.text))
        asked, notices = self._ask(query, hinted)
        scope = scope_of(replace(query, filters=hinted.filters), generation.dense)
        if cited := self._cited(hinted, scope):
            result = self._to_the_letter(query, cited, scope, started)
            notices = (*hinted.notices, *result.notices)
            return replace(result, hints=hinted.hints, notices=notices, corrections=corrected.corrections)
        # A text of the bank finds neither itself nor its own brief.
        scope = scope.without(generation.dense, asked.documents, asked.rows)
        depth = min(max(self._settings.candidate_depth, query.top_k), len(generation.dense))
        named = citing(hinted.text, asked.understanding, generation, scope, depth)
        candidates = retrieve(generation, asked.understanding, asked.vector, scope, depth, named.rows)
        # Strength and probability say how well a question is answered; conditions alone and a pasted text ask none.
        is_question = not (hinted.is_hints_alone or asked.understanding.is_sample)
        keeps_weak = query.include_weak or not is_question
        ranked = self._rank(asked, candidates, scope, named, keeps_weak=keeps_weak, is_question=is_question)
        if not asked.understanding.is_sample:
            if not hinted.is_hints_alone:
                ranked, more = self._reranked(asked.understanding, ranked)
                notices += more
            ranked, more = self._graded(asked.understanding.meaning, ranked)
            notices += more

        def reason(_: int, passage: Passage) -> Reason:
            matches, why = match(asked.understanding, passage.text)
            return (
                (matches, ", ".join(hint.meaning for hint in hinted.hints)) if hinted.is_hints_alone else (matches, why)
            )

        hits = self._hits(reason, ranked, query)
        return SearchResult(
            query=query,
            generation=generation.name,
            took_ms=(time.perf_counter() - started) * 1000,
            hits=hits,
            hidden_count=candidates.hidden_count,
            lowered_count=int(scope.lowered[candidates.rows].sum()),
            has_exact=candidates.has_exact or hinted.is_hints_alone or asked.understanding.is_sample,
            weak_count=ranked.weak_count,
            found=len(ranked.shown),
            hints=hinted.hints,
            notices=hinted.notices + notices + self._notices,
            corrections=corrected.corrections,
            counts=self._counts.of_rows(_rows_of(ranked.shown, scope.mask)),
        )

    def question(self, text: str) -> tuple[Understanding, Vector]:
        """Return what a question is about and its unit vector; raises UsageError where it holds no word."""
        understanding = understand(text)
        return understanding, self._encoder.encode_queries([understanding.meaning])[0]

    def _corrected(self, query: Query) -> Corrected:
        """The text of a query, its misspelt words corrected; a pasted text is what it is."""
        is_question = not query.like_passage and not is_pasted(query.text)
        return self.speller.correct(query.text) if is_question and not query.as_typed else Corrected(query.text)

    def vectors_of(self, texts: Sequence[str]) -> Embeddings:
        """Return the unit vectors of some texts as questions; may run beside other questions."""
        return self._encoder.encode_queries(texts) if texts else np.empty((0, self._encoder.dimension), np.float32)

    def alike(
        self, texts: Sequence[str], vectors: Embeddings, top_k: int, shown: int, without: Sequence[int] = ()
    ) -> Alike:
        """Return the `top_k` passages most similar to each of some stretches of a text with their vectors, and the
        `shown` that are most similar to all of it by reciprocal rank fusion. They are taken for words, never for
        conditions or an expression. Passages of the documents `without`, by number, are left out; of near-copies one is
        shown.

        Raises:
            UsageError: `top_k` is below 1.
        """
        query = Query("", top_k, SortOrder.RELEVANCE, include_weak=True)
        require_sensible(query)
        found: dict[int, Collapsed] = {}
        scores: dict[int, float] = defaultdict(float)
        asked = [Likeness(words_of(self._generation, text), each) for text, each in zip(texts, vectors, strict=True)]
        asked = [each for each in asked if each.understanding.words]  # those without content are left out
        most = [self._most_alike(each, query, without) for each in asked]
        for each in most:
            for place, collapsed in enumerate(each, start=1):
                found.setdefault(collapsed.row, collapsed)
                scores[collapsed.row] += 1 / (_RRF_K + place)
        rows = np.array(list(found), dtype=np.int64)
        ids = np.array(self._generation.dense.ids(rows), dtype=str)
        fused = np.array([scores[row] for row in rows.tolist()])
        order = np.lexsort((ids, -fused))[:shown]
        best = tuple(replace(found[int(rows[number])], place=place) for place, number in enumerate(order))

        def reason(_: int, passage: Passage) -> Reason:
            return match(asked[0].understanding, passage.text)

        hits = self._hits(reason, _Ranked(best, fused[order], 0), query)
        return Alike(hits, tuple(tuple(collapsed.row for collapsed in each) for each in most))

    def _most_alike(self, asked: Likeness, query: Query, without: Sequence[int]) -> tuple[Collapsed, ...]:
        generation = self._generation
        scope = scope_of(query, generation.dense).without(generation.dense, without, ())
        depth = min(max(self._settings.candidate_depth, query.top_k), len(generation.dense))
        candidates = retrieve(generation, asked.understanding, asked.vector, scope, depth, NOTHING_WEIGHTED.rows)
        ranked = self._rank(asked, candidates, scope, NOTHING_WEIGHTED, keeps_weak=True, is_question=False)
        return ranked.shown[: query.top_k]

    def prepared(self, profile: Profile) -> PreparedProfile:
        """Make a profile ready to search this index, or another one with the same encoder."""
        return prepare(profile, self._generation, self._encoder)

    def by_profile(self, profile: PreparedProfile, query: Query) -> SearchResult:
        """Find the `top_k` passages that a profile ranks best within its filters, in whose place those of the query
        stand where it sets any; the query's words are not read.

        Raises:
            UsageError: `top_k` is below 1, the dates exclude each other, or there is no such document as is named.
        """
        started = time.perf_counter()
        query = replace(query, filters=narrowed(profile.filters, query.filters))
        require_sensible(query)
        generation = self._generation
        scope = scope_of(query, generation.dense)
        found = scored(profile, generation, candidates(profile, generation, scope, self._settings.candidate_depth))
        scores = found.scores * np.where(scope.lowered[found.rows], LOWERING, 1.0)
        order = np.lexsort((np.array(generation.dense.ids(found.rows), dtype=str), -scores))
        shown = tuple(collapse(found.rows[order].tolist(), generation.families, self._days, scope.mask))
        ranked = _Ranked(shown, scores[order], 0)
        return SearchResult(
            query=query,
            generation=generation.name,
            took_ms=(time.perf_counter() - started) * 1000,
            hits=self._hits(lambda _, passage: profile.reason(passage.text), ranked, query),
            lowered_count=int(scope.lowered[found.rows].sum()),
            found=len(shown),
            notices=(*profile.notices, *self._notices),
            counts=self._counts.of_rows(_rows_of(shown, scope.mask)),
        )

    def addressed(self, query: Query) -> Addressed | None:
        """Return every brief that cites what a query asks for alone, as in "has State v. Carty been addressed since
        2019 in briefs that won"; None where it asks for anything beside authorities.

        Raises:
            UsageError: as `search`.
        """
        require_sensible(query)
        if query.like_passage or is_expression(query.text) or is_pasted(query.text):
            return None
        hinted = self._hints.read(replace(query, text=self._corrected(query).text))
        named = authorities_alone(hinted.rest, understand(hinted.rest), self._generation) if hinted.rest else []
        return briefs_addressing(named, hinted, query, self._generation) if named else None

    def _cited(self, hinted: Hinted, scope: Scope) -> ExactAnswer | None:
        """The passages that cite what a query asks for alone; conditions that no brief meets are left out."""
        return (
            answer_to_citations(hinted.rest, understand(hinted.rest), self._generation, scope) if hinted.rest else None
        )

    def _ask(self, query: Query, hinted: Hinted) -> tuple[Likeness, tuple[str, ...]]:
        """What to look for, a question understood or a text that others are to be like; and what to tell of it."""
        if query.like_passage:
            return like_passage(self._generation, query.like_passage), ()
        understanding = understand(hinted.text)
        vector = self._encoder.encode_queries([understanding.meaning])[0]
        if is_pasted(hinted.text):
            return like_text(self._generation, hinted.text, vector), ()
        vector, notices = self._aids.meaning(understanding.meaning, vector, self._encoder)
        return Likeness(understanding, vector), notices

    def _to_the_letter(self, query: Query, answer: ExactAnswer, scope: Scope, started: float) -> SearchResult:
        """The result of a query that is meant to the letter: everything that meets it, ranked, nothing else."""
        generation = self._generation
        best = answer.best(_DEPTH_A_HIT * query.top_k + self._settings.candidate_depth)
        rows = answer.rows[best]
        ids = np.array(generation.dense.ids(rows), dtype=str)
        order = best[np.lexsort((ids, -self._days[rows], -answer.scores[best]))]  # of equal ones the newest first
        meets = np.zeros_like(scope.mask)  # a newer near-copy may lack the very word
        meets[answer.rows] = True
        # Lazily, as far as `top_k`: a common word meets thousands of passages.
        families = collapse(answer.rows[order].tolist(), generation.families, self._days, meets)
        shown = tuple(islice(families, query.top_k))
        hits = self._hits(answer.reason, _Ranked(shown, answer.scores[order], 0), query)
        return SearchResult(
            query=query,
            generation=generation.name,
            took_ms=(time.perf_counter() - started) * 1000,
            hits=hits,
            hidden_count=answer.hidden_count,
            lowered_count=int(scope.lowered[answer.rows].sum()),
            has_exact=bool(len(answer.rows)),
            found=generation.families.count(answer.rows),
            notices=self._notices,
            explanation=answer.explanation,
            counts=self._counts.of_rows(answer.rows),
        )

    def _rank(
        self,
        asked: Likeness,
        candidates: Candidates,
        scope: Scope,
        named: Weighted,
        *,
        keeps_weak: bool,
        is_question: bool,
    ) -> _Ranked:
        """Rank the candidates, ties by passage id; cut the weak ones and show each family once."""
        generation, understanding = self._generation, asked.understanding
        lowered = scope.lowered[candidates.rows]
        scores = rank(generation, understanding, asked.vector, candidates, lowered, self._settings.dense_weight)
        # What cites the authority that the question names is lifted, and kept even where its words are weak.
        scores += named.bonus(candidates.rows)
        shares = shares_of_most(generation.lexical, understanding, candidates)
        order = np.lexsort((np.array(generation.dense.ids(candidates.rows), dtype=str), -scores))
        family_count = generation.families.count(candidates.rows)
        if not keeps_weak:
            strong = strengths(shares, candidates) >= self._settings.weak_below
            strong |= np.isin(candidates.rows, named.rows)
            order = order[strong[order]]
        rows = candidates.rows[order].tolist()
        shown = tuple(collapse(rows, generation.families, self._days, scope.mask))
        probabilities = None
        if self._calibration and is_question:
            best = float(shares.max(initial=0)), float(candidates.dense.max(initial=0))
            standing = Standing(scores, *best, len(understanding.words))
            probabilities = self._calibration.probabilities(standing)[order]
        return _Ranked(shown, scores[order], family_count - len(shown), probabilities)

    def _graded(self, question: str, ranked: _Ranked) -> tuple[_Ranked, tuple[str, ...]]:
        """The best results in the order that the language model gives them."""
        order, notices = self._aids.order(question, self._texts(ranked.shown[: self._aids.graded_count]))
        return ranked.in_order(order), notices

    def _reranked(self, understanding: Understanding, ranked: _Ranked) -> tuple[_Ranked, tuple[str, ...]]:
        """The best results in the order that a cross-encoder gives them; those asked for by number stay as found."""
        best = ranked.shown[: self._reranking.depth] if self._reranking else ()
        if self._reranking is None or len(best) <= 1 or understanding.legal_number_share:
            return ranked, ()
        fused = ranked.scores[[each.place for each in best]]
        order, notices = self._reranking.order(understanding.meaning, self._texts(best), fused)
        return ranked.in_order(order), notices

    def _texts(self, shown: Sequence[Collapsed]) -> list[str]:
        return self._generation.dense.texts(np.array([each.row for each in shown], dtype=np.int64))

    def _hits(self, reason: Callable[[int, Passage], Reason], ranked: _Ranked, query: Query) -> tuple[Hit, ...]:
        """The best hits in the order asked for; `reason` gives what matches in a passage, and why it was found."""
        dense = self._generation.dense
        best = ranked.shown[: query.top_k]
        passages = dense.passages(np.array([each.row for each in best], dtype=np.int64))
        hits = []
        for number, (passage, each) in enumerate(zip(passages, best, strict=True), start=1):
            matches, why = reason(each.row, passage)
            document = dense.documents[dense.columns.document[each.row]]
            score = float(ranked.scores[each.place])
            siblings, warnings = self._siblings(each.siblings), self._alerted.warnings(each.row)
            probability, band = None, None
            if self._calibration and ranked.probabilities is not None:
                probability = float(ranked.probabilities[each.place])
                band = self._calibration.band(probability)
            told = Hit(number, score, passage, document, matches, why, siblings, warnings, probability, band)
            hits.append(replace(told, sentence=best_sentence(passage.text, matches)))
        return arranged(hits, query.sort)

    def _siblings(self, rows: Sequence[int]) -> tuple[Sibling, ...]:
        dense = self._generation.dense
        ids = dense.ids(np.array(rows, dtype=np.int64))
        documents = [dense.documents[dense.columns.document[row]] for row in rows]
        return tuple(
            Sibling(passage_id, document.metadata.title.value, document.filed)
            for passage_id, document in zip(ids, documents, strict=True)
        )


def _rows_of(shown: Sequence[Collapsed], mask: Mask) -> npt.NDArray[np.int64]:
    """The rows that are shown or stood for, those of them within the mask."""
    rows = np.array([row for each in shown for row in (each.row, *each.siblings)], dtype=np.int64)
    return rows[mask[rows]]
