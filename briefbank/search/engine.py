"""The search itself: one question in, ranked passages out. Reads one generation and writes nothing.

A question is parsed once (`parse`), candidates are retrieved (`retrieve`, or `exact` where it is meant to the letter),
ranked (`rank`) and presented (`present`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from briefbank.errors import ModelError
from briefbank.index.dense import Rows, Vector
from briefbank.index.generation import Generation
from briefbank.index.learned import AdaptedEncoder
from briefbank.models.encoders.port import Embeddings, Encoder
from briefbank.platform.settings import Settings
from briefbank.search.aids import ModelAids
from briefbank.search.alerts import AlertList
from briefbank.search.exact import answer_exactly, briefs_addressing
from briefbank.search.parse import Asks, ParsedQuery, QueryParser, Understanding, require_sensible, understand
from briefbank.search.present import Presenter, reason_of
from briefbank.search.profiles.profile import Profile, narrowed
from briefbank.search.profiles.ranking import PreparedProfile, candidates, prepare, scored
from briefbank.search.rank import Ranker, calibration_for
from briefbank.search.retrieve import Target, find, find_candidates, words_of
from briefbank.search.scope import Scores, scope_of
from briefbank.search.spelling import Speller
from briefbank.values.authorities import Addressed
from briefbank.values.records import Filters, Hit, Query, SearchResult, SectionKind, SortOrder

_NO_AIDS = ModelAids()
_NO_ALERTS = AlertList()


@dataclass(frozen=True, slots=True)
class Alike:
    """What is most similar to a text: hits for all of it, and for each stretch of it the rows, best first."""

    hits: tuple[Hit, ...]
    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Answering:
    """What a text asks for, and the `rows` of passages, their cosines and scores by which they answer it, shape
    (rows,).
    """

    understanding: Understanding
    rows: Rows
    cosines: Vector
    scores: Scores


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
        settings = learned.applied_to(settings) if learned else settings
        self._generation = generation
        self._encoder = AdaptedEncoder(encoder, learned) if learned else encoder
        self._depth = settings.candidate_depth
        self._aids = aids
        # What was fitted to the encoder's own vectors of questions says nothing of those that were moved.
        is_moved = aids.expander is not None or bool(learned and learned.moves_questions)
        calibration = None if is_moved else calibration_for(encoder.digest)
        self._parser = QueryParser(generation, speller)
        self._ranker = Ranker(generation, settings, calibration, aids)
        self._presenter = Presenter(generation, alerts, calibration)

    @property
    def speller(self) -> Speller:
        """What corrects questions; knows the words of this generation."""
        return self._parser.speller

    def warm(self) -> None:
        """Read what the first search would wait for."""
        self.speller.warm()
        self.search(Query("warm"))

    def search(self, query: Query) -> SearchResult:
        """Find the `top_k` best passages; `bands.arranged` puts them in the order asked for.

        Raises:
            UsageError: the query holds no word, `top_k` is below 1, its dates exclude each other, or there is no such
                passage as it is to be like.
        """
        started = time.perf_counter()
        result = self._answer(self._parser.parse(query))
        return replace(result, took_ms=(time.perf_counter() - started) * 1000)

    def _answer(self, parsed: ParsedQuery) -> SearchResult:
        if answer := answer_exactly(parsed, self._generation, self._encoder, self._depth):
            return self._presenter.result(
                parsed,
                self._ranker.rank_exact(answer, parsed.query.top_k),
                answer.reason,
                hidden_count=answer.hidden_count,
                lowered_count=int(answer.scope.lowered[answer.rows].sum()),
                has_exact=bool(len(answer.rows)),
                explanation=answer.explanation,
            )
        found = find(parsed, self._generation, self._encoder, self._aids, self._depth)
        return self._presenter.result(
            parsed,
            self._ranker.rank_question(found),
            reason_of(parsed, found.target.understanding),
            found.notices,
            hidden_count=found.candidates.hidden_count,
            lowered_count=int(found.scope.lowered[found.candidates.rows].sum()),
            has_exact=found.candidates.has_exact or parsed.asks is not Asks.QUESTION,
        )

    def addressed(self, query: Query) -> Addressed | None:
        """Return every brief that cites what a query asks for alone, as in "has State v. Carty been addressed since
        2019 in briefs that won"; None where it asks for anything beside authorities.

        Raises:
            UsageError: as `search`.
        """
        parsed = self._parser.parse(query)
        is_asked = parsed.authorities and parsed.asks is not Asks.LIKE_TEXT
        return briefs_addressing(parsed, self._generation) if is_asked else None

    def question(self, text: str) -> tuple[Understanding, Vector]:
        """Return what a question is about and its unit vector; raises UsageError where it holds no word."""
        understanding = understand(text)
        return understanding, self._encoder.encode_queries([understanding.meaning])[0]

    def answering(self, text: str, kinds: tuple[SectionKind, ...]) -> Answering:
        """Return the passages in sections of some kinds that answer a text, ranked by headings, words and meaning;
        raises UsageError where it holds no word. It is taken for words, never for conditions or an expression.
        """
        query = Query(text, filters=Filters(section_kinds=kinds))
        understanding, vector = self.question(text)
        parsed = ParsedQuery(query, Asks.QUESTION, query.filters)
        found = find_candidates(parsed, Target(understanding, vector), self._generation, self._depth)
        candidates = found.candidates
        return Answering(understanding, candidates.rows, candidates.dense, self._ranker.scores(found))

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
        parsed = ParsedQuery(query, Asks.LIKE_TEXT, query.filters)
        asked = [
            Target(words_of(self._generation, text), vector, tuple(without))
            for text, vector in zip(texts, vectors, strict=True)
        ]
        asked = [each for each in asked if each.understanding.words]  # those without content are left out
        found = [find_candidates(parsed, each, self._generation, self._depth) for each in asked]
        runs = [self._ranker.score_and_cut(each).shown[:top_k] for each in found]
        ranked = self._ranker.fuse(runs, shown)
        hits = self._presenter.hits(ranked, query, reason_of(parsed, asked[0].understanding)) if asked else ()
        return Alike(hits, tuple(tuple(collapsed.row for collapsed in run) for run in runs))

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
        parsed = ParsedQuery(query, Asks.PROFILE, query.filters, notices=profile.notices)
        scope = scope_of(query, self._generation.dense)
        found = scored(profile, self._generation, candidates(profile, self._generation, scope, self._depth))
        result = self._presenter.result(
            parsed,
            self._ranker.rank_profile(found.rows, found.scores, scope),
            lambda _, passage: profile.reason(passage.text),
            lowered_count=int(scope.lowered[found.rows].sum()),
        )
        return replace(result, took_ms=(time.perf_counter() - started) * 1000)
