"""Which passages compete for which question while something is fitted, and what share each should have.

Knows vectors and grades, neither texts nor rankings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from briefbank.judgements.learn.collection import Topic
from briefbank.models.encoders.port import Embeddings

_ALIKE = 0.35
"""Cosine of two questions from which what helps with one may help with the other."""


@dataclass(frozen=True, slots=True)
class ListwiseTargets:
    """`passages` are unit vectors, `questions` too; `shares` and `competes` have shape (questions, passages)."""

    questions: Embeddings
    passages: Embeddings
    shares: npt.NDArray[np.float32]
    competes: npt.NDArray[np.bool_]


def listwise_targets(topics: Sequence[Topic], hard_count: int = 0) -> ListwiseTargets:
    """Let all passages compete that were judged for any question, and the `hard_count` nearest to each that were not.

    What nobody judged for a question competes unless it is relevant to one like it: it may well be relevant here too.
    """
    questions = np.stack([topic.vector for topic in topics])
    listed = [_listed(topic, hard_count) for topic in topics]
    rows = np.unique(np.concatenate([topic.candidates.rows[each] for topic, each in zip(topics, listed, strict=True)]))
    passages = np.zeros((len(rows), questions.shape[1]), dtype=np.float32)
    grades = np.zeros((len(topics), len(rows)), dtype=np.float32)
    judged = np.zeros(grades.shape, dtype=bool)
    for number, topic in enumerate(topics):
        entering = listed[number]
        passages[np.searchsorted(rows, topic.candidates.rows[entering])] = topic.candidates.vectors[entering]
        places = np.searchsorted(rows, topic.candidates.rows[topic.judged])
        grades[number, places] = topic.grades[topic.judged]
        judged[number, places] = True
    alike = (questions @ questions.T >= _ALIKE).astype(np.float32)
    competes = judged | (alike @ (grades > 0) == 0)
    shares = grades / np.maximum(grades.sum(axis=1, keepdims=True), 1)
    return ListwiseTargets(questions, passages, shares, competes)


def _listed(topic: Topic, hard_count: int) -> npt.NDArray[np.bool_]:
    """Which candidates of a question enter: those judged for it, and the nearest of the others."""
    listed = topic.judged.copy()
    others = np.flatnonzero(~topic.judged)
    listed[others[np.argsort(-topic.candidates.dense[others], kind="stable")[:hard_count]]] = True
    return listed
