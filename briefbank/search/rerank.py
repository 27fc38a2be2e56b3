"""The best results in the order of a reranker: one learned from judgements, together with the fused scores, or a
cross-encoder that the office added, by itself.

Must not know how the reranker came about, or which searches it is for.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from briefbank.errors import ModelError
from briefbank.index.learned import Learned
from briefbank.models.encoders.port import Reranker, RerankerScores
from briefbank.platform.settings import Settings
from briefbank.search.fuse import Scores

# Four pairs take 0.3 to 2 s of one core (docs/evaluation.md, “A cross-encoder of your own”), and by no more than that a
# search may overrun its limit.
_AT_ONCE = 4
"""Passages that a cross-encoder reads between two looks at the clock."""


class Reranking(Protocol):
    """Puts the best results in order."""

    @property
    def depth(self) -> int:
        """How many of the best results it reads."""
        ...

    def order(self, question: str, passages: Sequence[str], fused: Scores) -> tuple[list[int], tuple[str, ...]]:
        """Places of the first passages, the best first, and what people should know of it; `fused` are the scores so
        far, shape (passages,), falling.
        """
        ...


@dataclass(frozen=True, slots=True)
class Blending:
    """A learned reranker, and what its scores weigh beside the fused ones."""

    reranker: Reranker
    weight: float
    depth: int

    def order(self, question: str, passages: Sequence[str], fused: Scores) -> tuple[list[int], tuple[str, ...]]:
        return list(map(int, blended(fused, self.reranker.scores(question, passages), self.weight))), ()


@dataclass(frozen=True, slots=True)
class Replacing:
    """A cross-encoder, whose scores alone give the order, since nobody knows what they would weigh beside the fused
    ones; these decide between equal ones.

    Passages for which `time_limit_s` leaves no time keep their places behind those that were read. `stands_in` says
    that a learned reranker makes way for it.
    """

    reranker: Reranker
    depth: int
    time_limit_s: float
    stands_in: bool

    def order(self, question: str, passages: Sequence[str], fused: Scores) -> tuple[list[int], tuple[str, ...]]:
        end = time.monotonic() + self.time_limit_s
        read: list[RerankerScores] = []
        try:
            for start in range(0, len(passages), _AT_ONCE):
                if read and time.monotonic() >= end:
                    break
                read.append(self.reranker.scores(question, passages[start : start + _AT_ONCE]))
        except ModelError as problem:
            return [], (f"Ranked without the cross-encoder: {problem.message}",)
        scores = np.concatenate(read)
        told = f"A cross-encoder chose the order of the best {len(scores)}"
        place = ", in place of the reranker that was learned." if self.stands_in else "."
        return list(map(int, np.lexsort((-fused[: len(scores)], -scores)))), (told + place,)


def reranking_of(learned: Learned | None, settings: Settings, cross_encoder: Reranker | None) -> Reranking | None:
    """What to rerank with: the cross-encoder, which somebody switched on, before a learned reranker; None where there
    is neither, or it is switched off.
    """
    own = None
    if learned and learned.reranker and settings.reranked_results:
        own = Blending(learned.reranker, learned.card.reranker_weight, settings.reranked_results)
    if cross_encoder:
        return Replacing(cross_encoder, settings.graded_results, settings.grading_time_s, stands_in=own is not None)
    return own


def blended(fused: Scores, read: RerankerScores, weight: float) -> npt.NDArray[np.int64]:
    """Places by the sum of fused scores and weighted reranker's scores; of equal ones the earlier place first."""
    order: npt.NDArray[np.int64] = np.argsort(-(fused + weight * read), kind="stable")
    return order
