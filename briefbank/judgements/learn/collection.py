"""Judged questions made ready for trials: understood and encoded once, with all passages that a search would weigh;
and the passages that compete for a question while something is fitted, with the share that each should have.

A trial ranks by the very code that searches. Must not know how anything is fitted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from briefbank.errors import UsageError
from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.learned import Learned
from briefbank.judgements.evaluate.beir import Entry, Qrels
from briefbank.judgements.evaluate.metrics import score_queries
from briefbank.models.encoders.port import Embeddings, Encoder
from briefbank.platform.progress import CancelToken
from briefbank.platform.settings import Settings
from briefbank.search.parse import Understanding, understand
from briefbank.search.rank import rank, shares_of_most, strengths
from briefbank.search.retrieve import Candidates, retrieve
from briefbank.search.scope import Scores, scope_of
from briefbank.values.records import Query

METRIC = "NDCG@5"
_DEPTH = 100
"""Ranks that are scored, as in an evaluation."""

_ALIKE = 0.35
"""Cosine of two questions from which what helps with one may help with the other."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A judged question; `vector` is the encoder's own, nothing learned applied.

    `judged` marks the candidates that somebody judged, `grades` holds their grades, 0 for the others.
    """

    id: str
    understanding: Understanding
    vector: Embeddings
    candidates: Candidates
    lowered: npt.NDArray[np.bool_]
    judged: npt.NDArray[np.bool_]
    grades: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class JudgedCollection:
    """What trials run over: an index and its judged questions. `judged_only` drops what nobody judged from a ranking
    before it is scored (condensed lists; Sakai 2007), where people also said what does not help.
    """

    generation: Generation
    settings: Settings
    topics: tuple[Topic, ...]
    qrels: Qrels
    judged_only: bool

    def values(self, topics: Sequence[Topic], learned: Learned) -> dict[str, float]:
        """NDCG@5 by topic under what was learned, 0 to 1."""
        ranking = {topic.id: self._ranked(topic, learned)[:_DEPTH] for topic in topics}
        return score_queries(ranking, {each: self.qrels[each] for each in ranking})[METRIC]

    def _ranked(self, topic: Topic, learned: Learned) -> list[str]:
        """Ids of the candidates that are scored, the best first."""
        vector, candidates = _moved(topic, learned)
        understanding, lowered = topic.understanding, topic.lowered
        dense_weight = learned.applied_to(self.settings).dense_weight
        scores = rank(self.generation, understanding, vector, candidates, lowered, dense_weight)
        ids = np.array(self.generation.dense.ids(candidates.rows), dtype=str)
        order = np.lexsort((ids, -scores))
        ranked: list[str] = ids[order[topic.judged[order]] if self.judged_only else order].tolist()
        return ranked

    def weakest_relevant(self, learned: Learned, share: float) -> float:
        """The strength that all but this share of the passages judged relevant reach."""
        reached: list[Scores] = []
        for topic in self.topics:
            _, candidates = _moved(topic, learned)
            shares = shares_of_most(self.generation.lexical, topic.understanding, candidates)
            strength = strengths(shares, candidates)
            reached.append(strength[topic.grades > 0])
        return float(np.quantile(np.concatenate(reached), share))


def _moved(topic: Topic, learned: Learned) -> tuple[Embeddings, Candidates]:
    vector: Embeddings = learned.adapt(topic.vector[np.newaxis])[0]
    return vector, replace(topic.candidates, dense=topic.candidates.vectors @ vector)


def prepare(
    generation: Generation,
    settings: Settings,
    queries: Sequence[Entry],
    qrels: Qrels,
    encoder: Encoder,
    cancel: CancelToken,
    *,
    keeps_unanswered: bool = False,
) -> JudgedCollection:
    """Make judged questions ready; those without words are left out, and those with no relevant passage in the index
    unless `keeps_unanswered`.
    """
    row_by_id = {each: row for row, each in enumerate(generation.dense.ids(np.arange(len(generation.dense))))}
    topics: list[Topic] = []
    for query in queries:
        cancel.check()
        grades = {row_by_id[each]: grade for each, grade in qrels[query.id].items() if each in row_by_id}
        if (keeps_unanswered or any(grade > 0 for grade in grades.values())) and (
            topic := _topic(generation, settings, query, grades, encoder)
        ):
            topics.append(topic)
    known = {
        topic.id: {each: grade for each, grade in qrels[topic.id].items() if each in row_by_id} for topic in topics
    }
    said_no = sum(any(grade == 0 for grade in each.values()) for each in known.values())
    return JudgedCollection(generation, settings, tuple(topics), known, judged_only=2 * said_no >= len(known))


def _topic(
    generation: Generation, settings: Settings, query: Entry, grades: Mapping[int, int], encoder: Encoder
) -> Topic | None:
    try:
        understanding = understand(query.text)
    except UsageError:
        return None
    vector = encoder.encode_queries([understanding.meaning])[0]
    scope = scope_of(Query(query.text), generation.dense)
    judged: Rows = np.array(sorted(row for row in grades if scope.mask[row]), dtype=np.int64)
    depth = min(settings.candidate_depth, len(generation.dense))
    candidates = retrieve(generation, understanding, vector, scope, depth, judged)
    return Topic(
        query.id,
        understanding,
        vector,
        candidates,
        scope.lowered[candidates.rows],
        np.isin(candidates.rows, judged),
        np.array([grades.get(row, 0) for row in candidates.rows.tolist()], dtype=np.float32),
    )


@dataclass(frozen=True, slots=True)
class ListwiseTargets:
    """`passages` are unit vectors, `questions` too; `shares` and `competes` have shape (questions, passages)."""

    questions: Embeddings
    passages: Embeddings
    shares: npt.NDArray[np.float32]
    competes: npt.NDArray[np.bool_]


def listwise_targets(topics: Sequence[Topic]) -> ListwiseTargets:
    """Let all passages compete that were judged for any question.

    What nobody judged for a question competes unless it is relevant to one like it: it may well be relevant here too.
    """
    questions = np.stack([topic.vector for topic in topics])
    rows = np.unique(np.concatenate([topic.candidates.rows[topic.judged] for topic in topics]))
    passages = np.zeros((len(rows), questions.shape[1]), dtype=np.float32)
    grades = np.zeros((len(topics), len(rows)), dtype=np.float32)
    judged = np.zeros(grades.shape, dtype=bool)
    for number, topic in enumerate(topics):
        places = np.searchsorted(rows, topic.candidates.rows[topic.judged])
        passages[places] = topic.candidates.vectors[topic.judged]
        grades[number, places] = topic.grades[topic.judged]
        judged[number, places] = True
    alike = (questions @ questions.T >= _ALIKE).astype(np.float32)
    competes = judged | (alike @ (grades > 0) == 0)
    shares = grades / np.maximum(grades.sum(axis=1, keepdims=True), 1)
    return ListwiseTargets(questions, passages, shares, competes)
