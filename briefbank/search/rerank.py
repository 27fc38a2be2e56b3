"""The best results in the order of a cross-encoder that the office added.

Must not know where it came from, or which searches it is for.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from briefbank.errors import ModelError
from briefbank.models.encoders.port import Reranker, RerankerScores
from briefbank.search.fuse import Scores

# Four pairs take 0.3 to 2 s of one core (docs/evaluation.md, “A cross-encoder of your own”), and by no more than that a
# search may overrun its limit.
_AT_ONCE = 4
"""Passages that a cross-encoder reads between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Reranking:
    """Puts the best results in order by a cross-encoder's scores alone, since nobody knows what they would weigh beside
    the fused ones; these decide between equal ones.

    Passages for which `time_limit_s` leaves no time keep their places behind those that were read.
    """

    reranker: Reranker
    depth: int
    time_limit_s: float

    def order(self, question: str, passages: Sequence[str], fused: Scores) -> tuple[list[int], tuple[str, ...]]:
        """Places of the first passages, the best first, and what people should know of it; `fused` are the scores so
        far, shape (passages,), falling.
        """
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
        order = np.lexsort((-fused[: len(scores)], -scores))
        return list(map(int, order)), (f"A cross-encoder chose the order of the best {len(scores)}.",)
