"""The best results in the order that a reranker, learned from judgements, and the fused scores give them together.

Must not know how the reranker came about, or which searches it is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from briefbank.encode.port import Reranker, RerankerScores
from briefbank.index.learned import Learned
from briefbank.search.fuse import Scores
from briefbank.settings import Settings


@dataclass(frozen=True, slots=True)
class Reranking:
    """A reranker, what its scores weigh beside the fused ones, and how many of the best results it reads."""

    reranker: Reranker
    weight: float
    depth: int

    def order(self, question: str, passages: Sequence[str], fused: Scores) -> list[int]:
        """Places of the passages, the best first; `fused` are their scores so far, shape (passages,), falling."""
        return list(map(int, blended(fused, self.reranker.scores(question, passages), self.weight)))


def reranking_of(learned: Learned | None, settings: Settings) -> Reranking | None:
    """What to rerank with; None where no reranker was learned, or it is switched off."""
    if learned is None or learned.reranker is None or not settings.reranked_results:
        return None
    return Reranking(learned.reranker, learned.card.reranker_weight, settings.reranked_results)


def blended(fused: Scores, read: RerankerScores, weight: float) -> npt.NDArray[np.int64]:
    """Places by the sum of fused scores and weighted reranker's scores; of equal ones the earlier place first."""
    order: npt.NDArray[np.int64] = np.argsort(-(fused + weight * read), kind="stable")
    return order
