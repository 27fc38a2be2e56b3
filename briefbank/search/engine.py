"""The search itself: one question in, ranked passages out. Reads one generation and writes nothing."""

from __future__ import annotations

import time
from datetime import date

import numpy as np

from briefbank.encode.port import Encoder
from briefbank.errors import ModelError, UsageError
from briefbank.index.generation import Generation
from briefbank.records import Hit, Query, SearchResult, SortOrder
from briefbank.search.fuse import mix
from briefbank.search.query import Understanding, understand
from briefbank.search.retrieve import Candidates, retrieve
from briefbank.search.scope import Scope, scope_of
from briefbank.search.snippet import match
from briefbank.settings import Settings

_LOWERING = 0.8


class SearchEngine:
    """Answers queries over one generation; may be used for any number of queries, one at a time."""

    def __init__(self, generation: Generation, encoder: Encoder, settings: Settings) -> None:
        """Take an open generation and the encoder for queries.

        Raises:
            ModelError: the encoder is not the one that the generation was built with.
        """
        if encoder.digest != generation.info.encoder_digest:
            message = "The index was built with another encoder than the one that is installed."
            raise ModelError(message, "Install the model that built the index, or index the folder again.")
        self._generation = generation
        self._encoder = encoder
        self._settings = settings

    def search(self, query: Query) -> SearchResult:
        """Find the `top_k` best passages, shown in the order asked for.

        Raises:
            UsageError: the query holds no word, `top_k` is below 1, or its dates exclude each other.
        """
        started = time.perf_counter()
        if query.top_k < 1:
            raise UsageError(f"{query.top_k} results cannot be shown.", "Ask for at least 1.")
        understanding = understand(query.text)
        scope = scope_of(query, self._generation.dense)
        depth = min(max(self._settings.candidate_depth, query.top_k), len(self._generation.dense))
        candidates = self.candidates(understanding, scope, depth)
        hits = self._best(query, understanding, candidates, scope)
        if query.sort is SortOrder.RECENCY:
            hits.sort(key=lambda hit: (-(hit.document.filed or date.min).toordinal(), hit.rank))
        return SearchResult(
            query=query,
            generation=self._generation.name,
            took_ms=(time.perf_counter() - started) * 1000,
            hits=tuple(hits),
            hidden_count=candidates.hidden_count,
            lowered_count=int(scope.lowered[candidates.rows].sum()),
            has_exact=candidates.has_exact,
        )

    def candidates(self, understanding: Understanding, scope: Scope, depth: int) -> Candidates:
        """The candidates of a query, before fusion."""
        vector = self._encoder.encode_queries([understanding.meaning])[0]
        return retrieve(self._generation, understanding, vector, scope, depth)

    def _best(self, query: Query, understanding: Understanding, candidates: Candidates, scope: Scope) -> list[Hit]:
        """The hits in order of relevance, ties by passage id."""
        # Vectors know little of numbers: what is asked of citations, rules and statutes is left to the words, if found.
        number_share = understanding.legal_number_share if candidates.lexical.any() else 0.0
        dense_weight = self._settings.dense_weight * (1 - number_share)
        scores = mix(candidates.dense, candidates.lexical, dense_weight)
        scores[scope.lowered[candidates.rows]] *= _LOWERING
        dense = self._generation.dense
        order = np.lexsort((np.array(dense.ids(candidates.rows), dtype=str), -scores))[: query.top_k]
        rows = candidates.rows[order]
        hits = []
        for rank, (passage, number, score) in enumerate(
            zip(dense.passages(rows), dense.columns.document[rows], scores[order], strict=True), start=1
        ):
            matches, why = match(understanding, passage.text)
            hits.append(Hit(rank, float(score), passage, dense.documents[number], matches, why))
        return hits
