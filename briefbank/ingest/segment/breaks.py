"""Chooses where passages end: turns of meaning, paragraph ends and size weighed by dynamic programming.

Must not know text or documents, only what pieces weigh and mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from briefbank.models.encoders.port import Embeddings

# Chosen on filed briefs (21 November 2026) with vectors of whole sentences, and kept for the means of their words
# (docs/decisions/0028-cut-by-words.md). What they reach together is held by tests/quality/test_segment_corpus.py:
# more than 70 % of the breaks at paragraph ends, 20 points above cutting at fixed size; half of the passages within 130
# and 170 words; sentences of a passage more alike than those across a break, by a quarter at least.
_SIZE_WEIGHT = 0.3
"""Worth of the right size against cosine similarity, per square of the logarithm of words / words wanted."""
_MID_PARAGRAPH_COST = 0.1
"""What a break within a paragraph costs, in cosine similarity."""
_TOO_SHORT = -10.0
"""Worse than any gain in similarity: a passage below the least size is made only where nothing else is possible."""
_TOO_LONG = -1e6
"""Worse than any number of short passages."""

Gains = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PassageSize:
    """Words that a passage should have, and the bounds it keeps."""

    target: int
    least: int
    most: int


def choose_breaks(
    words: npt.NDArray[np.int64],
    ends_block: npt.NDArray[np.bool_],
    embeddings: Embeddings | None,
    size: PassageSize,
) -> list[int]:
    """Index behind the last piece of each passage, ascending; the last is the number of pieces.

    Args:
        words: words of each piece, shape (pieces,).
        ends_block: whether a paragraph ends with the piece, shape (pieces,).
        embeddings: unit vectors, shape (pieces, dimension), or None to weigh size and paragraph ends alone.
        size: what passages should measure.

    After the cluster semantic chunker of Smith and Troynikov 2024, 'Evaluating Chunking Strategies for Retrieval'
    (Chroma): the similarity of pieces within passages, less its mean, is maximised. The published sum over pairs
    grows with the square of the pieces and sets odd ones apart; here each passage counts with its mean similarity
    times its words, and size is a prior instead of a limit only. A passage exceeds `size.most` only if it is one
    piece, and falls short of `size.least` only if nothing else is possible.
    """
    count = len(words)
    reach = _reach(words, size.most)
    gains = _gains(words, ends_block, embeddings, size, reach)
    best = np.zeros(count + 1)
    origin = np.zeros(count + 1, dtype=np.int64)
    for end in range(1, count + 1):
        longest = min(reach, end)
        # Entry i is the passage of i + 1 pieces that ends here.
        totals = gains[end, :longest] + best[end - longest : end][::-1]
        choice = int(totals.argmax())
        best[end], origin[end] = totals[choice], end - 1 - choice
    breaks = [count]
    while origin[breaks[-1]] > 0:
        breaks.append(int(origin[breaks[-1]]))
    return breaks[::-1]


def _reach(words: npt.NDArray[np.int64], most: int) -> int:
    """The most pieces that any passage can hold."""
    totals = np.concatenate(([0], np.cumsum(words)))
    firsts = np.searchsorted(totals, totals - most)
    return max(1, int((np.arange(len(totals)) - firsts).max()))


def _gains(
    words: npt.NDArray[np.int64],
    ends_block: npt.NDArray[np.bool_],
    embeddings: Embeddings | None,
    size: PassageSize,
    reach: int,
) -> Gains:
    """Worth of every passage that could be, shape (pieces + 1, reach): by the index behind it and its pieces - 1."""
    count = len(words)
    totals = np.concatenate(([0], np.cumsum(words)))
    gains = np.full((count + 1, reach), _TOO_LONG, dtype=np.float32)
    summed = None if embeddings is None else np.cumsum(np.pad(embeddings, ((1, 0), (0, 0))), axis=0, dtype=np.float64)
    at_end = np.where(ends_block, 0.0, -_MID_PARAGRAPH_COST)
    for length in range(1, min(reach, count) + 1):
        total = (totals[length:] - totals[:-length]).astype(np.float64)
        worth = -_SIZE_WEIGHT * np.log(total / size.target) ** 2
        if summed is not None:
            between = summed[length:] - summed[:-length]
            # The squared norm of a sum of unit vectors is the sum of all their pairwise similarities.
            similarity = (np.einsum("ij,ij->i", between, between) / length - 1) / max(length - 1, 1)
            # Short stretches are always more alike: each counts against all stretches of its length.
            worth += similarity - similarity.mean()
        worth = worth * total / size.target + at_end[length - 1 :]
        worth[total < size.least] += _TOO_SHORT
        if length > 1:
            worth[total > size.most] = _TOO_LONG
        gains[length:, length - 1] = worth
    return gains
